// What all verbs do with a model: open it, look up a tensor, and check at the end that the file was not damaged.
#pragma once

#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "model/model.h"
#include "text/tensor_filter.h"

#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace gufo::cli {

// Prints the error and returns the exit code as an unexpected value.
template<typename T>
using Expected = std::expected<T, int>;

[[nodiscard]] Expected<std::shared_ptr<const Model>> openModelOf(const Invocation& invocation, Console& console);
// The same with the vocabulary and the chat templates that are in files beside the weights.
[[nodiscard]] Expected<std::shared_ptr<const Model>> openTextModelOf(const Invocation& invocation, Console& console);
[[nodiscard]] Expected<TensorIndex> findTensorOf(const Model& model, const std::string& name, Console& console);

// Prints an error that names a key or a tensor which the model does not have, with the name that was likely meant, or
// any other error. Returns kFailed.
int failNaming(const Error& error, const Model& model, const std::filesystem::path& file, Console& console);

// The filter of --filter, which matches everything if it is absent. The error is a sentence for the user.
[[nodiscard]] std::expected<text::TensorFilter, QString> tensorFilterOf(const Invocation& invocation);

// Says that a chat template leaves out the tools of --tools.
void noteToolsLeftOut(Console& console);

// Returns kDone, or prints an error and returns kFailed if a file of the model was truncated while it was read.
[[nodiscard]] int checkDamage(const Model& model, Console& console);

// The exit code after an error in long work. Cancelled work returns the code of the signal.
[[nodiscard]] int failedOrCancelled(const Error& error, const std::filesystem::path& file,
                                    const Cancellation& cancellation, Console& console,
                                    ui::ServerKind server = ui::ServerKind::Files);

// Prints the severity, place and message of each finding, and its hint below. Consecutive findings with the same hint
// share it: it is printed once, below the last of them. With `model`, the one that was checked, the hint of a finding
// that can be repaired names the command.
void printFindings(Console& console, std::span<const Finding> findings, const Model* model = nullptr);

// The chat template that --template chooses: one of the model, or a file.
struct ChosenTemplate {
    std::string name;               // of a template of the model, or of a file
    std::optional<std::string> key; // none for a file
    std::string source;
};

// A template of the model has its name before a file of the same name; @ before the name always means the file. Without
// the option, it is the template for conversations with or without tools. Errors are printed.
[[nodiscard]] Expected<ChosenTemplate> chosenTemplate(const Model& model, const Invocation& invocation, bool tools,
                                                      Console& console);

} // namespace gufo::cli
