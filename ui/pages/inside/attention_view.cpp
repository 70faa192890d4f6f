#include "ui/pages/inside/attention_view.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/style.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <span>

namespace gufo::ui {
namespace {

constexpr int kMinBox = 58;
enum Measure { Entropy, FirstToken };

QString shareText(float share) { return AttentionView::tr("%1 %").arg(100.0 * static_cast<double>(share), 0, 'f', 1); }

// NaN is shown as what it is, and not as a place where nothing is.
float cellOf(float value) { return std::isnan(value) ? InsideCells::kNotANumber : value; }

QString withSign(const QString& number, float value) { return value > 0 ? QStringLiteral("+") + number : number; }
QString shareDifference(float share) {
    return withSign(AttentionView::tr("%1 %").arg(formatFixed(100.0 * static_cast<double>(share), 2)), share);
}

} // namespace

AttentionView::AttentionView(QWidget* parent)
    : QWidget(parent)
    , m_which(new SegmentedControl(tr("What is shown of attention"), this))
    , m_measure(new QComboBox(this))
    , m_blockBox(new CountBox(this))
    , m_headBox(new CountBox(this))
    , m_boxes(new QWidget(this))
    , m_maps(new QStackedWidget(this))
    , m_overview(new InsideMap(tr("Heads of all blocks"), m_maps))
    , m_headMap(new InsideMap(tr("Attention of a head by query and key"), m_maps))
    , m_noMap(new EmptyState(m_maps))
    , m_summary(themedLabel({}, TextStyle::Table, Token::Text, this))
    , m_hover(new ElidedLabel(TextStyle::Table, Token::Muted, Qt::ElideRight, this)) {
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setWordWrap(true);
    m_which->addSegment(tr("All heads"), {}, tr("Each head of each block, at the chosen token"));
    m_which->addSegment(tr("One head"), {}, tr("How strongly each token looks at each earlier one"));
    m_measure->setAccessibleName(tr("Colour"));
    m_measure->setToolTip(tr("What the colours of the heads show"));
    m_measure->addItem(tr("Entropy"));
    m_measure->addItem(tr("First token"));
    m_maps->addWidget(m_overview);
    m_maps->addWidget(m_headMap);
    m_maps->addWidget(m_noMap);
    const auto label = [this](const QString& text, QWidget* buddy) {
        QLabel* made = themedLabel(text, TextStyle::Table, Token::Muted, this);
        made->setBuddy(buddy);
        return made;
    };
    for (const auto& [box, name] :
         {std::pair(m_blockBox, tr("Block with the head")), std::pair(m_headBox, tr("Head of the block"))}) {
        box->setAccessibleName(name);
        box->setProperty(kSmallProperty, true);
        box->setMinimumWidth(kMinBox);
        connect(box, &QSpinBox::valueChanged, this, &AttentionView::takeBoxes);
    }
    m_blockBox->setObjectName(QStringLiteral("blockBox"));
    m_headBox->setObjectName(QStringLiteral("headBox"));
    auto* controls = new QHBoxLayout;
    controls->setSpacing(8);
    controls->addWidget(m_which);
    controls->addWidget(m_measure);
    controls->addStretch();
    auto* boxes = new QHBoxLayout(m_boxes);
    boxes->setContentsMargins(0, 0, 0, 0);
    boxes->setSpacing(8);
    boxes->addWidget(label(tr("Block"), m_blockBox));
    boxes->addWidget(m_blockBox);
    boxes->addWidget(label(tr("Head"), m_headBox));
    boxes->addWidget(m_headBox);
    controls->addWidget(m_boxes);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 8, 8);
    layout->setSpacing(8);
    layout->addLayout(controls);
    layout->addWidget(m_summary);
    layout->addWidget(m_maps, 1);
    layout->addWidget(m_hover);

    connect(m_which, &SegmentedControl::chosen, this, &AttentionView::showPart);
    connect(m_measure, &QComboBox::currentIndexChanged, this, &AttentionView::showOverview);
    for (InsideMap* map : {m_overview, m_headMap}) {
        connect(map, &InsideMap::hovered, m_hover, &ElidedLabel::setText);
    }
    connect(m_overview, &InsideMap::picked, this, [this](std::size_t block, std::size_t head) {
        if (head < headsOf(block)) {
            choose(block, head);
            emit headChosen();
        }
    });
}

void AttentionView::setInside(std::shared_ptr<const inference::Inside> inside, QStringList texts,
                              std::shared_ptr<const inference::Inside> minus) {
    m_inside = std::move(inside);
    m_minus = std::move(minus);
    m_texts = std::move(texts);
    if (rowOf(m_inside.get(), m_block, m_head) == nullptr && !m_inside->rows.empty()) {
        m_block = m_inside->rows.front().block;
        m_head = m_inside->rows.front().head;
    }
    showOverview();
    choose(m_block, m_head);
}

