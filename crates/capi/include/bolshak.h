#ifndef BOLSHAK_H
#define BOLSHAK_H

/* Made from the Rust sources by cbindgen: do not edit. README.md tells how. */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// Bytes of the text of an error, the closing NUL included.
#define BOLSHAK_MESSAGE_CAPACITY 512

// Bytes of the name of a slice, the closing NUL included.
#define BOLSHAK_SLICE_CAPACITY 32

// Bytes that hold any FEN as it is written here, the closing NUL included.
#define BOLSHAK_FEN_CAPACITY 128

// Bytes of the text of a move, the closing NUL included.
#define BOLSHAK_MOVE_CAPACITY 48

// Bytes of the number of an article, the closing NUL included.
#define BOLSHAK_ARTICLE_CAPACITY 16

// What became of a call.
enum BolshakStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It was done.
    BOLSHAK_STATUS_OK = 0,
    // An argument makes no sense: a null pointer, a malformed FEN, counters that cannot be, an unknown name.
    BOLSHAK_STATUS_INVALID_ARGUMENT = 1,
    // There is no table for the position, or none for one that it can come to. The error names both slices.
    BOLSHAK_STATUS_NOT_IN_TABLES = 2,
    // What is needed is not in memory (asked of `bolshak_probe_resident` only).
    BOLSHAK_STATUS_NOT_RESIDENT = 3,
    // A table is there but cannot be read, is damaged, or was made under another definition of the rules.
    BOLSHAK_STATUS_UNUSABLE_TABLE = 4,
    // The search for an answer went beyond its budget of states.
    BOLSHAK_STATUS_BUDGET = 5,
    // What is to be written does not fit; the length that is needed was told.
    BOLSHAK_STATUS_BUFFER_TOO_SMALL = 6,
    // A fault of the library itself. Its handles can still be closed.
    BOLSHAK_STATUS_INTERNAL = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum BolshakStatus BolshakStatus;
#else
typedef int32_t BolshakStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a state is worth to the side to move, or a move to the side that makes it.
enum BolshakValue
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // A forced win under the rule set.
    BOLSHAK_VALUE_WIN = 0,
    // A forced win if there were no draw rules, a draw under the rule set.
    BOLSHAK_VALUE_CURSED_WIN = 1,
    // A draw even without draw rules.
    BOLSHAK_VALUE_DRAW = 2,
    // A forced loss without draw rules, a draw under the rule set.
    BOLSHAK_VALUE_BLESSED_LOSS = 3,
    // A forced loss under the rule set.
    BOLSHAK_VALUE_LOSS = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum BolshakValue BolshakValue;
#else
typedef int32_t BolshakValue;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The tables of one variant in a directory. Any number of threads may ask the same one at once; only closing it must
// be left to the last.
typedef struct BolshakTables BolshakTables;

// The pieces on the board and the side to move. In each set of squares bit 0 is a1, bit 1 c1, bit 2 e1, bit 3 g1, bit 4
// b2 and so on by rank to bit 31, h8: the bit of a square is `4 * rank + file / 2`, both from 0.
typedef struct {
    // White's men.
    uint32_t white_men;
    // White's kings.
    uint32_t white_kings;
    // Black's men.
    uint32_t black_men;
    // Black's kings.
    uint32_t black_kings;
    // The side to move: 0 White, 1 Black.
    uint8_t black_to_move;
} BolshakPosition;

// What went wrong in one call; owned by the caller. Every function takes a pointer to one, which may be null.
typedef struct {
    // One sentence; empty when there is nothing to tell. With `BOLSHAK_STATUS_OK` it is a warning.
    char message[BOLSHAK_MESSAGE_CAPACITY];
    // With `BOLSHAK_STATUS_NOT_IN_TABLES` the slice of the position asked about, such as `KKmvK`; else empty.
    char requested[BOLSHAK_SLICE_CAPACITY];
    // With `BOLSHAK_STATUS_NOT_IN_TABLES` the slice that has no table; else empty.
    char missing[BOLSHAK_SLICE_CAPACITY];
} BolshakError;

// A position with what the counted draw rules need to know of the past; all counters 0 for a fresh position.
typedef struct {
    // The position.
    BolshakPosition position;
    // Plies since the force ratio last changed by a capture or a promotion (1.9.1.3, 1.9.1.4).
    uint32_t ratio_plies;
    // Plies since a man last moved or anything was captured (1.9.1.6), at most `ratio_plies`.
    uint32_t kings_plies;
    // The stronger side's own moves in sequence with the lone king on the main road (1.9.1.5), 0 to 5.
    uint32_t road_moves;
} BolshakState;

