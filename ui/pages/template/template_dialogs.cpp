#include "ui/pages/template/template_dialogs.h"

#include "ui/shell/file_dialogs.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QInputDialog>
#include <QMessageBox>

#include <utility>

namespace gufo::ui {
namespace {

class DialogTexts {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::TemplatePage)
};

} // namespace

void askTemplateName(QWidget* page, std::function<void(const QString& name)> then) {
    auto* dialog = new QInputDialog(page);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(DialogTexts::tr("Add a template"));
    dialog->setLabelText(DialogTexts::tr("Name of the template, for example tool_use or rag:"));
    QObject::connect(dialog, &QInputDialog::textValueSelected, page, [then = std::move(then)](const QString& name) {
        if (!name.trimmed().isEmpty()) {
            then(name.trimmed());
        }
    });
    dialog->open();
}

void askTemplateToLoad(QWidget* page, std::function<void(const QString& path)> then) {
    auto* dialog = new QFileDialog(page, DialogTexts::tr("Load a template"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    rememberFolder(*dialog, FolderFor::Imports);
    dialog->setNameFilters({DialogTexts::tr("Templates (*.jinja *.jinja2 *.j2 *.txt tokenizer_config.json)"),
                            DialogTexts::tr("All files (*)")});
    QObject::connect(dialog, &QFileDialog::fileSelected, page, std::move(then));
    dialog->open();
}

void askWhereToSaveTemplate(QWidget* page, std::function<void(const QString& path)> then) {
    auto* dialog = new QFileDialog(page, DialogTexts::tr("Save the template"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    rememberFolder(*dialog, FolderFor::Exports);
    dialog->setDefaultSuffix(QStringLiteral("jinja"));
    dialog->setNameFilters({DialogTexts::tr("Jinja templates (*.jinja)"), DialogTexts::tr("All files (*)")});
    dialog->selectFile(QStringLiteral("chat_template.jinja"));
    QObject::connect(dialog, &QFileDialog::fileSelected, page, std::move(then));
    dialog->open();
}

void showTemplateProblem(QWidget* page, const QString& problem) {
    auto* box = new QMessageBox(QMessageBox::Warning, DialogTexts::tr("Template"), problem, QMessageBox::Ok, page);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->open();
}

} // namespace gufo::ui
