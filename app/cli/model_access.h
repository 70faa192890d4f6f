// What all verbs do with the model they are given: open it, look a tensor up, say at the end whether it stayed whole.
#pragma once

#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "model/model.h"

#include <expected>
#include <memory>
#include <span>

namespace gufo::cli {

// The error, already said, as the exit code.
template<typename T>
using Expected = std::expected<T, int>;

[[nodiscard]] Expected<std::shared_ptr<const Model>> openModelOf(const Invocation& invocation, Console& console);
[[nodiscard]] Expected<TensorIndex> findTensorOf(const Model& model, const std::string& name, Console& console);

// kDone; kFailed, with the error said, if a file of the model was truncated while it was read.
[[nodiscard]] int checkDamage(const Model& model, Console& console);

// What a verb returns after an error of long work: a cancelled one by the signal that did it.
[[nodiscard]] int failedOrCancelled(const Error& error, const std::filesystem::path& file,
                                    const Cancellation& cancellation, Console& console);

// Severity, place and message of each, and below it what would fix it.
void printFindings(Console& console, std::span<const Finding> findings);

} // namespace gufo::cli
