#include "inference/grammar/grammar_constraint.h"

#include "base/ascii.h"
#include "base/detail.h"
#include "base/utf8.h"
#include "inference/grammar/grammar_syntax.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gufo::inference {
namespace {

constexpr std::size_t kMaskBytes = 32U << 20U; // of all cached masks together

void set(std::vector<std::uint64_t>& mask, std::uint32_t token) { mask[token / 64] |= std::uint64_t{1} << token % 64; }

} // namespace

Result<std::unique_ptr<GrammarConstraint>> GrammarConstraint::make(std::shared_ptr<const Grammar> grammar,
                                                                   std::shared_ptr<const TokenTrie> trie,
                                                                   const text::Tokenizer& tokenizer) {
    const text::Vocabulary& vocabulary = tokenizer.vocabulary();
    std::vector<std::uint32_t> ids;
    for (const Grammar::TokenReference& token : grammar->tokens) {
        std::optional<std::uint32_t> id = token.id;
        for (std::uint32_t i = 0; !id && i < vocabulary.size(); ++i) {
            if (vocabulary.text(TokenId(std::size_t{i})) == token.text) {
                id = i;
            }
        }
        if (!id || *id >= vocabulary.size()) {
            const std::string name = token.id ? "<[" + std::to_string(*token.id) + "]>" : token.text;
            return badGrammar({Detail::TokenNotInVocabulary, {name}}, {token.line, token.column});
        }
        ids.push_back(*id);
    }
    return std::unique_ptr<GrammarConstraint>(
        new GrammarConstraint(std::move(grammar), std::move(trie), std::move(ids)));
}

GrammarConstraint::GrammarConstraint(std::shared_ptr<const Grammar> grammar, std::shared_ptr<const TokenTrie> trie,
                                     std::vector<std::uint32_t> tokenIds)
    : m_trie(std::move(trie))
    , m_matcher(std::move(grammar), std::move(tokenIds))
    , m_state(m_matcher.start())
    , m_values(m_matcher.quote()) {}

bool GrammarConstraint::allows(TokenId token) {
    m_matcher.beginWork();
    const std::string_view text = token.value < m_trie->vocabulary() ? m_trie->text(token.value) : std::string_view();
    DistinctValues values = m_values;
    m_lookedAhead = 0;
    return (!text.empty() && follow(m_state, text, values) != GrammarMatcher::kDead) ||
           m_matcher.stepToken(m_state, token.value) != GrammarMatcher::kDead;
}

bool GrammarConstraint::allowsText(std::string_view text) {
    m_matcher.beginWork();
    m_lookedAhead = 0;
    DistinctValues values = m_values;
    return follow(m_state, text, values) != GrammarMatcher::kDead;
}

void GrammarConstraint::acceptText(std::string_view text) {
    m_matcher.beginWork();
    m_lookedAhead = 0;
    m_state = follow(m_state, text, m_values);
}

TokenMask GrammarConstraint::mask() {
    auto known = m_masks.find(m_state);
    if (known != m_masks.end() && m_values.isActive()) { // the values before are no part of the state
        m_masks.erase(known);
        known = m_masks.end();
    }
    if (known == m_masks.end()) {
        const std::size_t words = (m_trie->vocabulary() + 63) / 64;
        if ((m_masks.size() + 1) * words * sizeof(std::uint64_t) > kMaskBytes) {
            m_masks.clear();
        }
        std::vector<std::uint64_t> made(words);
        m_matcher.beginWork();
        fill(made);
        allowNamed(made);
        known = m_masks.emplace(m_state, std::move(made)).first;
    }
    return failure() ? TokenMask() : TokenMask(known->second);
}

