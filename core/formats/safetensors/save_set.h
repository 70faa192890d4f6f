// A set of safetensors shards under another name: the names of its files, and its list.
#pragma once

#include "formats/detection/shard_names.h"
#include "model/model.h"

#include <filesystem>
#include <string>

namespace gufo::safetensors {

// The files of a set of `count` shards that is saved as `path`, the name of a shard of such a set, of its list, or of a
// single file: "x-00001-of-00003.safetensors", "x.safetensors.index.json" or "x.safetensors".
struct SetFiles {
    std::vector<std::filesystem::path> shards;
    std::filesystem::path list;
};
[[nodiscard]] SetFiles setFiles(const std::filesystem::path& path, std::uint32_t count);

// The list of the model's tensors in files of these names. Other members of the model's list, if it has one, are kept
// as they are written; without one, the list states the size of the tensors. Errors: those of reading the old list.
[[nodiscard]] Result<std::string> listText(const Model& model, const SetFiles& files);

} // namespace gufo::safetensors
