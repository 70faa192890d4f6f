#include "ui/report/map_grid.h"

#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/report/block_layout.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <numeric>

namespace gufo::ui {
namespace {

constexpr std::size_t kNameBytes = 120;

class MapWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::MapGrid)
};

struct Cells {
    std::map<std::uint32_t, std::vector<std::uint32_t>> byBlock;                         // rows of the matches by block
    std::map<std::uint32_t, std::map<std::uint32_t, std::vector<std::uint32_t>>> expert; // the same by expert
    bool matrix = false;
};

struct PanelRows {
    std::map<RoleKey, Cells> roles;
    std::set<std::uint32_t> blocks;
};

bool isMatrix(const TensorMatches& matches, const TensorMatch& match) {
    for (std::size_t m = 0; m < match.cells.size(); ++m) {
        if (match.has(m)) {
            const Shape& shape = matches.models[m]->tensor(match.cells[m].part.tensor).shape;
            if (shape.count() > 1 && shape[0] > 1 && shape.rows().value_or(0) > 1) {
                return true;
            }
        }
    }
    return false;
}

class GridLayout {
public:
    GridLayout(const TensorMatches& matches, const MapGridOptions& options)
        : m_matches(matches) {
        m_grid->options = options;
        m_grid->cellOf.assign(matches.rows.size(), MapGrid::kNoCell);
        m_grid->sumCellOf.assign(matches.rows.size(), MapGrid::kNoCell);
        m_matrix.reserve(matches.rows.size());
    }

    Result<> sort(const JobContext& job, const std::function<bool(std::size_t)>& wanted) {
        for (std::size_t i = 0; i < m_matches.rows.size(); ++i) {
            if (i % 1024 == 0) {
                GUFO_TRY(job.check());
            }
            m_matrix.push_back(isMatrix(m_matches, m_matches.rows[i]));
            if (!wanted || wanted(i)) {
                place(static_cast<std::uint32_t>(i));
            }
        }
        return {};
    }

    std::shared_ptr<const MapGrid> finish() {
        for (auto& [name, rows] : m_panels) {
            addPanel(name, rows);
        }
        return std::move(m_grid);
    }

private:
    void place(std::uint32_t row) {
        const TensorMatch& match = m_matches.rows[row];
        if (!match.block) {
            if (match.expert || match.part) { // a tensor outside of blocks has one cell for all its rows
                const auto known =
                    std::ranges::find(m_grid->loose, headText(match.name, kNameBytes), &MapGrid::Loose::label);
                if (known != m_grid->loose.end()) {
                    addToCell(known->cell, row);
                    return;
                }
            }
            if (m_grid->loose.size() == MapGrid::kMaxLoose) {
                ++m_grid->notShown;
                return;
            }
            m_grid->loose.push_back({headText(match.name, kNameBytes), m_grid->cells.size()});
            m_grid->cells.emplace_back();
            addToCell(m_grid->cells.size() - 1, row);
            return;
        }
        QString part = headText(match.prefix, kNameBytes);
        while (part.endsWith(u'.')) {
            part.chop(1);
        }
        if (!m_panels.contains(part) && m_panels.size() == MapGrid::kMaxPanels) {
            ++m_grid->notShown;
            return;
        }
        PanelRows& panel = m_panels[part];
        const RoleKey key = roleKey(match.role, match.fact);
        if ((!panel.roles.contains(key) && panel.roles.size() == MapGridPanel::kMaxRows) ||
            (!panel.blocks.contains(*match.block) && panel.blocks.size() == MapGridPanel::kMaxBlocks)) {
            ++m_grid->notShown;
            return;
        }
        panel.blocks.insert(*match.block);
        Cells& cells = panel.roles[key];
        cells.matrix = cells.matrix || m_matrix[row];
        cells.byBlock[*match.block].push_back(row);
        if (match.expert) {
            cells.expert[*match.expert][*match.block].push_back(row);
        }
    }

