// Whether a goal is reached, in the words that the benchmarks print. A goal that was not measured is never called
// reached.
#pragma once

namespace gufo::bench {

inline const char* goalVerdict(bool measured, bool reached) {
    return !measured ? "not measured" : reached ? "reached" : "MISSED";
}

} // namespace gufo::bench
