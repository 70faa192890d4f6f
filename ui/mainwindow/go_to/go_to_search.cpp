#include "ui/mainwindow/go_to/go_to_search.h"

#include "base/ascii.h"
#include "model/array_index.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <tuple>

namespace gufo::ui {
namespace {

constexpr std::string_view kTokensKey = "tokenizer.ggml.tokens";

// How well a name matches; less is better. Empty if the name does not contain the text, which must be in lower case.
using Rank = std::tuple<int, std::size_t, std::size_t>; // kind of match, length, order
std::optional<Rank> rankOf(std::string_view name, std::string_view text, std::size_t order) {
    const auto it = std::ranges::search(name, text, [](char a, char b) { return asciiLower(a) == b; });
    if (it.begin() == name.end()) {
        return {};
    }
    const auto at = static_cast<std::size_t>(it.begin() - name.begin());
    const bool wordStart = at > 0 && (name[at - 1] == '.' || name[at - 1] == '_' || name[at - 1] == ' ');
    const int quality = name.size() == text.size() ? 0 : at == 0 ? 1 : wordStart ? 2 : 3;
    return Rank{quality, name.size(), order};
}

// Keeps the best few hits.
class Best {
public:
    void offer(const Rank& rank, const std::function<GoToHit()>& make) {
        if (m_hits.size() == kMaxHitsPerKind && rank >= m_hits.back().first) {
            return;
        }
        const auto at = std::ranges::upper_bound(m_hits, rank, {}, [](const auto& hit) { return hit.first; });
        m_hits.insert(at, {rank, make()});
        if (m_hits.size() > kMaxHitsPerKind) {
            m_hits.pop_back();
        }
    }
    void appendTo(std::vector<GoToHit>& hits) const {
        for (const auto& [rank, hit] : m_hits) {
            hits.push_back(hit);
        }
    }

private:
    std::vector<std::pair<Rank, GoToHit>> m_hits;
};

GoToHit tokenHit(std::string_view text, std::uint64_t id) {
    return {.kind = GoToHit::Kind::Token, .name = std::string(text), .place = Place::token(id)};
}

Result<Best> searchTokens(const Model& model, const std::string& text, const JobContext& job) {
    Best best;
    const ArrayView* tokens = model.metadata.array(kTokensKey);
    if (tokens == nullptr || tokens->elementType != ValueType::String) {
        return best;
    }
    auto index = ArrayIndex::build(*tokens, job);
    if (!index) {
        return index.error().code == ErrorCode::Cancelled ? Result<Best>(std::unexpected(index.error())) : best;
    }
    std::uint64_t id = 0;
    const auto [end, parsed] = std::from_chars(text.data(), text.data() + text.size(), id);
    const bool byId = parsed == std::errc() && end == text.data() + text.size() && id < index->size();
    if (byId) {
        best.offer(Rank{-1, 0, 0}, [&] { return tokenHit(asString(index->at(id)).value_or(""), id); });
    }
    constexpr std::uint64_t kAskEvery = 4096;
    for (std::uint64_t i = 0; i < index->size(); ++i) {
        if (i % kAskEvery == 0 && job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        if (byId && i == id) {
            continue; // already in the first position
        }
        const auto token = asString(index->at(i)).value_or("");
        if (const auto rank = rankOf(token, text, i)) {
            best.offer(*rank, [&] { return tokenHit(token, i); });
        }
    }
    return best;
}

} // namespace

Result<std::vector<GoToHit>> searchModel(const Model& model, const std::string& text, const JobContext& job) {
    std::vector<GoToHit> hits;
    if (text.empty()) {
        return hits;
    }
    std::string wanted = text;
    std::ranges::transform(wanted, wanted.begin(), asciiLower);
    Best keys;
    std::size_t order = 0;
    for (const KeyValue& entry : model.metadata) {
        if (const auto rank = rankOf(entry.key, wanted, order++)) {
            keys.offer(*rank, [&] {
                return GoToHit{.kind = GoToHit::Kind::Key,
                               .name = std::string(entry.key),
                               .place = Place::key(std::string(entry.key))};
            });
        }
    }
    keys.appendTo(hits);
    Best tensors;
    order = 0;
    for (const TensorInfo& tensor : model.tensors) {
        if (const auto rank = rankOf(tensor.name, wanted, order++)) {
            tensors.offer(*rank, [&] {
                return GoToHit{.kind = GoToHit::Kind::Tensor,
                               .name = std::string(tensor.name),
                               .place = Place::tensor(std::string(tensor.name))};
            });
        }
    }
    tensors.appendTo(hits);
    auto tokens = GUFO_TRY(searchTokens(model, wanted, job));
    tokens.appendTo(hits);
    return hits;
}

} // namespace gufo::ui
