// gufo-write-guide FOLDER writes the user guide as HTML: a page for each chapter, index.html, which is the first one,
// and the folder of pictures. English is in FOLDER itself, every other language in a folder of its name. It runs while
// the program is built, and is not installed.
#include "ui/guide/guide_chapters.h"
#include "ui/messages/catalogue.h"
#include "ui/run/markdown.h"

#include <QDir>
#include <QDirIterator>
#include <QGuiApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cstdio>

using namespace gufo;

namespace {

struct GuideLink {
    QString target; // relative
    QString text;
};
struct ChapterFrame {
    QString id;                 // name of the chapter's file without its suffix
    QString language;           // "zh_CN"
    QString pictures;           // folder with light/NAME.png and dark/NAME.png, relative
    QList<GuideLink> chapters;  // the navigation; the targets are ID.html
    QList<GuideLink> languages; // the same chapter in other languages
};

using ui::MarkdownBlock;
using ui::MarkdownRun;
using ui::MarkdownRuns;

constexpr auto kStyle =
    "body{margin:0;font:16px/1.6 system-ui,sans-serif;color:#1d2430;background:#fff;display:flex;flex-wrap:wrap}"
    "nav{flex:1 1 15rem;max-width:20rem;padding:1.5rem;border-right:1px solid #dfe3ea}nav "
    "a{display:block;padding:.2rem 0}"
    "main{flex:3 1 30rem;max-width:46rem;padding:1.5rem 2.5rem}h1{line-height:1.2}a{color:#1f5fbf}"
    "code,pre{font:14px/1.5 ui-monospace,monospace;background:#f3f5f8;border-radius:4px}code{padding:.1em .3em}"
    "pre{padding:.8rem 1rem;overflow-x:auto}pre code{padding:0}img{max-width:100%;border:1px solid "
    "#dfe3ea;border-radius:6px}"
    "table{border-collapse:collapse}td,th{border:1px solid #dfe3ea;padding:.3rem .6rem;text-align:left}"
    "@media(prefers-color-scheme:dark){body{color:#dde3ec;background:#171b22}nav,img,td,th{border-color:#303744}"
    "a{color:#7db0ff}code,pre{background:#212732}}";

struct StyleRow {
    MarkdownRun::Style bit;
    const char* tag;
};
constexpr auto kStyles = std::to_array<StyleRow>({
    {MarkdownRun::Bold, "strong"},
    {MarkdownRun::Italic, "em"},
    {MarkdownRun::Strike, "s"},
    {MarkdownRun::Code, "code"},
});

QString pictureHtml(const MarkdownRun& run, const QString& folder) {
    return QStringLiteral("<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"%3/dark/%1.png\"/>"
                          "<img src=\"%3/light/%1.png\" alt=\"%2\"/></picture>")
        .arg(run.target.toHtmlEscaped(), run.text.toHtmlEscaped(), folder);
}

QString inlineHtml(const MarkdownRuns& runs, const QString& pictures) {
    QString html;
    for (const MarkdownRun& run : runs) {
        if ((run.style & MarkdownRun::Picture) != 0) {
            html += pictureHtml(run, pictures);
            continue;
        }
        QString text = run.text.toHtmlEscaped();
        for (const StyleRow& style : kStyles) {
            if ((run.style & style.bit) != 0) {
                text = QStringLiteral("<%1>%2</%1>").arg(QLatin1String(style.tag), text);
            }
        }
        if ((run.style & MarkdownRun::Link) != 0) {
            const bool leaves = run.target.contains(QLatin1Char(':'));
            text = QStringLiteral("<a href=\"%1\">%2</a>")
                       .arg((leaves ? run.target : run.target + QStringLiteral(".html")).toHtmlEscaped(), text);
        }
        html += text;
    }
    return html;
}

QString tableHtml(const MarkdownBlock& block, const QString& pictures) {
    QString html = QStringLiteral("<table>\n");
    for (std::size_t i = 0; i < block.rows.size(); ++i) {
        html += QStringLiteral("<tr>");
        for (const MarkdownRuns& cell : block.rows[i]) {
            const QLatin1String tag(i == 0 ? "th" : "td");
            html += QStringLiteral("<%1>%2</%1>").arg(tag, inlineHtml(cell, pictures));
        }
        html += QStringLiteral("</tr>\n");
    }
    return html + QStringLiteral("</table>\n");
}

// Writes blocks one after the other, and knows which lists and code blocks are open.
class Writer {
public:
    explicit Writer(QString pictures)
        : m_pictures(std::move(pictures)) {}

