// Plans the saves of GGUF files: which header each file of a model gets, and whether its tensor data can stay.
#pragma once

#include "formats/gguf/write/contents.h"
#include "formats/save/planned_file.h"

namespace gufo::gguf {

// Errors: as for planSave(). The result refers to `edited`.
[[nodiscard]] Result<saving::PlannedSave> planSave(const Model& base, const Model& edited, const SaveTarget& target,
                                                   const SaveOptions& options, FileOperations& operations,
                                                   saving::Purpose purpose);

} // namespace gufo::gguf
