#include "arguments.h"

#include "ui/shell/native_path.h"
#include "version.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace {

void printHelp() {
    std::printf("Usage: gufo [OPTION…] [FILE…]\n%s\n", kDescription);
    for (const Option& option : kOptions) {
        std::printf("  %-13s  %s\n", option.name, option.help);
    }
    std::puts("\nOptions of Qt, such as -platform, are understood too.");
}

} // namespace

bool answeredOnTheSpot(int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--") {
            break;
        }
        if (argument == "--help" || argument == "-h") {
            printHelp();
            return true;
        }
        if (argument == "--version" || argument == "-v") {
            std::printf("gufo %s\n", gufo::versionLine().c_str());
            return true;
        }
    }
    return false;
}

Arguments parseArguments(int argc, const char* const* argv) {
    Arguments arguments;
    bool onlyFiles = false;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (onlyFiles || !argument.starts_with('-') || argument == "-") {
            const auto place = gufo::hub::ModelPlace::parse(argument);
            const auto* path = place.localPath();
            arguments.models.push_back(path != nullptr ? gufo::ui::absolutePath(*path) : place);
        } else if (argument == "--") {
            onlyFiles = true;
        } else if (const auto* const option = std::ranges::find(kOptions, argument, &Option::name);
                   option != kOptions.end() && option->flag != nullptr) {
            arguments.*option->flag = true;
        } else {
            arguments.wrongOption = argv[i];
        }
    }
    return arguments;
}
