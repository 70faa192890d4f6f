// The code books of several weights (IQ1, IQ2 and IQ3) in the forms in which the encoders search them. They are built
// on first use, by code that every instruction set may call.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gufo::scalar {

// How many entries near each point are listed.
inline constexpr std::size_t kNearEntries = 12;

struct CodeBookTables {
    const float* entries;      // the levels of an entry's weights, entry by entry
    const float* columns;      // the levels of the first weight in all entries, then of the second …
    const std::uint16_t* near; // kNearEntries entries next to each point, the nearest first. A point is the number
                               // whose digits are the levels' numbers. The first weight's number is the lowest digit.
    std::size_t size;          // entries
};

const CodeBookTables& iq2XxsTables();
const CodeBookTables& iq2XsTables();
const CodeBookTables& iq2STables();
const CodeBookTables& iq3XxsTables();
const CodeBookTables& iq3STables();
const CodeBookTables& iq1Tables(); // in eighths, without the shift

} // namespace gufo::scalar
