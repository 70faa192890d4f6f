// The matched tensors laid out by block and role, as the quality map shows them: which rows of the matches stand in
// which cell. Made in a job; immutable.
#pragma once

#include "analysis/compare/match_tensors.h"
#include "base/job_context.h"

#include <QString>
#include <QStringList>

#include <limits>
#include <memory>
#include <set>
#include <vector>

namespace gufo::ui {

struct MapGridOptions {
    bool vectors = false;         // also roles that have no matrix anywhere: norms, biases
    std::set<QString> unfolded{}; // MapGridRow::id of roles that are shown expert by expert
    bool operator==(const MapGridOptions&) const = default;
};

struct MapGridRow {
    QString id; // of the role in its panel
    QString label;
    bool startsGroup = false; // a gap before it: attention | feed-forward …
    bool hasExperts = false;  // can be unfolded
    bool unfolded = false;    // the rows after it are its experts
    bool ofExpert = false;
    std::size_t firstCell = 0; // of MapGrid::cells; one for each block
};

struct MapGridPanel { // one part of a model: the only one of most, or encoder, decoder, projector
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
    struct Loose { // outside all blocks
        QString label;
        std::size_t cell = 0;
    };
    std::vector<Loose> loose;
    std::vector<std::vector<std::uint32_t>> cells; // rows of the matches, those of matrices first
    std::vector<std::uint32_t> cellOf;             // by row of the matches; kNoCell
    // With experts unfolded, a row stands in the cell of its expert and in that of all.
    std::vector<std::uint32_t> sumCellOf; // by row; kNoCell
    std::size_t vectorRows = 0;           // rows of the matches left out as vectors
    std::size_t notShown = 0;             // beyond the limits above
};

// Errors: Cancelled.
[[nodiscard]] Result<std::shared_ptr<const MapGrid>> layOutMap(const TensorMatches& matches,
                                                               const MapGridOptions& options, const JobContext& job);

} // namespace gufo::ui
