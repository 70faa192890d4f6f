// What one file is to hold: keys, tensors and where their bytes are, reserved space; and its header as bytes.
//
// Layout: specification "gguf.md" of ggml; header_reader.h reads it back.
#pragma once

#include "formats/gguf/save/save.h"

#include <optional>
#include <string_view>
#include <vector>

namespace gufo::gguf {

// The name and value of a key; views of the models that are saved.
struct ContentKey {
    std::string_view key;
    Value value;
};

struct ContentTensor {
    std::string_view name;
    std::uint32_t typeId = 0;
    Shape shape;
    std::uint64_t bytes = 0;  // those that a reader will expect
    std::uint64_t offset = 0; // from the start of the tensor data
    FileIndex source{};       // whose bytes
    std::uint64_t sourceOffset = 0;
};

class FileContent {
public:
    std::uint32_t version = 3;
    ValueLayout layout;
    std::uint32_t alignment = 32;
    std::vector<ContentKey> keys; // without the reserved space
    std::vector<ContentTensor> tensors;
    std::optional<std::size_t> reservedPosition; // among `keys`, of gufo.reserved; nothing: at the end

    // Gives tensors their packed offsets and counts what the header takes; to be called when all is filled in.
    void layOut();

    // Of the header, not padded, without reserved space.
    [[nodiscard]] std::uint64_t bareHeaderBytes() const { return m_bareBytes; }
    // Where the tensor data starts if the header has that many bytes: aligned, if there are tensors.
    [[nodiscard]] std::uint64_t dataOffset(std::uint64_t headerBytes) const;
    [[nodiscard]] std::uint64_t dataBytes() const { return m_dataBytes; } // of tensors, each padded

    // What gufo.reserved takes beside the bytes that it reserves.
    [[nodiscard]] std::uint64_t reservedOverhead() const;

    // The header, padded to the start of the tensor data, with `reserved` bytes of reserved space (none: without the
    // key), which remember `unreservedOffset` (0: nothing). Errors: InvalidArgument (an array that is damaged).
    [[nodiscard]] Result<std::vector<std::byte>> header(std::optional<std::uint64_t> reserved = {},
                                                        std::uint64_t unreservedOffset = 0) const;

private:
    std::uint64_t m_bareBytes = 0;
    std::uint64_t m_dataBytes = 0;
};

// Reserved space begins with kReservedMark and the offset at which the tensor data started before anything was
// reserved. It goes when the header is as long again without it, so that whoever takes his edits back gets the bytes
// back that he had.
inline constexpr std::uint64_t kReservedMarkBytes = 16;
[[nodiscard]] std::optional<std::uint64_t> unreservedOffsetIn(const ArrayView& reserved);

} // namespace gufo::gguf
