#include "ui/compare/lock_step/lock_step_page.h"

#include "ui/compare/comparison_export.h"
#include "ui/compare/lock_step/lock_step_plot.h"
#include "ui/compare/series_legend.h"
#include "ui/document/fetching.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/figure_text.h"
#include "ui/plots/picture_menu.h"
#include "ui/theme/style.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/rows_table.h"
#include "ui/widgets/splitter_sizes.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kTextLines = 3;
constexpr int kMaximum = 4'096;

QString figures(const LockStepRun& run, std::size_t file) {
    const inference::LockStepSummary summary = run.summary(file);
    const QString difference = summary.firstDifference
                                   ? LockStepPage::tr("first difference at token %1").arg(*summary.firstDifference)
                                   : LockStepPage::tr("no difference");
    if (summary.isBound) {
        return LockStepPage::tr(
                   "<b>%1</b>: same most likely token %2 %, KL divergence at least: mean %3, largest %4 nats "
                   "at token %5 (from its most likely tokens; all others count as one), %6")
            .arg(run.files()[file].label.toHtmlEscaped(), formatFixed(100 * summary.agreement, 1),
                 formatReal(summary.meanDivergence, 3), formatReal(summary.largestDivergence, 3),
                 QString::number(summary.largestAt), difference);
    }
    return LockStepPage::tr(
               "<b>%1</b>: same most likely token %2 %, KL divergence mean %3, largest %4 nats at token %5, %6")
        .arg(run.files()[file].label.toHtmlEscaped(), formatFixed(100 * summary.agreement, 1),
             formatReal(summary.meanDivergence, 3), formatReal(summary.largestDivergence, 3),
             QString::number(summary.largestAt), difference);
}

} // namespace

LockStepPage::LockStepPage(Comparison& comparison, QWidget* parent, std::span<const inference::Engine> engines)
    : ComparePage(comparison, parent)
    , m_run(nullptr, engines)
    , m_model(m_run) {
    m_plot = new LockStepPlot(m_run);
    QWidget* strip = buildStrip();
    m_summary = themedLabel({}, TextStyle::Table, Token::Text, this);
    m_summary->setObjectName(QStringLiteral("summary"));
    // One unwrapped line per file: with a height that depends on the width, the whole page would be laid out several
    // times per token.
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_summary->setTextFormat(Qt::RichText);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_summary->setContentsMargins(20, 10, 20, 2);
    m_summary->setAccessibleName(tr("Figures of the run"));
    auto* upper = new QWidget;
    m_legend = new SeriesLegend(upper);
    auto* upperColumn = new QVBoxLayout(upper);
    upperColumn->setContentsMargins(20, 6, 12, 6);
    upperColumn->setSpacing(4);
    upperColumn->addWidget(m_legend);
    upperColumn->addWidget(m_plot, 1);
    auto* lower = new QSplitter(Qt::Horizontal);
    lower->addWidget(buildTable());
    lower->addWidget(buildSide());
    lower->setChildrenCollapsible(false);
    lower->setHandleWidth(1);
    lower->setStretchFactor(0, 1);
    lower->setStretchFactor(1, 0);
    m_parts = new QSplitter(Qt::Vertical);
    m_parts->addWidget(upper);
    m_parts->addWidget(lower);
    m_parts->setChildrenCollapsible(false);
    m_parts->setHandleWidth(1);
    m_parts->setSizes({260, 400});
    auto* found = new QWidget;
    auto* foundColumn = new QVBoxLayout(found);
    foundColumn->setContentsMargins(0, 0, 0, 0);
    foundColumn->setSpacing(0);
    foundColumn->addWidget(m_summary);
    foundColumn->addWidget(m_parts, 1);
    auto* head = new QWidget(this);
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(strip);
    auto* field = new QVBoxLayout;
    field->setContentsMargins(20, 12, 20, 2);
    field->setSpacing(6);
    field->addWidget(m_text);
    field->addWidget(buildEnginesRow());
    column->addLayout(field);
    setContent(head, found);
    setFirstFocus(m_text);

    connect(&comparison, &Comparison::filesChanged, this, &LockStepPage::filesChanged);
    connect(&m_run, &LockStepRun::stateChanged, this, &LockStepPage::updateState);
    connect(&m_run, &LockStepRun::placesAdded, this, &LockStepPage::showFigures);
    connect(m_plot, &LockStepPlot::chosenByPerson, this, &LockStepPage::choose);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) { choose(now.row()); });
    updateState();
}

