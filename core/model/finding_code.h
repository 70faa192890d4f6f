// The codes of findings. Only sources that name a code include this header, so that a new row of finding_codes.inc does
// not rebuild the others.
#pragma once

#include "model/finding.h"

#include <cstddef>
#include <cstdint>

namespace gufo {

// Each code is a row of finding_codes.inc with its stable name, its severity and its words.
enum class FindingCode : std::uint8_t {
#define GUFO_FINDING(code, name, severity, args, title, message, hint) code,
#include "model/finding_codes.inc"
};

inline constexpr std::size_t kFindingCodeCount = 0
#define GUFO_FINDING(code, name, severity, args, title, message, hint) +1
#include "model/finding_codes.inc"
    ;

} // namespace gufo
