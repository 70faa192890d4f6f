// The verbs of the program: one row each (verbs.cpp). Parsing, help and dispatch are driven by it.
#pragma once

#include <span>
#include <string_view>

namespace gufo::cli {

class Console;
class Invocation;

struct OptionFact {
    const char* names; // "o,output"; short names are one letter
    const char* value; // what it takes, as the help shows it: "FILE"; empty for a switch
    const char* help;
};

struct Verb {
    const char* name;
    const char* arguments;               // as the help shows them: "FILE TENSOR -o OUT"
    const char* summary;                 // one line
    const char* details;                 // the rest of the help, in lines
    std::span<const OptionFact> options; // besides --json and --help, which all have
    int fewest;                          // positional arguments
    int most;                            // -1: any number
    int (*run)(const Invocation&, Console&);
};

[[nodiscard]] std::span<const Verb> verbs();
[[nodiscard]] const Verb* findVerb(std::string_view name);

int runChat(const Invocation& invocation, Console& console);
int runCompare(const Invocation& invocation, Console& console);
int runConvert(const Invocation& invocation, Console& console);
int runBench(const Invocation& invocation, Console& console);
int runDetokenize(const Invocation& invocation, Console& console);
int runDump(const Invocation& invocation, Console& console);
int runEval(const Invocation& invocation, Console& console);
int runGenerate(const Invocation& invocation, Console& console);
int runGet(const Invocation& invocation, Console& console);
int runInfo(const Invocation& invocation, Console& console);
int runMemory(const Invocation& invocation, Console& console);
int runMerge(const Invocation& invocation, Console& console);
int runQuantize(const Invocation& invocation, Console& console);
int runRecover(const Invocation& invocation, Console& console);
int runRender(const Invocation& invocation, Console& console);
int runSet(const Invocation& invocation, Console& console);
int runSplit(const Invocation& invocation, Console& console);
int runPerplexity(const Invocation& invocation, Console& console);
int runStats(const Invocation& invocation, Console& console);
int runTokenize(const Invocation& invocation, Console& console);
int runValidate(const Invocation& invocation, Console& console);

} // namespace gufo::cli
