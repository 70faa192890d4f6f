#include "ui/shell/file_dialogs.h"

#include "ui/shell/native_path.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

#include <algorithm>
#include <utility>

namespace gufo::ui {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::ExportPath)
};

QString settingOf(FolderFor purpose) {
    return purpose == FolderFor::Exports ? QStringLiteral("export/folder") : QStringLiteral("import/folder");
}

QString folderOf(FolderFor purpose) { return QSettings().value(settingOf(purpose)).toString(); }

} // namespace

ExportName exportName(const QString& typed, std::span<const ExportKind> kinds, std::size_t proposed) {
    if (typed.endsWith(kinds[proposed].suffix, Qt::CaseInsensitive)) {
        return {typed, proposed};
    }
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        if (typed.endsWith(kinds[kind].suffix, Qt::CaseInsensitive)) {
            return {typed, kind};
        }
    }
    return {typed + kinds[proposed].suffix, proposed};
}

void askExportPath(QWidget& widget, const QString& title, const QString& fileName, std::vector<ExportKind> kinds,
                   std::size_t proposed,
                   std::function<void(const std::filesystem::path& path, std::size_t kind)> then) {
    QStringList filters;
    for (const ExportKind& kind : kinds) {
        filters << kind.filter;
    }
    auto* dialog = new QFileDialog(widget.window(), title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(filters);
    dialog->selectNameFilter(filters[static_cast<qsizetype>(proposed)]);
    rememberFolder(*dialog, FolderFor::Exports);
    dialog->selectFile(QString(fileName).replace(u'/', u'_'));
    QObject::connect(
        dialog, &QFileDialog::fileSelected, &widget,
        [&widget, dialog, title, filters, kinds = std::move(kinds), then = std::move(then)](const QString& file) {
            const qsizetype filter = filters.indexOf(dialog->selectedNameFilter());
            const auto [name, kind] = exportName(file, kinds, static_cast<std::size_t>(std::max<qsizetype>(filter, 0)));
            if (name == file || !QFileInfo::exists(name)) { // the dialog has asked about what was typed
                then(fromQtPath(name), kind);
                return;
            }
            auto* box = new QMessageBox(QMessageBox::Warning, title,
                                        Words::tr("%1 exists already. Replace it?").arg(QFileInfo(name).fileName()),
                                        QMessageBox::Cancel, widget.window());
            box->setAttribute(Qt::WA_DeleteOnClose);
            box->setTextFormat(Qt::PlainText);
            const QPushButton* replace = box->addButton(Words::tr("Replace"), QMessageBox::AcceptRole);
            QObject::connect(box, &QMessageBox::buttonClicked, &widget,
                             [replace, name = name, kind = kind, then](const QAbstractButton* clicked) {
                                 if (clicked == replace) {
                                     then(fromQtPath(name), kind);
                                 }
                             });
            box->open();
        });
    dialog->open();
}

QString beginIn(FolderFor purpose, const QString& fileName) {
    const QString folder = folderOf(purpose);
    return folder.isEmpty() ? fileName : fileName.isEmpty() ? folder : QDir(folder).filePath(fileName);
}

void rememberChosen(FolderFor purpose, const QString& path) {
    if (!path.isEmpty()) {
        QSettings().setValue(settingOf(purpose), QFileInfo(path).absolutePath());
    }
}

void rememberFolder(QFileDialog& dialog, FolderFor purpose) {
    if (const QString folder = folderOf(purpose); !folder.isEmpty()) {
        dialog.setDirectory(folder);
    }
    QObject::connect(&dialog, &QFileDialog::fileSelected, &dialog,
                     [purpose](const QString& file) { rememberChosen(purpose, file); });
}

} // namespace gufo::ui
