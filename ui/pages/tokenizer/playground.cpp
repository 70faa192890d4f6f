#include "ui/pages/tokenizer/playground.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/folded_buttons.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QShortcut>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kMargin = 4;
constexpr int kGap = 3;
constexpr int kPadding = 5;
constexpr int kMaxCharacters = 40; // of a box
constexpr int kRows = 3;           // of the size hint
constexpr int kRadius = 3;
constexpr int kTint = 52; // of 255

constexpr int kSlowMs = 200;

} // namespace

TokenFlow::TokenFlow(QWidget* parent)
    : QAbstractScrollArea(parent) {
    setAccessibleName(tr("Tokens with their ids"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setAutoFillBackground(true);
    connect(&Theme::instance(), &Theme::changed, this, [this] { arrange(); });
}

void TokenFlow::setTokens(std::shared_ptr<const text::Tokenizer> tokenizer,
                          std::shared_ptr<const TokenizedText> tokens) {
    m_tokenizer = std::move(tokenizer);
    m_tokens = std::move(tokens);
    arrange();
}

QString TokenFlow::textOf(std::size_t token) const {
    const QString text = displayText(m_tokenizer->vocabulary().text(m_tokens->ids[token]));
    return text.size() <= kMaxCharacters ? text : text.left(kMaxCharacters - 1) + QChar(0x2026);
}

int TokenFlow::boxHeight() const {
    return QFontMetrics(themeFont(TextStyle::Mono)).height() + QFontMetrics(themeFont(TextStyle::Axis)).height() + 2;
}

QSize TokenFlow::sizeHint() const {
    return {320, 2 * kMargin + kRows * boxHeight() + (kRows - 1) * kGap + 2 * frameWidth()};
}

void TokenFlow::arrange() {
    m_boxes.clear();
    if (m_tokenizer != nullptr && m_tokens != nullptr) {
        const QFontMetrics text(themeFont(TextStyle::Mono));
        const QFontMetrics id(themeFont(TextStyle::Axis));
        const int width = viewport()->width() - kMargin;
        QPoint at(kMargin, kMargin);
        m_boxes.reserve(m_tokens->ids.size());
        for (std::size_t i = 0; i < m_tokens->ids.size(); ++i) {
            const int needed = std::max(text.horizontalAdvance(textOf(i)),
                                        id.horizontalAdvance(QString::number(m_tokens->ids[i].value))) +
                               2 * kPadding;
            const int wide = std::min(needed, std::max(width - kMargin, 1));
            if (at.x() + wide > width && at.x() > kMargin) {
                at = {kMargin, at.y() + boxHeight() + kGap};
            }
            m_boxes.emplace_back(at, QSize(wide, boxHeight()));
            at.rx() += wide + kGap;
        }
    }
    const int height = m_boxes.empty() ? 0 : m_boxes.back().bottom() + kMargin;
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(boxHeight() + kGap);
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    viewport()->update();
}

QRect TokenFlow::placeOf(std::size_t token) const {
    return token < m_boxes.size() ? m_boxes[token].translated(0, -verticalScrollBar()->value()) : QRect();
}

std::optional<std::size_t> TokenFlow::tokenAt(QPoint point) const {
    const QPoint place = point + QPoint(0, verticalScrollBar()->value());
    const auto row = std::ranges::partition_point(m_boxes, [&](const QRect& box) { return box.bottom() < place.y(); });
    for (auto box = row; box != m_boxes.end() && box->top() <= place.y(); ++box) {
        if (box->contains(place)) {
            return static_cast<std::size_t>(box - m_boxes.begin());
        }
    }
    return std::nullopt;
}

void TokenFlow::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    const int top = event->rect().top() + verticalScrollBar()->value();
    auto box = std::ranges::partition_point(m_boxes, [&](const QRect& each) { return each.bottom() < top; });
    for (; box != m_boxes.end(); ++box) {
        const auto token = static_cast<std::size_t>(box - m_boxes.begin());
        const QRect place = placeOf(token);
        if (place.top() > event->rect().bottom()) {
            break;
        }
        QColor fill = seriesColor(token % 2 == 0 ? 0 : 1); // as the text above it is tinted
        fill.setAlpha(kTint);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(place, kRadius, kRadius);
        const QRect inside = place.adjusted(kPadding, 1, -kPadding, -1);
        painter.setFont(themeFont(TextStyle::Mono));
        painter.setPen(themeColor(Token::Text));
        painter.drawText(inside, Qt::AlignHCenter | Qt::AlignTop | Qt::TextSingleLine,
                         painter.fontMetrics().elidedText(textOf(token), Qt::ElideRight, inside.width()));
        painter.setFont(themeFont(TextStyle::Axis));
        painter.setPen(themeColor(Token::Muted));
        painter.drawText(inside, Qt::AlignHCenter | Qt::AlignBottom | Qt::TextSingleLine,
                         QString::number(m_tokens->ids[token].value));
    }
}

void TokenFlow::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    arrange();
}

