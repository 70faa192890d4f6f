#include "ui/compare/drill_down/drill_down.h"

#include "ui/compare/comparison_export.h"
#include "ui/compare/drill_down/block_values.h"
#include "ui/compare/drill_down/density_plot.h"
#include "ui/compare/drill_down/error_map.h"
#include "ui/compare/drill_down/pair_histograms.h"
#include "ui/compare/drill_down/pair_statistics.h"
#include "ui/compare/drill_down/series_histogram.h"
#include "ui/document/fetching.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/plots/picture_menu.h"
#include "ui/shell/native_path.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kMargin = 16;
constexpr int kRightMargin = 12;
constexpr int kStartMs = 90; // delay, so that moving through the list does not start a job at every row

} // namespace

DrillDown::DrillDown(Comparison& comparison, QWidget* parent)
    : QWidget(parent)
    , m_comparison(comparison) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    QWidget* head = buildHead();
    m_views = new QStackedWidget(this);
    m_histograms = new PairHistograms(comparison);
    m_views->addWidget(m_histograms);
    m_scatter = new PairScatter(comparison);
    m_views->addWidget(m_scatter);
    m_errorMap = new ErrorMap;
    m_views->addWidget(m_errorMap);
    m_blocks = new BlockValues(comparison);
    m_views->addWidget(m_blocks);
    m_nothing = new EmptyState;
    m_states = new QStackedWidget(this);
    m_states->addWidget(m_views);
    m_states->addWidget(m_nothing);
    m_progress->putOver(*m_states, Qt::AlignBottom | Qt::AlignRight);
    m_statistics = new PairStatisticsTable(comparison, this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kMargin, 6, kRightMargin, 10);
    column->setSpacing(6);
    column->addWidget(head);
    column->addWidget(m_states, 1);
    column->addWidget(m_statistics);
    setMinimumWidth(376);
    for (QCustomPlot* plot : {static_cast<QCustomPlot*>(&values()), static_cast<QCustomPlot*>(&errors()),
                              static_cast<QCustomPlot*>(&density()), static_cast<QCustomPlot*>(&m_errorMap->map())}) {
        addExportMenu(*plot);
    }

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
        const TensorIndex tensor = match.cells[file].part.tensor;
        place.name = m_comparison.files()[file].model->tensor(tensor).name;
        // The tab of an origin shows its tensors under their own names.
        const auto& origin = m_comparison.origin();
        if (origin != nullptr && m_comparison.files()[file].model == origin->model) {
            const std::vector<std::string>& sources = origin->plan->rows[tensor.value].sources;
            place = sources.empty() ? Place{} : Place::tensor(sources.front());
        }
        emit openInTab(m_comparison.files()[file].place, place);
    });
    connect(m_histograms, &PairHistograms::started, m_progress, &JobBar::watch);
    connect(m_scatter, &PairScatter::started, m_progress, &JobBar::watch);
    connect(m_statistics, &PairStatisticsTable::fileChosen, this, &DrillDown::setFile);
    connect(m_histograms, &PairHistograms::failed, this, &DrillDown::showFailure);
    connect(m_scatter, &PairScatter::failed, this, &DrillDown::showFailure);
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
    m_name = new ElidedLabel(TextStyle::MonoTitle, Token::Text, Qt::ElideMiddle, head);
    m_facts = new ElidedLabel(TextStyle::Table, Token::Muted, Qt::ElideRight, head);
    m_viewField = new SegmentedControl(tr("View of the tensor"), head);
    m_viewField->addSegment(tr("Histograms"));
    m_viewField->addSegment(tr("Scatter"), {}, tr("Weights against those of the reference"));
    m_viewField->addSegment(tr("Map"), {}, tr("Errors by row and column"));
    m_viewField->addSegment(tr("Blocks"), {}, tr("Single weights with their codes and scales"));
    m_fileField = new QComboBox(head);
    m_fileField->setAccessibleName(tr("File compared with the reference"));
    m_fileField->setMaximumWidth(130);
    m_open = new QPushButton(tr("Open in Tensors"), head);
    m_open->setToolTip(tr("Open the tensor in its model's tab"));
    m_progress = new JobBar(this);
    auto* title = new QHBoxLayout;
    title->addWidget(m_name);
    title->addWidget(m_facts, 1);
    auto* row = new QHBoxLayout;
    row->addWidget(m_fileField);
    row->addWidget(m_viewField);
    row->addWidget(m_open);
    row->addStretch();
    m_head = new QBoxLayout(QBoxLayout::LeftToRight, head);
    m_head->setContentsMargins(0, 0, 0, 0);
    m_head->addLayout(title, 1);
    m_head->addLayout(row);
    return head;
}

