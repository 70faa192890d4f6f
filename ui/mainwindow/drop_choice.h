// Shown over a tab while files are held above it: what dropping them does. The left half opens them; the right half is
// the offer.
#pragma once

#include <QWidget>

namespace gufo::ui {

class DropChoice : public QWidget {
    Q_OBJECT

public:
    explicit DropChoice(QWidget* window);
    void setOffer(const QString& text);
    void showOver(const QWidget& area, QPoint at); // `at` in the window's coordinates
    [[nodiscard]] bool isOffered(QPoint at) const; // whether dropping there means the offer

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QRect half(bool offer) const;
    QString m_offer;
    QPoint m_at;
};

} // namespace gufo::ui
