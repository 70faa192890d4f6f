// The verdict of a comparison of GGUF files with their origin, above the pages: a sentence for each, and what it is
// based on. In other comparisons, it says which tensors have been exchanged, and is hidden if none have.
#pragma once

#include "ui/compare/comparison.h"

#include <QLabel>
#include <QToolButton>
#include <QWidget>

namespace gufo::ui {

class OriginVerdict : public QWidget {
    Q_OBJECT

public:
    explicit OriginVerdict(Comparison& comparison, QWidget* parent = nullptr);

    [[nodiscard]] QString text() const { return m_verdict->text(); }
    [[nodiscard]] QString details() const { return m_details->text(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    [[nodiscard]] QStringList exchangedLines() const; // one for each file that has exchanged tensors

    Comparison& m_comparison;
    QLabel* m_verdict;
    QLabel* m_details;
    QToolButton* m_more;
    bool m_good = false;
};

} // namespace gufo::ui
