#include "formats/save/journal.h"

#include "base/byte_order.h"
#include "base/checked.h"
#include "base/quick_hash.h"
#include "model/encode_value.h"

#include <algorithm>
#include <array>
#include <limits>

namespace gufo::saving {
namespace {

constexpr std::string_view kMark = "GUFOJRNL";
constexpr std::uint32_t kVersionWithMarks = 4;
constexpr std::uint32_t kVersion = 3;
constexpr std::uint32_t kVersionWithoutSamples = 2;
constexpr std::size_t kHashBytes = 8;
constexpr auto kUnfinishedMagic = std::to_array({std::byte{'g'}, std::byte{'u'}, std::byte{'f'}, std::byte{'o'}});
constexpr auto kUnfinishedLength = [] {
    std::array<std::byte, sizeof(std::uint64_t)> bytes{};
    bytes.fill(std::byte{0xFF});
    return bytes;
}();
constexpr ValueLayout kLayout{}; // lengths of 64 bits

class Encoder {
public:
    explicit Encoder(std::uint32_t version)
        : m_version(version) {}
    void number(std::uint64_t value) { appendNumber(m_out, value, ByteOrder::Little); }
    void string(std::string_view text) { appendString(m_out, text, kLayout); }
    void bytes(Bytes bytes) { m_out.insert(m_out.end(), bytes.begin(), bytes.end()); }

    void samples(const std::vector<DataSample>& samples) {
        number(samples.size());
        for (const DataSample& sample : samples) {
            number(sample.offset);
            number(sample.length);
            number(sample.hash);
        }
    }
    void entry(const UndoEntry& file) {
        string(file.name);
        for (const std::uint64_t value :
             {file.inode, file.oldSize, file.newSize, file.oldDataOffset, file.newHeaderBytes, file.newHeaderHash,
              static_cast<std::uint64_t>(file.shift), file.shiftAt, file.dataHash}) {
            number(value);
        }
        const std::uint64_t start = startBytes(file.mark);
        if (m_version == kVersionWithMarks) {
            number(static_cast<std::uint64_t>(file.mark));
            bytes(std::span(file.newStart).first(start));
        }
        bytes(std::span(file.oldStart).first(start));
        number(file.written.size());
        for (const ByteRange& range : file.written) {
            number(range.offset);
            number(range.length);
        }
        number(file.ranges.size());
        for (const SavedRange& range : file.ranges) {
            number(range.offset);
            number(range.bytes.size());
            bytes(range.bytes);
        }
        samples(file.samples);
    }
    void entry(const RenameEntry& file) {
        string(file.from);
        string(file.to);
        number(file.inode);
        number(file.size);
        samples(file.samples);
    }
    [[nodiscard]] std::vector<std::byte> take() { return std::move(m_out); }

private:
    std::uint32_t m_version;
    std::vector<std::byte> m_out;
};

// Reads until something does not fit; from then on, everything it returns is zero and ok() is false.
class Decoder {
public:
    Decoder(Bytes bytes, std::uint32_t version)
        : m_rest(bytes)
        , m_version(version) {}

    [[nodiscard]] bool ok() const { return m_ok; }
    [[nodiscard]] bool atEnd() const { return m_rest.empty(); }
    void refuse() { m_ok = false; }
    std::uint64_t number() {
        const Bytes bytes = take(sizeof(std::uint64_t));
        return bytes.empty() ? 0 : load<std::uint64_t>(bytes.data());
    }
    Bytes take(std::uint64_t count) {
        m_ok = m_ok && count <= m_rest.size();
        if (!m_ok) {
            return {};
        }
        const Bytes taken = m_rest.first(count);
        m_rest = m_rest.subspan(count);
        return taken;
    }
    // Reads the name of a file in the same folder.
    std::string name() {
        const Bytes bytes = take(number());
        std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        const bool plain = !text.empty() && text != "." && text != ".." && text.find('/') == std::string::npos &&
                           text.find('\0') == std::string::npos;
        m_ok = m_ok && plain;
        return text;
    }

