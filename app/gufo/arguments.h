// The command line of the desktop program, from the raw arguments: file names are bytes, which no string class of Qt
// can be trusted with.
#pragma once

#include <QByteArray>

#include <filesystem>
#include <vector>

struct Arguments {
    bool newWindow = false;
    bool compare = false;                     // the files with each other
    bool sample = false;                      // the sample model, where no files are given
    std::vector<std::filesystem::path> files; // absolute
    QByteArray wrongOption;                   // not empty: the command line cannot be understood
};

// What needs neither a display nor Qt: prints it and gives true for --help and --version.
[[nodiscard]] bool answeredOnTheSpot(int argc, const char* const* argv);

// Without the program's name, and without Qt's own options, which QApplication takes out.
[[nodiscard]] Arguments parseArguments(int argc, const char* const* argv);