QWidget* LockStepPage::buildStrip() {
    auto* strip = new ToolStrip(this);
    m_text = new QPlainTextEdit(this);
    m_text->setPlainText(tr("Once upon a time"));
    m_text->setPlaceholderText(tr("The text for all files"));
    m_text->setToolTip(tr("The text for all files; control tokens are written as <s> and so on. Ctrl+Enter runs."));
    m_text->setAccessibleName(tr("Text"));
    m_text->setTabChangesFocus(true);
    m_text->setFixedHeight(m_text->fontMetrics().lineSpacing() * kTextLines + 12);
    m_text->installEventFilter(this);
    m_maximum = new CountBox(strip);
    m_maximum->setRange(0, kMaximum);
    m_maximum->setValue(64);
    m_maximum->setFixedWidth(76);
    m_maximum->setAccessibleName(tr("Tokens to generate"));
    m_maximum->setToolTip(tr(
        "The number of tokens that the reference generates after the text; the other files evaluate the same tokens"));
    m_start = new QPushButton(strip);
    m_start->setProperty("primary", true);
    m_difference = new QPushButton(tr("First difference"), strip);
    m_difference->setToolTip(
        tr("Go to the first position at which a file's most likely token differs from the reference's"));
    m_progress = new JobBar(strip);
    m_progress->setMinimumWidth(160);
    m_progress->hideCancel(); // m_start stops the run and keeps the results
    auto* menu = new PictureMenu(*this);
    auto* row = static_cast<QHBoxLayout*>(strip->layout());
    row->addWidget(themedLabel(tr("Evaluate the text, then generate"), TextStyle::Table, Token::Muted, strip));
    row->addWidget(m_maximum);
    row->addWidget(themedLabel(tr("tokens"), TextStyle::Table, Token::Muted, strip));
    row->addWidget(m_start);
    row->addWidget(m_progress, 4);
    row->addStretch(1);
    row->addWidget(m_difference);
    row->addWidget(menu->button());
    menu->setPlot(*m_plot, tr("divergence"), [this] { return pictureFrame(); });
    menu->addText(tr("Figures as &CSV…"), QStringLiteral(".csv"), tr("Comma-separated values (*.csv)"),
                  [this] { return csv(); });
    connect(menu, &PictureMenu::message, this, &ComparePage::fileWritten);
    connect(m_start, &QPushButton::clicked, this, &LockStepPage::toggle);
    connect(m_text, &QPlainTextEdit::textChanged, this, &LockStepPage::updateState);
    connect(m_difference, &QPushButton::clicked, this, [this] {
        if (const auto first = m_run.firstDifference()) {
            choose(static_cast<int>(*first));
            m_table->scrollTo(m_table->currentIndex(), QAbstractItemView::PositionAtCenter);
            m_table->setFocus();
        }
    });
    return strip;
}

