#include "ui/messages/finding_text.h"

#include "model/finding_code.h"
#include "model/finding_list.h"
#include "pairing/pairing.h"
#include "ui/messages/detail_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/problem_text.h"
#include "ui/messages/template_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace gufo::ui {
namespace {

struct FindingWords {
    FindingCode code;
    const char* title;   // short, without figures
    const char* message; // %1 … are Finding::args, as listed in finding_codes.inc
    const char* hint;    // how to fix it
};

constexpr auto kFindingWords = std::to_array<FindingWords>({
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
     QT_TRANSLATE_NOOP("Findings",
                       "It takes the place of the first token that is reserved or unused, or else a row that "
                       "is the mean of all others. A model that was not trained with it does not know "
                       "what it means.")},
    {FindingCode::TemplateLiteralNewline, QT_TRANSLATE_NOOP("Findings", "Replace by line breaks"),
     QT_TRANSLATE_NOOP("Findings", "This is wrong where the template shows the model how to write \\n.")},
    {FindingCode::TemplateQuoted, QT_TRANSLATE_NOOP("Findings", "Remove the quotation marks"), ""},
    {FindingCode::TemplateNotStored, QT_TRANSLATE_NOOP("Findings", "Remove from the list"), ""},
    {FindingCode::SplitKeysLeft, QT_TRANSLATE_NOOP("Findings", "Remove the split keys"), ""},
    {FindingCode::TitleMissing, QT_TRANSLATE_NOOP("Findings", "Take it from the file's name"),
     QT_TRANSLATE_NOOP("Findings", "The name is inferred from that of the file.")},
    {FindingCode::LicenceSpelling, QT_TRANSLATE_NOOP("Findings", "Use the identifier"), ""},
    {FindingCode::LinkBroken, QT_TRANSLATE_NOOP("Findings", "Complete the address"),
     QT_TRANSLATE_NOOP("Findings", "The address is inferred: check where it leads.")},
    {FindingCode::BaseModelCount, QT_TRANSLATE_NOOP("Findings", "Set the number"), ""},
    {FindingCode::BaseModelUnlinked, QT_TRANSLATE_NOOP("Findings", "Add its address on the Hub"),
     QT_TRANSLATE_NOOP("Findings",
                       "The address is inferred from the organisation and the name: check where it leads.")},
    {FindingCode::LanguageUnknown, QT_TRANSLATE_NOOP("Findings", "Use the code"), ""},
    {FindingCode::ImatrixPath, QT_TRANSLATE_NOOP("Findings", "Keep only the name"), ""},
    {FindingCode::TemplateThreat, QT_TRANSLATE_NOOP("Findings", "Delete the characters"), ""},
    {FindingCode::TemplateFault, QT_TRANSLATE_NOOP("Findings", "Set the end of answers"), ""},
    {FindingCode::OllamaDialect, QT_TRANSLATE_NOOP("Findings", "Convert to the common form"),
     QT_TRANSLATE_NOOP("Findings", "Versions of Ollama that know only its own form no longer run the file.")},
});

const FindingWords& wordsOf(FindingCode code) { return kFindingWords[static_cast<std::size_t>(code)]; }

// Whether the id of a token is −1, signed or as u32.
bool isNoToken(const Finding& finding) {
    return finding.code == FindingCode::TokenIdUnusable && !finding.args.empty() &&
           (finding.args.front().text() == "-1" || finding.args.front().text() == "4294967295");
}

// Whether a marker that is not in the vocabulary can take the place of no other token.
bool hasNoRoom(const Finding& finding) {
    return finding.code == FindingCode::TemplateTokenUnknown && finding.args.size() == 3 &&
           finding.args.back().text().empty();
}

// What an audit of the template has found, from the arguments of a finding: its code, its line and its own arguments.
std::optional<text::AuditFinding> auditedIn(const Finding& finding) {
    constexpr std::size_t kArgs = 2;
    if ((finding.code != FindingCode::TemplateThreat && finding.code != FindingCode::TemplateFault) ||
        finding.args.size() < kArgs) {
        return std::nullopt;
    }
    const text::AuditFact* fact = text::findAuditFact(finding.args[0].text());
    if (fact == nullptr) {
        return std::nullopt;
    }
    return text::AuditFinding{.code = fact->code,
                              .line = std::atoi(finding.args[1].text().c_str()),
                              .args = {finding.args.begin() + kArgs, finding.args.end()}};
}

