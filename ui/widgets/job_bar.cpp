#include "ui/widgets/job_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QStyle>

namespace gufo::ui {
namespace {

constexpr int kShowAfterMs = 150;
constexpr int kSteps = 1000;
constexpr int kMargin = 8; // between the bar and the edges of the view that it covers

} // namespace

JobBar::JobBar(QWidget* parent)
    : QWidget(parent)
    , m_what(new QLabel(this))
    , m_bar(new QProgressBar(this))
    , m_cancel(new QToolButton(this)) {
    m_bar->setTextVisible(false);
    m_bar->setMaximumHeight(6);
    m_bar->setMinimumWidth(60);
    m_cancel->setText(tr("Cancel"));
    m_cancel->setObjectName(QStringLiteral("cancelJob"));
    m_cancel->setFocusPolicy(Qt::TabFocus);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_what);
    layout->addWidget(m_bar, 1);
    layout->addWidget(m_cancel);
    hide();
    m_showSoon.setSingleShot(true);
    m_showSoon.setInterval(kShowAfterMs);
    connect(&m_showSoon, &QTimer::timeout, this, &QWidget::show);
    connect(m_cancel, &QToolButton::clicked, this, [this] {
        cancel();
        emit cancelled();
    });
}

void JobBar::putOver(QWidget& view, Qt::Alignment corner) {
    setParent(&view);
    m_corner = corner;
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    layout()->setContentsMargins(8, 4, 8, 4);
    view.installEventFilter(this);
}

void JobBar::moveToCorner() {
    const QRect area = parentWidget()->rect().adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const QSize size = sizeHint().boundedTo(area.size());
    setGeometry(QStyle::alignedRect(layoutDirection(), m_corner, size, area));
    raise();
}

bool JobBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible()) {
        moveToCorner();
    }
    return QWidget::eventFilter(watched, event);
}

bool JobBar::event(QEvent* event) {
    const bool handled = QWidget::event(event);
    // Events of the constructor come before m_corner has a value.
    if ((event->type() == QEvent::Show || event->type() == QEvent::LayoutRequest) && m_corner) {
        moveToCorner();
    }
    return handled;
}

void JobBar::hideCancel() { m_cancel->hide(); }

void JobBar::watch(Job* job, const QString& what) {
    stopWatching();
    m_job = job;
    m_what->setText(what);
    m_bar->setAccessibleName(what);
    m_cancel->setAccessibleName(tr("Cancel: %1").arg(what));
    m_bar->setRange(0, 0);
    connect(job, &Job::progressed, this, [this](quint64 done, quint64 total) {
        if (total != 0) {
            m_bar->setRange(0, kSteps);
            m_bar->setValue(static_cast<int>(static_cast<double>(done) / static_cast<double>(total) * kSteps));
        }
    });
    connect(job, &Job::finished, this, &JobBar::stopWatching);
    if (!isVisible()) {
        m_showSoon.start();
    }
}

void JobBar::cancel() {
    if (m_job) {
        m_job->cancel();
    }
    stopWatching();
}

void JobBar::stopWatching() {
    if (m_job) {
        m_job->disconnect(this);
    }
    m_job.clear();
    m_showSoon.stop();
    hide();
}

} // namespace gufo::ui

#include "moc_job_bar.cpp"
