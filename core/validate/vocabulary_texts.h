// The body of forEachText (validate/vocabulary.h).
#pragma once

#include "model/array_index.h"

namespace gufo {

template<typename Use>
void forEachText(const ArrayView& array, Use use) {
    Bytes rest = array.bytes;
    for (std::uint64_t i = 0; i < array.length && array.elementType == ValueType::String; ++i) {
        const auto located = valueAt(ValueType::String, rest, array.layout);
        if (!located || !use(i, std::get<std::string_view>(located->value))) {
            return;
        }
        rest = rest.subspan(static_cast<std::size_t>(located->bytes));
    }
}

} // namespace gufo