void AttentionView::setMap(std::shared_ptr<const inference::AttentionMap> map, const QString& reason) {
    m_mapped = std::move(map);
    if (attends()) {
        m_noMap->setTexts(tr("No map of this head"), reason);
    } else {
        m_noMap->setTexts(tr("No block has attention"),
                          tr("Each has a state of constant size instead, which takes in one token after the other. "
                             "Sizes shows how large it is, and how much of it decays."));
    }
    showMap();
    showPart(m_which->current());
}

const inference::AttentionRow* AttentionView::rowOf(const inference::Inside* inside, std::size_t block,
                                                    std::size_t head) {
    if (inside == nullptr) {
        return nullptr;
    }
    const auto row = std::ranges::find_if(
        inside->rows, [&](const inference::AttentionRow& each) { return each.block == block && each.head == head; });
    return row != inside->rows.end() ? &*row : nullptr;
}

bool AttentionView::attends() const {
    return m_inside == nullptr || std::ranges::any_of(m_inside->heads, [](std::uint32_t heads) { return heads != 0; });
}

std::uint32_t AttentionView::headsOf(std::size_t block) const {
    return m_minus != nullptr ? std::min(m_inside->heads[block], m_minus->heads[block]) : m_inside->heads[block];
}

inference::HeadSummary AttentionView::summaryOf(const inference::AttentionRow& row) const {
    const inference::AttentionRow* minus = rowOf(m_minus.get(), row.block, row.head);
    return minus != nullptr ? row.summary - minus->summary : row.summary;
}

void AttentionView::choose(std::size_t block, std::size_t head) {
    if (m_inside == nullptr || block >= m_inside->heads.size()) {
        return;
    }
    m_block = block;
    m_head = std::min<std::size_t>(head, std::max(headsOf(block), 1U) - 1);
    m_setting = true;
    m_blockBox->setMaximum(static_cast<int>(m_inside->heads.size()) - 1);
    m_blockBox->setValue(static_cast<int>(m_block));
    m_headBox->setMaximum(static_cast<int>(std::max(headsOf(block), 1U)) - 1);
    m_headBox->setValue(static_cast<int>(m_head));
    m_headBox->setEnabled(headsOf(block) != 0);
    m_setting = false;
    m_overview->setCell(m_block, m_head);
    m_summary->setText(describeHead(m_block, m_head));
}

void AttentionView::takeBoxes() {
    if (!m_setting) {
        choose(static_cast<std::size_t>(m_blockBox->value()), static_cast<std::size_t>(m_headBox->value()));
        emit headChosen();
    }
}

std::vector<float> AttentionView::weights() const { return weightsOf(m_block, m_head); }

std::vector<float> AttentionView::weightsOf(std::size_t block, std::size_t head) const {
    const inference::AttentionRow* row = rowOf(m_inside.get(), block, head);
    const inference::AttentionRow* minus = rowOf(m_minus.get(), block, head);
    if (row == nullptr || (m_minus != nullptr && minus == nullptr)) {
        return {};
    }
    std::vector<float> weights(row->first);
    weights.insert(weights.end(), row->weights.begin(), row->weights.end());
    for (std::size_t i = 0; minus != nullptr && i < minus->weights.size(); ++i) {
        weights[minus->first + i] -= minus->weights[i];
    }
    return weights;
}

QString AttentionView::describeDifference(std::size_t block, std::size_t head) const {
    const std::vector<float> weights = weightsOf(block, head);
    if (weights.empty()) {
        return tr("Block %1: not both models have this head.").arg(formatCount(block));
    }
    const inference::HeadSummary summary = summaryOf(*rowOf(m_inside.get(), block, head));
    QString text = tr("Block %1, head %2, B − A: entropy %3 nats, %4 on the first token")
                       .arg(formatCount(block), formatCount(head),
                            withSign(formatReal(static_cast<double>(summary.entropy), 3), summary.entropy),
                            shareDifference(summary.first));
    const auto most = std::ranges::max_element(weights, {}, [](float weight) { return std::abs(weight); });
    const auto at = static_cast<std::size_t>(most - weights.begin());
    text += tr(", changed most at token %1 “%2” (%3)")
                .arg(formatCount(at), displayText(m_texts.value(static_cast<qsizetype>(at)).toStdString()),
                     shareDifference(*most));
    return text;
}

