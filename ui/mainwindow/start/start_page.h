// The content of a new tab: a drop area, Open, and the recent files.
#pragma once

#include <QWidget>

#include <filesystem>

class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace gufo::ui {

class RecentFiles;
class RecentTable;

class StartPage : public QWidget {
    Q_OBJECT

public:
    explicit StartPage(RecentFiles* recent, QWidget* parent = nullptr);

    // The number of tabs that "Restore session" would bring back; 0 hides it.
    void setSessionTabs(int tabs);
    void setDropHovered(bool hovered);
    [[nodiscard]] QWidget* filterField() const;
    [[nodiscard]] RecentTable* table() const { return m_table; }

signals:
    void openDialogRequested();
    void openRequested(const gufo::hub::ModelPlace& place);
    void restoreSessionRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QWidget* makeLeft();
    [[nodiscard]] QWidget* makeRight(RecentFiles* recent);

    RecentFiles* m_recent;
    QWidget* m_left = nullptr;
    QWidget* m_drop = nullptr;
    QLineEdit* m_filter = nullptr;
    QPushButton* m_restore = nullptr;
    QPushButton* m_sample = nullptr;
    RecentTable* m_table = nullptr;
    QStackedWidget* m_list = nullptr; // the table, or a message if it is empty
};

// The path of the small model that is shipped with the program (resources/sample), both when built and when installed.
// Empty if the file does not exist.
[[nodiscard]] std::filesystem::path sampleModelPath();

} // namespace gufo::ui
