#include "ui/compare/compare_page.h"

#include <QFocusEvent>
#include <QVBoxLayout>

namespace gufo::ui {

void offerMetric(QComboBox& choice, Metric metric, bool offered) {
    const int at = choice.findData(static_cast<int>(metric));
    if (offered && at < 0) {
        choice.addItem(metricFullTitle(metricFact(metric)), static_cast<int>(metric));
    } else if (!offered && at >= 0) {
        choice.removeItem(at);
    }
}

void ComparePage::setContent(QWidget* strip, QWidget* content) {
    m_nothing = new EmptyState;
    m_states = new QStackedWidget;
    m_states->addWidget(content);
    m_states->addWidget(m_nothing);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(strip);
    column->addWidget(m_states, 1);
}

void ComparePage::focusInEvent(QFocusEvent* event) {
    Page::focusInEvent(event);
    if (!m_firstFocus.isNull()) {
        m_firstFocus->setFocus(event->reason());
    }
}

} // namespace gufo::ui

#include "moc_compare_page.cpp"
