// A line edit that filters something: magnifier, clear button, Escape clears. filterChanged() comes a moment after the
// last key, so that a search does not start at every letter; at once on Return and on clearing.
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
    void leftDownwards(); // Down or Return: the results want the focus

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void announce();
    QTimer m_delay;
    QString m_announced;
};

} // namespace gufo::ui
