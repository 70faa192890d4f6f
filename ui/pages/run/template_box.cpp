#include "ui/pages/run/template_box.h"

#include "base/detail.h"
#include "text/conversation/conversation.h"
#include "text/template/chat_templates.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"

#include <QFile>
#include <QFileDialog>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QStandardItemModel>

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

} // namespace gufo::ui

#include "moc_template_box.cpp"
