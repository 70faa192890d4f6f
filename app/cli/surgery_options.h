// The options of `set` that take models apart: blocks (document/surgery.h), experts (expert_pruning.h), types of single
// tensors (quantize/retype.h) and tensors that get a file of their own (move_out.h); and --vocab, which adds tokens to
// the vocabulary or removes some (validate/vocabulary_edits.h).
#pragma once

#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/verb.h"
#include "document/document.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <array>
#include <string>

namespace gufo::cli {

inline constexpr auto kSurgeryOptions = std::to_array<OptionFact>({
    {"extract-mtp", QT_TRANSLATE_NOOP("gufo::cli::Cli", "MTP.gguf"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "write the blocks that predict further tokens to a file of their own"), true},
    {"strip-mtp", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "remove the blocks that predict further tokens")},
    {"graft-mtp", QT_TRANSLATE_NOOP("gufo::cli::Cli", "PATH"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "add those of another file of the model")},
    {"drop-blocks", QT_TRANSLATE_NOOP("gufo::cli::Cli", "LIST"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "remove blocks, such as 3,7-9; the later ones move up")},
    {"duplicate-blocks", QT_TRANSLATE_NOOP("gufo::cli::Cli", "LIST"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "put a copy of each range, such as 4-7, behind it")},
    {"keep-experts", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N|PATH"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "keep N experts of each block, those that the importance matrix counts most often; all that an "
                       "importance matrix PATH counts; or those of a list PATH with lines such as 3: 0,2,5-7")},
    {"imatrix", QT_TRANSLATE_NOOP("gufo::cli::Cli", "PATH"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "the importance matrix for --keep-experts N; default: the one that the file names, beside it")},
    {"retype", QT_TRANSLATE_NOOP("gufo::cli::Cli", "REGEX=TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "write the tensors whose name matches in another type, such as attn_v=Q6_K; norms and the like "
                       "need their full name")},
    {"move-out", QT_TRANSLATE_NOOP("gufo::cli::Cli", "REGEX=PATH"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "move the tensors whose whole name matches to a file of their own: a projector, or a table; one "
                       "that the model needs becomes its second part, with -o NAME-00001-of-00002.gguf"),
     true},
});

// Compiles the pattern of an option of `set`. With `whole`, the expression matches only whole names. Prints an error if
// the pattern is no regular expression.
[[nodiscard]] Expected<QRegularExpression> regularExpression(const char* option, const std::string& pattern, bool whole,
                                                             Console& console);

[[nodiscard]] bool wantsSurgery(const Invocation& invocation);
// Applies them to the document in that order, after the other edits, and refuses what would be invalid. Prints errors.
// With --dry-run, no file is written. The result is false if only a file of its own was written.
[[nodiscard]] Expected<bool> applySurgery(Document& document, const Invocation& invocation,
                                          const Cancellation& cancellation, Console& console);

// Applies all values of the option --vocab: first additions, in their order, then removals, whose ids are those before
// the additions. Prints an error if one is impossible; the document may then be edited in part, and must not be saved.
[[nodiscard]] Expected<void> editVocabulary(Document& document, const Invocation& invocation, Console& console);

} // namespace gufo::cli