// What an answer may take account of and cost. Where a pointer to one is null, there is no history and the budget is
// the library's own.
typedef struct {
    // The positions that occurred in the game before this one, for 1.9.1.7; may be null where there are none.
    const BolshakPosition *history;
    // How many they are.
    size_t history_count;
    // States that may be searched before the answer is given up; 0 for the library's own budget.
    uint64_t max_states;
} BolshakQuery;

// A value with its distance.
typedef struct {
    // The value.
    BolshakValue value;
    // Plies to the next change of the force ratio or the end of the game, counting that ply; for cursed and blessed
    // values without draw rules; -1 for a draw.
    int32_t distance_plies;
} BolshakOutcome;

// The answer for a state.
typedef struct {
    // What it is worth to the side to move.
    BolshakOutcome outcome;
    // Why it is over: `no-move` or the article, such as `1.9.1.3`; empty when it is not over.
    char over_by[BOLSHAK_ARTICLE_CAPACITY];
} BolshakAnswer;

// A legal move and what it leads to.
typedef struct {
    // The move as text: `e3-f4`, `e3:g5`, or the squares where a capture turns when its ends do not suffice.
    char text[BOLSHAK_MOVE_CAPACITY];
    // The bit of the square where it starts.
    uint8_t from;
    // The bit of the square where it ends.
    uint8_t to;
    // Whether a man becomes a king by it, 0 or 1.
    uint8_t promotes;
    // The squares of the pieces it captures; 0 for a quiet move.
    uint32_t captured;
    // What it is worth to the side that makes it; the distance counts the move.
    BolshakOutcome outcome;
    // The state after it, with the counters as the rules have them.
    BolshakState after;
} BolshakMove;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Reads a FEN such as `W:WKa1,c3:BKh8`, in any of the forms that are met. With `BOLSHAK_STATUS_OK` the error's message
// is not empty if something odd was accepted.
//
// # Safety
//
// `fen` is a text closed by NUL; `position` and, if not null, `error` may be written to.
BolshakStatus bolshak_position_from_fen(const char *fen, BolshakPosition *position, BolshakError *error);

// Writes a position as a FEN, closed by NUL. `BOLSHAK_FEN_CAPACITY` bytes always suffice. `length`, if not null, gets
// the length without NUL, also when the text does not fit.
//
// # Safety
//
// `position` points to one; `buffer` has room for `capacity` bytes; `length` and `error`, if not null, may be written
// to.
BolshakStatus bolshak_position_to_fen(const BolshakPosition *position,
                                      char *buffer,
                                      size_t capacity,
                                      size_t *length,
                                      BolshakError *error);

// The version of the library, such as `0.1.0`. The text lives as long as the library.
const char *bolshak_version(void);

// The number of a rule set by its name: `official`, `official-won-position`, `fmjd64`, `classic` or `none`. Numbers
// hold for one version of the library: ask for them once, when the program starts.
//
// # Safety
//
// `name` is a text closed by NUL; `rule_set` and, if not null, `error` may be written to.
BolshakStatus bolshak_rule_set(const char *name, uint32_t *rule_set, BolshakError *error);

// The name of a rule set by its number, closed by NUL. Numbers go from 0, without a gap: a greater one than the last is
// `BOLSHAK_STATUS_INVALID_ARGUMENT`. `length`, if not null, gets the length without NUL, also when it does not fit.
//
// # Safety
//
// `buffer` has room for `capacity` bytes; `length` and `error`, if not null, may be written to.
BolshakStatus bolshak_rule_set_name(uint32_t rule_set,
                                    char *buffer,
                                    size_t capacity,
                                    size_t *length,
                                    BolshakError *error);

// Opens the tables of a variant, `russian` or `giveaway`, under a directory. Files are opened when they are first
// needed, so that this is fast and succeeds where there are none: see `bolshak_covered_slices`. On success `tables` gets
// a handle, to be closed by `bolshak_tables_close`.
//
// # Safety
//
// `directory` and `variant` are texts closed by NUL; `tables` and, if not null, `error` may be written to.
BolshakStatus bolshak_tables_open(const char *directory,
                                  const char *variant,
                                  BolshakTables **tables,
                                  BolshakError *error);

// Forgets which files are open, so that added and replaced ones are seen. Other threads may ask meanwhile.
//
// # Safety
//
// `tables` is an open handle; `error`, if not null, may be written to.
BolshakStatus bolshak_tables_reload(const BolshakTables *tables, BolshakError *error);

// Closes tables. Null is allowed and does nothing.
//
// # Safety
//
// `tables` is null or an open handle that no thread uses now or later.
void bolshak_tables_close(BolshakTables *tables);

