// The architecture of a model as an SVG picture, for the HTML report and the model card: the diagram of the window with
// the longest run's first block unfolded, and the same in words. It is written without fonts,
// so that the console needs none. Its size is bounded, whatever the file contains.
//
// Threads: thread-safe; only headers are read.
#pragma once

#include "model/model.h"

#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gufo::ui {

struct ArchitectureColours {
    struct Share {
        QString colour;   // "#2a788e"
        double share = 1; // of the width
    };
    struct Key {
        QString colour;
        QString text;
    };
    std::function<std::vector<Share>(std::span<const TensorIndex>)> of; // at most a few; none without a figure
    QString title;                                                      // of the legend
    std::vector<Key> legend;
};
// By the types of tensors: viridis by bits per weight, and greys for types that are not quantised. `model` must outlive
// the result.
[[nodiscard]] ArchitectureColours typeColours(const Model& model);

struct ArchitecturePicture {
    static constexpr qsizetype kMaxText = 6'000; // of the longest words
    QString summary;                             // "48 blocks = 12 × (3 gated delta net + 1 attention)"
    QString words;                               // of each part and of the contradictions, a line each
    QString svg;                                 // an element of a page; at most about 200 KB

    [[nodiscard]] QString svgFile() const; // the same as a document
};
// Nothing if the model has no tensors.
[[nodiscard]] std::optional<ArchitecturePicture> architecturePicture(const std::shared_ptr<const Model>& model,
                                                                     const ArchitectureColours& colours);

} // namespace gufo::ui
