#include "ui/pages/metadata/text_pane.h"

#include "messages/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace gufo::ui {

TextPane::TextPane(QWidget* parent)
    : QWidget(parent)
    , m_title(themedLabel({}, TextStyle::Mono, Token::Text, this))
    , m_subtitle(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_view(new TextView(this)) {
    setMinimumWidth(320);
    auto* copy = new QToolButton(this);
    auto* close = new QToolButton(this);
    copy->setIcon(themeIcon(QStringLiteral("copy")));
    close->setIcon(themeIcon(QStringLiteral("close")));
    copy->setToolTip(tr("Copy the whole value as it is"));
    close->setToolTip(tr("Close the text"));
    for (QToolButton* button : {copy, close}) {
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(button->toolTip());
    }
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_subtitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* titles = new QVBoxLayout;
    titles->setSpacing(1);
    titles->addWidget(m_title);
    titles->addWidget(m_subtitle);
    auto* heading = new QHBoxLayout;
    heading->setContentsMargins(14, 10, 10, 10);
    heading->addLayout(titles, 1);
    heading->addWidget(copy, 0, Qt::AlignTop);
    heading->addWidget(close, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(heading);
    layout->addWidget(m_view, 1);
    connect(copy, &QToolButton::clicked, this, &TextPane::copyRequested);
    connect(close, &QToolButton::clicked, this, &TextPane::closed);
}

void TextPane::setText(const QString& title, std::string_view bytes) {
    m_title->setText(title);
    m_title->setToolTip(plainToolTip(title));
    m_view->setAccessibleName(title);
    const std::size_t shown = m_view->setBytes(bytes);
    const QString size = tr("str, %1 bytes").arg(formatCount(bytes.size()));
    m_subtitle->setText(
        shown < bytes.size()
            ? tr("%1, the first %2 shown; copying takes all").arg(size, formatBytes(shown))
            : tr("%1, %2 lines").arg(size, formatCount(static_cast<std::uint64_t>(m_view->blockCount()))));
}

} // namespace gufo::ui
