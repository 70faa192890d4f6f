// The header Content-Range (RFC 9110, section 14.4), which says which part of a file a reply is.
#pragma once

#include "base/byte_source.h"

#include <optional>
#include <string>
#include <string_view>

namespace gufo::net {

struct ContentRange {
    ByteRange range;
    std::optional<std::uint64_t> fileBytes; // empty if the server does not know the size ("*")
};

// Parses "bytes 0-99/1234". Nothing if it is malformed, empty, or beyond the size that it states.
[[nodiscard]] std::optional<ContentRange> parseContentRange(std::string_view value);

// The value of the header Range for a range that is not empty: "bytes=0-99".
[[nodiscard]] std::string rangeHeader(ByteRange range);

} // namespace gufo::net
