// Makes the values that rules compute for keys. `from` says where in the source they come from.
#pragma once

#include "convert/key_rules.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace gufo::convert::computed {

inline Computed number(std::uint64_t value, std::string from) {
    return FoundValue{OwnedValue(static_cast<std::uint32_t>(value)), std::move(from)};
}
inline Computed real(double value, std::string from) {
    return FoundValue{OwnedValue(static_cast<float>(value)), std::move(from)};
}
inline Computed flag(bool value, std::string from) {
    return FoundValue{OwnedValue(BoolValue{static_cast<std::uint8_t>(value ? 1 : 0)}), std::move(from)};
}
inline Computed text(std::string_view value, std::string from = {}) {
    return FoundValue{OwnedValue::string(std::string(value)), std::move(from)};
}

} // namespace gufo::convert::computed
