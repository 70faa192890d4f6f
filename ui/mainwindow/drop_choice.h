// An overlay shown while files are dragged over a tab. Dropping them on the left half opens them; dropping them on the
// right half accepts the offer.
#pragma once

#include <QWidget>

namespace gufo::ui {

class DropChoice : public QWidget {
    Q_OBJECT

public:
    explicit DropChoice(QWidget* window);
    void setOffer(const QString& text);
    void showOver(const QWidget& area, QPoint at); // `at` in the window's coordinates
    [[nodiscard]] bool isOffered(QPoint at) const; // whether a drop there accepts the offer

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QRect half(bool offer) const;
    QString m_offer;
    QPoint m_at;
};

} // namespace gufo::ui
