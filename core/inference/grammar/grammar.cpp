#include "inference/grammar/grammar.h"

#include "base/detail.h"
#include "base/utf8.h"
#include "inference/grammar/grammar_syntax.h"

#include <algorithm>
#include <array>
#include <map>

namespace gufo::inference {
namespace {

using Kind = Grammar::Node::Kind;

// The code points whose UTF-8 form has a given number of bytes.
struct LengthRow {
    std::size_t bytes;
    char32_t lowest;
    char32_t highest;
};
constexpr std::array<LengthRow, 4> kLengths{
    {{1, 0, 0x7F}, {2, 0x80, 0x7FF}, {3, 0x800, 0xFFFF}, {4, 0x1'0000, 0x10'FFFF}}};

class Compiler {
public:
    explicit Compiler(GrammarSyntax syntax)
        : m_syntax(std::move(syntax)) {}

    Result<std::shared_ptr<const Grammar>> compile(std::string_view text, std::string_view root) {
        const auto at = m_syntax.byName.find(root);
        if (at == m_syntax.byName.end() || !m_syntax.rules[at->second].expression) {
            return badGrammar({Detail::NoRootRule, {root}}, {});
        }
        for (const SyntaxRule& rule : m_syntax.rules) {
            if (!rule.expression) {
                return badGrammar({Detail::RuleUndefined, {rule.name}}, rule.place);
            }
        }
        m_out.text = text;
        m_out.tokens = m_syntax.tokens;
        m_out.root = static_cast<std::uint32_t>(at->second);
        for (const SyntaxRule& rule : m_syntax.rules) {
            m_out.rules.push_back({.name = rule.name});
        }
        for (std::size_t i = 0; i < m_syntax.rules.size(); ++i) {
            m_owner = i;
            const std::uint32_t end = node({.kind = Kind::End});
            m_out.rules[i].start = build(*m_syntax.rules[i].expression, end);
            if (m_out.nodes.size() > Grammar::kMaxNodes) {
                break;
            }
        }
        if (m_out.nodes.size() > Grammar::kMaxNodes) {
            return fail(ErrorCode::LimitExceeded, {},
                        {Detail::GrammarElements, m_out.nodes.size(), Grammar::kMaxNodes});
        }
        prune();
        findNullable();
        GUFO_TRY(rank());
        return std::make_shared<const Grammar>(std::move(m_out));
    }

private:
    std::uint32_t node(Grammar::Node node) {
        m_out.nodes.push_back(node);
        return static_cast<std::uint32_t>(m_out.nodes.size() - 1);
    }
    std::uint32_t bytes(std::vector<Grammar::ByteRange> ranges) {
        const auto first = static_cast<std::uint32_t>(m_out.ranges.size());
        m_out.ranges.insert(m_out.ranges.end(), ranges.begin(), ranges.end());
        return node({.kind = Kind::Bytes, .first = first, .count = static_cast<std::uint32_t>(ranges.size())});
    }
    std::uint32_t split(const std::vector<std::uint32_t>& targets) {
        const std::uint32_t made = node({.kind = Kind::Split});
        setTargets(made, targets);
        return made;
    }
    void setTargets(std::uint32_t split, const std::vector<std::uint32_t>& targets) {
        m_out.nodes[split].first = static_cast<std::uint32_t>(m_out.targets.size());
        m_out.nodes[split].count = static_cast<std::uint32_t>(targets.size());
        m_out.targets.insert(m_out.targets.end(), targets.begin(), targets.end());
    }
    std::uint32_t call(std::size_t rule, std::uint32_t next) {
        return node({.kind = Kind::Call, .first = static_cast<std::uint32_t>(rule), .next = next});
    }

    // Builds the nodes of an expression that continue at `next`. Stops soon after the limit is passed.
    std::uint32_t build(std::size_t which, std::uint32_t next) {
        if (m_out.nodes.size() > Grammar::kMaxNodes) {
            return next;
        }
        const Expression& expression = m_syntax.expressions[which];
        switch (expression.kind) {
        case Expression::Kind::Literal:
            for (std::size_t i = expression.bytes.size(); i > 0; --i) {
                const auto byte = static_cast<unsigned char>(expression.bytes[i - 1]);
                next = bytes({{byte, byte, next}});
            }
            return next;
        case Expression::Kind::Class:
            return buildClass(expression.set, next);
        case Expression::Kind::Token:
            return node({.kind = Kind::Token, .first = static_cast<std::uint32_t>(expression.number), .next = next});
        case Expression::Kind::Reference:
            return call(expression.number, next);
        case Expression::Kind::Sequence:
            for (std::size_t i = expression.parts.size(); i > 0; --i) {
                next = build(expression.parts[i - 1], next);
            }
            return next;
        case Expression::Kind::Choice: {
            std::vector<std::uint32_t> targets;
            for (const std::size_t part : expression.parts) {
                targets.push_back(build(part, next));
            }
            return split(targets);
        }
        case Expression::Kind::Repeat:
            return buildRepeat(expression, next);
        }
        return next;
    }