QString AttentionView::describeHead(std::size_t block, std::size_t head) const {
    const inference::AttentionRow* row = rowOf(m_inside.get(), block, head);
    if (m_minus != nullptr && (row != nullptr || m_minus->heads[block] != 0)) {
        return describeDifference(block, head);
    }
    if (row == nullptr) {
        return tr("Block %1 has no attention: a state of constant size takes its place, which Sizes shows.")
            .arg(formatCount(block));
    }
    const auto most = std::ranges::max_element(row->weights);
    const auto at = row->first + static_cast<std::size_t>(most - row->weights.begin());
    QString text = tr("Block %1, head %2: entropy %3 nats, %4 on the first token")
                       .arg(formatCount(block), formatCount(head),
                            formatReal(static_cast<double>(row->summary.entropy), 3), shareText(row->summary.first));
    if (row->summary.sink > 0) {
        text += tr(", %1 on its sink").arg(shareText(row->summary.sink));
    }
    if (most != row->weights.end()) {
        text += tr(", most on token %1 “%2” (%3)")
                    .arg(formatCount(at), displayText(m_texts.value(static_cast<qsizetype>(at)).toStdString()),
                         shareText(*most));
    }
    if (m_inside->windows[block] != 0) {
        text += tr(", window of %1 tokens").arg(formatCount(m_inside->windows[block]));
    }
    return text;
}

void AttentionView::showOverview() {
    if (m_inside == nullptr) {
        return;
    }
    const bool entropy = m_measure->currentIndex() == Entropy;
    std::uint32_t most = 0;
    for (std::size_t block = 0; block < m_inside->heads.size(); ++block) {
        most = std::max(most, headsOf(block));
    }
    InsideCells cells{.rows = m_inside->blocks,
                      .columns = most,
                      .values = std::vector<float>(m_inside->blocks * most, InsideCells::kNothing),
                      .rowName = tr("Block"),
                      .columnName = tr("Head"),
                      .scaleName = m_minus == nullptr ? entropy ? tr("Entropy (nats)") : tr("Share of the first token")
                                   : entropy ? tr("Entropy, B − A (nats)")
                                                      : tr("Share of the first token, B − A"),
                      .diverging = m_minus != nullptr};
    for (const inference::AttentionRow& row : m_inside->rows) {
        if (row.head < headsOf(row.block)) {
            const inference::HeadSummary summary = summaryOf(row);
            cells.values[row.block * most + row.head] = cellOf(entropy ? summary.entropy : summary.first);
        }
    }
    cells.describe = [this](std::size_t block, std::size_t head, float) {
        return head < headsOf(block) || headsOf(block) == 0 ? describeHead(block, head) : QString();
    };
    m_overview->setCells(std::move(cells));
    m_overview->setCell(m_block, m_head);
}

void AttentionView::showMap() {
    if (m_mapped == nullptr) {
        return;
    }
    const inference::AttentionMap& map = *m_mapped;
    const auto tokens = static_cast<qsizetype>(map.tokens);
    InsideCells cells{.rows = map.tokens,
                      .columns = map.tokens,
                      .values = {map.weights.begin(), map.weights.begin() + tokens * tokens},
                      .rowName = tr("Query"),
                      .columnName = tr("Key"),
                      .scaleName = m_minus != nullptr ? tr("Weight, B − A") : tr("Weight"),
                      .diverging = m_minus != nullptr};
    for (std::size_t query = 0; query < map.tokens; ++query) {
        const auto row = std::span(cells.values).subspan(query * map.tokens, map.tokens);
        if (std::isnan(row[query])) { // a query sees all of its keys or, with NaN among the weights, none
            std::ranges::transform(row, row.begin(), cellOf);
        }
        std::ranges::fill(row.subspan(query + 1), InsideCells::kNothing); // later tokens cannot be seen
    }
    cells.describe = [this](std::size_t query, std::size_t key, float weight) {
        const auto name = [this](std::size_t token) {
            return QStringLiteral("%1 “%2”").arg(
                formatCount(token), displayText(m_texts.value(static_cast<qsizetype>(token)).toStdString()));
        };
        if (key <= query && !std::isfinite(weight)) {
            return tr("%1 looks at %2: NaN").arg(name(query), name(key));
        }
        return key > query          ? tr("%1 comes before %2 and cannot see it").arg(name(query), name(key))
               : m_minus != nullptr ? tr("%1 at %2, B − A: %3").arg(name(query), name(key), shareDifference(weight))
                                    : tr("%1 looks at %2 with %3").arg(name(query), name(key), shareText(weight));
    };
    m_headMap->setCells(std::move(cells));
    m_headMap->setCell(map.tokens - 1, m_headMap->cell().second);
}

InsideMap* AttentionView::shownMap() const { return m_maps->currentWidget() == m_overview ? m_overview : m_headMap; }

void AttentionView::showPart(int index) {
    const bool any = attends();
    m_which->setCurrent(index);
    m_which->setVisible(any);
    m_boxes->setVisible(any);
    m_summary->setVisible(any);
    m_measure->setVisible(any && index == 0);
    m_maps->setCurrentWidget(!any                  ? static_cast<QWidget*>(m_noMap)
                             : index == 0          ? static_cast<QWidget*>(m_overview)
                             : m_mapped != nullptr ? static_cast<QWidget*>(m_headMap)
                                                   : m_noMap);
    m_hover->setText({});
}

} // namespace gufo::ui

#include "moc_attention_view.cpp"