QString findingWords(const char* text) {
    return *text == '\0' ? QString() : QCoreApplication::translate("Findings", text);
}

class PairTexts {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::Pairing)
};

struct PairWords {
    const char* reason;
    const char* remedy; // empty if nothing would make the files fit, or nothing needs to
};
constexpr auto kPairWords = std::to_array<PairWords>({
#define GUFO_PAIR(code, name, verdict, args, words, remedy) {words, remedy},
#include "pairing/pair_reasons.inc"
#undef GUFO_PAIR
});

} // namespace

QString findingTitle(const Finding& finding) { return findingWords(wordsOf(finding.code).title); }

QString findingMessage(const Finding& finding) {
    if (finding.code == FindingCode::TemplateUnjudged && !finding.args.empty()) {
        const QString reason = unjudgedText(text::unjudgedReason(finding.args.front().text()));
        return reason.isEmpty() ? sentence("Findings", wordsOf(finding.code).message, finding.args) : reason;
    }
    if (const auto audited = auditedIn(finding)) {
        const QString message = auditMessage(*audited);
        return audited->line == 0
                   ? message
                   : sentence("Findings", wordsOf(finding.code).message, {audited->line, message.toStdString()});
    }
    if (const auto why = unreadableReason(finding)) {
        return sentence("Findings", wordsOf(finding.code).message,
                        {finding.args.front(), errorReason(*why).toStdString()});
    }
    if (isNoToken(finding)) {
        return findingWords(QT_TRANSLATE_NOOP("Findings",
                                              "The value is −1, which some programs write for \"no such token\"; "
                                              "the model is treated as having none."));
    }
    if (hasNoRoom(finding)) {
        return sentence(
            "Findings",
            QT_TRANSLATE_NOOP("Findings",
                              "%1, in line %2, is not in the vocabulary: the model would read it as text. "
                              "No token of the vocabulary is unused, so it needs a further row of the embedding."),
            finding.args);
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
    if (hasNoRoom(finding)) {
        return findingWords(QT_TRANSLATE_NOOP("Findings",
                                              "Use the template of this model, or add the token, as gufo-cli set "
                                              "FILE --vocab extend:TOKEN does."));
    }
    return isNoToken(finding) ? findingWords(QT_TRANSLATE_NOOP("Findings", "Delete the key."))
                              : findingWords(wordsOf(finding.code).hint);
}

QString fixLabel(FindingCode code) {
    const auto* row = std::ranges::find(kFixWords, code, &FixWords::code);
    return row != kFixWords.end() ? findingWords(row->label) : QString();
}

QString fixConsequence(FindingCode code) {
    const auto* row = std::ranges::find(kFixWords, code, &FixWords::code);
    return row != kFixWords.end() ? findingWords(row->consequence) : QString();
}

QString pairReasonText(const PairReason& reason) {
    Arguments args = reason.args;
    if (reason.why) {
        args.emplace_back(errorReason(*reason.why).toStdString());
    }
    return sentence("Pairing", kPairWords.at(static_cast<std::size_t>(reason.code)).reason, args);
}

QString pairRemedyText(const PairReason& reason) {
    const char* remedy = kPairWords.at(static_cast<std::size_t>(reason.code)).remedy;
    return *remedy == '\0' ? QString() : QCoreApplication::translate("Pairing", remedy);
}

QString pairKindText(PairKind kind) {
    switch (kind) {
    case PairKind::Adapter:
        return PairTexts::tr("an adapter for the model");
    case PairKind::Projector:
        return PairTexts::tr("a projector for the model");
    case PairKind::Imatrix:
        return PairTexts::tr("an importance matrix for the model");
    case PairKind::Draft:
        return PairTexts::tr("a model that drafts for the other");
    case PairKind::Mtp:
        return PairTexts::tr("prediction blocks for the model");
    case PairKind::Unrelated:
        break;
    }
    return PairTexts::tr("no pair");
}

QString pairVerdictText(PairVerdict verdict) {
    switch (verdict) {
    case PairVerdict::Fits:
        return PairTexts::tr("They fit");
    case PairVerdict::Limited:
        return PairTexts::tr("They fit, with a limit");
    case PairVerdict::DoesNotFit:
        break;
    }
    return PairTexts::tr("They do not fit");
}

} // namespace gufo::ui
