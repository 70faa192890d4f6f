#include "ui/guide/guide_chapters.h"

#include <QFile>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>
#include <optional>

// The linker leaves out the object file with the chapters if nothing refers to it. The macro declares a function, which
// must be one of the global namespace.
static bool linkChapters() {
    Q_INIT_RESOURCE(gufo_guide);
    return true;
}

namespace gufo::ui {
namespace {

const bool s_chaptersAreLinked = linkChapters();

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

// Reads a file of the guide in the user's language, or in English if the guide has none in that language.
std::optional<QByteArray> readFile(const QString& name) {
    for (const QString& language :
         {QLocale().name(), QLocale().name().section(QLatin1Char('_'), 0, 0), QStringLiteral("en")}) {
        QFile file(QStringLiteral(":/guide/%1/%2").arg(language, name));
        if (file.open(QIODevice::ReadOnly)) {
            return file.readAll();
        }
    }
    return std::nullopt;
}

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
    return QString::fromUtf8(readFile(QStringLiteral("%1.md").arg(QLatin1String(chapter.id))).value_or(QByteArray()));
}

QString guideTitle(const GuideChapter& chapter) {
    return guideText(chapter).section(QLatin1Char('\n'), 0, 0).mid(2); // without "# "
}

QImage guidePicture(const QString& name, bool dark) {
    const QString theme = dark ? QStringLiteral("dark") : QStringLiteral("light");
    return QImage::fromData(readFile(QStringLiteral("pictures/%1/%2.png").arg(theme, name)).value_or(QByteArray()));
}

} // namespace gufo::ui
