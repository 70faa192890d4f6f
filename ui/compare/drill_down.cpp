#include "ui/compare/drill_down.h"

#include "messages/error_text.h"
#include "messages/format.h"
#include "ui/compare/block_values.h"
#include "ui/compare/csv_text.h"
#include "ui/compare/density_plot.h"
#include "ui/compare/error_map.h"
#include "ui/compare/picture_menu.h"
#include "ui/compare/series_histogram.h"
#include "ui/compare/series_legend.h"
#include "ui/mainwindow/native_path.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kMargin = 16;
constexpr int kStartMs = 90; // so that moving through the list does not start a job at every row
constexpr std::uint32_t kValueBins = 240;
constexpr std::uint32_t kScatterBins = 180;
constexpr int kStatisticsRow = 24;
constexpr int kSquare = 9;

// The colour of the file before its name.
class FileDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QVariant series = index.data(PairStatisticsModel::kSwatchRole);
        QStyleOptionViewItem own = option;
        if (series.isValid()) {
            own.rect.setLeft(option.rect.left() + kSquare + 6);
            if (option.state.testFlag(QStyle::State_Selected)) {
                painter->fillRect(option.rect, themeColor(Token::Selection));
            }
        }
        QStyledItemDelegate::paint(painter, own, index);
        if (series.isValid()) {
            painter->fillRect(option.rect.left() + 8, option.rect.center().y() - kSquare / 2, kSquare, kSquare,
                              seriesColor(series.toInt()));
        }
    }
};

struct Parts {
    std::shared_ptr<const TensorMatches> matches;
    std::size_t row = 0;
    [[nodiscard]] PartOf of(std::size_t file) const {
        return {matches->models[file].get(), matches->rows[row].cells[file].part};
    }
    [[nodiscard]] PartOf reference() const { return of(matches->reference); }
};

// Histograms of the errors of several files on one set of edges: the widest of all where no range is given.
Result<std::vector<Histogram>> errorHistograms(const Parts& parts, const std::vector<std::size_t>& files,
                                               HistogramRequest request, const JobContext& job) {
    std::vector<Histogram> histograms;
    if (!request.range) {
        double widest = 0;
        for (const std::size_t file : files) {
            auto one = errorHistogram(parts.reference(), parts.of(file), request, job);
            if (!one) {
                return std::unexpected(std::move(one.error()));
            }
            widest = std::max({widest, std::abs(one->lo), std::abs(one->hi)});
            histograms.push_back(std::move(*one));
        }
        if (std::ranges::all_of(histograms, [&](const Histogram& one) { return one.hi == widest; })) {
            return histograms;
        }
        histograms.clear();
        request.range = {-widest, widest};
    }
    for (const std::size_t file : files) {
        auto one = errorHistogram(parts.reference(), parts.of(file), request, job);
        if (!one) {
            return std::unexpected(std::move(one.error()));
        }
        histograms.push_back(std::move(*one));
    }
    return histograms;
}

} // namespace

