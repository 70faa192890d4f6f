// A model with a text that it evaluates: what the measurements of importance and of perplexity begin with.
//
// Threads: for jobs; one thread at a time.
#pragma once

#include "base/job_context.h"
#include "inference/interface/session.h"
#include "model/model.h"
#include "text/tokenizer/tokenizer.h"

#include <QString>

#include <expected>
#include <filesystem>
#include <memory>
#include <vector>

namespace gufo::ui {

// Why something cannot be measured, as a sentence for the user.
using Measurable = std::expected<void, QString>;
// Whether the model can continue a text at all. Reads only the header.
[[nodiscard]] Measurable canMeasure(const Model& model);

// A model that is ready to evaluate. It keeps a save in place from unmapping its files.
class MeasuredModel {
public:
    // Loads the model with the first engine that yields the logits of all positions. A context that is longer than the
    // one that the model was trained with is shortened to that. Errors: the errors of loading and of starting a
    // session.
    [[nodiscard]] static Result<MeasuredModel> load(std::shared_ptr<const Model> model,
                                                    inference::SessionOptions options, const JobContext& job);

    [[nodiscard]] const Model& model() const { return *m_model; }
    [[nodiscard]] inference::Session& session() { return *m_session; }
    [[nodiscard]] Result<> damage() const; // of its files since they were opened

private:
    MeasuredModel() = default;
    std::shared_ptr<const Model> m_model;
    std::vector<std::shared_ptr<const void>> m_held;
    std::shared_ptr<const inference::LoadedModel> m_loaded;
    std::unique_ptr<inference::Session> m_session;
};

struct TextTokens {
    std::vector<TokenId> ids;
    std::optional<TokenId> bos; // replaces the first token of each window, if the tokenizer adds one
};
// Reads a text of at most 1 GiB and tokenises it. Errors: the errors of reading and tokenising; LimitExceeded.
[[nodiscard]] Result<TextTokens> tokensOfFile(const std::filesystem::path& path, const text::Tokenizer& tokenizer,
                                              const JobContext& job);

} // namespace gufo::ui
