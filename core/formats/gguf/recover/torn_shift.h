// Blocks that were inserted into a file, or taken out, by half. File systems move extents one after another, over as
// many transactions as it takes: a power cut, or an error, then leaves some where they were and some moved, with a hole
// as long as the shift between them, and the size of the longer of the two layouts. (ext4 moves a leaf of 340 extents
// at a time, fs/ext4/extents.c; XFS each by itself, fs/xfs/libxfs/xfs_bmap.c.)
//
// Taking that hole out gives the shorter layout, whichever way the shift went, and however often that is torn itself.
#pragma once

#include "formats/gguf/recover/journal.h"

#include <optional>
#include <span>

namespace gufo::gguf {

// Where the hole begins, for a file of `size` with `written` on the disk (FileExtents); nothing: not torn.
[[nodiscard]] std::optional<std::uint64_t> tornAt(const UndoEntry& entry, std::uint64_t size,
                                                  std::span<const ByteRange> written);

} // namespace gufo::gguf