// Walks the trie along with the grammar. Where all bytes of a subtree lead the state back to itself, as within a
// string, the whole subtree is allowed at once.
void GrammarConstraint::fill(std::vector<std::uint64_t>& mask) {
    const auto nodes = m_trie->nodes();
    const bool checksDistinct = m_matcher.checksDistinct();
    m_path.assign(1, m_state);
    m_valuesPath.assign(checksDistinct ? 1 : 0, m_values);
    m_lookedAhead = 0;
    for (std::size_t i = 0; i < nodes.size();) {
        const TokenTrie::Node& node = nodes[i];
        const GrammarMatcher::State state = m_matcher.step(m_path[node.depth - std::size_t{1}], node.byte);
        std::size_t next = i + 1;
        if (state == GrammarMatcher::kDead) {
            i = node.end;
            continue;
        }
        bool mayStay = true;
        if (checksDistinct) {
            const GrammarMatcher::State before = m_path[node.depth - std::size_t{1}];
            m_valuesPath.resize(std::max(m_valuesPath.size(), node.depth + std::size_t{1}));
            DistinctValues& values = m_valuesPath[node.depth];
            values = m_valuesPath[node.depth - std::size_t{1}];
            if (!values.add(node.byte, m_matcher.opensDistinct(before, node.byte)) || !canDiffer(state, values, 0)) {
                i = node.end;
                continue;
            }
            mayStay = !values.isActive() || (values.isInString() && values.isFree());
        }
        if (mayStay && node.end > next && staysIn(state, m_trie->kindsBelow(i))) {
            next = node.end;
        } else {
            m_path.resize(std::max(m_path.size(), node.depth + std::size_t{1}));
            m_path[node.depth] = state;
        }
        for (const std::uint32_t token : m_trie->tokens(i, next)) {
            set(mask, token);
        }
        i = next;
    }
}

bool GrammarConstraint::staysIn(GrammarMatcher::State state, std::uint64_t kinds) {
    const Loops loops = loopsOf(state);
    if (loops.characters && (kinds & TokenTrie::kMalformed) == 0) {
        kinds &= ~TokenTrie::kNotAscii;
    }
    return (kinds & ~TokenTrie::kMalformed & ~loops.kinds) == 0;
}

// Returns the kinds of bytes all of whose bytes lead from the state back to itself.
GrammarConstraint::Loops GrammarConstraint::loopsOf(GrammarMatcher::State state) {
    const auto known = m_loops.find(state);
    if (known != m_loops.end()) {
        return known->second;
    }
    std::uint64_t others = 0;
    for (unsigned byte = 0; byte < 256; ++byte) {
        if (m_matcher.step(state, static_cast<unsigned char>(byte)) != state) {
            others |= std::uint64_t{1} << TokenTrie::kindOf(static_cast<unsigned char>(byte));
        }
    }
    const bool hasLoops =
        (~others >> TokenTrie::kindOf('a') & 1U) != 0; // otherwise the test would cost more than it saves
    const Loops loops{.kinds = ~others, .characters = hasLoops && loopsOverCharacters(state)};
    m_loops.emplace(state, loops);
    return loops;
}

// Whether every character beyond ASCII leads from the state back to itself.
bool GrammarConstraint::loopsOverCharacters(GrammarMatcher::State state) {
    std::vector<GrammarMatcher::State> before;
    std::vector<GrammarMatcher::State> after;
    for (unsigned first = 0xC2; first < 0xF5; ++first) {
        const LeadByte lead = leadByte(static_cast<unsigned char>(first));
        after.assign(1, m_matcher.step(state, static_cast<unsigned char>(first)));
        for (std::uint32_t i = 1; i < lead.bytes; ++i) {
            const unsigned lowest = i > 1 ? 0x80U : lead.lowestSecond;
            const unsigned highest = i > 1 ? 0xBFU : lead.highestSecond;
            before = std::exchange(after, {});
            for (const GrammarMatcher::State from : before) {
                for (unsigned byte = lowest; byte <= highest; ++byte) {
                    const auto to = m_matcher.step(from, static_cast<unsigned char>(byte));
                    if (std::ranges::find(after, to) == after.end()) {
                        after.push_back(to);
                    }
                }
            }
            constexpr std::size_t kMaxLoopStates = 8; // with more states than this it is not a loop
            if (after.size() > kMaxLoopStates) {
                return false;
            }
        }
        if (after.size() != 1 || after.front() != state) {
            return false;
        }
    }
    return true;
}

GrammarMatcher::State GrammarConstraint::follow(GrammarMatcher::State state, std::string_view text,
                                                DistinctValues& values) {
    if (!m_matcher.checksDistinct()) {
        return m_matcher.step(state, text);
    }
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool opens = m_matcher.opensDistinct(state, byte);
        state = m_matcher.step(state, byte);
        if (state == GrammarMatcher::kDead || !values.add(byte, opens)) {
            return GrammarMatcher::kDead;
        }
    }
    return canDiffer(state, values, 0) ? state : GrammarMatcher::kDead;
}

