// A line above a page that says something has happened, with what can be done about it.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace gufo::ui {

class NoticeBar : public QWidget {
    Q_OBJECT

public:
    explicit NoticeBar(QWidget* parent = nullptr);
    void showNotice(const QString& text, const QString& action);
    [[nodiscard]] QPushButton* actionButton() const { return m_action; }
    [[nodiscard]] QString text() const;

signals:
    void actionRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_text;
    QPushButton* m_action;
};

} // namespace gufo::ui
