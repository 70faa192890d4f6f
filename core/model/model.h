// An opened model, whatever its format and however many files it is in. Immutable once made, and shared:
// std::shared_ptr<const Model> is what jobs, pages and verbs hold. Strings in it view the files' bytes, which it owns.
#pragma once

#include "base/byte_order.h"
#include "base/byte_source.h"
#include "model/finding.h"
#include "model/metadata.h"
#include "model/name_index.h"
#include "model/tensor_info.h"

#include <memory>
#include <vector>

namespace gufo {

enum class ModelFormat : std::uint8_t { Gguf };

// One file of a model; more than one for shard sets.
struct ModelFile {
    std::shared_ptr<const ByteSource> source; // null: this shard is missing or unreadable
    std::filesystem::path path;
    std::uint64_t headerBytes = 0; // up to the end of the last tensor record
    std::uint64_t dataOffset = 0;  // where tensor data starts
    std::uint32_t alignment = 32;
};

class Model {
public:
    ModelFormat format = ModelFormat::Gguf;
    std::uint32_t version = 0; // of the format
    ByteOrder byteOrder = ByteOrder::Little;
    ValueLayout layout;
    // In shard order; at least one. An edited model has the sources of tensors imported from other models after its
    // own.
    std::vector<ModelFile> files;
    std::size_t importedFiles = 0; // how many of `files`, at the end, are such sources
    // What its strings and arrays view beside the files: the bytes of edits.
    std::vector<std::shared_ptr<const void>> owned;
    Metadata metadata;
    std::vector<TensorInfo> tensors; // in file order, shard after shard
    std::vector<Finding> findings;   // of reading; validate/ adds its own

    [[nodiscard]] const TensorInfo& tensor(TensorIndex index) const { return tensors[index.value]; }
    [[nodiscard]] std::optional<TensorIndex> findTensor(std::string_view name) const;
    // The file that was asked for; shard sets are named by it.
    [[nodiscard]] const std::filesystem::path& path() const { return files[openedFile.value].path; }
    FileIndex openedFile{};

    // The encoded bytes of a tensor: those that are present. Errors: RangeOutsideFile; NotSupported where no size can
    // be derived; FileNotFound where its shard is missing.
    [[nodiscard]] Result<Bytes> bytesOf(const TensorInfo& tensor) const;
    [[nodiscard]] const ByteSource* sourceOf(const TensorInfo& tensor) const {
        return files[tensor.file.value].source.get();
    }

    [[nodiscard]] std::size_t shardCount() const { return files.size() - importedFiles; }
    // Where the bytes of a tensor are in another model's file.
    [[nodiscard]] bool isImported(const TensorInfo& tensor) const { return tensor.file.value >= shardCount(); }
    // The shard that a tensor stands in, or, imported, will be written to: that of the tensor before it, else of the
    // first that is no import, else the first.
    [[nodiscard]] FileIndex shardOf(TensorIndex index) const;

    struct Totals {
        std::uint64_t weights = 0;
        std::uint64_t tensorBytes = 0; // of tensors whose size is known
        std::uint64_t fileBytes = 0;   // of the files that are present
        std::optional<double> bitsPerWeight{};
    };
    [[nodiscard]] Totals totals() const;

    struct TypeShare {
        std::uint32_t typeId = 0;
        std::uint64_t tensors = 0;
        std::uint64_t weights = 0;
        std::uint64_t bytes = 0;
    };
    // By bytes, largest first.
    [[nodiscard]] std::vector<TypeShare> typeShares() const;

    // To be called once by the reader that filled `tensors`. Names that occur twice find the first; the others are
    // returned.
    std::vector<TensorIndex> indexTensors();

private:
    NameIndex m_byName;
};

} // namespace gufo