// Only values that are the beginning of an earlier one are looked at, so the search is as deep as that one is long.
bool GrammarConstraint::canDiffer(GrammarMatcher::State state, const DistinctValues& values, // NOLINT
                                  std::size_t depth) {
    constexpr std::uint64_t kMost = 2'000'000;
    constexpr std::size_t kDeepest = 4'000;
    if (values.isFree()) {
        return true;
    }
    if (depth > kDeepest || m_lookedAhead > kMost) {
        m_failure = m_failure.value_or(
            fail(ErrorCode::LimitExceeded, {}, {Detail::GrammarStates, m_lookedAhead, kMost}).error());
        return false;
    }
    m_lookedAhead += 256;
    // Bytes of strings and numbers come first, since most of them make the value differ.
    for (unsigned i = 0; i < 256; ++i) {
        const auto byte = static_cast<unsigned char>(i ^ 'a');
        const bool isSpace = byte == ' ' || (byte >= '\t' && byte <= '\r');
        if (isSpace && !values.isInString()) {
            continue;
        }
        const GrammarMatcher::State next = m_matcher.step(state, byte);
        DistinctValues after = values;
        if (next == GrammarMatcher::kDead || !after.add(byte, m_matcher.opensDistinct(state, byte))) {
            continue;
        }
        if (after.ended() != values.ended() || after.isFree() || canDiffer(next, after, depth + 1)) {
            return true;
        }
    }
    return false;
}

void GrammarConstraint::allowNamed(std::vector<std::uint64_t>& mask) const {
    for (const auto& [id, negated] : m_matcher.namedTokens(m_state)) {
        for (std::uint32_t token = 0; negated && token < m_trie->vocabulary(); ++token) {
            if (token != id) {
                set(mask, token);
            }
        }
        if (!negated) {
            set(mask, id);
        }
    }
}

void GrammarConstraint::accept(TokenId token) {
    m_matcher.beginWork();
    const std::string_view text = token.value < m_trie->vocabulary() ? m_trie->text(token.value) : std::string_view();
    m_lookedAhead = 0;
    const auto byText = text.empty() ? GrammarMatcher::kDead : follow(m_state, text, m_values);
    m_state = m_matcher.unite(byText, m_matcher.stepToken(m_state, token.value));
    if (m_matcher.trim(m_state)) {
        m_masks.clear();
        m_loops.clear();
    }
}

namespace {

constexpr std::size_t kLongest = 0xFFFF; // bytes of a token; longer tokens are never allowed

// Letters and digits, control characters, and bytes of characters beyond ASCII form one kind each, because a grammar
// that allows much seldom distinguishes them. Each punctuation character is its own kind.
constexpr std::array<std::uint8_t, 256> makeKinds() {
    std::array<std::uint8_t, 256> kinds{};
    std::uint8_t next = 6;
    for (unsigned byte = 0; byte < 256; ++byte) {
        kinds[byte] = byte >= 0x80 && byte < 0xC0 ? 0
                      : byte >= 0xC0              ? 1
                      : byte < 0x20               ? 2
                      : isAsciiLetter(byte)       ? 3
                      : isAsciiDigit(byte)        ? 4
                      : byte == 0x7F              ? 5
                                                  : next++;
    }
    return kinds;
}
constexpr auto kKinds = makeKinds();
static_assert(std::ranges::max(kKinds) < 63);

// Returns the offset from which the text is well-formed UTF-8 or the beginning of it.
std::size_t wellFormedFrom(std::string_view text) {
    std::size_t from = 0;
    for (std::size_t i = 0; i < text.size();) {
        const std::string_view rest = text.substr(i);
        const Char c = decodeChar(rest);
        i += c.bytes;
        if (!c.isValid()) {
            if (incompleteTail(rest) == rest.size()) {
                break;
            }
            from = i;
        }
    }
    return from;
}

} // namespace

unsigned TokenTrie::kindOf(unsigned char byte) { return kKinds[byte]; }

