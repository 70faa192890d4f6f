// Selects a file: its name, a button to choose one and, if none is needed, a button to clear it.
#pragma once

#include <QPushButton>
#include <QStringList>
#include <QWidget>

#include <filesystem>

namespace gufo::ui {

class ElidedLabel;

class FileField : public QWidget {
    Q_OBJECT

public:
    enum class Needs { File, FileOrNothing };

    // `what` is what the file contains: "text". It completes names for screen readers and the title of the dialog.
    FileField(const QString& what, QStringList filters, Needs needs, QWidget* parent = nullptr);

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; } // empty: none
    void setPath(const std::filesystem::path& path);

signals:
    void changed();

private:
    void choose();

    QString m_what;
    QStringList m_filters;
    std::filesystem::path m_path;
    ElidedLabel* m_name;
    QPushButton* m_choose;
    QPushButton* m_clear = nullptr; // null if a file is needed
};

// The filters of a dialog that chooses a plain text.
[[nodiscard]] QStringList textFilters();

} // namespace gufo::ui
