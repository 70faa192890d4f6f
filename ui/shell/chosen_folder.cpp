#include "ui/shell/chosen_folder.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>

namespace gufo::ui {
namespace {

QString settingOf(FolderFor purpose) {
    return purpose == FolderFor::Exports ? QStringLiteral("export/folder") : QStringLiteral("import/folder");
}

QString folderOf(FolderFor purpose) { return QSettings().value(settingOf(purpose)).toString(); }

} // namespace

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
