// The texts that most pages show at the right of the status bar.
#pragma once

#include "model/model.h"
#include "model/present_bytes.h"

#include <QStringList>

namespace gufo::ui {

// "GGUF v3, little-endian", "398 tensors, 40 keys", "Alignment 32".
[[nodiscard]] QStringList modelStatus(const Model& model);

// The number of shards that could be read. It is less than that of Model::files if some are missing.
[[nodiscard]] std::uint64_t presentFiles(const Model& model);

// The size of all tensors of a type: "2.75 MiB", or "977 KiB of 2.75 MiB" if the file is cut off. `present` is that of
// presentBytes().
[[nodiscard]] QString shareSizeText(const Model::TypeShare& share, const std::map<std::string, std::uint64_t>& present);

} // namespace gufo::ui
