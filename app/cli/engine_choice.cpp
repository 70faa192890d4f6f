#include "cli/engine_choice.h"

#include "base/try.h"
#include "cli/engine_options.h"
#include "cli/text_input.h"
#include "inference/prefixes/prefix_folder.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/figure_text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <ranges>

namespace gufo::cli {
namespace {

using inference::ObeyedOptions;

struct EngineOptionRow {
    const char* name;
    bool ObeyedOptions::* obeyed;
};
// Options of some of the verbs only.
constexpr EngineOptionRow kKeepPrompts{"keep-prompts", &ObeyedOptions::prefixes};
constexpr EngineOptionRow kMtpDrafts{"mtp", &ObeyedOptions::mtpDrafts};
constexpr auto kOptions = std::to_array<EngineOptionRow>({{"context", &ObeyedOptions::context},
                                                          {"batch", &ObeyedOptions::batch},
                                                          {"kv", &ObeyedOptions::cacheTypes},
                                                          {"kv-keys", &ObeyedOptions::cacheTypes},
                                                          {"kv-values", &ObeyedOptions::cacheTypes},
                                                          {"threads", &ObeyedOptions::threads},
                                                          {"rope-scaling", &ObeyedOptions::rope},
                                                          {"rope-scale", &ObeyedOptions::rope},
                                                          {"rope-base", &ObeyedOptions::rope},
                                                          {"rope-original-context", &ObeyedOptions::rope},
                                                          {"gpu-layers", &ObeyedOptions::offload},
                                                          {"rpc", &ObeyedOptions::offload}});

// Null if the engine obeys all options that are given.
const EngineOptionRow* ignoredOption(const inference::Engine& engine, const Invocation& invocation,
                                     ContextOption context) {
    if (!engine.obeys.prefixes && invocation.keepsPrompts()) {
        return &kKeepPrompts;
    }
    if (!engine.obeys.mtpDrafts && invocation.draftsWithMtp()) {
        return &kMtpDrafts;
    }
    const auto found = std::ranges::find_if(kOptions, [&](const EngineOptionRow& option) {
        const bool isOfVerb = context == ContextOption::OfVerb && option.obeyed == &ObeyedOptions::context;
        return !isOfVerb && !(engine.obeys.*option.obeyed) && invocation.isSet(option.name);
    });
    return found != kOptions.end() ? &*found : nullptr;
}

// An engine of this computer has been looked for by this name before.
bool isAddress(std::string_view text) { return text == "localhost" || text.find_first_of(".:/") != text.npos; }

template<typename Wanted>
QString idsOf(const Wanted& wanted) {
    QStringList ids;
    for (const inference::Engine& engine : inference::engines() | std::views::filter(wanted)) {
        ids << ui::displayText(engine.id);
    }
    return ids.join(QStringLiteral(", "));
}

Expected<std::string> keyOf(const Invocation& invocation, Console& console) {
    const auto file = invocation.value("engine-key-file");
    if (!file) {
        const char* key = std::getenv(kEngineKeyVariable);
        return key != nullptr ? std::string(key) : std::string();
    }
    auto text = readTextFile(*file, console);
    if (text) {
        text->erase(text->find_last_not_of(" \t\r\n") + 1);
        if (text->empty()) {
            return std::unexpected(console.fail(Cli::tr("%1: the file contains no key").arg(ui::displayText(*file))));
        }
    }
    return text;
}

bool isControl(char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f; }

} // namespace

QString engineIds() {
    // The first engine is the default, and the addresses of remote ones say enough.
    return idsOf(
        [](const inference::Engine& engine) { return !engine.remote && engine.id != inference::engines().front().id; });
}

QString offloadingEngineIds() {
    return idsOf([](const inference::Engine& engine) { return engine.obeys.offload; });
}

Expected<const inference::Engine*> engineOf(const Invocation& invocation, const char* verb, Console& console) {
    const auto address = invocation.value("engine");
    const inference::Engine* engine = &inference::engines().front();
    if (address) {
        const auto named = std::ranges::find_if(
            inference::engines(), [&](const inference::Engine& each) { return !each.remote && each.id == *address; });
        engine = named != inference::engines().end() ? &*named : inference::remoteEngine();
        if (engine->remote && !isAddress(*address)) {
            const bool isEmpty = address->find_first_not_of(" \t") == std::string::npos;
            return std::unexpected(
                console.fail(Cli::tr("%1: --engine takes an engine of this computer (%2), or the address of a server, "
                                     "such as http://127.0.0.1:8080")
                                 .arg(QLatin1String(verb), engineIds()) +
                             (isEmpty ? QString() : Cli::tr(", not \"%1\"").arg(ui::displayText(*address)))));
        }
    }
    if (!engine->remote && invocation.isSet("engine-key-file")) {
        return std::unexpected(console.fail(
            Cli::tr("%1: --engine-key-file is for a server, whose address --engine takes").arg(QLatin1String(verb))));
    }
    return engine;
}

namespace {

// Reads --gpu-layers and --rpc. Errors are sentences for the user.
std::expected<inference::Offload, QString> offloadOf(const Invocation& invocation) {
    inference::Offload offload;
    const auto layers = GUFO_TRY(invocation.number("gpu-layers", 0, std::numeric_limits<std::int32_t>::max()));
    if (layers) {
        offload.layers = static_cast<std::int32_t>(*layers);
    }
    offload.machines = inference::machinesOf(invocation.value("rpc").value_or(""));
    return offload;
}

} // namespace

Expected<inference::SessionOptions> openOptionsOf(const inference::Engine& engine, const Invocation& invocation,
                                                  const char* verb, Console& console, ContextOption context) {
    if (const EngineOptionRow* ignored = ignoredOption(engine, invocation, context)) {
        const auto obeys = [&](const inference::Engine& each) { return each.obeys.*ignored->obeyed; };
        return std::unexpected(console.fail(
            Cli::tr("%1: --%2 has no effect with the engine \"%3\", only with: %4")
                .arg(QLatin1String(verb), QLatin1String(ignored->name), ui::displayText(engine.id), idsOf(obeys))));
    }
    auto options = sessionOptionsOf(invocation);
    if (!options) {
        return std::unexpected(console.fail(QLatin1String(verb) + QStringLiteral(": ") + options.error()));
    }
    auto offload = offloadOf(invocation);
    if (!offload) {
        return std::unexpected(console.fail(QLatin1String(verb) + QStringLiteral(": ") + offload.error()));
    }
    options->offload = std::move(*offload);
    if (invocation.keepsPrompts()) {
        options->prefixes = inference::PrefixStore::shared();
        options->prefixes->setFolder(inference::userPrefixFolder());
    }
    if (!engine.remote) {
        return *options;
    }
    auto key = GUFO_TRY(keyOf(invocation, console));
    if (std::ranges::any_of(key, isControl)) {
        return std::unexpected(
            console.fail(Cli::tr("%1: the key of the server has several lines, or other characters that no key has")
                             .arg(QLatin1String(verb))));
    }
    options->server = {.address = invocation.value("engine").value_or(""), .key = std::move(key)};
    return *options;
}

void noteServer(const inference::ResponderFacts& facts, Console& console) {
    if (facts.server) {
        console.note(ui::displayText(facts.options.server.address) + QStringLiteral(": ") +
                     ui::serverText(*facts.server) + QStringLiteral("; ") + ui::serverMatchText(facts.match));
    }
}

void noteRefusedStates(std::span<const Error> states, Console& console) {
    for (const Error& state : states) {
        console.note(Cli::tr("%1 is damaged or belongs to another model, so it is not used and its prompt is evaluated")
                         .arg(ui::displayText(state.file.native())));
    }
}

void noteAnswer(const inference::Response& response, Console& console) {
    noteRefusedStates(response.refusedStates, console);
    if (response.skippedEvents != 0) {
        console.note(Cli::tr("%n events of the server could not be read and were skipped; the answer may be incomplete",
                             nullptr, ui::numerus(response.skippedEvents)));
    }
}

void noteTypedSpecials(std::span<const std::string> texts, Console& console) {
    if (!texts.empty()) {
        console.note(Cli::tr("%1: read as control tokens; --literal-content keeps them as text")
                         .arg(ui::typedSpecialsText(texts)));
    }
}

ui::ServerKind serverKindOf(const inference::ResponderFacts& facts) {
    return facts.server ? ui::ServerKind::ConsoleEngine : ui::ServerKind::Files;
}

} // namespace gufo::cli
