// The entries of a ZIP archive that are stored without compression, as ranges of the file. Nothing is extracted.
//
// The central directory is read here and not by a library, because libraries hide where in the file an entry is stored.
// Layout as in PKWARE's APPNOTE.TXT, with the extensions for large files (ZIP64).
#pragma once

#include "base/byte_source.h"
#include "model/name_index.h"

#include <string_view>
#include <vector>

namespace gufo {

class Archive {
public:
    // `bytes` must outlive the archive. Errors: Truncated (there is no central directory), LimitExceeded (entries),
    // Malformed (the directory is damaged, a name is absolute, has ".." or occurs twice).
    [[nodiscard]] static Result<Archive> read(Bytes bytes);

    [[nodiscard]] bool has(std::string_view name) const { return indexOf(name).has_value(); }
    // The range of an entry. Errors: Malformed (there is no such entry, it is compressed or encrypted, its two headers
    // disagree, it lies outside of the file).
    [[nodiscard]] Result<ByteRange> find(std::string_view name) const;
    // The same for names that are looked up in the order of the directory, as most are: `next` is the index of the
    // expected entry, and is set to the index after the entry that was found.
    [[nodiscard]] Result<ByteRange> findNext(std::string_view name, std::size_t& next) const;
    // The names of the entries that end with `suffix`, in the order of the directory.
    [[nodiscard]] std::vector<std::string_view> allWith(std::string_view suffix) const;

private:
    struct Entry {
        std::string_view name;    // in the directory
        std::uint64_t header = 0; // offset of the local header
        std::uint64_t stored = 0; // bytes
        std::uint64_t original = 0;
        std::uint16_t flags = 0;
        std::uint16_t method = 0;
    };

    [[nodiscard]] Result<ByteRange> rangeOf(const Entry& entry) const;
    Result<> readDirectory(std::uint64_t offset, std::uint64_t bytes, std::uint64_t count);

    [[nodiscard]] std::optional<std::uint32_t> indexOf(std::string_view name) const {
        return m_byName.find(name, [&](std::uint32_t i) { return m_entries[i].name; });
    }

    Bytes m_bytes;
    std::vector<Entry> m_entries; // in the order of the directory
    NameIndex m_byName;
};

// Whether the name of an entry could lead out of the folder to which an archive is extracted: it is empty or absolute,
// or has a drive, a backslash, a NUL or "..".
[[nodiscard]] bool isUnsafeEntryName(std::string_view name);

} // namespace gufo
