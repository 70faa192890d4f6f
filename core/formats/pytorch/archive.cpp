#include "formats/pytorch/archive.h"

#include "base/byte_order.h"
#include "base/detail.h"

#include <algorithm>
#include <array>
#include <optional>

namespace gufo {
namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kCentralHeader = 0x02014b50;
constexpr std::uint32_t kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50;
constexpr std::uint32_t kEnd64Locator = 0x07064b50;
constexpr std::uint64_t kLocalBytes = 30;
constexpr std::uint64_t kCentralBytes = 46;
constexpr std::uint64_t kEndBytes = 22;
constexpr std::uint64_t kEnd64Bytes = 56;
constexpr std::uint64_t kLocatorBytes = 20;
constexpr std::uint64_t kLongestComment = 0xFFFF;
constexpr std::uint32_t kIn64 = 0xFFFFFFFF; // the value is in the extension
constexpr std::uint16_t kExtension64 = 1;
constexpr std::uint16_t kEncrypted = 1;
constexpr std::uint16_t kSizesFollow = 8; // the local header has no sizes
constexpr std::uint64_t kMaxEntries = 1'000'000;

template<Scalar T>
T at(Bytes bytes, std::uint64_t offset) {
    return load<T>(bytes.data() + offset);
}

std::string_view textAt(Bytes bytes, std::uint64_t offset, std::uint64_t length) {
    return {reinterpret_cast<const char*>(bytes.data() + offset), static_cast<std::size_t>(length)};
}

std::unexpected<Error> malformed(std::uint64_t offset, Argument why) {
    return fail(ErrorCode::Malformed, Place::atOffset(offset), {std::move(why)});
}

// Replaces values that did not fit 32 bits by the values of the extension. Returns false if it lacks one.
bool extend(Bytes extra, std::initializer_list<std::uint64_t*> values) {
    constexpr std::uint64_t kHead = 4;
    if (std::ranges::none_of(values, [](const std::uint64_t* value) { return *value == kIn64; })) {
        return true;
    }
    while (extra.size() >= kHead) {
        const std::uint64_t length = at<std::uint16_t>(extra, 2);
        if (length > extra.size() - kHead) {
            return false;
        }
        if (at<std::uint16_t>(extra, 0) == kExtension64) {
            Bytes fields = extra.subspan(kHead, length);
            for (std::uint64_t* value : values) {
                if (*value != kIn64) {
                    continue;
                }
                if (fields.size() < sizeof(std::uint64_t)) {
                    return false;
                }
                *value = at<std::uint64_t>(fields, 0);
                fields = fields.subspan(sizeof(std::uint64_t));
            }
            return true;
        }
        extra = extra.subspan(kHead + length);
    }
    return false;
}

std::optional<std::uint64_t> findEnd(Bytes bytes) {
    if (bytes.size() < kEndBytes) {
        return std::nullopt;
    }
    const std::uint64_t last = bytes.size() - kEndBytes;
    for (std::uint64_t back = 0; back <= std::min(last, kLongestComment); ++back) {
        if (at<std::uint32_t>(bytes, last - back) == kEnd && at<std::uint16_t>(bytes, last - back + 20) == back) {
            return last - back;
        }
    }
    return std::nullopt;
}

} // namespace

Result<Archive> Archive::read(Bytes bytes) {
    const auto end = findEnd(bytes);
    if (!end) {
        return fail(ErrorCode::Malformed, Place::atOffset(bytes.size()), {Detail::NoArchiveDirectory});
    }
    std::uint64_t count = at<std::uint16_t>(bytes, *end + 10);
    std::uint64_t size = at<std::uint32_t>(bytes, *end + 12);
    std::uint64_t offset = at<std::uint32_t>(bytes, *end + 16);
    if (*end >= kLocatorBytes && at<std::uint32_t>(bytes, *end - kLocatorBytes) == kEnd64Locator) {
        const auto end64 = at<std::uint64_t>(bytes, *end - kLocatorBytes + 8);
        if (!fits({end64, kEnd64Bytes}, bytes.size()) || at<std::uint32_t>(bytes, end64) != kEnd64) {
            return malformed(*end - kLocatorBytes, Detail::ArchiveDirectoryDamaged);
        }
        count = at<std::uint64_t>(bytes, end64 + 32);
        size = at<std::uint64_t>(bytes, end64 + 40);
        offset = at<std::uint64_t>(bytes, end64 + 48);
    }
    if (!fits({offset, size}, *end)) {
        return malformed(*end, Detail::ArchiveDirectoryDamaged);
    }
    Archive archive;
    archive.m_bytes = bytes;
    GUFO_TRY(archive.readDirectory(offset, size, count));
    return archive;
}