    void addToCell(std::size_t cell, std::uint32_t row) {
        auto& rows = m_grid->cells[cell];
        if (m_matrix[row]) {
            rows.insert(std::ranges::find_if(rows, [this](std::uint32_t other) { return !m_matrix[other]; }), row);
        } else {
            rows.push_back(row);
        }
        (m_grid->cellOf[row] == MapGrid::kNoCell ? m_grid->cellOf : m_grid->sumCellOf)[row] =
            static_cast<std::uint32_t>(cell);
    }

    std::size_t addCells(const std::map<std::uint32_t, std::vector<std::uint32_t>>& byBlock,
                         const std::vector<std::uint32_t>& blocks) {
        const std::size_t first = m_grid->cells.size();
        m_grid->cells.resize(first + blocks.size());
        for (const auto& [block, rows] : byBlock) {
            const auto column = static_cast<std::size_t>(std::ranges::lower_bound(blocks, block) - blocks.begin());
            for (const std::uint32_t row : rows) {
                addToCell(first + column, row);
            }
        }
        return first;
    }

    void addPanel(const QString& name, const PanelRows& rows) {
        MapGridPanel panel;
        panel.name = name;
        const std::uint32_t last = rows.blocks.empty() ? 0 : *rows.blocks.rbegin();
        if (const auto shown = blocksOfMap(last, rows.blocks.size(), MapGridPanel::kMaxBlocks)) {
            panel.blocks.resize(shown);
            std::iota(panel.blocks.begin(), panel.blocks.end(), 0U);
        } else {
            panel.blocks.assign(rows.blocks.begin(), rows.blocks.end());
        }
        const bool anyMatrix = std::ranges::any_of(rows.roles, [](const auto& role) { return role.second.matrix; });
        std::optional<BlockPart> part;
        for (const auto& [key, cells] : rows.roles) {
            if (anyMatrix && !cells.matrix && !m_grid->options.vectors) {
                for (const auto& [block, list] : cells.byBlock) {
                    m_grid->vectorRows += list.size();
                }
                continue;
            }
            MapGridRow row;
            row.label = headText(std::get<2>(key), kNameBytes);
            row.id = name + u'/' + row.label;
            row.startsGroup = part && *part != std::get<0>(key);
            part = std::get<0>(key);
            row.hasExperts = cells.expert.size() > 1;
            row.unfolded = row.hasExperts && m_grid->options.unfolded.contains(row.id);
            // Expert rows come first, so that cellOf refers to them, and the cell of all experts comes second.
            std::vector<MapGridRow> experts;
            for (const auto& [expert, byBlock] : cells.expert) {
                if (!row.unfolded || panel.rows.size() + experts.size() + 2 > MapGridPanel::kMaxRows) {
                    break;
                }
                MapGridRow one;
                one.label = MapWords::tr("expert %1").arg(expert);
                one.id = row.id;
                one.ofExpert = true;
                one.firstCell = addCells(byBlock, panel.blocks);
                experts.push_back(std::move(one));
            }
            row.firstCell = addCells(cells.byBlock, panel.blocks);
            panel.rows.push_back(std::move(row));
            std::ranges::move(experts, std::back_inserter(panel.rows));
        }
        if (!panel.rows.empty()) {
            m_grid->panels.push_back(std::move(panel));
        }
    }

    const TensorMatches& m_matches;
    std::shared_ptr<MapGrid> m_grid = std::make_shared<MapGrid>();
    std::map<QString, PanelRows> m_panels; // the panel without a name comes first
    std::vector<bool> m_matrix;            // indexed by row
};

} // namespace

Result<std::shared_ptr<const MapGrid>> layOutMap(const TensorMatches& matches, const MapGridOptions& options,
                                                 const JobContext& job,
                                                 const std::function<bool(std::size_t)>& wanted) {
    GridLayout layout(matches, options);
    GUFO_TRY(layout.sort(job, wanted));
    return layout.finish();
}

} // namespace gufo::ui
