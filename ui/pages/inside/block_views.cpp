#include "ui/pages/inside/block_views.h"

#include "ui/messages/figure_text.h"
#include "ui/widgets/rows_table.h"
#include "ui/widgets/text_color.h"

#include <QHeaderView>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace gufo::ui {
namespace {

constexpr int kTableRow = 22;
constexpr int kNumberWidth = 62;
constexpr int kTextWidth = 120;
constexpr int kListWidth = 360;

BlockTable::Cell number(double value, int significant = 4) {
    return {.text = std::isnan(value) ? QStringLiteral("NaN") : formatReal(value, significant), .exact = value};
}
BlockTable::Cell count(std::size_t value) {
    return {.text = formatCount(value), .exact = static_cast<qulonglong>(value)};
}
BlockTable::Cell share(float value) {
    return {.text = std::isnan(value) ? QStringLiteral("NaN")
                                      : SizesView::tr("%1 %").arg(100.0 * static_cast<double>(value), 0, 'f', 1),
            .exact = value};
}

BlockTable::Cell real(float value) { return number(static_cast<double>(value)); }

BlockTable::Cell candidateCell(const inference::LogitLens::Candidate& candidate, const TokenName& nameOf) {
    const QString probability = share(candidate.probability).text;
    return {.text = LensView::tr("%1  %2").arg(nameOf(candidate.token), probability),
            .strength = candidate.probability,
            .toolTip = LensView::tr("“%1”, id %2, %3")
                           .arg(nameOf(candidate.token), formatCount(candidate.token.value), probability)};
}

// "From block 3 on": where the token that a model puts first in the end became first.
QString becomesText(const inference::LogitLens& lens, std::size_t token) {
    if (const auto block = lens.firstNotANumber(token)) {
        return LensView::tr("nowhere (NaN from block %1 on)").arg(formatCount(*block));
    }
    const std::size_t becomes = lens.becomes[token];
    return becomes + 1 == lens.blocks ? LensView::tr("only after the last block")
                                      : LensView::tr("from block %1 on").arg(formatCount(becomes));
}

// Where the first NaN of a text is; empty if there is none.
QString notANumberText(const std::optional<inference::StreamSizes>& sizes) {
    if (!sizes || !sizes->notANumber) {
        return {};
    }
    using Part = inference::StreamSizes::Part;
    const auto& nan = *sizes->notANumber;
    const QString place = nan.part == Part::Mixer         ? SizesView::tr("what attention adds")
                          : nan.part == Part::FeedForward ? SizesView::tr("what the feed-forward adds")
                                                          : SizesView::tr("the stream");
    return SizesView::tr("NaN first appears at token %1 in block %2, in %3.")
        .arg(formatCount(nan.token), formatCount(nan.block), place);
}

// The answer of a model in the end.
QString answerOf(const inference::LogitLens& lens, std::size_t token, const TokenName& nameOf) {
    return lens.isNotANumber(lens.blocks - 1, token) ? QStringLiteral("NaN")
                                                     : nameOf(lens.at(lens.blocks - 1, token).front().token);
}

// "3: 0.41, 0: 0.22"; of an expert that both choose, the weights of A and B.
BlockTable::Cell choicesCell(const std::vector<inference::ExpertChoices::Choice>& choices) {
    QStringList parts;
    for (const inference::ExpertChoices::Choice& choice : choices) {
        QStringList weights;
        for (const float weight : choice.weights) {
            if (weight != 0) {
                weights << number(static_cast<double>(weight), 3).text;
            }
        }
        parts << ExpertsView::tr("%1: %2").arg(formatCount(choice.expert), weights.join(QStringLiteral(" → ")));
    }
    return {.text = parts.join(QStringLiteral(", ")), .toolTip = parts.join(u'\n')};
}

void fitColumns(QTableView& table, int numbers) {
    for (int column = 0; column < table.model()->columnCount(); ++column) {
        const int title = table.horizontalHeader()->sectionSizeHint(column);
        table.setColumnWidth(column, std::max(title, column < numbers ? kNumberWidth : kTextWidth));
    }
}

// The colours of the lines of a plot.
class LineLegend : public QWidget {
public:
    LineLegend(QStringList names, QWidget* parent)
        : QWidget(parent)
        , m_names(std::move(names)) {
        setFont(themeFont(TextStyle::Axis));
        setFixedHeight(fontMetrics().height() + 4);
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        constexpr int kSample = 18;
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setFont(themeFont(TextStyle::Axis));
        int x = 0;
        for (int i = 0; i < m_names.size(); ++i) {
            painter.setPen(QPen(seriesColor(i), 2));
            painter.drawLine(QPointF(x, height() / 2.0), QPointF(x + kSample, height() / 2.0));
            x += kSample + 5;
            painter.setPen(themeColor(Token::Muted));
            const int width = painter.fontMetrics().horizontalAdvance(m_names[i]);
            painter.drawText(QRect(x, 0, width + 1, height()), Qt::AlignLeft | Qt::AlignVCenter, m_names[i]);
            x += width + 16;
        }
    }

private:
    QStringList m_names;
};

} // namespace

