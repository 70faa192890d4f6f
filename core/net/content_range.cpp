#include "net/content_range.h"

#include "base/ascii.h"
#include "base/checked.h"

#include <charconv>

namespace gufo::net {
namespace {

// Removes a number and the character `behind` that follows it from the front of `text`; '\0' denotes the end.
std::optional<std::uint64_t> takeNumber(std::string_view& text, char behind) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::size_t used = static_cast<std::size_t>(end - text.data());
    const bool isEnd = used == text.size();
    if (error != std::errc() || used == 0 || (behind == '\0' ? !isEnd : isEnd || text[used] != behind)) {
        return std::nullopt;
    }
    text.remove_prefix(behind == '\0' ? used : used + 1);
    return value;
}

} // namespace

std::optional<ContentRange> parseContentRange(std::string_view value) {
    constexpr std::string_view kUnit = "bytes ";
    if (!equalIgnoringCase(value.substr(0, kUnit.size()), kUnit)) {
        return std::nullopt;
    }
    value.remove_prefix(kUnit.size());
    const auto first = takeNumber(value, '-');
    const auto last = first ? takeNumber(value, '/') : std::nullopt;
    if (!last || *last < *first) {
        return std::nullopt;
    }
    const auto length = checkedAdd(*last - *first, 1);
    if (!length) {
        return std::nullopt;
    }
    ContentRange parsed{.range = {.offset = *first, .length = *length}, .fileBytes = {}};
    if (value == "*") {
        return parsed;
    }
    parsed.fileBytes = takeNumber(value, '\0');
    return parsed.fileBytes && fits(parsed.range, *parsed.fileBytes) ? std::optional(parsed) : std::nullopt;
}

std::optional<std::uint64_t> parseContentLength(std::string_view value) { return takeNumber(value, '\0'); }

bool isStrongTag(std::string_view etag) { return etag.size() > 2 && etag.starts_with('"'); }

std::string rangeHeader(ByteRange range) {
    return "bytes=" + std::to_string(range.offset) + '-' + std::to_string(range.offset + range.length - 1);
}

} // namespace gufo::net
