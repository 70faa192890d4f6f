#include "inference/structure/model_structure.h"

#include <algorithm>

namespace gufo::inference {
namespace {

// No architecture has a longer pattern.
constexpr std::size_t kMaxPeriod = 32;

} // namespace

std::vector<StructureRun> foldRuns(const std::vector<StructureBlock>& blocks) {
    std::vector<StructureRun> runs;
    for (std::size_t first = 0; first < blocks.size();) {
        StructureRun best{.first = first};
        for (std::size_t period = 1; period <= std::min(kMaxPeriod, (blocks.size() - first) / 2 + 1); ++period) {
            std::size_t same = 0; // blocks that equal the one a period before them
            while (first + period + same < blocks.size() &&
                   blocks[first + period + same].kind == blocks[first + same].kind) {
                ++same;
            }
            const StructureRun run{.first = first, .period = period, .repeats = 1 + same / period};
            if (run.repeats > 1 && run.blocks() > best.blocks()) {
                best = run;
            }
        }
        runs.push_back(best);
        first += best.blocks();
    }
    return runs;
}

} // namespace gufo::inference
