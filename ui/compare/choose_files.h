// The dialog that selects two to eight models to compare, among open models and files on the disk, and the reference
// among them.
#pragma once

#include "ui/shell/places.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>

#include <optional>
#include <vector>

namespace gufo::ui {

class ChooseFiles : public QDialog {
    Q_OBJECT

public:
    enum class Purpose : std::uint8_t { Compare, RunSideBySide };
    explicit ChooseFiles(Purpose purpose, QWidget* parent = nullptr);
    void addFile(const hub::ModelPlace& place, bool checked);
    [[nodiscard]] QListWidget* list() const { return m_list; }

signals:
    // Without a reference, it is the file with the most bits per weight.
    void chosen(const std::vector<gufo::hub::ModelPlace>& files, const std::optional<gufo::hub::ModelPlace>& reference);

private:
    void browse();
    void browseFolder();
    void update();
    [[nodiscard]] Places checkedFiles() const;

    Places m_files; // in the order of the list
    QListWidget* m_list;
    QComboBox* m_reference;
    QLabel* m_hint;
    QPushButton* m_compare;
};

} // namespace gufo::ui
