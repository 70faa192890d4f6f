// The search of the go-to field: finds keys, tensors and tokens of a model by parts of their name.
#pragma once

#include "base/job_context.h"
#include "hub/model_place.h"
#include "model/model.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::ui {

struct GoToHit {
    enum class Kind : std::uint8_t { Page, Key, Tensor, Token, Address, Command };
    Kind kind = Kind::Page;
    std::string name; // as bytes; for tokens, their text; for a model on a server, its address
    Place place;      // unused for pages, addresses and commands
    int number = 0;   // of the page or command
    hub::ModelPlace address{};
};

// How well a name matches the words of a text, which may stand in any order; less is better. Letters of ASCII match in
// both cases. Names that contain the text as it is come first: equal names, then names that begin with it, then names
// in which a word begins with it. Among the others, names in which the words are whole parts come first: for "3",
// "blk.3" precedes "blk.13".
class WordMatcher {
public:
    explicit WordMatcher(std::string_view text);
    [[nodiscard]] bool empty() const { return m_words.empty(); }
    [[nodiscard]] std::optional<int> match(std::string_view name) const;
    // Whether each of the words begins a word of the name.
    [[nodiscard]] bool beginsWords(std::string_view name) const;

private:
    std::string m_text; // in lower case, without spaces around it
    std::vector<std::string> m_words;
};

// Returns the best few hits of each kind: by how well they match, then by length and file order. A number also finds
// the token with that id. May take 10 ms for a large vocabulary, so it is not for the UI thread. Error: Cancelled.
inline constexpr std::size_t kMaxHitsPerKind = 6;
[[nodiscard]] Result<std::vector<GoToHit>> searchModel(const Model& model, const std::string& text,
                                                       const JobContext& job);

} // namespace gufo::ui
