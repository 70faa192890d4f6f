#include "ui/pages/overview/overview_data.h"

#include "convert/description.h"
#include "model/tensor_role.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/model_text.h"
#include "ui/report/block_layout.h"
#include "ui/widgets/table_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

namespace gufo::ui {
namespace {

constexpr std::size_t kNameBytes = 120;

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::Overview)
};

struct PanelTensors {
    std::map<RoleKey, std::map<std::uint32_t, std::vector<TensorIndex>>> rows;
    std::map<std::uint32_t, std::uint32_t> columns; // block → column
};

MapCell cellOf(const Model& model, std::vector<TensorIndex> tensors) {
    std::ranges::stable_sort(tensors, [&](TensorIndex a, TensorIndex b) {
        return model.tensor(a).bytes.value_or(0) > model.tensor(b).bytes.value_or(0);
    });
    MapCell cell;
    if (!tensors.empty()) {
        const TensorInfo& main = model.tensor(tensors.front());
        cell.bits = main.bitsPerWeight();
        cell.quantised = main.type() != nullptr && main.type()->kind == TensorTypeKind::Quantised;
    }
    cell.tensors = std::move(tensors);
    return cell;
}

MapPanel panelOf(const Model& model, const QString& name, PanelTensors tensors) {
    MapPanel panel;
    panel.name = name;
    const std::uint32_t last = tensors.columns.empty() ? 0 : tensors.columns.rbegin()->first;
    const std::uint32_t shown = blocksOfMap(last, tensors.columns.size(), MapPanel::kMaxBlocks);
    for (std::uint32_t block = 0; block < shown; ++block) {
        tensors.columns.try_emplace(block, 0);
    }
    for (auto& [block, column] : tensors.columns) {
        column = static_cast<std::uint32_t>(panel.blocks.size());
        panel.blocks.push_back(block);
    }
    std::optional<BlockPart> part;
    for (auto& [key, cells] : tensors.rows) {
        MapRow row;
        row.role = headText(std::get<2>(key), kNameBytes);
        row.startsGroup = part && *part != std::get<0>(key);
        part = std::get<0>(key);
        row.cells.resize(panel.blocks.size());
        for (auto& [block, list] : cells) {
            for (const TensorIndex tensor : list) {
                row.bytes += model.tensor(tensor).bytes.value_or(0);
            }
            row.cells[tensors.columns[block]] = cellOf(model, std::move(list));
        }
        panel.rows.push_back(std::move(row));
    }
    return panel;
}

QString looseDetail(const TensorInfo& tensor, const TensorName& name, bool tied) {
    const QString size = tensor.bytes ? formatBytes(*tensor.bytes) : Words::tr("size not known");
    return tied && name.role == "token_embd" && name.suffix == "weight"
               ? Words::tr("%1, also the output (tied)").arg(size)
               : size;
}

QString panelName(std::string_view prefix) {
    while (prefix.ends_with('.')) {
        prefix.remove_suffix(1);
    }
    return headText(prefix, kNameBytes);
}

} // namespace

