// The files of a comparison as chips: colour, short name, size, bits per weight, and which one is the reference. They
// form one row, or two where one has no room for their names. A chip's menu makes its file the reference, opens it in a
// tab or removes it.
#pragma once

#include "ui/compare/comparison.h"

#include <QAbstractButton>
#include <QHBoxLayout>

#include <array>

namespace gufo::ui {

class FileChip : public QAbstractButton {
    Q_OBJECT

public:
    explicit FileChip(QWidget* parent = nullptr);
    // A series of −1 is the reference. `problem` is not empty if the file cannot be read.
    void setFile(const QString& label, const QString& facts, int series, const QString& problem);
    // What is shown of the name where there is no room for all of it: what tells it from the other names.
    void setShortLabel(const QString& label);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] int widthOfName() const; // that the chip needs to show the short name
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_facts;
    QString m_short;
    int m_series = -1;
    bool m_broken = false;
};

class FileChips : public QWidget {
    Q_OBJECT

public:
    explicit FileChips(Comparison& comparison, QWidget* parent = nullptr);
    [[nodiscard]] int rows() const { return m_rows; }
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void referenceChosen(const gufo::hub::ModelPlace& file);
    void removed(const gufo::hub::ModelPlace& file);
    void openRequested(const gufo::hub::ModelPlace& file);
    void rowsChanged(int rows);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refill();
    void arrange();
    void showMenu(FileChip* chip, const hub::ModelPlace& file, bool readable);

    Comparison& m_comparison;
    int m_rows = 1;
    std::array<QHBoxLayout*, 2> m_layouts{};
    std::vector<FileChip*> m_chips;
};

// The names without the beginning and the end that all of them share, if these are long; "…" stands for them.
[[nodiscard]] QStringList distinctParts(const QStringList& names);

} // namespace gufo::ui
