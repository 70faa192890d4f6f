// Translations. Every program that links this layer loads them when its QCoreApplication is created: first the English
// catalogue, which holds the plural forms of sentences with numbers (%n), then the one of the user's language, if there
// is one. They are compiled in from resources/translations, so nothing has to be installed. Only the words of Qt's own
// dialogs come from the system's catalogues of Qt.
//
// Threads: main thread only, except numerus().
#pragma once

#include <QLocale>
#include <QStringList>

#include <cstdint>

namespace gufo::ui {

// Converts a number for tr("%n tensors", nullptr, numerus(n)). A number beyond the range of int becomes one with the
// same plural form, so sentences whose numbers can be that large take the figure as an argument: tr("%1 weights",
// nullptr, numerus(n)).arg(formatCount(n)).
[[nodiscard]] int numerus(std::uint64_t n);

// The languages with a catalogue by their names as locales ("de", "en", "zh_CN"), sorted by what they call themselves.
[[nodiscard]] QStringList languages();
// What a language calls itself: "Deutsch".
[[nodiscard]] QString nativeLanguageName(const QString& language);
// Uses a language and its format of numbers and dates; the system's if the name is empty. Texts that are already shown
// do not change, so it is called before the first window exists.
void setLanguage(const QString& language);
// How the language of the texts writes numbers: 1,234.5 in English, 1.234,5 in German. English where the language of
// the user has no catalogue, so that numbers never belong to another language than the words around them. Any thread.
[[nodiscard]] const QLocale& figureLocale();
// For programs whose output is also read by programs: numbers are English, whatever the language of the texts.
void keepEnglishFigures();

} // namespace gufo::ui
