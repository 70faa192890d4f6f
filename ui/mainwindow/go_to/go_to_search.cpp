#include "ui/mainwindow/go_to/go_to_search.h"

#include "base/ascii.h"
#include "model/array_index.h"
#include "model/token.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <tuple>

namespace gufo::ui {
namespace {

constexpr int kNotLiteral = 4; // the words match, but not the text as it is

bool isPart(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
}

// Calls `at` with each place of a lower-case word in a name until it returns false.
void forEachPlace(std::string_view name, std::string_view word, const std::function<bool(std::size_t)>& at) {
    const auto equal = [](char a, char b) { return asciiLower(a) == b; };
    for (std::size_t from = 0; from + word.size() <= name.size();) {
        const auto found = std::ranges::search(name.substr(from), word, equal);
        if (found.empty()) {
            return;
        }
        const auto place = static_cast<std::size_t>(found.begin() - name.begin());
        if (!at(place)) {
            return;
        }
        from = place + 1;
    }
}

// 0: the word is a whole part of the name, 1: it begins one, 2: it is inside of one.
std::optional<int> wordQuality(std::string_view name, std::string_view word) {
    std::optional<int> best;
    forEachPlace(name, word, [&](std::size_t at) {
        const std::size_t end = at + word.size();
        const bool begins = at == 0 || !isPart(name[at - 1]) || !isPart(word.front());
        const bool ends = end == name.size() || !isPart(name[end]) || !isPart(word.back());
        best = std::min(best.value_or(2), begins ? (ends ? 0 : 1) : 2);
        return *best != 0;
    });
    return best;
}

using Rank = std::tuple<int, std::size_t, std::size_t>; // quality of the match, length, order
std::optional<Rank> rankOf(std::string_view name, const WordMatcher& matcher, std::size_t order) {
    const auto quality = matcher.match(name);
    return quality ? std::optional(Rank{*quality, name.size(), order}) : std::nullopt;
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

Result<Best> searchTokens(const Model& model, const std::string& text, const WordMatcher& matcher,
                          const JobContext& job) {
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
        if (const auto rank = rankOf(token, matcher, i)) {
            best.offer(*rank, [&] { return tokenHit(token, i); });
        }
    }
    return best;
}

} // namespace

WordMatcher::WordMatcher(std::string_view text) {
    constexpr std::string_view kSpaces = " \t";
    for (std::size_t at = text.find_first_not_of(kSpaces); at != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(kSpaces, at), text.size());
        std::string& word = m_words.emplace_back(text.substr(at, end - at));
        std::ranges::transform(word, word.begin(), asciiLower);
        at = text.find_first_not_of(kSpaces, end);
    }
    for (std::size_t i = 0; i < m_words.size(); ++i) {
        m_text += (i == 0 ? "" : " ") + m_words[i];
    }
}

std::optional<int> WordMatcher::match(std::string_view name) const {
    std::optional<std::size_t> literal;
    forEachPlace(name, m_text, [&](std::size_t at) {
        literal = at;
        return false;
    });
    if (literal) {
        const bool wordStart =
            *literal > 0 && (name[*literal - 1] == '.' || name[*literal - 1] == '_' || name[*literal - 1] == ' ');
        return name.size() == m_text.size() ? 0 : *literal == 0 ? 1 : wordStart ? 2 : 3;
    }
    int quality = kNotLiteral;
    for (const std::string& word : m_words) {
        const auto one = wordQuality(name, word);
        if (!one) {
            return std::nullopt;
        }
        quality += *one;
    }
    return quality;
}

bool WordMatcher::beginsWords(std::string_view name) const {
    return std::ranges::all_of(m_words, [name](const std::string& word) {
        const auto quality = wordQuality(name, word);
        return quality && *quality < 2;
    });
}

Result<std::vector<GoToHit>> searchModel(const Model& model, const std::string& text, const JobContext& job) {
    std::vector<GoToHit> hits;
    const WordMatcher wanted(text);
    if (wanted.empty()) {
        return hits;
    }
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
    auto tokens = GUFO_TRY(searchTokens(model, text, wanted, job));
    tokens.appendTo(hits);
    return hits;
}

} // namespace gufo::ui
