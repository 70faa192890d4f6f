// Encodes comparisons as bytes for the cache on disk.
//
// A file contains: magic number, version, the numbers that identify both models' files, the number of records, the
// records, and a checksum of everything before it. All numbers are little-endian. Any other file counts as empty.
#pragma once

#include "analysis/compare/compare_tensors.h"

#include <array>
#include <map>

namespace gufo {

// Identifies a pair of parts within a pair of files.
struct ComparisonKey {
    std::uint64_t offsetA = 0; // offset of the tensor in its file
    std::uint64_t firstA = 0;  // first weight of the part
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
// The result is empty unless the bytes are complete and belong to these files.
[[nodiscard]] ComparisonRecords readRecords(Bytes bytes, const FileNumbers& files);

} // namespace gufo
