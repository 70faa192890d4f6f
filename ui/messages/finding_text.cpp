#include "ui/messages/finding_text.h"

#include "model/finding_code.h"
#include "model/finding_list.h"
#include "ui/messages/detail_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/problem_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

struct FindingWords {
    FindingCode code;
    const char* title;   // short, without figures
    const char* message; // %1 … are Finding::args, as listed in finding_codes.inc
    const char* hint;    // how to fix it
};

constexpr auto kWords = std::to_array<FindingWords>({
#define GUFO_FINDING(code, name, severity, args, title, message, hint) {FindingCode::code, title, message, hint},
#include "model/finding_codes.inc"
#undef GUFO_FINDING
});

struct FixWords {
    FindingCode code;
    const char* label;
    const char* consequence; // of a repair that guesses or loses something; empty if none of its findings has one
};
// One row for each repair (validate/fixes.cpp).
constexpr auto kFixWords = std::to_array<FixWords>({
    {FindingCode::EmptyKey, QT_TRANSLATE_NOOP("Findings", "Delete the key"),
     QT_TRANSLATE_NOOP("Findings", "Its value is lost.")},
    {FindingCode::DuplicateKey, QT_TRANSLATE_NOOP("Findings", "Delete the repetitions"),
     QT_TRANSLATE_NOOP("Findings", "The first value stays, and the others are lost.")},
    {FindingCode::BoolNotZeroOrOne, QT_TRANSLATE_NOOP("Findings", "Store it as true"), ""},
    {FindingCode::AlignmentWrongType, QT_TRANSLATE_NOOP("Findings", "Set the alignment to 32"),
     QT_TRANSLATE_NOOP("Findings",
                       "The number in the file is replaced by the alignment with which its tensors were read.")},
    {FindingCode::AlignmentZero, QT_TRANSLATE_NOOP("Findings", "Set the alignment to 32"), ""},
    {FindingCode::AlignmentNotPowerOfTwo, QT_TRANSLATE_NOOP("Findings", "Set the alignment to 32"), ""},
    {FindingCode::AlignmentNotMultipleOf8, QT_TRANSLATE_NOOP("Findings", "Set the alignment to 32"), ""},
    {FindingCode::AlignmentHuge, QT_TRANSLATE_NOOP("Findings", "Set the alignment to 32"), ""},
    {FindingCode::TrailingBytes, QT_TRANSLATE_NOOP("Findings", "Drop these bytes"),
     QT_TRANSLATE_NOOP("Findings", "The bytes are lost.")},
    {FindingCode::DraftVersion1, QT_TRANSLATE_NOOP("Findings", "Write version 3"), ""},
    {FindingCode::ValueTypeBeforeItsVersion, QT_TRANSLATE_NOOP("Findings", "Write version 3"), ""},
    {FindingCode::BigEndianBeforeV3, QT_TRANSLATE_NOOP("Findings", "Write version 3"), ""},
    {FindingCode::TokenIdUnusable, QT_TRANSLATE_NOOP("Findings", "Delete the key"),
     QT_TRANSLATE_NOOP("Findings",
                       "The model then has no such token: without an end of text, its answers may not end.")},
    {FindingCode::WrongValueType, QT_TRANSLATE_NOOP("Findings", "Change the type"), ""},
    {FindingCode::UnusualValueType, QT_TRANSLATE_NOOP("Findings", "Change the type"), ""},
    {FindingCode::KeyAlias, QT_TRANSLATE_NOOP("Findings", "Rename the key"), ""},
    {FindingCode::QuantisationVersionMissing, QT_TRANSLATE_NOOP("Findings", "Add the key"), ""},
    {FindingCode::FileTypeContradicts, QT_TRANSLATE_NOOP("Findings", "Set the file type"),
     QT_TRANSLATE_NOOP("Findings", "Of a family of mixes, such as Q4_K_S and Q4_K_M, the medium one is set.")},
    {FindingCode::VocabularySizeKey, QT_TRANSLATE_NOOP("Findings", "Set the size"),
     QT_TRANSLATE_NOOP("Findings", "This is wrong if tokens are missing from the list.")},
    {FindingCode::TokenArrayLength, QT_TRANSLATE_NOOP("Findings", "Match the tokens"),
     QT_TRANSLATE_NOOP("Findings", "Values beyond the tokens are lost. Missing types are inferred from the spelling "
                                   "of the tokens, and missing scores become 0.")},
    {FindingCode::SpecialTokenNotControl, QT_TRANSLATE_NOOP("Findings", "Make it a control token"),
     QT_TRANSLATE_NOOP("Findings",
                       "If the key names the wrong token, text that contains this token is then read differently.")},
    {FindingCode::TokenTypeUnknown, QT_TRANSLATE_NOOP("Findings", "Set its type"),
     QT_TRANSLATE_NOOP("Findings", "The type is inferred from the spelling of the token.")},
    {FindingCode::ControlTokenTypedNormal, QT_TRANSLATE_NOOP("Findings", "Make them control tokens"),
     QT_TRANSLATE_NOOP("Findings",
                       "They are chosen by their spelling. Text that contains them is then read differently.")},
    {FindingCode::TemplateBroken, QT_TRANSLATE_NOOP("Findings", "Repair"),
     QT_TRANSLATE_NOOP("Findings", "The intention is inferred: check what it renders.")},
    {FindingCode::TemplateTokenUnknown, QT_TRANSLATE_NOOP("Findings", "Add the token"),
     QT_TRANSLATE_NOOP("Findings", "It takes the place of the first token that is reserved or unused. A model that was "
                                   "not trained with it does not know what it means.")},
    {FindingCode::TemplateLiteralNewline, QT_TRANSLATE_NOOP("Findings", "Replace by line breaks"),
     QT_TRANSLATE_NOOP("Findings", "This is wrong where the template shows the model how to write \\n.")},
    {FindingCode::TemplateQuoted, QT_TRANSLATE_NOOP("Findings", "Remove the quotation marks"), ""},
    {FindingCode::TemplateNotStored, QT_TRANSLATE_NOOP("Findings", "Remove from the list"), ""},
    {FindingCode::SplitKeysLeft, QT_TRANSLATE_NOOP("Findings", "Remove the split keys"), ""},
});

