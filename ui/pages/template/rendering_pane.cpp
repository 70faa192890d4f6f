#include "ui/pages/template/rendering_pane.h"

#include "text/conversation/format_derivation.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/template_text.h"
#include "ui/pages/template/editor_pane.h"
#include "ui/pages/template/template_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kGutterWidth = 72;
constexpr int kGutterMargin = 8;

// Explains the colours of the chips: control and user-defined tokens.
class ChipLegend : public QWidget {
public:
    explicit ChipLegend(QWidget* parent)
        : QWidget(parent) {
        setFont(themeFont(TextStyle::Axis));
        setAccessibleName(TemplatePage::tr("Colours: control and user-defined tokens"));
        connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    }
    [[nodiscard]] QSize sizeHint() const override {
        int width = kGap;
        for (const QString& text : texts()) {
            width += fontMetrics().horizontalAdvance(text) + 2 * kPadding;
        }
        return {width, fontMetrics().height() + 4};
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent*) override {
        if (width() < sizeHint().width()) {
            return;
        }
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        int x = 0;
        bool isControl = true;
        for (const QString& text : texts()) {
            const QRect chip(x, (height() - fontMetrics().height() - 2) / 2,
                             fontMetrics().horizontalAdvance(text) + 2 * kPadding, fontMetrics().height() + 2);
            painter.setPen(Qt::NoPen);
            painter.setBrush(themeColor(isControl ? Token::Selection : Token::UserDefinedChip));
            painter.drawRoundedRect(chip, 3, 3);
            painter.setPen(themeColor(isControl ? Token::Accent : Token::UserDefinedChipText));
            painter.drawText(chip, Qt::AlignCenter, text);
            x = chip.right() + 1 + kGap;
            isControl = false;
        }
    }

private:
    static constexpr int kPadding = 5;
    static constexpr int kGap = 8;
    static QStringList texts() { return {TemplatePage::tr("control"), TemplatePage::tr("user-defined")}; }
};

// The problems of a rendering, each once.
std::vector<text::TemplateProblem> problemsOf(const text::Rendering& rendering) {
    std::vector<text::TemplateProblem> problems;
    if (rendering.error) {
        problems.push_back(*rendering.error);
    }
    for (const text::TemplateProblem& problem : rendering.problems) {
        const bool known =
            !problems.empty() && problems.front().line == problem.line && problems.front().column == problem.column;
        if (known && problem.code == problems.front().code) {
            problems.front() = problem; // the same problem with a suggestion
        } else {
            problems.push_back(problem);
        }
    }
    return problems;
}

} // namespace

class RenderingView::Gutter : public QWidget {
public:
    explicit Gutter(RenderingView* view)
        : QWidget(view)
        , m_view(view) {}

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        m_view->paintGutter(painter);
    }

private:
    RenderingView* m_view;
};

RenderingView::RenderingView(QWidget* parent)
    : TokenEdit(parent)
    , m_gutter(new Gutter(this)) {
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setAccessibleName(tr("Rendering"));
    setWhitespaceShown(true);
    setViewportMargins(kGutterWidth, 0, 0, 0);
    connect(this, &QPlainTextEdit::updateRequest, m_gutter, qOverload<>(&QWidget::update));
    connect(&Theme::instance(), &Theme::changed, this, &RenderingView::restyle);
    restyle();
}

void RenderingView::restyle() {
    setFont(themeFont(TextStyle::Mono));
    m_gutter->update();
}

void RenderingView::setWhitespaceShown(bool shown) {
    QTextOption option = document()->defaultTextOption();
    option.setFlags(shown ? QTextOption::ShowTabsAndSpaces | QTextOption::ShowLineAndParagraphSeparators
                          : QTextOption::Flags());
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    document()->setDefaultTextOption(option);
}

void RenderingView::setRendering(const text::Rendering& rendering, const QStringList& roles) {
    const QString text = rendering.text.value_or(QString()).left(kMaxShown);
    m_labels.clear();
    // A template may iterate over the messages several times; the last iteration writes them.
    for (auto start = rendering.starts.rbegin(); start != rendering.starts.rend(); ++start) {
        const auto position = static_cast<int>(std::min(start->offset, text.size()));
        const QString role = roles.value(start->message);
        const bool known =
            std::ranges::any_of(m_labels, [&](const Label& label) { return label.position == position; });
        if (!known && position < text.size() && !role.isEmpty()) {
            m_labels.push_back({position, role});
        }
        if (start->message == 0) {
            break;
        }
    }
    std::ranges::reverse(m_labels);
    if (text == toPlainText()) {
        m_gutter->update();
        return;
    }
    const int scroll = verticalScrollBar()->value();
    setPlainText(text);
    verticalScrollBar()->setValue(scroll);
}

