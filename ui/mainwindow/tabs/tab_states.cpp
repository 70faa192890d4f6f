#include "ui/mainwindow/tabs/tab_states.h"

#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/places.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kQuietMs = 200;
constexpr int kColumnWidth = 560;

// Places the content slightly above the centre of the tab.
QVBoxLayout* centredColumn(QWidget* parent, QWidget* content, int width) {
    content->setFixedWidth(width);
    // A horizontal layout instead of an alignment: with one, QVBoxLayout would compute the height of wrapped text for
    // the width of the tab.
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(content);
    row->addStretch(1);
    auto* outer = new QVBoxLayout(parent);
    outer->addStretch(2);
    outer->addLayout(row);
    outer->addStretch(3);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    return column;
}

void setBaseBackground(QWidget* widget) {
    widget->setAutoFillBackground(true);
    widget->setBackgroundRole(QPalette::Base);
}

class MutedLabel : public QLabel {
public:
    MutedLabel(TextStyle style, Token token, QWidget* parent)
        : QLabel(parent) {
        setFont(themeFont(style));
        setTextFormat(Qt::PlainText); // file names and keys could contain HTML
        setWordWrap(true);
        setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        setFocusPolicy(Qt::NoFocus);
        const auto recolour = [this, token] {
            QPalette coloured = palette();
            coloured.setColor(QPalette::WindowText, themeColor(token));
            coloured.setColor(QPalette::Text, themeColor(token)); // the palette's colour for selectable text
            setPalette(coloured);
        };
        recolour();
        connect(&Theme::instance(), &Theme::changed, this, recolour);
    }
};

} // namespace

OpeningView::OpeningView(const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_content(new QWidget(this))
    , m_bar(new QProgressBar(m_content)) {
    setBaseBackground(this);
    QVBoxLayout* column = centredColumn(this, m_content, 320);
    auto* label = new MutedLabel(TextStyle::Body, Token::Muted, m_content);
    label->setText(tr("Opening %1…").arg(name));
    label->setAlignment(Qt::AlignHCenter);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(4);
    m_bar->setRange(0, 0);
    m_bar->setAccessibleName(tr("Progress of opening"));
    auto* cancel = new QPushButton(tr("Cancel"), m_content);
    connect(cancel, &QPushButton::clicked, this, &OpeningView::cancelRequested);
    column->addWidget(label);
    column->addWidget(m_bar);
    column->addSpacing(4);
    column->addWidget(cancel, 0, Qt::AlignHCenter);
    m_content->hide();
}

void OpeningView::start() {
    m_bar->setRange(0, 0);
    m_content->hide();
    QTimer::singleShot(kQuietMs, m_content, &QWidget::show);
}

void OpeningView::setProgress(quint64 done, quint64 total) {
    constexpr int kSteps = 1000;
    m_bar->setRange(0, total == 0 ? 0 : kSteps);
    if (total > 0) {
        m_bar->setValue(
            static_cast<int>(static_cast<double>(std::min(done, total)) / static_cast<double>(total) * kSteps));
    }
}

ErrorView::ErrorView(QWidget* parent)
    : QWidget(parent) {
    setBaseBackground(this);
    auto* content = new QWidget(this);
    QVBoxLayout* column = centredColumn(this, content, kColumnWidth);
    auto* icon = new QLabel(content);
    const auto redraw = [icon] {
        icon->setPixmap(
            themeIcon(QStringLiteral("error"), Token::ErrorText).pixmap({32, 32}, icon->devicePixelRatio()));
    };
    redraw();
    connect(&Theme::instance(), &Theme::changed, icon, redraw);
    m_title = new MutedLabel(TextStyle::PageTitle, Token::Text, content);
    m_path = new MutedLabel(TextStyle::Mono, Token::Muted, content);
    m_reason = new MutedLabel(TextStyle::Body, Token::Text, content);
    m_place = new MutedLabel(TextStyle::Mono, Token::Muted, content);
    m_hint = new MutedLabel(TextStyle::Body, Token::Muted, content);
    m_retry = new QPushButton(tr("Retry"), content);
    m_retry->setIcon(themeIcon(QStringLiteral("reload"), Token::OnAccent));
    m_retry->setProperty("primary", true);
    m_recover = new QPushButton(tr("Recover this copy"), content);
    m_recover->setProperty("primary", true);
    m_bytes = new QPushButton(tr("Show bytes"), content);
    m_bytes->setToolTip(tr("Shows the file in hexadecimal, up to where it can be understood"));
    auto* close = new QPushButton(tr("Close tab"), content);
    connect(m_bytes, &QPushButton::clicked, this, [this] { emit bytesRequested(m_offset); });
    connect(m_recover, &QPushButton::clicked, this, &ErrorView::recoveryRequested);
    connect(m_retry, &QPushButton::clicked, this, &ErrorView::retryRequested);
    connect(close, &QPushButton::clicked, this, &ErrorView::closeRequested);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_retry);
    buttons->addWidget(m_recover);
    buttons->addWidget(m_bytes);
    buttons->addWidget(close);
    buttons->addStretch(1);
    column->addWidget(icon);
    column->addWidget(m_title);
    column->addWidget(m_path);
    column->addSpacing(8);
    column->addWidget(m_reason);
    column->addWidget(m_place);
    column->addWidget(m_hint);
    column->addSpacing(12);
    column->addLayout(buttons);
}

void ErrorView::setError(const Error& error, const hub::ModelPlace& place) {
    m_title->setText(place.isRepository() ? tr("This repository cannot be listed") : tr("This file cannot be opened"));
    m_path->setText(pathText(place));
    QString reason = errorReason(error);
    if (!reason.isEmpty()) {
        reason[0] = reason[0].toUpper();
    }
    m_reason->setText(reason + QLatin1Char('.'));
    QString where = placeText(error.place);
    if (!place.isLocal() && !error.file.empty() && error.file != place.keptText()) { // such as the target of a redirect
        where = displayText(error.file.native()) + (where.isEmpty() ? QString() : QStringLiteral(": ") + where);
    }
    m_place->setText(where);
    m_place->setVisible(!where.isEmpty());
    const QString hint = errorHint(error);
    m_hint->setText(hint);
    m_hint->setVisible(!hint.isEmpty());
    m_offset = error.place.offset.value_or(0);
    m_bytes->setVisible(place.isLocal() && error.code != ErrorCode::FileNotFound && error.code != ErrorCode::EmptyFile);
    const bool moved = isMovedCopy(error);
    m_recover->setVisible(moved);
    m_retry->setVisible(!moved);
    setAccessibleName(text());
}

QString ErrorView::text() const {
    QStringList lines;
    for (const QLabel* label : {m_title, m_path, m_reason, m_place, m_hint}) {
        if (!label->text().isEmpty()) {
            lines << label->text();
        }
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace gufo::ui

#include "moc_tab_states.cpp"
