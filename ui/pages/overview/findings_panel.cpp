#include "ui/pages/overview/findings_panel.h"

#include "messages/error_text.h"
#include "messages/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kBatch = 40; // rows laid out at a time: a broken file may have thousands

} // namespace

FindingsView::FindingsView(QWidget* parent)
    : QListView(parent) {
    setFrameShape(QFrame::NoFrame);
    setItemDelegate(new FindingsDelegate(this));
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setLayoutMode(Batched);
    setBatchSize(kBatch);
    setResizeMode(Adjust);
    setMouseTracking(true);
    setSelectionMode(ExtendedSelection);
    setAccessibleName(tr("Findings"));
    connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

QSize FindingsView::sizeHint() const {
    // As high as a few rows: the rest scrolls.
    int height = 2;
    for (int row = 0; model() != nullptr && row < std::min(model()->rowCount(), 6); ++row) {
        height += sizeHintForIndex(model()->index(row, 0)).height();
    }
    return {300, std::clamp(height, 48, 420)};
}

QModelIndex FindingsView::linkAt(QPoint point) const {
    const QModelIndex index = indexAt(point);
    if (!index.isValid()) {
        return {};
    }
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    option.rect = visualRect(index);
    return FindingsDelegate::linkRect(option, index).contains(point) ? index : QModelIndex();
}

void FindingsView::mouseReleaseEvent(QMouseEvent* event) {
    QListView::mouseReleaseEvent(event);
    const QModelIndex index = linkAt(event->pos());
    if (event->button() == Qt::LeftButton && index.isValid()) {
        emit followed(index);
    }
}

void FindingsView::mouseMoveEvent(QMouseEvent* event) {
    QListView::mouseMoveEvent(event);
    viewport()->setCursor(linkAt(event->pos()).isValid() ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void FindingsView::keyPressEvent(QKeyEvent* event) {
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid()) {
        emit followed(currentIndex());
        return;
    }
    QListView::keyPressEvent(event);
}

void FindingsView::resizeEvent(QResizeEvent* event) {
    QListView::resizeEvent(event);
    if (event->oldSize().width() != event->size().width()) {
        scheduleDelayedItemsLayout(); // lines break elsewhere
    }
}

FindingsPanel::FindingsPanel(QWidget* parent)
    : QWidget(parent)
    , m_counts(new ElidedLabel(TextStyle::Table, Token::Muted, Qt::ElideRight, this))
    , m_view(new FindingsView(this))
    , m_findings(new FindingsModel(this))
    , m_bar(new JobBar(this))
    , m_none(themedLabel(tr("Nothing to report."), TextStyle::Table, Token::Muted, this)) {
    m_view->setModel(m_findings);
    m_none->hide();
    m_none->setWordWrap(true);
    auto* heading = new QHBoxLayout;
    heading->addWidget(themedLabel(tr("Findings"), TextStyle::Section, Token::Text, this));
    heading->addStretch();
    heading->addWidget(m_counts);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(heading);
    layout->addWidget(m_bar);
    layout->addWidget(m_none);
    layout->addWidget(m_view, 1);
    connect(m_view, &FindingsView::followed, this, [this](const QModelIndex& index) {
        if (m_findings->isNotRun(index)) {
            validateModel(true);
        } else if (const Place* place = m_findings->place(index)) {
            emit placeRequested(*place);
        }
    });
    connect(m_bar, &JobBar::cancelled, this, [this] {
        if (m_run) {
            m_run->setEnabled(true);
        }
        if (m_findings->validation() == nullptr) {
            m_started = false; // asked for again when the page is shown again
            m_counts->setText(tr("not checked"));
        }
    });
}

void FindingsPanel::setModel(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    m_started = false;
}

void FindingsPanel::runChecks() {
    if (m_model && !m_started) {
        m_started = true;
        m_counts->setText(tr("checking …"));
        validateModel(false);
    }
}

void FindingsPanel::validateModel(bool deep) {
    if (m_bar->isBusy()) {
        return;
    }
    if (m_run) {
        m_run->setEnabled(false);
    }
    Job* job = startJob<Validation>(
        this, [model = m_model, deep](const JobContext& context) { return validate(*model, {.deep = deep}, context); },
        [this](Result<Validation> result) { showResult(std::move(result)); });
    m_bar->watch(job, deep ? tr("Scanning weights") : tr("Checking"));
}

void FindingsPanel::showResult(Result<Validation> result) {
    if (!result) {
        m_counts->setText(errorReason(result.error()));
        if (m_run) {
            m_run->setEnabled(true);
        }
        return;
    }
    const bool hadFocus = m_run && m_run->hasFocus();
    m_findings->setValidation(std::make_shared<Validation>(std::move(*result)), m_model->totals().tensorBytes);
    m_counts->setText(m_findings->countsText());
    m_none->setVisible(m_findings->rowCount() == 0);
    m_view->setVisible(m_findings->rowCount() != 0);
    m_view->updateGeometry();
    for (int row = m_findings->rowCount() - 1; row >= 0; --row) {
        const QModelIndex index = m_findings->index(row);
        if (!m_findings->isNotRun(index)) {
            break;
        }
        auto* place = new QWidget;
        auto* layout = new QHBoxLayout(place);
        layout->setContentsMargins(0, 10, 4, 0);
        layout->addStretch();
        m_run = new QPushButton(tr("Run"), place);
        m_run->setProperty("small", true);
        m_run->setAccessibleName(tr("Run the scan of all weights"));
        m_run->setToolTip(tr("Reads every weight and looks for NaN and infinity"));
        layout->addWidget(m_run, 0, Qt::AlignTop);
        m_view->setIndexWidget(index, place);
        connect(m_run, &QPushButton::clicked, this, [this] { validateModel(true); });
    }
    if (hadFocus) {
        m_view->setFocus();
    }
    emit checked();
}

QString FindingsPanel::copyText(Page::CopyFormat format) const {
    QList<QStringList> rows;
    const QModelIndexList selected = m_view->selectionModel()->selectedIndexes();
    for (int row = 0; row < std::min(m_findings->rowCount(), kMaxCopiedRows); ++row) {
        const QModelIndex index = m_findings->index(row);
        if (selected.isEmpty() || selected.contains(index)) {
            rows << QStringList{markName(static_cast<Mark>(index.data(FindingsModel::MarkRole).toInt())),
                                index.data().toString(), index.data(FindingsModel::MessageRole).toString(),
                                index.data(FindingsModel::PlaceTextRole).toString()};
        }
    }
    return tableText(format, {tr("Severity"), tr("Finding"), tr("Message"), tr("Place")}, rows);
}

} // namespace gufo::ui
