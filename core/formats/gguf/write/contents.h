// Distributes an edited model over its files: what each shard will contain.
#pragma once

#include "formats/gguf/write/file_content.h"

#include <memory>

namespace gufo::gguf {

// One file of the base and its new content.
struct ShardContent {
    FileIndex file{};
    std::shared_ptr<const Model> base; // this shard alone, as it is in the file
    FileContent content;
    // Set if the bytes of a tensor are incomplete or of unknown size. All tensors then keep their offsets, and the
    // tensor data cannot be packed.
    bool frozen = false;
    bool hadReserved = false;           // the file has gufo.reserved, an array of bytes
    bool keepsReserved = false;         // and the edits did not remove it
    std::uint64_t unreservedOffset = 0; // the offset recorded in it; 0: none
};

// The contents in shard order. Shards whose file is missing are left out, which is an error if they would have to
// change. Errors: FileNotFound, NotSupported (a value that cannot be written in the target; see contents.cpp),
// TensorIncomplete (an incomplete tensor in a shard whose tensors move), the errors of reading a shard's header again.
[[nodiscard]] Result<std::vector<ShardContent>> contentsOf(const Model& base, const Model& edited,
                                                           const SaveTarget& target);

// The whole model as one file or as the source of a split: all tensors, and the keys without "split.*" and reserved
// space.
[[nodiscard]] Result<FileContent> joinedContent(const Model& edited, const SaveTarget& target);

// The alignment that a reader derives from these keys.
[[nodiscard]] std::uint32_t alignmentOf(std::span<const ContentKey> keys);
[[nodiscard]] ContentTensor contentTensor(const TensorInfo& tensor);

} // namespace gufo::gguf
