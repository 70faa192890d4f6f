#include "ui/pages/run/folded_group.h"

#include "ui/theme/style.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>

namespace gufo::ui {
namespace {

constexpr int kRowSpacing = 6;

} // namespace

FoldedGroup::FoldedGroup(const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_head(new QToolButton(this))
    , m_note(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_body(new QWidget(this)) {
    m_head->setText(title);
    m_head->setAutoRaise(true);
    m_head->setCheckable(true);
    m_head->setProperty(kFoldProperty, true);
    m_head->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_head->setIconSize({12, 12});
    m_head->setFont(themeFont(TextStyle::Table));
    m_head->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_content = new QVBoxLayout(m_body);
    m_content->setContentsMargins(0, 4, 0, 6);
    m_content->setSpacing(kRowSpacing);
    auto* head = new QHBoxLayout;
    head->addWidget(m_head);
    head->addStretch();
    head->addWidget(m_note);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_body);
    const auto fold = [this](bool open) {
        m_body->setVisible(open);
        m_head->setIcon(
            themeIcon(open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), Token::Muted));
    };
    connect(m_head, &QToolButton::toggled, this, fold);
    fold(false);
}

void FoldedGroup::setNote(const QString& note, Token token) {
    m_note->setText(note);
    setTextColor(m_note, token);
}

} // namespace gufo::ui

#include "moc_folded_group.cpp"
