#include "convert/vocabulary/pre_tokenizer_node.h"

#include <QRegularExpression>
#include <QString>

#include <algorithm>
#include <array>
#include <ranges>

namespace gufo::convert {
namespace {

using JsonKind = JsonValue::Kind;

constexpr std::size_t kMaxSteps = 16;
constexpr std::size_t kMaxPatternBytes = 64U << 10U;

constexpr std::string_view kGpt2 = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
constexpr std::string_view kPunctuation = R"([\p{P}!-/:-@\[-`{-~])";

struct BehaviorRow {
    std::string_view name;
    SplitBehavior behavior;
};
constexpr auto kBehaviors = std::to_array<BehaviorRow>({
    {"Isolated", SplitBehavior::Isolated},
    {"Removed", SplitBehavior::Removed},
    {"Contiguous", SplitBehavior::Contiguous},
    {"MergedWithPrevious", SplitBehavior::MergedWithPrevious},
    {"MergedWithNext", SplitBehavior::MergedWithNext},
});

std::string text(const JsonValue& node, std::string_view name) {
    const JsonValue* value = node.find(name);
    return value != nullptr && value->is(JsonKind::String) ? value->text : std::string();
}

bool flag(const JsonValue& node, std::string_view name, bool otherwise) {
    const JsonValue* value = node.find(name);
    return value != nullptr && value->isBool() ? value->is(JsonKind::True) : otherwise;
}

SplitBehavior behaviorOf(const JsonValue& node) {
    const auto* row = std::ranges::find(kBehaviors, text(node, "behavior"), &BehaviorRow::name);
    return row == kBehaviors.end() ? SplitBehavior::Isolated : row->behavior;
}

std::string escaped(std::string_view literal) {
    return QRegularExpression::escape(QString::fromUtf8(literal.data(), static_cast<qsizetype>(literal.size())))
        .toStdString();
}

// A pattern is {"Regex": …}, {"String": …}, or in old files the text itself.
std::string patternOf(const JsonValue& node) {
    const JsonValue* pattern = node.find("pattern");
    if (pattern == nullptr) {
        return {};
    }
    if (pattern->is(JsonKind::String)) {
        return escaped(pattern->text);
    }
    const std::string literal = text(*pattern, "String");
    return literal.empty() ? text(*pattern, "Regex") : escaped(literal);
}

void readNode(const JsonValue& node, PreTokenizerNode& to) { // NOLINT(misc-no-recursion): JsonReader bounds the depth
    if (!node.is(JsonKind::Object)) {
        return;
    }
    const std::string type = text(node, "type");
    if (to.steps.size() >= kMaxSteps) {
        to.other = {type};
    } else if (type == "Sequence") {
        if (const JsonValue* inner = node.find("pretokenizers")) {
            for (const JsonValue& element : inner->elements) {
                readNode(element, to);
            }
        }
    } else if (type == "Split") {
        to.steps.push_back({patternOf(node), behaviorOf(node), flag(node, "invert", false)});
    } else if (type == "Digits") {
        to.steps.push_back({flag(node, "individual_digits", false) ? R"(\p{N})" : R"(\p{N}+)"});
    } else if (type == "Punctuation") {
        const SplitBehavior behavior = behaviorOf(node);
        const bool together = behavior == SplitBehavior::Contiguous;
        to.steps.push_back(
            {std::string(kPunctuation) + (together ? "+" : ""), together ? SplitBehavior::Isolated : behavior});
    } else if (type == "Whitespace") {
        to.steps.push_back({R"(\w+|[^\w\s]+)", SplitBehavior::Removed, true});
    } else if (type == "WhitespaceSplit") {
        to.steps.push_back({R"(\s+)", SplitBehavior::Removed});
    } else if (type == "ByteLevel") {
        if (flag(node, "use_regex", true)) {
            to.steps.push_back({std::string(kGpt2)});
        }
    } else {
        to.other.push_back(type);
    }
}

// Rewrites constructs of tokenizers' patterns that this regular-expression engine lacks or interprets differently:
// intersections of classes, [A&&[^B]], become (?![B])[A], classes in classes, [A[B]], are one class, and \p{Han} would
// include script extensions.
QString translated(QString pattern) {
    static const QRegularExpression intersection(
        QStringLiteral(R"(\[((?:[^\[\]\\&]|\\.)+)&&\[\^((?:[^\[\]\\]|\\.)+)\]\])"));
    static const QRegularExpression nested(
        QStringLiteral(R"((\[\^?(?:[^\[\]\\]|\\.)*)(?<!&&)\[((?:[^\[\]\\^:]|\\.)(?:[^\[\]\\]|\\.)*)\])"));
    return pattern.replace(intersection, QStringLiteral(R"((?:(?![\2])[\1]))"))
        .replace(nested, QStringLiteral(R"(\1\2)"))
        .replace(QStringLiteral(R"(\p{Han})"), QStringLiteral(R"(\p{sc:Han})"));
}

// Limits the steps that the engine takes to find one match.
QString limited(const QString& pattern) { return QStringLiteral("(*LIMIT_MATCH=20000)") + pattern; }

struct Piece {
    qsizetype begin;
    qsizetype end;
    bool matched;
};

// The matches and the text between them, in order; nothing if the engine gives up.
std::optional<std::vector<Piece>> piecesOf(const QRegularExpression& pattern, const QString& word, bool invert) {
    std::vector<Piece> pieces;
    qsizetype at = 0;
    qsizetype from = 0;
    while (from <= word.size()) {
        const QRegularExpressionMatch match = pattern.match(word, from);
        if (!match.isValid()) {
            return std::nullopt;
        }
        if (!match.hasMatch()) {
            break;
        }
        if (match.capturedStart() > at) {
            pieces.push_back({at, match.capturedStart(), invert});
            at = match.capturedStart();
        }
        if (match.capturedLength() == 0) { // it cuts the text but is not a word
            from = match.capturedEnd() + 1;
            from += from < word.size() && word[from].isLowSurrogate() ? 1 : 0;
            continue;
        }
        pieces.push_back({match.capturedStart(), match.capturedEnd(), !invert});
        at = match.capturedEnd();
        from = at;
    }
    if (at < word.size()) {
        pieces.push_back({at, word.size(), invert});
    }
    return pieces;
}

// Joins each match to the piece before it, unless that is a match, too, or there is none.
template<typename Pieces>
std::vector<Piece> mergedWithPrevious(const Pieces& pieces) {
    std::vector<Piece> out;
    bool afterMatch = false;
    for (const Piece& piece : pieces) {
        if (piece.matched && !afterMatch && !out.empty()) {
            out.back().begin = std::min(out.back().begin, piece.begin);
            out.back().end = std::max(out.back().end, piece.end);
        } else {
            out.push_back(piece);
        }
        afterMatch = piece.matched;
    }
    return out;
}

std::vector<Piece> contiguous(const std::vector<Piece>& pieces) {
    std::vector<Piece> out;
    for (const Piece& piece : pieces) {
        if (!out.empty() && out.back().matched == piece.matched) {
            out.back().end = piece.end;
        } else {
            out.push_back(piece);
        }
    }
    return out;
}

// Joins or drops pieces according to the behaviour.
std::vector<Piece> behave(std::vector<Piece> pieces, SplitBehavior behavior) {
    switch (behavior) {
    case SplitBehavior::Isolated:
        return pieces;
    case SplitBehavior::Removed:
        std::erase_if(pieces, [](const Piece& piece) { return piece.matched; });
        return pieces;
    case SplitBehavior::Contiguous:
        return contiguous(pieces);
    case SplitBehavior::MergedWithPrevious:
        return mergedWithPrevious(pieces);
    case SplitBehavior::MergedWithNext: {
        auto merged = mergedWithPrevious(std::views::reverse(pieces));
        std::ranges::reverse(merged);
        return merged;
    }
    }
    return pieces;
}

} // namespace

std::string PreTokenizerNode::canonical() const {
    std::string out;
    for (const SplitStep& step : steps) {
        const bool kept = step.behavior == SplitBehavior::Removed && step.invert;
        const bool isolated = step.behavior == SplitBehavior::Isolated || kept;
        if (!isolated) {
            const auto* row = std::ranges::find(kBehaviors, step.behavior, &BehaviorRow::behavior);
            out += std::string(row->name) + (step.invert ? "!" : "") + ":";
        }
        out += step.pattern + "\n";
    }
    for (const std::string& type : other) {
        out += "<" + type + ">\n";
    }
    return out;
}

PreTokenizerNode readPreTokenizer(const JsonValue& node) {
    PreTokenizerNode out;
    readNode(node, out);
    return out;
}

std::optional<std::vector<std::string>> splitByNode(const PreTokenizerNode& node, std::string_view text) {
    if (!node.other.empty()) {
        return std::nullopt;
    }
    std::vector<QString> words{QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()))};
    for (const SplitStep& step : node.steps) {
        const QString written = QString::fromStdString(step.pattern);
        const QRegularExpression pattern(limited(translated(written)), QRegularExpression::UseUnicodePropertiesOption);
        if (step.pattern.size() > kMaxPatternBytes || !pattern.isValid()) {
            return std::nullopt;
        }
        std::vector<QString> next;
        for (const QString& word : words) {
            auto pieces = piecesOf(pattern, word, step.invert);
            if (!pieces) {
                return std::nullopt;
            }
            for (const Piece& piece : behave(*std::move(pieces), step.behavior)) {
                next.push_back(word.mid(piece.begin, piece.end - piece.begin));
            }
        }
        words = std::move(next);
    }
    std::vector<std::string> out;
    std::ranges::transform(words, std::back_inserter(out), &QString::toStdString);
    return out;
}

} // namespace gufo::convert
