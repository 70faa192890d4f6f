#include "formats/gguf/write/split.h"

#include "base/checked.h"
#include "base/detail.h"
#include "formats/gguf/read/shards.h"
#include "formats/gguf/write/contents.h"
#include "formats/gguf/write/new_model.h"
#include "formats/save/execute.h"
#include "model/set_fault.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace gufo::gguf {
namespace {

constexpr std::size_t kMaxShards = std::numeric_limits<std::uint16_t>::max();

// Distributes the tensors over shards in their order.
std::vector<std::vector<ContentTensor>> divide(const FileContent& whole, const SplitOptions& options) {
    std::vector<std::vector<ContentTensor>> shards;
    std::uint64_t bytes = 0;
    for (const ContentTensor& tensor : whole.tensors) {
        const std::uint64_t padded = *checkedAlign(tensor.bytes, whole.alignment);
        const bool full =
            !shards.empty() && ((options.maxTensors != 0 && shards.back().size() >= options.maxTensors) ||
                                (options.maxBytes != 0 && bytes + padded > options.maxBytes && !shards.back().empty()));
        if (shards.empty() || full) {
            shards.emplace_back();
            bytes = 0;
        }
        shards.back().push_back(tensor);
        bytes += padded;
    }
    if (shards.empty() || options.metadataFirst) {
        shards.insert(shards.begin(), std::vector<ContentTensor>());
    }
    return shards;
}

SaveTarget targetOf(const Model& model) {
    return {.version = std::max<std::uint32_t>(model.version, 2), .byteOrder = model.byteOrder};
}

Result<std::vector<NewContent>> contentsOf(const Model& model, const std::filesystem::path& prefix,
                                           const SplitOptions& options, FileOperations& operations) {
    const auto complete = checkSet(model);
    const auto whole = complete ? joinedContent(model, targetOf(model)) : std::unexpected(complete.error());
    if (!whole) {
        Error error = whole.error();
        return std::unexpected(error.file.empty() ? std::move(error).in(model.path()) : std::move(error));
    }
    auto tensors = divide(*whole, options);
    if (tensors.size() > kMaxShards) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::TooManyShards});
    }
    std::vector<NewContent> contents;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        FileContent content;
        content.version = whole->version;
        content.layout = whole->layout;
        if (i == 0) {
            content.keys = whole->keys;
            std::erase_if(content.keys, [](const ContentKey& key) { return key.key.starts_with(kSplitPrefix); });
        }
        content.alignment = alignmentOf(content.keys);
        content.keys.push_back({"split.no", static_cast<std::uint16_t>(i)});
        content.keys.push_back({"split.count", static_cast<std::uint16_t>(tensors.size())});
        content.keys.push_back({"split.tensors.count", static_cast<std::int32_t>(model.tensors.size())});
        content.tensors = std::move(tensors[i]);
        content.layOut();
        const ShardName name{prefix.filename().native(), static_cast<std::uint32_t>(i + 1),
                             static_cast<std::uint32_t>(tensors.size())};
        contents.push_back(
            {saving::resolveNew(operations, prefix.parent_path() / shardFileName(name)), std::move(content)});
    }
    return contents;
}

} // namespace

Result<SaveReport> split(const Model& model, const std::filesystem::path& prefix, const SplitOptions& options,
                         const SaveOptions& save, const JobContext& job) {
    FileOperations& operations = save.operations != nullptr ? *save.operations : realFileOperations();
    auto contents = GUFO_TRY(contentsOf(model, prefix, options, operations));
    return writeContents(model, targetOf(model), contents, save, job);
}

Result<std::vector<std::filesystem::path>> splitPaths(const Model& model, const std::filesystem::path& prefix,
                                                      const SplitOptions& options) {
    const auto contents = GUFO_TRY(contentsOf(model, prefix, options, realFileOperations()));
    std::vector<std::filesystem::path> paths;
    std::ranges::transform(contents, std::back_inserter(paths), &NewContent::path);
    return paths;
}

} // namespace gufo::gguf
