#include "ui/pages/run/sampler_rows.h"

#include <QtGlobal>

namespace gufo::ui {
namespace {

using Settings = inference::SamplerSettings;

} // namespace

std::span<const SamplerRow> samplerRows() {
    static constexpr SamplerRow kRows[] = {
        {"temperature", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "Temperature"),
         QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel",
                           "The randomness of sampling. 0 always takes the most likely token; 1 uses the model's "
                           "probabilities; higher values make them more even."),
         &Settings::temperature, nullptr, 0, 10, 2, 0.05, 2, false},
        {"top_k", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "Top-k"),
         QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "Keeps this many of the most likely tokens. 0: all of them."),
         nullptr, &Settings::topK, 0, 1'000'000, 100, 1, 0, false},
        {"top_p", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "Top-p"),
         QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel",
                           "Keeps the most likely tokens up to this total probability. 1: all of them."),
         &Settings::topP, nullptr, 0, 1, 1, 0.01, 2, false},
        {"min_p", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "Min-p"),
         QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel",
                           "Removes tokens less likely than this fraction of the most likely one. 0: off."),
         &Settings::minP, nullptr, 0, 1, 1, 0.01, 2, false},
        {"repeat_penalty", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "Repeat penalty"),
         QT_TRANSLATE_NOOP(
             "gufo::ui::SamplerPanel",
             "Makes recently used tokens less likely: their positive logits are divided by this, negative ones "
             "multiplied. 1: off."),
         &Settings::repeatPenalty, nullptr, 0.5, 10, 2, 0.01, 2, false},
        {"presence_penalty", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "Presence penalty"),
         QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel",
                           "Subtracted once from the logit of each recently used token. 0: off."),
         &Settings::presencePenalty, nullptr, -10, 10, 2, 0.05, 2, false},
        {"frequency_penalty", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "Frequency penalty"),
         QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel",
                           "Subtracted from the logit of a token for each recent use. 0: off."),
         &Settings::frequencyPenalty, nullptr, -10, 10, 2, 0.05, 2, true},
        {"penalty_last", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "Penalty range"),
         QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "The number of recent tokens that the three penalties apply to."),
         nullptr, &Settings::penaltyLast, 0, 1'000'000, 512, 16, 0, true},
        {"dry_multiplier", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "DRY strength"),
         QT_TRANSLATE_NOOP(
             "gufo::ui::SamplerPanel",
             "Don't repeat yourself: penalises tokens that would extend a repetition, increasingly with its "
             "length. 0: off; 0.8 is common."),
         &Settings::dryMultiplier, nullptr, 0, 100, 2, 0.05, 2, true},
        {"dry_base", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "DRY base"),
         QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "The factor by which the penalty grows with each repeated token."),
         &Settings::dryBase, nullptr, 1, 100, 4, 0.05, 2, true},
        {"dry_allowed", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "DRY allowed length"),
         QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "Repetitions up to this many tokens are not penalised."), nullptr,
         &Settings::dryAllowed, 0, 1'000, 20, 1, 0, true},
        {"dry_last", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "DRY range"),
         QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "The number of recent tokens in which DRY looks for "
                                                     "repetitions. 0: all of them."),
         nullptr, &Settings::dryLast, 0, 1'000'000, 4096, 64, 0, true},
        {"xtc_probability", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "XTC probability"),
         QT_TRANSLATE_NOOP(
             "gufo::ui::SamplerPanel",
             "Exclude top choices: the probability of removing all tokens above the threshold except the least "
             "likely of them. 0: never."),
         &Settings::xtcProbability, nullptr, 0, 1, 1, 0.05, 2, true},
        {"xtc_threshold", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "XTC threshold"),
         QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "Tokens of at least this probability are top choices."),
         &Settings::xtcThreshold, nullptr, 0, 0.5, 0.5, 0.01, 2, true},
        {"typical_p", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "Typical"),
         QT_TRANSLATE_NOOP(
             "gufo::ui::SamplerPanel",
             "Keeps the tokens whose surprise is closest to the entropy, up to this total probability. 1: off."),
         &Settings::typicalP, nullptr, 0, 1, 1, 0.01, 2, true},
        {"top_n_sigma", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "Top-n-sigma"),
         QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel",
                           "Keeps tokens whose logit is within this many standard deviations of the largest. 0: off."),
         &Settings::topNSigma, nullptr, 0, 100, 5, 0.1, 2, true},
        {"temperature_range", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "Dynamic range"),
         QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel",
                           "Varies the temperature by up to this amount with the entropy of the next token. 0: off."),
         &Settings::temperatureRange, nullptr, 0, 10, 2, 0.05, 2, true},
        {"temperature_exponent", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "Dynamic exponent"),
         QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "How the temperature follows the entropy within the "
                                                     "dynamic range: 1 in proportion; a "
                                                     "larger exponent keeps it low until the next token is "
                                                     "very uncertain."),
         &Settings::temperatureExponent, nullptr, 0, 10, 4, 0.05, 2, true},
        {"mirostat", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "Mirostat"),
         QT_TRANSLATE_NOOP(
             "gufo::ui::SamplerPanel",
             "Keeps the surprise of the text constant instead of using the samplers that remove tokens: version "
             "1 or 2. 0: off."),
         nullptr, &Settings::mirostat, 0, 2, 2, 1, 0, true},
        {"mirostat_tau", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "Mirostat target"),
         QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "The target surprise of Mirostat in bits."),
         &Settings::mirostatTau, nullptr, 0, 100, 10, 0.1, 2, true},
        {"mirostat_eta", QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "Mirostat rate"),
         QT_TRANSLATE_NOOP("gufo::ui::SamplerPanel", "The learning rate of Mirostat."), &Settings::mirostatEta, nullptr,
         0, 10, 1, 0.01, 2, true},
    };
    return kRows;
}

} // namespace gufo::ui
