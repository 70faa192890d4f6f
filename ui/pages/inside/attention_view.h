// Where the heads look: an overview of all heads of all blocks at the chosen token, and a map of one head over all
// queries and keys. One head is chosen; its weights shade the text. Of two models, both can show the difference.
#pragma once

#include "inference/measuring/inside_difference.h"
#include "ui/pages/inside/inside_map.h"
#include "ui/plots/picture_menu.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/segmented_control.h"

#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStringList>

namespace gufo::ui {

class AttentionView : public QWidget {
    Q_OBJECT

public:
    explicit AttentionView(QWidget* parent = nullptr);

    // `texts` are the texts of the tokens that the model has read, for descriptions.
    // With `minus`, what another model recorded, differences from that are shown.
    void setInside(std::shared_ptr<const inference::Inside> inside, QStringList texts,
                   std::shared_ptr<const inference::Inside> minus = nullptr);
    // The map of another head of the same text, or the difference of two; null with a reason why there is none.
    void setMap(std::shared_ptr<const inference::AttentionMap> map, const QString& reason = {});
    void choose(std::size_t block, std::size_t head);
    [[nodiscard]] std::size_t block() const { return m_block; }
    [[nodiscard]] std::size_t head() const { return m_head; }
    // The weights of the chosen head at the chosen token, or their differences, for each token of the text; empty if
    // there are none.
    [[nodiscard]] std::vector<float> weights() const;
    [[nodiscard]] bool showsDifference() const { return m_minus != nullptr; }
    [[nodiscard]] const inference::AttentionMap* map() const { return m_mapped.get(); }

    [[nodiscard]] SegmentedControl* which() const { return m_which; }
    [[nodiscard]] QComboBox* measure() const { return m_measure; }
    [[nodiscard]] InsideMap* overview() const { return m_overview; }
    [[nodiscard]] InsideMap* headMap() const { return m_headMap; }
    [[nodiscard]] QString summary() const { return m_summary->text(); }
    [[nodiscard]] InsideMap* shownMap() const;
    void showPart(int index); // 0: overview; 1: map

signals:
    void headChosen(); // by the user

private:
    void showOverview();
    void showMap();
    [[nodiscard]] bool attends() const; // whether any block does
    void takeBoxes();
    // How many heads of the block can be shown, which are those that both models have.
    [[nodiscard]] std::uint32_t headsOf(std::size_t block) const;
    [[nodiscard]] static const inference::AttentionRow* rowOf(const inference::Inside* inside, std::size_t block,
                                                              std::size_t head);
    [[nodiscard]] inference::HeadSummary summaryOf(const inference::AttentionRow& row) const;
    [[nodiscard]] std::vector<float> weightsOf(std::size_t block, std::size_t head) const;
    [[nodiscard]] QString describeHead(std::size_t block, std::size_t head) const;
    [[nodiscard]] QString describeDifference(std::size_t block, std::size_t head) const;

    std::shared_ptr<const inference::Inside> m_inside;
    std::shared_ptr<const inference::Inside> m_minus; // null: no difference is shown
    std::shared_ptr<const inference::AttentionMap> m_mapped;
    QStringList m_texts;
    std::size_t m_block = 0;
    std::size_t m_head = 0;
    bool m_setting = false;
    SegmentedControl* m_which;
    QComboBox* m_measure;
    QSpinBox* m_blockBox;
    QSpinBox* m_headBox;
    QWidget* m_boxes; // block and head
    QStackedWidget* m_maps;
    InsideMap* m_overview;
    InsideMap* m_headMap;
    EmptyState* m_noMap;
    QLabel* m_summary;
    ElidedLabel* m_hover;
};

} // namespace gufo::ui
