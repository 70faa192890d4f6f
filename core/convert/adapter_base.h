// The base model of an adapter, as far as converting the adapter needs it: the class of the model and the sizes by
// which the operations upon its matrices are made.
#pragma once

#include "convert/source_folder.h"

namespace gufo::convert {

// The configuration of a folder, or that which follows from the keys of a GGUF file, whose tensors are then also those
// that the adapter must fit. Errors: those of readModel() and SourceFolder::of(); NotSupported (AdapterBaseUnknown: the
// folder has no configuration, or the file's architecture is not among those that can be converted; SettingMissing: its
// blocks have different numbers of heads).
[[nodiscard]] Result<SourceFolder> openAdapterBase(const std::filesystem::path& path, const JobContext& job = {});
[[nodiscard]] Result<SourceFolder> adapterBaseOf(std::shared_ptr<const Model> gguf);

} // namespace gufo::convert