// Adds a context menu that exports a plot and its figures.
void DrillDown::addExportMenu(QCustomPlot& plot) {
    auto* menu = new PictureMenu(plot);
    menu->button()->hide();
    menu->setPlot(plot, plot.accessibleName().toLower().replace(u' ', u'-'), [this, &plot] { return frameOf(plot); });
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
}

PictureFrame DrillDown::frameOf(const QCustomPlot& plot) const {
    if (!m_row) {
        return {.title = plot.accessibleName(), .lines = {}};
    }
    const bool isHistogram = &plot == &m_histograms->values() || &plot == &m_histograms->errors();
    std::vector<std::size_t> files = isHistogram ? comparable() : std::vector{m_file};
    const QString tensor =
        m_facts->text().isEmpty() ? m_name->text() : QStringLiteral("%1, %2").arg(m_name->text(), m_facts->text());
    PictureFrame frame = comparisonFrame(m_comparison, plot.accessibleName(), files, tensor);
    const QString reference = m_comparison.files()[m_comparison.reference()].label;
    const QString file = m_comparison.files()[m_file].label;
    if (&plot == &m_histograms->values()) {
        files.insert(files.begin(), m_comparison.reference());
        frame.xLabel = tr("weight");
        frame.yLabel = tr("weights per bin");
    } else if (&plot == &m_histograms->errors()) {
        frame.xLabel = tr("error: weight of the file − weight of %1").arg(reference);
        frame.yLabel = tr("weights per bin");
    } else if (&plot == &m_scatter->plot()) {
        frame.keys.push_back({tr("equal weights"), [](QPainter& painter, const QRectF& rect) {
                                  painter.setPen(QPen(themeColor(Token::Muted), 1, Qt::DashLine));
                                  painter.drawLine(rect.bottomLeft(), rect.topRight());
                              }});
    } else {
        frame.xLabel = tr("column");
        frame.yLabel = tr("row");
        const QString fold = m_errorMap->map().cellsText();
        frame.scaleLabel = fold.isEmpty() ? tr("error: %1 − %2").arg(file, reference)
                                          : tr("error: %1 − %2, %3").arg(file, reference, fold);
    }
    if (isHistogram) {
        frame.keys = fileKeys(m_comparison, files);
    }
    return frame;
}

void DrillDown::clear() {
    m_startSoon.stop();
    m_row.reset();
    m_stale = true;
    m_statistics->setRow({});
    clearViews();
    m_name->setText({});
    m_facts->setText({});
    m_open->setEnabled(false);
    m_fileField->clear();
    m_nothing->setTexts({}, tr("Choose a tensor in the map or the list."));
    m_states->setCurrentWidget(m_nothing);
}

void DrillDown::clearViews() {
    m_histograms->clear();
    m_scatter->clear();
    m_errorMap->clear();
    m_blocks->setPair({}, 0, 0);
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
    m_row = row;
    m_stale = true;
    m_statistics->setRow(row);
    clearViews();
    fillFiles();
    describe();
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
                            tr("Only the reference has a tensor of this name and shape.") + u'\n' +
                                holders.join(u'\n'));
        m_states->setCurrentWidget(m_nothing);
        return;
    }
    if (const std::uint64_t missing = unwantedBytes(); missing > 0) {
        m_nothing->setTexts(tr("Not fetched"), tr("The weights of this tensor are on a server: %1. They can be looked "
                                                  "at one by one in the tab of a file.")
                                                   .arg(formatBytes(missing)));
        m_states->setCurrentWidget(m_nothing);
        return;
    }
    m_states->setCurrentWidget(m_views);
    m_startSoon.start();
}