PictureFrame LockStepPage::pictureFrame() const {
    constexpr qsizetype kExcerpt = 120;
    const QString text = m_text->toPlainText().simplified();
    PictureFrame frame =
        comparisonFrame(m_comparison, m_plot->accessibleName(), m_comparison.others(),
                        tr("Text: %1").arg(text.size() > kExcerpt ? text.left(kExcerpt) + QChar(0x2026) : text));
    for (std::size_t i = 1; i < m_run.files().size(); ++i) {
        frame.keys.push_back(seriesKey(m_run.files()[i].label, m_run.files()[i].series));
    }
    const auto line = [](Token token, Qt::PenStyle style) {
        return [token, style](QPainter& painter, const QRectF& rect) {
            painter.setPen(QPen(themeColor(token), 1.4, style));
            painter.drawLine(QPointF(rect.center().x(), rect.top()), QPointF(rect.center().x(), rect.bottom()));
        };
    };
    if (m_run.firstDifference()) {
        frame.keys.push_back({tr("first difference"), line(Token::WarningMark, Qt::DashLine)});
    }
    const auto& places = m_run.places();
    if (!places.empty() && places.front().given && !places.back().given) {
        frame.keys.push_back({tr("end of the given text"), line(Token::StrongLine, Qt::DotLine)});
    }
    return frame;
}

QString LockStepPage::csv() const {
    QStringList header;
    for (int column = 0; column < m_model.columnCount(); ++column) {
        const QString title = m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const QString label =
            LockStepModel::isDivergence(column) ? m_run.files()[LockStepModel::fileOf(column)].label + u' ' : QString();
        header << label + title;
    }
    QList<QStringList> rows;
    for (int i = 0; i < m_model.rowCount(); ++i) {
        const inference::LockStepPlace& place = m_run.places()[static_cast<std::size_t>(i)];
        QStringList cells;
        for (int column = 0; column < m_model.columnCount(); ++column) {
            cells << (LockStepModel::isDivergence(column)
                          ? csvNumber(place.choices[LockStepModel::fileOf(column)].divergence)
                          : m_model.index(i, column).data().toString());
        }
        rows << cells;
    }
    return csvText(header, rows);
}

QWidget* LockStepPage::buildTable() {
    m_table = makeRowsTable(tr("Tokens of all files by position"), &m_model, kRowHeight);
    m_table->horizontalHeader()->setMinimumSectionSize(44);
    m_table->viewport()->installEventFilter(this);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, &LockStepPage::showTokenMenu);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &LockStepPage::fitColumns);
    return m_table;
}

// The text columns share the width that the figures leave.
void LockStepPage::fitColumns() {
    constexpr int kPositionWidth = 52;
    constexpr int kDivergenceWidth = 84;
    constexpr int kMinText = 120;
    const int columns = m_model.columnCount();
    int figures = 0;
    for (int column = 0; column < columns; ++column) {
        figures += LockStepModel::isDivergence(column) ? 1 : 0;
    }
    const int texts = std::max(1, columns - 1 - figures);
    const int room = m_table->viewport()->width() - kPositionWidth - figures * kDivergenceWidth;
    for (int column = 0; column < columns; ++column) {
        m_table->setColumnWidth(column, column == LockStepModel::kPosition    ? kPositionWidth
                                        : LockStepModel::isDivergence(column) ? kDivergenceWidth
                                                                              : std::max(room / texts, kMinText));
    }
}

QWidget* LockStepPage::buildSide() {
    auto* side = new QScrollArea;
    side->setFrameShape(QFrame::NoFrame);
    side->setWidgetResizable(true);
    side->setMinimumWidth(300);
    m_candidates = themedLabel({}, TextStyle::Table, Token::Text, side);
    m_candidates->setTextFormat(Qt::RichText);
    m_candidates->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_candidates->setContentsMargins(16, 6, 12, 12);
    m_candidates->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_candidates->setAccessibleName(tr("Most likely tokens of all files at the selected position"));
    m_candidates->setAutoFillBackground(true);
    m_candidates->setBackgroundRole(QPalette::Base);
    side->setWidget(m_candidates);
    return side;
}

bool LockStepPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_text && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isEnter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (isEnter && key->modifiers().testFlag(Qt::ControlModifier)) {
            m_start->click();
            return true;
        }
    }
    if (m_table != nullptr && watched == m_table->viewport() && event->type() == QEvent::Resize) {
        fitColumns();
    }
    return ComparePage::eventFilter(watched, event);
}

