// The chat templates among which the Run page lets choose: those of the model as edited, the usual ones, and the
// engine's own.
#pragma once

#include "model/model.h"

#include <QComboBox>

#include <vector>

namespace gufo::ui {

class TemplateBox : public QComboBox {
    Q_OBJECT

public:
    struct Choice {
        QString name; // as displayed
        QString source;
        QString key;            // stored in the state
        bool isModels = false;  // false for those that are not in the file
        bool isEngines = false; // the engine applies its own
    };

    explicit TemplateBox(QWidget* parent = nullptr);

    // Keeps the choice, or selects the one that restoreKey() has named, or else the first. Templates of `edited` that
    // differ from those of `saved` are drafts.
    void fill(const Model& edited, const Model& saved, bool withEngines);
    // Returns false if there is no such template.
    bool choose(const QString& key);
    // The chosen template, or in place of the model's default one its template for tools if there are any. Null if
    // there is no choice yet.
    [[nodiscard]] const Choice* used(bool withTools) const;
    [[nodiscard]] bool hasModels() const { return !m_choices.empty() && m_choices.front().isModels; }

    [[nodiscard]] QString key() const; // of the choice; empty if there is none
    void restoreKey(const QString& key) { m_wanted = key; }

private:
    std::vector<Choice> m_choices;
    QString m_wanted;
};

} // namespace gufo::ui
