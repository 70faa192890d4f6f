#include "formats/pytorch/tar.h"

#include "base/checked.h"
#include "base/detail.h"
#include "formats/pytorch/archive.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace gufo {
namespace {

constexpr std::uint64_t kBlock = 512;
constexpr std::uint64_t kMaxEntries = 100'000;
constexpr std::uint64_t kMaxExtension = 1U << 20U; // bytes of an extended header
constexpr ByteRange kName{0, 100};
constexpr ByteRange kSize{124, 12};
constexpr ByteRange kChecksum{148, 8};
constexpr std::size_t kType = 156;
constexpr ByteRange kPrefix{345, 155};

std::unexpected<Error> malformed(std::uint64_t offset, Argument why) {
    return fail(ErrorCode::Malformed, Place::atOffset(offset), {std::move(why)});
}

std::string_view field(Bytes header, ByteRange range) {
    const std::string_view text(reinterpret_cast<const char*>(header.data() + range.offset), range.length);
    return text.substr(0, text.find('\0'));
}

// Octal digits between spaces, or a big-endian number if the first bit is set (GNU).
std::optional<std::uint64_t> number(Bytes header, ByteRange range) {
    const Bytes bytes = header.subspan(range.offset, range.length);
    constexpr std::byte kBinary{0x80};
    if ((bytes[0] & kBinary) != std::byte{0}) {
        std::uint64_t value = std::to_integer<std::uint64_t>(bytes[0] & ~kBinary);
        for (const std::byte byte : bytes.subspan(1)) {
            if (value >> 56U != 0) {
                return std::nullopt;
            }
            value = value << 8U | std::to_integer<std::uint64_t>(byte);
        }
        return value;
    }
    std::string_view digits = field(header, range);
    digits.remove_prefix(std::min(digits.find_first_not_of(' '), digits.size()));
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 8);
    const std::string_view rest(end, static_cast<std::size_t>(digits.data() + digits.size() - end));
    return error == std::errc() && rest.find_first_not_of(' ') == rest.npos ? std::optional(value) : std::nullopt;
}

bool checksumFits(Bytes header) {
    std::uint64_t sum = kChecksum.length * ' ';
    for (std::size_t i = 0; i < header.size(); ++i) {
        const bool counted = i < kChecksum.offset || i >= kChecksum.offset + kChecksum.length;
        sum += counted ? std::to_integer<std::uint64_t>(header[i]) : 0;
    }
    return number(header, kChecksum) == sum;
}

// The path and size that the extended header before an entry states.
struct Extension {
    std::optional<std::string> path;
    std::optional<std::uint64_t> size;
};

// Records "LENGTH KEY=VALUE\n", whose length counts the whole record. Returns false if one is not like that.
bool readExtension(std::string_view text, Extension& extension) {
    while (!text.empty()) {
        std::size_t length = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
        const auto digits = static_cast<std::size_t>(end - text.data());
        if (error != std::errc() || length > text.size() || length < digits + 2 || *end != ' ' ||
            text[length - 1] != '\n') {
            return false;
        }
        const std::string_view record = text.substr(digits + 1, length - digits - 2);
        const std::string_view key = record.substr(0, record.find('='));
        const std::string_view value = record.substr(std::min(key.size() + 1, record.size()));
        if (key == "path") {
            extension.path = std::string(value);
        } else if (key == "size") {
            std::uint64_t size = 0;
            const auto [stop, wrong] = std::from_chars(value.data(), value.data() + value.size(), size);
            if (wrong != std::errc() || stop != value.data() + value.size()) {
                return false;
            }
            extension.size = size;
        }
        text.remove_prefix(length);
    }
    return true;
}

} // namespace

Result<Tar> Tar::read(Bytes bytes) {
    Listing listing = list(bytes);
    if (listing.damage) {
        return std::unexpected(*std::move(listing.damage));
    }
    Tar tar;
    for (Entry& entry : listing.entries) {
        if (entry.isExtension) {
            continue;
        }
        const std::uint64_t header = entry.header;
        const std::string name = entry.name;
        if (!tar.m_entries.emplace(name, std::move(entry)).second) {
            return malformed(header, Argument(Detail::EntryTwice, {name}));
        }
    }
    return tar;
}

Tar::Listing Tar::list(Bytes bytes) {
    Listing listing;
    Extension extension;
    std::uint64_t position = 0;
    const auto damaged = [&](Argument why) {
        listing.damage = malformed(position, std::move(why)).error();
        return std::move(listing);
    };
    while (fits({position, kBlock}, bytes.size())) {
        const Bytes header = bytes.subspan(position, kBlock);
        if (std::ranges::all_of(header, [](std::byte byte) { return byte == std::byte{0}; })) {
            return listing;
        }
        const auto stated = number(header, kSize);
        if (!stated || !checksumFits(header)) {
            return damaged(Detail::EntryHeaderDamaged);
        }
        const auto type = std::to_integer<char>(header[kType]);
        const bool isGlobal = type == 'g';
        const bool describesNext = type == 'x' || isGlobal;
        std::string name(field(header, kName));
        if (const std::string_view prefix = field(header, kPrefix); !prefix.empty() && !describesNext) {
            name = std::string(prefix) + '/' + name;
        }
        if (!describesNext && extension.path) {
            name = *extension.path;
        }
        const std::uint64_t size = describesNext ? *stated : extension.size.value_or(*stated);
        const ByteRange content{position + kBlock, size};
        if (!fits(content, bytes.size())) {
            return damaged(Argument(Detail::EntryTooLong, {name, size, bytes.size() - content.offset}));
        }
        if (describesNext) {
            const std::string_view text(reinterpret_cast<const char*>(bytes.data() + content.offset), size);
            Extension read;
            if (size > kMaxExtension || !readExtension(text, read)) {
                return damaged(Detail::EntryHeaderDamaged);
            }
            extension = isGlobal ? extension : read; // a global path or size makes no sense
        } else {
            extension = {};
            if (isUnsafeEntryName(name)) {
                return damaged(Argument(Detail::EntryNameUnsafe, {name}));
            }
        }
        if (listing.entries.size() == kMaxEntries) {
            listing.damage = fail(ErrorCode::LimitExceeded, Place::atOffset(position),
                                  {Detail::Entries, kMaxEntries + 1, kMaxEntries})
                                 .error();
            return listing;
        }
        const bool isFile = type == '0' || type == '\0' || type == '7';
        listing.entries.push_back({std::move(name), position, content, isFile, describesNext});
        const auto next = checkedAlign(content.offset + size, kBlock);
        if (!next) {
            break;
        }
        position = *next;
    }
    return listing; // the end is often missing, and nothing follows it
}

Result<ByteRange> Tar::find(std::string_view name) const {
    const auto found = m_entries.find(std::string(name));
    if (found == m_entries.end()) {
        return malformed(0, Argument(Detail::EntryMissing, {name}));
    }
    if (!found->second.isFile) {
        return malformed(found->second.header, Argument(Detail::EntryNotFile, {name}));
    }
    return found->second.content;
}

} // namespace gufo