void LockStepPage::toggle() {
    if (m_run.state() == LockStepRun::State::Running) {
        m_run.stop();
        return;
    }
    const auto& files = m_comparison.files();
    if (files.size() < 2 || !whyNot().isEmpty()) { // the field's shortcut also calls this
        return;
    }
    std::vector<LockStepFile> chosen;
    const auto add = [&](std::size_t i) {
        chosen.push_back({files[i].model, files[i].place, files[i].label, files[i].series});
    };
    add(m_comparison.reference());
    std::ranges::for_each(m_comparison.others(), add);
    const ComparedFile& reference = files[m_comparison.reference()];
    const auto nextSeries = [&] { return static_cast<int>(chosen.size()) - 1; };
    if (m_withLibrary != nullptr && m_withLibrary->isChecked()) {
        const inference::Engine* other = m_run.otherEngine();
        chosen.push_back({reference.model, reference.place, engineName(other->id), nextSeries(), other});
    }
    if (const inference::ServerAccess access = server(); !access.address.empty()) {
        chosen.push_back({.model = reference.model,
                          .place = hub::Url{access.address},
                          .label = displayText(access.address),
                          .series = nextSeries(),
                          .server = access});
    }
    std::vector<SeriesLegend::Entry> entries;
    for (std::size_t i = 1; i < chosen.size(); ++i) {
        entries.push_back({chosen[i].label, chosen[i].series});
    }
    m_legend->setEntries(std::move(entries));
    m_run.start(std::move(chosen), m_text->toPlainText().toStdString(), static_cast<std::uint32_t>(m_maximum->value()));
    m_progress->watch(m_run.job(), tr("Running"));
}

QString LockStepPage::whyNot() const {
    const auto& files = m_comparison.files();
    const auto remote = std::ranges::find_if(files, [](const ComparedFile& file) { return isOnServer(*file.model); });
    return remote == files.end() ? m_run.missing() : tr("%1 is on a server: download it to run it.").arg(remote->label);
}

// The files or the reference have changed, so the results no longer apply.
void LockStepPage::filesChanged() {
    m_run.clear();
    updateState();
}

void LockStepPage::updateState() {
    const LockStepRun::State state = m_run.state();
    const bool running = state == LockStepRun::State::Running;
    m_start->setText(running ? tr("Stop") : tr("Run"));
    m_start->setIcon(themeIcon(running ? QStringLiteral("close") : QStringLiteral("run"), Token::OnAccent));
    const QString missing = whyNot();
    m_start->setToolTip(!missing.isEmpty() ? missing
                        : running          ? tr("Stop after the current token and keep the results")
                                           : tr("Load all files and run them on the text, token by token"));
    m_start->setEnabled(missing.isEmpty() &&
                        (running || (m_comparison.files().size() > 1 && !m_text->toPlainText().isEmpty() &&
                                     (!m_withServer->isChecked() || !server().address.empty()))));
    if (state == LockStepRun::State::Failed) {
        m_nothing->setTexts(tr("The files cannot be run on the same text"), m_run.error());
    } else if (running) {
        m_nothing->setTexts(tr("Loading the files"), tr("Results appear token by token."));
    } else {
        m_nothing->setTexts(tr("Where do they diverge?"),
                            tr("All files evaluate the same text token by token. The table shows each file's most "
                               "likely next token and the divergence of its probabilities from the reference, which "
                               "continues the text. The files must have the same vocabulary."));
    }
    showFigures();
}

void LockStepPage::showFigures() {
    const auto first = m_run.firstDifference();
    const bool any = !m_run.places().empty();
    m_difference->setEnabled(first.has_value());
    if (!any || m_run.state() == LockStepRun::State::Failed) {
        showNothing();
        updateSummary();
        return;
    }
    // Laying out the table and the plot takes as long as writing the figures, so each gets its own iteration of the
    // event loop.
    if (!showsContent()) {
        showContent();
        QTimer::singleShot(0, this, &LockStepPage::showFigures);
        return;
    }
    updateSummary();
    if (m_run.state() == LockStepRun::State::Done) {
        shareDivergences();
    }
    if (!m_table->currentIndex().isValid()) {
        choose(first ? static_cast<int>(*first) : 0);
    }
}

