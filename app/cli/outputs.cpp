#include "cli/outputs.h"

#include "cli/console.h"
#include "ui/messages/figure_text.h"

#include <algorithm>

namespace gufo::cli {
namespace {

using Path = std::filesystem::path;

// /dev/stdout may be a regular file, to which the shell has redirected the output on purpose.
bool isDevice(const Path& path) {
    return std::ranges::any_of(std::initializer_list<std::string_view>{"/dev/", "/proc/"},
                               [&](std::string_view folder) { return path.native().starts_with(folder); });
}

// The files that the outputs of a call must not be: its arguments, and the values of its options, which may begin with
// "@" or with the name of a key and "=".
std::vector<Path> inputsOf(const Verb& verb, const Invocation& invocation, std::span<const std::size_t> others) {
    std::vector<Path> inputs;
    const std::vector<std::string>& arguments = invocation.positional();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (std::ranges::find(others, i) == others.end()) {
            inputs.emplace_back(arguments[i]);
        }
    }
    for (const OptionFact& option : verb.options) {
        const std::string_view names = option.names;
        if (option.isOutput || *option.value == '\0') {
            continue;
        }
        for (const std::string& value : invocation.values(std::string(names.substr(names.rfind(',') + 1)).c_str())) {
            inputs.emplace_back(value);
            inputs.emplace_back(value.substr(value.starts_with('@') ? 1 : value.find('=') + 1));
        }
    }
    return inputs;
}

// One of the outputs that is the same file as an input, under any name.
std::optional<Path> replacedInput(std::span<const Path> outputs, std::span<const Path> inputs) {
    for (const Path& output : outputs) {
        const auto isOutput = [&](const Path& input) {
            std::error_code error;
            return std::filesystem::equivalent(output, input, error);
        };
        std::error_code error;
        if (!isDevice(output) && std::filesystem::is_regular_file(output, error) &&
            std::ranges::any_of(inputs, isOutput)) {
            return output;
        }
    }
    return std::nullopt;
}

} // namespace

bool hasOutputs(const Verb& verb) {
    return verb.output != Verb::Output::None || std::ranges::any_of(verb.options, &OptionFact::isOutput);
}

Path outputPath(const std::string& value) { return value == "-" ? "/dev/stdout" : value; }

std::optional<QString> refusalToReplace(const Verb& verb, const Invocation& invocation) {
    if (!hasOutputs(verb)) {
        return std::nullopt;
    }
    std::vector<Path> outputs;
    std::vector<std::size_t> others; // the numbers of the arguments that are no inputs
    for (const OptionFact& option : verb.options) {
        if (option.isOutput) {
            const std::string_view names = option.names;
            if (const auto value = invocation.value(std::string(names.substr(names.rfind(',') + 1)).c_str())) {
                outputs.push_back(option.isStream ? outputPath(*value) : Path(*value));
            }
        }
    }
    const std::vector<std::string>& arguments = invocation.positional();
    const std::size_t minimum = verb.output == Verb::Output::SecondOfThree && !invocation.readsRecipe() ? 3 : 2;
    if ((verb.output == Verb::Output::Second || verb.output == Verb::Output::SecondOfThree) &&
        arguments.size() >= minimum) {
        outputs.emplace_back(arguments[1]);
        others = {1, 2}; // the third of three is a type
    }
    // With the fewest arguments, the last one is an input: a dry run has no output.
    if (verb.output == Verb::Output::Last && static_cast<int>(arguments.size()) > verb.minArguments) {
        outputs.emplace_back(arguments.back());
        others = {arguments.size() - 1};
    }
    const auto replaced = replacedInput(outputs, inputsOf(verb, invocation, others));
    if (replaced && !invocation.isDryRun()) {
        return Cli::tr("%1 is read, and cannot be replaced by the output: choose another name")
            .arg(ui::displayText(replaced->native()));
    }
    return refusalToReplace(invocation, outputs);
}

std::optional<QString> refusalToReplace(const Invocation& invocation, std::span<const Path> outputs) {
    if (invocation.isSet("force") || invocation.isDryRun() || invocation.isResumed()) {
        return std::nullopt;
    }
    const auto existing = std::ranges::find_if(outputs, [](const Path& path) {
        std::error_code error;
        return !isDevice(path) && std::filesystem::is_regular_file(path, error);
    });
    return existing == outputs.end()
               ? std::nullopt
               : std::optional(Cli::tr("%1 exists; --force replaces it").arg(ui::displayText(existing->native())));
}

} // namespace gufo::cli
