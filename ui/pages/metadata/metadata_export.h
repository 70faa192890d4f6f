// Exports and imports metadata and arrays (formats: document/metadata_json.h). For jobs.
#pragma once

#include "document/metadata_json.h"

#include <QString>

namespace gufo::ui {

// Writes all keys of a model. The file is replaced only when everything has been written. Errors: those of
// writeMetadataJson; WriteFailed.
[[nodiscard]] Result<void> exportMetadataJson(const Model& model, const QString& path, const JobContext& job);

// Writes one array; as CSV if the file name ends with .csv, otherwise as JSON. Errors: those of writeArray;
// WriteFailed.
[[nodiscard]] Result<void> exportArray(const ArrayView& array, std::string_view name, const QString& path,
                                       const JobContext& job);
// Reads an array. Errors: those of readArray, with the file; ReadFailed; LimitExceeded.
[[nodiscard]] Result<OwnedValue> importArray(const QString& path, ValueType elementType, std::string_view name,
                                             const JobContext& job);

} // namespace gufo::ui
