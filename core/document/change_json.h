// Changes as JSON, one object each with the name of what it does in "op": what a draft holds.
#pragma once

#include "base/job_context.h"
#include "base/json_reader.h"
#include "base/json_text.h"
#include "model/change.h"

#include <functional>

namespace gufo {

// Opens the model that a tensor is imported from. An error leaves the change out.
using ModelOpener = std::function<Result<std::shared_ptr<const Model>>(const std::filesystem::path& file)>;

// A list. Tensors to be imported are named by the path of their model and a fingerprint of its header. Errors:
// Cancelled, Truncated.
[[nodiscard]] Result<> writeChanges(JsonText& json, const std::vector<Change>& changes, const JobContext& job = {});

struct ReadChanges {
    std::vector<Change> changes;
    std::vector<Error> missing; // tensors that can no longer be imported, and why
};
// Errors: BadSyntax, NestingTooDeep, Cancelled.
[[nodiscard]] Result<ReadChanges> readChanges(JsonReader& json, const ModelOpener& open, const JobContext& job = {});

// Tells whether the headers of a model's files are what they were: 16 hexadecimal digits. Reads them (milliseconds).
[[nodiscard]] std::string headerFingerprint(const Model& model);

} // namespace gufo
