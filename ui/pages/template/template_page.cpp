#include "ui/pages/template/template_page.h"

#include "convert/description.h"
#include "text/conversation/tool_calls.h"
#include "text/template/chat_templates.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/model_status.h"
#include "ui/theme/theme.h"
#include "ui/widgets/disconnect_children.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QThreadPool>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr qsizetype kLongestMarked = 200'000; // characters of a template up to which special tokens are marked

enum View { Edit, Diff };
enum OutputAs { Text, Tokens };

} // namespace

TemplatePage::~TemplatePage() {
    disconnectChildren(*this);
    // The UI thread does not wait for the exit of the renderer's helper.
    QThreadPool::globalInstance()->start([renderer = std::move(m_renderer)] {});
}

QString TemplatePage::badge() const { return m_problems.empty() ? QString() : QString::number(m_problems.size()); }

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
    const QSignalBlocker quiet(m_names);
    m_names->clear();
    for (const text::ChatTemplate& each : templates) {
        m_names->addItem(displayText(each.name), QByteArray(each.key.data(), static_cast<qsizetype>(each.key.size())));
    }
    const int kept = m_names->findData(QByteArray::fromStdString(m_key));
    m_names->setCurrentIndex(std::max(kept, templates.empty() ? -1 : 0));
    m_tools->setVisible(!templates.empty());
    m_content->setCurrentIndex(templates.empty() ? 1 : 0);
    showTemplate(m_names->currentIndex());
}

void TemplatePage::showTemplate(int index) {
    commit();
    const std::string before = std::exchange(m_key, m_names->itemData(index).toByteArray().toStdString());
    if (m_key != before) {
        setProblems({});
        m_stale->hide();
    }
    m_keyLabel->setText(displayText(m_key));
    showText();
}

// Shows the document's text in the editor.
void TemplatePage::showText() {
    m_showing = true;
    m_typed = false;
    m_commitSoon.stop();
    m_editor->replaceText(m_key.empty() ? QString() : textOf(*m_document->current()).value_or(QString()));
    m_showing = false;
    updateActions();
    updateCounts();
    m_renderSoon.start();
    m_marksSoon.start();
}

