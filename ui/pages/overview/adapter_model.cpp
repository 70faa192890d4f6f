#include "ui/pages/overview/adapter_model.h"

#include "model/tensor_role.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/widgets/elided_label.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace gufo::ui {
namespace {

constexpr std::string_view kFactorA = ".lora_a";
constexpr std::string_view kFactorB = ".lora_b";

std::optional<std::uint32_t> blockOf(const std::string& name) { return parseTensorName(name).block; }

} // namespace

Result<AdapterFigures> measureAdapter(const Model& base, std::shared_ptr<const Model> adapter, const JobContext& job) {
    auto fit = GUFO_TRY(fitAdapter(base, std::move(adapter)));
    AdapterFigures figures{.unfit = std::move(fit.unfit)};
    const std::vector<AdapterUse> uses = {{.adapter = std::move(fit.adapter), .strength = 1}};
    const auto changed = GUFO_TRY(measureChanges(base, uses, job));
    for (const ChangedTensor& tensor : changed) {
        const AdapterChange& change = tensor.changes.front();
        figures.tensors.push_back({.name = std::string(base.tensor(tensor.tensor).name),
                                   .rank = change.rank,
                                   .change = change.norm,
                                   .weights = tensor.weightNorm});
    }
    return figures;
}

std::optional<double> AdapterModel::Line::relative() const {
    return measured && weights2 > 0 ? std::optional(std::sqrt(change2 / weights2)) : std::nullopt;
}

void AdapterModel::setAdapter(const Model& adapter) {
    beginResetModel();
    m_pairs.clear();
    for (const TensorInfo& tensor : adapter.tensors) {
        if (tensor.name.ends_with(kFactorB)) {
            m_pairs.push_back({std::string(tensor.name.substr(0, tensor.name.size() - kFactorB.size())),
                               tensor.shape.count() == 0 ? 0 : tensor.shape[0]});
        } else if (!tensor.name.ends_with(kFactorA)) {
            m_pairs.push_back({std::string(tensor.name), 0});
        }
    }
    m_figures.reset();
    rebuild();
    endResetModel();
}

void AdapterModel::setFigures(std::optional<AdapterFigures> figures) {
    beginResetModel();
    m_figures = std::move(figures);
    rebuild();
    endResetModel();
}

void AdapterModel::showLayers(bool layers) {
    beginResetModel();
    m_layers = layers;
    rebuild();
    endResetModel();
}

std::size_t AdapterModel::matrices() const {
    return static_cast<std::size_t>(std::ranges::count_if(m_pairs, [](const Pair& pair) { return pair.rank != 0; }));
}

std::vector<std::uint64_t> AdapterModel::ranks() const {
    std::set<std::uint64_t> ranks;
    for (const Pair& pair : m_pairs) {
        if (pair.rank != 0) {
            ranks.insert(pair.rank);
        }
    }
    return {ranks.begin(), ranks.end()};
}

void AdapterModel::rebuild() {
    m_lines.clear();
    if (!m_figures) {
        for (const Pair& pair : m_pairs) {
            m_lines.push_back({.name = pair.name, .block = blockOf(pair.name), .rank = pair.rank});
        }
    } else {
        for (const AdapterFigures::Tensor& tensor : m_figures->tensors) {
            m_lines.push_back({.name = tensor.name,
                               .block = blockOf(tensor.name),
                               .rank = tensor.rank,
                               .measured = true,
                               .change2 = tensor.change * tensor.change,
                               .weights2 = tensor.weights * tensor.weights});
        }
        for (const UnfitTensor& tensor : m_figures->unfit) {
            const auto pair = std::ranges::find(m_pairs, tensor.name, &Pair::name);
            m_lines.push_back({.name = tensor.name,
                               .block = blockOf(tensor.name),
                               .rank = pair != m_pairs.end() ? pair->rank : 0,
                               .problem = tensor.why,
                               .problems = 1});
        }
    }
    if (m_layers) {
        std::map<std::uint64_t, Line> layers;
        for (const Line& line : m_lines) {
            auto [at, isNew] = layers.try_emplace(orderOf(line.block), Line{.block = line.block, .matrices = 0});
            Line& layer = at->second;
            ++layer.matrices;
            layer.rank = std::max(layer.rank, line.rank);
            layer.measured = layer.measured || line.measured;
            layer.change2 += line.change2;
            layer.weights2 += line.weights2;
            layer.problems += line.problems;
        }
        m_lines.clear();
        for (auto& [order, layer] : layers) {
            m_lines.push_back(std::move(layer));
        }
    }
    arrange(m_lines.size());
}

QString AdapterModel::text(std::size_t at, int column) const {
    const Line& line = m_lines[at];
    switch (column) {
    case Name:
        if (!line.name.empty()) {
            return displayText(line.name);
        }
        return line.block ? tr("block %1, %n matrices", nullptr, numerus(line.matrices)).arg(formatCount(*line.block))
                          : tr("outside of blocks, %n matrices", nullptr, numerus(line.matrices));
    case Rank:
        return line.rank != 0 ? formatCount(line.rank) : tr("replaced");
    case Change:
        return line.measured ? formatReal(std::sqrt(line.change2)) : QString();
    case Weights:
        return line.measured ? formatReal(std::sqrt(line.weights2)) : QString();
    case Relative:
        return line.relative() ? QStringLiteral("%1 %").arg(formatReal(100 * *line.relative(), 3)) : QString();
    default:
        break;
    }
    if (!m_figures) {
        return {};
    }
    if (line.problem) {
        return errorReason(*line.problem);
    }
    return line.problems == 0 ? tr("fits") : tr("%n matrices do not fit", nullptr, numerus(line.problems));
}

QString AdapterModel::toolTip(std::size_t line, int column) const {
    return isFigure(column) ? QString() : plainToolTip(text(line, column));
}

bool AdapterModel::isWarning(std::size_t line, int column) const {
    return column == State && m_lines[line].problems != 0;
}

QString AdapterModel::titleToolTip(int column) const {
    switch (column) {
    case Change:
        return tr("Frobenius norm of what is added to the weights: alpha / rank × B·A, or the difference of the tensor "
                  "that replaces them");
    case Weights:
        return tr("Frobenius norm of the base model's weights");
    case Relative:
        return tr("Norm of the change, relative to that of the weights");
    default:
        return {};
    }
}

QString AdapterModel::title(int column) const {
    switch (column) {
    case Name:
        return m_layers ? tr("Layer") : tr("Matrix");
    case Rank:
        return m_layers ? tr("Largest rank") : tr("Rank");
    case Change:
        return tr("Change");
    case Weights:
        return tr("Weights");
    case Relative:
        return tr("Change / weights");
    case State:
        return tr("In the base");
    default:
        return {};
    }
}

MatrixTableModel::Place AdapterModel::placeOf(std::size_t line) const {
    return {orderOf(m_lines[line].block), m_lines[line].name};
}

double AdapterModel::figure(std::size_t at, int column) const {
    const Line& line = m_lines[at];
    switch (column) {
    case Rank:
        return static_cast<double>(line.rank);
    case Change:
        return line.measured ? line.change2 : -1.0;
    case Weights:
        return line.measured ? line.weights2 : -1.0;
    case Relative:
        return line.relative().value_or(-1);
    case State:
        return static_cast<double>(line.problems);
    default:
        return 0.0;
    }
}

} // namespace gufo::ui

#include "moc_adapter_model.cpp"
