// A folder with the files of a tokenizer that a test writes, and the keys that are planned for it.
#pragma once

#include "convert/vocabulary/vocabulary_plan.h"
#include "expected_keys.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace gufo::test {

using namespace gufo::convert;

class TokenizerFolder {
public:
    void write(const char* name, const QByteArray& text) const {
        QFile file(m_folder.filePath(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    [[nodiscard]] SourceFolder source() const { return *SourceFolder::of(m_folder.path().toStdString(), nullptr); }
    [[nodiscard]] Result<VocabularyPlan> plan(const VocabularyOptions& options = {.architecture = "llama"}) const {
        return planVocabulary(source(), options);
    }

private:
    QTemporaryDir m_folder;
};

inline QJsonValue valueOf(const VocabularyPlan& plan, const char* key) {
    const auto row = std::ranges::find(plan.keys, key, &PlannedKey::key);
    return row == plan.keys.end() ? QJsonValue(QJsonValue::Undefined) : jsonOfKey(*row)["value"];
}

inline QString textsOf(const VocabularyPlan& plan, const char* key) {
    return valueOf(plan, key).toVariant().toStringList().join(QLatin1Char('|'));
}

inline bool hasFinding(const VocabularyPlan& plan, const char* name) {
    return std::ranges::any_of(plan.findings, [&](const Finding& finding) { return finding.name() == name; });
}

inline const char* errorOf(const auto& result) { return result ? "" : errorName(result.error().code).data(); }

} // namespace gufo::test
