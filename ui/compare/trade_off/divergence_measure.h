// Measures how far the predictions of a model diverge from the reference's predictions on a text, and keeps the
// figures, so that the same files run on the same text only once.
//
// Threads: any but the UI thread. Several threads may read and write the kept figures.
#pragma once

#include "base/job_context.h"
#include "model/model.h"
#include "text/tokenizer/tokenizer.h"

#include <QString>

#include <filesystem>
#include <memory>
#include <optional>

namespace gufo::ui {

struct DivergenceRequest {
    std::shared_ptr<const Model> reference;
    std::shared_ptr<const Model> other;
    std::filesystem::path text;
    bool onlyKept = false; // runs nothing
};

struct MeasuredDivergence {
    std::optional<double> nats; // mean KL divergence; empty if it is not known
    QString whyNot{};           // a sentence: why `other` has none; empty if nothing was run
};
// `kept` is the file of the kept figures; empty: none are kept. Errors: the errors of tokensOfFile() and
// makeTokenizer(); InvalidArgument (Detail::WindowTooLong); Cancelled; the errors of loading and running the reference.
// What prevents only `other` from running is no error.
[[nodiscard]] Result<MeasuredDivergence> measureDivergence(const DivergenceRequest& request,
                                                           const std::filesystem::path& kept, const JobContext& job);
// Why the predictions of another model cannot be compared with the predictions of the model that has the tokenizer, as
// a sentence; empty if they can. Errors: Cancelled.
[[nodiscard]] Result<QString> vocabularyProblem(const text::Tokenizer& tokenizer, const Model& other,
                                                const JobContext& job);
// The file in which the window keeps its figures.
[[nodiscard]] std::filesystem::path keptDivergences();

} // namespace gufo::ui
