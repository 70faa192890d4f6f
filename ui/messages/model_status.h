// What the right of the status bar says about a model on most pages.
#pragma once

#include "model/model.h"

#include <QStringList>

namespace gufo::ui {

// "GGUF v3, little-endian", "398 tensors, 40 keys", "Alignment 32".
[[nodiscard]] QStringList modelStatus(const Model& model);

// The files of a shard set that could be read: fewer than Model::files where some are missing.
[[nodiscard]] std::uint64_t presentFiles(const Model& model);

} // namespace gufo::ui
