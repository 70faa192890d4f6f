// Finds keys, tensors and tokens of a model by a part of their name; the search behind the go-to field.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <memory>
#include <string>
#include <vector>

namespace gufo::ui {

struct GoToHit {
    enum class Kind : std::uint8_t { Page, Key, Tensor, Token };
    Kind kind = Kind::Page;
    std::string name; // bytes; the text of a token
    Place place;      // not for pages
    int page = 0;     // pages only
};

// The best few of each kind: whole matches first, then beginnings, then the rest, each by length and order in the
// file. Letter case is ignored for ASCII. A number also finds the token of that id. May take 10 ms for a large
// vocabulary: not for the UI thread. Error: Cancelled.
inline constexpr std::size_t kMostHitsOfAKind = 6;
[[nodiscard]] Result<std::vector<GoToHit>> searchModel(const Model& model, const std::string& text,
                                                       const JobContext& job);

} // namespace gufo::ui
