#include "ui/widgets/job_bar.h"

#include <QBoxLayout>

namespace gufo::ui {
namespace {

constexpr int kShowAfterMs = 150;
constexpr int kSteps = 1000;

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

void JobBar::putOver(QWidget& view) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    layout()->setContentsMargins(8, 4, 8, 4);
    auto* corner = new QVBoxLayout(&view);
    corner->setContentsMargins(8, 8, 8, 8);
    corner->addWidget(this, 0, Qt::AlignTop | Qt::AlignRight);
    hide();
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