    // Reads how the start of a file is marked, and the start itself.
    void start(UndoEntry& file) {
        if (m_version == kVersionWithMarks) {
            const std::uint64_t mark = number();
            m_ok = m_ok && mark <= static_cast<std::uint64_t>(StartMark::Length);
            file.mark = m_ok ? static_cast<StartMark>(mark) : StartMark::Magic;
            std::ranges::copy(take(startBytes(file.mark)), file.newStart.begin());
        }
        std::ranges::copy(take(startBytes(file.mark)), file.oldStart.begin());
        if (m_version != kVersionWithMarks) {
            file.newStart = file.oldStart;
        }
        m_ok = m_ok && (file.mark == StartMark::Length || file.newStart == file.oldStart);
    }

    // Reads samples of the bytes between two offsets.
    std::vector<DataSample> samples(std::uint64_t begin, std::uint64_t end) {
        std::vector<DataSample> samples;
        const std::uint64_t count = m_version != kVersionWithoutSamples ? number() : 0;
        m_ok = m_ok && count <= kMaxSamples;
        for (std::uint64_t i = 0; i < count && m_ok; ++i) {
            DataSample& sample = samples.emplace_back();
            for (std::uint64_t* value : {&sample.offset, &sample.length, &sample.hash}) {
                *value = number();
            }
            m_ok = m_ok && sample.length <= kSampleBytes && sample.offset >= begin &&
                   fits({sample.offset, sample.length}, end);
        }
        return samples;
    }

private:
    Bytes m_rest;
    std::uint32_t m_version;
    bool m_ok = true;
};

// Whether everything that undoing computes from the entry stays in range and inside the file.
bool isSound(const UndoEntry& file) {
    constexpr auto kMaxOffset = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const std::uint64_t by =
        file.shift < 0 ? 0 - static_cast<std::uint64_t>(file.shift) : static_cast<std::uint64_t>(file.shift);
    if (file.oldSize > kMaxOffset || file.newSize > kMaxOffset || by > kMaxOffset ||
        file.oldDataOffset > file.oldSize || file.newHeaderBytes > file.newSize ||
        file.newHeaderBytes < startBytes(file.mark) || file.shiftAt > file.oldDataOffset ||
        file.newHeaderBytes > kLargestHeaderInPlace) {
        return false;
    }
    if (file.shift != 0 && file.newSize != file.oldSize + static_cast<std::uint64_t>(file.shift)) {
        return false;
    }
    if (file.shift < 0 && (by > file.oldDataOffset || file.shiftAt > file.oldDataOffset - by)) {
        return false;
    }
    std::uint64_t end = 0; // end of the previous range
    for (const ByteRange& range : file.written) {
        if (range.offset < end || range.length == 0 || !fits(range, kMaxOffset)) {
            return false;
        }
        end = range.offset + range.length;
    }
    return std::ranges::all_of(file.ranges, [&](const SavedRange& range) {
        return range.offset >= startBytes(file.mark) && fits({range.offset, range.bytes.size()}, file.oldSize);
    });
}

UndoEntry undoEntry(Decoder& in) {
    UndoEntry file;
    file.name = in.name();
    for (std::uint64_t* value :
         {&file.inode, &file.oldSize, &file.newSize, &file.oldDataOffset, &file.newHeaderBytes, &file.newHeaderHash}) {
        *value = in.number();
    }
    file.shift = static_cast<std::int64_t>(in.number());
    for (std::uint64_t* value : {&file.shiftAt, &file.dataHash}) {
        *value = in.number();
    }
    in.start(file);
    const std::uint64_t written = in.number();
    for (std::uint64_t i = 0; i < written && in.ok(); ++i) {
        const std::uint64_t offset = in.number();
        file.written.push_back({offset, in.number()});
    }
    const std::uint64_t ranges = in.number();
    for (std::uint64_t i = 0; i < ranges && in.ok(); ++i) {
        const std::uint64_t offset = in.number();
        file.ranges.push_back({offset, in.take(in.number())});
    }
    if (in.ok() && !isSound(file)) {
        in.refuse();
    }
    // In a file that is not shifted, the header's samples stay where they are.
    const std::uint64_t begin = file.shift == 0 ? startBytes(file.mark) : file.oldDataOffset;
    file.samples = in.samples(begin, std::min(file.oldSize, file.newSize - static_cast<std::uint64_t>(file.shift)));
    return file;
}

RenameEntry renameEntry(Decoder& in) {
    RenameEntry file;
    file.from = in.name();
    file.to = in.name();
    file.inode = in.number();
    file.size = in.number();
    file.samples = in.samples(0, file.size);
    return file;
}

bool hasLengthMark(const UndoEntry& file) { return file.mark == StartMark::Length; }

template<typename Entry, typename Read>
std::vector<Entry> entries(Decoder& in, Read read) {
    std::vector<Entry> files;
    const std::uint64_t count = in.number();
    for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
        files.push_back(read(in));
    }
    return files;
}

} // namespace

