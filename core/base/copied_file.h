// Opens files that come in large numbers, such as shards and the files beside a model. Mapping and unmapping a small
// file takes several times as long as reading it, so small ones are copied into memory. Larger ones are mapped, and
// their first bytes, which contain the header, are copied.
//
// A copy keeps its bytes if another process truncates or changes the file, and never prevents saving in place.
#pragma once

#include "base/byte_source.h"

namespace gufo {

// Larger files are mapped.
inline constexpr std::uint64_t kMaxCopiedBytes = std::uint64_t{16} << 10U;
// What is copied of a larger file: the header of a shard with about 40 tensors.
inline constexpr std::uint64_t kCopiedHeadBytes = std::uint64_t{4} << 10U;

// What to do with a path whose last component is a symbolic link.
enum class Links { Follow, Refuse };

// Errors: the errors of MappedFile::open(); FileChangedWhileReading; InvalidArgument with Detail::LeadsOutside (a link
// that is to be refused).
[[nodiscard]] Result<std::shared_ptr<const ByteSource>> openCopiedOrMapped(const std::filesystem::path& path,
                                                                           Links links = Links::Follow);

} // namespace gufo
