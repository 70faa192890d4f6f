// How a template writes tool calls: the second half of format_derivation.h.
#pragma once

#include "text/conversation/template_probe.h"

namespace gufo::text {

// `one` and `two`: what the model writes for one and for two calls (TemplateProbe::calls()); `two` is nothing where the
// template cannot write several. `format`: what is known of thoughts and texts.
[[nodiscard]] std::optional<CallFormat> deriveCallFormat(probing::TemplateProbe& probe, const AnswerFormat& format,
                                                         const std::string& one, const std::optional<std::string>& two,
                                                         const probing::CallVariant& variant);

} // namespace gufo::text
