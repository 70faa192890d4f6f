#include "ui/pages/template/template_page.h"

#include "convert/description.h"
#include "text/conversation/conversation.h"
#include "text/template/chat_templates.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/model_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/disconnect_children.h"
#include "ui/widgets/pending_input.h"

#include <QHBoxLayout>

#include <algorithm>
#include <memory>

namespace gufo::ui {
namespace {

using namespace std::chrono_literals;

constexpr int kMinPane = 380;
constexpr int kPanelHeight = 236;
constexpr int kAuditHeight = 330;

// Whether a template can be rendered. One that refuses the conversation on the page accepts others.
bool isWhole(const std::vector<text::TemplateProblem>& problems) {
    return problems.empty() || problems.front().code == QLatin1String("raised");
}

} // namespace

// What is typed into the editor, which is always valid.
class TemplatePage::Input : public PendingInput {
public:
    explicit Input(TemplatePage* page)
        : PendingInput(page->editor())
        , m_page(page) {}

    [[nodiscard]] bool isPending() const override { return m_page->m_typed; }
    [[nodiscard]] QString problem() const override { return {}; }
    bool commit() override {
        m_page->commit();
        return true;
    }
    void discard() override { m_page->showText(); }

protected:
    [[nodiscard]] QWidget* field() const override { return m_page->editor(); }
    void showProblem() override {}

private:
    TemplatePage* m_page;
};

TemplatePage::TemplatePage(QWidget* parent)
    : Page(parent)
    , m_bar(new TemplateBar(this))
    , m_content(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_addFirst(new QPushButton(tr("Add a template"), this))
    , m_vertical(new QSplitter(Qt::Vertical, m_content))
    , m_horizontal(new QSplitter(Qt::Horizontal, m_vertical))
    , m_text(new EditorPane(m_horizontal))
    , m_rendering(new RenderingPane(m_horizontal))
    , m_panel(new ConversationPanel(m_vertical))
    , m_audit(new AuditPanel(m_vertical))
    , m_edits(new TemplateEdits(this, m_bar)) {
    m_audit->setObjectName(QStringLiteral("auditPanel"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    for (QWidget* pane : std::initializer_list<QWidget*>{m_text, m_rendering}) {
        pane->setMinimumWidth(kMinPane);
        m_horizontal->addWidget(pane);
    }
    m_horizontal->setChildrenCollapsible(false);
    m_horizontal->setStretchFactor(0, 58);
    m_horizontal->setStretchFactor(1, 42);
    m_horizontal->setSizes({580, 420});
    m_vertical->addWidget(m_horizontal);
    m_vertical->addWidget(m_panel);
    m_vertical->addWidget(m_audit);
    m_audit->hide();
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
    m_addFirst->setObjectName(QStringLiteral("addFirst"));
    m_addFirst->setProperty("primary", true);
    emptyLayout->addWidget(m_addFirst, 0, Qt::AlignHCenter);
    emptyLayout->addStretch(2);
    m_content->addWidget(empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_content, 1);
    for (const auto& [timer, pause] : {std::pair(&m_commitSoon, 700ms), std::pair(&m_renderSoon, 120ms),
                                       std::pair(&m_marksSoon, 300ms), std::pair(&m_formatSoon, 400ms)}) {
        timer->setSingleShot(true);
        timer->setInterval(pause);
    }
    connectParts();
}

TemplatePage::~TemplatePage() { disconnectChildren(*this); }

void TemplatePage::connectParts() {
    new Input(this); // belongs to the editor
    connect(m_bar, &TemplateBar::templateChosen, this, &TemplatePage::showTemplate);
    connect(m_bar, &TemplateBar::diffShown, this, [this](bool shown) {
        m_text->showDiff(shown);
        updateCounts();
    });
    connect(m_bar, &TemplateBar::chatRequested, this, [this] {
        commit();
        const auto messages = m_panel->conversation().messages;
        emit chatRequested(displayText(text::chatTemplateName(m_key)),
                           std::ranges::any_of(messages, [](const ChatMessage& each) { return each.images > 0; }));
    });
    connect(m_addFirst, &QAbstractButton::clicked, this,
            [this] { m_edits->add(QString::fromUtf8(text::kDefaultTemplate)); });
    connect(m_edits, &TemplateEdits::added, this, [this](const std::string& key) {
        m_bar->choose(key);
        if (m_active) {
            activate();
        }
        editor()->setFocus();
    });
    m_text->searchWith(m_bar->search(), this);
    connectAudit();
    connect(editor(), &QsciScintilla::textChanged, this, &TemplatePage::onTyped);
    connect(editor(), &QsciScintilla::cursorPositionChanged, this, &TemplatePage::showStatus);
    connect(editor(), &TemplateEditor::focusLeft, this, &TemplatePage::commit);
    connect(m_rendering->whitespaceButton(), &QAbstractButton::toggled, editor(), &TemplateEditor::setWhitespaceShown);
    connect(m_rendering, &RenderingPane::rendered, this, [this](const std::vector<text::TemplateProblem>& problems) {
        setProblems(problems);
        if (isWhole(problems)) {
            m_formatSoon.start();
        } else {
            m_formatSoon.stop();
            m_rendering->showFormat(nullptr, {});
        }
        showStatus();
        emit rendered();
    });
    connect(m_rendering, &RenderingPane::tokenized, this, &TemplatePage::tokenized);
    connect(m_panel, &ConversationPanel::changed, &m_renderSoon, qOverload<>(&QTimer::start));
    connect(m_text, &EditorPane::repairRequested, this,
            [this](const std::vector<Change>& changes, const QString& label) {
                if (!m_typed && canEdit()) { // otherwise the repair may be about an older text
                    m_document->apply(std::vector(changes), label);
                }
            });
    connect(&m_formatSoon, &QTimer::timeout, this, &TemplatePage::showFormat);
    connect(&m_commitSoon, &QTimer::timeout, this, &TemplatePage::commit);
    connect(&m_renderSoon, &QTimer::timeout, this, &TemplatePage::render);
    connect(&m_marksSoon, &QTimer::timeout, this, [this] {
        m_text->markSpecials(m_tokenizer);
        updateCounts();
    });
}

void TemplatePage::connectAudit() {
    connect(m_bar, &TemplateBar::auditRequested, this, &TemplatePage::audit);
    connect(m_audit, &AuditPanel::auditRequested, this, &TemplatePage::audit);
    connect(m_audit, &AuditPanel::closed, this, [this] {
        m_audit->forget();
        m_audit->hide();
        m_panel->show();
    });
    connect(m_audit, &AuditPanel::lineRequested, this, [this](int line) {
        m_text->showDiff(false);
        editor()->goTo(text::TemplateProblem{.code = {}, .args = {}, .line = line, .column = 1});
        editor()->setFocus();
    });
    connect(m_audit, &AuditPanel::repairRequested, this,
            [this](const std::vector<Change>& changes, const QString& label) {
                if (!m_typed && canEdit()) {
                    m_auditAgain = true;
                    m_document->apply(std::vector(changes), label);
                }
            });
}

void TemplatePage::audit() {
    commit();
    if (m_document == nullptr || m_key.empty()) {
        return;
    }
    if (m_audit->isHidden()) {
        m_panel->hide();
        m_audit->show();
        m_vertical->setSizes({height() - kAuditHeight, 0, kAuditHeight});
    }
    m_audit->setEditable(canEdit());
    m_document->whenSettled(this, [this] { m_audit->audit(m_document->current(), m_key, editor()->text()); });
}

QString TemplatePage::badge() const {
    const std::size_t count = m_text->problems().empty() ? m_text->remarks().size() : m_text->problems().size();
    return count == 0 ? QString() : QString::number(count);
}

void TemplatePage::setDocument(ModelDocument* document) {
    m_document = document;
    connect(document, &ModelDocument::edited, this, &TemplatePage::follow);
    connect(document, &ModelDocument::editableChanged, this, &TemplatePage::updateActions);
}

void TemplatePage::setModel(std::shared_ptr<const Model> model) {
    if (m_document == nullptr) {
        setDocument(new ModelDocument(std::move(model), this));
    }
    if (m_opened != nullptr) {
        std::exchange(m_document, std::exchange(m_opened, nullptr))->deleteLater();
    }
    m_lookedBeside = false;
    m_prepared = false;
    m_tokenizer = nullptr;
    m_rendering->forgetTokenizer();
    showTemplates();
    if (m_active) {
        prepare();
    }
}

std::optional<QString> TemplatePage::textOf(const Model& model) const {
    const auto text = model.metadata.string(m_key);
    return text ? std::optional(QString::fromUtf8(*text)) : std::nullopt;
}

// Fills the list of names, and keeps the current template if it still exists.
void TemplatePage::showTemplates() {
    const auto templates = text::chatTemplates(m_document->current()->metadata);
    m_bar->setTemplates(templates, m_key);
    m_bar->setVisible(!templates.empty());
    m_content->setCurrentIndex(templates.empty() ? 1 : 0);
    showTemplate();
}

void TemplatePage::showTemplate() {
    commit();
    const std::string before = std::exchange(m_key, m_bar->key());
    if (m_key != before) {
        setProblems({});
        setRemarks({});
        m_rendering->forgetRendering();
    }
    m_text->setKey(m_key);
    showText();
    if (m_key != before) {
        editor()->scrollToTop();
    }
}

// Shows the document's text in the editor.
void TemplatePage::showText() {
    m_showing = true;
    m_typed = false;
    m_commitSoon.stop();
    editor()->replaceText(m_key.empty() ? QString() : textOf(*m_document->current()).value_or(QString()));
    m_showing = false;
    m_audit->forget();
    if (std::exchange(m_auditAgain, false)) {
        audit();
    }
    updateActions();
    updateCounts();
    lookForRemarks();
    m_renderSoon.start();
    m_marksSoon.start();
}

void TemplatePage::follow(const TouchedParts& touched) {
    if (touched.keyOrder || touched.anyKeyWith(text::kChatTemplateKey)) {
        const auto shown = textOf(*m_document->current());
        if (touched.keyOrder || !shown) {
            showTemplates();
        } else if (!m_typed && *shown != editor()->text()) {
            showText();
        } else {
            lookForRemarks();
        }
    }
    if (touched.anyKeyWith("tokenizer.ggml.")) {
        m_prepared = false;
        lookForRemarks();
        if (m_active) {
            prepare();
        }
    }
    updateActions();
    updateCounts();
}

void TemplatePage::onTyped() {
    if (m_showing) {
        return;
    }
    m_typed = true;
    m_audit->forget();
    m_commitSoon.start();
    m_renderSoon.start();
    m_marksSoon.start();
    updateActions();
}

void TemplatePage::commit() {
    m_commitSoon.stop();
    if (!std::exchange(m_typed, false) || m_key.empty()) {
        return;
    }
    const QString text = editor()->text();
    const auto before = textOf(*m_document->current());
    if (before && text != *before) {
        m_document->apply({SetKey{.key = m_key, .value = OwnedValue::string(text.toStdString())}},
                          tr("Edit %1").arg(displayText(m_key)));
    }
}

void TemplatePage::updateActions() {
    const bool editable = canEdit();
    const auto saved = m_document != nullptr ? textOf(*m_document->document().base()) : std::nullopt;
    editor()->setReadOnly(!editable);
    editor()->setToolTip({});
    m_bar->setState({.undo = editable && (m_typed || m_document->document().canUndo()),
                     .redo = editable && !m_typed && m_document->document().canRedo(),
                     .add = editable,
                     .remove = editable && !m_key.empty(),
                     .reset = editable && saved && *saved != editor()->text(),
                     .isSaved = saved.has_value()});
    m_addFirst->setEnabled(editable);
    m_bar->setChatEnabled(canChat());
    if (m_document != nullptr && !editable) {
        m_addFirst->setToolTip((m_opened != nullptr ? m_opened : m_document)->whyNot(Capability::EditMetadata));
    }
}

void TemplatePage::updateCounts() {
    if (m_document != nullptr && !m_key.empty()) {
        m_text->compareWith(textOf(*m_document->document().base()).value_or(QString()));
    }
}

void TemplatePage::activate() {
    m_active = true;
    if (m_document == nullptr) {
        return;
    }
    if (!m_key.empty()) {
        m_rendering->warmUp();
    }
    if (!m_prepared) {
        prepare();
        lookForRemarks();
    }
    if (m_key.empty() && !m_lookedBeside && !m_document->can(Capability::Run)) {
        readFilesBeside();
    }
    showStatus();
}

void TemplatePage::readFilesBeside() {
    m_lookedBeside = true;
    m_besideJob.start<std::shared_ptr<const Model>>(
        [model = m_document->current()](const JobContext& job) { return convert::describeVocabulary(model, job); },
        [this, asked = m_document->current()](const Result<std::shared_ptr<const Model>>& described) {
            if (m_document->current() != asked || (described && *described == asked)) {
                return; // the page shows another model, or there is no tokenizer
            }
            if (!described) {
                m_empty->setTexts(tr("The chat templates cannot be read"), errorLine(described.error()));
                return;
            }
            m_opened = m_document;
            setDocument(new ModelDocument(*described, this));
            m_prepared = false;
            showTemplates();
            if (m_active) {
                activate();
            }
        });
}

// Reads the special tokens, then renders, and creates the tokenizer last, because that takes longest.
void TemplatePage::prepare() {
    m_prepared = true;
    struct Prepared {
        std::vector<std::pair<QString, QString>> texts;
    };
    const auto model = m_document->current();
    m_preparing.start<Prepared>(
        [model](const JobContext&) -> Result<Prepared> {
            Prepared prepared;
            for (const auto& [name, text] : text::specialTokenTexts(model->metadata)) {
                prepared.texts.emplace_back(QString::fromStdString(name), jsonString(QString::fromStdString(text)));
            }
            return prepared;
        },
        [this, model](Result<Prepared> prepared) {
            m_specialTexts = std::move(prepared->texts);
            render();
            m_preparing.start<std::shared_ptr<const text::Tokenizer>>(
                [model](const JobContext& job) { return text::makeTokenizer(*model, job); },
                [this](Result<std::shared_ptr<const text::Tokenizer>> tokenizer) {
                    m_tokenizer = tokenizer ? *tokenizer : nullptr;
                    m_rendering->setTokenizer(m_tokenizer);
                    m_marksSoon.stop();
                    m_text->markSpecials(m_tokenizer);
                    render(); // counts the tokens
                });
        });
}

void TemplatePage::render() {
    m_renderSoon.stop();
    if (!m_active || m_key.empty() || m_document == nullptr) {
        return;
    }
    const Conversation conversation = m_panel->conversation();
    const bool valid = m_panel->isValid();
    text::RenderRequest request{.source = editor()->text(), .checkOnly = !valid};
    const std::string messages = text::linkToolCalls(conversation.messagesJson().toStdString());
    request.variables =
        text::standardVariables(QString::fromStdString(messages), conversation.tools, conversation.generationPrompt);
    request.variables.insert(request.variables.end(), m_specialTexts.begin(), m_specialTexts.end());
    for (const ChatVariable& variable : conversation.variables) {
        request.variables.emplace_back(variable.name, variable.json);
    }
    QStringList roles;
    for (const ChatMessage& message : conversation.messages) {
        roles.append(message.role);
    }
    m_rendering->render(std::move(request), roles);
}

void TemplatePage::setProblems(std::vector<text::TemplateProblem> problems) {
    const QString before = badge();
    m_text->setProblems(std::move(problems));
    m_bar->setChatEnabled(canChat());
    if (badge() != before) {
        emit badgeChanged();
    }
}

// The remarks follow the text of the document, which contains the typed text as soon as typing pauses.
void TemplatePage::lookForRemarks() {
    if (!m_active || m_key.empty() || m_document == nullptr) {
        return;
    }
    m_remarksJob.start<std::vector<TemplateRemark>>(
        [model = m_document->current(), key = m_key](const JobContext& job) -> Result<std::vector<TemplateRemark>> {
            return templateRemarks(*model, key, job);
        },
        [this](Result<std::vector<TemplateRemark>> remarks) {
            if (remarks) {
                setRemarks(*std::move(remarks));
                emit remarked();
            }
        });
}

void TemplatePage::setRemarks(std::vector<TemplateRemark> remarks) {
    for (TemplateRemark& remark : remarks) {
        if (!canEdit()) {
            remark.fix.clear();
        }
    }
    const QString before = badge();
    m_text->setRemarks(std::move(remarks));
    if (badge() != before) {
        emit badgeChanged();
    }
}

void TemplatePage::showFormat() {
    if (m_active && !m_key.empty() && m_document != nullptr && isWhole(problems())) {
        m_rendering->showFormat(m_document->current(), editor()->text());
    }
}

void TemplatePage::showStatus() {
    if (!m_active || !isVisible() || m_document == nullptr) {
        return;
    }
    if (m_key.empty()) {
        emit statusChanged(QString(), modelStatus(*m_document->current()));
        return;
    }
    int line = 0;
    int column = 0;
    editor()->getCursorPosition(&line, &column);
    QStringList right{tr("Jinja")};
    if (const double milliseconds = m_rendering->milliseconds(); milliseconds >= 0) {
        right.append(milliseconds < 1 ? tr("Rendered in under 1 ms")
                                      : tr("Rendered in %1 ms").arg(static_cast<int>(milliseconds + 0.5)));
    }
    emit statusChanged(tr("Line %1, column %2").arg(line + 1).arg(column + 1), right);
}

bool TemplatePage::goTo(const Place& place) {
    if (place.kind != Place::Kind::Key || !m_bar->choose(place.name)) {
        return false;
    }
    editor()->setFocus();
    return true;
}

QString TemplatePage::copyText(CopyFormat) const {
    return editor()->hasFocus() && editor()->hasSelectedText() ? editor()->selectedText() : m_rendering->text();
}

QJsonObject TemplatePage::saveState() const {
    return {{QStringLiteral("vertical"), QString::fromLatin1(m_vertical->saveState().toBase64())},
            {QStringLiteral("horizontal"), QString::fromLatin1(m_horizontal->saveState().toBase64())},
            {QStringLiteral("folded"), m_panel->isFolded()},
            {QStringLiteral("whitespace"), m_rendering->whitespaceButton()->isChecked()},
            {QStringLiteral("model"), QJsonObject{{QStringLiteral("template"), QString::fromStdString(m_key)},
                                                  {QStringLiteral("conversation"), m_panel->conversation().save()}}}};
}

void TemplatePage::restoreState(const QJsonObject& state) {
    const auto bytes = [&](const QString& key) {
        return QByteArray::fromBase64(state.value(key).toString().toLatin1());
    };
    m_vertical->restoreState(bytes(QStringLiteral("vertical")));
    m_horizontal->restoreState(bytes(QStringLiteral("horizontal")));
    m_panel->setFolded(state[QStringLiteral("folded")].toBool());
    m_rendering->whitespaceButton()->setChecked(state[QStringLiteral("whitespace")].toBool());
    const QJsonObject modelState = state[QStringLiteral("model")].toObject();
    m_key = modelState[QStringLiteral("template")].toString().toStdString();
    if (modelState.contains(QStringLiteral("conversation"))) {
        m_panel->setConversation(Conversation::restore(modelState[QStringLiteral("conversation")].toObject()));
    }
}

} // namespace gufo::ui

#include "moc_template_page.cpp"