void TemplatePage::follow(const TouchedParts& touched) {
    if (touched.keyOrder || touched.anyKeyWith(text::kChatTemplateKey)) {
        const auto shown = textOf(*m_document->current());
        if (touched.keyOrder || !shown) {
            showTemplates();
        } else if (!m_typed && *shown != m_editor->text()) {
            showText();
        }
    }
    if (touched.anyKeyWith("tokenizer.ggml.")) {
        m_prepared = false;
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
    const QString text = m_editor->text();
    const auto before = textOf(*m_document->current());
    if (before && text != *before) {
        m_document->apply({SetKey{.key = m_key, .value = OwnedValue::string(text.toStdString())}},
                          tr("Edit %1").arg(displayText(m_key)));
    }
}

void TemplatePage::undo() {
    commit();
    m_document->undo();
}

void TemplatePage::redo() {
    commit();
    m_document->redo();
}

void TemplatePage::reset() {
    commit();
    if (const auto saved = textOf(*m_document->document().base())) {
        m_document->apply({SetKey{.key = m_key, .value = OwnedValue::string(saved->toStdString())}},
                          tr("Reset %1").arg(displayText(m_key)));
    }
}

void TemplatePage::updateActions() {
    const bool editable = canEdit();
    const auto saved = m_document != nullptr ? textOf(*m_document->document().base()) : std::nullopt;
    m_editor->setReadOnly(!editable);
    m_editor->setToolTip({});
    m_undo->setEnabled(editable && (m_typed || m_document->document().canUndo()));
    m_redo->setEnabled(editable && !m_typed && m_document->document().canRedo());
    m_reset->setEnabled(editable && saved && *saved != m_editor->text());
    m_reset->setToolTip(!saved ? tr("This template has not been saved to the file yet")
                               : tr("Revert to the template in the file"));
    m_addName->setEnabled(editable);
    m_addFirst->setEnabled(editable);
    m_chat->setEnabled(canChat());
    m_delete->setEnabled(editable && !m_key.empty());
    if (m_document != nullptr && !editable) {
        m_addFirst->setToolTip((m_opened != nullptr ? m_opened : m_document)->whyNot(Capability::EditMetadata));
    }
}

// Shows the number of lines and of changed ones, and the diff if it is visible.
void TemplatePage::updateCounts() {
    if (m_document == nullptr || m_key.empty()) {
        return;
    }
    const QString saved = textOf(*m_document->document().base()).value_or(QString());
    m_diffJob.start<TemplateDiff>([saved, now = m_editor->text()](
                                      const JobContext&) -> Result<TemplateDiff> { return diffTemplates(saved, now); },
                                  [this](Result<TemplateDiff> diff) {
                                      const auto lines = static_cast<std::uint64_t>(m_editor->lines());
                                      QString text = tr("%n lines", nullptr, numerus(lines));
                                      // A changed line counts as one removed and one added line.
                                      if (const auto changed = std::max(diff->counts.added, diff->counts.removed);
                                          changed > 0) {
                                          text += QStringLiteral(", ") + tr("%1 changed").arg(formatCount(changed));
                                      }
                                      m_counts->setText(text);
                                      if (m_view->current() == Diff) {
                                          m_diff->setDiff(*diff);
                                      }
                                  });
}

void TemplatePage::activate() {
    m_active = true;
    if (m_document == nullptr) {
        return;
    }
    if (!m_key.empty()) {
        m_renderer->warmUp();
    }
    if (!m_prepared) {
        prepare();
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
                    m_output->setTokenizer(m_tokenizer);
                    m_outputAs->setEnabled(m_tokenizer != nullptr);
                    tokenizeSource();
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
    text::RenderRequest request{.source = m_editor->text(), .checkOnly = !valid};
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
    m_rendering.start<text::Rendering>(
        [renderer = m_renderer, request = std::move(request)](const JobContext& job) -> Result<text::Rendering> {
            text::Rendering rendering = renderer->render(request, job.stop);
            renderer->warmUp(); // the template may have ended the helper
            return rendering;
        },
        [this, roles](const Result<text::Rendering>& rendering) { showRendering(*rendering, roles); });
}

void TemplatePage::showRendering(const text::Rendering& rendering, const QStringList& roles) {
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
    setProblems(std::move(problems));
    if (rendering.text) {
        m_milliseconds = rendering.milliseconds;
        m_stale->hide();
        m_output->setRendering(rendering, roles);
        m_message->setVisible(rendering.text->size() > RenderingView::kMaxShown);
        m_message->setText(
            tr("Only the first %n of %1 characters are shown.", nullptr, numerus(RenderingView::kMaxShown))
                .arg(formatCount(static_cast<std::uint64_t>(rendering.text->size()))));
        tokenizeOutput(*rendering.text);
    } else {
        const int line = rendering.error ? rendering.error->line : 0;
        const bool isConversation = !rendering.error;
        m_stale->setText(isConversation ? tr("Last rendering: the conversation is not valid JSON.")
                         : line > 0     ? tr("Last working version, before line %1 was changed.").arg(line)
                                        : tr("Last working version."));
        m_stale->show();
        m_message->hide();
    }
    showStatus();
    emit rendered();
}

void TemplatePage::setProblems(std::vector<text::TemplateProblem> problems) {
    const std::size_t before = m_problems.size();
    m_problems = std::move(problems);
    m_editor->setProblems(m_problems);
    m_strip->setProblems(m_problems);
    m_chat->setEnabled(canChat());
    const std::size_t count = m_problems.size();
    m_errors->setText(count == 0 ? QString() : tr("%n errors", nullptr, numerus(count)));
    if (count != before) {
        emit badgeChanged();
    }
}

void TemplatePage::tokenizeOutput(const QString& text) {
    if (m_tokenizer == nullptr) {
        m_tokenCount->clear();
        return;
    }
    const text::EncodeOptions options{.addBos = false, .addEos = false, .parseSpecial = true};
    m_outputJob.start<TokenizedText>(
        [tokenizer = m_tokenizer, text, options](const JobContext& job) {
            return tokenizeText(*tokenizer, text, options, job);
        },
        [this](Result<TokenizedText> tokens) {
            if (!tokens) {
                m_tokenCount->clear();
                return;
            }
            const std::size_t count = tokens->ids.size();
            m_tokenCount->setText(tr("%n tokens", nullptr, numerus(count)));
            m_output->setTokens(std::make_shared<const TokenizedText>(std::move(*tokens)));
            emit tokenized();
        });
}

// Marks the special tokens in the template's text.
void TemplatePage::tokenizeSource() {
    m_marksSoon.stop();
    m_sourceJob.cancel();
    const QString source = m_editor->text();
    if (m_tokenizer == nullptr || source.size() > kLongestMarked) {
        m_editor->setSpecials({});
        return;
    }
    m_sourceJob.start<std::vector<SpecialRange>>(
        [tokenizer = m_tokenizer, source](const JobContext& job) -> Result<std::vector<SpecialRange>> {
            const auto tokens =
                tokenizeText(*tokenizer, source, {.addBos = false, .addEos = false, .parseSpecial = true}, job);
            if (!tokens) {
                return std::unexpected(tokens.error());
            }
            std::vector<SpecialRange> ranges;
            for (const TokenCell& cell : tokens->cells) {
                const TokenType type = tokenizer->vocabulary().type(tokens->ids[cell.firstToken]);
                const bool isControl = type == TokenType::Control;
                const bool isBlank = QStringView(source).mid(cell.begin, cell.end - cell.begin).trimmed().isEmpty();
                if ((isControl || type == TokenType::UserDefined) && !isBlank) {
                    ranges.push_back({cell.begin, cell.end, isControl});
                }
            }
            return ranges;
        },
        [this, source](Result<std::vector<SpecialRange>> ranges) {
            if (ranges && source == m_editor->text()) {
                m_editor->setSpecials(*ranges);
            }
        });
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
    m_editor->getCursorPosition(&line, &column);
    QStringList right{tr("Jinja")};
    if (m_milliseconds >= 0) {
        right.append(m_milliseconds < 1 ? tr("Rendered in under 1 ms")
                                        : tr("Rendered in %1 ms").arg(static_cast<int>(m_milliseconds + 0.5)));
    }
    emit statusChanged(tr("Line %1, column %2").arg(line + 1).arg(column + 1), right);
}

bool TemplatePage::goTo(const Place& place) {
    if (place.kind != Place::Kind::Key) {
        return false;
    }
    const int index = m_names->findData(QByteArray::fromStdString(place.name));
    if (index < 0) {
        return false;
    }
    m_names->setCurrentIndex(index);
    m_editor->setFocus();
    return true;
}

QString TemplatePage::copyText(CopyFormat) const {
    return m_editor->hasFocus() && m_editor->hasSelectedText() ? m_editor->selectedText() : m_output->toPlainText();
}

QJsonObject TemplatePage::saveState() const {
    return {{QStringLiteral("vertical"), QString::fromLatin1(m_vertical->saveState().toBase64())},
            {QStringLiteral("horizontal"), QString::fromLatin1(m_horizontal->saveState().toBase64())},
            {QStringLiteral("folded"), m_panel->isFolded()},
            {QStringLiteral("whitespace"), m_whitespace->isChecked()},
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
    m_whitespace->setChecked(state[QStringLiteral("whitespace")].toBool());
    const QJsonObject modelState = state[QStringLiteral("model")].toObject();
    m_key = modelState[QStringLiteral("template")].toString().toStdString();
    if (modelState.contains(QStringLiteral("conversation"))) {
        m_panel->setConversation(Conversation::restore(modelState[QStringLiteral("conversation")].toObject()));
    }
}

} // namespace gufo::ui

#include "moc_template_page.cpp"
