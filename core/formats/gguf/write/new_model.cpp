#include "formats/gguf/write/new_model.h"

#include "base/checked.h"
#include "base/detail.h"
#include "formats/gguf/read/shards.h"
#include "formats/gguf/write/contents.h"
#include "formats/save/execute.h"
#include "model/finding_code.h"
#include "model/set_fault.h"

#include <algorithm>
#include <cerrno>

namespace gufo::gguf {
namespace {

using Path = std::filesystem::path;
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

// Reads the unedited model again from the sources that `edited` has open.
Result<std::shared_ptr<const Model>> modelInFiles(const Model& edited) {
    const auto opener = [&](const Path& path, Links) -> Result<std::shared_ptr<const ByteSource>> {
        const auto found = std::ranges::find(edited.files, path, &ModelFile::path);
        if (found == edited.files.end() || found->source == nullptr) {
            return std::unexpected(Error{ErrorCode::FileNotFound, path, {}, {}, 0});
        }
        return found->source;
    };
    return open(edited.files[edited.openedFile.value].source, {}, opener);
}

// The bytes after the last tensor of the unedited file. Those of a tensor that an edit removed are not among them.
ByteRange tailOf(const ModelFile& file, const Model& edited) {
    const auto found = std::ranges::find(edited.findings, FindingCode::TrailingBytes, &Finding::code);
    const std::uint64_t size = file.source->size();
    const std::uint64_t offset = found != edited.findings.end() ? found->place.offset.value_or(size) : size;
    return offset < size ? ByteRange{offset, size - offset} : ByteRange{};
}

} // namespace

Result<std::vector<NewContent>> contentsForSaveAs(const Model& edited, const SaveTarget& target, const Path& path,
                                                  FileOperations& operations) {
    GUFO_TRY(checkSet(edited));
    const Path resolved = saving::resolveNew(operations, path);
    const auto name = parseShardName(path.filename());
    const bool asSet = edited.shardCount() > 1 && name && name->count == edited.shardCount() && name->number == 1;
    std::vector<NewContent> contents;
    if (!asSet) {
        auto content = GUFO_TRY(joinedContent(edited, target));
        contents.push_back({resolved, std::move(content)});
        const ModelFile& file = edited.files[0];
        if (edited.shardCount() == 1 && file.source != nullptr && !target.dropTrailingBytes) {
            contents[0].tail = tailOf(file, edited);
            contents[0].tailSource = file.source;
        }
        return contents;
    }
    const auto base = GUFO_TRY(modelInFiles(edited));
    auto shards = GUFO_TRY(contentsOf(*base, edited, target));
    for (ShardContent& shard : shards) {
        ShardName shardName = *name;
        shardName.number = shard.file.value + 1;
        contents.push_back({resolved.parent_path() / shardFileName(shardName), std::move(shard.content)});
    }
    return contents;
}

Result<SaveReport> writeContents(const Model& edited, const SaveTarget& target, std::span<const NewContent> contents,
                                 const SaveOptions& options, const JobContext& job) {
    std::vector<saving::NewFile> files;
    for (const NewContent& content : contents) {
        auto header = content.content.header();
        if (!header) {
            return std::unexpected(std::move(header).error().in(edited.path()));
        }
        const auto data = checkedAdd(content.content.dataBytes(), content.tail.length);
        const auto size = data ? checkedAdd(*data, header->size()) : std::nullopt;
        if (!size || *size > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
            return std::unexpected(Error{ErrorCode::InvalidArgument, content.path, {}, {Detail::FileTooLarge}, 0});
        }
        saving::NewFile file;
        file.path = content.path;
        file.pieces = piecesOf(content.content, edited, header->size());
        if (content.tail.length != 0) {
            file.pieces.push_back(
                {.source = content.tailSource, .range = content.tail, .offset = *size - content.tail.length});
        }
        file.header = *std::move(header);
        file.size = *size;
        files.push_back(std::move(file));
    }
    return saving::saveNewFiles(open, edited, target, files, options, job);
}

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
        const TensorTypeFact* type = findTensorType(tensor.typeId);
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
