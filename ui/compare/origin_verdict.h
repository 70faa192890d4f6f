// The verdict of a comparison of a GGUF file with its origin, above the pages: one sentence, and what it is based on.
// Hidden in other comparisons.
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
    [[nodiscard]] QToolButton* detailsButton() const { return m_more; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();

    Comparison& m_comparison;
    QLabel* m_verdict;
    QLabel* m_details;
    QToolButton* m_more;
    bool m_good = false;
};

} // namespace gufo::ui
