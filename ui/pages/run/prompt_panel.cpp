#include "ui/pages/run/prompt_panel.h"

#include "base/detail.h"
#include "text/conversation/conversation.h"
#include "text/conversation/format_derivation.h"
#include "text/template/chat_templates.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/models/template_input.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/text_color.h"

#include <QFile>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr qint64 kMaxTemplate = qint64{1} << 20; // bytes; the longest published template has a tenth of that
constexpr QLatin1String kFileKey("/file");

// The display name of a built-in template. Templates of a model are named by their keys.
QString usualName(std::string_view name) {
    return name == "chatml"   ? QStringLiteral("ChatML")
           : name == "alpaca" ? QStringLiteral("Alpaca")
                              : QString::fromUtf8(name);
}

QString fromCore(std::string_view name) { return QString::fromUtf8(name); }

using inference::Feature;

constexpr int kSystemHeight = 64;
constexpr int kCaptionWidth = 60;
constexpr int kNoLimit = -1;
constexpr int kMaxThoughts = 1'000'000; // tokens

QLabel* captionOf(const QString& text, QWidget* parent) {
    QLabel* caption = themedLabel(text, TextStyle::Table, Token::Text, parent);
    caption->setFixedWidth(kCaptionWidth);
    return caption;
}

} // namespace

TemplateBox::TemplateBox(QWidget* parent)
    : QComboBox(parent) {
    setAccessibleName(tr("Chat template"));
    connect(this, &QComboBox::activated, this, [this](int index) {
        if (index > static_cast<int>(m_choices.size())) { // after the separator
            setCurrentIndex(m_current);
            askForFile();
        } else {
            m_current = index;
            emit chosen();
        }
    });
}

void TemplateBox::fill(const Model& edited, const Model& saved, bool withEngines) {
    const QString before = m_choices.empty() ? m_wanted : key();
    std::vector<Choice> files;
    std::ranges::copy_if(m_choices, std::back_inserter(files), [](const Choice& each) { return each.key == kFileKey; });
    m_choices.clear();
    for (const text::ChatTemplate& each : text::chatTemplates(edited.metadata)) {
        const auto inFile = saved.metadata.string(text::chatTemplateKey(each.name));
        const QString name = displayText(each.name);
        m_choices.push_back({.name = inFile && *inFile == each.source ? name : tr("%1 (draft)").arg(name),
                             .source = fromCore(each.source),
                             .key = name,
                             .isModels = true});
    }
    for (const text::UsualTemplate& usual : text::usualTemplates()) {
        m_choices.push_back(
            {.name = usualName(usual.name), .source = fromCore(usual.source), .key = u'/' + fromCore(usual.name)});
    }
    if (withEngines) {
        m_choices.push_back({.name = tr("The server's own"), .key = QStringLiteral("/server"), .isEngines = true});
    }
    m_choices.insert(m_choices.end(), files.begin(), files.end());
    const auto current = std::ranges::find(m_choices, before, &Choice::key);
    m_current = current != m_choices.end() ? static_cast<int>(current - m_choices.begin()) : 0;
    addChoices();
}

void TemplateBox::addChoices() {
    const QSignalBlocker quiet(this);
    clear();
    for (const Choice& choice : m_choices) {
        addItem(choice.name);
    }
    insertSeparator(count());
    addItem(tr("From a file…"));
    setCurrentIndex(m_current);
}

// Keys that step through the choices of the closed box leave out the entry that opens a dialog.
void TemplateBox::keyPressEvent(QKeyEvent* event) {
    auto* items = qobject_cast<QStandardItemModel*>(model());
    items->item(count() - 1)->setEnabled(false);
    QComboBox::keyPressEvent(event);
    items->item(count() - 1)->setEnabled(true); // perhaps another item, because the choices may be filled again
}