LensView::LensView(QWidget* parent)
    : QWidget(parent)
    , m_heading(themedLabel({}, TextStyle::Table, Token::Text, this))
    , m_model(new BlockTable(this))
    , m_table(makeRowsTable(tr("Most likely tokens after each block"), m_model, kTableRow, this)) {
    m_heading->setWordWrap(true);
    m_heading->setTextFormat(Qt::PlainText);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 12, 0, 0);
    layout->setSpacing(8);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 0, 12, 0);
    head->addWidget(m_heading);
    layout->addLayout(head);
    layout->addWidget(m_table, 1);
}

void LensView::setInside(const inference::Inside& inside, const TokenName& nameOf, TokenId after) {
    const inference::LogitLens& lens = *inside.lens;
    const std::size_t token = lens.tokens - 1;
    const TokenId final = lens.at(lens.blocks - 1, token).front().token;
    const std::size_t becomes = lens.becomes[token];
    const auto nan = lens.firstNotANumber(token);
    m_heading->setText(nan ? tr("After “%1”, nothing is first: from block %2 on, the logits are NaN.")
                                     .arg(nameOf(after), formatCount(*nan)) +
                                 u' ' + notANumberText(inside.sizes)
                       : becomes + 1 == lens.blocks
                           ? tr("After “%1”, the answer is “%2”. It is first only after the last block.")
                                 .arg(nameOf(after), nameOf(final))
                           : tr("After “%1”, the answer is “%2”. It is first from block %3 on.")
                                 .arg(nameOf(after), nameOf(final), formatCount(becomes)));
    QStringList columns{tr("Block"), tr("Rank"), tr("Answer")};
    for (std::size_t i = 0; i < lens.candidates; ++i) {
        columns << tr("%1.").arg(i + 1);
    }
    std::vector<BlockTable::Row> rows;
    for (std::size_t block = 0; block < lens.blocks; ++block) {
        const inference::LogitLens::Final& place = lens.finalAt(block, token);
        if (lens.isNotANumber(block, token)) {
            rows.push_back({.cells = {count(block), {}, share(place.probability)}});
            rows.back().cells.resize(static_cast<std::size_t>(columns.size())); // there are no candidates
            continue;
        }
        BlockTable::Row row{.cells = {count(block), count(place.rank + 1), share(place.probability)},
                            .marked = block == becomes};
        row.cells[1].toolTip = tr("The rank of “%1” after the block").arg(nameOf(final));
        row.cells[2].toolTip = tr("The probability of “%1” after the block").arg(nameOf(final));
        for (const inference::LogitLens::Candidate& candidate : lens.at(block, token)) {
            row.cells.push_back(candidateCell(candidate, nameOf));
        }
        rows.push_back(std::move(row));
    }
    m_model->setRows(columns, 3, std::move(rows));
    fitColumns(*m_table, 3);
    m_table->scrollTo(m_model->index(static_cast<int>(std::min(becomes, lens.blocks - 1)), 0),
                      QAbstractItemView::PositionAtCenter);
}