DrillDown::DrillDown(Comparison& comparison, QWidget* parent)
    : QWidget(parent)
    , m_comparison(comparison)
    , m_statisticsModel(comparison) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    QWidget* head = buildHead();
    m_views = new QStackedWidget(this);
    m_views->addWidget(buildHistograms());
    m_density = new DensityPlot;
    m_views->addWidget(m_density);
    m_errorMap = new ErrorMap;
    m_views->addWidget(m_errorMap);
    m_blocks = new BlockValues(comparison);
    m_views->addWidget(m_blocks);
    m_nothing = new EmptyState;
    m_states = new QStackedWidget(this);
    m_states->addWidget(m_views);
    m_states->addWidget(m_nothing);
    buildStatistics();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kMargin, 6, 12, 10);
    column->setSpacing(8);
    column->addWidget(head);
    column->addWidget(m_progress);
    column->addWidget(m_states, 1);
    column->addWidget(m_statistics);
    setMinimumWidth(380);
    exportMenu(*m_density);
    exportMenu(m_errorMap->map());

    m_startSoon.setSingleShot(true);
    m_startSoon.setInterval(kStartMs);
    connect(&m_startSoon, &QTimer::timeout, this, &DrillDown::start);
    connect(m_viewField, &SegmentedControl::chosen, this, &DrillDown::setView);
    connect(m_fileField, &QComboBox::activated, this,
            [this](int index) { setFile(m_fileField->itemData(index).toUInt()); });
    connect(m_open, &QPushButton::clicked, this, [this] {
        const TensorMatch& match = m_comparison.matches()->rows[*m_row];
        const std::size_t file = match.has(m_file) ? m_file : m_comparison.reference();
        Place place;
        place.kind = Place::Kind::Tensor;
        place.name = m_comparison.files()[file].model->tensor(match.cells[file].part.tensor).name;
        emit openInTab(m_comparison.files()[file].path, place);
    });
    connect(m_values, &SeriesHistogram::recountWanted, this, &DrillDown::recountValues);
    connect(m_errors, &SeriesHistogram::recountWanted, this, &DrillDown::recountErrors);
    connect(m_density, &DensityPlot::recountWanted, this, &DrillDown::recountScatter);
    connect(m_errorMap, &ErrorMap::failed, this, &DrillDown::showFailure);
    connect(m_blocks, &BlockValues::failed, this, &DrillDown::showFailure);
    connect(m_errorMap, &ErrorMap::picked, this, [this](std::uint64_t weight) {
        setView(kBlocks);
        m_blocks->showWeight(weight);
    });
    clear();
}

QWidget* DrillDown::buildHead() {
    auto* head = new QWidget(this);
    m_name = themedLabel({}, TextStyle::MonoTitle, Token::Text, head);
    m_name->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_name->setMinimumWidth(1);
    m_name->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    m_facts = new ElidedLabel(TextStyle::Table, Token::Muted, Qt::ElideRight, head);
    m_viewField = new SegmentedControl(tr("View of the tensor"), head);
    m_viewField->addSegment(tr("Histograms"));
    m_viewField->addSegment(tr("Scatter"), {}, tr("Weights against those of the reference"));
    m_viewField->addSegment(tr("Map"), {}, tr("Errors by row and column"));
    m_viewField->addSegment(tr("Blocks"), {}, tr("Single weights with their codes and scales"));
    m_fileField = new QComboBox(head);
    m_fileField->setAccessibleName(tr("File that is set against the reference"));
    m_fileField->setMaximumWidth(130);
    m_open = new QPushButton(tr("Open in Tensors"), head);
    m_open->setToolTip(tr("Open the tensor in a tab of its model"));
    m_progress = new JobBar(this);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_name);
    row->addWidget(m_facts, 1);
    row->addWidget(m_fileField);
    row->addWidget(m_viewField);
    row->addWidget(m_open);
    return head;
}

QWidget* DrillDown::buildHistograms() {
    auto* view = new QWidget(this);
    m_values = new SeriesHistogram;
    m_values->setAccessibleName(tr("Histogram of the weights"));
    m_errors = new SeriesHistogram;
    m_errors->setAccessibleName(tr("Histogram of the errors"));
    m_legend = new SeriesLegend(view);
    m_errorTitle = themedLabel(tr("Error"), TextStyle::Table, Token::Text, view);
    m_errorTitle->setMinimumWidth(1);
    const auto side = [view](QWidget* title, QWidget* note, QWidget* plot) {
        auto* head = new QHBoxLayout;
        head->setSpacing(10);
        head->addWidget(title);
        head->addWidget(note, 1);
        auto* column = new QVBoxLayout;
        column->setSpacing(2);
        column->addLayout(head);
        column->addWidget(plot, 1);
        Q_UNUSED(view);
        return column;
    };
    auto* unit = new ElidedLabel(TextStyle::Axis, Token::Muted, Qt::ElideRight, view);
    unit->setText(tr("weights per bin, log"));
    auto* row = new QHBoxLayout(view);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(16);
    row->addLayout(side(themedLabel(tr("Weights"), TextStyle::Table, Token::Text, view), m_legend, m_values), 1);
    row->addLayout(side(m_errorTitle, unit, m_errors), 1);
    exportMenu(*m_values);
    exportMenu(*m_errors);
    return view;
}

