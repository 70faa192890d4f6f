#include "cli/verbs/compare_divergence.h"

#include "cli/cancellation.h"
#include "cli/engine_options.h"
#include "cli/progress_line.h"
#include "cli/text_input.h"
#include "inference/measuring/perplexity.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/vocabulary_text.h"

#include <algorithm>

namespace gufo::cli {

Expected<std::vector<std::optional<double>>> measureDivergences(const std::vector<std::string>& models,
                                                                const std::string& text, Console& console) {
    inference::PerplexitySettings settings;
    const inference::SessionOptions options{.context = settings.window, .logitRows = settings.window};
    const auto content = GUFO_TRY(readTextFile(text, console));
    const auto reference = GUFO_TRY(loadEngine(models.front(), options, console));
    std::shared_ptr<const text::Tokenizer> tokenizer;
    std::vector<TokenId> tokens;
    {
        const Cancellation cancellation;
        tokenizer = GUFO_TRY(loadTokenizer(*reference.model, cancellation, models.front(), console));
        auto encoding = tokenizer->encode(content, {}, {.stop = cancellation.token()});
        if (!encoding) {
            return std::unexpected(failedOrCancelled(encoding.error(), models.front(), cancellation, console));
        }
        tokens = std::move(encoding->ids);
    }
    settings.window = reference.session->context();
    if (tokens.size() < settings.window) {
        return std::unexpected(
            console.fail(Cli::tr("compare: the text of --kl has %n tokens, but at least %1 are needed", nullptr,
                                 ui::numerus(tokens.size()))
                             .arg(ui::formatCount(settings.window))));
    }
    if (tokenizer->addsBos()) {
        settings.bos = tokenizer->specials().bos;
    }
    std::vector<std::optional<double>> divergences(models.size());
    for (std::size_t i = 1; i < models.size(); ++i) {
        const auto leaveOut = [&](const QString& why) {
            console.note(
                Cli::tr("%1: its KL divergence is not known, because %2").arg(ui::displayText(models[i]), why));
        };
        const auto other = loadEngine(models[i], options, console); // prints why not
        if (!other) {
            leaveOut(Cli::tr("it cannot be run"));
            continue;
        }
        const Cancellation cancellation;
        const auto vocabulary = text::Vocabulary::read(other->model->metadata, {.stop = cancellation.token()});
        if (!vocabulary) {
            return std::unexpected(failedOrCancelled(vocabulary.error(), models[i], cancellation, console));
        }
        if (const auto difference = text::findDifference(tokenizer->vocabulary(), *vocabulary)) {
            leaveOut(ui::vocabularyDifferenceText(*difference));
            continue;
        }
        ProgressLine line(console, Cli::tr("running %1").arg(ui::displayText(models[i])), ProgressLine::Unit::Tokens);
        const auto result = inference::perplexity(*reference.session, other->session.get(), tokens, settings,
                                                  {.stop = cancellation.token(), .progress = line.progress()});
        if (!result && result.error().code == ErrorCode::InvalidArgument) { // other numbers of logits
            leaveOut(ui::errorReason(result.error()));
            continue;
        }
        if (!result) {
            return std::unexpected(failedOrCancelled(result.error(), models[i], cancellation, console));
        }
        divergences[i] = result->divergence->nats.mean;
    }
    return divergences;
}

} // namespace gufo::cli
