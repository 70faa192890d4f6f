// The options --lookup and --draft, by which several tokens are evaluated together.
#pragma once

#include "cli/engine_options.h"
#include "inference/drafting/drafter.h"

namespace gufo::cli {

// Null if neither option is given. Errors are printed as those of `verb`: both options, an engine without logits, a
// drafting model that cannot run or has another vocabulary.
[[nodiscard]] Expected<std::shared_ptr<inference::Drafter>>
drafterOf(const Invocation& invocation, const char* verb, const inference::Responder& responder, Console& console);

// "; 40 of 52 drafted tokens accepted"; empty if none was drafted.
[[nodiscard]] QString draftText(const inference::ResponseFigures& figures);

} // namespace gufo::cli
