// The places of the cells in a map of blocks × roles, for widgets and for HTML.
#pragma once

#include "model/tensor_role.h"

#include <QPoint>
#include <QRect>

#include <cstddef>
#include <string_view>
#include <tuple>
#include <vector>

namespace gufo::ui {

// The part of a block that a role belongs to; a map leaves a gap between parts.
enum class BlockPart : std::uint8_t { Attention, Recurrent, FeedForward, Other };
[[nodiscard]] BlockPart blockPartOf(std::string_view role, const RoleFact* fact);

// The sort key of a role: its part, then its position in the table of roles, then its name.
using RoleKey = std::tuple<BlockPart, int, std::string_view>;
[[nodiscard]] RoleKey roleKey(std::string_view role, const RoleFact* fact);

// The number of blocks, from 0 on, that have a column in a map, so that missing blocks leave gaps. 0: only the blocks
// that exist have one, because a few have very large numbers, as damaged names have them. `last` is the largest number
// of the `present` blocks; a map has at most `most` columns.
[[nodiscard]] std::uint32_t blocksOfMap(std::uint32_t last, std::size_t present, std::size_t most);

// The blocks of a panel wrap into bands if they do not fit side by side, and the tensors outside of blocks are below.
struct BlockLayout {
    struct Panel {                      // a part of a model: its only one, or encoder, decoder, projector
        std::size_t columns = 0;        // blocks
        std::size_t columnsPerBand = 1; // at most
        std::vector<bool> gaps{};       // by row: whether a gap precedes it
        bool titled = false;
    };
    // Blocks of a panel in one line. Positions are relative to the map.
    struct Band {
        std::size_t panel = 0;
        std::size_t firstColumn = 0;
        std::size_t columns = 0;
        int top = 0;
        bool titled = false;        // shows the panel's name above
        bool last = false;          // of its panel
        std::vector<int> rowTops{}; // and one past the last, for the block numbers
    };
    struct Map {
        std::size_t file = 0;
        QPoint at;
        bool first = true; // in its row of maps: shows the names of roles
    };
    struct Gaps {
        int title = 0; // height of a panel's name
        int group = 0;
        int band = 0;     // after a band, besides the last one of all
        int lastBand = 0; // after this
        int axis = 0;     // height of the line with block numbers
    };

    int labels = 0;    // width of the names of roles
    int cell = 1;      // width of a column including the gap
    int rowHeight = 1; // including the gap
    int width = 0;     // of a map
    int height = 0;    // of a map
    int total = 0;     // height of everything
    int after = 0;     // the right edge of the cells, beside which a widget may draw
    std::vector<Panel> panels{};
    std::vector<Band> bands{};
    std::vector<QRect> loose{}; // swatch and text of each tensor outside of blocks
    int swatch = 0;
    std::vector<Map> maps{};

    // Adds the bands of the panels from `y` on. Returns the position below.
    int addBands(int y, const Gaps& gaps);
    // A cell without the gap after it, relative to the map.
    [[nodiscard]] QRect cellOf(const Band& band, std::size_t row, std::size_t column) const;
};

} // namespace gufo::ui
