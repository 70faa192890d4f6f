#include "ui/pages/diagram/diagram_colors.h"

#include "ui/messages/figure_text.h"
#include "ui/plots/metric_legend.h"
#include "ui/report/metric_scale.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace gufo::ui {
namespace {

using inference::StructureBlock;
using inference::StructurePart;

constexpr std::size_t kLegendTypes = 40; // no real file has more

} // namespace

DiagramColors::DiagramColors(const Model& model, const inference::ModelStructure& structure)
    : m_model(model) {
    for (const inference::StructureStack& stack : structure.stacks) {
        for (const std::vector<StructurePart>* parts : {&stack.begin, &stack.end}) {
            for (const StructurePart& part : *parts) {
                m_largestPart = std::max(m_largestPart, bytesOf(part));
            }
        }
        for (const StructureBlock& block : stack.blocks) {
            m_largestBlock = std::max(m_largestBlock, bytesOf(block));
            for (const StructurePart& part : block.parts) {
                m_largestPart = std::max(m_largestPart, bytesOf(part));
            }
        }
    }
}

std::uint64_t DiagramColors::bytesOf(const StructurePart& part) const {
    std::uint64_t bytes = 0; // tensors do not exceed their file
    for (const TensorIndex tensor : part.tensors) {
        bytes += m_model.tensor(tensor).bytes.value_or(0);
    }
    return bytes;
}

std::uint64_t DiagramColors::bytesOf(const StructureBlock& block) const {
    std::uint64_t bytes = 0;
    for (const StructurePart& part : block.parts) {
        bytes += bytesOf(part);
    }
    return bytes;
}

// On a logarithmic scale over six powers of ten.
QColor DiagramColors::sizeColor(std::uint64_t bytes, std::uint64_t largest) const {
    constexpr double kDecades = 6;
    const double below =
        std::log10(static_cast<double>(largest)) - std::log10(static_cast<double>(std::max<std::uint64_t>(bytes, 1)));
    return colorMapAt(ColorMap::Viridis, std::clamp(1 - below / kDecades, 0.0, 1.0));
}

const DiagramFigures* DiagramColors::figures() const {
    const bool fits = m_figures != nullptr &&
                      m_measure == (m_figures->kind == DiagramFigures::Kind::Error ? DiagramMeasure::Error
                                                                                   : DiagramMeasure::Coverage);
    return fits ? m_figures.get() : nullptr;
}

QColor DiagramColors::figureColor(double figure) const {
    if (m_measure == DiagramMeasure::Coverage) {
        return colorMapAt(ColorMap::Viridis, std::clamp(figure, 0.0, 1.0));
    }
    return std::isinf(figure) ? themeColor(Token::Unquantised)
                              : metricColor(scaleFor(metricFact(Metric::Sqnr), {}), figure, ColorMap::Viridis);
}

std::vector<ColorShare> DiagramColors::of(const std::vector<TensorIndex>& tensors, std::uint64_t largest) const {
    if (m_measure == DiagramMeasure::Error || m_measure == DiagramMeasure::Coverage) {
        const std::optional<double> figure = figures() != nullptr ? figures()->of(tensors) : std::nullopt;
        return figure ? std::vector<ColorShare>{{figureColor(*figure), 1}} : std::vector<ColorShare>();
    }
    std::map<std::uint32_t, std::uint64_t> bytes; // by type
    std::uint64_t all = 0;
    for (const TensorIndex index : tensors) {
        const TensorInfo& tensor = m_model.tensor(index);
        const std::uint64_t size = std::max<std::uint64_t>(tensor.bytes.value_or(0), 1);
        bytes[tensor.typeId] += size;
        all += size;
    }
    if (all == 0) {
        return {};
    }
    if (m_measure == DiagramMeasure::Size) {
        return {{sizeColor(all, largest), 1}};
    }
    std::vector<ColorShare> shares;
    for (const auto& [type, size] : bytes) {
        const TensorTypeFact* info = findTensorType(type);
        const double bits = info != nullptr ? info->bitsPerWeight() : 0;
        const bool quantised = info != nullptr && info->kind == TensorTypeKind::Quantised;
        shares.push_back(
            {m_measure == DiagramMeasure::BitsPerWeight && quantised ? bitsPerWeightColor(bits) : tensorTypeColor(type),
             static_cast<double>(size) / static_cast<double>(all)});
    }
    std::ranges::sort(shares, std::greater(), &ColorShare::share);
    return shares;
}

std::vector<ColorShare> DiagramColors::of(const StructurePart& part) const { return of(part.tensors, m_largestPart); }

std::vector<ColorShare> DiagramColors::of(const StructureBlock& block) const {
    std::vector<TensorIndex> tensors;
    for (const StructurePart& part : block.parts) {
        tensors.insert(tensors.end(), part.tensors.begin(), part.tensors.end());
    }
    return of(tensors, m_largestBlock);
}

std::vector<DiagramKey> DiagramColors::legend() const {
    std::vector<DiagramKey> keys;
    if (m_measure == DiagramMeasure::Size) {
        for (const double decades : {0.0, 2.0, 4.0}) {
            const double bytes = static_cast<double>(m_largestPart) / std::pow(10.0, decades);
            keys.push_back({colorMapAt(ColorMap::Viridis, 1 - decades / 6),
                            formatBytes(static_cast<std::uint64_t>(std::max(bytes, 1.0)))});
        }
        return keys;
    }
    if (m_measure == DiagramMeasure::Error && figures() != nullptr) {
        for (const double figure : {10.0, 20.0, 30.0, 40.0}) {
            keys.push_back({figureColor(figure), metricTextWithUnit(metricFact(Metric::Sqnr), figure)});
        }
        keys.push_back({figureColor(std::numeric_limits<double>::infinity()),
                        QCoreApplication::translate("gufo::ui::DiagramPage", "no difference")});
        return keys;
    }
    if (m_measure == DiagramMeasure::Coverage && figures() != nullptr) {
        for (const double figure : {0.0, 0.5, 1.0}) {
            keys.push_back({figureColor(figure), formatFixed(100 * figure, 0) + QStringLiteral(" %")});
        }
        return keys;
    }
    if (m_measure == DiagramMeasure::Error || m_measure == DiagramMeasure::Coverage) {
        return keys;
    }
    if (m_measure == DiagramMeasure::BitsPerWeight) {
        for (const double bits : {2.0, 4.0, 6.0}) {
            keys.push_back({bitsPerWeightColor(bits), formatFixed(bits, 0)});
        }
        constexpr int kMost = 8;
        keys.push_back({bitsPerWeightColor(kMost),
                        QCoreApplication::translate("gufo::ui::DiagramPage", "%1 bits per weight").arg(kMost)});
    }
    for (const Model::TypeShare& share : m_model.typeShares()) {
        const TensorTypeFact* type = findTensorType(share.typeId);
        if (m_measure == DiagramMeasure::BitsPerWeight && type != nullptr && type->kind == TensorTypeKind::Quantised) {
            continue; // coloured by its bits per weight
        }
        if (keys.size() == kLegendTypes) {
            break;
        }
        keys.push_back({tensorTypeColor(share.typeId), QString::fromStdString(share.name)});
    }
    return keys;
}

} // namespace gufo::ui
