// A bar of the file's bytes by tensor type, with a legend that wraps.
#pragma once

#include "ui/pages/overview/overview_data.h"

#include <QColor>
#include <QWidget>

namespace gufo::ui {

class TypeBar : public QWidget {
    Q_OBJECT

public:
    explicit TypeBar(QWidget* parent = nullptr);
    void setOverview(const Overview& overview);

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 48}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override; // tooltips

private:
    struct Share {
        std::optional<std::uint32_t> type; // empty: the header
        QString name;
        QString detail; // "1.64 GiB, 70.7 %, 216 tensors"
        std::uint64_t bytes = 0;
    };
    [[nodiscard]] QColor colorOf(const Share& share) const;
    [[nodiscard]] std::vector<QPoint> legend(int width) const; // top left corner of each entry
    [[nodiscard]] std::vector<QRect> segments() const;

    std::vector<Share> m_shares;
    std::uint64_t m_total = 0;
};

} // namespace gufo::ui