const FindingWords& wordsOf(FindingCode code) { return kWords[static_cast<std::size_t>(code)]; }

// Whether the id of a token is −1, signed or as u32.
bool isNoToken(const Finding& finding) {
    return finding.code == FindingCode::TokenIdUnusable && !finding.args.empty() &&
           (finding.args.front().text() == "-1" || finding.args.front().text() == "4294967295");
}

QString words(const char* text) { return *text == '\0' ? QString() : QCoreApplication::translate("Findings", text); }

} // namespace

QString findingTitle(const Finding& finding) { return words(wordsOf(finding.code).title); }

QString findingMessage(const Finding& finding) {
    if (const auto why = unreadableReason(finding)) {
        return sentence("Findings", wordsOf(finding.code).message,
                        {finding.args.front(), errorReason(*why).toStdString()});
    }
    if (isNoToken(finding)) {
        return words(QT_TRANSLATE_NOOP("Findings", "The value is −1, which some programs write for \"no such token\"; "
                                                   "the model is treated as having none."));
    }
    constexpr std::size_t kCode = 2; // index of the template problem's code; its own arguments follow the repair
    constexpr std::size_t kArgs = 6;
    if (finding.code != FindingCode::TemplateBroken || finding.args.size() < kArgs) {
        return sentence("Findings", wordsOf(finding.code).message, finding.args);
    }
    text::TemplateProblem problem{.code = QString::fromStdString(finding.args[kCode].text()), .args = {}};
    for (std::size_t i = kArgs; i < finding.args.size(); ++i) {
        problem.args.append(QString::fromStdString(finding.args[i].text()));
    }
    return sentence("Findings", wordsOf(finding.code).message,
                    {finding.args[0], finding.args[1], templateProblemText(problem).toStdString()});
}

QString findingHint(const Finding& finding) {
    return isNoToken(finding) ? words(QT_TRANSLATE_NOOP("Findings", "Delete the key."))
                              : words(wordsOf(finding.code).hint);
}

QString fixLabel(FindingCode code) {
    const auto* row = std::ranges::find(kFixWords, code, &FixWords::code);
    return row != kFixWords.end() ? words(row->label) : QString();
}

QString fixConsequence(FindingCode code) {
    const auto* row = std::ranges::find(kFixWords, code, &FixWords::code);
    return row != kFixWords.end() ? words(row->consequence) : QString();
}

} // namespace gufo::ui
