#include "base/ascii.h"
#include "convert/general_keys.h"

#include <QRegularExpression>
#include <QString>

#include <algorithm>
#include <cmath>
#include <set>

namespace gufo::convert {
namespace {

enum class PartKind : std::uint8_t { Basename, SizeLabel, Finetune, Version, Type };

struct Part {
    std::string text;
    std::set<PartKind> kinds{};

    [[nodiscard]] bool is(PartKind kind) const { return kinds.contains(kind); }
};

bool matches(const QRegularExpression& pattern, std::string_view text) {
    return pattern.match(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()))).hasMatch();
}

QRegularExpression whole(const QString& pattern) {
    return QRegularExpression(QRegularExpression::anchoredPattern(pattern), QRegularExpression::CaseInsensitiveOption);
}

// "7b1" → "7.1B", "1_5b" → "1.5B"
std::string normalSize(std::string label) {
    std::ranges::replace(label, '_', '.');
    if (label.size() > 2 && isAsciiDigit(static_cast<unsigned char>(label.back()))) {
        label = label.substr(0, label.size() - 2) + "." + label.back() + label[label.size() - 2];
    }
    if (label.size() > 1 && isAsciiDigit(static_cast<unsigned char>(label[label.size() - 2]))) {
        label.back() = asciiUpper(label.back());
    }
    return label;
}

// The number of parameters that a label like "7B" means; nothing for "8x7B", "A3B" and "small".
std::optional<double> parametersOf(const std::string& label) {
    const std::size_t power = std::string_view(" KMBT").find(label.back());
    bool number = false;
    const double value = QString::fromStdString(label.substr(0, label.size() - 1)).toDouble(&number);
    return number && power != std::string_view::npos ? std::optional(value * std::pow(1000, power)) : std::nullopt;
}

bool isFar(double label, std::uint64_t parameters) {
    return std::abs(label - static_cast<double>(parameters)) > static_cast<double>(7 * parameters / 8);
}

// Whether the part after a size is the number of active parameters, "A4B", of a model of that size.
bool isActiveSize(const std::string& part, std::uint64_t parameters) {
    static const QRegularExpression pattern = whole(QStringLiteral(R"(A\d+([._]\d+)?[KMBT]\d?)"));
    if (!matches(pattern, part)) {
        return false;
    }
    const auto active = parametersOf(normalSize(part).substr(1));
    return active && !isFar(*active, parameters);
}

void classify(std::vector<Part>& parts, std::size_t index, std::uint64_t parameters) {
    static const QRegularExpression version = whole(QStringLiteral(R"((v|iter)?\d+([.]\d+)*)"));
    static const QRegularExpression type = whole(QStringLiteral(R"(i?q\d(_\w)*|b?fp?(16|32))"));
    static const QRegularExpression size =
        whole(QStringLiteral(R"((A|\d+x)?\d+([._]\d+)?[KMBT]\d?|small|mini|medium|large|x?xl)"));
    static const QRegularExpression finetune = whole(QStringLiteral("chat|instruct|vision|lora"));
    Part& part = parts[index];
    if (matches(version, part.text)) {
        part.kinds.insert(PartKind::Version);
    } else if (matches(type, part.text)) {
        part.kinds.insert(PartKind::Type);
        std::ranges::transform(part.text, part.text.begin(), asciiUpper);
    } else if (index > 0 && matches(size, part.text)) {
        part.text = normalSize(part.text);
        const auto label = parameters == 0 ? std::nullopt : parametersOf(part.text);
        const bool active = index + 1 < parts.size() && isActiveSize(parts[index + 1].text, parameters);
        const bool context = label && !active && isFar(*label, parameters);
        part.kinds.insert(context ? PartKind::Finetune : PartKind::SizeLabel);
        if (context) {
            part.text.back() = asciiLower(part.text.back());
        }
    } else if (index > 0 && matches(finetune, part.text)) {
        part.kinds.insert(PartKind::Finetune);
    }
}

