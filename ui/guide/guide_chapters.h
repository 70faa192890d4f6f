// The chapters of the user guide in reading order. A chapter is a task, not a part of the window; the texts are
// Markdown in resources/guide/LANGUAGE, and begin with the chapter's title as a heading. Their pictures are beside
// them, in the folder "pictures", for each theme.
#pragma once

#include <QImage>
#include <QString>

#include <span>

namespace gufo::ui {

struct GuideChapter {
    const char* id;    // name of its file
    const char* pages; // ids of the pages whose F1 opens it, separated by spaces
};

[[nodiscard]] std::span<const GuideChapter> guideChapters();
// The chapter of a page; the first chapter if there is none.
[[nodiscard]] const GuideChapter& guideChapterOf(const QString& pageId);
// The chapter with that id; null if there is none.
[[nodiscard]] const GuideChapter* findGuideChapter(const QString& id);

// In the language of the program, or in English where that has no guide.
[[nodiscard]] QString guideText(const GuideChapter& chapter);
[[nodiscard]] QString guideTitle(const GuideChapter& chapter);

// A picture that chapters name, in the language of guideText(); null if there is none. It shows the window of the
// program (./dev screenshots).
[[nodiscard]] QImage guidePicture(const QString& name, bool dark);

} // namespace gufo::ui
