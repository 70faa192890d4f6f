// What one weight is made of: its block's constants, scale, minimum, code and value, and the bytes of the block with
// those marked that decide it.
#pragma once

#include "analysis/weight_tile.h"

#include <QLabel>

namespace gufo::ui {

class BlockLine : public QWidget {
    Q_OBJECT

public:
    explicit BlockLine(QWidget* parent = nullptr);
    void setExplanation(std::uint32_t typeId, const WeightExplanation& explanation);
    void setMessage(const QString& message); // instead: why there is nothing
    void clear();
    [[nodiscard]] QString text() const; // both lines, plain

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void render();
    // The bytes in sight: all, or what fits a line, decisive ones first.
    [[nodiscard]] std::vector<bool> bytesInSight() const;
    [[nodiscard]] QString factsHtml() const;
    [[nodiscard]] QString bytesHtml(const std::vector<bool>& inSight) const;

    std::uint32_t m_typeId = 0;
    std::optional<WeightExplanation> m_explanation;
    QString m_message;
    bool m_all = false;
    QLabel* m_facts;
    QLabel* m_bytes;
};

} // namespace gufo::ui