TokenTrie::TokenTrie(const text::Tokenizer& tokenizer)
    : m_vocabulary(tokenizer.vocabulary().size())
    , m_begins{0} {
    const text::Vocabulary& vocabulary = tokenizer.vocabulary();
    for (std::size_t i = 0; i < m_vocabulary; ++i) {
        const TokenType type = vocabulary.type(TokenId(i));
        if (type != TokenType::Control && type != TokenType::Unknown) {
            m_bytes += tokenizer.bytesOf(TokenId(i));
        }
        m_begins.push_back(static_cast<std::uint32_t>(m_bytes.size()));
        if (const std::size_t length = text(static_cast<std::uint32_t>(i)).size(); length > 0 && length <= kLongest) {
            m_tokens.push_back(static_cast<std::uint32_t>(i));
        }
    }
    std::ranges::sort(m_tokens, {}, [&](std::uint32_t token) { return std::pair(text(token), token); });

    std::vector<std::uint32_t> path;     // the ancestors of the current node
    std::vector<std::uint16_t> goodFrom; // the depth from which everything below a node is well-formed
    const auto close = [&](std::size_t depth) {
        while (path.size() > depth) {
            const std::uint32_t node = path.back();
            m_nodes[node].end = static_cast<std::uint32_t>(m_nodes.size());
            path.pop_back();
            if (goodFrom[node] > path.size() + 1) {
                m_kinds[node] |= kMalformed;
            }
            if (!path.empty()) {
                std::uint64_t& kinds = m_kinds[path.back()];
                kinds |= (m_kinds[node] & ~kMalformed) | std::uint64_t{1} << kindOf(m_nodes[node].byte);
                kinds |= isContinuationByte(static_cast<char>(m_nodes[node].byte)) ? kMalformed : 0;
                goodFrom[path.back()] = std::max(goodFrom[path.back()], goodFrom[node]);
            }
        }
    };
    std::string_view before;
    for (std::uint32_t i = 0; i < m_tokens.size(); ++i) {
        const std::string_view current = text(m_tokens[i]);
        const auto [a, b] = std::ranges::mismatch(before, current);
        close(static_cast<std::size_t>(a - before.begin()));
        while (path.size() < current.size()) {
            const auto byte = static_cast<unsigned char>(current[path.size()]);
            path.push_back(static_cast<std::uint32_t>(m_nodes.size()));
            m_nodes.push_back({.end = 0, .tokens = i, .depth = static_cast<std::uint16_t>(path.size()), .byte = byte});
            m_kinds.push_back(0);
            goodFrom.push_back(0);
        }
        goodFrom[path.back()] = static_cast<std::uint16_t>(wellFormedFrom(current));
        before = current;
    }
    close(0);
    const auto count = static_cast<std::uint32_t>(m_nodes.size());
    m_nodes.push_back({.end = count + 1, .tokens = static_cast<std::uint32_t>(m_tokens.size()), .depth = 0, .byte = 0});
}

bool DistinctValues::isFree() const {
    if (m_recorder == kNobody) {
        return true;
    }
    const Parts& parts = *m_frames[m_recorder].parts;
    const auto next = parts.lower_bound(m_part);
    return next == parts.end() || !next->starts_with(m_part);
}

bool DistinctValues::endPart() {
    if (m_part.empty()) {
        return true; // an array or object without parts
    }
    std::shared_ptr<Parts>& parts = m_frames[m_recorder].parts;
    if (parts->contains(m_part)) {
        return false;
    }
    if (parts.use_count() > 1) {
        parts = std::make_shared<Parts>(*parts);
    }
    parts->insert(std::move(m_part));
    m_part.clear();
    ++m_ended;
    return true;
}

bool DistinctValues::add(unsigned char byte, bool opens) {
    if (!isActive() && !opens) {
        return true;
    }
    const bool records = m_recorder != kNobody;
    const auto record = [&] {
        if (records) {
            m_part += static_cast<char>(byte);
        }
    };
    if (m_inString) {
        record();
        const bool closes = !m_escaped && byte == static_cast<unsigned char>(m_quote);
        m_escaped = !m_escaped && byte == '\\';
        m_inString = !closes;
        return true;
    }
    const bool topRecords = records && m_recorder + 1 == m_frames.size();
    switch (byte) {
    case ' ':
    case '\t':
    case '\n':
    case '\r':
        return true;
    case '[':
    case '{':
        record();
        m_frames.push_back({.isArray = byte == '[', .distinct = opens});
        if (opens) {
            m_recorder = m_frames.size() - 1;
            m_part.clear();
            top().parts = std::make_shared<Parts>();
        }
        return true;
    case ']':
    case '}':
        if (topRecords) {
            if (!endPart()) {
                return false;
            }
            m_recorder = kNobody;
        } else {
            record();
        }
        m_frames.pop_back();
        return true;
    case ',':
        if (topRecords) {
            return endPart();
        }
        if (!records && top().distinct && !top().isArray) {
            m_recorder = m_frames.size() - 1; // the next name begins
            return true;
        }
        record();
        return true;
    case ':':
        if (topRecords && !top().isArray) {
            const bool differs = endPart();
            m_recorder = kNobody;
            return differs;
        }
        record();
        return true;
    default:
        m_inString = byte == static_cast<unsigned char>(m_quote);
        record();
        return true;
    }
}

} // namespace gufo::inference