// Export of a plot through its context menu, with its figures.
PictureMenu* DrillDown::exportMenu(QWidget& plot) {
    auto* menu = new PictureMenu(plot);
    menu->button()->hide();
    auto& custom = static_cast<QCustomPlot&>(plot);
    menu->setPlot(custom, plot.accessibleName().toLower().replace(u' ', u'-'));
    connect(menu, &PictureMenu::message, this, &DrillDown::message);
    const auto addCsv = [menu](std::function<QString()> text) {
        menu->addText(tr("Figures as &CSV…"), QStringLiteral(".csv"), tr("Comma-separated values (*.csv)"),
                      std::move(text));
    };
    if (auto* histogram = qobject_cast<SeriesHistogram*>(&plot)) {
        addCsv([histogram] { return csvText(histogram->header(), histogram->rows()); });
    } else if (auto* density = qobject_cast<DensityPlot*>(&plot)) {
        addCsv([density] { return csvText(density->header(), density->rows()); });
    }
    return menu;
}

void DrillDown::buildStatistics() {
    m_statistics = new QTableView(this);
    m_statistics->setModel(&m_statisticsModel);
    m_statistics->setItemDelegate(new FileDelegate(m_statistics));
    m_statistics->setAccessibleName(tr("Figures of the tensor"));
    m_statistics->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_statistics->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_statistics->setShowGrid(false);
    m_statistics->setWordWrap(false);
    m_statistics->setTabKeyNavigation(false);
    m_statistics->verticalHeader()->hide();
    m_statistics->verticalHeader()->setDefaultSectionSize(kStatisticsRow);
    m_statistics->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_statistics->horizontalHeader()->setHighlightSections(false);
    m_statistics->horizontalHeader()->setMinimumSectionSize(36);
    m_statistics->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_statistics->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                if (now.isValid()) {
                    setFile(m_statisticsModel.fileOf(now.row()));
                }
            });
}

void DrillDown::clear() {
    delete m_job;
    delete m_errorJob;
    m_startSoon.stop();
    m_row.reset();
    m_stale = true;
    m_statisticsModel.setRow({});
    m_values->clear();
    m_errors->clear();
    m_density->clear();
    m_errorMap->clear();
    m_blocks->setPair({}, 0, 0);
    m_name->clear();
    m_facts->setText({});
    m_open->setEnabled(false);
    m_fileField->clear();
    m_nothing->setTexts({}, tr("Choose a tensor in the map or the list."));
    m_states->setCurrentWidget(m_nothing);
    fitStatistics();
}

std::vector<std::size_t> DrillDown::comparable() const {
    std::vector<std::size_t> files;
    for (const std::size_t file : m_comparison.others()) {
        if (m_comparison.isComparable(*m_row, file)) {
            files.push_back(file);
        }
    }
    return files;
}

std::optional<double> DrillDown::rmseOf(std::size_t file) const {
    const PairCell& cell = m_comparison.cell(*m_row, file);
    return cell.state == PairCell::State::Compared ? figuresOf(cell.sums).rmse : std::nullopt;
}

std::uint64_t DrillDown::worstWeight(std::size_t file) const {
    const PairCell& cell = m_comparison.cell(*m_row, file);
    return cell.sums.maximumIndex == PairSums::kNone ? 0 : cell.sums.maximumIndex;
}

void DrillDown::showRow(std::size_t row) {
    if (m_row == row) {
        return;
    }
    delete m_job;
    delete m_errorJob;
    m_row = row;
    m_stale = true;
    m_statisticsModel.setRow(row);
    m_values->clear();
    m_errors->clear();
    m_density->clear();
    m_errorMap->clear();
    m_blocks->setPair({}, 0, 0);
    fillFiles();
    describe();
    fitStatistics();
    const std::vector<std::size_t> files = comparable();
    m_open->setEnabled(true);
    if (files.empty()) {
        const TensorMatch& match = m_comparison.matches()->rows[row];
        QStringList holders;
        for (std::size_t file = 0; file < m_comparison.files().size(); ++file) {
            if (match.has(file)) {
                const TensorInfo& info = m_comparison.files()[file].model->tensor(match.cells[file].part.tensor);
                holders << QStringLiteral("%1: %2, %3")
                               .arg(m_comparison.files()[file].label, QString::fromStdString(info.typeName()),
                                    formatShape(info.shape));
            }
        }
        m_nothing->setTexts(tr("Nothing to compare it with"),
                            tr("No file has a tensor of this name and shape beside the reference.") + u'\n' +
                                holders.join(u'\n'));
        m_states->setCurrentWidget(m_nothing);
        return;
    }
    m_states->setCurrentWidget(m_views);
    m_startSoon.start();
}

