// The reference's renderings (tests/tools/template_goldens.py), and variables as JSON text that preserves 1.0 and long
// integers.
#pragma once

#include "test_paths.h"
#include "text/template/template_renderer.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

namespace gufo::test {

inline QByteArray templateData(const char* name) {
    QFile file(QStringLiteral(GUFO_TEST_DATA "/template/") + QLatin1String(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

using Variables = std::vector<std::pair<QString, QString>>;

// Returns the members of a JSON object with the text of their values unchanged. Qt's reader would turn 1.0 into 1 and
// truncate long integers.
inline std::vector<std::pair<QString, QByteArray>> members(const QByteArray& json) {
    std::vector<std::pair<QString, QByteArray>> found;
    int depth = 0;
    bool inString = false;
    qsizetype begin = 0;
    QByteArray key;
    for (qsizetype i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (inString) {
            i += c == '\\' ? 1 : 0;
            inString = c != '"';
            continue;
        }
        inString = c == '"';
        if (depth == 1 && c == ':' && key.isEmpty()) {
            key = json.mid(begin, i - begin).trimmed();
            begin = i + 1;
        } else if (depth == 1 && (c == ',' || c == '}')) {
            if (!key.isEmpty()) {
                const auto name = QJsonDocument::fromJson("[" + key + "]");
                found.emplace_back(name[0].toString(), json.mid(begin, i - begin).trimmed());
            }
            key.clear();
            begin = i + 1;
        } else if (depth == 0 && c == '{') {
            begin = i + 1;
        }
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    }
    return found;
}

inline Variables variables(const QByteArray& json) {
    Variables result;
    for (const auto& [name, text] : members(json)) {
        result.emplace_back(name, QString::fromUtf8(text));
    }
    return result;
}

// The time at which the reference rendered.
inline QDateTime goldenTime() { return {QDate(2026, 11, 21), QTime(15, 4, 5)}; }

inline text::Rendering renderNow(text::TemplateRenderer& renderer, const QString& source, Variables variables = {},
                                 bool checkOnly = false) {
    return renderer.render(
        {.source = source, .variables = std::move(variables), .now = goldenTime(), .checkOnly = checkOnly});
}

} // namespace gufo::test
