// Comparisons as bytes, for the cache on disk.
//
// A file: magic, version, the numbers that identify both models' files, the count of records, the records, and a check
// sum of all before it. Everything little-endian. A file that is not exactly that counts as empty.
#pragma once

#include "analysis/compare/compare_tensors.h"

#include <array>
#include <map>

namespace gufo {

// A pair of parts within a pair of files.
struct ComparisonKey {
    std::uint64_t offsetA = 0; // of the tensor in its file
    std::uint64_t firstA = 0;  // weight of the part
    std::uint64_t offsetB = 0;
    std::uint64_t firstB = 0;
    std::uint64_t weights = 0;
    std::uint32_t typeA = 0;
    std::uint32_t typeB = 0;
    auto operator<=>(const ComparisonKey&) const = default;
};
[[nodiscard]] ComparisonKey keyOf(const PartOf& a, const PartOf& b);

using ComparisonRecords = std::map<ComparisonKey, TensorComparison>;
using FileNumbers = std::array<std::uint64_t, 8>;

[[nodiscard]] std::vector<std::byte> writeRecords(const ComparisonRecords& records, const FileNumbers& files);
// Empty unless the bytes are whole and belong to these files.
[[nodiscard]] ComparisonRecords readRecords(Bytes bytes, const FileNumbers& files);

} // namespace gufo