// Writes the names of the slices that have all tables a rule set needs, parted by spaces, in order of solving, closed
// by NUL. `length`, if not null, gets the length without NUL, also when the text does not fit: call with a `capacity`
// of 0 first to learn it.
//
// # Safety
//
// `tables` is an open handle; `buffer` has room for `capacity` bytes; `length` and `error`, if not null, may be written
// to.
BolshakStatus bolshak_covered_slices(const BolshakTables *tables,
                                     uint32_t rule_set,
                                     char *buffer,
                                     size_t capacity,
                                     size_t *length,
                                     BolshakError *error);

// Writes the names of the slices whose tables are missing for every state of a slice such as `KKmvKm` to be answered:
// itself and all that play can come to from there. The text is empty when nothing is missing. See
// `bolshak_covered_slices` for `buffer`, `capacity` and `length`.
//
// # Safety
//
// `tables` is an open handle; `slice` is a text closed by NUL; `buffer` has room for `capacity` bytes; `length` and
// `error`, if not null, may be written to.
BolshakStatus bolshak_missing_slices(const BolshakTables *tables,
                                     uint32_t rule_set,
                                     const char *slice,
                                     char *buffer,
                                     size_t capacity,
                                     size_t *length,
                                     BolshakError *error);

// The exact value and distance of a state under a rule set.
//
// # Safety
//
// `tables` is an open handle; `state` points to one; `query` is null or points to one whose `history` has so many
// positions; `outcome` and, if not null, `error` may be written to.
BolshakStatus bolshak_probe(const BolshakTables *tables,
                            uint32_t rule_set,
                            const BolshakState *state,
                            const BolshakQuery *query,
                            BolshakOutcome *outcome,
                            BolshakError *error);

// As `bolshak_probe`, but only from what is decoded in memory: it reads no file and waits for no other thread.
// `BOLSHAK_STATUS_NOT_RESIDENT` if that does not suffice; then `bolshak_probe`, on a thread that may wait, gives the
// answer and leaves what it decodes in memory.
//
// # Safety
//
// As for `bolshak_probe`.
BolshakStatus bolshak_probe_resident(const BolshakTables *tables,
                                     uint32_t rule_set,
                                     const BolshakState *state,
                                     const BolshakQuery *query,
                                     BolshakOutcome *outcome,
                                     BolshakError *error);

// The value and distance of many states, each under the same query. `statuses[i]` tells what became of `states[i]`, and
// `outcomes[i]` means something where that is `BOLSHAK_STATUS_OK`. States that fail do not make the call fail: it returns
// `BOLSHAK_STATUS_OK`, and the error's message is the reason of the first of them.
//
// # Safety
//
// `tables` is an open handle; `states` points to `count` of them; `query` is null or points to one whose `history` has
// so many positions; `outcomes` and `statuses` have room for `count` items; `error`, if not null, may be written to.
BolshakStatus bolshak_probe_batch(const BolshakTables *tables,
                                  uint32_t rule_set,
                                  const BolshakState *states,
                                  size_t count,
                                  const BolshakQuery *query,
                                  BolshakOutcome *outcomes,
                                  BolshakStatus *statuses,
                                  BolshakError *error);

// The exact answer for a state with every legal move, best first, equal ones in order of text. `count` gets the number
// of moves, 0 when the state is over; if there is room for fewer, `answer` and `count` are written, no move is, and the
// status is `BOLSHAK_STATUS_BUFFER_TOO_SMALL`.
//
// # Safety
//
// `tables` is an open handle; `state` points to one; `query` is null or points to one whose `history` has so many
// positions; `moves` has room for `capacity` items; `answer`, `count` and, if not null, `error` may be written to.
BolshakStatus bolshak_probe_moves(const BolshakTables *tables,
                                  uint32_t rule_set,
                                  const BolshakState *state,
                                  const BolshakQuery *query,
                                  BolshakAnswer *answer,
                                  BolshakMove *moves,
                                  size_t capacity,
                                  size_t *count,
                                  BolshakError *error);

// The state after a legal move, given as text as in `BolshakMove`, with the counters as the rules have them. No table
// is needed. `after` may be the place that `state` points to.
//
// # Safety
//
// `tables` is an open handle; `state` points to one; `text` is closed by NUL; `after` and, if not null, `error` may be
// written to.
BolshakStatus bolshak_play(const BolshakTables *tables,
                           uint32_t rule_set,
                           const BolshakState *state,
                           const char *move_text,
                           BolshakState *after,
                           BolshakError *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BOLSHAK_H */
