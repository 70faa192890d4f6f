#include "ui/messages/finding_text.h"

#include "ui/messages/format.h"
#include "ui/messages/template_text.h"

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
#include "ui/messages/finding_words.inc"
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

struct FixWords {
    FindingCode code;
    const char* label;
};
// One row for each repair (validate/fixes.cpp).
constexpr auto kFixWords = std::to_array<FixWords>({
    {FindingCode::EmptyKey, QT_TRANSLATE_NOOP("gufo::FindingText", "Delete the key")},
    {FindingCode::DuplicateKey, QT_TRANSLATE_NOOP("gufo::FindingText", "Delete the repetitions")},
    {FindingCode::BoolNotZeroOrOne, QT_TRANSLATE_NOOP("gufo::FindingText", "Store it as true")},
    {FindingCode::AlignmentWrongType, QT_TRANSLATE_NOOP("gufo::FindingText", "Set the alignment to 32")},
    {FindingCode::AlignmentZero, QT_TRANSLATE_NOOP("gufo::FindingText", "Set the alignment to 32")},
    {FindingCode::AlignmentNotPowerOfTwo, QT_TRANSLATE_NOOP("gufo::FindingText", "Set the alignment to 32")},
    {FindingCode::AlignmentNotMultipleOf8, QT_TRANSLATE_NOOP("gufo::FindingText", "Set the alignment to 32")},
    {FindingCode::AlignmentHuge, QT_TRANSLATE_NOOP("gufo::FindingText", "Set the alignment to 32")},
    {FindingCode::TrailingBytes, QT_TRANSLATE_NOOP("gufo::FindingText", "Drop these bytes")},
    {FindingCode::DraftVersion1, QT_TRANSLATE_NOOP("gufo::FindingText", "Write version 3")},
    {FindingCode::ValueTypeBeforeItsVersion, QT_TRANSLATE_NOOP("gufo::FindingText", "Write version 3")},
    {FindingCode::BigEndianBeforeV3, QT_TRANSLATE_NOOP("gufo::FindingText", "Write version 3")},
    {FindingCode::TokenIdUnusable, QT_TRANSLATE_NOOP("gufo::FindingText", "Delete the key")},
    {FindingCode::WrongValueType, QT_TRANSLATE_NOOP("gufo::FindingText", "Change the type")},
    {FindingCode::UnusualValueType, QT_TRANSLATE_NOOP("gufo::FindingText", "Change the type")},
    {FindingCode::KeyAlias, QT_TRANSLATE_NOOP("gufo::FindingText", "Rename the key")},
    {FindingCode::QuantisationVersionMissing, QT_TRANSLATE_NOOP("gufo::FindingText", "Add the key")},
    {FindingCode::FileTypeContradicts, QT_TRANSLATE_NOOP("gufo::FindingText", "Set the file type")},
    {FindingCode::VocabularySizeKey, QT_TRANSLATE_NOOP("gufo::FindingText", "Set the size")},
    {FindingCode::TokenArrayLength, QT_TRANSLATE_NOOP("gufo::FindingText", "Match the tokens")},
    {FindingCode::SpecialTokenNotControl, QT_TRANSLATE_NOOP("gufo::FindingText", "Make it a control token")},
    {FindingCode::TokenTypeUnknown, QT_TRANSLATE_NOOP("gufo::FindingText", "Set its type")},
    {FindingCode::ControlTokenTypedNormal, QT_TRANSLATE_NOOP("gufo::FindingText", "Make them control tokens")},
    {FindingCode::TemplateBroken, QT_TRANSLATE_NOOP("gufo::FindingText", "Repair")},
    {FindingCode::SplitKeysLeft, QT_TRANSLATE_NOOP("gufo::FindingText", "Remove the split keys")},
});

const FindingWords& wordsOf(FindingCode code) { return kWords[kRowOf[static_cast<std::size_t>(code)]]; }

QString tr(const char* text) {
    return *text == '\0' ? QString() : QCoreApplication::translate("gufo::FindingText", text);
}

} // namespace

QString findingTitle(const Finding& finding) { return tr(wordsOf(finding.code).title); }

QString findingMessage(const Finding& finding) {
    constexpr std::size_t kCode = 2; // of a template's problem; its own arguments come after the repair
    constexpr std::size_t kArgs = 6;
    if (finding.code != FindingCode::TemplateBroken || finding.args.size() < kArgs) {
        return fillIn(tr(wordsOf(finding.code).message), finding.args);
    }
    text::TemplateProblem problem{.code = QString::fromStdString(finding.args[kCode]), .args = {}};
    for (std::size_t i = kArgs; i < finding.args.size(); ++i) {
        problem.args.append(QString::fromStdString(finding.args[i]));
    }
    return fillIn(tr(wordsOf(finding.code).message),
                  {finding.args[0], finding.args[1], templateProblemText(problem).toStdString()});
}

QString findingHint(const Finding& finding) { return tr(wordsOf(finding.code).hint); }

QString fixLabel(FindingCode code) {
    const auto* row = std::ranges::find(kFixWords, code, &FixWords::code);
    return row != kFixWords.end() ? tr(row->label) : QString();
}

} // namespace gufo::ui