// For the trade-off.
void LockStepPage::shareDivergences() {
    std::map<hub::ModelPlace, double> figures;
    for (std::size_t i = 1; i < m_run.files().size(); ++i) {
        const LockStepFile& file = m_run.files()[i];
        if (file.engine == nullptr && !file.server) {
            figures.emplace(file.place, m_run.summary(i).meanDivergence);
        }
    }
    m_comparison.setDivergences(m_run.files().front().place, std::move(figures), tr("the text of Side by Side"));
}

void LockStepPage::updateSummary() {
    QStringList lines;
    for (std::size_t file = 1; file < m_run.files().size() && !m_run.places().empty(); ++file) {
        lines << figures(m_run, file);
    }
    m_summary->setText(lines.join(QStringLiteral("<br>")));
}

void LockStepPage::choose(int row) {
    if (row < 0 || row >= m_model.rowCount()) {
        m_candidates->clear();
        return;
    }
    if (m_table->currentIndex().row() != row) {
        m_table->selectRow(row); // calls this function again
        return;
    }
    m_plot->setChosen(row);
    m_candidates->setText(m_model.candidates(row));
}

void LockStepPage::showTokenMenu(QPoint at) {
    const QModelIndex index = m_table->indexAt(at).isValid() ? m_table->indexAt(at) : m_table->currentIndex();
    if (!index.isValid()) {
        return;
    }
    choose(index.row());
    auto* menu = new QMenu(m_table);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* blame = menu->addAction(tr("&Which tensor did it?"), this, [this, row = index.row()] { blameToken(row); });
    blame->setEnabled(m_run.state() != LockStepRun::State::Running && m_comparison.matches() != nullptr);
    blame->setToolTip(tr("Swap tensors between the files and see which of them change this prediction"));
    menu->setToolTipsVisible(true);
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

void LockStepPage::blameToken(int row) {
    const auto at = static_cast<std::size_t>(row);
    const inference::LockStepPlace& place = m_run.places()[at];
    emit blameRequested(
        {.file = {},
         .tokens = m_run.tokensBefore(at),
         .title = tr("token %1, %2").arg(QString::number(place.position), m_run.tokenText(place.token))});
}

QString LockStepPage::copyText(CopyFormat format) const { return viewText(*m_table, format); }

QJsonObject LockStepPage::saveState() const {
    return {{QStringLiteral("splitter"), splitterSizes(*m_parts)},
            {QStringLiteral("most"), m_maximum->value()},
            {QStringLiteral("model"),
             QJsonObject{{QStringLiteral("text"), m_text->toPlainText()},
                         {QStringLiteral("withServer"), m_withServer->isChecked()},
                         {QStringLiteral("withLibrary"), m_withLibrary != nullptr && m_withLibrary->isEnabled()
                                                             ? m_withLibrary->isChecked()
                                                             : m_wantsLibrary},
                         {QStringLiteral("server"), m_address->text()}}}};
}

void LockStepPage::restoreState(const QJsonObject& state) {
    restoreSplitter(*m_parts, state[QStringLiteral("splitter")].toArray());
    m_maximum->setValue(state[QStringLiteral("most")].toInt(m_maximum->value()));
    if (const QJsonValue text = state[QStringLiteral("model")][QStringLiteral("text")]; text.isString()) {
        m_text->setPlainText(text.toString());
    }
    m_address->setText(state[QStringLiteral("model")][QStringLiteral("server")].toString());
    m_withServer->setChecked(state[QStringLiteral("model")][QStringLiteral("withServer")].toBool());
    m_wantsLibrary = state[QStringLiteral("model")][QStringLiteral("withLibrary")].toBool();
    if (m_withLibrary != nullptr) {
        m_withLibrary->setChecked(m_wantsLibrary && m_withLibrary->isEnabled());
    }
}

} // namespace gufo::ui

#include "moc_lock_step_page.cpp"
