// The status line of the window: a sentence on the left, facts on the right.
#pragma once

#include <QStringList>
#include <QWidget>

namespace gufo::ui {

class ElidedLabel;

class StatusStrip : public QWidget {
    Q_OBJECT

public:
    explicit StatusStrip(QWidget* parent = nullptr);
    void setTexts(const QString& left, const QStringList& right);
    void say(const QString& left) { setTexts(left, m_right); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();

    ElidedLabel* m_left;
    QStringList m_right;
};

} // namespace gufo::ui
