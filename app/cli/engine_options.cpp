#include "cli/engine_options.h"

#include "document/open_model.h"
#include "messages/finding_text.h"
#include "messages/format.h"

#include <charconv>
#include <cmath>

namespace gufo::cli {
namespace {

constexpr std::uint64_t kMostTokens = 0x7FFF'FFFF;

// A number with a point; nothing if the option is absent.
std::expected<std::optional<double>, QString> realOf(const Invocation& invocation, const char* name) {
    const auto text = invocation.value(name);
    if (!text) {
        return std::nullopt;
    }
    double value = 0;
    const auto parsed = std::from_chars(text->data(), text->data() + text->size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != text->data() + text->size() || !std::isfinite(value)) {
        return std::unexpected(
            Cli::tr("--%1 takes a number, not \"%2\"").arg(QLatin1String(name), ui::displayText(*text)));
    }
    return value;
}

} // namespace

std::expected<std::vector<TokenId>, QString> parseTokenIds(std::string_view text) {
    constexpr std::string_view kSeparators = " ,\t\r\n";
    std::vector<TokenId> ids;
    while (true) {
        const std::size_t begin = text.find_first_not_of(kSeparators);
        if (begin == std::string_view::npos) {
            return ids;
        }
        text.remove_prefix(begin);
        const std::string_view word = text.substr(0, text.find_first_of(kSeparators));
        std::uint32_t id = 0;
        const auto parsed = std::from_chars(word.data(), word.data() + word.size(), id);
        if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size()) {
            return std::unexpected(Cli::tr("\"%1\" is no token id").arg(ui::displayText(word)));
        }
        ids.push_back(TokenId(std::size_t{id}));
        text.remove_prefix(word.size());
    }
}

std::expected<inference::SessionOptions, QString> sessionOptionsOf(const Invocation& invocation) {
    inference::SessionOptions options;
    const auto number = [&](const char* name, std::uint64_t most, auto& to) -> std::expected<void, QString> {
        const auto value = invocation.number(name, 1, most);
        if (!value) {
            return std::unexpected(value.error());
        }
        if (*value) {
            to = static_cast<std::remove_reference_t<decltype(to)>>(**value);
        }
        return {};
    };
    for (const auto& read : {number("context", kMostTokens, options.context), number("batch", 65'536, options.batch),
                             number("threads", 1'024, options.threads)}) {
        if (!read) {
            return std::unexpected(read.error());
        }
    }
    if (const auto name = invocation.value("kv")) {
        const auto type = kvCacheTypeFromName(*name);
        if (!type) {
            return std::unexpected(
                Cli::tr("--kv takes f16, f32, bf16 or q8_0, not \"%1\"").arg(ui::displayText(*name)));
        }
        options.keys = *type;
        options.values = *type;
    }
    const auto base = realOf(invocation, "rope-base");
    const auto scale = realOf(invocation, "rope-scale");
    if (!base || !scale) {
        return std::unexpected((base ? scale : base).error());
    }
    if ((*base && **base <= 0) || (*scale && **scale <= 0)) {
        return std::unexpected(Cli::tr("--rope-base and --rope-scale take numbers above 0"));
    }
    options.rope = {.base = *base, .scale = *scale};
    return options;
}

std::expected<inference::SamplerSettings, QString> samplerSettingsOf(const Invocation& invocation) {
    inference::SamplerSettings settings;
    struct Real {
        const char* name;
        double& to;
    };
    const Real reals[]{{"temp", settings.temperature},
                       {"top-p", settings.topP},
                       {"min-p", settings.minP},
                       {"typical", settings.typicalP},
                       {"top-n-sigma", settings.topNSigma},
                       {"xtc-probability", settings.xtcProbability},
                       {"xtc-threshold", settings.xtcThreshold},
                       {"repeat-penalty", settings.repeatPenalty},
                       {"frequency-penalty", settings.frequencyPenalty},
                       {"presence-penalty", settings.presencePenalty},
                       {"dry-multiplier", settings.dryMultiplier}};
    for (const Real& real : reals) {
        const auto value = realOf(invocation, real.name);
        if (!value) {
            return std::unexpected(value.error());
        }
        real.to = value->value_or(real.to);
    }
    if (settings.repeatPenalty <= 0) {
        return std::unexpected(Cli::tr("--repeat-penalty takes a number above 0"));
    }
    const auto topK = invocation.number("top-k", 0, kMostTokens);
    const auto seed = invocation.number("seed", 0, ~std::uint64_t{0});
    const auto mirostat = invocation.number("mirostat", 0, 2);
    for (const auto* value : {&topK, &seed, &mirostat}) {
        if (!*value) {
            return std::unexpected(value->error());
        }
    }
    settings.topK = static_cast<std::uint32_t>(topK->value_or(settings.topK));
    settings.seed = seed->value_or(settings.seed);
    settings.mirostat = static_cast<std::uint32_t>(mirostat->value_or(0));
    settings.ignoreEnd = invocation.isSet("ignore-eos");
    return settings;
}

Expected<LoadedEngine> loadEngine(const std::filesystem::path& path, const inference::SessionOptions& options,
                                  Console& console) {
    auto model = openModel(path);
    if (!model) {
        return std::unexpected(console.fail(std::move(model.error()), path));
    }
    auto loaded = inference::loadForInference(*model);
    if (!loaded) {
        return std::unexpected(console.fail(std::move(loaded.error()), path));
    }
    auto session = (*loaded)->startSession(options);
    if (!session) {
        return std::unexpected(console.fail(std::move(session.error()), path));
    }
    return LoadedEngine{std::move(*model), std::move(*loaded), std::move(*session)};
}

Expected<std::shared_ptr<const text::Tokenizer>> loadTokenizer(const Model& model, const Cancellation& cancellation,
                                                               const std::filesystem::path& path, Console& console) {
    auto tokenizer = text::makeTokenizer(model, {.stop = cancellation.token()});
    if (!tokenizer) {
        return std::unexpected(failedOrCancelled(tokenizer.error(), path, cancellation, console));
    }
    for (const Finding& finding : (*tokenizer)->findings()) {
        console.note(ui::findingTitle(finding) + QStringLiteral(": ") + ui::findingMessage(finding));
    }
    return std::move(*tokenizer);
}

} // namespace gufo::cli