// Words such as "small" are labels only where no number is.
void preferNumbers(std::vector<Part>& parts) {
    const auto hasDigit = [](const Part& part) {
        return std::ranges::any_of(part.text, [](char c) { return c >= '0' && c <= '9'; });
    };
    const auto numbered = [&](const Part& part) { return part.is(PartKind::SizeLabel) && hasDigit(part); };
    if (std::ranges::any_of(parts, numbered)) {
        for (Part& part : parts) {
            if (part.is(PartKind::SizeLabel) && !hasDigit(part)) {
                part.kinds.erase(PartKind::SizeLabel);
            }
        }
    }
}

// The parts before the first that means something else are the base name, with the versions between them.
void findBasename(std::vector<Part>& parts) {
    bool atStart = true;
    for (Part& part : parts) {
        const bool letter = isAsciiLetter(static_cast<unsigned char>(part.text.front()));
        if (atStart && ((part.kinds.empty() && letter) || part.is(PartKind::Version))) {
            part.kinds.insert(PartKind::Basename);
            continue;
        }
        atStart = false;
        if (part.kinds.empty()) {
            part.kinds.insert(PartKind::Finetune);
        }
    }
    for (auto part = parts.rbegin(); part != parts.rend() && part->is(PartKind::Basename) && part->kinds.size() > 1;
         ++part) {
        part->kinds.erase(PartKind::Basename);
    }
}

// Joins the parts of a kind with dashes; `exceptBasename` leaves out parts that also belong to the base name.
std::string joined(const std::vector<Part>& parts, PartKind kind, bool exceptBasename = false, bool once = false) {
    std::string out;
    std::set<std::string> seen;
    for (const Part& part : parts) {
        if (part.is(kind) && !(exceptBasename && part.is(PartKind::Basename)) &&
            (seen.insert(part.text).second || !once)) {
            out += (out.empty() ? "" : "-") + part.text;
        }
    }
    return out;
}

std::string titleWord(std::string word) {
    static const QRegularExpression number(QRegularExpression::anchoredPattern(QStringLiteral(R"(v\d+(\.\d+)*|\d.*)")));
    const bool lower = std::ranges::any_of(word, [](char c) { return c >= 'a' && c <= 'z'; }) &&
                       std::ranges::none_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
    if (!lower || matches(number, word)) {
        return word;
    }
    bool inWord = false;
    for (char& c : word) {
        c = inWord ? c : asciiUpper(c);
        inWord = isAsciiLetter(static_cast<unsigned char>(c));
    }
    return word;
}

std::vector<std::string> splitAt(std::string_view text, std::string_view separators) {
    std::vector<std::string> out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(separators), text.size());
        if (end > 0) {
            out.emplace_back(text.substr(0, end));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

} // namespace

std::string titleOf(std::string_view id) {
    std::string out;
    for (const std::string& word : splitAt(id, "- \t")) {
        out += (out.empty() ? "" : " ") + titleWord(word);
    }
    return out;
}

NameParts namePartsOf(std::string_view id, std::uint64_t parameters) {
    NameParts out;
    if (id.find(' ') != id.npos) { // a sentence rather than an identifier
        out.name = id;
        return out;
    }
    if (const std::size_t slash = id.find('/'); slash != id.npos) {
        out.organization = id.starts_with('.') ? std::string_view() : id.substr(0, slash);
        id.remove_prefix(slash + 1);
    }
    out.name = id;
    std::vector<Part> parts;
    for (std::string& text : splitAt(id, "-")) {
        parts.push_back({std::move(text)});
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        classify(parts, i, parameters);
    }
    preferNumbers(parts);
    findBasename(parts);
    out.sizeLabel = joined(parts, PartKind::SizeLabel, false, true);
    out.finetune = joined(parts, PartKind::Finetune);
    out.version = joined(parts, PartKind::Version, true);
    if (!out.sizeLabel.empty() || !out.finetune.empty() || !out.version.empty()) {
        out.basename = joined(parts, PartKind::Basename);
    }
    return out;
}

} // namespace gufo::convert
