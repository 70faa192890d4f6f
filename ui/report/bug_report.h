// A text about a model file for a thread about a fault: what the file is, what is wrong with it, and on which machine.
#pragma once

#include "inference/measuring/speed.h"
#include "model/model.h"
#include "ui/report/text_sink.h"
#include "validate/validate.h"

#include <memory>
#include <optional>
#include <string>

namespace gufo::ui {

struct BugReport {
    std::shared_ptr<const Model> model;
    Validation validation;
    std::string header; // the SHA-256 of the header
    // Digests of all bytes and of the weights; empty unless they were asked for, because the whole file is read.
    std::string file{};
    std::string weights{};
    std::optional<inference::MeasuredSpeed> speed{};
};

// What the report needs and takes long: the checks, and the digests if `hash`. Errors: the errors of validate() and
// digestModel(). Must not be called on the UI thread.
[[nodiscard]] Result<BugReport> makeBugReport(const std::shared_ptr<const Model>& model, bool hash,
                                              const JobContext& job = {});

// Markdown. Folders of this computer and the home folder's name are not written, whatever contains them.
void writeBugReport(TextSink& out, const BugReport& report);

} // namespace gufo::ui
