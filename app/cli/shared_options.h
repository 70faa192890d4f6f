// Options that several verbs have. Those of a single verb are in its file.
#pragma once

#include "cli/engine_choice.h"
#include "cli/engine_options.h"
#include "cli/verb.h"

#include <QtGlobal>

#include <algorithm>
#include <array>

namespace gufo::cli {

// Appends shared options to a verb's own.
template<std::size_t Additional, std::size_t Shared>
constexpr auto with(const std::array<OptionFact, Shared>& shared,
                    const std::array<OptionFact, Additional>& additional) {
    std::array<OptionFact, Additional + Shared> all{};
    std::ranges::copy(shared, std::ranges::copy(additional, all.begin()).out);
    return all;
}

inline constexpr auto kEngineOptions = std::to_array<OptionFact>({
    {"batch", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "prompt tokens per batch; default: 512")},
    {"kv", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "type of the KV cache, by default f16: %1"), false, kvTypeNames},
    {"kv-keys", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "type of the keys only"), false, kvTypeNames},
    {"kv-values", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "type of the values only"), false, kvTypeNames},
    {"t,threads", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "number of threads; default: the physical cores")},
    {"rope-scaling", QT_TRANSLATE_NOOP("gufo::cli::Cli", "METHOD"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "RoPE scaling: none, linear or yarn; replaces all of the file's scaling")},
    {"rope-scale", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "RoPE scaling factor; default: that of the file")},
    {"rope-base", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "RoPE base frequency; default: that of the file")},
    {"rope-original-context", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "context length before scaling, for yarn; default: that of the file")},
});
inline constexpr auto kSwapOptions = std::to_array<OptionFact>({
    {"with", QT_TRANSLATE_NOOP("gufo::cli::Cli", "REGEX=FILE"),
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "run with the tensors of another file of this model whose names match, without writing "
         "anything; NAME[N] is the name of expert N in a stack; may be repeated, the first match counts")},
});
inline constexpr auto kSessionOptions =
    with(kEngineOptions,
         std::to_array<OptionFact>({
             {"context", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
              QT_TRANSLATE_NOOP("gufo::cli::Cli",
                                "context length in tokens; default: the trained length, at most 4096; generate and "
                                "chat make it longer for a long prompt, up to the trained length")},
         }));
inline constexpr auto kOffloadOptions = std::to_array<OptionFact>({
    {"gpu-layers", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "with --engine %1: layers on GPUs and other machines; default: all"), false,
     offloadingEngineIds},
    {"rpc", QT_TRANSLATE_NOOP("gufo::cli::Cli", "HOST:PORT,…"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "with --engine %1: machines that run rpc-server; the connection is not encrypted"),
     false, offloadingEngineIds},
});
inline constexpr auto kServerOptions = std::to_array<OptionFact>({
    {"engine", QT_TRANSLATE_NOOP("gufo::cli::Cli", "ENGINE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "another engine of this computer, where it is installed (%1), or the address of a server "
                       "(llama-server, or one with OpenAI's interface)"),
     false, engineIds},
    {"engine-key-file", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "file with the server's key; default: the environment variable GUFO_ENGINE_KEY")},
});
inline constexpr auto kRerankOptions = with(
    kEngineOptions,
    std::to_array<OptionFact>({
        {"context", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "context length in tokens; default: memory for the longest text, with "
                                             "the RoPE factors of the trained length")},
    }));