void TokenFlow::mouseReleaseEvent(QMouseEvent* event) {
    if (const auto token = tokenAt(event->pos()); token && event->button() == Qt::LeftButton) {
        emit tokenClicked(m_tokens->ids[*token].value);
    }
}

bool TokenFlow::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto token = tokenAt(help->pos())) {
            const TokenId id = m_tokens->ids[*token];
            QToolTip::showText(
                help->globalPos(),
                plainToolTip(
                    tr("%1  id %2").arg(displayText(m_tokenizer->vocabulary().text(id)), formatCount(id.value))),
                this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

Playground::Playground(QWidget* parent)
    : QWidget(parent)
    , m_edit(new TokenEdit(this))
    , m_special(new QCheckBox(tr("Special tokens"), this))
    , m_bos(new QCheckBox(tr("BOS"), this))
    , m_eos(new QCheckBox(tr("EOS"), this))
    , m_ids(new QCheckBox(tr("Ids"), this))
    , m_flow(new TokenFlow(this))
    , m_copy(new QPushButton(tr("Copy ids"), this))
    , m_stop(new QPushButton(tr("Stop"), this))
    , m_counts(new QLabel(this))
    , m_cursor(new QLabel(this))
    , m_problem(new QLabel(this)) {
    m_ids->setObjectName(QStringLiteral("idsBox"));
    m_edit->setPlaceholderText(tr("Type or paste a text to see its tokens"));
    m_edit->setAccessibleName(tr("Text to tokenize"));
    m_edit->setToolTip({});
    m_special->setToolTip(tr("Text such as <s> stands for the control token of that name"));
    m_bos->setToolTip(tr("Add the beginning-of-text token"));
    m_eos->setToolTip(tr("Add the end-of-text token"));
    m_ids->setToolTip(tr("Show the tokens with their ids below the text"));
    m_flow->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_flow->hide();
    m_copy->setToolTip(tr("Copy the ids of all tokens, separated by spaces"));
    m_counts->setAccessibleName(tr("Number of tokens"));
    m_cursor->setAccessibleName(tr("Token at the cursor"));
    m_cursor->setTextFormat(Qt::PlainText);
    m_cursor->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->hide();
    m_stop->hide();
    for (QPushButton* button : {m_copy, m_stop}) {
        button->setProperty("small", true);
    }
    for (QWidget* widget : std::initializer_list<QWidget*>{m_special, m_bos, m_eos, m_ids, m_copy, m_stop, m_counts,
                                                           m_cursor, m_problem}) {
        widget->setFont(themeFont(TextStyle::Table));
    }
    auto* strip = new QWidget(this);
    auto* options = new QHBoxLayout(strip);
    options->setContentsMargins(0, 0, 0, 0);
    options->setSpacing(16);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_special, m_bos, m_eos}) {
        options->addWidget(widget);
        widget->setEnabled(false);
    }
    options->addWidget(m_ids);
    options->addStretch(1);
    options->addWidget(m_counts);
    options->addWidget(m_stop);
    options->addWidget(m_copy);
    new FoldedButtons(strip, {m_ids, m_copy});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(6);
    layout->addWidget(strip);
    layout->addWidget(m_problem);
    layout->addWidget(m_edit, 1);
    layout->addWidget(m_flow, 1);
    layout->addWidget(m_cursor);

    m_slow.setSingleShot(true);
    m_slow.setInterval(kSlowMs);
    connect(&m_slow, &QTimer::timeout, m_stop, &QWidget::show);
    connect(m_edit, &QPlainTextEdit::textChanged, this, &Playground::encode);
    connect(m_edit, &QPlainTextEdit::cursorPositionChanged, this, &Playground::showCursor);
    connect(m_edit, &TokenEdit::tokenClicked, this, &Playground::tokenRequested);
    connect(m_edit, &TokenEdit::textCut, this, [this] {
        showProblem(tr("Only the first %n characters fit here; gufo-cli tokenize takes texts of any length.", nullptr,
                       numerus(TokenEdit::kMaxCharacters)),
                    Token::WarningText);
    });
    for (QCheckBox* box : {m_special, m_bos, m_eos}) {
        connect(box, &QCheckBox::toggled, this, &Playground::encode);
    }
    connect(m_ids, &QCheckBox::toggled, m_flow, &QWidget::setVisible);
    connect(m_flow, &TokenFlow::tokenClicked, this, &Playground::tokenRequested);
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(idText()); });
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_encoding.cancel();
        m_slow.stop();
        m_stop->hide();
        showProblem(tr("Stopped: the colours belong to an earlier text."), Token::WarningText);
    });
    auto* follow = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return), m_edit);
    follow->setContext(Qt::WidgetShortcut);
    connect(follow, &QShortcut::activated, this, [this] {
        if (const auto id = m_edit->tokenAt(m_edit->textCursor().position())) {
            emit tokenRequested(id->value);
        }
    });
    showCounts();
}

void Playground::setModel(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    m_tokenizer = nullptr;
    m_tokens = nullptr;
    m_edit->setTokenizer(nullptr);
    m_flow->setTokens(nullptr, nullptr);
    m_making.cancel();
    m_encoding.cancel();
    showCounts();
}

