// A chapter of the guide as a page of HTML: plain, readable without scripts, in the colours that the reader's system
// prefers.
//
// Threads: pure functions.
#pragma once

#include <QString>

namespace gufo {

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

// `markdown` begins with the title. Links to other chapters lead to ID.html.
[[nodiscard]] QString chapterHtml(const QString& markdown, const ChapterFrame& frame);

} // namespace gufo