inline constexpr auto kSamplerOptions = std::to_array<OptionFact>({
    {"top-k", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "keep the N most likely tokens; default: 40; 0: off")},
    {"top-p", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "keep the most likely tokens up to a total probability of X; default: 0.95; 1: off")},
    {"min-p", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "keep tokens at least X times as likely as the most likely one; default: 0.05; 0: off")},
    {"typical", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "locally typical sampling with probability X; 1 (default): off")},
    {"top-n-sigma", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "keep logits within X standard deviations of the largest; 0 (default): off")},
    {"xtc-probability", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "XTC: probability of removing the most likely tokens; 0 (default): never")},
    {"xtc-threshold", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "XTC: tokens from this probability up are removed; default: 0.1")},
    {"dynatemp-range", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "dynamic temperature: vary it by ±X with the entropy; 0 (default): off")},
    {"dynatemp-exp", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "dynamic temperature: exponent; default: 1")},
    {"repeat-penalty", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "penalty for recently used tokens; 1 (default): off")},
    {"repeat-last-n", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "number of recent tokens that penalties apply to; default: 64")},
    {"frequency-penalty", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "penalty for each recent use of a token; 0 (default): off")},
    {"presence-penalty", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "penalty for each token that was used recently, however often; 0 (default): off")},
    {"dry-multiplier", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "DRY: penalty for repeating phrases; 0 (default): off")},
    {"dry-base", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "DRY: factor per repeated token; default: 1.75")},
    {"dry-allowed-length", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "DRY: repetitions up to N tokens are not penalised; default: 2")},
    {"dry-penalty-last-n", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "DRY: number of recent tokens to search; 0 (default): all")},
    {"mirostat", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Mirostat version 1 or 2: keeps the surprise constant; 0 (default): off")},
    {"mirostat-tau", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Mirostat: target surprise in bits; default: 5")},
    {"mirostat-eta", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Mirostat: learning rate; default: 0.1")},
    {"logit-bias", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TOKEN=X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "add X to the logit of a token, given by id or text; -inf forbids it; may be repeated")},
});
inline constexpr auto kConstraintOptions = std::to_array<OptionFact>({
    {"grammar", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "constrain the output to a GBNF grammar (llama.cpp's format)")},
    {"grammar-text", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TEXT"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "the same with the grammar as text: 'root ::= \"yes\" | \"no\"'")},
    {"json-schema", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "constrain the output to JSON that conforms to a schema; properties that it does not name are "
                       "written only if it has additionalProperties")},
    {"json-schema-text", QT_TRANSLATE_NOOP("gufo::cli::Cli", "JSON"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "the same with the schema as text")},
    {"schema-relaxed", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "ignore keywords of the schema that cannot be guaranteed, and name them")},
});
inline constexpr auto kSpeedOptions = std::to_array<OptionFact>({
    {"lookup", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "evaluate repetitions of earlier text several tokens at a time; the answer "
                                         "is the same, but is generated faster")},
    {"draft", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "speculative decoding with a smaller model of the same vocabulary")},
    {"mtp", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "speculative decoding with the model's own block that predicts further tokens (multi-token "
                       "prediction), if the file has one")},
    {"keep-prompts", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "cache evaluated prompts in the user's cache folder (up to 4 GiB), so that a known "
                       "beginning of a prompt is not evaluated again")},
});
inline constexpr auto kOtherEngineOptions = with(kOffloadOptions, kServerOptions);
inline constexpr auto kAnswerOptions = std::to_array<OptionFact>({
    {"n", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "generate at most N tokens; default: until the model ends")},
    {"stop", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TEXT"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "stop before this text; may be repeated")},
    {"ignore-eos", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "continue after the end-of-text token")},
    {"temp", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "temperature; default: 0.8; 0: the most likely token")},
    {"seed", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "random seed; default: 0; the same seed gives the same text; -1: another "
                                         "seed each time, which --json names")},
    {"literal-content", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "keep the texts of control tokens, such as <|im_end|>, as text where they occur in a message "
                       "or in the prompt; default: they become control tokens, as in transformers")},
    {"stats", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "print numbers of tokens and speeds to standard error even if it is not a terminal")},
});
// What every verb has that generates text.
inline constexpr auto kSamplingOptions = with(
    with(with(with(with(kSessionOptions, kOtherEngineOptions), kSpeedOptions), kConstraintOptions), kSamplerOptions),
    kAnswerOptions);

inline constexpr OptionFact kFilterOption = {
    "filter", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILTER"),
    QT_TRANSLATE_NOOP("gufo::cli::Cli", "only tensors for which all terms hold: ffn_* or Q6_K (a part of the name, or "
                                        "the type), type:IQ*, size:>10M, size:1M..2G, shape:4096x*, /REGEX/, and "
                                        "-TERM or !TERM to exclude")};

} // namespace gufo::cli
