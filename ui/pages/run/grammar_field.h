// Edits the constraint of an answer: a grammar in GBNF or a JSON schema. It is checked while it is written, and errors
// are marked at their line.
#pragma once

#include "base/error.h"
#include "inference/grammar/json_schema.h"
#include "inference/interface/engine_capabilities.h"
#include "ui/jobs/latest_job.h"
#include "ui/widgets/growing_edit.h"

#include <QCheckBox>
#include <QComboBox>
#include <QJsonObject>
#include <QLabel>
#include <QWidget>

namespace gufo::ui {

class GrammarField : public QWidget {
    Q_OBJECT

public:
    enum Kind { None, Gbnf, JsonSchema };

    explicit GrammarField(QWidget* parent = nullptr);

    void setKind(Kind kind);
    void setText(const QString& text);
    // Switches off the kinds that an engine does not support.
    void setEngine(const inference::EngineCapabilities& engine);
    // Null: any text, or a kind that the engine does not support. The last valid grammar is kept until changed() is
    // emitted.
    [[nodiscard]] std::shared_ptr<const inference::Grammar> grammar() const {
        return isOffered() ? m_grammar : nullptr;
    }
    [[nodiscard]] QString problem() const { return m_problem->text(); }
    // Which keywords of the schema are ignored; empty: none.
    [[nodiscard]] QString notice() const { return m_ignored->text(); }
    // Ignores keywords that cannot be guaranteed, instead of refusing the schema.
    [[nodiscard]] bool isOffered() const { return isOffered(m_kind->currentIndex()); } // the engine supports the kind
    [[nodiscard]] GrowingEdit* edit() const { return m_text; }

    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

signals:
    void changed(); // the grammar or its error has changed

private:
    [[nodiscard]] bool isOffered(int kind) const;
    void check();
    void showMissing();
    void take(const Result<inference::SchemaGrammar>& parsed);

    QComboBox* m_kind;
    GrowingEdit* m_text;
    QCheckBox* m_relaxed;
    QLabel* m_problem;
    QLabel* m_ignored;
    QLabel* m_missing; // says that the engine does not support the chosen kind
    inference::EngineCapabilities m_engine{.grammars = true};
    std::shared_ptr<const inference::Grammar> m_grammar;
    QTimer m_checkSoon;
    LatestJob m_job{this};
};

} // namespace gufo::ui
