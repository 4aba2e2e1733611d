// Plays the best line from a position and keeps the counters: line DIRECTORY FEN
//
// c++ -std=c++17 -I include examples/line.cpp -L ../../target/release -lbolshak -o line
#include <array>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bolshak.h"

namespace {

class Tables {
public:
    explicit Tables(const std::string& directory)
    {
        BolshakTables* opened = nullptr;
        check([&](BolshakError* error) { return bolshak_tables_open(directory.c_str(), "russian", &opened, error); });
        handle_.reset(opened);
        check([&](BolshakError* error) { return bolshak_rule_set("official", &official_, error); });
    }

    // The best move, or none when the game is over or nothing is forced.
    bool best(const BolshakState& state, const std::vector<BolshakPosition>& history, BolshakMove& best) const
    {
        const BolshakQuery query{history.data(), history.size(), 0};
        BolshakAnswer answer;
        std::array<BolshakMove, 128> moves;
        std::size_t count = 0;
        check([&](BolshakError* error) {
            return bolshak_probe_moves(
                handle_.get(), official_, &state, &query, &answer, moves.data(), moves.size(), &count, error);
        });
        if (count == 0 || answer.outcome.distance_plies < 0)
            return false;
        best = moves[0];
        return true;
    }

    template <typename Call> static void check(Call call)
    {
        BolshakError error;
        if (call(&error) != BOLSHAK_STATUS_OK)
            throw std::runtime_error(error.message);
    }

private:
    struct Close {
        void operator()(BolshakTables* tables) const { bolshak_tables_close(tables); }
    };
    std::unique_ptr<BolshakTables, Close> handle_;
    std::uint32_t official_ = 0;
};

} // namespace

int main(int argc, char** argv)
try {
    if (argc != 3)
        throw std::invalid_argument("usage: line DIRECTORY FEN");
    const Tables tables(argv[1]);
    BolshakState state{};
    Tables::check([&](BolshakError* error) { return bolshak_position_from_fen(argv[2], &state.position, error); });
    std::vector<BolshakPosition> history;
    BolshakMove best;
    while (tables.best(state, history, best)) {
        history.push_back(state.position);
        state = best.after;
        std::printf("%s ratio %u kings %u road %u\n", best.text, state.ratio_plies, state.kings_plies, state.road_moves);
    }
    return 0;
} catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
}
