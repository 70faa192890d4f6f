// Detects a shift of blocks in a file that was interrupted half-way. File systems move extents one after another, in as
// many transactions as it takes. A power cut or an error therefore leaves some extents in their old places and others
// moved, with a hole as long as the shift between them, and the file has the size of the longer of the two layouts.
// (ext4 moves a leaf of 340 extents at a time, fs/ext4/extents.c; XFS moves each extent by itself,
// fs/xfs/libxfs/xfs_bmap.c.)
//
// Removing that hole yields the shorter layout, regardless of the direction of the shift and of how often the removal
// itself is interrupted.
#pragma once

#include "formats/recover/journal.h"

#include <optional>
#include <span>

namespace gufo::saving {

// The start of the hole in a file of `size` bytes whose data lies in `written` (FileExtents), or nothing if the shift
// was not interrupted.
[[nodiscard]] std::optional<std::uint64_t> tornAt(const UndoEntry& entry, std::uint64_t size,
                                                  std::span<const ByteRange> written);

} // namespace gufo::saving
