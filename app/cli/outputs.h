// Protects existing files: a verb replaces none without --force, and never one that it reads. Which arguments and
// options name outputs is part of the table of verbs. Devices and pipes are written to without asking, because nothing
// is lost there.
#pragma once

#include "cli/invocation.h"

#include <span>

namespace gufo::cli {

// Whether the verb writes a file that the user names. Such a verb has the option --force.
[[nodiscard]] bool hasOutputs(const Verb& verb);

// The file that the value of an option with isStream names; "-" means standard output.
[[nodiscard]] std::filesystem::path outputPath(const std::string& value);

// A sentence for the user if a file would be replaced that the call may not replace. For verbs that name only the
// beginning of their outputs, the second overload checks the outputs when they are known.
[[nodiscard]] std::optional<QString> refusalToReplace(const Verb& verb, const Invocation& invocation);
[[nodiscard]] std::optional<QString> refusalToReplace(const Invocation& invocation,
                                                      std::span<const std::filesystem::path> outputs);

} // namespace gufo::cli