void TemplateBox::askForFile() {
    auto* dialog = new QFileDialog(this, tr("Chat template from a file"), QString(),
                                   tr("Templates (*.jinja *.j2 *.txt);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    rememberFolder(*dialog, FolderFor::Imports);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { readFile(fromQtPath(path)); });
    dialog->open();
}

void TemplateBox::readFile(const std::filesystem::path& path) {
    m_reading.start<QString>(
        [path](const JobContext&) -> Result<QString> {
            QFile file(qtPath(path));
            if (!file.open(QIODevice::ReadOnly)) {
                return std::unexpected(Error{ErrorCode::ReadFailed, path, {}, {file.errorString().toStdString()}, 0});
            }
            const QByteArray bytes = file.read(kMaxTemplate + 1); // the file may have no size, as a pipe
            if (bytes.size() > kMaxTemplate) {
                return std::unexpected(
                    Error{ErrorCode::LimitExceeded,
                          path,
                          {},
                          {Detail::Bytes, std::to_string(bytes.size()), std::to_string(kMaxTemplate)},
                          0});
            }
            return QString::fromUtf8(bytes);
        },
        [this, path](const Result<QString>& source) {
            if (!source) {
                emit noticed(tr("%1 cannot be read: %2.").arg(fileNameText(path), errorReason(source.error())), true);
                return;
            }
            std::erase_if(m_choices, [](const Choice& each) { return each.key == kFileKey; });
            m_choices.push_back({.name = fileNameText(path), .source = *source, .key = QString(kFileKey)});
            m_current = static_cast<int>(m_choices.size()) - 1;
            addChoices();
            emit chosen();
        });
}

bool TemplateBox::choose(const QString& key) {
    const auto choice = std::ranges::find(m_choices, key, &Choice::key);
    if (choice == m_choices.end()) {
        return false;
    }
    m_current = static_cast<int>(choice - m_choices.begin());
    setCurrentIndex(m_current);
    return true;
}

const TemplateBox::Choice* TemplateBox::used(bool withTools) const {
    if (m_choices.empty()) {
        return nullptr;
    }
    const Choice& choice = m_choices[static_cast<std::size_t>(m_current)];
    if (withTools && choice.isModels && choice.key == fromCore(text::kDefaultTemplate)) {
        const auto found = std::ranges::find_if(
            m_choices, [](const Choice& each) { return each.isModels && each.key == fromCore(text::kToolTemplate); });
        return found != m_choices.end() ? &*found : &choice;
    }
    return &choice;
}

QString TemplateBox::key() const {
    return m_choices.empty() ? QString() : m_choices[static_cast<std::size_t>(m_current)].key;
}

PromptPanel::PromptPanel(ChatSession* session, EngineLoader* loader, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_loader(loader)
    , m_system(new QPlainTextEdit(this))
    , m_templates(new TemplateBox(this)) {
    m_system->setObjectName(QStringLiteral("systemPrompt"));
    m_system->setFixedHeight(kSystemHeight);
    m_system->setTabChangesFocus(true);
    m_system->setAccessibleName(tr("System prompt"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(themedLabel(tr("System prompt"), TextStyle::Section, Token::Text, this));
    layout->addWidget(m_system);
    auto* templateRow = new QHBoxLayout;
    templateRow->addWidget(captionOf(tr("Template"), this));
    templateRow->addWidget(m_templates, 1);
    layout->addLayout(templateRow);
    layout->addWidget(makeThinkingRow());
    layout->addWidget(makeLimitRow());
    layout->addWidget(makeToolsSection());
    connect(m_templates, &TemplateBox::chosen, this, &PromptPanel::takeTemplate);
    connect(m_templates, &TemplateBox::noticed, this, &PromptPanel::noticed);
    connect(m_system, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_filling) {
            m_session->setSystem(m_system->document()->toPlainText());
            emit edited();
        }
    });
}

QWidget* PromptPanel::makeThinkingRow() {
    m_thinkingRow = new QWidget(this);
    m_thinking = new QComboBox(m_thinkingRow);
    m_thinking->setObjectName(QStringLiteral("thinking"));
    m_thinking->addItem(tr("Template's default"));
    m_thinking->addItem(tr("On"), true);
    m_thinking->addItem(tr("Off"), false);
    m_thinking->setAccessibleName(tr("Thinking"));
    auto* row = new QHBoxLayout(m_thinkingRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(captionOf(tr("Thinking"), m_thinkingRow));
    row->addWidget(m_thinking, 1);
    connect(m_thinking, &QComboBox::activated, this, [this] {
        const QVariant wanted = m_thinking->currentData();
        m_session->setThinking(wanted.isValid() ? std::optional(wanted.toBool()) : std::nullopt);
        emit edited();
    });
    return m_thinkingRow;
}

QWidget* PromptPanel::makeLimitRow() {
    auto* row = new QWidget(this);
    m_limit = new CountBox(row);
    m_limit->setObjectName(QStringLiteral("thoughtLimit"));
    m_limit->setRange(kNoLimit, kMaxThoughts);
    m_limit->setSpecialValueText(tr("no limit"));
    m_limit->setValue(kNoLimit);
    m_limit->setSingleStep(64);
    m_limit->setAccessibleName(tr("Longest thought in tokens"));
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(captionOf(tr("Thoughts"), row));
    layout->addWidget(m_limit, 1);
    layout->addWidget(themedLabel(tr("tokens"), TextStyle::Table, Token::Muted, row));
    connect(m_limit, &QSpinBox::valueChanged, this, &PromptPanel::limitChanged);
    return row;
}

void PromptPanel::addTo(ChatSettings& settings) const {
    if (m_limit->value() != kNoLimit && m_limit->isEnabledTo(this)) {
        settings.generation.thoughtTokens = static_cast<std::uint32_t>(m_limit->value());
    }
}

// Deriving how a template writes answers takes many renderings.
void PromptPanel::findThoughts(const QString& source) {
    if (source == m_source && (m_hasThoughts || m_finding.isRunning())) {
        return;
    }
    m_source = source;
    m_hasThoughts.reset();
    m_finding.start<bool>(
        [model = m_loader->model(), source = source.toStdString()](const JobContext& job) -> Result<bool> {
            text::TemplateRenderer renderer;
            const auto format = text::answerFormatOf(model->metadata, source, renderer, job.stop);
            return format != nullptr && format->hasThoughts();
        },
        [this](const Result<bool>& found) {
            m_hasThoughts = found && *found;
            showLimit();
        });
}

void PromptPanel::showLimit() {
    const bool completes = tree().mode == ChatMode::Completion;
    const TemplateBox::Choice* choice = usedTemplate();
    const bool isEngines = choice == nullptr || choice->isEngines || !m_loader->offers(Feature::AllLogits);
    const QString why = completes                    ? tr("A completion has no thoughts")
                        : isEngines                  ? tr("Only an engine that runs the model itself can end a thought")
                        : !m_hasThoughts.has_value() ? tr("The template is being examined")
                        : !*m_hasThoughts            ? tr("This template has no thoughts")
                                                     : QString();
    const bool was = m_limit->isEnabled();
    m_limit->setEnabled(why.isEmpty());
    m_limit->setToolTip(why.isEmpty() ? tr("After this many tokens, what ends a thought is written for the model, and "
                                           "the answer follows. 0: the model does not think")
                                      : why);
    if (was != m_limit->isEnabled() && m_limit->value() != kNoLimit) {
        emit limitChanged();
    }
}

QWidget* PromptPanel::makeToolsSection() {
    auto* section = new QWidget(this);
    auto* layout = new QVBoxLayout(section);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(6);
    m_toolsState = themedLabel({}, TextStyle::Table, Token::Good, section);
    m_toolsExample = new QPushButton(tr("Example"), section);
    m_toolsExample->setProperty("small", true);
    m_toolsExample->setToolTip(tr("Offer the model an example tool that reports the weather"));
    auto* head = new QHBoxLayout;
    head->addWidget(themedLabel(tr("Tools"), TextStyle::Section, Token::Text, section));
    head->addStretch();
    head->addWidget(m_toolsState);
    head->addWidget(m_toolsExample);
    m_tools = new ToolsEdit(section);
    layout->addLayout(head);
    layout->addWidget(m_tools);
    connect(m_toolsExample, &QPushButton::clicked, this, [this] {
        for (const ConversationPreset& preset : conversationPresets()) {
            if (!preset.conversation.tools.isEmpty()) {
                m_tools->setPlainText(preset.conversation.tools);
                m_tools->setFocus();
                return;
            }
        }
    });
    connect(m_tools, &QPlainTextEdit::textChanged, this, &PromptPanel::takeTools);
    return section;
}

void PromptPanel::takeTools() {
    if (!m_filling) {
        const bool had = !tree().tools.isEmpty();
        m_session->setTools(m_tools->isValid() ? m_tools->tools() : QString());
        emit edited();
        if (had == tree().tools.isEmpty()) {
            takeTemplate(); // models may have a template of their own for tools
        }
    }
    showTools();
}

void PromptPanel::showTemplates() {
    const auto edited = m_loader->model();
    if (edited != nullptr) {
        m_templates->fill(*edited, *m_loader->savedModel(), m_loader->offers(Feature::EngineTemplate));
        takeTemplate();
    }
}

void PromptPanel::takeTemplate() {
    const TemplateBox::Choice* choice = usedTemplate();
    if (choice == nullptr) {
        return;
    }
    m_session->setTemplate(m_loader->model(), choice->source, choice->isEngines);
    findThoughts(choice->source);
    showLimit();
    showTools();
    showThinking();
    emit templateTaken();
}

void PromptPanel::showConversation() {
    m_filling = true;
    m_system->setPlainText(tree().system);
    m_tools->setPlainText(tree().tools);
    m_filling = false;
}

const TemplateBox::Choice* PromptPanel::usedTemplate() const { return m_templates->used(!tree().tools.isEmpty()); }

QString PromptPanel::templateNotice() const {
    const TemplateBox::Choice* choice = usedTemplate();
    if (choice == nullptr || choice->isModels || choice->isEngines || tree().mode != ChatMode::Chat ||
        !m_loader->offers(Feature::ChatTemplate)) {
        return {};
    }
    return m_templates->hasModels()
               ? tr("%1 is used instead of the model's own template: the quality of answers may suffer.")
                     .arg(choice->name)
               : tr("This file has no chat template. %1 is used instead, which the model may not be trained for: "
                    "the quality of answers may suffer. Completion needs no template.")
                     .arg(choice->name);
}

QString PromptPanel::toolsProblem() const {
    return tree().mode == ChatMode::Chat && m_tools->isEnabled() ? m_tools->problem() : QString();
}

void PromptPanel::showState() {
    const bool completes = tree().mode == ChatMode::Completion;
    m_system->setEnabled(!completes);
    m_system->setPlaceholderText(completes ? tr("not used in a completion")
                                           : tr("What the model should know, or what role it should take"));
    m_system->setToolTip(completes ? tr("Not used in a completion")
                                   : tr("Precedes the conversation; not all templates support it"));
    const bool chooses = !completes && !m_session->isBusy() && m_loader->offers(Feature::ChatTemplate);
    const QString missing =
        m_loader->offers(Feature::ChatTemplate) ? QString() : featureMissingTip(Feature::ChatTemplate);
    m_templates->setEnabled(chooses);
    m_templates->setToolTip(!missing.isEmpty() ? missing
                                               : tr("The format in which the model reads the conversation; drafts on "
                                                    "the Template page are used as they are"));
    m_thinking->setEnabled(chooses);
    m_thinking->setToolTip(!missing.isEmpty()
                               ? missing
                               : tr("Whether the model should think before it answers; the template supports this "
                                    "option"));
    showLimit();
    showTools();
    showThinking();
}

void PromptPanel::showTools() {
    const TemplateBox::Choice* choice = m_templates->used(true);
    const bool takes =
        !m_loader->offers(Feature::ChatTemplate) || // otherwise the template is the engine's, and not known
        (choice != nullptr && (choice->isEngines || text::namesTools(choice->source.toStdString())));
    const bool completes = tree().mode == ChatMode::Completion;
    m_tools->setEnabled(takes && !completes);
    m_tools->setPlaceholderText(completes ? tr("not used in a completion")
                                : takes   ? tr("a list, as JSON")
                                          : tr("not supported by this template"));
    if (m_tools->isValid()) {
        m_tools->setToolTip(completes ? tr("Not used in a completion")
                            : takes   ? tr("Functions that the model may call; you enter their results")
                                      : tr("This template does not support tools"));
    }
    m_tools->showValidity(*m_toolsState);
    m_toolsExample->setVisible(m_tools->tools().isEmpty() && m_tools->isEnabled());
}

void PromptPanel::showThinking() {
    const TemplateBox::Choice* choice = usedTemplate();
    m_thinkingRow->setVisible(choice != nullptr && !text::thinkingVariable(choice->source.toStdString()).empty());
    m_thinking->setCurrentIndex(tree().thinking ? m_thinking->findData(*tree().thinking) : 0);
}

} // namespace gufo::ui

#include "moc_prompt_panel.cpp"
