// Words about a model: the status line of its pages, its file format, the roles of its tensors, and its vocabulary.
#pragma once

#include "model/model.h"
#include "model/tensor_role.h"
#include "text/tokenizer/vocabulary.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace gufo::ui {

// ---- the status line -----------------------------------------------------------------------------------------------

// "GGUF v3, little-endian", "398 tensors, 40 keys", "Alignment 32".
[[nodiscard]] QStringList modelStatus(const Model& model);

// The number of shards that could be read. It is less than the size of Model::files if some are missing.
[[nodiscard]] std::uint64_t presentFiles(const Model& model);

// The bytes of tensor data that the files contain, by the name of the tensor type. A file that is cut off declares more
// bytes than it has.
[[nodiscard]] std::map<std::string, std::uint64_t> presentBytes(const Model& model);

// The size of all tensors of a type: "2.75 MiB", or "977 KiB of 2.75 MiB" if the file is cut off. `present` comes from
// presentBytes().
[[nodiscard]] QString shareSizeText(const Model::TypeShare& share, const std::map<std::string, std::uint64_t>& present);

// ---- file formats --------------------------------------------------------------------------------------------------

// Describes a container by its id (formats/container/container.h): "a PyTorch checkpoint (ZIP)".
[[nodiscard]] QString fileFormatText(std::string_view id);

// ---- roles of tensors ----------------------------------------------------------------------------------------------

// "Gate of all experts"; `role` is a row of roleFacts().
[[nodiscard]] QString roleMeaning(const RoleFact& role);

// ---- vocabularies --------------------------------------------------------------------------------------------------

// A clause about the other file: its token 3 is "x", the reference's is "y". The texts that `difference` views must
// be alive.
[[nodiscard]] QString vocabularyDifferenceText(const text::VocabularyDifference& difference);
// The same clause as an argument of an Error, which is translated when it is shown.
[[nodiscard]] Argument vocabularyDifferenceDetail(const text::VocabularyDifference& difference);

} // namespace gufo::ui
