// The dialog that selects two to eight models to compare, among open models and files on the disk, and the reference
// among them.
#pragma once

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>

#include <filesystem>
#include <vector>

namespace gufo::ui {

class ChooseFiles : public QDialog {
    Q_OBJECT

public:
    enum class Purpose : std::uint8_t { Compare, RunSideBySide };
    explicit ChooseFiles(Purpose purpose, QWidget* parent = nullptr);
    void addFile(const std::filesystem::path& path, bool checked);
    [[nodiscard]] QListWidget* list() const { return m_list; }

signals:
    // An empty reference stands for the file with the most bits per weight.
    void chosen(const std::vector<std::filesystem::path>& files, const std::filesystem::path& reference);

private:
    void browse();
    void browseFolder();
    void update();
    [[nodiscard]] std::vector<std::filesystem::path> checkedFiles() const;

    std::vector<std::filesystem::path> m_files; // in the order of the list
    QListWidget* m_list;
    QComboBox* m_reference;
    QLabel* m_hint;
    QPushButton* m_compare;
};

} // namespace gufo::ui
