// How to save, for who wants to choose: the strategy, with what each would do or why it cannot, reserved space, and
// the proof that the tensor data stays as it is.
#pragma once

#include "formats/gguf/save/save.h"
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

    SaveDialog(const ModelDocument& document, const gguf::SaveOptions& options, QWidget* parent = nullptr);

    [[nodiscard]] gguf::SaveOptions options() const;
    [[nodiscard]] QRadioButton* choice(int index) const { return m_choices[static_cast<std::size_t>(index)].button; }
    [[nodiscard]] QString choiceText(int index) const;
    [[nodiscard]] bool isPlanned() const { return m_plansLeft == 0; }
    [[nodiscard]] QPushButton* saveButton() const { return m_save; }
    [[nodiscard]] QCheckBox* verifyBox() const { return m_verify; }
    [[nodiscard]] QCheckBox* reserveBox() const { return m_reserve; }

signals:
    void saveRequested();
    void saveAsRequested();

private:
    void plan();

    struct Choice {
        QRadioButton* button = nullptr;
        QLabel* text = nullptr;
    };
    std::shared_ptr<const Model> m_base;
    std::shared_ptr<const Model> m_current;
    SaveTarget m_target;
    std::uint64_t m_tensorBytes = 0;
    std::array<Choice, kChoices> m_choices;
    QCheckBox* m_verify;
    QCheckBox* m_reserve;
    QPushButton* m_save;
    int m_plansLeft = 0;
    int m_round = 0; // of planning, so that an earlier one says nothing
};

} // namespace gufo::ui