QStringList RenderingView::shownRoles() const {
    QStringList roles;
    for (const Label& label : m_labels) {
        roles.append(label.role);
    }
    return roles;
}

void RenderingView::resizeEvent(QResizeEvent* event) {
    TokenEdit::resizeEvent(event);
    placeGutter();
}

void RenderingView::placeGutter() {
    const QRect contents = contentsRect();
    m_gutter->setGeometry(contents.left(), contents.top(), kGutterWidth, contents.height());
}

void RenderingView::paintGutter(QPainter& painter) {
    painter.fillRect(m_gutter->rect(), themeColor(Token::Base));
    painter.fillRect(kGutterWidth - 1, 0, 1, m_gutter->height(), themeColor(Token::Line));
    painter.setFont(themeFont(TextStyle::Axis));
    painter.setPen(themeColor(Token::Muted));
    int last = -1000;
    for (const Label& label : m_labels) {
        const QTextBlock block = document()->findBlock(label.position);
        const QTextLine line = block.layout()->lineForTextPosition(label.position - block.position());
        if (!line.isValid()) {
            continue;
        }
        const int top = static_cast<int>(blockBoundingGeometry(block).translated(contentOffset()).top() + line.y());
        // If several messages begin on one line, only the first is named.
        if (top > m_gutter->height() || top - last < static_cast<int>(line.height())) {
            continue;
        }
        last = top;
        const QRect area(kGutterMargin, top, kGutterWidth - 2 * kGutterMargin, static_cast<int>(line.height()));
        painter.drawText(area, Qt::AlignRight | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(label.role, Qt::ElideRight, area.width()));
    }
}