void DrillDown::describe() {
    const TensorMatch& match = m_comparison.matches()->rows[*m_row];
    const std::size_t file = match.has(m_comparison.reference()) ? m_comparison.reference() : m_file;
    m_name->setText(displayText(match.label()));
    QStringList facts;
    if (match.has(file)) {
        const TensorPart& part = match.cells[file].part;
        facts << (part.rows > 1 ? QStringLiteral("%1 × %2").arg(formatCount(part.columns), formatCount(part.rows))
                                : formatCount(part.columns));
    }
    const std::vector<std::size_t> files = comparable();
    for (const std::size_t other : files) {
        const PairCell& cell = m_comparison.cell(*m_row, other);
        if (cell.state == PairCell::State::Compared && cell.sums.pairs > 0) {
            facts << tr("RMS %1").arg(formatReal(std::sqrt(cell.sums.aa / static_cast<double>(cell.sums.pairs)), 3));
            break;
        }
    }
    if (match.has(m_file) && match.cells[m_file].status == MatchStatus::Renamed) {
        facts << tr("named %1 in %2")
                     .arg(displayText(m_comparison.files()[m_file].model->tensor(match.cells[m_file].part.tensor).name),
                          m_comparison.files()[m_file].label);
    }
    m_facts->setText(facts.join(QStringLiteral(", ")));
    m_name->setToolTip(plainToolTip(m_name->text()));
}

void DrillDown::fillFiles() {
    const std::vector<std::size_t> files = comparable();
    if (std::ranges::find(files, m_file) == files.end() && !files.empty()) {
        m_file = files.front();
    }
    m_fileField->clear();
    for (const std::size_t file : files) {
        m_fileField->addItem(m_comparison.files()[file].label, static_cast<uint>(file));
    }
    m_fileField->setCurrentIndex(m_fileField->findData(static_cast<uint>(m_file)));
    m_fileField->setVisible(view() != kHistograms && files.size() > 1);
}

void DrillDown::setFile(std::size_t file) {
    if (file == m_file || file >= m_comparison.files().size() || file == m_comparison.reference()) {
        return;
    }
    m_file = file;
    if (!m_row || !m_comparison.matches()) {
        return;
    }
    fillFiles();
    if (view() != kHistograms && !comparable().empty()) {
        m_stale = true;
        m_startSoon.start();
    }
}

int DrillDown::view() const { return m_viewField->current(); }

void DrillDown::setView(int view) {
    m_viewField->setCurrent(view);
    m_views->setCurrentIndex(view);
    if (m_row) {
        fillFiles();
    }
    m_stale = true;
    start();
}

void DrillDown::setColorMap(ColorMap map) {
    m_density->setColorMap(map);
    m_errorMap->setColorMap(map);
}

void DrillDown::figuresCame() {
    m_statisticsModel.figuresCame();
    describe();
    fitStatistics();
}

void DrillDown::start() {
    m_startSoon.stop();
    if (!m_row || !m_stale || !m_comparison.matches() || comparable().empty()) {
        return;
    }
    m_stale = false;
    delete m_job;
    delete m_errorJob;
    switch (view()) {
    case kHistograms:
        startHistograms();
        break;
    case kScatter:
        startScatter();
        break;
    case kMap:
        m_errorMap->setPair(m_comparison.matches(), *m_row, m_file, rmseOf(m_file));
        break;
    default:
        m_blocks->setPair(*m_row, m_file, worstWeight(m_file));
        break;
    }
}