Result<> Archive::readDirectory(std::uint64_t offset, std::uint64_t size, std::uint64_t count) {
    if (count > kMaxEntries) {
        return fail(ErrorCode::LimitExceeded, Place::atOffset(offset), {Detail::Entries, count, kMaxEntries});
    }
    std::uint64_t position = offset;
    const std::uint64_t end = offset + size;
    m_entries.reserve(std::min(count, size / kCentralBytes));
    for (std::uint64_t i = 0; i < count; ++i) {
        if (end - position < kCentralBytes || at<std::uint32_t>(m_bytes, position) != kCentralHeader) {
            return malformed(position, Detail::ArchiveDirectoryDamaged);
        }
        const std::uint64_t nameBytes = at<std::uint16_t>(m_bytes, position + 28);
        const std::uint64_t extraBytes = at<std::uint16_t>(m_bytes, position + 30);
        const std::uint64_t whole = kCentralBytes + nameBytes + extraBytes + at<std::uint16_t>(m_bytes, position + 32);
        if (end - position < whole) {
            return malformed(position, Detail::ArchiveDirectoryDamaged);
        }
        const std::string_view name = textAt(m_bytes, position + kCentralBytes, nameBytes);
        Entry entry{.name = name,
                    .header = at<std::uint32_t>(m_bytes, position + 42),
                    .stored = at<std::uint32_t>(m_bytes, position + 20),
                    .original = at<std::uint32_t>(m_bytes, position + 24),
                    .flags = at<std::uint16_t>(m_bytes, position + 8),
                    .method = at<std::uint16_t>(m_bytes, position + 10)};
        if (!extend(m_bytes.subspan(position + kCentralBytes + nameBytes, extraBytes),
                    {&entry.original, &entry.stored, &entry.header})) {
            return malformed(position, Detail::ArchiveDirectoryDamaged);
        }
        if (isUnsafeEntryName(name)) {
            return malformed(position, Argument(Detail::EntryNameUnsafe, {name}));
        }
        const auto number = static_cast<std::uint32_t>(m_entries.size()); // at most kMaxEntries
        m_entries.push_back(entry);
        if (!m_byName.add(name, number, [&](std::uint32_t known) { return m_entries[known].name; })) {
            return malformed(position, Argument(Detail::EntryTwice, {name}));
        }
        position += whole;
    }
    return {};
}

Result<ByteRange> Archive::find(std::string_view name) const {
    std::size_t next = m_entries.size();
    return findNext(name, next);
}

Result<ByteRange> Archive::findNext(std::string_view name, std::size_t& next) const {
    if (next < m_entries.size() && m_entries[next].name == name) {
        return rangeOf(m_entries[next++]);
    }
    const auto found = indexOf(name);
    if (!found) {
        return malformed(0, Argument(Detail::EntryMissing, {name}));
    }
    next = *found + std::size_t{1};
    return rangeOf(m_entries[*found]);
}

Result<ByteRange> Archive::rangeOf(const Entry& entry) const {
    const std::string_view name = entry.name;
    if (entry.method != 0 || (entry.flags & kEncrypted) != 0 || entry.stored != entry.original) {
        return malformed(entry.header, Argument(Detail::EntryCompressed, {name}));
    }
    const auto differs = [&] { return malformed(entry.header, Argument(Detail::EntryHeadersDiffer, {name})); };
    if (!fits({entry.header, kLocalBytes}, m_bytes.size()) ||
        at<std::uint32_t>(m_bytes, entry.header) != kLocalHeader) {
        return differs();
    }
    const std::uint64_t nameBytes = at<std::uint16_t>(m_bytes, entry.header + 26);
    const std::uint64_t extraBytes = at<std::uint16_t>(m_bytes, entry.header + 28);
    const std::uint64_t data = entry.header + kLocalBytes + nameBytes + extraBytes;
    if (!fits({entry.header, kLocalBytes + nameBytes + extraBytes}, m_bytes.size()) ||
        textAt(m_bytes, entry.header + kLocalBytes, nameBytes) != name ||
        at<std::uint16_t>(m_bytes, entry.header + 8) != entry.method || !fits({data, entry.stored}, m_bytes.size())) {
        return differs();
    }
    std::uint64_t stored = at<std::uint32_t>(m_bytes, entry.header + 18);
    std::uint64_t original = at<std::uint32_t>(m_bytes, entry.header + 22);
    const bool sizesFollow = (at<std::uint16_t>(m_bytes, entry.header + 6) & kSizesFollow) != 0;
    const bool extended = extend(m_bytes.subspan(data - extraBytes, extraBytes), {&original, &stored}) || sizesFollow;
    const bool same = stored == entry.stored && original == entry.original;
    if (!extended || (!same && !(sizesFollow && (stored == 0 || stored == kIn64)))) {
        return differs();
    }
    return ByteRange{data, entry.stored};
}

std::vector<std::string_view> Archive::allWith(std::string_view suffix) const {
    std::vector<std::string_view> names;
    for (const Entry& entry : m_entries) {
        if (entry.name.ends_with(suffix)) {
            names.push_back(entry.name);
        }
    }
    return names;
}

// Names are so short that looking at each character once is faster than searching for several ones.
bool isUnsafeEntryName(std::string_view name) {
    if (name.empty() || name.front() == '/' || (name.size() > 1 && name[1] == ':')) {
        return true;
    }
    std::size_t begin = 0; // of the part between slashes
    for (std::size_t i = 0; i <= name.size(); ++i) {
        const char c = i < name.size() ? name[i] : '/';
        if (c == '\\' || c == '\0') {
            return true;
        }
        if (c == '/') {
            if (i - begin == 2 && name[begin] == '.' && name[begin + 1] == '.') {
                return true;
            }
            begin = i + 1;
        }
    }
    return false;
}

} // namespace gufo
