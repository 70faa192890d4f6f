// The part of TemplatePage that adds, deletes, loads and saves templates.
#include "text/template/chat_templates.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/template/template_page.h"
#include "ui/shell/chosen_folder.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMessageBox>

#include <algorithm>
#include <variant>

namespace gufo::ui {
namespace {

// The template of a new entry: works with every model, and is easily recognised as a placeholder.
constexpr const char* kFirstTemplate = R"({%- for message in messages %}
    {{- message.role + ": " + message.content + "\n" }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- "assistant: " }}
{%- endif %}
)";

} // namespace

// The array of names after adding some and removing one. Empty if nothing changes.
std::optional<Change> TemplatePage::namesWith(const QStringList& added, const QString& removed) const {
    QStringList names;
    const auto key = std::string(text::kChatTemplateNamesKey);
    for (const text::ChatTemplate& each : text::chatTemplates(m_document->current()->metadata)) {
        if (each.name != text::kDefaultTemplate) {
            names.append(QString::fromStdString(each.name));
        }
    }
    const QStringList before = names;
    for (const QString& name : added) {
        if (name != QString::fromUtf8(text::kDefaultTemplate) && !names.contains(name)) {
            names.append(name);
        }
    }
    names.removeAll(removed);
    if (names == before) {
        return std::nullopt;
    }
    if (names.isEmpty()) {
        const bool isThere = m_document->current()->metadata.find(key) != nullptr;
        return isThere ? std::optional<Change>(DeleteKey{.key = key}) : std::nullopt;
    }
    std::vector<std::string> texts;
    for (const QString& name : names) {
        texts.push_back(name.toStdString());
    }
    return SetKey{.key = key, .value = OwnedValue::strings(texts)};
}

void TemplatePage::applyTexts(const std::vector<FileTemplate>& templates, const QString& label) {
    commit();
    std::vector<Change> changes;
    QStringList names;
    for (const FileTemplate& each : templates) {
        names.append(each.name);
        changes.emplace_back(SetKey{.key = text::chatTemplateKey(each.name.toStdString()),
                                    .value = OwnedValue::string(each.source.toStdString())});
    }
    if (auto list = namesWith(names, {})) {
        changes.push_back(*std::move(list));
    }
    m_document->apply(std::move(changes), label);
}

void TemplatePage::addTemplate(const QString& name) {
    const std::string key = text::chatTemplateKey(name.toStdString());
    if (m_document->current()->metadata.find(key) != nullptr) {
        say(tr("The key %1 already exists.").arg(displayText(key)));
        return;
    }
    applyTexts({{name, QLatin1String(kFirstTemplate)}}, tr("Add template %1").arg(name));
    m_names->setCurrentIndex(m_names->findData(QByteArray::fromStdString(key)));
    if (m_active) {
        activate();
    }
    m_editor->setFocus();
}

void TemplatePage::deleteTemplate() {
    commit();
    const QString name = displayText(text::chatTemplateName(m_key));
    std::vector<Change> changes{DeleteKey{.key = m_key}};
    if (auto list = namesWith({}, QString::fromUtf8(text::chatTemplateName(m_key)))) {
        changes.push_back(*std::move(list));
    }
    m_document->apply(std::move(changes), tr("Delete template %1").arg(name));
}

void TemplatePage::askForName() {
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Add a template"));
    dialog->setLabelText(tr("Name of the template, for example tool_use or rag:"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
        if (!name.trimmed().isEmpty()) {
            addTemplate(name.trimmed());
        }
    });
    dialog->open();
}

void TemplatePage::askForFile() {
    auto* dialog = new QFileDialog(this, tr("Load a template"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    rememberFolder(*dialog, FolderFor::Imports);
    dialog->setNameFilters({tr("Templates (*.jinja *.jinja2 *.j2 *.txt tokenizer_config.json)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &TemplatePage::loadFile);
    dialog->open();
}

void TemplatePage::askWhereToSave() {
    auto* dialog = new QFileDialog(this, tr("Save the template"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    rememberFolder(*dialog, FolderFor::Exports);
    dialog->setDefaultSuffix(QStringLiteral("jinja"));
    dialog->setNameFilters({tr("Jinja templates (*.jinja)"), tr("All files (*)")});
    dialog->selectFile(QStringLiteral("chat_template.jinja"));
    connect(dialog, &QFileDialog::fileSelected, this, &TemplatePage::saveFile);
    dialog->open();
}

void TemplatePage::loadFile(const QString& path) {
    startJob<std::vector<FileTemplate>>(
        this, [path](const JobContext&) { return readTemplates(path); },
        [this, path](Result<std::vector<FileTemplate>> templates) {
            if (!templates) {
                say(errorLine(templates.error()));
            } else {
                // If the file contains a single template, it replaces the current one.
                if (templates->size() == 1 && !m_key.empty()) {
                    templates->front().name = QString::fromUtf8(text::chatTemplateName(m_key));
                }
                applyTexts(*templates, tr("Load %1").arg(QFileInfo(path).fileName()));
            }
            emit fileFinished();
        });
}

void TemplatePage::saveFile(const QString& path) {
    startJob<std::monostate>(
        this,
        [path, source = m_editor->text()](const JobContext&) -> Result<std::monostate> {
            const auto written = writeTemplate(path, source);
            return written ? Result<std::monostate>() : std::unexpected(written.error());
        },
        [this](Result<std::monostate> written) {
            if (!written) {
                say(errorLine(written.error()));
            }
            emit fileFinished();
        });
}

void TemplatePage::say(const QString& problem) {
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Template"), problem, QMessageBox::Ok, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->open();
}

} // namespace gufo::ui