    std::uint32_t buildRepeat(const Expression& repeat, std::uint32_t next) {
        const std::size_t part = repeat.parts.front();
        const bool unlimited = repeat.maximum == Expression::kUnlimited;
        if (unlimited && repeat.minimum <= 1) { // a loop
            const std::uint32_t loop = node({.kind = Kind::Split});
            const std::uint32_t body = build(part, loop);
            setTargets(loop, {body, next});
            return repeat.minimum == 1 ? body : loop;
        }
        if (!unlimited && repeat.maximum <= 1) {
            return repeat.maximum == 0   ? next
                   : repeat.minimum == 1 ? build(part, next)
                                         : split({build(part, next), next});
        }
        // The repeated part becomes a rule, so that nested repetitions add up instead of multiplying.
        const std::size_t rule = ruleOf(part);
        if (unlimited) {
            const std::uint32_t loop = node({.kind = Kind::Split});
            setTargets(loop, {call(rule, loop), next});
            next = loop;
        } else {
            const std::uint32_t after = next;
            for (std::uint64_t i = repeat.minimum; i < repeat.maximum && m_out.nodes.size() <= Grammar::kMaxNodes;
                 ++i) {
                next = split({call(rule, next), after});
            }
        }
        for (std::uint64_t i = 0; i < repeat.minimum && m_out.nodes.size() <= Grammar::kMaxNodes; ++i) {
            next = call(rule, next);
        }
        return next;
    }

    std::size_t ruleOf(std::size_t expression) {
        if (m_syntax.expressions[expression].kind == Expression::Kind::Reference) {
            return m_syntax.expressions[expression].number;
        }
        const std::uint32_t start = build(expression, node({.kind = Kind::End}));
        m_out.rules.push_back({.name = m_out.rules[m_owner].name, .start = start});
        return m_out.rules.size() - 1;
    }

    // A class of one-byte characters becomes a node; any other becomes a rule that equal classes share.
    std::uint32_t buildClass(const CodeSet& set, std::uint32_t next) {
        if (set.back().highest < 0x80) {
            std::vector<Grammar::ByteRange> ranges;
            for (const CodeRange& range : set) {
                ranges.push_back(
                    {static_cast<unsigned char>(range.lowest), static_cast<unsigned char>(range.highest), next});
            }
            return bytes(std::move(ranges));
        }
        const auto known = m_classes.find(set);
        if (known != m_classes.end()) {
            return call(known->second, next);
        }
        const std::uint32_t end = node({.kind = Kind::End});
        std::vector<Grammar::ByteRange> first;
        for (const LengthRow& length : kLengths) {
            CodeSet part;
            for (const CodeRange& range : set) {
                const CodeRange cut{std::max(range.lowest, length.lowest), std::min(range.highest, length.highest)};
                if (cut.lowest <= cut.highest) {
                    part.push_back(cut);
                }
            }
            if (!part.empty()) {
                std::ranges::move(leadRanges(part, length.bytes, end), std::back_inserter(first));
            }
        }
        const std::uint32_t start = bytes(std::move(first));
        m_out.rules.push_back({.name = m_out.rules[m_owner].name, .start = start});
        m_classes.emplace(set, m_out.rules.size() - 1);
        return call(m_out.rules.size() - 1, next);
    }

    // Returns ranges for the first byte of all characters of the set, which have `length` bytes each; their targets
    // match the other bytes up to `end`.
    std::vector<Grammar::ByteRange> leadRanges(const CodeSet& set, std::size_t length, std::uint32_t end) {
        constexpr std::array<unsigned, 5> kLead{0, 0, 0xC0, 0xE0, 0xF0};
        return byteRanges(set, length - 1, kLead[length], end);
    }

