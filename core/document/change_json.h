// Changes as JSON, in the form that drafts store: one object each, whose member "op" names the operation. The sources
// are write_changes.cpp and read_changes.cpp.
#pragma once

#include "base/job_context.h"
#include "base/json_reader.h"
#include "base/json_text.h"
#include "model/change.h"

#include <functional>

namespace gufo {

// Opens the model that a tensor is imported from. If it fails, the change is skipped.
using ModelOpener = std::function<Result<std::shared_ptr<const Model>>(const std::filesystem::path& file)>;

// Writes a list. An imported tensor is identified by the path of its model and a fingerprint of the model's header.
// Errors: Cancelled, Truncated.
[[nodiscard]] Result<> writeChanges(JsonText& json, const std::vector<Change>& changes, const JobContext& job = {});

struct ReadChanges {
    std::vector<Change> changes;
    std::vector<Error> missing; // why tensors can no longer be imported
};
// Errors: BadSyntax, NestingTooDeep, Cancelled.
[[nodiscard]] Result<ReadChanges> readChanges(JsonReader& json, const ModelOpener& open, const JobContext& job = {});

// Returns 16 hexadecimal digits that change whenever a header of the model's files changes. Reads the headers, which
// takes milliseconds.
[[nodiscard]] std::string headerFingerprint(const Model& model);

} // namespace gufo
