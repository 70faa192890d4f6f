// An opened model, independent of its container and of the number of its files. It is immutable and shared: jobs, pages
// and verbs hold a std::shared_ptr<const Model>. Its strings view the bytes of its files, which it owns.
//
// Every model is described in GGUF's vocabulary on purpose: metadata are keys with GGUF's value types, tensors have
// ggml's type numbers and dimensions with the fastest first, and pages, checks and the engine look for GGUF's standard
// keys and tensor names. A reader of another container expresses what its file contains in this vocabulary, and nothing
// else. It fills in:
// - `container`, `version` and `byteOrder`, and one ModelFile with its source for each file;
// - the file's own metadata as keys, under the file's own names;
// - each tensor under its own name: its shape reversed so that the fastest dimension is first, the ggml type of the
//   same encoding (or another row of the table of tensor types, or a number outside it), the file's own name of the
//   type, its offset in the file and how many of its bytes are present;
// - a finding for each rule of the container that is broken.
//
// Then it calls indexTensors(). A reader never renames keys or tensors to GGUF's names, invents standard keys or
// changes a byte; converting is a separate step. Code that looks for a standard key must therefore cope with its
// absence.
//
// Threads: const members are thread-safe.
#pragma once

#include "base/byte_order.h"
#include "base/byte_source.h"
#include "base/shared_vector.h"
#include "model/finding.h"
#include "model/metadata.h"
#include "model/name_index.h"
#include "model/tensor_info.h"
#include "tensor/decode.h"

#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace gufo {

// One file of a model. Shard sets have several.
struct ModelFile {
    std::shared_ptr<const ByteSource> source; // null: this shard is missing or unreadable
    std::filesystem::path path;
    std::uint64_t headerBytes = 0; // up to the end of the last tensor record
    std::uint64_t dataOffset = 0;  // start of the tensor data
    std::uint32_t alignment = 32;  // 0: the container has none
    // Of an import source: the hashes (importHash) of the tensors that were taken from it, by their offsets.
    std::map<std::uint64_t, std::uint64_t> importHashes{};
};

class Model {
public:
    std::string_view container; // id of its row in the table of containers (formats/container/container.h); empty if
                                // the model comes from no file
    std::uint32_t version = 0;  // of the container; 0: it has none
    ByteOrder byteOrder = ByteOrder::Little;
    ValueLayout layout;
    // In shard order; never empty. In an edited model, the sources of imported tensors follow its own files.
    std::vector<ModelFile> files;
    std::size_t importedFiles = 0; // number of import sources at the end of `files`
    // Files beside the model's own that describe it, such as the configuration in its folder, and that the metadata may
    // view.
    std::vector<std::shared_ptr<const ByteSource>> companions;
    // Memory other than the files that strings, arrays and tensors view: the bytes of edits, and what a reader
    // translated.
    std::vector<std::shared_ptr<const void>> owned;
    Metadata metadata;
    SharedVector<TensorInfo> tensors; // in file order, shard after shard
    std::vector<Finding> findings;    // findings of the reader; validate/ adds others

    [[nodiscard]] const TensorInfo& tensor(TensorIndex index) const { return tensors[index.value]; }
    [[nodiscard]] std::optional<TensorIndex> findTensor(std::string_view name) const;
    // The file or folder that the user opened; it names a shard set.
    [[nodiscard]] const std::filesystem::path& path() const {
        return openedAs.empty() ? files[openedFile.value].path : openedAs;
    }
    FileIndex openedFile{};
    std::filesystem::path openedAs; // if that is not the opened file: a folder, or a list of shards

    // The encoded bytes of a tensor, as far as they are present. Errors: RangeOutsideFile; NotSupported if its size is
    // unknown; FileNotFound if its shard is missing.
    [[nodiscard]] Result<Bytes> bytesOf(const TensorInfo& tensor) const;
    // The same bytes as rows that can be decoded. Errors: NotDecodable, the errors of bytesOf().
    [[nodiscard]] Result<StoredRows> rowsOf(const TensorInfo& tensor) const;
    [[nodiscard]] const ByteSource* sourceOf(const TensorInfo& tensor) const {
        return files[tensor.file.value].source.get();
    }

    [[nodiscard]] std::size_t shardCount() const { return files.size() - importedFiles; }
    // Whether the bytes of a tensor are in another model's file.
    [[nodiscard]] bool isImported(const TensorInfo& tensor) const { return tensor.file.value >= shardCount(); }
    // The shard that contains a tensor. An imported tensor will be written to the shard of the tensor before it; if all
    // tensors before it are imported, to the shard of the first tensor that is not imported, or else to the first
    // shard.
    [[nodiscard]] FileIndex shardOf(TensorIndex index) const;

    struct Totals {
        std::uint64_t weights = 0;
        std::uint64_t tensorBytes = 0; // only tensors whose size is known
        std::uint64_t fileBytes = 0;   // only files that are present
        std::optional<double> bitsPerWeight{};
    };
    [[nodiscard]] Totals totals() const;

    struct TypeShare {
        std::uint32_t typeId = 0;
        std::string name; // as TensorInfo::typeName()
        std::uint64_t tensors = 0;
        std::uint64_t weights = 0;
        std::uint64_t bytes = 0;
    };
    // Sorted by bytes, largest first.
    [[nodiscard]] std::vector<TypeShare> typeShares() const;

    // Must be called once by the reader after it filled `tensors`. A duplicate name finds the first tensor; the other
    // tensors of that name are returned.
    std::vector<TensorIndex> indexTensors();

private:
    NameIndex m_byName;
};

} // namespace gufo
