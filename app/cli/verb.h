// A verb of gufo-cli: its arguments, options and function, which drive parsing, help and dispatch.
#pragma once

#include <span>
#include <string_view>

namespace gufo::cli {

class Console;
class Invocation;

struct OptionFact {
    const char* names; // "o,output"; a short name is one letter
    const char* value; // name of the value in the help: "FILE"; empty for a switch
    const char* help;
    bool isOutput = false;          // the value names a file that is written
    QString (*choices)() = nullptr; // the values there are, for %1 in the help and for shells; null: any
    bool isStream = false;          // the value "-" of an output means standard output
};

struct Verb {
    // Which positional argument names a file that is written.
    enum class Output { None, Second, SecondOfThree, BeginsWithSecond, Last };

    const char* name;
    const char* arguments;                 // as shown in the help: "FILE TENSOR -o OUT"
    const char* summary;                   // one line
    const char* details;                   // the rest of the help text
    std::span<const OptionFact> options{}; // besides --json and --help, which every verb has
    int minArguments;                      // positional ones
    int maxArguments;                      // -1: any number
    int (*run)(const Invocation&, Console&);
    Output output = Output::None;
    bool takesAddress = false; // positional arguments may be addresses of models on a server, or names of hubs
};

[[nodiscard]] std::span<const Verb* const> verbs(); // in the order of the help
[[nodiscard]] const Verb* findVerb(std::string_view name);

// Each is in the file of its function, verbs/NAME.cpp, with its options.
extern const Verb applyVerb, auditVerb, benchVerb, blameVerb, bytesVerb, cardVerb, chatVerb, compareVerb, convertVerb,
    detokenizeVerb, downloadVerb, dumpVerb, embedVerb, evalVerb, exportVerb, fitsVerb, generateVerb, getVerb, hashVerb,
    imatrixVerb, infoVerb, inspectVerb, memoryVerb, mergeVerb, perplexityVerb, planVerb, quantizeVerb, recoverVerb,
    renderVerb, reportVerb, rerankVerb, setVerb, splitVerb, statsVerb, tokenizeVerb, validateVerb, verifyVerb;

} // namespace gufo::cli
