#include "ui/report/block_layout.h"

#include <algorithm>
#include <initializer_list>

namespace gufo::ui {
namespace {

bool hasOneOf(std::string_view role, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return role.find(word) != role.npos; });
}

// Derives the part from the name of a role that is not in the table. Other containers than GGUF have such roles.
BlockPart partByName(std::string_view role) {
    return hasOneOf(role, {"mlp", "feed_forward", "feedforward", "moe", "experts"}) ? BlockPart::FeedForward
           : hasOneOf(role, {"attn", "attention", "Attention"})                     ? BlockPart::Attention
                                                                                    : BlockPart::Other;
}

} // namespace

BlockPart blockPartOf(std::string_view role, const RoleFact* fact) {
    if (role.starts_with("ffn") || role.starts_with("post_ffw") || role.starts_with("layer_output_norm")) {
        return BlockPart::FeedForward;
    }
    if (fact == nullptr) {
        return partByName(role);
    }
    switch (fact->group) {
    case TensorGroup::FeedForward:
        return BlockPart::FeedForward;
    case TensorGroup::Recurrent:
        return BlockPart::Recurrent;
    case TensorGroup::Attention:
    case TensorGroup::Norm:
        return BlockPart::Attention;
    case TensorGroup::Embedding:
    case TensorGroup::Output:
    case TensorGroup::Other:
        break;
    }
    return role.starts_with("attn") ? BlockPart::Attention : BlockPart::Other;
}

RoleKey roleKey(std::string_view role, const RoleFact* fact) {
    return {blockPartOf(role, fact), fact != nullptr ? int{fact->order} : 1000, role};
}

std::uint32_t blocksOfMap(std::uint32_t last, std::size_t present, std::size_t most) {
    constexpr std::size_t kFew = 256;
    const std::uint64_t end = std::uint64_t{last} + 1;
    return end <= std::min(most, std::max(kFew, 4 * present)) ? static_cast<std::uint32_t>(end) : 0;
}

int BlockLayout::addBands(int y, const Gaps& gaps) {
    for (std::size_t p = 0; p < panels.size(); ++p) {
        const Panel& panel = panels[p];
        for (std::size_t first = 0; first < panel.columns; first += panel.columnsPerBand) {
            Band band{.panel = p,
                      .firstColumn = first,
                      .columns = std::min(panel.columnsPerBand, panel.columns - first),
                      .top = y,
                      .titled = panel.titled && first == 0,
                      .last = first + panel.columnsPerBand >= panel.columns};
            y += band.titled ? gaps.title : 0;
            for (const bool gap : panel.gaps) {
                y += gap ? gaps.group : 0;
                band.rowTops.push_back(y);
                y += rowHeight;
            }
            band.rowTops.push_back(y);
            y += gaps.axis + (band.last && p + 1 == panels.size() ? gaps.lastBand : gaps.band);
            bands.push_back(std::move(band));
        }
    }
    return y;
}

QRect BlockLayout::cellOf(const Band& band, std::size_t row, std::size_t column) const {
    return {static_cast<int>(column) * cell, band.rowTops[row], cell - 1, rowHeight - 1};
}

} // namespace gufo::ui
