// The colours of parts and layers: by the types of their tensors, bits per weight, or size.
#pragma once

#include "inference/structure/model_structure.h"

#include <QColor>
#include <QString>

#include <vector>

namespace gufo::ui {

enum class DiagramMeasure : std::uint8_t { Type, BitsPerWeight, Size };

struct ColorShare {
    QColor color;
    double share = 0; // of the bytes; all of a part sum to 1
};

struct DiagramKey { // of the legend
    QColor color;
    QString text;
};

class DiagramColors {
public:
    // Both must outlive the object.
    DiagramColors(const Model& model, const inference::ModelStructure& structure);

    void setMeasure(DiagramMeasure measure) { m_measure = measure; }
    [[nodiscard]] DiagramMeasure measure() const { return m_measure; }
    // Largest first; empty if the part has no tensors.
    [[nodiscard]] std::vector<ColorShare> of(const inference::StructurePart& part) const;
    [[nodiscard]] std::vector<ColorShare> of(const inference::StructureBlock& block) const;
    [[nodiscard]] std::vector<DiagramKey> legend() const;

    [[nodiscard]] std::uint64_t bytesOf(const inference::StructurePart& part) const;
    [[nodiscard]] std::uint64_t bytesOf(const inference::StructureBlock& block) const;

private:
    [[nodiscard]] std::vector<ColorShare> of(const std::vector<TensorIndex>& tensors, std::uint64_t largest) const;
    [[nodiscard]] QColor sizeColor(std::uint64_t bytes, std::uint64_t largest) const;

    const Model& m_model;
    DiagramMeasure m_measure = DiagramMeasure::Type;
    std::uint64_t m_largestPart = 1;
    std::uint64_t m_largestBlock = 1;
};

} // namespace gufo::ui
