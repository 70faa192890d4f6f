// What colours mean: groups of keys in as many lines as the width needs, or a hint in their place.
#pragma once

#include "ui/pages/diagram/diagram_colors.h"

#include <QWidget>

#include <vector>

class QPainter;

namespace gufo::ui {

struct DiagramKeyGroup {
    QString label; // may be empty
    std::vector<DiagramKey> keys;
};

class DiagramLegend : public QWidget {
    Q_OBJECT

public:
    explicit DiagramLegend(QWidget* parent = nullptr);

    void setGroups(std::vector<DiagramKeyGroup> groups);
    void setHint(const QString& hint); // instead of groups
    // Paints, or only measures if `painter` is null. Returns the height.
    int draw(QPainter* painter, int width) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override { return draw(nullptr, width); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void describe();

    std::vector<DiagramKeyGroup> m_groups;
    QString m_hint;
};

} // namespace gufo::ui