void LensView::setPair(const InsidePair& pair, const TokenName& nameOf, TokenId after) {
    const std::array lenses{&*pair.a.lens, &*pair.b.lens};
    const std::size_t token = lenses[0]->tokens - 1;
    const std::size_t blocks = lenses[0]->blocks;
    std::array<QString, 2> answers;
    for (std::size_t i = 0; i < lenses.size(); ++i) {
        answers[i] = answerOf(*lenses[i], token, nameOf);
    }
    m_heading->setText(tr("After “%1”, A answers “%2”, which is first %3; B answers “%4”, which is first %5.")
                           .arg(nameOf(after), answers[0], becomesText(*lenses[0], token), answers[1],
                                becomesText(*lenses[1], token)));
    QStringList columns{tr("Block"), tr("Rank in A"), tr("Rank in B"), tr("Answer of A"), tr("Answer of B")};
    const int numbers = static_cast<int>(columns.size());
    const std::size_t candidates = std::min(lenses[0]->candidates, lenses[1]->candidates);
    for (std::size_t i = 0; i < candidates; ++i) {
        columns << QStringLiteral("A: %1.").arg(i + 1) << QStringLiteral("B: %1.").arg(i + 1);
    }
    std::vector<BlockTable::Row> rows;
    for (std::size_t block = 0; block < blocks; ++block) {
        BlockTable::Row row{.cells = {count(block)}, .marked = std::ranges::any_of(lenses, [&](const auto* lens) {
                                                         return lens->becomes[token] == block;
                                                     })};
        for (const auto* lens : lenses) {
            row.cells.push_back(count(lens->finalAt(block, token).rank + 1));
        }
        for (const auto* lens : lenses) {
            row.cells.push_back(share(lens->finalAt(block, token).probability));
        }
        for (std::size_t i = 0; i < lenses.size(); ++i) {
            row.cells[1 + i].toolTip = tr("The rank of “%1” after the block").arg(answers[i]);
            row.cells[3 + i].toolTip = tr("The probability of “%1” after the block").arg(answers[i]);
        }
        for (std::size_t i = 0; i < candidates; ++i) {
            for (const auto* lens : lenses) {
                row.cells.push_back(candidateCell(lens->at(block, token)[i], nameOf));
            }
        }
        rows.push_back(std::move(row));
    }
    m_model->setRows(columns, numbers, std::move(rows));
    fitColumns(*m_table, numbers);
    m_table->scrollTo(m_model->index(m_model->markedRow().value_or(0), 0), QAbstractItemView::PositionAtCenter);
}

ExpertsView::ExpertsView(QWidget* parent)
    : QWidget(parent)
    , m_whole(new QStackedWidget(this))
    , m_none(nullptr)
    , m_heading(nullptr)
    , m_model(new BlockTable(this))
    , m_table(nullptr)
    , m_loadTitle(nullptr)
    , m_load(nullptr)
    , m_hover(nullptr) {
    auto* splitter = new QSplitter(Qt::Vertical, m_whole);
    splitter->setChildrenCollapsible(false);
    auto* above = new QWidget(splitter);
    m_heading = themedLabel({}, TextStyle::Table, Token::Text, above);
    m_heading->setTextFormat(Qt::PlainText);
    m_heading->setWordWrap(true);
    m_heading->setContentsMargins(12, 0, 12, 0);
    m_table = makeRowsTable(tr("Experts of the chosen token, by block"), m_model, kTableRow, above);
    auto* aboveLayout = new QVBoxLayout(above);
    aboveLayout->setContentsMargins(0, 12, 0, 0);
    aboveLayout->setSpacing(8);
    aboveLayout->addWidget(m_heading);
    aboveLayout->addWidget(m_table, 1);
    auto* below = new QWidget(splitter);
    m_load = new InsideMap(tr("Load of the experts over the text"), below);
    m_hover = new ElidedLabel(TextStyle::Table, Token::Muted, Qt::ElideRight, below);
    auto* belowLayout = new QVBoxLayout(below);
    belowLayout->setContentsMargins(12, 8, 8, 8);
    m_loadTitle = themedLabel({}, TextStyle::Table, Token::Muted, below);
    belowLayout->addWidget(m_loadTitle);
    belowLayout->addWidget(m_load, 1);
    belowLayout->addWidget(m_hover);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    m_none = new EmptyState(m_whole);
    m_whole->addWidget(splitter);
    m_whole->addWidget(m_none);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_whole);
    connect(m_load, &InsideMap::hovered, m_hover, &ElidedLabel::setText);
}

