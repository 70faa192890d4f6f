// The journal of a save. It holds the bytes and sizes that are needed to undo the save or, if new files are to be
// renamed, the names that are needed to complete it. It is durable before the first byte of a file changes, and is
// deleted when the save is done.
//
//   "GUFOJRNL", u32 version, u32 kind, u64 length of the entries, the entries, u64 quickHash of everything before it
//
// Version 3 added the samples; journals of version 2, which an older program left, are read too. Version 4, which is
// only written for files that have no magic number, says how the beginning of a file is marked. All numbers are
// little-endian. Names refer to files in the journal's folder.
#pragma once

#include "base/byte_source.h"

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gufo::saving {

// The bytes at the very start of a file that are replaced while it is being changed, so that no reader takes it for a
// model.
enum class StartMark : std::uint8_t {
    Magic,  // a magic number of 4 bytes, which is the same in the old and the new file
    Length, // the length of a safetensors header, 8 bytes; 2^64 - 1 is more than any reader accepts
};
// The bytes that replace them, startBytes(mark) in number.
[[nodiscard]] Bytes unfinishedStart(StartMark mark);
[[nodiscard]] constexpr std::uint64_t startBytes(StartMark mark) { return mark == StartMark::Magic ? 4 : 8; }
inline constexpr std::uint64_t kLongestStart = 8;

struct SavedRange {
    std::uint64_t offset = 0;
    Bytes bytes;
};

// The quickHash of a short range that the save does not change. Samples tell whether a file with another inode is a
// copy of the one that the journal describes.
struct DataSample {
    std::uint64_t offset = 0; // in the old file
    std::uint64_t length = 0;
    std::uint64_t hash = 0;
};
inline constexpr std::size_t kMaxSamples = 8;
inline constexpr std::uint64_t kSampleBytes = 4096;

// Describes how to restore the old content of a file.
struct UndoEntry {
    std::string name;
    std::uint64_t inode = 0;
    std::uint64_t oldSize = 0;
    std::uint64_t newSize = 0;
    std::uint64_t oldDataOffset = 0;
    std::uint64_t newHeaderBytes = 0;
    std::uint64_t newHeaderHash = 0; // quickHash
    std::int64_t shift = 0;          // bytes inserted (> 0) or removed at shiftAt, in whole blocks
    std::uint64_t shiftAt = 0;
    // quickHash of the first 4 KiB (or less) of the tensor data. It shows whether the file is the one that the journal
    // describes, and whether the data has been shifted.
    std::uint64_t dataHash = 0;
    StartMark mark = StartMark::Magic;
    std::array<std::byte, kLongestStart> oldStart{}; // the first startBytes(mark) bytes of the old file
    std::array<std::byte, kLongestStart> newStart{}; // and of the new one
    // If the file is to be shifted: where the old file has data on the disk (FileExtents), in whole blocks up to its
    // end. File systems move one extent after another, and a power cut may leave the move half done (undo.h).
    std::vector<ByteRange> written;
    std::vector<SavedRange> ranges;  // the old bytes of ranges that are overwritten, except the start, at their old
                                     // offsets
    std::vector<DataSample> samples; // of the tensor data, or of the header if there are none; empty in journals
                                     // before version 3
};

// A complete file under a temporary name that replaces another file.
struct RenameEntry {
    std::string from;
    std::string to;
    std::uint64_t inode = 0; // inode of the new file
    std::uint64_t size = 0;
    std::vector<DataSample> samples; // of the new file; empty in journals before version 3
};

struct UndoJournal {
    std::vector<UndoEntry> files;
};
struct RenameJournal {
    std::vector<RenameEntry> files;
};
using Journal = std::variant<UndoJournal, RenameJournal>;

// Limits of saving in place. A save that would exceed one of them writes new files instead, so that a forged journal
// cannot make recovery use more memory than that. The largest known headers have 20 MB.
inline constexpr std::uint64_t kLargestJournal = std::uint64_t{256} << 20U;
inline constexpr std::uint64_t kLargestHeaderInPlace = std::uint64_t{64} << 20U; // for the old and the new header in
                                                                                 // UndoEntry

// The size of the part that gives the length of a journal. It is read before anything is allocated for the rest.
inline constexpr std::size_t kJournalHeadBytes = 24;
// The size of the whole journal, or nothing if `head` is not the beginning of a journal. May exceed
// kLargestJournal.
[[nodiscard]] std::optional<std::uint64_t> journalLength(Bytes head);

[[nodiscard]] std::vector<std::byte> encodeJournal(const Journal& journal);
// The ranges of the result view `bytes`. Errors: JournalDamaged (without arguments), also if a name is not a plain file
// name.
[[nodiscard]] Result<Journal> parseJournal(Bytes bytes);

} // namespace gufo::saving
