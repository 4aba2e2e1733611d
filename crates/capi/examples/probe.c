/* Asks the tables about a position: probe DIRECTORY FEN [RATIO KINGS ROAD]
 *
 * cc -std=c11 -I include examples/probe.c -L ../../target/release -lbolshak -o probe
 */
#include <stdio.h>
#include <stdlib.h>

#include "bolshak.h"

static const char *const VALUES[] = {"win", "cursed-win", "draw", "blessed-loss", "loss"};

/* Ends the program when a call did not do what it should. */
static void check(BolshakStatus status, const BolshakError *error)
{
    if (status != BOLSHAK_STATUS_OK) {
        fprintf(stderr, "status %d: %s\n", (int)status, error->message);
        exit(status == BOLSHAK_STATUS_INVALID_ARGUMENT ? 2 : 1);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3 && argc != 6) {
        fprintf(stderr, "usage: %s DIRECTORY FEN [RATIO KINGS ROAD]\n", argv[0]);
        return 2;
    }
    BolshakError error;
    BolshakTables *tables = NULL;
    uint32_t official = 0;
    check(bolshak_tables_open(argv[1], "russian", &tables, &error), &error);
    check(bolshak_rule_set("official", &official, &error), &error);

    BolshakState state = {0};
    check(bolshak_position_from_fen(argv[2], &state.position, &error), &error);
    if (argc == 6) {
        state.ratio_plies = (uint32_t)strtoul(argv[3], NULL, 10);
        state.kings_plies = (uint32_t)strtoul(argv[4], NULL, 10);
        state.road_moves = (uint32_t)strtoul(argv[5], NULL, 10);
    }

    BolshakAnswer answer;
    BolshakMove moves[128];
    size_t count = 0;
    check(bolshak_probe_moves(tables, official, &state, NULL, &answer, moves, 128, &count, &error), &error);
    printf("%s %d\n", VALUES[answer.outcome.value], (int)answer.outcome.distance_plies);
    if (answer.over_by[0] != '\0')
        printf("over by %s\n", answer.over_by);
    for (size_t i = 0; i < count; i++)
        printf("%s %s %d\n", moves[i].text, VALUES[moves[i].outcome.value], (int)moves[i].outcome.distance_plies);

    bolshak_tables_close(tables);
    return 0;
}