void ExpertsView::showNone(const QString& title, const QString& explanation) {
    m_none->setTexts(title, explanation);
    m_whole->setCurrentIndex(1);
}

void ExpertsView::setInside(const inference::Inside& inside, const QString& token) {
    if (!inside.experts) {
        showNone(tr("This model has no experts"),
                 tr("In a mixture of experts, a router sends each token to some of several feed-forward networks. "
                    "Here, every token passes through the same one."));
        return;
    }
    m_whole->setCurrentIndex(0);
    m_loadTitle->setText(tr("Tokens of the text that each expert computed"));
    const inference::ChosenExperts& experts = *inside.experts;
    m_heading->setText(tr("Experts that compute “%1”, with their weights: %2 of %3 in each block.")
                           .arg(token, formatCount(experts.used), formatCount(experts.count)));
    QStringList columns{tr("Block")};
    for (std::size_t i = 0; i < experts.used; ++i) {
        columns << tr("%1.").arg(i + 1);
    }
    std::vector<BlockTable::Row> rows;
    InsideCells cells{.rows = experts.blocks.size(),
                      .columns = experts.count,
                      .rowName = tr("Block"),
                      .columnName = tr("Expert"),
                      .scaleName = tr("Tokens")};
    for (std::size_t i = 0; i < experts.blocks.size(); ++i) {
        BlockTable::Row row{.cells = {count(experts.blocks[i])}};
        const std::size_t at = ((i + 1) * experts.tokens - 1) * experts.used;
        std::vector<std::size_t> order(experts.used);
        std::iota(order.begin(), order.end(), at);
        std::ranges::stable_sort(order,
                                 [&](std::size_t a, std::size_t b) { return experts.weights[a] > experts.weights[b]; });
        for (const std::size_t use : order) {
            const float weight = experts.weights[use];
            row.cells.push_back(
                {.text =
                     tr("%1: %2").arg(formatCount(experts.chosen[use]), number(static_cast<double>(weight), 3).text),
                 .strength = weight,
                 .toolTip = tr("Expert %1 with the weight %2")
                                .arg(formatCount(experts.chosen[use]), number(static_cast<double>(weight)).text)});
        }
        rows.push_back(std::move(row));
        for (const std::uint64_t tokens : experts.load(i)) {
            cells.values.push_back(static_cast<float>(tokens));
        }
    }
    cells.rowLabel = [blocks = experts.blocks](std::size_t row) { return formatCount(blocks[row]); };
    cells.describe = [blocks = experts.blocks](std::size_t row, std::size_t expert, float tokens) {
        return tr("Block %1, expert %2: %n tokens", nullptr, static_cast<int>(tokens))
            .arg(formatCount(blocks[row]), formatCount(expert));
    };
    m_model->setRows(columns, 1, std::move(rows));
    fitColumns(*m_table, 1);
    m_load->setCells(std::move(cells));
}

