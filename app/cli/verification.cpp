#include "cli/verification.h"

#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/model_access.h"
#include "cli/progress_line.h"
#include "cli/text_input.h"
#include "cli/text_table.h"
#include "inference/engine/gufo_engine.h"
#include "quantize/preset_models.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"

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

Result<> Verification::addPresets(const QuantizeRequest& request, const QuantizePlan& plan,
                                  std::vector<std::unique_ptr<inference::Session>>& sessions, const JobContext& job) {
    auto presets = GUFO_TRY(presetFiles(*m_original.model, request, job));
    std::erase_if(presets, [&](const PresetFile& preset) { return preset.recipe == request.recipe.recipe; });
    for (const PresetFile& preset : presetsBeside(presets, plan.fileBytes)) {
        const std::uint64_t available = inference::machineMemory().available; // 0: not known
        if (available != 0 && preset.file.tensorBytes > available / 2) {
            m_tooLarge.emplace_back(preset.recipe->name);
            continue;
        }
        auto model = GUFO_TRY(plannedInMemory(m_original.model, preset.file.tensors(), request.imatrix.get(), job));
        const auto loaded = GUFO_TRY(inference::loadForInference(std::move(model)));
        sessions.push_back(GUFO_TRY(loaded->startSession(m_options, job)));
        m_presets.push_back({.name = std::string(preset.recipe->name), .fileBytes = preset.file.fileBytes});
    }
    return {};
}

Expected<void> Verification::run(const std::filesystem::path& written, const QuantizeRequest& request,
                                 const QuantizePlan& plan, Console& console) {
    const LoadedEngine result = GUFO_TRY(loadEngine(
        written, m_options, console, inference::engineWith(inference::Feature::AllLogits), ContextChoice::Default));
    const Cancellation cancellation;
    std::vector<std::unique_ptr<inference::Session>> sessions;
    if (const auto added = addPresets(request, plan, sessions, {.stop = cancellation.token()}); !added) {
        return std::unexpected(failedOrCancelled(added.error(), m_original.model->path(), cancellation, console));
    }
    std::vector<inference::Session*> others{result.session.get()};
    for (const auto& session : sessions) {
        others.push_back(session.get());
    }
    ProgressLine line(console, Cli::tr("verifying"), ProgressLine::Unit::Tokens);
    const auto figures = inference::perplexities(*m_original.session, others, m_tokens, m_settings,
                                                 {.stop = cancellation.token(), .progress = line.progress()});
    if (!figures) {
        return std::unexpected(failedOrCancelled(figures.error(), written, cancellation, console));
    }
    m_scored = figures->front().scored;
    m_fileBytes = plan.fileBytes;
    m_divergence = *figures->front().divergence;
    for (std::size_t i = 0; i < m_presets.size(); ++i) {
        m_presets[i].divergence = *(*figures)[i + 1].divergence;
    }
    return {};
}

void Verification::print(Console& console) const {
    const auto& nats = m_divergence.nats;
    Output& out = console.out();
    out.writeLine(Cli::tr("Compared with the original over %n tokens:", nullptr, ui::numerus(m_scored)));
    TextTable table({{Cli::tr("File")},
                     {Cli::tr("Size"), Align::Right},
                     {Cli::tr("KL divergence"), Align::Right},
                     {QStringLiteral("99 %"), Align::Right},
                     {QStringLiteral("99.9 %"), Align::Right},
                     {Cli::tr("Same token"), Align::Right},
                     {QStringLiteral("RMS Δp"), Align::Right}});
    const auto number = [](double value) { return QString::number(value, 'g', 4); };
    const auto addRow = [&](const QString& name, std::uint64_t bytes, const inference::Divergence& divergence) {
        table.addRow(
            {name, ui::formatBytes(bytes),
             number(divergence.nats.mean) + QStringLiteral(" ± ") + QString::number(divergence.nats.meanError, 'g', 2),
             number(divergence.nats.percentile(99)), number(divergence.nats.percentile(99.9)),
             QString::number(100 * divergence.topAgreement, 'f', 2) + QStringLiteral(" %"),
             QString::number(100 * divergence.change.rms, 'f', 3) + QStringLiteral(" %")});
    };
    addRow(Cli::tr("this one"), m_fileBytes, m_divergence);
    for (const Preset& preset : m_presets) {
        addRow(ui::displayText(preset.name), preset.fileBytes, preset.divergence);
    }
    table.print(console);
    if (m_expected) {
        out.writeLine(Cli::tr("The plan expected %1; measured divided by expected: %2")
                          .arg(*m_expected, 0, 'g', 4)
                          .arg(*m_expected > 0 ? nats.mean / *m_expected : 0.0, 0, 'g', 3));
    }
    for (const std::string& name : m_tooLarge) {
        console.note(Cli::tr("%1 does not fit into memory, so it was left out.").arg(ui::displayText(name)));
    }
}

namespace {

void writeDivergence(const inference::Divergence& divergence, ui::JsonWriter& json) {
    json.member("kl_mean", divergence.nats.mean);
    json.member("kl_mean_error", divergence.nats.meanError);
    json.member("kl_99", divergence.nats.percentile(99));
    json.member("kl_99_9", divergence.nats.percentile(99.9));
    json.member("top1_agreement", divergence.topAgreement);
    json.member("dp_rms", divergence.change.rms);
}

} // namespace

void Verification::write(ui::JsonWriter& json) const {
    json.beginObject();
    json.member("scored", m_scored);
    writeDivergence(m_divergence, json);
    json.member("expected_kl", m_expected);
    json.key("measured_by_expected");
    m_expected && *m_expected > 0 ? json.value(m_divergence.nats.mean / *m_expected) : json.null();
    json.key("presets");
    json.beginArray();
    for (const Preset& preset : m_presets) {
        json.beginObject();
        json.member("mix", std::string_view(preset.name));
        json.member("file_bytes", preset.fileBytes);
        writeDivergence(preset.divergence, json);
        json.endObject();
    }
    json.endArray();
    json.endObject();
}

} // namespace gufo::cli
