// A line edit for filters, with a magnifier and a clear button; Escape clears it. filterChanged() is emitted shortly
// after the last key press, so that not every letter starts a search, and immediately on Return and on clearing.
#pragma once

#include <QLineEdit>
#include <QTimer>

namespace gufo::ui {

class FilterField : public QLineEdit {
    Q_OBJECT

public:
    explicit FilterField(const QString& placeholder, QWidget* parent = nullptr);

signals:
    void filterChanged(const QString& text);
    void leftDownwards(); // Down or Return was pressed: move the focus to the results

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void announce();
    QTimer m_delay;
    QString m_announced;
};

} // namespace gufo::ui
