// Divides an edited model among its files: what each shard is to hold.
#pragma once

#include "formats/gguf/write/file_content.h"

#include <memory>

namespace gufo::gguf {

// One file of the base and what becomes of it.
struct ShardContent {
    FileIndex file{};
    std::shared_ptr<const Model> base; // this shard by itself, as it is
    FileContent content;
    // Tensors whose bytes are not all there, or cannot be told, keep their offsets: the tensor data cannot be packed.
    bool frozen = false;
    bool hadReserved = false;           // the file has gufo.reserved, an array of bytes
    bool keepsReserved = false;         // and the edits left it
    std::uint64_t unreservedOffset = 0; // that it remembers; 0: none
};

// In shard order; shards whose file is missing are left out, which is an error if they would have to change. Errors:
// FileNotFound, NotSupported (what cannot be written so: see conversion.h), TensorIncomplete (where others move); those
// of reading a shard's header again.
[[nodiscard]] Result<std::vector<ShardContent>> contentsOf(const Model& base, const Model& edited,
                                                           const SaveTarget& target);

// The whole model as one file, or as one of several: the keys without "split.*" and reserved space, all tensors.
[[nodiscard]] Result<FileContent> joinedContent(const Model& edited, const SaveTarget& target);

// The alignment that a reader takes from these keys.
[[nodiscard]] std::uint32_t alignmentOf(std::span<const ContentKey> keys);
[[nodiscard]] ContentTensor contentTensor(const TensorInfo& tensor);

} // namespace gufo::gguf
