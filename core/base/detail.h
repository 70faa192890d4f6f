// The details that arguments of errors, findings and decisions can be. Only sources that name a detail include this
// header, so that a new row of detail_codes.inc does not rebuild the others.
#pragma once

#include "base/argument.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gufo {

// GCC 12 takes an enumerator of this scoped enumeration for a shadow of a type of the same name.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

// Each code is a row of detail_codes.inc, which also has its words.
enum class Detail : std::uint16_t {
#define GUFO_DETAIL(code, name, args, words) code,
#include "base/detail_codes.inc"
#undef GUFO_DETAIL
};

#pragma GCC diagnostic pop

inline constexpr std::size_t kDetailCount = 0
#define GUFO_DETAIL(code, name, args, words) +1
#include "base/detail_codes.inc"
#undef GUFO_DETAIL
    ;

// The stable name of a detail, for tests and logs: "array_damaged".
[[nodiscard]] std::string_view detailName(Detail detail);

} // namespace gufo
