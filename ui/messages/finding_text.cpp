#include "messages/finding_text.h"

#include "messages/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

struct FindingWords {
    FindingCode code;
    const char* title;   // short, no figures
    const char* message; // %1 … are Finding::args, as listed in finding_codes.inc
    const char* hint;    // what would fix it
};

constexpr auto kWords = std::to_array<FindingWords>({
#define T(text) QT_TRANSLATE_NOOP("gufo::FindingText", text)
#include "messages/finding_words.inc"
#undef T
});

// Rows by code, so that the two lists need not stand in the same order.
constexpr auto kRowOf = [] {
    std::array<std::size_t, kFindingCodeCount> rows{};
    rows.fill(kWords.size());
    for (std::size_t i = 0; i < kWords.size(); ++i) {
        rows[static_cast<std::size_t>(kWords[i].code)] = i;
    }
    return rows;
}();
static_assert(std::ranges::find(kRowOf, kWords.size()) == kRowOf.end(), "a finding code has no words");
static_assert(kWords.size() == kFindingCodeCount, "a finding code has two rows of words");

const FindingWords& wordsOf(FindingCode code) { return kWords[kRowOf[static_cast<std::size_t>(code)]]; }

QString tr(const char* text) {
    return *text == '\0' ? QString() : QCoreApplication::translate("gufo::FindingText", text);
}

} // namespace

QString findingTitle(const Finding& finding) { return tr(wordsOf(finding.code).title); }

QString findingMessage(const Finding& finding) { return fillIn(tr(wordsOf(finding.code).message), finding.args); }

QString findingHint(const Finding& finding) { return tr(wordsOf(finding.code).hint); }

} // namespace gufo::ui