    void add(const MarkdownBlock& block) {
        const bool isCode = block.kind == MarkdownBlock::Kind::CodeLine;
        if (m_code && (!isCode || block.first)) {
            closeCode();
        }
        if (!m_code) {
            openLists(block);
        }
        switch (block.kind) {
        case MarkdownBlock::Kind::CodeLine:
            m_html += (m_code ? QStringLiteral("\n") : QStringLiteral("<pre><code>")) +
                      inlineHtml(plain(block.runs), m_pictures);
            m_code = true;
            break;
        case MarkdownBlock::Kind::Heading:
            m_html += QStringLiteral("<h%1>%2</h%1>\n").arg(block.level).arg(inlineHtml(block.runs, m_pictures));
            break;
        case MarkdownBlock::Kind::Rule:
            m_html += QStringLiteral("<hr/>\n");
            break;
        case MarkdownBlock::Kind::Table:
            m_html += tableHtml(block, m_pictures);
            break;
        case MarkdownBlock::Kind::Paragraph:
            m_html += QStringLiteral("<p>%1</p>\n").arg(inlineHtml(block.runs, m_pictures));
            break;
        }
    }

    QString finish() {
        closeCode();
        closeLists(0);
        return m_html;
    }

private:
    // Lines of code have the style of code themselves, which their <pre> expresses already.
    static MarkdownRuns plain(MarkdownRuns runs) {
        for (MarkdownRun& run : runs) {
            run.style &= static_cast<std::uint8_t>(~MarkdownRun::Code);
        }
        return runs;
    }
    void closeCode() {
        m_html += m_code ? QStringLiteral("</code></pre>\n") : QString();
        m_code = false;
    }
    void openLists(const MarkdownBlock& block) {
        const auto depth = static_cast<qsizetype>(block.indent);
        closeLists(depth);
        if (block.marker.isEmpty()) {
            return;
        }
        if (m_lists.size() < depth) {
            m_lists << (block.marker.back() == QLatin1Char('.') ? QStringLiteral("ol") : QStringLiteral("ul"));
            m_html += QStringLiteral("<%1>\n").arg(m_lists.last());
        } else {
            m_html += QStringLiteral("</li>\n");
        }
        m_html += QStringLiteral("<li>");
    }
    void closeLists(qsizetype depth) {
        while (m_lists.size() > depth) {
            m_html += QStringLiteral("</li>\n</%1>\n").arg(m_lists.takeLast());
        }
    }

    QString m_pictures; // their folder
    QString m_html;
    QStringList m_lists; // tags of the open lists, outermost first
    bool m_code = false;
};

// A chapter of the guide as a page of HTML: plain, readable without scripts, in the colours that the reader's system
// prefers. `markdown` begins with the title. Links to other chapters lead to ID.html.
QString chapterHtml(const QString& markdown, const ChapterFrame& frame) {
    Writer body(frame.pictures);
    for (const MarkdownBlock& block : ui::parseMarkdown(markdown)) {
        body.add(block);
    }
    QString navigation;
    QString title;
    const auto addLink = [&navigation](const GuideLink& link, bool isCurrent) {
        navigation += QStringLiteral("<a href=\"%1\"%2>%3</a>\n")
                          .arg(link.target, isCurrent ? QStringLiteral(" aria-current=\"page\"") : QString(),
                               link.text.toHtmlEscaped());
    };
    for (const GuideLink& chapter : frame.chapters) {
        const bool isCurrent = chapter.target == frame.id + QStringLiteral(".html");
        title = isCurrent ? chapter.text : title;
        addLink(chapter, isCurrent);
    }
    navigation += QStringLiteral("<hr/>\n");
    for (const GuideLink& language : frame.languages) {
        addLink(language, false);
    }
    return QStringLiteral("<!DOCTYPE html>\n<html lang=\"%1\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                          "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>%2</title>\n"
                          "<style>%3</style>\n</head>\n<body>\n<nav>\n%4</nav>\n<main>\n%5</main>\n</body>\n</html>\n")
        .arg(QString(frame.language).replace(QLatin1Char('_'), QLatin1Char('-')), title.toHtmlEscaped(),
             QLatin1String(kStyle), navigation, body.finish());
}

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

// A picture that a language lacks is the English one.
bool writePictures(const QString& folder, const QString& language) {
    for (const QString& from : {QStringLiteral("en"), language}) {
        const QString source = QStringLiteral(":/guide/%1/").arg(from);
        QDirIterator all(source + QStringLiteral("pictures"), QDir::Files, QDirIterator::Subdirectories);
        while (all.hasNext()) {
            QFile picture(all.next());
            if (!picture.open(QIODevice::ReadOnly) ||
                !write(folder + folderOf(language) + picture.fileName().mid(source.size()), picture.readAll())) {
                return false;
            }
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
