#include "ui/mainwindow/start/sample_model.h"

#include "ui/shell/native_path.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace gufo::ui {

std::filesystem::path sampleModelPath() {
    const QDir programs(QCoreApplication::applicationDirPath());
    const QFileInfo file(programs.filePath(QStringLiteral("../" GUFO_DATA_DIR "/gufo/sample/gufo-sample-F16.gguf")));
    return file.isFile() ? fromQtPath(file.canonicalFilePath()) : std::filesystem::path();
}

} // namespace gufo::ui
