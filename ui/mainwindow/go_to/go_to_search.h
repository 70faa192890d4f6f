// The search of the go-to field: finds keys, tensors and tokens of a model by a part of their name.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <memory>
#include <string>
#include <vector>

namespace gufo::ui {

struct GoToHit {
    enum class Kind : std::uint8_t { Page, Key, Tensor, Token, Address };
    Kind kind = Kind::Page;
    std::string name; // as bytes; for tokens, their text; the address of a model on a server
    Place place;      // unused for pages and addresses
    int page = 0;     // used for pages only
};

// Returns the best few hits of each kind: whole matches first, then prefixes, then the rest, each by length and file
// order. ASCII case is ignored. A number also finds the token with that id. May take 10 ms for a large vocabulary, so
// it is not for the UI thread. Error: Cancelled.
inline constexpr std::size_t kMaxHitsPerKind = 6;
[[nodiscard]] Result<std::vector<GoToHit>> searchModel(const Model& model, const std::string& text,
                                                       const JobContext& job);

} // namespace gufo::ui
