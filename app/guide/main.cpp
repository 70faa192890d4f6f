// gufo-write-guide FOLDER writes the user guide as HTML: a page for each chapter, index.html, which is the first one,
// and the folder of pictures. English is in FOLDER itself, every other language in a folder of its name. It runs while
// the program is built, and is not installed.
#include "chapter_html.h"
#include "ui/guide/guide_chapters.h"
#include "ui/messages/catalogue.h"

#include <QDir>
#include <QDirIterator>
#include <QGuiApplication>
#include <QLocale>

#include <algorithm>
#include <cstdio>

using namespace gufo;

namespace {

bool write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    if (!QDir().mkpath(QFileInfo(path).path()) || !file.open(QIODevice::WriteOnly) ||
        file.write(bytes) != bytes.size() || !file.flush()) {
        std::fprintf(stderr, "gufo-write-guide: %s: %s\n", qPrintable(path), qPrintable(file.errorString()));
        return false;
    }
    return true;
}

QString folderOf(const QString& language) {
    return language == QLatin1String("en") ? QString() : language + QLatin1Char('/');
}

// Writes all chapters of a language into its folder. The functions of the guide use the language of QLocale().
bool writeLanguage(const QString& folder, const QString& language, const QStringList& languages) {
    QLocale::setDefault(QLocale(language));
    const QString up = language == QLatin1String("en") ? QString() : QStringLiteral("../");
    ChapterFrame frame{
        .id = {}, .language = language, .pictures = QStringLiteral("pictures"), .chapters = {}, .languages = {}};
    for (const ui::GuideChapter& chapter : ui::guideChapters()) {
        frame.chapters.push_back(
            {.target = QStringLiteral("%1.html").arg(QLatin1String(chapter.id)), .text = ui::guideTitle(chapter)});
    }
    for (const ui::GuideChapter& chapter : ui::guideChapters()) {
        frame.id = QLatin1String(chapter.id);
        frame.languages.clear();
        for (const QString& other : languages) {
            if (other != language) {
                frame.languages.push_back({.target = up + folderOf(other) + frame.id + QStringLiteral(".html"),
                                           .text = ui::nativeLanguageName(other)});
            }
        }
        const QByteArray html = chapterHtml(ui::guideText(chapter), frame).toUtf8();
        const QString target = folder + folderOf(language);
        if (!write(target + frame.id + QStringLiteral(".html"), html) ||
            (&chapter == ui::guideChapters().data() && !write(target + QStringLiteral("index.html"), html))) {
            return false;
        }
    }
    return true;
}

bool writePictures(const QString& folder, const QString& language) {
    const QString source = QStringLiteral(":/guide/%1/").arg(language);
    QDirIterator all(source + QStringLiteral("pictures"), QDir::Files, QDirIterator::Subdirectories);
    while (all.hasNext()) {
        QFile picture(all.next());
        if (!picture.open(QIODevice::ReadOnly) ||
            !write(folder + folderOf(language) + picture.fileName().mid(source.size()), picture.readAll())) {
            return false;
        }
    }
    return true;
}

} // namespace

int main(int argc, char** argv) {
    const QGuiApplication application(argc, argv);
    if (argc != 2) {
        std::fputs("usage: gufo-write-guide FOLDER\n", stderr);
        return 2;
    }
    const QString folder = QString::fromLocal8Bit(argv[1]) + QLatin1Char('/');
    const QStringList languages = QDir(QStringLiteral(":/guide")).entryList(QDir::Dirs, QDir::Name);
    const bool written = std::ranges::all_of(languages, [&](const QString& language) {
        return writeLanguage(folder, language, languages) && writePictures(folder, language);
    });
    return written ? 0 : 1;
}