Bytes unfinishedStart(StartMark mark) {
    return mark == StartMark::Magic ? Bytes(kUnfinishedMagic) : Bytes(kUnfinishedLength);
}

std::vector<std::byte> encodeJournal(const Journal& journal) {
    const auto* undo = std::get_if<UndoJournal>(&journal);
    const bool marks = undo != nullptr && std::ranges::any_of(undo->files, hasLengthMark);
    const std::uint32_t version = marks ? kVersionWithMarks : kVersion;
    Encoder body(version);
    std::visit(
        [&](const auto& list) {
            body.number(list.files.size());
            for (const auto& file : list.files) {
                body.entry(file);
            }
        },
        journal);
    const std::vector<std::byte> entries = body.take();
    std::vector<std::byte> out;
    out.reserve(kJournalHeadBytes + entries.size() + kHashBytes);
    appendBytes(out, kMark);
    appendNumber(out, version, ByteOrder::Little);
    appendNumber(out, static_cast<std::uint32_t>(journal.index()), ByteOrder::Little);
    appendNumber(out, std::uint64_t{entries.size()}, ByteOrder::Little);
    out.insert(out.end(), entries.begin(), entries.end());
    appendNumber(out, quickHash(out), ByteOrder::Little);
    return out;
}

namespace {

std::uint32_t versionOf(Bytes head) { return load<std::uint32_t>(head.data() + kMark.size()); }

} // namespace

std::optional<std::uint64_t> journalLength(Bytes head) {
    if (head.size() < kJournalHeadBytes ||
        !std::ranges::equal(head.first(kMark.size()), std::as_bytes(std::span(kMark))) ||
        versionOf(head) < kVersionWithoutSamples || versionOf(head) > kVersionWithMarks) {
        return std::nullopt;
    }
    return checkedAdd(load<std::uint64_t>(head.data() + kMark.size() + 8), kJournalHeadBytes + kHashBytes);
}

Result<Journal> parseJournal(Bytes bytes) {
    const auto damaged = [] { return fail(ErrorCode::JournalDamaged); };
    if (journalLength(bytes) != bytes.size()) {
        return damaged();
    }
    const Bytes hashed = bytes.first(bytes.size() - kHashBytes);
    if (load<std::uint64_t>(bytes.data() + hashed.size()) != quickHash(hashed)) {
        return damaged();
    }
    const auto kind = load<std::uint32_t>(bytes.data() + kMark.size() + 4);
    Decoder in(hashed.subspan(kJournalHeadBytes), versionOf(bytes));
    Journal journal;
    if (kind == 0) {
        UndoJournal undo{entries<UndoEntry>(in, undoEntry)};
        if (versionOf(bytes) == kVersionWithMarks && std::ranges::none_of(undo.files, hasLengthMark)) {
            return damaged(); // no program writes this version without need
        }
        journal = std::move(undo);
    } else if (kind == 1 && versionOf(bytes) != kVersionWithMarks) {
        journal = RenameJournal{entries<RenameEntry>(in, renameEntry)};
    } else {
        return damaged();
    }
    return in.ok() && in.atEnd() ? Result<Journal>(std::move(journal)) : damaged();
}

} // namespace gufo::saving