Result<std::shared_ptr<const Overview>> summarise(std::shared_ptr<const Model> model, const JobContext& job) {
    auto overview = std::make_shared<Overview>();
    overview->totals = model->totals();
    overview->typeShares = model->typeShares();
    overview->presentBytes = presentBytes(*model);
    for (const ModelFile& file : model->files) {
        overview->headerBytes += file.headerBytes;
    }
    const std::shared_ptr<const Model> described = convert::describe(model);
    overview->facts = overviewFacts(*described, overview->totals);
    overview->shape = shapeRows(*described);
    overview->kind = kindText(*described);
    const bool tied = hasTiedOutput(*described);

    std::map<QString, PanelTensors> panels; // the panel without a name comes first
    job.start(model->tensors.size());
    for (std::size_t i = 0; i < model->tensors.size(); ++i) {
        if (i % 1024 == 0 && job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        job.advance(1);
        const TensorInfo& tensor = model->tensors[i];
        const TensorName name = parseTensorName(tensor.name);
        if (!name.block) {
            if (overview->loose.size() < Overview::kMaxLoose) {
                overview->loose.push_back({headText(tensor.name, kNameBytes), looseDetail(tensor, name, tied),
                                           cellOf(*model, {TensorIndex(i)})});
            } else {
                ++overview->notShown;
            }
            continue;
        }
        const QString part = panelName(name.prefix);
        if (!panels.contains(part) && panels.size() == Overview::kMaxPanels) {
            ++overview->notShown;
            continue;
        }
        PanelTensors& panel = panels[part];
        const RoleKey key = roleKey(name.role, name.fact);
        if ((!panel.rows.contains(key) && panel.rows.size() == MapPanel::kMaxRows) ||
            (!panel.columns.contains(*name.block) && panel.columns.size() == MapPanel::kMaxBlocks)) {
            ++overview->notShown;
            continue;
        }
        panel.columns.try_emplace(*name.block, 0);
        panel.rows[key][*name.block].push_back(TensorIndex(i));
    }
    for (auto& [name, tensors] : panels) {
        overview->panels.push_back(panelOf(*model, name, std::move(tensors)));
    }
    overview->model = std::move(model);
    return overview;
}

QString modelTitle(const Model& model) {
    const QString name = headText(model.metadata.string("general.name").value_or(std::string_view()), kNameBytes);
    return name.trimmed().isEmpty() ? displayText(model.path().filename().native()) : name;
}

QStringList describeTensor(const Model& model, TensorIndex index) {
    const TensorInfo& tensor = model.tensor(index);
    const QString type = QString::fromStdString(tensor.typeName());
    const auto bits = tensor.bitsPerWeight();
    return {headText(tensor.name, kNameBytes),
            bits ? Words::tr("%1, %2 bits/weight").arg(type, formatBitsPerWeight(*bits)) : type,
            QStringLiteral("%1, %2").arg(formatShape(tensor.shape),
                                         tensor.bytes ? formatBytes(*tensor.bytes) : Words::tr("size not known"))};
}

QString overviewText(const Overview& overview, CopyFormat format, Figures figures) {
    const Model& model = *overview.model;
    const auto table = [format](const QStringList& header, const QList<QStringList>& rows) {
        return tableText(format, header, rows) + u'\n';
    };
    const bool markdown = format == CopyFormat::Markdown;
    QString text = (markdown ? QStringLiteral("# %1\n\n`%2`\n\n") : QStringLiteral("%1\n%2\n\n"))
                       .arg(modelTitle(model), displayPath(model.path()));
    QList<QStringList> rows;
    const bool rounded = figures == Figures::Rounded;
    const auto count = [rounded](std::uint64_t number) {
        return rounded ? formatCount(number) : QString::number(number);
    };
    for (const OverviewFact& fact : overview.facts) {
        const QString shown = QStringLiteral("%1 %2").arg(fact.value, fact.unit).trimmed();
        rows << QStringList{fact.label, rounded || fact.exact.isEmpty() ? shown : fact.exact,
                            rounded || fact.exact.isEmpty() ? fact.detail : plainFigure(fact.detail)};
    }
    text += table({Words::tr("Fact"), Words::tr("Value"), Words::tr("Detail")}, rows);
    rows.clear();
    for (const Model::TypeShare& share : overview.typeShares) {
        rows << QStringList{QString::fromStdString(share.name), count(share.tensors), count(share.weights),
                            rounded ? shareSizeText(share, overview.presentBytes)
                                    : QString::number(overview.presentBytes.at(share.name))};
    }
    if (!rows.isEmpty()) {
        text += table({Words::tr("Type"), Words::tr("Tensors"), Words::tr("Weights"), Words::tr("Size")}, rows);
    }
    rows.clear();
    for (const OverviewRow& row : overview.shape) {
        rows << QStringList{row.label, rounded ? row.value : row.exact};
    }
    if (!rows.isEmpty()) {
        text += table({Words::tr("Shape"), QString()}, rows);
    }
    for (const MapPanel& panel : overview.panels) {
        if (panel.rows.size() * panel.blocks.size() > kMaxCopiedCells) {
            continue;
        }
        QStringList header{panel.name.isEmpty() ? Words::tr("Block") : Words::tr("Block (%1)").arg(panel.name)};
        for (const MapRow& row : panel.rows) {
            header << row.role;
        }
        rows.clear();
        for (std::size_t column = 0; column < panel.blocks.size(); ++column) {
            QStringList cells{QString::number(panel.blocks[column])};
            for (const MapRow& row : panel.rows) {
                const MapCell& cell = row.cells[column];
                cells << (cell.tensors.empty() ? QString()
                                               : QString::fromStdString(model.tensor(cell.tensors.front()).typeName()));
            }
            rows << cells;
        }
        text += table(header, rows);
    }
    return text;
}

} // namespace gufo::ui
