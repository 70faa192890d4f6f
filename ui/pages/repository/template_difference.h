// Shows the difference between the chat template of a model in a repository and a reference: the template of the base
// model or, if that is not known, the one that most files of the repository have.
#pragma once

#include "ui/jobs/job.h"

#include <QDialog>

#include <optional>
#include <string>

class QLabel;

namespace gufo::ui {

class DiffView;

struct TemplateDifference {
    std::string reference;
    std::string candidate;     // the template of the model
    bool isBaseModels = false; // the reference is the template of the base model
};

class TemplateDifferenceDialog : public QDialog {
    Q_OBJECT

public:
    TemplateDifferenceDialog(const QString& modelName, TemplateDifference difference, QWidget* parent = nullptr);

    [[nodiscard]] QString summary() const; // empty while the texts are compared
    [[nodiscard]] DiffView* view() const { return m_diff; }

private:
    QLabel* m_summary;
    DiffView* m_diff;
};

} // namespace gufo::ui
