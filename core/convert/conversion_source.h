// A source that can be converted to GGUF: a folder with a model, a folder with a PEFT adapter, or a file from before
// GGUF.
//
// Threads: immutable.
#pragma once

#include "convert/plan.h"
#include "convert/source_folder.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace gufo::convert {

enum class SourceKind : std::uint8_t { Model, Adapter, Legacy };

struct ConversionSource {
    SourceKind kind = SourceKind::Model;
    SourceFolder folder; // with the weights; of a legacy file, the folder in which it is

    // The name of the folder, or of the legacy file. The result gets this name unless the user states another.
    [[nodiscard]] std::filesystem::path name() const;
};

// Whether the file begins like a file from before GGUF. False if the file cannot be read.
[[nodiscard]] bool isLegacyFile(const std::filesystem::path& path);

// `path` is a folder, a file of weights in it, or a legacy file. Errors: the errors of SourceFolder::open() and
// openModel().
[[nodiscard]] Result<ConversionSource> openConversionSource(const std::filesystem::path& path,
                                                            const JobContext& job = {});

// Whether the options of a conversion apply to a kind of source.
[[nodiscard]] constexpr bool takesImatrix(SourceKind kind) { return kind == SourceKind::Model; }
[[nodiscard]] constexpr bool takesVocabularyOnly(SourceKind kind) { return kind != SourceKind::Adapter; }
[[nodiscard]] constexpr bool takesBase(SourceKind kind) { return kind == SourceKind::Adapter; }
// The weights of models get any type, the weights of adapters a float type, and the weights of legacy files keep their
// types.
[[nodiscard]] bool takesType(SourceKind kind, TensorType type);

// Plans with the function for the kind. `base` is the model that an adapter belongs to, a folder with its configuration
// or a GGUF file; if it is empty, the adapter's own folder must have the configuration. Parts of the request that do
// not apply are ignored. Errors: the errors of planConversion(), planLegacy(), planAdapter() and openAdapterBase().
[[nodiscard]] Result<ConversionPlan> planFor(const ConversionSource& source, const ConvertRequest& request,
                                             const std::filesystem::path& base, const JobContext& job = {});

// The base model of an adapter, as far as the conversion of the adapter needs it: the class of the model, and the sizes
// that determine the operations on its matrices.

// Reads the configuration of a folder, without weights, or opens a GGUF file. Errors: the errors of SourceFolder::of(),
// readModel() and adapterBaseOf(); NotSupported (Detail::AdapterBaseUnknown: the folder has no configuration).
[[nodiscard]] Result<SourceFolder> openAdapterBase(const std::filesystem::path& path, const JobContext& job = {});
// Derives the configuration from the keys of a GGUF file. The result has the tensors of the file, with which the shapes
// of the factors can be checked. Errors: NotSupported (Detail::AdapterBaseUnknown: the architecture cannot be
// converted; SettingMissing: the numbers of heads differ between blocks).
[[nodiscard]] Result<SourceFolder> adapterBaseOf(std::shared_ptr<const Model> gguf);

} // namespace gufo::convert
