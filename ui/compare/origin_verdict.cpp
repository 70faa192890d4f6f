#include "ui/compare/origin_verdict.h"

#include "ui/messages/error_text.h"
#include "ui/report/comparison_report.h"
#include "ui/theme/style_shapes.h"
#include "ui/widgets/text_color.h"

#include <QGridLayout>
#include <QPainter>

namespace gufo::ui {
namespace {

constexpr int kIconLeft = 14;
constexpr int kIcon = 16;
constexpr int kTextLeft = 40;

} // namespace

OriginVerdict::OriginVerdict(Comparison& comparison, QWidget* parent)
    : QWidget(parent)
    , m_comparison(comparison)
    , m_verdict(themedLabel({}, TextStyle::Section, Token::Text, this))
    , m_details(themedLabel({}, TextStyle::Table, Token::Text, this))
    , m_more(new QToolButton(this)) {
    m_verdict->setAccessibleName(tr("Verdict"));
    m_details->setAccessibleName(tr("What the verdict is based on"));
    for (QLabel* label : {m_verdict, m_details}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        label->setWordWrap(true);
        label->setMinimumWidth(80);
    }
    m_more->setText(tr("Details"));
    m_more->setCheckable(true);
    m_more->setChecked(true);
    m_more->setAutoRaise(true);
    connect(m_more, &QToolButton::toggled, m_details, &QLabel::setVisible);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(kTextLeft, 6, 12, 7);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(0, 1);
    grid->addWidget(m_verdict, 0, 0);
    grid->addWidget(m_more, 0, 1, Qt::AlignTop);
    grid->addWidget(m_details, 1, 0, 1, 2);
    hide();
    connect(&comparison, &Comparison::proved, this, &OriginVerdict::refresh);
    connect(&comparison, &Comparison::matched, this, &OriginVerdict::refresh);
    connect(&comparison, &Comparison::filesChanged, this, &OriginVerdict::refresh);
}

void OriginVerdict::refresh() {
    const std::optional<bool> same = m_comparison.isOfOrigin();
    const auto& error = m_comparison.originError();
    const QStringList exchanged = exchangedLines();
    if (!same && !error && exchanged.isEmpty()) {
        hide();
        return;
    }
    m_good = same.value_or(false);
    m_verdict->setText(same    ? m_comparison.verdictText()
                       : error ? tr("The folder cannot be converted, so names are compared as they are.")
                               : tr("Some tensors have the weights of other tensors."));
    m_details->setText(same    ? m_comparison.verdictDetails().join(u'\n')
                       : error ? errorLine(*error)
                               : exchanged.join(u'\n'));
    m_details->setVisible(m_more->isChecked() && !m_details->text().isEmpty());
    setAccessibleName(m_verdict->text());
    show();
    update();
}

QStringList OriginVerdict::exchangedLines() const {
    QStringList lines;
    for (std::size_t file = 0; file < m_comparison.files().size() && !m_comparison.exchanged().empty(); ++file) {
        const QString line = exchangedText(*m_comparison.matches(), m_comparison.exchanged(), file);
        if (!line.isEmpty()) {
            lines << QStringLiteral("%1: %2").arg(m_comparison.files()[file].label, line);
        }
    }
    return lines;
}

void OriginVerdict::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), themeColor(m_good ? Token::ChangedRow : Token::WarningFill));
    drawIcon(&painter, QRect(kIconLeft, m_verdict->y() + (m_verdict->height() - kIcon) / 2, kIcon, kIcon),
             m_good ? QStringLiteral("check") : QStringLiteral("warning"), m_good ? Token::Accent : Token::WarningMark,
             kIcon);
    painter.setPen(themeColor(Token::Line));
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

} // namespace gufo::ui

#include "moc_origin_verdict.cpp"
