// The chat templates that the Run page offers: the templates of the edited model, the usual ones, the engine's own, and
// one from a file, which is kept as long as the page.
#pragma once

#include "model/model.h"
#include "ui/jobs/latest_job.h"

#include <QComboBox>

#include <filesystem>
#include <vector>

namespace gufo::ui {

class TemplateBox : public QComboBox {
    Q_OBJECT

public:
    struct Choice {
        QString name; // as displayed
        QString source;
        QString key;            // stored in the state
        bool isModels = false;  // false for templates that are not in the file
        bool isEngines = false; // the engine applies its own
    };

    explicit TemplateBox(QWidget* parent = nullptr);

    // Keeps the choice, or selects the one that restoreKey() has named, or else the first. Templates of `edited` that
    // differ from the templates of `saved` are drafts.
    void fill(const Model& edited, const Model& saved, bool withEngines);
    // Returns false if there is no such template.
    bool choose(const QString& key);
    // Reads a template in a job, and chooses it.
    void readFile(const std::filesystem::path& path);
    // The chosen template, or in place of the model's default one its template for tools if there are any. Null if
    // there is no choice yet.
    [[nodiscard]] const Choice* used(bool withTools) const;
    [[nodiscard]] bool hasModels() const { return !m_choices.empty() && m_choices.front().isModels; }

    [[nodiscard]] QString key() const; // of the choice; empty if there is none
    void restoreKey(const QString& key) { m_wanted = key; }

signals:
    void chosen(); // another template by the user
    void noticed(const QString& text, bool isError);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void addChoices(); // as entries, and the one that asks for a file
    void askForFile();
    std::vector<Choice> m_choices;
    QString m_wanted;
    int m_current = 0; // in m_choices
    LatestJob m_reading{this};
};

} // namespace gufo::ui
