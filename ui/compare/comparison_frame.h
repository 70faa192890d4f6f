// What the exported pictures of a comparison say about its files.
#pragma once

#include "ui/compare/comparison.h"
#include "ui/plots/picture_frame.h"

namespace gufo::ui {

// A frame that names the files, and the reference of the comparison. `subject` is what the picture shows of them: a
// tensor with its shape, or empty for whole models.
[[nodiscard]] PictureFrame comparisonFrame(const Comparison& comparison, const QString& title,
                                           const std::vector<std::size_t>& files, const QString& subject = {});
// The keys of these files' lines.
[[nodiscard]] std::vector<PictureKey> fileKeys(const Comparison& comparison, const std::vector<std::size_t>& files);

} // namespace gufo::ui
