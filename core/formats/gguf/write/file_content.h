// The content of one file to be written: keys, tensors with the location of their bytes, and reserved space. It also
// encodes the header.
//
// Layout: specification "gguf.md" of ggml; header_reader.h reads it.
#pragma once

#include "formats/gguf/write/save.h"

#include <optional>
#include <string_view>
#include <vector>

namespace gufo::gguf {

// A key and its value. Both view the models that are saved.
struct ContentKey {
    std::string_view key;
    Value value;
};

struct ContentTensor {
    std::string_view name;
    std::uint32_t typeId = 0;
    Shape shape;
    std::uint64_t bytes = 0;  // the size that a reader will expect
    std::uint64_t offset = 0; // from the start of the tensor data
    FileIndex source{};       // the file that contains the bytes
    std::uint64_t sourceOffset = 0;
};

class FileContent {
public:
    std::uint32_t version = 3;
    ValueLayout layout;
    std::uint32_t alignment = 32;
    std::vector<ContentKey> keys; // without gufo.reserved
    std::vector<ContentTensor> tensors;
    std::optional<std::size_t> reservedPosition; // index of gufo.reserved among `keys`; no value: at the end

    // Assigns packed offsets to the tensors and computes the size of the header. Must be called after all members are
    // filled in.
    void layOut();

    // The size of the header without padding and without reserved space.
    [[nodiscard]] std::uint64_t bareHeaderBytes() const { return m_bareBytes; }
    // Where the tensor data starts if the header has that many bytes. The offset is aligned if there are tensors.
    [[nodiscard]] std::uint64_t dataOffset(std::uint64_t headerBytes) const;
    [[nodiscard]] std::uint64_t dataBytes() const { return m_dataBytes; } // total of all tensors, each padded

    // The bytes that the key gufo.reserved occupies in addition to the bytes that it reserves.
    [[nodiscard]] std::uint64_t reservedOverhead() const;

    // The header, padded to the start of the tensor data. It has `reserved` bytes of reserved space, which record
    // `unreservedOffset` (0: nothing), or no such key if `reserved` has no value. Errors: InvalidArgument (a damaged
    // array).
    [[nodiscard]] Result<std::vector<std::byte>> header(std::optional<std::uint64_t> reserved = {},
                                                        std::uint64_t unreservedOffset = 0) const;

private:
    std::uint64_t m_bareBytes = 0;
    std::uint64_t m_dataBytes = 0;
};

// Reserved space begins with kReservedMark and the offset at which the tensor data started before anything was
// reserved. It is dropped when the header without it has that size again, so that undoing all edits restores the
// original bytes of the file.
inline constexpr std::uint64_t kReservedMarkBytes = 16;
[[nodiscard]] std::optional<std::uint64_t> unreservedOffsetIn(const ArrayView& reserved);

} // namespace gufo::gguf
