#include "ui/pages/template/template_edits.h"

#include "text/template/chat_templates.h"
#include "ui/jobs/job.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/template/template_bar.h"
#include "ui/pages/template/template_files.h"
#include "ui/pages/template/template_page.h"
#include "ui/shell/file_dialogs.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMessageBox>

namespace gufo::ui {

TemplateEdits::TemplateEdits(TemplatePage* page, TemplateBar* bar)
    : QObject(page)
    , m_page(page)
    , m_bar(bar) {
    connect(bar, &TemplateBar::addRequested, this, &TemplateEdits::askName);
    connect(bar, &TemplateBar::deleteRequested, this, &TemplateEdits::remove);
    connect(bar, &TemplateBar::loadRequested, this, &TemplateEdits::askWhatToLoad);
    connect(bar, &TemplateBar::saveRequested, this, &TemplateEdits::askWhereToSave);
    connect(bar, &TemplateBar::undoRequested, this, &TemplateEdits::undo);
    connect(bar, &TemplateBar::redoRequested, this, &TemplateEdits::redo);
    connect(bar, &TemplateBar::resetRequested, this, &TemplateEdits::reset);
    connect(page->editor(), &TemplateEditor::undoRequested, this, &TemplateEdits::undo);
    connect(page->editor(), &TemplateEditor::redoRequested, this, &TemplateEdits::redo);
}

void TemplateEdits::askName() {
    auto* dialog = new QInputDialog(m_page);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(TemplatePage::tr("Add a template"));
    dialog->setLabelText(TemplatePage::tr("Name of the template, for example tool_use or rag:"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
        if (!name.trimmed().isEmpty()) {
            add(name.trimmed());
        }
    });
    dialog->open();
}

void TemplateEdits::add(const QString& name) {
    const std::string key = text::chatTemplateKey(name.toStdString());
    if (m_page->document()->current()->metadata.find(key) != nullptr) {
        showProblem(TemplatePage::tr("The key %1 already exists.").arg(displayText(key)));
        return;
    }
    apply({{name, QLatin1String(kPlaceholderTemplate)}}, TemplatePage::tr("Add template %1").arg(name));
    emit added(key);
}

void TemplateEdits::remove() {
    m_page->commit();
    const std::string key = m_bar->key();
    ModelDocument* document = m_page->document();
    document->apply(changesThatDelete(key, document->current()->metadata),
                    TemplatePage::tr("Delete template %1").arg(displayText(text::chatTemplateName(key))));
}

void TemplateEdits::askWhatToLoad() {
    auto* dialog = new QFileDialog(m_page, TemplatePage::tr("Load a template"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    rememberFolder(*dialog, FolderFor::Imports);
    dialog->setNameFilters({TemplatePage::tr("Templates (*.jinja *.jinja2 *.j2 *.txt tokenizer_config.json)"),
                            TemplatePage::tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &TemplateEdits::load);
    dialog->open();
}

void TemplateEdits::load(const QString& path) {
    startJob<std::vector<FileTemplate>>(
        this, [path](const JobContext&) { return readTemplates(path); },
        [this, path](Result<std::vector<FileTemplate>> templates) {
            if (!templates) {
                showProblem(errorLine(templates.error()));
            } else {
                const std::string key = m_bar->key();
                if (templates->size() == 1 && !key.empty()) {
                    templates->front().name = QString::fromUtf8(text::chatTemplateName(key));
                }
                apply(*templates, TemplatePage::tr("Load %1").arg(QFileInfo(path).fileName()));
                m_page->document()->whenSettled(this, [this] { m_page->editor()->scrollToTop(); });
            }
            emit fileFinished();
        });
}

void TemplateEdits::askWhereToSave() {
    auto* dialog = new QFileDialog(m_page, TemplatePage::tr("Save the template"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    rememberFolder(*dialog, FolderFor::Exports);
    dialog->setDefaultSuffix(QStringLiteral("jinja"));
    dialog->setNameFilters({TemplatePage::tr("Jinja templates (*.jinja)"), TemplatePage::tr("All files (*)")});
    dialog->selectFile(QStringLiteral("chat_template.jinja"));
    connect(dialog, &QFileDialog::fileSelected, this, &TemplateEdits::save);
    dialog->open();
}

void TemplateEdits::save(const QString& path) {
    startJob<void>(
        this, [path, source = m_page->editor()->text()](const JobContext&) { return writeTemplate(path, source); },
        [this](const Result<>& written) {
            if (!written) {
                showProblem(errorLine(written.error()));
            }
            emit fileFinished();
        });
}

void TemplateEdits::undo() {
    m_page->commit();
    m_page->document()->undo();
}

void TemplateEdits::redo() {
    m_page->commit();
    m_page->document()->redo();
}

void TemplateEdits::reset() {
    m_page->commit();
    const std::string key = m_bar->key();
    if (const auto saved = m_page->document()->document().base()->metadata.string(key)) {
        m_page->document()->apply({SetKey{.key = key, .value = OwnedValue::string(std::string(*saved))}},
                                  TemplatePage::tr("Reset %1").arg(displayText(key)));
    }
}

void TemplateEdits::apply(const std::vector<FileTemplate>& templates, const QString& label) {
    m_page->commit();
    ModelDocument* document = m_page->document();
    document->apply(changesThatSet(templates, document->current()->metadata), label);
}

void TemplateEdits::showProblem(const QString& problem) {
    auto* box = new QMessageBox(QMessageBox::Warning, TemplatePage::tr("Template"), problem, QMessageBox::Ok, m_page);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->open();
}

} // namespace gufo::ui

#include "moc_template_edits.cpp"
