#include "text/helper_program.h"

#include <QCoreApplication>
#include <QDir>
#include <QStandardPaths>

namespace gufo::text {

QString helperProgram(const QString& name) {
    const QDir folder(QCoreApplication::applicationDirPath());
    return QStandardPaths::findExecutable(
        name, {folder.path(), folder.filePath(QStringLiteral("../" GUFO_LIBEXEC_DIR "/gufo"))});
}

} // namespace gufo::text