    // Returns ranges for one byte of the code points in `set`, which `left` further bytes complete. `mark` holds the
    // fixed bits of the byte.
    std::vector<Grammar::ByteRange> byteRanges(const CodeSet& set, std::size_t left, unsigned mark, std::uint32_t end) {
        const std::size_t shift = 6 * left;
        const char32_t size = char32_t{1} << shift;
        std::vector<Grammar::ByteRange> out;
        const auto add = [&](char32_t lowest, char32_t highest, std::uint32_t target) {
            out.push_back(
                {static_cast<unsigned char>(lowest | mark), static_cast<unsigned char>(highest | mark), target});
        };
        if (left == 0) {
            for (const CodeRange& range : set) {
                add(range.lowest, range.highest, end);
            }
            return out;
        }
        // For each value of this byte: the lower bits that may follow.
        std::vector<std::pair<char32_t, CodeSet>> partial;
        for (const CodeRange& range : set) {
            char32_t low = range.lowest >> shift;
            char32_t high = range.highest >> shift;
            const auto addPartial = [&](char32_t value, char32_t from, char32_t to) {
                if (partial.empty() || partial.back().first != value) {
                    partial.emplace_back(value, CodeSet());
                }
                partial.back().second.push_back({from, to});
            };
            const char32_t from = range.lowest & (size - 1);
            const char32_t to = range.highest & (size - 1);
            if (low == high) {
                addPartial(low, from, to);
                continue;
            }
            if (from != 0) {
                addPartial(low++, from, size - 1);
            }
            const bool cutAbove = to != size - 1;
            if (low <= high - (cutAbove ? 1 : 0)) {
                add(low, high - (cutAbove ? 1 : 0), anyTail(left, end));
            }
            if (cutAbove) {
                addPartial(high, 0, to);
            }
        }
        for (const auto& [value, rest] : partial) {
            add(value, value, bytes(byteRanges(rest, left - 1, 0x80, end)));
        }
        return out;
    }

    // Matches `count` arbitrary continuation bytes.
    std::uint32_t anyTail(std::size_t count, std::uint32_t end) {
        const auto [at, added] = m_tails.try_emplace({count, end}, 0);
        if (added) {
            const std::uint32_t next = count == 1 ? end : anyTail(count - 1, end);
            const std::uint32_t made = bytes({{0x80, 0xBF, next}});
            m_tails[{count, end}] = made;
            return made;
        }
        return at->second;
    }

    // Removes what can only lead to endless texts, unless everything does.
    void prune() {
        const std::size_t count = m_out.nodes.size();
        std::vector<std::uint32_t> begins(count + 1); // of each node's dependents
        const auto eachEdge = [&](auto&& edge) {
            for (std::uint32_t i = 0; i < count; ++i) {
                const Grammar::Node& node = m_out.nodes[i];
                for (std::uint32_t j = 0; node.kind == Kind::Bytes && j < node.count; ++j) {
                    edge(m_out.ranges[node.first + j].target, i);
                }
                for (std::uint32_t j = 0; node.kind == Kind::Split && j < node.count; ++j) {
                    edge(m_out.targets[node.first + j], i);
                }
                if (node.kind == Kind::Call) {
                    edge(m_out.rules[node.first].start, i);
                }
                if (node.kind == Kind::Call || node.kind == Kind::Token) {
                    edge(node.next, i);
                }
            }
        };
        eachEdge([&](std::uint32_t to, std::uint32_t) { ++begins[to + std::size_t{1}]; });
        for (std::size_t i = 0; i < count; ++i) {
            begins[i + 1] += begins[i];
        }
        std::vector<std::uint32_t> dependents(begins[count]);
        std::vector<std::uint32_t> filled(begins.begin(), begins.end() - 1);
        eachEdge([&](std::uint32_t to, std::uint32_t from) { dependents[filled[to]++] = from; });
        std::vector<bool> ends(count);
        std::vector<std::uint32_t> work;
        const auto reach = [&](std::uint32_t node) {
            if (!ends[node]) {
                ends[node] = true;
                work.push_back(node);
            }
        };
        for (std::uint32_t i = 0; i < count; ++i) {
            if (m_out.nodes[i].kind == Kind::End) {
                reach(i);
            }
        }
        while (!work.empty()) {
            const std::uint32_t at = work.back();
            work.pop_back();
            for (std::uint32_t i = begins[at]; i < begins[at + std::size_t{1}]; ++i) {
                const Grammar::Node& node = m_out.nodes[dependents[i]];
                if (node.kind != Kind::Call || (ends[m_out.rules[node.first].start] && ends[node.next])) {
                    reach(dependents[i]);
                }
            }
        }
        m_out.ends = ends[m_out.rules[m_out.root].start];
        for (Grammar::Node& node : m_out.nodes) {
            std::uint32_t kept = 0;
            for (std::uint32_t i = 0; m_out.ends && node.kind == Kind::Bytes && i < node.count; ++i) {
                const Grammar::ByteRange range = m_out.ranges[node.first + i];
                if (ends[range.target]) {
                    m_out.ranges[node.first + kept++] = range;
                }
            }
            for (std::uint32_t i = 0; m_out.ends && node.kind == Kind::Split && i < node.count; ++i) {
                const std::uint32_t target = m_out.targets[node.first + i];
                if (ends[target]) {
                    m_out.targets[node.first + kept++] = target;
                }
            }
            if (m_out.ends && (node.kind == Kind::Bytes || node.kind == Kind::Split)) {
                node.count = kept;
            }
        }
    }

