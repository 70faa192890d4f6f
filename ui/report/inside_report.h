// What was recorded inside a run (inference/measuring/inside.h) as arrays for other programs, for the window and the
// console. The last dimension varies fastest.
//
//   attention  [head][query][key] of one block
//   lens       [block][token][candidate]: records of `id` and `probability`
//   experts    [block][token][used]: records of `id` and `weight`, for the blocks that have experts
//   norms      [block][token]: records of `stream`, `mixer`, `feed_forward`, `largest` and `channel`
//
// Of two models (inference/measuring/inside_difference.h), attention is the difference B − A, and the records of the
// others have the fields of both: `id_a`, `probability_a`, `id_b`, `probability_b`.
#pragma once

#include "inference/measuring/inside_difference.h"
#include "ui/report/json_writer.h"

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace gufo::ui {

enum class InsideView : std::uint8_t { Attention, Lens, Experts, Norms };
inline constexpr std::array kInsideViews{InsideView::Attention, InsideView::Lens, InsideView::Experts,
                                         InsideView::Norms};

[[nodiscard]] std::string_view insideViewName(InsideView view); // "attention"
[[nodiscard]] std::optional<InsideView> insideViewFromName(std::string_view name);
// Whether it was recorded. The other functions may only be called for a view that was.
[[nodiscard]] bool hasView(const inference::Inside& inside, InsideView view);

// Errors: the errors of OutputFile.
[[nodiscard]] Result<> writeInsideNpy(const inference::Inside& inside, InsideView view,
                                      const std::filesystem::path& path);
// A line for each row of the array: its indexes, and the values there. Attention has a column for each key.
[[nodiscard]] Result<> writeInsideCsv(const inference::Inside& inside, InsideView view,
                                      const std::filesystem::path& path);

// The same tokens in two models.
struct InsidePair {
    const inference::Inside& a;
    const inference::Inside& b;
};
// Whether the models have as many blocks, and tokens with the same texts. Errors: InvalidArgument with the reason as a
// text; the errors of insideShape() and Vocabulary::read().
[[nodiscard]] Result<> checkInsidePair(const Model& a, const Model& b, const JobContext& job);
// Whether both recorded the view, and for as many heads or experts.
[[nodiscard]] bool hasView(const InsidePair& pair, InsideView view);
[[nodiscard]] Result<> writeInsideNpy(const InsidePair& pair, InsideView view, const std::filesystem::path& path);
[[nodiscard]] Result<> writeInsideCsv(const InsidePair& pair, InsideView view, const std::filesystem::path& path);

// Members of the current object, as app/cli/JSON.md lists them.
void writeInsideJson(const inference::Inside& inside, InsideView view, JsonWriter& json);
void writeInsideJson(const InsidePair& pair, InsideView view, JsonWriter& json);

// "feed_forward"
[[nodiscard]] const char* streamPartName(inference::StreamSizes::Part part);

} // namespace gufo::ui
