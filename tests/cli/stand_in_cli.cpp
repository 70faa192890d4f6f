// gufo-cli with an engine of the tests. Arguments: ENGINE (its number in test::StandIn), then the verb and its
// arguments.
#include "cli/core_application.h"
#include "cli/engine_options.h"
#include "support/stand_in_engine.h"

#include <cstdlib>
#include <string>
#include <vector>

int main(int argc, char** argv) {
    using namespace gufo;
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    const cli::CoreApplication application;
    cli::Console console;
    const cli::Verb* verb = arguments.size() > 1 ? cli::findVerb(arguments[1]) : nullptr;
    if (verb == nullptr) {
        return cli::kFailed;
    }
    const auto invocation = cli::Invocation::parse(*verb, {arguments.begin() + 2, arguments.end()});
    if (!invocation) {
        return console.fail(invocation.error());
    }
    const inference::Engine& engine = test::standIns()[std::stoul(arguments[0])];
    const int code = std::string_view(verb->name) == "chat" ? cli::runChatWith(engine, *invocation, console)
                                                            : cli::runGenerateWith(engine, *invocation, console);
    return console.out().finish() == 0 ? code : cli::kFailed;
}