    // Finds the rules that match the empty text. Each node is visited once; a node after the call of a rule waits until
    // that rule is known to be nullable.
    void findNullable() {
        std::vector<bool> seen(m_out.nodes.size());
        struct Waiting {
            std::uint32_t node;
            std::uint32_t owner;
        };
        std::vector<std::vector<Waiting>> waiting(m_out.rules.size());
        std::vector<Waiting> work;
        for (std::uint32_t i = 0; i < m_out.rules.size(); ++i) {
            work.push_back({m_out.rules[i].start, i});
        }
        while (!work.empty()) {
            const auto [at, owner] = work.back();
            work.pop_back();
            if (seen[at]) {
                continue;
            }
            seen[at] = true;
            const Grammar::Node& current = m_out.nodes[at];
            if (current.kind == Kind::End && !m_out.rules[owner].nullable) {
                m_out.rules[owner].nullable = true;
                work.insert(work.end(), waiting[owner].begin(), waiting[owner].end());
            } else if (current.kind == Kind::Split) {
                for (std::uint32_t i = 0; i < current.count; ++i) {
                    work.push_back({m_out.targets[current.first + i], owner});
                }
            } else if (current.kind == Kind::Call) {
                if (m_out.rules[current.first].nullable) {
                    work.push_back({current.next, owner});
                } else {
                    waiting[current.first].push_back({current.next, owner});
                }
            }
        }
    }

    // Returns the rules that `rule` can begin with.
    std::vector<std::uint32_t> beginnings(std::uint32_t rule, std::vector<std::uint32_t>& seen) const {
        std::vector<std::uint32_t> found;
        std::vector<std::uint32_t> work{m_out.rules[rule].start};
        while (!work.empty()) {
            const std::uint32_t at = work.back();
            work.pop_back();
            if (seen[at] == rule + 1) {
                continue;
            }
            seen[at] = rule + 1;
            const Grammar::Node& current = m_out.nodes[at];
            if (current.kind == Kind::Split) {
                for (std::uint32_t i = 0; i < current.count; ++i) {
                    work.push_back(m_out.targets[current.first + i]);
                }
            } else if (current.kind == Kind::Call) {
                found.push_back(current.first);
                if (m_out.rules[current.first].nullable) {
                    work.push_back(current.next);
                }
            }
        }
        return found;
    }

    // Sorts the rules topologically by "can begin with"; a cycle is left recursion.
    Result<> rank() {
        std::vector<std::vector<std::uint32_t>> edges;
        std::vector<std::uint32_t> seen(m_out.nodes.size(), 0);
        for (std::uint32_t i = 0; i < m_out.rules.size(); ++i) {
            edges.push_back(beginnings(i, seen));
        }
        enum class State : std::uint8_t { New, Open, Done };
        std::vector<State> states(m_out.rules.size(), State::New);
        struct Step {
            std::uint32_t rule;
            std::size_t next;
        };
        std::uint32_t done = 0;
        std::vector<Step> path;
        for (std::uint32_t from = 0; from < m_out.rules.size(); ++from) {
            if (states[from] == State::New) {
                states[from] = State::Open;
                path.push_back({from, 0});
            }
            while (!path.empty()) {
                Step& step = path.back();
                if (step.next == edges[step.rule].size()) {
                    states[step.rule] = State::Done;
                    m_out.rules[step.rule].rank = static_cast<std::uint32_t>(m_out.rules.size()) - 1 - done++;
                    path.pop_back();
                    continue;
                }
                const std::uint32_t to = edges[step.rule][step.next++];
                if (states[to] == State::Open) {
                    return leftRecursion(to);
                }
                if (states[to] == State::New) {
                    states[to] = State::Open;
                    path.push_back({to, 0});
                }
            }
        }
        return {};
    }

    std::unexpected<Error> leftRecursion(std::uint32_t rule) const {
        const std::string& name = m_out.rules[rule].name;
        const auto place = m_syntax.rules[m_syntax.byName.find(name)->second].place;
        return badGrammar({Detail::LeftRecursion, {name}}, place);
    }

    GrammarSyntax m_syntax;
    Grammar m_out;
    std::size_t m_owner = 0; // the rule being compiled
    std::map<CodeSet, std::size_t> m_classes;
    std::map<std::pair<std::size_t, std::uint32_t>, std::uint32_t> m_tails;
};

} // namespace

Result<std::shared_ptr<const Grammar>> Grammar::parse(std::string_view text, std::string_view root) {
    if (text.size() > kMaxBytes) {
        return fail(ErrorCode::LimitExceeded, {}, {Detail::GrammarBytes, text.size(), kMaxBytes});
    }
    if (!isValidUtf8(text) || text.find('\0') != std::string_view::npos) {
        return badGrammar(Detail::GrammarNotUtf8, {});
    }
    auto syntax = GUFO_TRY(readGrammar(text));
    return Compiler(std::move(syntax)).compile(text, root);
}

} // namespace gufo::inference
