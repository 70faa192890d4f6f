#include "ui/pages/embed/vector_view.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/style.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <cmath>

namespace gufo::ui {
namespace {

constexpr std::size_t kMarkedNeighbours = 5;
constexpr std::size_t kTextBytes = 240;
constexpr int kFigureWidth = 78;
constexpr int kLineWidth = 58;
constexpr int kLineBoxWidth = 72;
constexpr std::size_t kHoverBytes = 160;
constexpr std::size_t kHoverNeighbours = 3;
constexpr std::size_t kLabelBytes = 80;

} // namespace

QTableView* makeScoredTable(ScoredLinesModel* model, const QString& accessibleName, QWidget* parent) {
    auto* table = new QTableView(parent);
    table->setAccessibleName(accessibleName);
    table->setModel(model);
    table->setFrameShape(QFrame::NoFrame);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setAlternatingRowColors(true);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table->setTabKeyNavigation(false);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setStretchLastSection(true);
    return table;
}

void setScoredColumns(QTableView& table, const ScoredLinesModel& model) {
    for (int column = 0; column < model.textColumn(); ++column) {
        table.setColumnWidth(column, column < model.figureCount() ? kFigureWidth : kLineWidth);
    }
    table.setSortingEnabled(false);
    table.horizontalHeader()->setSortIndicator(0, Qt::DescendingOrder);
    table.setSortingEnabled(true);
}

QString VectorView::hoverText(const EmbedResult& result, std::size_t line) {
    const TextLines& lines = *result.lines;
    QStringList text{tr("Line %1: %2").arg(formatCount(lines.numbers[line]), excerpt(lines.texts[line], kHoverBytes))};
    for (const Neighbour& one : neighboursOf(line, result.cosines, result.size())) {
        if (static_cast<std::size_t>(text.size()) > kHoverNeighbours || std::isnan(one.cosine)) {
            break;
        }
        text << tr("%1  line %2: %3")
                    .arg(formatFixed(static_cast<double>(one.cosine), 3), formatCount(lines.numbers[one.index]),
                         excerpt(lines.texts[one.index], kHoverBytes / 2));
    }
    return text.join(u'\n');
}

std::shared_ptr<const ProjectedPoints> VectorView::pointsOf(const std::shared_ptr<const EmbedResult>& result) {
    if (result == nullptr) {
        return nullptr;
    }
    auto points = std::make_shared<ProjectedPoints>();
    points->plane = result->plane;
    for (const std::string& text : result->lines->texts) {
        points->labels.push_back(excerpt(text, kLabelBytes).simplified());
    }
    points->tip = [result](std::size_t line) { return hoverText(*result, line); };
    return points;
}

VectorView::VectorView(QWidget* parent)
    : QWidget(parent)
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_which(nullptr)
    , m_labels(nullptr)
    , m_plots(nullptr)
    , m_map(nullptr)
    , m_projection(nullptr)
    , m_hover(nullptr)
    , m_line(nullptr)
    , m_text(nullptr)
    , m_model(new ScoredLinesModel(this))
    , m_table(nullptr)
    , m_mapPictures(nullptr)
    , m_projectionPictures(nullptr) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_splitter);

    auto* left = new QWidget(m_splitter);
    m_which = new SegmentedControl(tr("What the plot shows"), left);
    m_which->addSegment(tr("Similarity"), {}, tr("The cosine of each pair of lines"));
    m_which->addSegment(tr("Projection"), {}, tr("The lines in the plane of their first two principal components"));
    m_labels = new QCheckBox(tr("Labels"), left);
    m_labels->setObjectName(QStringLiteral("labelsBox"));
    m_labels->setToolTip(tr("Write the beginning of each line beside its point"));
    m_labels->hide();
    m_plots = new QStackedWidget(left);
    m_map = new SimilarityMap(m_plots);
    m_projection = new ProjectionPlot(m_plots);
    m_projection->setAccessibleName(tr("Lines in the plane of their first two principal components"));
    m_plots->addWidget(m_map);
    m_plots->addWidget(m_projection);
    m_hover = new ElidedLabel(TextStyle::Table, Token::Muted, Qt::ElideRight, left);
    auto* leftLayout = new QVBoxLayout(left);
    leftLayout->setContentsMargins(12, 12, 8, 8);
    leftLayout->setSpacing(8);
    auto* controls = new QHBoxLayout;
    controls->setSpacing(12);
    controls->addWidget(m_which);
    controls->addWidget(m_labels);
    controls->addStretch();
    leftLayout->addLayout(controls);
    leftLayout->addWidget(m_plots, 1);
    leftLayout->addWidget(m_hover);

    auto* right = new QWidget(m_splitter);
    m_line = new QSpinBox(right);
    m_line->setObjectName(QStringLiteral("lineBox"));
    m_line->setAccessibleName(tr("Chosen text, in the order of the lines"));
    m_line->setProperty(kSmallProperty, true);
    m_line->setMinimum(1);
    m_line->setMinimumWidth(kLineBoxWidth); // its natural width fits "1", but has no room beside the arrows
    m_text = themedLabel({}, TextStyle::Table, Token::Text, right);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_table = makeScoredTable(m_model, tr("Most similar lines"), right);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 12, 12, 0);
    head->setSpacing(8);
    auto* title = themedLabel(tr("Most similar to text"), TextStyle::Section, Token::Text, right);
    title->setBuddy(m_line);
    head->addWidget(title);
    head->addWidget(m_line);
    head->addStretch();
    auto* textRow = new QHBoxLayout;
    textRow->setContentsMargins(12, 0, 12, 0);
    textRow->addWidget(m_text);
    auto* rightLayout = new QVBoxLayout(right);
    rightLayout->setContentsMargins(0, 0, 0, 0);
    rightLayout->setSpacing(8);
    rightLayout->addLayout(head);
    rightLayout->addLayout(textRow);
    rightLayout->addWidget(m_table, 1);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setChildrenCollapsible(false);

    const auto pictures = [this](QCustomPlot& plot, const QString& name, const QString& stem) {
        auto* menu = new PictureMenu(plot);
        menu->button()->hide(); // its menu is a part of the page's
        menu->menu()->setTitle(name);
        menu->setPlot(plot, stem, [this, &plot] { return frameOf(plot); });
        return menu;
    };
    m_mapPictures = pictures(*m_map, tr("Picture of the similarities"), tr("similarities"));
    m_projectionPictures = pictures(*m_projection, tr("Picture of the projection"), tr("projection"));
    connect(m_which, &SegmentedControl::chosen, this, &VectorView::showPlot);
    connect(m_labels, &QCheckBox::toggled, m_projection, &ProjectionPlot::setLabelled);
    connect(m_line, &QSpinBox::valueChanged, this, [this](int value) {
        if (!m_setting) {
            choose(static_cast<std::size_t>(value) - 1);
        }
    });
    connect(m_map, &SimilarityMap::picked, this, [this](std::size_t row, std::size_t column) {
        choose(row);
        m_map->setPair(row, column);
        if (const int at = m_model->rowOfLine(column); at >= 0) {
            m_table->selectRow(at);
        }
    });
    connect(m_projection, &ProjectionPlot::picked, this, &VectorView::choose);
    connect(m_map, &SimilarityMap::hovered, m_hover, &ElidedLabel::setText);
    connect(m_projection, &ProjectionPlot::hovered, this, [this](const QString& text) {
        m_hover->setText(text.isEmpty() ? tr("Outlined: the lines most similar to the chosen one")
                                        : text.section(u'\n', 0, 0));
    });
    connect(m_table, &QTableView::activated, this,
            [this](const QModelIndex& index) { choose(m_model->rowAt(index.row()).line); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (now.isValid()) {
            m_map->setPair(m_chosen, m_model->rowAt(now.row()).line);
        }
    });
}

