#include "text/tensor_filter.h"

#include "base/ascii.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace gufo::text {
namespace {

using Kind = FilterProblem::Kind;

constexpr auto kOptions = QRegularExpression::CaseInsensitiveOption;
constexpr QLatin1Char kSlash('/');

bool separates(QChar c) { return c.isSpace() || c == QLatin1Char(','); }

QString patternOf(const QString& word) {
    QString pattern;
    for (const QChar c : word) {
        pattern += c == QLatin1Char('*')   ? QStringLiteral(".*")
                   : c == QLatin1Char('?') ? QStringLiteral(".")
                                           : QRegularExpression::escape(c);
    }
    return pattern;
}

QString typeOf(const TensorInfo& tensor) { return QString::fromStdString(tensor.typeName()); }

// The end of the term that begins at `at`: for a regular expression, the place after its closing slash, which may be
// missing.
qsizetype endOfTerm(const QString& text, qsizetype at) {
    qsizetype begin = at;
    while (begin < text.size() && (text[begin] == QLatin1Char('-') || text[begin] == QLatin1Char('!'))) {
        ++begin;
    }
    if (begin < text.size() && text[begin] == kSlash) {
        for (qsizetype i = begin + 1; i < text.size(); ++i) {
            if (text[i] == QLatin1Char('\\')) {
                ++i;
            } else if (text[i] == kSlash) {
                return i + 1;
            }
        }
        return text.size();
    }
    return std::find_if(text.begin() + begin, text.end(), separates) - text.begin();
}

std::optional<double> sizeOf(const QString& text) {
    const auto size = parseByteSize(text);
    return size ? std::optional(static_cast<double>(*size)) : std::nullopt;
}

// The sizes that a term allows, both ends included.
struct Sizes {
    double minimum = 0;
    double maximum = std::numeric_limits<double>::infinity();
};
std::optional<Sizes> parseSizes(const QString& text) {
    constexpr double kStep = 0.5; // sizes are whole numbers
    if (const qsizetype dots = text.indexOf(QStringLiteral("..")); dots >= 0) {
        const QString minimum = text.left(dots);
        const QString maximum = text.mid(dots + 2);
        Sizes sizes;
        const auto from = minimum.isEmpty() ? std::optional(sizes.minimum) : sizeOf(minimum);
        const auto to = maximum.isEmpty() ? std::optional(sizes.maximum) : sizeOf(maximum);
        const bool isBounded = !minimum.isEmpty() || !maximum.isEmpty();
        return isBounded && from && to ? std::optional(Sizes{*from, *to}) : std::nullopt;
    }
    for (const char* sign : {">=", "<=", ">", "<", "="}) {
        if (!text.startsWith(QLatin1String(sign))) {
            continue;
        }
        const auto size = sizeOf(text.mid(QLatin1String(sign).size()));
        if (!size) {
            return std::nullopt;
        }
        const bool equal = sign[1] == '=' || sign[0] == '=';
        switch (sign[0]) {
        case '>':
            return Sizes{.minimum = equal ? *size : *size + kStep};
        case '<':
            return Sizes{.maximum = equal ? *size : *size - kStep};
        default:
            return Sizes{*size, *size};
        }
    }
    const auto size = sizeOf(text);
    return size ? std::optional(Sizes{*size, *size}) : std::nullopt;
}

// One element for each dimension; none stands for any size.
using Dimensions = std::vector<std::optional<std::uint64_t>>;
std::optional<Dimensions> parseDimensions(const QString& text) {
    static const QRegularExpression cross(QStringLiteral("[x\u00D7]"), kOptions);
    Dimensions dimensions;
    for (const QString& part : text.split(cross)) {
        bool good = true;
        const qulonglong size = part == QLatin1Char('*') ? 0 : part.toULongLong(&good);
        if (!good) {
            return std::nullopt;
        }
        dimensions.push_back(part == QLatin1Char('*') ? std::nullopt : std::optional<std::uint64_t>(size));
    }
    return dimensions;
}

bool hasDimensions(const Shape& shape, const Dimensions& wanted) {
    return std::ranges::equal(shape.dims(), wanted,
                              [](std::uint64_t size, const auto& any) { return !any || *any == size; });
}

} // namespace

std::optional<std::uint64_t> parseByteSize(const QString& text) {
    static const QRegularExpression form(QStringLiteral("^([0-9]+(?:\\.[0-9]+)?)([kmgt]?)(i?b)?$"), kOptions);
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    const QString unit = match.captured(2).toLower();
    const qsizetype power = unit.isEmpty() ? 0 : QStringLiteral("kmgt").indexOf(unit) + 1;
    const double bytes = match.captured(1).toDouble() * std::pow(1024.0, static_cast<double>(power));
    return bytes < 0x1p63 ? std::optional(static_cast<std::uint64_t>(bytes)) : std::nullopt;
}

