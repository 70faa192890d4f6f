// The colours of parts and layers: by the types of their tensors, bits per weight, size, or figures measured against
// another file.
#pragma once

#include "inference/structure/model_structure.h"
#include "ui/pages/diagram/diagram_figures.h"

#include <QColor>
#include <QString>

#include <memory>
#include <vector>

namespace gufo::ui {

enum class DiagramMeasure : std::uint8_t { Type, BitsPerWeight, Size, Error, Coverage };

struct ColorShare {
    QColor color;
    double share = 0; // of the bytes; all of a part sum to 1
};

struct DiagramKey { // of the legend
    QColor color;
    QString text;
    bool struck = false; // by a line, which tells it from another shade
};

class DiagramColors {
public:
    // Both must outlive the object.
    DiagramColors(const Model& model, const inference::ModelStructure& structure);

    void setMeasure(DiagramMeasure measure) { m_measure = measure; }
    [[nodiscard]] DiagramMeasure measure() const { return m_measure; }
    // For the measures Error and Coverage; without figures of their kind, there are no colours.
    void setFigures(std::shared_ptr<const DiagramFigures> figures) { m_figures = std::move(figures); }
    [[nodiscard]] const DiagramFigures* figures() const; // of the current measure; null if there are none
    // Largest first; empty if the part has no tensors, or none with a figure.
    [[nodiscard]] std::vector<ColorShare> of(const inference::StructurePart& part) const;
    [[nodiscard]] std::vector<ColorShare> of(const inference::StructureBlock& block) const;
    [[nodiscard]] std::vector<DiagramKey> legend() const;

    [[nodiscard]] std::uint64_t bytesOf(const inference::StructurePart& part) const;
    [[nodiscard]] std::uint64_t bytesOf(const inference::StructureBlock& block) const;

private:
    [[nodiscard]] std::vector<ColorShare> of(const std::vector<TensorIndex>& tensors, std::uint64_t largest) const;
    [[nodiscard]] QColor figureColor(double figure) const;
    [[nodiscard]] QColor sizeColor(std::uint64_t bytes, std::uint64_t largest) const;

    const Model& m_model;
    DiagramMeasure m_measure = DiagramMeasure::Type;
    std::shared_ptr<const DiagramFigures> m_figures;
    std::uint64_t m_largestPart = 1;
    std::uint64_t m_largestBlock = 1;
};

} // namespace gufo::ui
