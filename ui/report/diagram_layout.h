// Where the parts of a model are drawn: boxes, lines and texts in logical pixels. The stream of a stack runs downwards
// at the left; each run of equal blocks is a frame with a row for each of its blocks; at most one block is unfolded
// into its branches. The number of items is bounded, whatever the file contains.
//
// Threads: pure functions; a measure belongs to the thread of its fonts.
#pragma once

#include "inference/structure/model_structure.h"

#include <QLineF>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <vector>

namespace gufo::ui {

// A block of a stack by its position in StructureStack::blocks.
struct DiagramBlock {
    std::size_t stack = 0;
    std::size_t block = 0;
    bool operator==(const DiagramBlock&) const = default;
};

struct DiagramItem {
    enum class Kind : std::uint8_t {
        Title, // of a stack
        Run,   // the frame around a run
        Row,   // a folded or unfolded block of a run
        Part,
        Sum, // where a branch is added to the stream
        Note,
    };
    Kind kind = Kind::Note;
    QRectF rect;
    QString title{};
    QStringList lines{};                            // already wrapped
    const inference::StructurePart* part = nullptr; // of a part
    std::optional<DiagramBlock> block{};            // of a row, and of a part of a block
    std::size_t count = 0;                          // of a row: the blocks of the run that it stands for
    bool unfolded = false;                          // of a row
    bool warns = false;                             // keys and tensors contradict each other

    [[nodiscard]] bool isChosen() const { return kind == Kind::Part || kind == Kind::Row; } // can be selected
};

struct DiagramLine {
    QLineF line;
    bool arrow = false;
};

// The font of the lines of parts. Pictures that are written without fonts have estimatedMeasure().
struct TextMeasure {
    std::function<qreal(const QString&)> width;
    qreal lineHeight = 16;
};
[[nodiscard]] TextMeasure estimatedMeasure(qreal fontSize); // in pixels
// The text, or as much of its beginning as fits with an ellipsis.
[[nodiscard]] QString elidedTo(const QString& text, qreal width, const TextMeasure& measure);

struct DiagramLayout {
    static constexpr qreal kUsual = 732; // widths
    static constexpr qreal kNarrowest = 480;
    static constexpr std::size_t kMaxRows = 240; // of all runs; a note says how many are left out

    std::vector<DiagramItem> items; // from top to bottom; a frame precedes what it contains
    std::vector<DiagramLine> lines;
    QSizeF size;
};

// `structure` must outlive the result, which is as wide as `width`, but at least kNarrowest.
[[nodiscard]] DiagramLayout layOutDiagram(const inference::ModelStructure& structure,
                                          std::optional<DiagramBlock> unfolded, const TextMeasure& measure,
                                          qreal width = DiagramLayout::kUsual);

// The block that is unfolded at first: the first of the longest run.
[[nodiscard]] std::optional<DiagramBlock> mainBlock(const inference::ModelStructure& structure);

} // namespace gufo::ui
