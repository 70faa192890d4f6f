// The command line of the desktop program, parsed from the raw arguments: file names are bytes, which no Qt string
// class preserves.
#pragma once

#include "hub/model_place.h"

#include <QByteArray>

#include <array>
#include <vector>

struct Arguments {
    bool newWindow = false;
    bool compare = false;                      // compare the models with each other
    bool sample = false;                       // open the sample model; none are given
    std::vector<gufo::hub::ModelPlace> models; // paths are absolute
    QByteArray wrongOption;                    // if not empty, the command line is invalid
};

// The options of the desktop program: for parsing, --help and the manual page.
struct Option {
    const char* name;
    const char* help;
    bool Arguments::* flag; // what it sets; null: answered before the program starts, or "--"
};

inline constexpr auto kOptions = std::to_array<Option>({
    {"--compare", "open the files (two to eight) as a comparison with each other", &Arguments::compare},
    {"--sample", "open the sample model if there is neither a file nor a session to restore", &Arguments::sample},
    {"--new-window", "open a window of its own, not a tab in the window that is running", &Arguments::newWindow},
    {"--help", "show this text", nullptr},
    {"--version", "show the version", nullptr},
    {"--", "what follows are files, also where it begins with a dash", nullptr},
});

inline constexpr const char* kDescription =
    R"(Opens GGUF model files, each in a tab; without a file, a start page. A file may
also be an address (https://…/model.gguf) or a name on a hub (hf.co/OWNER/REPO
for the list of its files, hf.co/OWNER/REPO:Q4_K_M for one of them).
)";

// Handles --help and --version, which need neither a display nor Qt: prints the text and returns true.
[[nodiscard]] bool answeredOnTheSpot(int argc, const char* const* argv);

// Expects no options of Qt's own, which QApplication removes. The program's name is skipped.
[[nodiscard]] Arguments parseArguments(int argc, const char* const* argv);
