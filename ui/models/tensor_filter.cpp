#include "ui/models/tensor_filter.h"

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
        const TensorTypeInfo* type = findTensorType(std::string_view(word.toStdString()));
        filter.m_words.push_back({.pattern = QRegularExpression(patternOf(word), kOptions),
                                  .typeId = type != nullptr ? std::optional(type->id) : std::nullopt});
    }
    return filter;
}

bool TensorFilter::matches(const TensorInfo& tensor, const QString& displayName) const {
    return std::ranges::all_of(m_words, [&](const Word& word) {
        return word.typeId == tensor.typeId || word.pattern.match(displayName).hasMatch();
    });
}

} // namespace gufo::ui
