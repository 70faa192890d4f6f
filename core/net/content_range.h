// The HTTP headers that describe ranges, lengths and versions of files (RFC 9110, sections 8.6, 8.8, 14.2 and 14.4).
// All functions are pure and thread-safe.
#pragma once

#include "base/byte_source.h"

#include <optional>
#include <string>
#include <string_view>

namespace gufo::net {

// The value of Content-Range: which part of a file a reply contains.
struct ContentRange {
    ByteRange range;
    std::optional<std::uint64_t> fileBytes; // size of the file; nothing if the server does not know it ("*")
};

// Parses "bytes 0-99/1234". Returns nothing if the value is malformed, or if its range is empty or exceeds the size
// that it states.
[[nodiscard]] std::optional<ContentRange> parseContentRange(std::string_view value);

// Parses the value of Content-Length. Returns nothing if it is not a number of 64 bits.
[[nodiscard]] std::optional<std::uint64_t> parseContentLength(std::string_view value);

// Whether an ETag promises that files with it are equal byte for byte. A weak one (W/"…") does not.
[[nodiscard]] bool isStrongTag(std::string_view etag);

// The value of the header Range for a range that is not empty: "bytes=0-99".
[[nodiscard]] std::string rangeHeader(ByteRange range);

} // namespace gufo::net
