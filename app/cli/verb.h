// The table of verbs (verbs.cpp) has one row per verb and drives parsing, help and dispatch.
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
    QString (*choices)() = nullptr; // what stands for %1 in the help; null: there is none
    bool isStream = false;          // the value "-" of an output means standard output
};

struct Verb {
    // Which positional argument names a file that is written.
    enum class Output { None, Second, SecondOfThree, BeginsWithSecond, Last };

    const char* name;
    const char* arguments;               // as shown in the help: "FILE TENSOR -o OUT"
    const char* summary;                 // one line
    const char* details;                 // the rest of the help text
    std::span<const OptionFact> options; // besides --json and --help, which every verb has
    int fewest;                          // minimum of positional arguments
    int maximum;                         // maximum; -1 for any number
    int (*run)(const Invocation&, Console&);
    Output output = Output::None;
    bool takesAddress = false; // positional arguments may be addresses of models on a server, or names of hubs
};

[[nodiscard]] std::span<const Verb> verbs();
[[nodiscard]] const Verb* findVerb(std::string_view name);

int runApply(const Invocation& invocation, Console& console);
int runChat(const Invocation& invocation, Console& console);
int runCompare(const Invocation& invocation, Console& console);
int runConvert(const Invocation& invocation, Console& console);
int runBench(const Invocation& invocation, Console& console);
int runDetokenize(const Invocation& invocation, Console& console);
int runDownload(const Invocation& invocation, Console& console);
int runDump(const Invocation& invocation, Console& console);
int runEmbed(const Invocation& invocation, Console& console);
int runEval(const Invocation& invocation, Console& console);
int runGenerate(const Invocation& invocation, Console& console);
int runGet(const Invocation& invocation, Console& console);
int runImatrix(const Invocation& invocation, Console& console);
int runInfo(const Invocation& invocation, Console& console);
int runMemory(const Invocation& invocation, Console& console);
int runMerge(const Invocation& invocation, Console& console);
int runQuantize(const Invocation& invocation, Console& console);
int runRecover(const Invocation& invocation, Console& console);
int runRender(const Invocation& invocation, Console& console);
int runRerank(const Invocation& invocation, Console& console);
int runSet(const Invocation& invocation, Console& console);
int runSplit(const Invocation& invocation, Console& console);
int runPerplexity(const Invocation& invocation, Console& console);
int runStats(const Invocation& invocation, Console& console);
int runTokenize(const Invocation& invocation, Console& console);
int runValidate(const Invocation& invocation, Console& console);
int runVerify(const Invocation& invocation, Console& console);

} // namespace gufo::cli
