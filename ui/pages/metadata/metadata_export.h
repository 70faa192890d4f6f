// All key-values of a model as JSON: {"file", "version", "metadata": [{"key", "type", "value"} …]}; arrays as
// {"key", "type": "arr", "element_type", "length", "value": […]}. Bytes that are not UTF-8 become {"hex": "…"};
// NaN and infinity become null.
#pragma once

#include "base/job.h"
#include "model/model.h"

#include <QString>

class QIODevice;

namespace gufo::ui {

// Errors: Cancelled; WriteFailed. Progress in bytes of the header.
[[nodiscard]] Result<void> writeMetadataJson(const Model& model, QIODevice& to, const JobContext& job);

// To a file, which is replaced only when all is written.
[[nodiscard]] Result<void> exportMetadataJson(const Model& model, const QString& path, const JobContext& job);

} // namespace gufo::ui