RenderingPane::RenderingPane(QWidget* parent)
    : QWidget(parent)
    , m_tokenCount(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_outputAs(new SegmentedControl(TemplatePage::tr("Show the rendering as"), this))
    , m_whitespace(makeToolButton(QStringLiteral("list"), TemplatePage::tr("Show white space"), this))
    , m_stale(themedLabel({}, TextStyle::Table, Token::WarningText, this))
    , m_message(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_output(new RenderingView(this))
    , m_format(themedLabel({}, TextStyle::Table, Token::Muted, this)) {
    m_tokenCount->setObjectName(QStringLiteral("tokenCount"));
    m_stale->setObjectName(QStringLiteral("stale"));
    auto* header = new ToolStrip(this);
    header->setFixedHeight(kTemplateHeaderHeight);
    m_outputAs->addSegment(TemplatePage::tr("Text"), {}, TemplatePage::tr("Special tokens are marked"));
    m_outputAs->addSegment(TemplatePage::tr("Tokens"), {}, TemplatePage::tr("All tokens are marked"));
    m_outputAs->setEnabled(false);
    m_output->setOnlySpecials(true);
    m_output->setWhitespaceShown(false);
    m_whitespace->setCheckable(true);
    auto* line = static_cast<QHBoxLayout*>(header->layout());
    line->addWidget(themedLabel(TemplatePage::tr("Rendering"), TextStyle::Section, Token::Text, header));
    line->addWidget(m_tokenCount);
    line->addStretch(1);
    line->addWidget(new ChipLegend(header));
    line->addWidget(m_whitespace);
    line->addWidget(m_outputAs);
    m_stale->setWordWrap(true);
    m_stale->setAutoFillBackground(true);
    m_stale->setBackgroundRole(QPalette::AlternateBase);
    m_stale->setContentsMargins(12, 5, 12, 5);
    m_stale->hide();
    m_message->setContentsMargins(12, 5, 12, 5);
    m_message->hide();
    m_format->setWordWrap(true);
    m_format->setAccessibleName(TemplatePage::tr("How answers are written"));
    auto* format = new QHBoxLayout;
    format->setContentsMargins(12, 0, 12, 0);
    format->addWidget(m_format, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(header);
    layout->addWidget(m_stale);
    layout->addWidget(m_output, 1);
    layout->addWidget(m_message);
    auto* footer = new QWidget(this);
    footer->setFixedHeight(kProblemStripHeight);
    footer->setLayout(format);
    layout->addWidget(footer);
    connect(m_outputAs, &SegmentedControl::chosen, this, [this](int as) { m_output->setOnlySpecials(as == 0); });
    connect(m_whitespace, &QAbstractButton::toggled, m_output, &RenderingView::setWhitespaceShown);
    connect(&Theme::instance(), &Theme::changed, this, &RenderingPane::restyle,
            Qt::QueuedConnection); // after the label's own update
    restyle();
}

RenderingPane::~RenderingPane() {
    destroyElsewhere(std::move(m_renderer)); // the renderer waits for the exit of its helper
}

void RenderingPane::restyle() {
    QPalette colors = m_stale->palette();
    colors.setColor(m_stale->backgroundRole(), themeColor(Token::WarningFill));
    m_stale->setPalette(colors);
}

void RenderingPane::setTokenizer(std::shared_ptr<const text::Tokenizer> tokenizer) {
    m_tokenizer = std::move(tokenizer);
    m_output->setTokenizer(m_tokenizer);
    m_outputAs->setEnabled(m_tokenizer != nullptr);
}

void RenderingPane::render(text::RenderRequest request, const QStringList& roles) {
    const QString source = request.source;
    m_rendering.start<text::Rendering>(
        [renderer = m_renderer, request = std::move(request)](const JobContext& job) -> Result<text::Rendering> {
            text::Rendering rendering = renderer->render(request, job.stop);
            renderer->warmUp(); // the template may have ended the helper
            return rendering;
        },
        [this, source, roles](const Result<text::Rendering>& rendering) { show(*rendering, source, roles); });
}

void RenderingPane::forgetRendering() {
    m_stale->hide();
    m_isShown = false;
    m_source.clear();
    showFormat(nullptr, {});
}

void RenderingPane::showFormat(std::shared_ptr<const Model> model, const QString& source) {
    m_deriving.cancel();
    if (model == nullptr || source.isEmpty()) {
        m_format->setText({});
        m_format->setToolTip({});
        return;
    }
    using Format = std::shared_ptr<const text::AnswerFormat>;
    m_deriving.start<Format>(
        [renderer = m_renderer, model = std::move(model), source](const JobContext& job) -> Result<Format> {
            return text::answerFormatOf(model->metadata, source.toStdString(), *renderer, job.stop);
        },
        [this](const Result<Format>& format) {
            if (format && *format != nullptr) {
                m_format->setText(answerFormatText(**format));
                m_format->setToolTip(plainToolTip(answerFormatDetails(**format)));
                emit formatShown();
            }
        });
}

// Says why the rendering is an old one: only the conversation has changed since then, or the template.
QString RenderingPane::staleText(const text::Rendering& rendering, const QString& source) const {
    if (!rendering.error) {
        return TemplatePage::tr("Last rendering: the conversation is not valid JSON.");
    }
    if (!m_isShown) {
        return TemplatePage::tr("Nothing has been rendered yet.");
    }
    if (source == m_source) {
        return TemplatePage::tr("Last rendering, before the conversation was changed.");
    }
    return rendering.error->line > 0
               ? TemplatePage::tr("Last working version, before line %1 was changed.").arg(rendering.error->line)
               : TemplatePage::tr("Last working version.");
}

void RenderingPane::show(const text::Rendering& rendering, const QString& source, const QStringList& roles) {
    if (rendering.text) {
        m_source = source;
        m_isShown = true;
        m_milliseconds = rendering.milliseconds;
        m_stale->hide();
        m_output->setRendering(rendering, roles);
        m_message->setVisible(rendering.text->size() > RenderingView::kMaxShown);
        m_message->setText(TemplatePage::tr("Only the first %n of %1 characters are shown.", nullptr,
                                            numerus(RenderingView::kMaxShown))
                               .arg(formatCount(static_cast<std::uint64_t>(rendering.text->size()))));
        tokenize(*rendering.text);
    } else {
        m_stale->setText(staleText(rendering, source));
        m_stale->show();
        m_message->hide();
    }
    emit rendered(problemsOf(rendering));
}

void RenderingPane::tokenize(const QString& text) {
    if (m_tokenizer == nullptr) {
        m_tokenCount->clear();
        return;
    }
    const text::EncodeOptions options{.addBos = false, .addEos = false, .parseSpecial = true};
    m_tokenizing.start<TokenizedText>(
        [tokenizer = m_tokenizer, text, options](const JobContext& job) {
            return tokenizeText(*tokenizer, text, options, job);
        },
        [this](Result<TokenizedText> tokens) {
            if (!tokens) {
                m_tokenCount->clear();
                return;
            }
            const std::size_t count = tokens->ids.size();
            m_tokenCount->setText(TemplatePage::tr("%n tokens", nullptr, numerus(count)));
            m_output->setTokens(std::make_shared<const TokenizedText>(std::move(*tokens)));
            emit tokenized();
        });
}

} // namespace gufo::ui

#include "moc_rendering_pane.cpp"