void DrillDown::startHistograms() {
    std::vector<std::size_t> files{m_comparison.reference()};
    for (const std::size_t file : comparable()) {
        files.push_back(file);
    }
    std::vector<SeriesLegend::Entry> entries;
    for (const std::size_t file : files) {
        entries.push_back({m_comparison.files()[file].label, m_comparison.files()[file].series});
    }
    m_legend->setEntries(entries);
    m_errorTitle->setText(tr("Error: file − %1").arg(m_comparison.files()[m_comparison.reference()].label));
    const Parts parts{m_comparison.matches(), *m_row};
    m_job = startJob<std::vector<Histogram>>(
        this,
        [parts, files](const JobContext& context) {
            std::vector<PartOf> all;
            for (const std::size_t file : files) {
                all.push_back(parts.of(file));
            }
            return valueHistograms(all, {.bins = kValueBins}, context);
        },
        [this, files](Result<std::vector<Histogram>> histograms) {
            if (!histograms) {
                showFailure(histograms.error());
                return;
            }
            std::vector<SeriesHistogram::Series> series;
            for (std::size_t i = 0; i < files.size(); ++i) {
                series.push_back({m_comparison.files()[files[i]].label, m_comparison.files()[files[i]].series,
                                  std::move((*histograms)[i])});
            }
            m_values->setContent(std::move(series));
        });
    m_progress->watch(m_job, tr("Counting weights"));
    startErrors();
}

void DrillDown::startErrors() {
    const std::vector<std::size_t> files = comparable();
    const Parts parts{m_comparison.matches(), *m_row};
    m_errorJob = startJob<std::vector<Histogram>>(
        this,
        [parts, files](const JobContext& context) {
            return errorHistograms(parts, files, {.bins = kValueBins}, context);
        },
        [this, files](Result<std::vector<Histogram>> histograms) {
            if (!histograms) {
                showFailure(histograms.error());
                return;
            }
            std::vector<SeriesHistogram::Series> series;
            for (std::size_t i = 0; i < files.size(); ++i) {
                series.push_back({m_comparison.files()[files[i]].label, m_comparison.files()[files[i]].series,
                                  std::move((*histograms)[i])});
            }
            m_errors->setContent(std::move(series));
        });
}

void DrillDown::startScatter() {
    m_density->setNames(m_comparison.files()[m_comparison.reference()].label, m_comparison.files()[m_file].label);
    m_job = startJob<PairDensity>(
        this,
        [parts = Parts{m_comparison.matches(), *m_row}, file = m_file](const JobContext& context) {
            return pairDensity(parts.reference(), parts.of(file), {.bins = kScatterBins}, context);
        },
        [this](Result<PairDensity> density) {
            if (!density) {
                showFailure(density.error());
                return;
            }
            m_density->setContent(std::move(*density));
        });
    m_progress->watch(m_job, tr("Counting pairs"));
}

void DrillDown::recountValues(double lo, double hi) {
    if (!m_row || m_values->content().empty()) {
        return;
    }
    std::vector<std::size_t> files{m_comparison.reference()};
    for (const std::size_t file : comparable()) {
        files.push_back(file);
    }
    delete m_job;
    m_job = startJob<std::vector<Histogram>>(
        this,
        [parts = Parts{m_comparison.matches(), *m_row}, files, lo, hi](const JobContext& context) {
            std::vector<PartOf> all;
            for (const std::size_t file : files) {
                all.push_back(parts.of(file));
            }
            return valueHistograms(all, {.bins = kValueBins, .range = {{lo, hi}}}, context);
        },
        [this](Result<std::vector<Histogram>> histograms) {
            if (histograms) {
                m_values->setRecount(std::move(*histograms));
            }
        });
    m_progress->watch(m_job, tr("Counting weights"));
}

void DrillDown::recountErrors(double lo, double hi) {
    if (!m_row || m_errors->content().empty()) {
        return;
    }
    delete m_errorJob;
    m_errorJob = startJob<std::vector<Histogram>>(
        this,
        [parts = Parts{m_comparison.matches(), *m_row}, files = comparable(), lo, hi](const JobContext& context) {
            return errorHistograms(parts, files, {.bins = kValueBins, .range = {{lo, hi}}}, context);
        },
        [this](Result<std::vector<Histogram>> histograms) {
            if (histograms) {
                m_errors->setRecount(std::move(*histograms));
            }
        });
    m_progress->watch(m_errorJob, tr("Counting errors"));
}