void Playground::activate() {
    if (m_model == nullptr || m_tokenizer != nullptr || m_making.isRunning()) {
        return;
    }
    m_making.start<std::shared_ptr<const text::Tokenizer>>(
        [model = m_model](const JobContext& job) { return text::makeTokenizer(*model, job); },
        [this](Result<std::shared_ptr<const text::Tokenizer>> tokenizer) { prepared(std::move(tokenizer)); });
}

void Playground::prepared(Result<std::shared_ptr<const text::Tokenizer>> tokenizer) {
    if (!tokenizer) {
        m_edit->setEnabled(false);
        Error error = std::move(tokenizer.error());
        error.file.clear(); // the page shows only one file
        showProblem(tr("No text can be tokenized: %1").arg(errorLine(error)), Token::ErrorText);
        emit ready();
        return;
    }
    m_tokenizer = std::move(*tokenizer);
    m_edit->setEnabled(true);
    m_edit->setTokenizer(m_tokenizer);
    m_problem->hide();
    QStringList problems;
    for (const Finding& finding : m_tokenizer->findings()) {
        problems << findingTitle(finding) + QStringLiteral(": ") + findingMessage(finding);
    }
    if (!problems.isEmpty()) {
        showProblem(problems.join(u'\n'), Token::WarningText);
    }
    const text::SpecialTokens& specials = m_tokenizer->specials();
    const auto set = [](QCheckBox* box, bool there, bool checked) {
        const QSignalBlocker quiet(box);
        box->setEnabled(there);
        box->setChecked(there && checked);
    };
    set(m_special, true, m_special->isChecked());
    set(m_bos, specials.bos.has_value(), m_tokenizer->addsBos());
    set(m_eos, specials.eos.has_value() || specials.separator.has_value(), m_tokenizer->addsEos());
    encode();
    emit ready();
}

void Playground::encode() {
    if (m_tokenizer == nullptr) {
        return;
    }
    m_encoding.cancel();
    m_slow.start();
    const text::EncodeOptions options{
        .addBos = m_bos->isChecked(), .addEos = m_eos->isChecked(), .parseSpecial = m_special->isChecked()};
    m_encoding.start<TokenizedText>(
        [tokenizer = m_tokenizer, characters = m_edit->toPlainText(), options](const JobContext& job) {
            return tokenizeText(*tokenizer, characters, options, job);
        },
        [this](Result<TokenizedText> tokens) {
            m_slow.stop();
            m_stop->hide();
            if (!tokens) {
                showProblem(errorLine(tokens.error()), Token::ErrorText);
                return;
            }
            m_tokens = std::make_shared<const TokenizedText>(std::move(*tokens));
            m_edit->setTokens(m_tokens);
            m_flow->setTokens(m_tokenizer, m_tokens);
            showCounts();
            showCursor();
            emit encoded();
        });
}

void Playground::showCounts() {
    m_copy->setEnabled(m_tokens != nullptr && !m_tokens->ids.empty());
    if (m_tokens == nullptr) {
        m_counts->clear();
        return;
    }
    const auto tokens = m_tokens->ids.size();
    QStringList parts{tr("%n tokens", nullptr, numerus(tokens)),
                      tr("%1 bytes", nullptr, numerus(m_tokens->bytes)).arg(formatCount(m_tokens->bytes))};
    if (tokens != 0 && m_tokens->bytes != 0) {
        parts << tr("%1 bytes/token")
                     .arg(formatReal(static_cast<double>(m_tokens->bytes) / static_cast<double>(tokens), 3));
    }
    m_counts->setText(parts.join(QStringLiteral(" · ")));
}

void Playground::showCursor() {
    const QString text = m_edit->describe(m_edit->textCursor().position());
    m_cursor->setText(text.section(u'\n', 0, 0));
    m_cursor->setToolTip(text.contains(u'\n') ? text.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"))
                                              : QString());
}

void Playground::showProblem(const QString& text, Token token) {
    QPalette palette = m_problem->palette();
    palette.setColor(QPalette::WindowText, themeColor(token));
    m_problem->setPalette(palette);
    m_problem->setText(text);
    m_problem->show();
}

QString Playground::idText() const {
    QString text;
    if (m_tokens != nullptr) {
        for (const TokenId id : m_tokens->ids) {
            text += (text.isEmpty() ? QString() : QStringLiteral(" ")) + QString::number(id.value);
        }
    }
    return text;
}

QJsonObject Playground::saveState() const {
    return {{QStringLiteral("text"), m_edit->toPlainText()},
            {QStringLiteral("special"), m_special->isChecked()},
            {QStringLiteral("ids"), m_ids->isChecked()}};
}

void Playground::restoreState(const QJsonObject& state) {
    m_special->setChecked(state.value(QStringLiteral("special")).toBool());
    m_ids->setChecked(state.value(QStringLiteral("ids")).toBool());
    m_edit->setPlainText(state.value(QStringLiteral("text")).toString().left(TokenEdit::kMaxCharacters));
}

} // namespace gufo::ui

#include "moc_playground.cpp"