void ExpertsView::setPair(const InsidePair& pair, const QString& token) {
    if (!hasView(pair, InsideView::Experts)) {
        showNone(tr("No experts to compare"),
                 tr("Both models need experts in the same blocks, the same number of them, "
                    "and the same number that compute a token."));
        return;
    }
    m_whole->setCurrentIndex(0);
    m_loadTitle->setText(tr("Tokens of the text that each expert computed, B − A"));
    const inference::ChosenExperts& a = *pair.a.experts;
    const inference::ChosenExperts& b = *pair.b.experts;
    std::vector<BlockTable::Row> rows;
    InsideCells cells{.rows = a.blocks.size(),
                      .columns = a.count,
                      .rowName = tr("Block"),
                      .columnName = tr("Expert"),
                      .scaleName = tr("Tokens, B − A"),
                      .diverging = true};
    std::size_t same = 0;
    for (std::size_t i = 0; i < a.blocks.size(); ++i) {
        const inference::ExpertChoices choices = inference::compareChoices(a, b, i, a.tokens - 1);
        same += choices.onlyA.empty() && choices.onlyB.empty() ? 1 : 0;
        rows.push_back({.cells = {count(a.blocks[i]), choicesCell(choices.onlyA), choicesCell(choices.onlyB),
                                  choicesCell(choices.both)},
                        .marked = !choices.onlyA.empty() || !choices.onlyB.empty()});
        const std::vector<std::uint64_t> ofA = a.load(i);
        const std::vector<std::uint64_t> ofB = b.load(i);
        for (std::size_t expert = 0; expert < a.count; ++expert) {
            cells.values.push_back(static_cast<float>(ofB[expert]) - static_cast<float>(ofA[expert]));
        }
    }
    m_heading->setText(tr("Experts that compute “%1”: A and B choose the same ones in %2 of %n blocks.", nullptr,
                          static_cast<int>(a.blocks.size()))
                           .arg(token, formatCount(same)));
    cells.rowLabel = [blocks = a.blocks](std::size_t row) { return formatCount(blocks[row]); };
    cells.describe = [blocks = a.blocks](std::size_t row, std::size_t expert, float tokens) {
        return tr("Block %1, expert %2, B − A: %3 tokens")
            .arg(formatCount(blocks[row]), formatCount(expert), formatReal(static_cast<double>(tokens)));
    };
    m_model->setRows({tr("Block"), tr("Only A"), tr("Only B"), tr("Both, A → B")}, 1, std::move(rows));
    fitColumns(*m_table, 1);
    for (int column = 1; column < m_model->columnCount(); ++column) { // some models choose many
        m_table->resizeColumnToContents(column);
        m_table->setColumnWidth(column, std::clamp(m_table->columnWidth(column), kTextWidth, kListWidth));
    }
    m_load->setCells(std::move(cells));
}

SizesView::SizesView(QWidget* parent)
    : QWidget(parent)
    , m_notice(themedLabel({}, TextStyle::Table, Token::ErrorText, this))
    , m_plot(new SizesPlot(SizesPlot::Shows::Norms, this))
    , m_ratios(new SizesPlot(SizesPlot::Shows::Ratios, this))
    , m_pairLegend(themedLabel(tr("solid: A, dashed: B"), TextStyle::Axis, Token::Muted, this))
    , m_hover(new ElidedLabel(TextStyle::Table, Token::Muted, Qt::ElideRight, this))
    , m_model(new BlockTable(this))
    , m_table(makeRowsTable(tr("Sizes at the chosen token, by block"), m_model, kTableRow, this)) {
    m_notice->setWordWrap(true);
    m_notice->hide();
    auto* above = new QWidget(this);
    auto* aboveLayout = new QVBoxLayout(above);
    aboveLayout->setContentsMargins(12, 12, 8, 4);
    aboveLayout->setSpacing(6);
    aboveLayout->addWidget(m_notice);
    auto* legend = new QHBoxLayout;
    legend->addWidget(new LineLegend(SizesPlot::names(), above), 1);
    legend->addWidget(m_pairLegend);
    m_pairLegend->hide();
    aboveLayout->addLayout(legend);
    auto* plots = new QHBoxLayout;
    plots->setSpacing(8);
    plots->addWidget(m_plot, 3);
    plots->addWidget(m_ratios, 2);
    m_ratios->hide();
    aboveLayout->addLayout(plots, 1);
    aboveLayout->addWidget(m_hover);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(above);
    splitter->addWidget(m_table);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);
    for (SizesPlot* plot : {m_plot, m_ratios}) {
        connect(plot, &SizesPlot::hovered, m_hover, &ElidedLabel::setText);
    }
}

