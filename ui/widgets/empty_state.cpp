#include "ui/widgets/empty_state.h"

#include "ui/theme/theme.h"
#include "ui/widgets/text_color.h"

#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kTextWidth = 460;
constexpr int kMinMargin = 12;

} // namespace

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_explanation(new QLabel(this)) {
    m_title->setAlignment(Qt::AlignCenter);
    m_explanation->setAlignment(Qt::AlignCenter);
    m_explanation->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(8);
    layout->addStretch(2);
    layout->addWidget(m_title, 0, Qt::AlignHCenter);
    layout->addWidget(m_explanation);
    layout->addStretch(3);
    connect(&Theme::instance(), &Theme::changed, this, &EmptyState::restyle);
    restyle();
}

// The margins limit the explanation to a readable width: an aligned or width-bounded label that wraps would get a
// height computed for a different width.
void EmptyState::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int side = std::max(kMinMargin, (width() - kTextWidth) / 2);
    layout()->setContentsMargins(side, kMinMargin, side, kMinMargin);
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

#include "moc_empty_state.cpp"