PictureFrame VectorView::frameOf(const QCustomPlot& plot) const {
    PictureFrame frame{.title = plot.accessibleName(), .lines = {}};
    if (m_result == nullptr) {
        return frame;
    }
    frame.lines << tr("%1, %n texts, vectors of %2 elements", nullptr, static_cast<int>(m_result->size()))
                       .arg(m_modelName, formatCount(m_result->vectors.width));
    const QString chosen = tr("text %1: %2")
                               .arg(formatCount(m_result->lines->numbers[m_chosen]),
                                    excerpt(m_result->lines->texts[m_chosen], kTextBytes).simplified());
    if (&plot == m_map) {
        frame.xLabel = tr("text");
        frame.yLabel = tr("text");
        frame.scaleLabel = tr("cosine");
        frame.lines << tr("Outlined: %1").arg(chosen);
    } else {
        frame.keys = m_projection->keys(tr("texts"), chosen);
    }
    return frame;
}

void VectorView::showPlot(int index) {
    m_which->setCurrent(index);
    m_plots->setCurrentIndex(index);
    m_labels->setVisible(index == 1);
    m_hover->setText(index == 1 ? tr("Outlined: the lines most similar to the chosen one") : QString());
}

void VectorView::setResult(std::shared_ptr<const EmbedResult> result) {
    m_result = std::move(result);
    m_map->setResult(m_result);
    m_projection->setPoints(pointsOf(m_result));
    m_setting = true;
    m_line->setMaximum(m_result != nullptr ? static_cast<int>(std::max<std::size_t>(m_result->size(), 1)) : 1);
    m_setting = false;
    choose(0);
}

void VectorView::choose(std::size_t line) {
    if (m_result == nullptr || line >= m_result->size()) {
        m_model->setRows(nullptr, {}, {});
        return;
    }
    m_chosen = line;
    m_setting = true;
    m_line->setValue(static_cast<int>(line) + 1);
    m_setting = false;
    showNeighbours();
}

void VectorView::showNeighbours() {
    const std::vector<Neighbour> neighbours = neighboursOf(m_chosen, m_result->cosines, m_result->size());
    std::vector<ScoredLinesModel::Row> rows;
    std::vector<std::size_t> marked;
    for (const Neighbour& one : neighbours) {
        rows.push_back({.line = one.index, .figures = {one.cosine}});
        if (marked.size() < kMarkedNeighbours) {
            marked.push_back(one.index);
        }
    }
    m_model->setRows(m_result->lines, {tr("Cosine")}, std::move(rows));
    setScoredColumns(*m_table, *m_model);
    m_text->setText(excerpt(m_result->lines->texts[m_chosen], kTextBytes));
    m_map->setPair(m_chosen, neighbours.empty() ? m_chosen : neighbours.front().index);
    m_projection->choose(m_chosen, marked);
}

} // namespace gufo::ui

#include "moc_vector_view.cpp"
