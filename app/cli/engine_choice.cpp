#include "cli/engine_choice.h"

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

// Options of the engines on this computer. A server decides about these itself.
constexpr std::array<const char*, 10> kBuiltInOptions{"batch",      "kv",        "kv-keys",
                                                      "kv-values",  "threads",   "rope-scaling",
                                                      "rope-scale", "rope-base", "rope-original-context",
                                                      "context"};

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
    }
    return text;
}

} // namespace

QString engineIds() {
    // The first engine is the default, and the addresses of remote ones say enough.
    return idsOf(
        [](const inference::Engine& engine) { return !engine.remote && engine.id != inference::engines().front().id; });
}

QString offloadingEngineIds() { return idsOf(&inference::Engine::offloads); }

Expected<const inference::Engine*> engineOf(const Invocation& invocation, const char* verb, Console& console) {
    const auto address = invocation.value("engine");
    if (address && address->find_first_not_of(" \t") == std::string::npos) {
        return std::unexpected(console.fail(Cli::tr("%1: --engine takes an engine of this computer (%2), or the "
                                                    "address of a server, such as http://127.0.0.1:8080")
                                                .arg(QLatin1String(verb), engineIds())));
    }
    const inference::Engine* engine = &inference::engines().front();
    if (address) {
        const auto named = std::ranges::find_if(
            inference::engines(), [&](const inference::Engine& each) { return !each.remote && each.id == *address; });
        engine = named != inference::engines().end() ? &*named : inference::remoteEngine();
    }
    if (!engine->remote && invocation.isSet("engine-key-file")) {
        return std::unexpected(console.fail(
            Cli::tr("%1: --engine-key-file is for a server, whose address --engine takes").arg(QLatin1String(verb))));
    }
    return engine;
}

namespace {

// Reads --gpu-layers and --rpc. Errors are sentences for the user.
std::expected<inference::Offload, QString> offloadOf(const inference::Engine& engine, const Invocation& invocation) {
    inference::Offload offload;
    for (const char* name : {"gpu-layers", "rpc"}) {
        if (!engine.offloads && invocation.isSet(name)) {
            return std::unexpected(Cli::tr("--%1 needs --engine %2").arg(QLatin1String(name), offloadingEngineIds()));
        }
    }
    const auto layers = invocation.number("gpu-layers", 0, std::numeric_limits<std::int32_t>::max());
    if (!layers) {
        return std::unexpected(layers.error());
    }
    if (*layers) {
        offload.layers = static_cast<std::int32_t>(**layers);
    }
    offload.machines = inference::machinesOf(invocation.value("rpc").value_or(""));
    return offload;
}

} // namespace

Expected<inference::SessionOptions> openOptionsOf(const inference::Engine& engine, const Invocation& invocation,
                                                  const char* verb, Console& console, ContextOption context) {
    auto options = sessionOptionsOf(invocation);
    if (!options) {
        return std::unexpected(console.fail(QLatin1String(verb) + QStringLiteral(": ") + options.error()));
    }
    auto offload = offloadOf(engine, invocation);
    if (!offload) {
        return std::unexpected(console.fail(QLatin1String(verb) + QStringLiteral(": ") + offload.error()));
    }
    if (!engine.remote) {
        options->offload = std::move(*offload);
        if (invocation.keepsPrompts()) {
            if (engine.version != nullptr) {
                return std::unexpected(
                    console.fail(Cli::tr("%1: --keep-prompts is for Gufo's own engine").arg(QLatin1String(verb))));
            }
            options->prefixes = inference::PrefixStore::shared();
            options->prefixes->setFolder(inference::userPrefixFolder());
        }
        return *options;
    }
    const auto refuse = [&](const char* name) {
        return std::unexpected(
            console.fail(Cli::tr("%1: --%2 has no effect on a server").arg(QLatin1String(verb), QLatin1String(name))));
    };
    if (invocation.keepsPrompts()) {
        return refuse("keep-prompts");
    }
    for (const char* name : kBuiltInOptions) {
        const bool isOfVerb = context == ContextOption::OfVerb && std::string_view(name) == "context";
        if (!isOfVerb && invocation.isSet(name)) {
            return refuse(name);
        }
    }
    auto key = keyOf(invocation, console);
    if (!key) {
        return std::unexpected(key.error());
    }
    options->server = {.address = invocation.value("engine").value_or(""), .key = std::move(*key)};
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

} // namespace gufo::cli