// The bytes of this tensor on servers, if the user has not asked for them.
std::uint64_t DrillDown::unwantedBytes() const {
    const TensorMatch& match = m_comparison.matches()->rows[*m_row];
    std::uint64_t bytes = 0;
    for (std::size_t file = 0; m_comparison.waitsForFetching() && file < m_comparison.files().size(); ++file) {
        if (match.has(file)) {
            const Model& model = *m_comparison.files()[file].model;
            bytes += bytesToFetch(model, model.tensor(match.cells[file].part.tensor));
        }
    }
    return bytes;
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
    fitHead();
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

bool DrillDown::isBusy() const { return m_histograms->isBusy() || m_scatter->isBusy(); }

SeriesHistogram& DrillDown::values() { return m_histograms->values(); }

SeriesHistogram& DrillDown::errors() { return m_histograms->errors(); }

DensityPlot& DrillDown::density() { return m_scatter->plot(); }

QTableView* DrillDown::statistics() const { return m_statistics; }

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
    m_scatter->plot().setColorMap(map);
    m_errorMap->setColorMap(map);
}

void DrillDown::figuresArrived() {
    m_statistics->figuresArrived();
    describe();
}

void DrillDown::start() {
    m_startSoon.stop();
    if (!m_row || !m_stale || !m_comparison.matches() || comparable().empty() || unwantedBytes() > 0) {
        return;
    }
    m_stale = false;
    m_histograms->cancel(); // stops work for a view that is hidden
    m_scatter->cancel();
    const MatchedRow row{m_comparison.matches(), *m_row};
    switch (view()) {
    case kHistograms:
        m_histograms->setRow(row, comparable());
        break;
    case kScatter:
        m_scatter->setPair(row, m_file);
        break;
    case kMap:
        m_errorMap->setPair(m_comparison.matches(), *m_row, m_file, rmseOf(m_file));
        break;
    default:
        m_blocks->setPair(*m_row, m_file, worstWeight(m_file));
        break;
    }
}

void DrillDown::showFailure(const Error& error) {
    m_nothing->setTexts(tr("This tensor cannot be shown"), errorLine(error));
    m_states->setCurrentWidget(m_nothing);
}

void DrillDown::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitHead();
    m_statistics->fit(width() - kMargin - kRightMargin);
}

// Makes room for the name: hides information that is also shown elsewhere, and puts the fields below it.
void DrillDown::fitHead() {
    const int left = width() - (m_fileField->isHidden() ? 0 : m_fileField->sizeHint().width());
    const bool wide = left > 440;
    m_head->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_head->setSpacing(wide ? 8 : 2);
    m_open->setVisible(left > 540);
    m_facts->setVisible(left > 640);
}

QString DrillDown::copyText(CopyFormat format) const {
    const QWidget* focus = focusWidget();
    if (focus != nullptr && (m_blocks == focus || m_blocks->isAncestorOf(focus))) {
        return m_blocks->copyText(format);
    }
    for (const SeriesHistogram* plot : {&m_histograms->values(), &m_histograms->errors()}) {
        if (focus == plot) {
            return tableText(format, plot->header(), plot->rows());
        }
    }
    if (const DensityPlot& plot = m_scatter->plot(); focus == &plot) {
        return tableText(format, plot.header(), plot.rows().mid(0, kMaxCopiedRows));
    }
    return m_row ? m_name->text() + u'\n' + viewText(*m_statistics, format) : QString();
}

QJsonObject DrillDown::saveState() const { return {{QStringLiteral("view"), view()}}; }

void DrillDown::restoreState(const QJsonObject& state) {
    setView(
        std::clamp(state[QStringLiteral("view")].toInt(), static_cast<int>(kHistograms), static_cast<int>(kBlocks)));
}

} // namespace gufo::ui

#include "moc_drill_down.cpp"
