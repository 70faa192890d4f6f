#include "arguments.h"

#include "ui/shell/native_path.h"

#include <cstdio>
#include <string_view>

namespace {

constexpr const char* kHelp = R"(Usage: gufo [OPTION…] [FILE…]
Opens GGUF model files, each in a tab; without a file, a start page. A file may
also be an address (https://…/model.gguf) or a name on a hub (hf.co/OWNER/REPO
for the list of its files, hf.co/OWNER/REPO:Q4_K_M for one of them).

  --compare      open the files (two to eight) as a comparison with each other
  --sample       open the sample model if there is neither a file nor a session to restore
  --new-window   open a window of its own, not a tab in the window that is running
  --help         show this text
  --version      show the version
  --             what follows are files, also where it begins with a dash

Options of Qt, such as -platform, are understood too.
)";

} // namespace

bool answeredOnTheSpot(int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--") {
            break;
        }
        if (argument == "--help" || argument == "-h") {
            std::fputs(kHelp, stdout);
            return true;
        }
        if (argument == "--version" || argument == "-v") {
            std::puts("gufo " GUFO_VERSION);
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
            arguments.files.push_back(gufo::ui::absolutePath(gufo::ui::pathFromBytes(argv[i])));
        } else if (argument == "--") {
            onlyFiles = true;
        } else if (argument == "--new-window") {
            arguments.newWindow = true;
        } else if (argument == "--compare") {
            arguments.compare = true;
        } else if (argument == "--sample") {
            arguments.sample = true;
        } else {
            arguments.wrongOption = argv[i];
        }
    }
    return arguments;
}
