#include "formats/gguf/write/data_pieces.h"

#include <algorithm>

namespace gufo::gguf {
namespace {

using saving::DataPiece;

// Whether a tensor that follows a piece in their source also follows it in the new file, with only zeros between them.
bool continues(const DataPiece& piece, const ByteSource& source, std::uint64_t sourceOffset, std::uint64_t offset) {
    const std::uint64_t end = piece.range.offset + piece.range.length;
    if (piece.source.get() != &source || piece.swapped || piece.hash || sourceOffset < end ||
        sourceOffset - piece.range.offset != offset - piece.offset) {
        return false;
    }
    const auto between = source.view({end, sourceOffset - end});
    return between && std::ranges::all_of(*between, [](std::byte byte) { return byte == std::byte{0}; });
}

} // namespace

std::vector<DataPiece> piecesOf(const FileContent& content, const Model& model, std::uint64_t headerBytes) {
    std::vector<DataPiece> pieces;
    const bool swaps = content.layout.order != model.byteOrder;
    const auto openedFiles = std::span(model.files).first(model.shardCount());
    const auto useOf = [&](const ModelFile& file, FileIndex index) {
        if (index.value < openedFiles.size()) {
            return SourceUse::Own;
        }
        const bool earlier = std::ranges::find(openedFiles, file.path, &ModelFile::path) != openedFiles.end();
        return earlier ? SourceUse::Earlier : SourceUse::Imported;
    };
    for (const ContentTensor& tensor : content.tensors) {
        const ModelFile& file = model.files[tensor.source.value];
        const std::uint64_t offset = headerBytes + tensor.offset;
        if (tensor.bytes == 0) {
            continue;
        }
        const auto taken = file.importHashes.find(tensor.sourceOffset);
        const bool hashed = taken != file.importHashes.end();
        const TensorTypeInfo* type = findTensorType(tensor.typeId);
        const auto swapped = swaps && type != nullptr ? RowLayout::of(*type, tensor.shape[0]) : std::nullopt;
        if (!swapped && !hashed && !pieces.empty() &&
            continues(pieces.back(), *file.source, tensor.sourceOffset, offset)) {
            pieces.back().range.length = tensor.sourceOffset + tensor.bytes - pieces.back().range.offset;
            continue;
        }
        pieces.push_back({.source = file.source,
                          .range = {tensor.sourceOffset, tensor.bytes},
                          .offset = offset,
                          .swapped = swapped,
                          .use = useOf(file, tensor.source),
                          .hash = hashed ? std::optional(taken->second) : std::nullopt,
                          .tensor = tensor.name});
    }
    return pieces;
}

} // namespace gufo::gguf
