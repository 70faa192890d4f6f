// The command line of the desktop program, parsed from the raw arguments: file names are bytes, which no Qt string
// class preserves.
#pragma once

#include "hub/model_place.h"

#include <QByteArray>

#include <vector>

struct Arguments {
    bool newWindow = false;
    bool compare = false;                      // compare the models with each other
    bool sample = false;                       // open the sample model; none are given
    std::vector<gufo::hub::ModelPlace> models; // paths are absolute
    QByteArray wrongOption;                    // if not empty, the command line is invalid
};

// Handles --help and --version, which need neither a display nor Qt: prints the text and returns true.
[[nodiscard]] bool answeredOnTheSpot(int argc, const char* const* argv);

// Expects no options of Qt's own, which QApplication removes. The program's name is skipped.
[[nodiscard]] Arguments parseArguments(int argc, const char* const* argv);