std::expected<TensorFilter::Test, FilterProblem> TensorFilter::parseTerm(const QString& term) {
    const auto problem = [&](Kind kind, const QString& detail = {}) {
        return std::unexpected(FilterProblem{kind, term, detail});
    };
    if (term.isEmpty()) {
        return problem(Kind::NothingToMatch);
    }
    if (term.startsWith(kSlash)) {
        if (term.size() < 2 || !term.endsWith(kSlash)) {
            return problem(Kind::NotClosed);
        }
        const QRegularExpression expression(term.mid(1, term.size() - 2), kOptions);
        if (!expression.isValid()) {
            return problem(Kind::NoExpression, expression.errorString());
        }
        return [expression](const TensorInfo&, const QString& name) { return expression.match(name).hasMatch(); };
    }
    const qsizetype colon = term.indexOf(QLatin1Char(':'));
    const QString field = term.left(colon).toLower();
    const QString wanted = term.mid(colon + 1);
    const bool known = colon > 0 && (field == QLatin1String("size") || field == QLatin1String("shape") ||
                                     field == QLatin1String("type"));
    if (known && wanted.isEmpty()) {
        return problem(Kind::NothingToMatch);
    }
    if (known && field == QLatin1String("size")) {
        const auto sizes = parseSizes(wanted);
        if (!sizes) {
            return problem(Kind::NoSize);
        }
        return [sizes = *sizes](const TensorInfo& tensor, const QString&) {
            const auto bytes = static_cast<double>(tensor.bytes.value_or(0));
            return tensor.bytes && bytes >= sizes.minimum && bytes <= sizes.maximum;
        };
    }
    if (known && field == QLatin1String("shape")) {
        auto dimensions = parseDimensions(wanted);
        if (!dimensions) {
            return problem(Kind::NoShape);
        }
        return [dimensions = *std::move(dimensions)](const TensorInfo& tensor, const QString&) {
            return hasDimensions(tensor.shape, dimensions);
        };
    }
    if (known) {
        const QRegularExpression expression(QRegularExpression::anchoredPattern(patternOf(wanted)), kOptions);
        return [expression](const TensorInfo& tensor, const QString&) {
            return expression.match(typeOf(tensor)).hasMatch();
        };
    }
    // Names may contain colons, but no comparisons.
    if (colon > 0 && !wanted.isEmpty() && QStringLiteral("<>=").contains(wanted[0])) {
        return problem(Kind::NoField, term.left(colon));
    }
    const QRegularExpression expression(
        term.back().isDigit() ? patternOf(term) + QStringLiteral("(?![0-9])") : patternOf(term), kOptions);
    return [expression, type = term.toStdString()](const TensorInfo& tensor, const QString& name) {
        return equalIgnoringCase(tensor.typeName(), type) || expression.match(name).hasMatch();
    };
}

std::expected<TensorFilter, FilterProblem> TensorFilter::parse(const QString& text, Syntax syntax) {
    TensorFilter filter;
    if (syntax == Syntax::RegularExpression) {
        if (text.isEmpty()) {
            return filter;
        }
        const QRegularExpression expression(text, kOptions);
        if (!expression.isValid()) {
            return std::unexpected(FilterProblem{Kind::NoExpression, text, expression.errorString()});
        }
        filter.m_terms.push_back(
            {[expression](const TensorInfo&, const QString& name) { return expression.match(name).hasMatch(); }});
        return filter;
    }
    for (qsizetype at = 0; at < text.size();) {
        if (separates(text[at])) {
            ++at;
            continue;
        }
        const qsizetype end = endOfTerm(text, at);
        QString term = text.mid(at, end - at);
        at = end;
        const QString typed = term;
        bool excludes = false;
        while (term.startsWith(QLatin1Char('-')) || term.startsWith(QLatin1Char('!'))) {
            excludes = !excludes;
            term.remove(0, 1);
        }
        auto holds = parseTerm(term);
        if (!holds) {
            holds.error().term = typed;
            return std::unexpected(std::move(holds).error());
        }
        filter.m_terms.push_back({*std::move(holds), excludes});
    }
    return filter;
}

bool TensorFilter::matches(const TensorInfo& tensor, const QString& displayName) const {
    return std::ranges::all_of(m_terms,
                               [&](const Term& term) { return term.holds(tensor, displayName) != term.excludes; });
}

} // namespace gufo::text
