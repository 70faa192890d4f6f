// The options --lookup, --draft and --mtp, by which several tokens are evaluated together.
#pragma once

#include "cli/engine_options.h"
#include "inference/interface/drafter.h"

#include <memory>

namespace gufo::cli {

// How a response is to be drafted, as ResponseRequest states it.
struct Drafting {
    std::shared_ptr<inference::Drafter> drafter{}; // null: none, or `mtp`
    bool mtp = false;                              // a block of the model itself drafts
};

// Prints errors in the name of `verb`: several of the options are given, an engine without logits, a model without a
// drafting block, a drafting model that cannot run or has another vocabulary.
[[nodiscard]] Expected<Drafting> drafterOf(const Invocation& invocation, const char* verb,
                                           const inference::Responder& responder, Console& console);

// Prints why --mtp is not possible, as an error of `verb`, and returns the exit code.
int failWithoutMtpDrafts(const Error& reason, const char* verb, Console& console);

// "; 40 of 52 drafted tokens accepted"; empty if none was drafted.
[[nodiscard]] QString draftText(const inference::ResponseFigures& figures);

} // namespace gufo::cli
