// Explains one weight: its block's constants, scale, minimum, code and value, and the block's bytes, in which the bytes
// that determine the weight are marked.
#pragma once

#include "analysis/weight_tile.h"

#include <QLabel>

namespace gufo::ui {

class BlockLine : public QWidget {
    Q_OBJECT

public:
    explicit BlockLine(QWidget* parent = nullptr);
    void setExplanation(std::uint32_t typeId, const WeightExplanation& explanation);
    void setMessage(const QString& message); // shown instead: why there is no explanation
    void clear();
    [[nodiscard]] QString text() const; // both lines as plain text

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void render();
    // The bytes shown: all, or as many as fit into a line, relevant ones first.
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
