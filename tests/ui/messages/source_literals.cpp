#include "source_literals.h"

#include <QRegularExpression>

namespace gufo::test {

QList<QPair<QString, qsizetype>> literalsOf(const QString& source) {
    static const QRegularExpression skipped(
        QStringLiteral(
            R"re(//[^\n]*|/\*.*?\*/|#include[^\n]*|\[\[nodiscard\("[^"]*"\)\]\]|static_assert\(.*?\);|'(?:[^'\\]|\\.)'|R"\w*\(.*?\)\w*"|"((?:[^"\\\n]|\\.)*)")re"),
        QRegularExpression::DotMatchesEverythingOption);
    QList<QPair<QString, qsizetype>> literals;
    for (auto matches = skipped.globalMatch(source); matches.hasNext();) {
        const auto match = matches.next();
        if (match.capturedStart(1) >= 0 || match.captured().startsWith(QLatin1Char('R'))) {
            literals.append(
                {match.capturedStart(1) >= 0 ? match.captured(1) : match.captured(), match.capturedStart()});
        }
    }
    return literals;
}

} // namespace gufo::test
