// The journal of a save: what is needed to undo it, or, for new files that are to be renamed, to complete it. It is
// durable before the first byte of a file changes, and goes when the save is done.
//
//   "GUFOJRNL", version u32, kind u32, length of what follows u64, the entries, quickHash of all before u64
//
// Little-endian. Names are of files in the journal's folder.
#pragma once

#include "base/byte_source.h"

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gufo::gguf {

// The first bytes of a file that is being changed: no reader takes it for a model.
inline constexpr std::array<std::byte, 4> kUnfinishedMagic{std::byte{'g'}, std::byte{'u'}, std::byte{'f'},
                                                           std::byte{'o'}};

struct SavedRange {
    std::uint64_t offset = 0;
    Bytes bytes;
};

// How to give a file its old content back.
struct UndoEntry {
    std::string name;
    std::uint64_t inode = 0;
    std::uint64_t oldSize = 0;
    std::uint64_t newSize = 0;
    std::uint64_t oldDataOffset = 0;
    std::uint64_t newHeaderBytes = 0;
    std::uint64_t newHeaderHash = 0; // quickHash
    std::int64_t shift = 0;          // blocks inserted (> 0) or taken out at shiftAt
    std::uint64_t shiftAt = 0;
    // quickHash of 4 KiB (or less) at the start of the tensor data: whether the file is the one that the journal is
    // about, and whether it was shifted.
    std::uint64_t dataHash = 0;
    std::array<std::byte, 4> magic{};
    // Where the old file has data on the disk (FileExtents), in whole blocks up to its end, if it is to be shifted:
    // file systems move extent by extent, and a power cut may leave it in the middle of that (torn_shift.h).
    std::vector<ByteRange> written;
    std::vector<SavedRange> ranges; // old bytes of what is written over, by old offsets; not the magic
};

// A file that is whole under another name and takes its place.
struct RenameEntry {
    std::string from;
    std::string to;
    std::uint64_t inode = 0; // of the new file
    std::uint64_t size = 0;
};

struct UndoJournal {
    std::vector<UndoEntry> files;
};
struct RenameJournal {
    std::vector<RenameEntry> files;
};
using Journal = std::variant<UndoJournal, RenameJournal>;

// Saves that would pass one of these write new files instead, so that what a forged journal says cannot make recovery
// take more memory than that. The largest headers known are of 20 MB.
inline constexpr std::uint64_t kLargestJournal = std::uint64_t{256} << 20U;
inline constexpr std::uint64_t kLargestHeaderInPlace = std::uint64_t{64} << 20U; // of UndoEntry, new or old

// What tells how long a journal is, read before anything is allocated for the rest of it.
inline constexpr std::size_t kJournalHeadBytes = 24;
// Bytes of the whole journal; nothing if no journal of this version begins like that. May exceed kLargestJournal.
[[nodiscard]] std::optional<std::uint64_t> journalLength(Bytes head);

[[nodiscard]] std::vector<std::byte> encodeJournal(const Journal& journal);
// Ranges view the bytes. Errors: JournalDamaged (without arguments), also where a name is none of a plain file.
[[nodiscard]] Result<Journal> parseJournal(Bytes bytes);

} // namespace gufo::gguf
