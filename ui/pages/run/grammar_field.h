// Edits the constraint of an answer: a grammar in GBNF or a JSON schema. It is checked while it is written, and errors
// are marked at their line.
#pragma once

#include "base/error.h"
#include "inference/grammar/grammar.h"
#include "ui/jobs/job.h"
#include "ui/widgets/growing_edit.h"

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
    // Null: any text. The last valid grammar is kept until changed() is emitted.
    [[nodiscard]] std::shared_ptr<const inference::Grammar> grammar() const { return m_grammar; }
    [[nodiscard]] QString problem() const { return m_problem->text(); }
    [[nodiscard]] QComboBox* kindCombo() const { return m_kind; }
    [[nodiscard]] GrowingEdit* edit() const { return m_text; }

    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

signals:
    void changed(); // the grammar or its error has changed

private:
    void check();
    void take(const Result<std::shared_ptr<const inference::Grammar>>& grammar);

    QComboBox* m_kind;
    GrowingEdit* m_text;
    QLabel* m_problem;
    std::shared_ptr<const inference::Grammar> m_grammar;
    QTimer m_checkSoon;
    QPointer<Job> m_job;
};

} // namespace gufo::ui
