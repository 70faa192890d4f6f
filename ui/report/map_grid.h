// Assigns the rows of a comparison to the cells of a map of blocks × roles. The quality map of the window and the map
// of the HTML report share it. Immutable.
#pragma once

#include "analysis/compare/match_tensors.h"
#include "base/job_context.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <vector>

namespace gufo::ui {

struct MapGridOptions {
    bool vectors = false;         // include roles without any matrix: norms, biases
    std::set<QString> unfolded{}; // MapGridRow::id of roles whose experts are shown separately
    bool operator==(const MapGridOptions&) const = default;
};

struct MapGridRow {
    QString id; // identifies the role within its panel
    QString label;
    bool startsGroup = false; // preceded by a gap: attention | feed-forward …
    bool hasExperts = false;  // can be unfolded
    bool unfolded = false;    // the following rows are its experts
    bool ofExpert = false;
    std::size_t firstCell = 0; // index into MapGrid::cells; one cell per block
};

struct MapGridPanel { // a part of a model: its only one, or encoder, decoder, projector
    static constexpr std::size_t kMaxBlocks = 2048;
    static constexpr std::size_t kMaxRows = 640;
    QString name;
    std::vector<std::uint32_t> blocks;
    std::vector<MapGridRow> rows;
};

struct MapGrid {
    static constexpr std::size_t kMaxPanels = 8;
    static constexpr std::size_t kMaxLoose = 32;
    static constexpr std::uint32_t kNoCell = std::numeric_limits<std::uint32_t>::max();

    MapGridOptions options;
    std::vector<MapGridPanel> panels;
    struct Loose { // outside of blocks
        QString label;
        std::size_t cell = 0;
    };
    std::vector<Loose> loose;
    std::vector<std::vector<std::uint32_t>> cells; // rows of the matches per cell, matrices first
    std::vector<std::uint32_t> cellOf;             // indexed by row of the matches; may be kNoCell
    // If experts are unfolded, a row belongs to the cell of its expert and to the cell of all experts.
    std::vector<std::uint32_t> sumCellOf; // indexed by row; may be kNoCell
    std::size_t vectorRows = 0;           // number of rows left out because they are vectors
    std::size_t notShown = 0;             // number of rows beyond the limits above
};

// Leaves out the rows of the matches that are not `wanted`; without it, all rows are. Errors: Cancelled.
[[nodiscard]] Result<std::shared_ptr<const MapGrid>> layOutMap(const TensorMatches& matches,
                                                               const MapGridOptions& options, const JobContext& job,
                                                               const std::function<bool(std::size_t)>& wanted = {});

} // namespace gufo::ui
