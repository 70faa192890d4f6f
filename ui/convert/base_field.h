// Selects the base model of an adapter: a GGUF file, or a folder with the model's configuration.
#pragma once

#include <QPushButton>
#include <QWidget>

#include <filesystem>

namespace gufo::ui {

class ElidedLabel;

class BaseField : public QWidget {
    Q_OBJECT

public:
    explicit BaseField(QWidget* parent = nullptr);

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; } // empty: none
    void setPath(const std::filesystem::path& path);
    [[nodiscard]] QPushButton* fileButton() const { return m_file; }

signals:
    void changed();

private:
    void choose(bool folder);

    std::filesystem::path m_path;
    ElidedLabel* m_name;
    QPushButton* m_file;
    QPushButton* m_folder;
};

} // namespace gufo::ui
