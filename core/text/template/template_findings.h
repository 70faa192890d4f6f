// Chat templates that cannot be rendered, as findings about their keys, with the edit that repairs each.
#pragma once

#include "model/finding.h"
#include "model/metadata.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace gufo::text {

// Parses every chat template and looks for unknown names, in the helper process (text/template_renderer.h):
// TemplateBroken, by key. An edit is given only where the problem is gone from the edited text. The answers for the
// last few texts are kept, so that editing other keys costs nothing. Nothing if the helper is missing, or when stopped.
//
// Threads: any, also several at once, while there is a QCoreApplication; each waits for a helper of its own (0.1 s, at
// most 1 s for each parse).
[[nodiscard]] std::optional<std::vector<Finding>> checkChatTemplates(const Metadata& metadata,
                                                                     std::stop_token stop = {});

} // namespace gufo::text
