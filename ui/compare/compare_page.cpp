#include "ui/compare/compare_page.h"

#include <QVBoxLayout>

namespace gufo::ui {

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

} // namespace gufo::ui

#include "moc_compare_page.cpp"
