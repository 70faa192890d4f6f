// Equality of metadata values across files, whatever their byte order and version.
#pragma once

#include "analysis/compare/compare_metadata.h"

namespace gufo {

// Same type and value: floats by their bits, arrays element by element.
[[nodiscard]] bool sameValue(const Value& a, const Value& b);
// The same number in types that may differ; nothing that is not a number.
[[nodiscard]] bool sameNumber(const Value& a, const Value& b);

// Element by element; where the element types differ, numbers count by their value. Errors: Cancelled, Truncated (the
// bytes are not what the reader saw).
[[nodiscard]] Result<ArrayDifference> compareArrays(const ArrayView& a, const ArrayView& b, std::size_t maxElements,
                                                    const JobContext& job);

} // namespace gufo
