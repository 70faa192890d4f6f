#include "ui/widgets/empty_state.h"

#include "ui/theme/theme.h"
#include "ui/widgets/text_color.h"

#include <QVBoxLayout>

namespace gufo::ui {

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_explanation(new QLabel(this)) {
    m_title->setAlignment(Qt::AlignCenter);
    m_explanation->setAlignment(Qt::AlignCenter);
    m_explanation->setWordWrap(true);
    m_explanation->setMaximumWidth(460);
    m_explanation->setMinimumWidth(200);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(8);
    layout->addStretch(2);
    layout->addWidget(m_title, 0, Qt::AlignHCenter);
    layout->addWidget(m_explanation, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    connect(&Theme::instance(), &Theme::changed, this, &EmptyState::restyle);
    restyle();
}

void EmptyState::setTexts(const QString& title, const QString& explanation) {
    m_title->setText(title);
    m_explanation->setText(explanation);
    setAccessibleName(title);
    setAccessibleDescription(explanation);
}

void EmptyState::restyle() {
    m_title->setFont(themeFont(TextStyle::Section));
    setTextColor(m_title, Token::Text);
    setTextColor(m_explanation, Token::Muted);
}

} // namespace gufo::ui
