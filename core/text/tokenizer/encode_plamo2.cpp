#include "text/tokenizer/byte_trie.h"
#include "text/tokenizer/characters.h"
#include "text/tokenizer/encoder.h"

#include <cmath>
#include <limits>

namespace gufo::text {
namespace {

constexpr std::int64_t kUnknownCost = 10'000'000;
constexpr std::int64_t kUnusableCost = 20'000'000; // of tokens that never represent text
constexpr double kCostPerScore = 1e4;

class Plamo2Encoder final : public Encoder {
public:
    explicit Plamo2Encoder(const Vocabulary& vocabulary)
        : m_vocabulary(vocabulary)
        , m_costs(vocabulary.size(), kUnusableCost) {
        std::vector<ByteTrie::Entry> entries;
        for (std::size_t i = 0; i < vocabulary.size(); ++i) {
            const TokenId id(i);
            const TokenType type = vocabulary.type(id);
            const double cost = -std::round(static_cast<double>(vocabulary.score(id)) * kCostPerScore);
            const bool stands = type != TokenType::Control && type != TokenType::Unknown && type != TokenType::Byte;
            if (stands && std::abs(cost) < static_cast<double>(kUnusableCost)) {
                m_costs[i] = static_cast<std::int64_t>(cost);
                entries.emplace_back(vocabulary.text(id), id.value);
            }
        }
        m_tokens = ByteTrie(std::move(entries));
    }

    bool encode(std::string_view text, EncodeSink& sink) const override {
        constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
        if (sink.offsetOf(text.data()) == 0 && text.starts_with(kByteOrderMark)) {
            text.remove_prefix(kByteOrderMark.size());
        }
        std::vector<Step> steps;
        return findBestPath(text, steps, sink) && addBestPath(text, steps, sink);
    }

private:
    // The first token of the cheapest segmentation from a position to the end.
    struct Step {
        std::int64_t cost = kUnreachable;
        std::uint32_t bytes = 0;
        std::uint32_t id = kUnknown;
    };
    static constexpr std::int64_t kUnreachable = std::numeric_limits<std::int64_t>::max();
    static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};

    // Returns false on a stop request.
    bool findBestPath(std::string_view text, std::vector<Step>& steps, EncodeSink& sink) const {
        constexpr std::size_t kCharactersPerStopCheck = 4096;
        const char* end = text.data() + text.size();
        std::vector<std::uint32_t> starts; // beginnings of characters
        for (const char* at = text.data(); at < end; at += decodeChar(at, end).bytes) {
            starts.push_back(static_cast<std::uint32_t>(at - text.data()));
        }
        steps.assign(text.size() + 1, Step{});
        steps.back().cost = 0;
        for (std::size_t i = starts.size(); i > 0; --i) {
            const std::size_t at = starts[i - 1];
            const std::uint32_t character = decodeChar(text.data() + at, end).bytes;
            Step best{steps[at + character].cost + kUnknownCost, character, kUnknown};
            m_tokens.forEach(text.substr(at), [&](ByteTrie::Match match) {
                const std::int64_t rest = steps[at + match.bytes].cost;
                // Matches come shortest first, so among equal costs the longest match wins.
                if (rest != kUnreachable && rest + m_costs[match.number] <= best.cost) {
                    best = {rest + m_costs[match.number], static_cast<std::uint32_t>(match.bytes), match.number};
                }
            });
            steps[at] = best;
            if (i % kCharactersPerStopCheck == 0 && sink.job().stopRequested()) {
                return false;
            }
        }
        return true;
    }

    bool addBestPath(std::string_view text, const std::vector<Step>& steps, EncodeSink& sink) const {
        const std::uint32_t start = sink.offsetOf(text.data());
        for (std::uint32_t at = 0; at < text.size(); at += steps[at].bytes) {
            const Step& step = steps[at];
            if (step.id != kUnknown) {
                sink.add(TokenId(step.id), start + at, start + at + step.bytes);
            } else {
                addBytes(text.substr(at, step.bytes), start + at, sink);
            }
            if (sink.stopAt(text.data() + at)) {
                return false;
            }
        }
        return true;
    }

    void addBytes(std::string_view character, std::uint32_t begin, EncodeSink& sink) const {
        for (const char c : character) {
            auto id = m_vocabulary.byteToken(static_cast<unsigned char>(c));
            id = id ? id : m_vocabulary.specials().unknown;
            if (id) {
                sink.add(*id, begin, begin + 1);
            }
            ++begin;
        }
    }

    const Vocabulary& m_vocabulary;
    std::vector<std::int64_t> m_costs; // by token
    ByteTrie m_tokens;
};

} // namespace

std::unique_ptr<const Encoder> makePlamo2Encoder(const Vocabulary& vocabulary) {
    return std::make_unique<const Plamo2Encoder>(vocabulary);
}

} // namespace gufo::text
