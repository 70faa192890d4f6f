#include "ui/guide/guide_chapters.h"

#include <QFile>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

constexpr auto kChapters = std::to_array<GuideChapter>({
    {"look-into-a-model", "overview tensors diagram bytes tokenizer"},
    {"edit-and-save", "metadata"},
    {"fix-a-chat-template", "template"},
    {"chat-with-a-model", "run inside"},
    {"which-of-these-files", "compare"},
    {"why-nonsense", ""},
    {"fit-into-memory", ""},
    {"publish-a-model", ""},
    {"is-this-that-model", ""},
    {"before-gguf", ""},
});

} // namespace

std::span<const GuideChapter> guideChapters() { return kChapters; }

const GuideChapter& guideChapterOf(const QString& pageId) {
    const auto* const found = std::ranges::find_if(kChapters, [&](const GuideChapter& chapter) {
        return QString::fromLatin1(chapter.pages).split(QLatin1Char(' '), Qt::SkipEmptyParts).contains(pageId);
    });
    return found != kChapters.end() ? *found : kChapters.front();
}

const GuideChapter* findGuideChapter(const QString& id) {
    const auto* const found =
        std::ranges::find_if(kChapters, [&](const GuideChapter& chapter) { return id == QLatin1String(chapter.id); });
    return found != kChapters.end() ? found : nullptr;
}

QString guideText(const GuideChapter& chapter) {
    for (const QString& language :
         {QLocale().name(), QLocale().name().section(QLatin1Char('_'), 0, 0), QStringLiteral("en")}) {
        QFile file(QStringLiteral(":/guide/%1/%2.md").arg(language, QLatin1String(chapter.id)));
        if (file.open(QIODevice::ReadOnly)) {
            return QString::fromUtf8(file.readAll());
        }
    }
    return {};
}

QString guideTitle(const GuideChapter& chapter) {
    return guideText(chapter).section(QLatin1Char('\n'), 0, 0).mid(2); // without "# "
}

QImage guidePicture(const QString& name, bool dark) {
    return QImage(QStringLiteral(":/guide/pictures/%1/%2.png")
                      .arg(dark ? QStringLiteral("dark") : QStringLiteral("light"), name));
}

} // namespace gufo::ui
