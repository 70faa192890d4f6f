// Equality of metadata values from different files, independent of byte order and version.
#pragma once

#include "analysis/compare/compare_metadata.h"

namespace gufo {

// Whether type and value are the same. Floats are compared bit by bit, arrays element by element.
[[nodiscard]] bool sameValue(const Value& a, const Value& b);
// Whether both are the same number; their types may differ.
[[nodiscard]] bool sameNumber(const Value& a, const Value& b);

// Compares arrays element by element. If the element types differ, numbers are compared by value. Errors: Cancelled,
// Truncated (the file has changed).
[[nodiscard]] Result<ArrayDifference> compareArrays(const ArrayView& a, const ArrayView& b, std::size_t maxElements,
                                                    const JobContext& job);

} // namespace gufo
