// Options for saving: the strategy, with what each would do or why it is impossible; reserved space; and verification
// that the tensor data is unchanged.
#pragma once

#include "formats/save/saving.h"
#include "ui/document/model_document.h"
#include "ui/jobs/job.h"

#include <QDialog>

#include <array>

class QCheckBox;
class QLabel;
class QPushButton;
class QRadioButton;

namespace gufo::ui {

class SaveDialog : public QDialog {
    Q_OBJECT

public:
    // Automatic, and the strategies that can be forced.
    static constexpr int kChoices = 5;

    SaveDialog(const ModelDocument& document, const SaveOptions& options, QWidget* parent = nullptr);

    [[nodiscard]] SaveOptions options() const;
    [[nodiscard]] QRadioButton* choice(int index) const { return m_choices[static_cast<std::size_t>(index)].button; }
    [[nodiscard]] QPushButton* saveButton() const { return m_save; }

signals:
    void saveRequested();
    void saveAsRequested();

private:
    void plan();

    struct Choice {
        QRadioButton* button = nullptr;
        QLabel* text = nullptr;
        bool offered = true; // whether the model's container supports it
    };
    std::shared_ptr<const Model> m_base;
    std::shared_ptr<const Model> m_current;
    SaveTarget m_target;
    std::uint64_t m_tensorBytes = 0;
    std::array<Choice, kChoices> m_choices;
    QCheckBox* m_verify;
    QCheckBox* m_reserve;
    QPushButton* m_save;
    int m_round = 0; // number of the planning round, so that results of earlier ones are ignored
};

} // namespace gufo::ui
