// What a shell offers when Tab is pressed: verbs, options, and where an argument or the value of an option names
// something in a model, what the model named before has: its keys and tensors. "gufo-cli --complete WORD…" prints it
// for the scripts in resources/packaging/completions.
#pragma once

#include <string>
#include <vector>

namespace gufo::cli {

struct Completions {
    std::vector<std::string> words; // whole words; one that ends in "=" goes on
    bool files = false;             // names of files fit as well
};

// `words` are the words after the program's name, up to the one that is being typed, which may be empty. Reads the
// header of the model that the words name, if it is a file on this computer; nothing is fetched from a server.
[[nodiscard]] Completions completionsOf(const std::vector<std::string>& words);

} // namespace gufo::cli
