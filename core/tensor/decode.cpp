#include "tensor/decode.h"

#include "base/checked.h"
#include "tensor/block_layout.h"
#include "tensor/kernels/kernels.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace gufo {
namespace {

std::unexpected<Error> notDecodable(std::uint32_t typeId) {
    const TensorTypeInfo* info = findTensorType(typeId);
    return fail(ErrorCode::NotDecodable, {}, {info != nullptr ? std::string(info->name) : std::to_string(typeId)});
}

// A decodable type, or null.
const TensorTypeInfo* decodableType(std::uint32_t typeId) {
    return isDecodable(typeId) ? findTensorType(typeId) : nullptr;
}

bool sizesAgree(const TensorTypeInfo& type, std::size_t bytes, std::uint64_t weights) {
    return weights % type.blockSize == 0 && bytes % type.blockBytes == 0 &&
           weights / type.blockSize == bytes / type.blockBytes;
}

void swapField(const std::byte* in, std::byte* out, std::size_t bytes, std::size_t fieldSize) {
    for (std::size_t at = 0; at < bytes; at += fieldSize) {
        std::reverse_copy(in + at, in + at + fieldSize, out + at);
    }
}

void swapBlocks(const TensorTypeInfo& type, const std::byte* in, std::size_t bytes, std::byte* out) {
    const BlockLayout* layout = findBlockLayout(type.id);
    if (layout == nullptr) {
        swapField(in, out, bytes, type.blockBytes);
        return;
    }
    for (std::size_t block = 0; block < bytes; block += type.blockBytes) {
        for (const BlockField& field : layout->fields) {
            swapField(in + block + field.offset, out + block + field.offset, field.bytes, field.fieldSize);
        }
    }
}

// Calls use(little-endian bytes, blocks) on pieces of at most a few kilobytes, swapped where needed.
template<typename Use>
void forEachLittleEndianPiece(const TensorTypeInfo& type, Bytes blocks, ByteOrder order, Use use) {
    if (blocks.empty()) {
        return;
    }
    if (order == ByteOrder::Little) {
        use(blocks.data(), blocks.size() / type.blockBytes);
        return;
    }
    std::array<std::byte, 4096> swapped;
    const std::size_t piece = swapped.size() / type.blockBytes * type.blockBytes;
    for (std::size_t at = 0; at < blocks.size(); at += piece) {
        const std::size_t bytes = std::min(piece, blocks.size() - at);
        swapBlocks(type, blocks.data() + at, bytes, swapped.data());
        use(swapped.data(), bytes / type.blockBytes);
    }
}

Result<> decodeWith(const Kernels& kernels, std::uint32_t typeId, Bytes blocks, std::span<float> out, ByteOrder order) {
    const TensorTypeInfo* type = decodableType(typeId);
    if (type == nullptr) {
        return notDecodable(typeId);
    }
    if (!sizesAgree(*type, blocks.size(), out.size())) {
        return fail(ErrorCode::InvalidArgument, {}, {"blocks"});
    }
    const Kernels::Decode decodeBlocks = kernels.decode[typeId];
    float* to = out.data();
    forEachLittleEndianPiece(*type, blocks, order, [&](const std::byte* from, std::size_t count) {
        decodeBlocks(from, count, to);
        to += count * type->blockSize;
    });
    return {};
}

} // namespace

bool isDecodable(std::uint32_t typeId) {
    const auto& decoders = scalar::kernels().decode;
    return typeId < decoders.size() && decoders[typeId] != nullptr;
}

bool needsDouble(std::uint32_t typeId) {
    return typeId == static_cast<std::uint32_t>(TensorType::F64) ||
           typeId == static_cast<std::uint32_t>(TensorType::I32) ||
           typeId == static_cast<std::uint32_t>(TensorType::I64);
}

Result<> decode(std::uint32_t typeId, Bytes blocks, std::span<float> out, ByteOrder order) {
    return decodeWith(activeKernels(), typeId, blocks, out, order);
}

Result<> decode(Isa isa, std::uint32_t typeId, Bytes blocks, std::span<float> out, ByteOrder order) {
    return decodeWith(kernelsFor(isa), typeId, blocks, out, order);
}

Result<> decode64(std::uint32_t typeId, Bytes blocks, std::span<double> out, ByteOrder order) {
    const TensorTypeInfo* type = decodableType(typeId);
    if (type == nullptr) {
        return notDecodable(typeId);
    }
    if (!sizesAgree(*type, blocks.size(), out.size())) {
        return fail(ErrorCode::InvalidArgument, {}, {"blocks"});
    }
    const auto numbers = [&]<typename T>() {
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = static_cast<double>(load<T>(blocks.data() + i * sizeof(T), order));
        }
    };
    switch (static_cast<TensorType>(typeId)) {
    case TensorType::F64:
        numbers.operator()<double>();
        return {};
    case TensorType::I32:
        numbers.operator()<std::int32_t>();
        return {};
    case TensorType::I64:
        numbers.operator()<std::int64_t>();
        return {};
    default:
        break;
    }
    std::array<float, 4 * kMaxBlockSize> values;
    double* to = out.data();
    forEachLittleEndianPiece(*type, blocks, order, [&](const std::byte* from, std::size_t count) {
        const std::size_t piece = values.size() / type->blockSize;
        for (std::size_t block = 0; block < count; block += piece) {
            const std::size_t n = std::min(piece, count - block);
            activeKernels().decode[typeId](from + block * type->blockBytes, n, values.data());
            to = std::copy_n(values.data(), n * type->blockSize, to);
        }
    });
    return {};
}

Result<> decodeRange(std::uint32_t typeId, Bytes tensor, std::uint64_t first, std::span<float> out, ByteOrder order) {
    const TensorTypeInfo* type = decodableType(typeId);
    if (type == nullptr) {
        return notDecodable(typeId);
    }
    const std::uint64_t weights = tensor.size() / type->blockBytes * std::uint64_t{type->blockSize};
    if (!fits({first, out.size()}, weights)) {
        return fail(ErrorCode::RangeOutsideFile, {},
                    {std::to_string(first), std::to_string(out.size()), std::to_string(weights)});
    }
    std::array<float, kMaxBlockSize> block;
    const std::uint64_t blockSize = type->blockSize;
    while (!out.empty()) {
        const std::uint64_t skip = first % blockSize;
        const Bytes rest = tensor.subspan(first / blockSize * type->blockBytes);
        std::size_t taken = 0;
        if (skip == 0 && out.size() >= blockSize) {
            const std::size_t blocks = out.size() / blockSize;
            taken = blocks * blockSize;
            if (auto done = decode(typeId, rest.first(blocks * type->blockBytes), out.first(taken), order); !done) {
                return done;
            }
        } else {
            taken = std::min<std::size_t>(out.size(), blockSize - skip);
            if (auto done = decode(typeId, rest.first(type->blockBytes), std::span(block).first(blockSize), order);
                !done) {
                return done;
            }
            std::copy_n(block.data() + skip, taken, out.data());
        }
        first += taken;
        out = out.subspan(taken);
    }
    return {};
}

Result<> swapByteOrder(std::uint32_t typeId, Bytes in, std::span<std::byte> out) {
    const TensorTypeInfo* type = decodableType(typeId);
    if (type == nullptr) {
        return notDecodable(typeId);
    }
    if (in.size() != out.size() || in.size() % type->blockBytes != 0) {
        return fail(ErrorCode::InvalidArgument, {}, {"blocks"});
    }
    swapBlocks(*type, in.data(), in.size(), out.data());
    return {};
}

} // namespace gufo
