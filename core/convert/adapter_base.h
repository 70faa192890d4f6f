// The base model of an adapter, as far as the conversion of the adapter needs it: the class of the model, and the sizes
// that determine the operations on its matrices.
#pragma once

#include "convert/source_folder.h"

namespace gufo::convert {

// Reads the configuration of a folder, without weights, or opens a GGUF file. Errors: those of SourceFolder::of(),
// readModel() and adapterBaseOf(); NotSupported (Detail::AdapterBaseUnknown: the folder has no configuration).
[[nodiscard]] Result<SourceFolder> openAdapterBase(const std::filesystem::path& path, const JobContext& job = {});
// Derives the configuration from the keys of a GGUF file. The result has the tensors of the file, with which the shapes
// of the factors can be checked. Errors: NotSupported (Detail::AdapterBaseUnknown: the architecture cannot be
// converted; SettingMissing: the numbers of heads differ between blocks).
[[nodiscard]] Result<SourceFolder> adapterBaseOf(std::shared_ptr<const Model> gguf);

} // namespace gufo::convert
