#include "cli/verification.h"

#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/model_access.h"
#include "cli/progress_line.h"
#include "cli/text_input.h"
#include "ui/messages/catalogue.h"

#include <algorithm>

namespace gufo::cli {

Expected<Verification> Verification::prepare(const std::filesystem::path& original, const std::string& text,
                                             std::optional<double> expected, Console& console) {
    Verification verification;
    verification.m_expected = expected;
    const std::string content = GUFO_TRY(readTextFile(text, console));
    verification.m_options.context = verification.m_settings.window;
    verification.m_options.logitRows = verification.m_settings.window;
    verification.m_original =
        GUFO_TRY(loadEngine(original, verification.m_options, console,
                            inference::engineWith(inference::Feature::AllLogits), ContextChoice::Default));
    const Cancellation cancellation;
    verification.m_settings.window =
        std::min(verification.m_settings.window, verification.m_original.session->context());
    const auto tokenizer = GUFO_TRY(loadTokenizer(*verification.m_original.model, cancellation, original, console));
    auto encoding = tokenizer->encode(content, {}, {.stop = cancellation.token()});
    if (!encoding) {
        return std::unexpected(failedOrCancelled(encoding.error(), original, cancellation, console));
    }
    // A short text is one window. Of the second half, each token but the first of the window is predicted.
    constexpr std::uint32_t kFewest = 4;
    if (encoding->ids.size() < kFewest) {
        return std::unexpected(console.fail(Cli::tr("quantize: the text of --verify is too short")));
    }
    verification.m_settings.window =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(verification.m_settings.window, encoding->ids.size()));
    if (tokenizer->addsBos()) {
        verification.m_settings.bos = tokenizer->specials().bos;
    }
    verification.m_tokens = std::move(encoding->ids);
    return verification;
}

Expected<void> Verification::run(const std::filesystem::path& written, Console& console) {
    const LoadedEngine result = GUFO_TRY(loadEngine(
        written, m_options, console, inference::engineWith(inference::Feature::AllLogits), ContextChoice::Default));
    const Cancellation cancellation;
    ProgressLine line(console, Cli::tr("verifying"), ProgressLine::Unit::Tokens);
    const auto figures = inference::perplexity(*m_original.session, result.session.get(), m_tokens, m_settings,
                                               {.stop = cancellation.token(), .progress = line.progress()});
    if (!figures) {
        return std::unexpected(failedOrCancelled(figures.error(), written, cancellation, console));
    }
    m_scored = figures->scored;
    m_divergence = *figures->divergence;
    return {};
}

void Verification::print(Console& console) const {
    const auto& nats = m_divergence.nats;
    Output& out = console.out();
    out.writeLine(Cli::tr("Compared with the original over %n tokens:", nullptr, ui::numerus(m_scored)));
    out.writeLine(Cli::tr("KL divergence: mean %1 ± %2, 99 %: %3, 99.9 %: %4 nats")
                      .arg(nats.mean, 0, 'g', 4)
                      .arg(nats.meanError, 0, 'g', 2)
                      .arg(nats.percentile(99), 0, 'g', 4)
                      .arg(nats.percentile(99.9), 0, 'g', 4));
    if (m_expected) {
        out.writeLine(Cli::tr("The plan expected %1; measured divided by expected: %2")
                          .arg(*m_expected, 0, 'g', 4)
                          .arg(*m_expected > 0 ? nats.mean / *m_expected : 0.0, 0, 'g', 3));
    }
    out.writeLine(Cli::tr("Same most likely token: %1 %, RMS Δp: %2 %")
                      .arg(100 * m_divergence.topAgreement, 0, 'f', 2)
                      .arg(100 * m_divergence.change.rms, 0, 'f', 3));
}

void Verification::write(ui::JsonWriter& json) const {
    const auto& nats = m_divergence.nats;
    json.beginObject();
    json.member("scored", m_scored);
    json.member("kl_mean", nats.mean);
    json.member("kl_mean_error", nats.meanError);
    json.member("kl_99", nats.percentile(99));
    json.member("kl_99_9", nats.percentile(99.9));
    json.member("top1_agreement", m_divergence.topAgreement);
    json.member("dp_rms", m_divergence.change.rms);
    json.member("expected_kl", m_expected);
    json.endObject();
}

} // namespace gufo::cli
