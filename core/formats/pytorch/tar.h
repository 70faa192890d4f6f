// The files of a tar archive as ranges of it. Nothing is extracted, and links are not followed.
//
// Layout: for each entry a header of 512 bytes and its content, padded to 512; a header of zeros ends the archive
// (POSIX pax; of its extended headers, "path" and "size" are read).
#pragma once

#include "base/byte_source.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gufo {

class Tar {
public:
    // `bytes` must outlive the archive. Errors: Malformed (a header is damaged, a name is absolute, has ".." or occurs
    // twice, an entry is longer than the archive), LimitExceeded (entries).
    [[nodiscard]] static Result<Tar> read(Bytes bytes);

    struct Entry {
        std::string name;
        std::uint64_t header = 0; // its offset
        ByteRange content;
        bool isFile = false;
        bool isExtension = false; // it describes the entry after it
    };
    // All entries in their order, extended headers too, up to the damage.
    struct Listing {
        std::vector<Entry> entries;
        std::optional<Error> damage; // an error that read() would return
    };
    [[nodiscard]] static Listing list(Bytes bytes);

    // The range of a file. Errors: Malformed (there is no such entry, or it is a link or a device).
    [[nodiscard]] Result<ByteRange> find(std::string_view name) const;

private:
    std::unordered_map<std::string, Entry> m_entries;
};

} // namespace gufo