void DrillDown::recountScatter(double lo, double hi) {
    if (!m_row || m_density->content().bins == 0) {
        return;
    }
    delete m_job;
    m_job = startJob<PairDensity>(
        this,
        [parts = Parts{m_comparison.matches(), *m_row}, file = m_file, lo, hi](const JobContext& context) {
            return pairDensity(parts.reference(), parts.of(file), {.bins = kScatterBins, .range = {{lo, hi}}}, context);
        },
        [this](Result<PairDensity> density) {
            if (density) {
                m_density->setRecount(std::move(*density));
            }
        });
    m_progress->watch(m_job, tr("Counting pairs"));
}

void DrillDown::showFailure(const Error& error) {
    m_nothing->setTexts(tr("This tensor cannot be shown"), errorLine(error));
    m_states->setCurrentWidget(m_nothing);
}

// As high as its rows, and columns as wide as their texts, those at the end giving way.
void DrillDown::fitStatistics() {
    const int rows = m_statisticsModel.rowCount();
    m_statistics->setVisible(rows > 0);
    const int shown = std::min(rows, 5);
    m_statistics->setFixedHeight(m_statistics->horizontalHeader()->sizeHint().height() + shown * kStatisticsRow + 2);
    if (rows == 0) {
        return;
    }
    constexpr int kPadding = 18;
    std::vector<int> widths;
    const QFontMetrics metrics(themeFont(TextStyle::Table));
    for (int column = 0; column < PairStatisticsModel::kColumns; ++column) {
        int width =
            metrics.horizontalAdvance(m_statisticsModel.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        for (int row = 0; row < rows; ++row) {
            width = std::max(width, metrics.horizontalAdvance(m_statisticsModel.index(row, column).data().toString()));
        }
        widths.push_back(width + kPadding + (column == 0 ? kSquare + 8 : 0));
    }
    int left = width() - kMargin - 12 - 2 - (rows > shown ? 10 : 0); // the table may not have its new width yet
    for (const int width : widths) {
        left -= width;
    }
    const std::array giveWay{PairStatisticsModel::kEqual, PairStatisticsModel::kMae,    PairStatisticsModel::kAt,
                             PairStatisticsModel::kBits,  PairStatisticsModel::kCosine, PairStatisticsModel::kNmse};
    for (int column = 0; column < PairStatisticsModel::kColumns; ++column) {
        m_statistics->setColumnHidden(column, false);
    }
    for (const int column : giveWay) {
        if (left >= 0) {
            break;
        }
        m_statistics->setColumnHidden(column, true);
        left += widths[static_cast<std::size_t>(column)];
        widths[static_cast<std::size_t>(column)] = 0;
    }
    const int visible = static_cast<int>(std::ranges::count_if(widths, [](int width) { return width > 0; }));
    const int extra = std::max(0, left) / std::max(1, visible);
    for (int column = 0; column < PairStatisticsModel::kColumns; ++column) {
        if (widths[static_cast<std::size_t>(column)] > 0) {
            m_statistics->setColumnWidth(column, widths[static_cast<std::size_t>(column)] + extra);
        }
    }
}

void DrillDown::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_open->setVisible(width() > 640);
    m_facts->setVisible(width() > 560);
    fitStatistics();
}

QString DrillDown::copyText(Page::CopyFormat format) const {
    const QWidget* focus = focusWidget();
    if (focus != nullptr && (m_blocks == focus || m_blocks->isAncestorOf(focus))) {
        return m_blocks->copyText(format);
    }
    if (focus == m_values || focus == m_errors) {
        const auto* plot = focus == m_values ? m_values : m_errors;
        return tableText(format, plot->header(), plot->rows());
    }
    if (focus == m_density) {
        return tableText(format, m_density->header(), m_density->rows().mid(0, kMaxCopiedRows));
    }
    return m_row ? m_name->text() + u'\n' + viewText(*m_statistics, format) : QString();
}

QJsonObject DrillDown::saveState() const { return {{QStringLiteral("view"), view()}}; }

void DrillDown::restoreState(const QJsonObject& state) {
    setView(
        std::clamp(state[QStringLiteral("view")].toInt(), static_cast<int>(kHistograms), static_cast<int>(kBlocks)));
}

} // namespace gufo::ui
