// The layout of the Template page.
#include "text/template/chat_templates.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/template/template_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/pending_input.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_button.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QShortcut>

#include <algorithm>
#include <memory>

namespace gufo::ui {
namespace {

using namespace std::chrono_literals;

constexpr int kHeaderHeight = 33;
constexpr int kMinPane = 380;
constexpr int kPanelHeight = 236;

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

} // namespace

// What is typed into the editor, which is always valid.
class TemplatePage::Input : public PendingInput {
public:
    explicit Input(TemplatePage* page)
        : PendingInput(page->m_editor)
        , m_page(page) {}

    [[nodiscard]] bool isPending() const override { return m_page->m_typed; }
    [[nodiscard]] QString problem() const override { return {}; }
    bool commit() override {
        m_page->commit();
        return true;
    }
    void discard() override { m_page->showText(); }

protected:
    [[nodiscard]] QWidget* field() const override { return m_page->m_editor; }
    void showProblem() override {}

private:
    TemplatePage* m_page;
};

TemplatePage::TemplatePage(QWidget* parent)
    : Page(parent)
    , m_names(new QComboBox(this))
    , m_addName(makeToolButton(QStringLiteral("plus"), tr("Add a template"), this))
    , m_undo(makeToolButton(QStringLiteral("undo"), tr("Undo"), this))
    , m_redo(makeToolButton(QStringLiteral("redo"), tr("Redo"), this))
    , m_search(new FilterField(tr("Search"), this))
    , m_view(new SegmentedControl(tr("View"), this))
    , m_more(makeToolButton(QStringLiteral("more"), tr("More"), this))
    , m_reset(new QPushButton(tr("Reset"), this))
    , m_chat(new QPushButton(tr("Chat with draft"), this))
    , m_tools(makeToolBar())
    , m_content(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_addFirst(new QPushButton(tr("Add a template"), this))
    , m_vertical(new QSplitter(Qt::Vertical, m_content))
    , m_horizontal(new QSplitter(Qt::Horizontal, m_vertical))
    , m_keyLabel(new ElidedLabel(TextStyle::Mono, Token::Text, Qt::ElideMiddle, this))
    , m_counts(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_errors(themedLabel({}, TextStyle::Table, Token::ErrorText, this))
    , m_editors(new QStackedWidget(this))
    , m_editor(new TemplateEditor(m_editors))
    , m_diff(new TemplateDiffView(m_editors))
    , m_strip(new ProblemStrip(this))
    , m_tokenCount(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_outputAs(new SegmentedControl(tr("Show the rendering as"), this))
    , m_whitespace(makeToolButton(QStringLiteral("list"), tr("Show white space"), this))
    , m_stale(themedLabel({}, TextStyle::Table, Token::WarningText, this))
    , m_message(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_output(new RenderingView(this))
    , m_panel(new ConversationPanel(m_vertical)) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_horizontal->addWidget(makeEditorPane());
    m_horizontal->addWidget(makeOutputPane());
    m_horizontal->setChildrenCollapsible(false);
    m_horizontal->setStretchFactor(0, 58);
    m_horizontal->setStretchFactor(1, 42);
    m_horizontal->setSizes({580, 420});
    m_vertical->addWidget(m_horizontal);
    m_vertical->addWidget(m_panel);
    m_vertical->setChildrenCollapsible(false);
    m_vertical->setStretchFactor(0, 1);
    m_vertical->setStretchFactor(1, 0);
    m_vertical->setSizes({560, kPanelHeight});
    m_content->addWidget(m_vertical);
    auto* empty = new QWidget(m_content);
    auto* emptyLayout = new QVBoxLayout(empty);
    m_empty->setTexts(tr("No chat template in this file"),
                      tr("Chat programs need a template that gives the format in which the model was trained to read "
                         "conversations. Base models and adapters have none."));
    emptyLayout->addWidget(m_empty, 3);
    m_addFirst->setProperty("primary", true);
    emptyLayout->addWidget(m_addFirst, 0, Qt::AlignHCenter);
    emptyLayout->addStretch(2);
    m_content->addWidget(empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_tools);
    layout->addWidget(m_content, 1);
    for (const auto& [timer, pause] :
         {std::pair(&m_commitSoon, 700ms), std::pair(&m_renderSoon, 120ms), std::pair(&m_marksSoon, 300ms)}) {
        timer->setSingleShot(true);
        timer->setInterval(pause);
    }
    connectEditor();
}

QWidget* TemplatePage::makeToolBar() {
    auto* bar = new ToolStrip(this);
    m_names->setAccessibleName(tr("Template"));
    m_names->setToolTip(tr("The templates of the model: tokenizer.chat_template and tokenizer.chat_template.NAME"));
    m_names->setMinimumWidth(120);
    m_names->setMaximumWidth(220);
    m_search->setMinimumWidth(90);
    m_search->setMaximumWidth(180);
    m_search->setToolTip(tr("Search the template; Return goes to the next, Shift+Return to the previous"));
    m_view->addSegment(tr("Edit"));
    m_view->addSegment(tr("Diff from saved"), {}, tr("Show the differences from the template in the file"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMenu(makeMenu());
    m_reset->setIcon(themeIcon(QStringLiteral("undo")));
    m_chat->setIcon(themeIcon(QStringLiteral("chat")));
    m_chat->setToolTip(tr("Chat with the model through this template, including unsaved changes"));
    auto* layout = static_cast<QHBoxLayout*>(bar->layout());
    layout->addWidget(themedLabel(tr("Template"), TextStyle::Table, Token::Muted, bar));
    layout->addWidget(m_names);
    layout->addWidget(m_addName);
    layout->addSpacing(8);
    layout->addWidget(m_undo);
    layout->addWidget(m_redo);
    layout->addSpacing(8);
    layout->addWidget(m_view);
    layout->addWidget(m_search, 1);
    layout->addStretch(2);
    layout->addWidget(m_reset);
    layout->addWidget(m_chat);
    layout->addWidget(m_more);
    return bar;
}

QMenu* TemplatePage::makeMenu() {
    auto* menu = new QMenu(m_more);
    menu->addAction(tr("Load from File…"), this, &TemplatePage::askForFile);
    menu->addAction(tr("Save to File…"), this, &TemplatePage::askWhereToSave);
    menu->addSeparator();
    menu->addAction(tr("Add Template…"), this, &TemplatePage::askForName);
    m_delete = menu->addAction(tr("Delete This Template"), this, &TemplatePage::deleteTemplate);
    return menu;
}

QWidget* TemplatePage::makeEditorPane() {
    auto* pane = new QWidget(m_horizontal);
    pane->setMinimumWidth(kMinPane);
    auto* header = new ToolStrip(pane);
    header->setFixedHeight(kHeaderHeight);
    auto* line = static_cast<QHBoxLayout*>(header->layout());
    line->addWidget(m_keyLabel);
    line->addWidget(m_counts);
    line->addStretch(1);
    line->addWidget(m_errors);
    m_editors->addWidget(m_editor);
    m_editors->addWidget(m_diff);
    auto* layout = new QVBoxLayout(pane);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(header);
    layout->addWidget(m_editors, 1);
    layout->addWidget(m_strip);
    return pane;
}

QWidget* TemplatePage::makeOutputPane() {
    auto* pane = new QWidget(m_horizontal);
    pane->setMinimumWidth(kMinPane);
    auto* header = new ToolStrip(pane);
    header->setFixedHeight(kHeaderHeight);
    m_outputAs->addSegment(tr("Text"), {}, tr("Special tokens are marked"));
    m_outputAs->addSegment(tr("Tokens"), {}, tr("All tokens are marked"));
    m_outputAs->setEnabled(false);
    m_output->setOnlySpecials(true);
    m_whitespace->setCheckable(true);
    auto* line = static_cast<QHBoxLayout*>(header->layout());
    line->addWidget(themedLabel(tr("Rendering"), TextStyle::Section, Token::Text, header));
    line->addWidget(m_tokenCount);
    line->addStretch(1);
    line->addWidget(new ChipLegend(header));
    line->addWidget(m_whitespace);
    line->addWidget(m_outputAs);
    m_stale->setWordWrap(true);
    m_stale->setAutoFillBackground(true);
    m_stale->setContentsMargins(12, 5, 12, 5);
    m_stale->hide();
    m_message->setContentsMargins(12, 5, 12, 5);
    m_message->hide();
    auto* layout = new QVBoxLayout(pane);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(header);
    layout->addWidget(m_stale);
    layout->addWidget(m_output, 1);
    layout->addWidget(m_message);
    const auto restyle = [this] {
        QPalette colors = m_stale->palette();
        colors.setColor(m_stale->backgroundRole(), themeColor(Token::WarningFill));
        m_stale->setPalette(colors);
    };
    m_stale->setBackgroundRole(QPalette::AlternateBase);
    connect(&Theme::instance(), &Theme::changed, m_stale, restyle,
            Qt::QueuedConnection); // after the label's own update
    restyle();
    return pane;
}

void TemplatePage::connectEditor() {
    new Input(this); // belongs to the editor
    connect(m_names, &QComboBox::currentIndexChanged, this, &TemplatePage::showTemplate);
    connect(m_addName, &QAbstractButton::clicked, this, &TemplatePage::askForName);
    connect(m_addFirst, &QAbstractButton::clicked, this,
            [this] { addTemplate(QString::fromUtf8(text::kDefaultTemplate)); });
    connect(m_undo, &QAbstractButton::clicked, this, &TemplatePage::undo);
    connect(m_redo, &QAbstractButton::clicked, this, &TemplatePage::redo);
    connect(m_reset, &QAbstractButton::clicked, this, &TemplatePage::reset);
    connect(m_chat, &QAbstractButton::clicked, this, [this] {
        commit();
        const auto messages = m_panel->conversation().messages;
        emit chatRequested(displayText(text::chatTemplateName(m_key)),
                           std::ranges::any_of(messages, [](const ChatMessage& each) { return each.images > 0; }));
    });
    connect(m_view, &SegmentedControl::chosen, this, [this](int view) {
        m_editors->setCurrentIndex(view);
        updateCounts();
    });
    // Return first emits a search for the changed text, and then for the next match.
    auto isNew = std::make_shared<bool>(false);
    connect(m_search, &FilterField::filterChanged, this, [this, isNew](const QString& text) {
        m_editor->find(text, true, true);
        *isNew = true;
        QTimer::singleShot(0, this, [isNew] { *isNew = false; });
    });
    connect(m_search, &FilterField::leftDownwards, this, [this, isNew] {
        if (!*isNew) {
            m_editor->find(m_search->text());
        }
    });
    const auto shortcut = [this](const QKeySequence& keys, bool forward, QWidget* where) {
        auto* next = new QShortcut(keys, where);
        next->setContext(where == this ? Qt::WidgetWithChildrenShortcut : Qt::WidgetShortcut);
        connect(next, &QShortcut::activated, this, [this, forward] { m_editor->find(m_search->text(), forward); });
    };
    shortcut(QKeySequence(Qt::Key_F3), true, this);
    shortcut(QKeySequence(Qt::SHIFT | Qt::Key_F3), false, this);
    shortcut(QKeySequence(Qt::SHIFT | Qt::Key_Return), false, m_search);
    connect(m_editor, &QsciScintilla::textChanged, this, &TemplatePage::onTyped);
    connect(m_editor, &QsciScintilla::cursorPositionChanged, this, &TemplatePage::showStatus);
    connect(m_editor, &TemplateEditor::undoRequested, this, &TemplatePage::undo);
    connect(m_editor, &TemplateEditor::redoRequested, this, &TemplatePage::redo);
    connect(m_editor, &TemplateEditor::focusLeft, this, &TemplatePage::commit);
    connect(m_strip, &ProblemStrip::placeRequested, this, [this] { m_editor->goTo(m_problems.front()); });
    connect(m_strip, &ProblemStrip::fixRequested, this, [this] {
        m_editor->replaceAt(m_problems.front(), m_strip->fixButton()->property("fix").toString());
        m_editor->setFocus();
    });
    connect(m_outputAs, &SegmentedControl::chosen, this, [this](int as) { m_output->setOnlySpecials(as == 0); });
    connect(m_whitespace, &QAbstractButton::toggled, this, [this](bool shown) {
        m_editor->setWhitespaceShown(shown);
        m_output->setWhitespaceShown(shown);
    });
    connect(m_panel, &ConversationPanel::changed, &m_renderSoon, qOverload<>(&QTimer::start));
    connect(&m_commitSoon, &QTimer::timeout, this, &TemplatePage::commit);
    connect(&m_renderSoon, &QTimer::timeout, this, &TemplatePage::render);
    connect(&m_marksSoon, &QTimer::timeout, this, [this] {
        tokenizeSource();
        updateCounts();
    });
    m_output->setWhitespaceShown(false);
}

} // namespace gufo::ui
