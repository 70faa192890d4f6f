#include "ui/models/tensor_filter.h"

#include "base/ascii.h"

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr auto kOptions = QRegularExpression::CaseInsensitiveOption;

QString patternOf(const QString& word) {
    QString pattern;
    for (const QChar c : word) {
        pattern += c == QLatin1Char('*')   ? QStringLiteral(".*")
                   : c == QLatin1Char('?') ? QStringLiteral(".")
                                           : QRegularExpression::escape(c);
    }
    return word.back().isDigit() ? pattern + QStringLiteral("(?![0-9])") : pattern;
}

} // namespace

std::expected<TensorFilter, QString> TensorFilter::parse(const QString& text, Syntax syntax) {
    TensorFilter filter;
    if (syntax == Syntax::RegularExpression) {
        if (text.isEmpty()) {
            return filter;
        }
        const QRegularExpression pattern(text, kOptions);
        if (!pattern.isValid()) {
            return std::unexpected(pattern.errorString());
        }
        filter.m_words.push_back({.pattern = pattern});
        return filter;
    }
    static const QRegularExpression separators(QStringLiteral("[\\s,]+"));
    for (const QString& word : text.split(separators, Qt::SkipEmptyParts)) {
        filter.m_words.push_back(
            {.pattern = QRegularExpression(patternOf(word), kOptions), .type = word.toStdString()});
    }
    return filter;
}

bool TensorFilter::matches(const TensorInfo& tensor, const QString& displayName) const {
    return std::ranges::all_of(m_words, [&](const Word& word) {
        const bool ofType = !word.type.empty() && equalIgnoringCase(tensor.typeName(), word.type);
        return ofType || word.pattern.match(displayName).hasMatch();
    });
}

} // namespace gufo::ui
