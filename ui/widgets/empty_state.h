// Shown when a page has no content: a title, and a sentence that gives the reason.
#pragma once

#include <QLabel>
#include <QWidget>

namespace gufo::ui {

class EmptyState : public QWidget {
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent = nullptr);
    void setTexts(const QString& title, const QString& explanation);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void restyle();
    QLabel* m_title;
    QLabel* m_explanation;
};

} // namespace gufo::ui
