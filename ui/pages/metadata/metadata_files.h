// Exports and imports metadata and arrays (formats: document/metadata_json.h). For jobs.
#pragma once

#include "document/metadata_json.h"
#include "ui/pages/metadata/models/import_model.h"

#include <QString>

#include <filesystem>

namespace gufo::ui {

// Writes all keys of a model. The file is replaced only when everything has been written. Errors: see
// writeMetadataJson; WriteFailed.
[[nodiscard]] Result<void> exportMetadataJson(const Model& model, const QString& path, const JobContext& job);

// Writes one array; as CSV if the file name ends with .csv, otherwise as JSON. Errors: see writeArray;
// WriteFailed.
[[nodiscard]] Result<void> exportArray(const ArrayView& array, std::string_view name, const QString& path,
                                       const JobContext& job);
// Reads an array. Errors: see readArray, with the file; ReadFailed; LimitExceeded.
[[nodiscard]] Result<OwnedValue> importArray(const QString& path, ValueType elementType, std::string_view name,
                                             const JobContext& job);

// Reads the keys of a model's file, or of metadata exported as JSON. Errors: see openModel and the JSON reader.
[[nodiscard]] Result<std::vector<ImportedKey>> readKeys(const std::filesystem::path& path, const JobContext& job);

// Reads a whole text file. Errors: ReadFailed; LimitExceeded.
[[nodiscard]] Result<std::string> readTextFile(const std::filesystem::path& path, std::uint64_t maxBytes);

} // namespace gufo::ui
