// The files of a comparison as a row of chips: colour, short name, size, bits per weight, and which one is the
// reference. A chip's menu makes its file the reference, opens it in a tab or removes it.
#pragma once

#include "ui/compare/comparison.h"

#include <QAbstractButton>
#include <QHBoxLayout>

namespace gufo::ui {

class FileChip : public QAbstractButton {
    Q_OBJECT

public:
    explicit FileChip(QWidget* parent = nullptr);
    // A series of −1 is the reference. `problem` is not empty if the file cannot be read.
    void setFile(const QString& label, const QString& facts, int series, const QString& problem);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_facts;
    int m_series = -1;
    bool m_broken = false;
};

class FileChips : public QWidget {
    Q_OBJECT

public:
    explicit FileChips(Comparison& comparison, QWidget* parent = nullptr);
    [[nodiscard]] const std::vector<FileChip*>& chips() const { return m_chips; }

signals:
    void referenceChosen(const std::filesystem::path& file);
    void removed(const std::filesystem::path& file);
    void openRequested(const std::filesystem::path& file);

private:
    void refill();
    void showMenu(FileChip* chip, const std::filesystem::path& file, bool readable);

    Comparison& m_comparison;
    QHBoxLayout* m_row;
    std::vector<FileChip*> m_chips;
};

} // namespace gufo::ui