void SizesView::setInside(const inference::Inside& inside, std::size_t token) {
    const inference::StreamSizes& sizes = *inside.sizes;
    m_plot->setSizes(sizes, token);
    m_ratios->hide();
    m_pairLegend->hide();
    QStringList columns{tr("Block"), tr("Stream"),  tr("Attention"), tr("Feed-forward"),
                        tr("Share"), tr("Largest"), tr("Channel")};
    if (!inside.states.empty()) {
        columns << tr("State") << tr("Decay");
    }
    std::vector<BlockTable::Row> rows;
    const auto meanOf = [](std::span<const float> values) {
        return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    };
    for (std::size_t block = 0; block < sizes.blocks; ++block) {
        const std::size_t at = block * sizes.tokens + token;
        const bool both = sizes.mixer[at] + sizes.feedForward[at] != 0;
        BlockTable::Row row{.cells = {count(block), real(sizes.stream[at]), real(sizes.mixer[at]),
                                      real(sizes.feedForward[at]),
                                      both ? share(sizes.mixerShare(block, token)) : BlockTable::Cell(),
                                      real(sizes.largest[at]), count(sizes.channel[at])}};
        row.cells[4].toolTip = tr("The share of attention, or of the state, in what the block changes");
        row.cells[5].toolTip = tr("The largest activation of the stream: outliers are what breaks quantisation");
        if (!inside.states.empty()) {
            const auto state = std::ranges::find(inside.states, block, &inference::RecurrentSizes::block);
            const bool has = state != inside.states.end();
            row.cells.push_back(has ? number(meanOf(std::span(state->lengths).last(state->heads)))
                                    : BlockTable::Cell());
            const double decay = has ? meanOf(std::span(state->decays).last(state->heads)) : 0;
            row.cells.push_back(has && !std::isnan(decay) ? number(decay) : BlockTable::Cell());
            row.cells[7].toolTip = tr("The norm of the state that stands in for attention, mean over its heads");
            row.cells[8].toolTip =
                tr("By how much the token multiplied what the state held before, mean over its heads");
        }
        rows.push_back(std::move(row));
    }
    m_model->setRows(columns, static_cast<int>(columns.size()), std::move(rows));
    fitColumns(*m_table, static_cast<int>(columns.size()));
    m_notice->hide();
    showNotANumber(inside, {});
}

void SizesView::showNotANumber(const inference::Inside& inside, const QString& model) {
    const QString text = notANumberText(inside.sizes);
    if (!text.isEmpty()) {
        m_notice->setText(model.isEmpty() ? text : model + QStringLiteral(": ") + text);
        m_notice->show();
    }
}

void SizesView::setPair(const InsidePair& pair, std::size_t token) {
    const inference::StreamSizes& a = *pair.a.sizes;
    const inference::StreamSizes& b = *pair.b.sizes;
    m_plot->setSizes(a, token, &b);
    m_ratios->setSizes(a, token, &b);
    m_ratios->show();
    m_pairLegend->show();
    const std::array parts{std::pair(tr("Stream"), &inference::StreamSizes::stream),
                           std::pair(tr("Attention"), &inference::StreamSizes::mixer),
                           std::pair(tr("Feed-forward"), &inference::StreamSizes::feedForward),
                           std::pair(tr("Largest"), &inference::StreamSizes::largest)};
    QStringList columns{tr("Block")};
    for (const auto& [name, values] : parts) {
        columns << name + QStringLiteral(" A") << name + QStringLiteral(" B") << tr("Ratio");
    }
    columns << tr("Channel A") << tr("Channel B");
    std::vector<BlockTable::Row> rows;
    for (std::size_t block = 0; block < a.blocks; ++block) {
        const std::size_t at = block * a.tokens + token;
        BlockTable::Row row{.cells = {count(block)}};
        for (const auto& [name, values] : parts) {
            const float ofA = (a.*values)[at];
            const float ofB = (b.*values)[at];
            row.cells.push_back(real(ofA));
            row.cells.push_back(real(ofB));
            row.cells.push_back(ofA != 0 ? real(std::abs(ofB / ofA)) : BlockTable::Cell());
            row.cells.back().toolTip = tr("B divided by A, by magnitude");
        }
        row.cells.push_back(count(a.channel[at]));
        row.cells.push_back(count(b.channel[at]));
        rows.push_back(std::move(row));
    }
    const int numbers = static_cast<int>(columns.size());
    m_model->setRows(columns, numbers, std::move(rows));
    fitColumns(*m_table, numbers);
    m_notice->hide();
    showNotANumber(pair.b, QStringLiteral("B"));
    showNotANumber(pair.a, QStringLiteral("A"));
}

} // namespace gufo::ui

#include "moc_block_views.cpp"
