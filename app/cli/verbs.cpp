#include "cli/engine_options.h"
#include "cli/verb.h"

#include <QtGlobal>

#include <algorithm>
#include <array>

namespace gufo::cli {
namespace {

constexpr OptionFact kFilterOption = {
    "filter", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILTER"),
    QT_TRANSLATE_NOOP("gufo::cli::Cli", "only tensors for which all terms hold: ffn_* or Q6_K (a part of the name, or "
                                        "the type), type:IQ*, size:>10M, size:1M..2G, shape:4096x*, /REGEX/, and "
                                        "-TERM or !TERM to exclude")};
constexpr auto kCompareOptions = std::to_array<OptionFact>({
    kFilterOption,
    {"metric", QT_TRANSLATE_NOOP("gufo::cli::Cli", "M"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "metric shown in tables and on the report's map: sqnr (default), nmse, rmse, "
                                         "mae, max_error, cosine, equal, bits")},
    {"sort", QT_TRANSLATE_NOOP("gufo::cli::Cli", "M"),
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "sort tensors by this metric, worst first, or by name for file order; default: the metric of --metric")},
    {"tensors", QT_TRANSLATE_NOOP("gufo::cli::Cli", "REGEX"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "compare only tensors whose name matches the regular expression")},
    {"all", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "list all tensors that differ, not only the 20 worst")},
    {"memory", QT_TRANSLATE_NOOP("gufo::cli::Cli", "SIZE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "also name the best model that runs within this memory, such as 8G, with the "
                                         "trained context, at most 4096 tokens; best by the metric of --metric")},
    {"html", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "write a report as a single HTML file"), true},
    {"csv", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT"), QT_TRANSLATE_NOOP("gufo::cli::Cli", "write all figures as CSV"),
     true},
    {"profile", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "with --json: add the error by weight magnitude and the distribution of errors")},
    {"no-cache", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "ignore cached results")},
});
constexpr auto kApplyOptions = std::to_array<OptionFact>({
    {"scale", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "how strongly the adapters are applied; default: 1. Given several times, one "
                                         "for each adapter")},
    {"type", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "type of the tensors that change: keep (default), F32, F16 or BF16")},
    {"dry-run", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "only show which tensors change, and how much; OUT is then left out")},
    {"threads", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "number of threads; default: all. The result does not depend on it")},
});
constexpr auto kConvertOptions = std::to_array<OptionFact>({
    {"base", QT_TRANSLATE_NOOP("gufo::cli::Cli", "PATH"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "for adapters: the base model, a folder with its config.json or a GGUF file")},
    {"type", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "for folders: type of the result, as in quantize; default: auto, that of the source")},
    {"imatrix", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "importance matrix of this model (GGUF or .dat), which reduces errors where they matter most")},
    {"name", QT_TRANSLATE_NOOP("gufo::cli::Cli", "NAME"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "for folders: general.name; default: that of the folder")},
    {"vocab-only", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "for folders: write no tensors")},
    {"dry-run", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "for folders: only show what would be written, with --json every detail")},
    {"threads", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "number of threads; default: all. The result does not depend on it")},
    {"byte-order", QT_TRANSLATE_NOOP("gufo::cli::Cli", "ORDER"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "little or big; default: that of IN")},
    {"version", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "GGUF version: 1, 2 or 3 (default)")},
    {"verify", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "read the result again and compare the SHA-256 of the tensor bytes")},
});
// Appends shared options to a verb's own.
template<std::size_t Own, std::size_t Shared>
constexpr auto with(const std::array<OptionFact, Shared>& shared, const std::array<OptionFact, Own>& own) {
    std::array<OptionFact, Own + Shared> all{};
    std::ranges::copy(shared, std::ranges::copy(own, all.begin()).out);
    return all;
}
constexpr auto kEngineOptions = std::to_array<OptionFact>({
    {"batch", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "prompt tokens per batch; default: 512")},
    {"kv", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "type of the KV cache, by default f16: %1"), false, kvTypeNames},
    {"kv-keys", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "type of the keys only")},
    {"kv-values", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "type of the values only")},
    {"t,threads", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "number of threads; default: the physical cores")},
    {"rope-scaling", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "RoPE scaling: none, linear or yarn; replaces all of the file's scaling")},
    {"rope-scale", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "RoPE scaling factor; default: that of the file")},
    {"rope-base", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "RoPE base frequency; default: that of the file")},
    {"rope-original-context", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "context length before scaling, for yarn; default: that of the file")},
});
constexpr auto kSessionOptions = with(
    kEngineOptions,
    std::to_array<OptionFact>({
        {"context", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "context length in tokens; default: the trained length, at most 4096")},
    }));
constexpr auto kServerOptions = std::to_array<OptionFact>({
    {"engine", QT_TRANSLATE_NOOP("gufo::cli::Cli", "URL"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "run on this server (llama-server, or one with OpenAI's interface)")},
    {"engine-key-file", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "file with the server's key; default: the environment variable GUFO_ENGINE_KEY")},
});
constexpr auto kBenchOptions =
    with(kEngineOptions,
         std::to_array<OptionFact>({
             {"context", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
              QT_TRANSLATE_NOOP("gufo::cli::Cli", "context length in tokens; default: the tokens that are measured")},
             {"p,prompt", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
              QT_TRANSLATE_NOOP("gufo::cli::Cli", "prompt tokens; default: 128")},
             {"n", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
              QT_TRANSLATE_NOOP("gufo::cli::Cli", "tokens to generate; default: 32")},
             {"d,depth", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
              QT_TRANSLATE_NOOP("gufo::cli::Cli", "tokens already in the context; default: 0")},
         }));
constexpr auto kDetokenizeOptions = std::to_array<OptionFact>({
    {"special", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "write control tokens as text instead of omitting them")},
});
constexpr auto kDumpOptions = std::to_array<OptionFact>({
    {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "output file; it is written completely or not at all"), true},
    {"format", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FORMAT"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "npy (NumPy), f32 (raw little-endian floats), csv, or raw (the bytes as "
                                         "stored); default: by the extension of OUT, otherwise f32")},
});
constexpr auto kDownloadOptions = std::to_array<OptionFact>({
    {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "DIR"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "folder for the files; default: the current one"), true},
    {"connections", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "parts that are fetched at the same time, 1 to 16; default: 4")},
});
constexpr auto kVerifyOptions = std::to_array<OptionFact>({
    {"quick", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "compare only the size, the header and 30 random parts of 64 KiB")},
});
constexpr auto kRerankOptions = with(
    kEngineOptions,
    std::to_array<OptionFact>({
        {"context", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "context length in tokens; default: memory for the longest text, with "
                                             "the RoPE factors of the trained length")},
    }));
constexpr auto kEmbedOptions = with(
    kRerankOptions,
    std::to_array<OptionFact>({
        {"tokens", QT_TRANSLATE_NOOP("gufo::cli::Cli", "IDS"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "token ids instead of a text, separated by commas or spaces; may be repeated")},
        {"pooling", QT_TRANSLATE_NOOP("gufo::cli::Cli", "P"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "none (a vector for each token), mean, cls (the first token's), last, or rank (scores); "
                           "default: that of the file, otherwise none")},
        {"normalize", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "scale vectors to the length 1")},
        {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "write the vectors to a NumPy file, one row for each"), true},
    }));
constexpr auto kEvalOptions = with(
    kEngineOptions,
    std::to_array<OptionFact>({
        {"context", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "context length in tokens; default: memory for the given tokens, with "
                                             "the RoPE factors of the trained length")},
        {"tokens", QT_TRANSLATE_NOOP("gufo::cli::Cli", "IDS"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "token ids, separated by commas or spaces")},
        {"logits", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "output file: floats, one row over the vocabulary per token"), true},
    }));
constexpr auto kSamplingOptions = with(
    with(kSessionOptions, kServerOptions),
    std::to_array<OptionFact>({
        {"n", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "generate at most N tokens; default: until the model ends")},
        {"stop", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TEXT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "stop before this text; may be repeated")},
        {"ignore-eos", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "continue after the end-of-text token")},
        {"temp", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "temperature; default: 0.8; 0: always the most likely token")},
        {"seed", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "random seed; default: 0; the same seed gives the same text")},
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
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "keep logits within X standard deviations of the largest; 0 (default): off")},
        {"xtc-probability", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "XTC: probability of removing the most likely tokens; 0 (default): never")},
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
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "penalty for tokens used at all recently; 0 (default): off")},
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
        {"grammar", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "constrain the output to a GBNF grammar (llama.cpp's format)")},
        {"grammar-text", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TEXT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "the same with the grammar as text: 'root ::= \"yes\" | \"no\"'")},
        {"json-schema", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "constrain the output to JSON that conforms to a schema")},
        {"json-schema-text", QT_TRANSLATE_NOOP("gufo::cli::Cli", "JSON"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "the same with the schema as text")},
        {"lookup", "",
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "evaluate repetitions of earlier text several tokens at a time; the answer "
                           "stays the same and comes sooner")},
        {"draft", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "the same with tokens that a smaller model of the same vocabulary predicts")},
        {"stats", "",
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "print numbers of tokens and speeds to standard error even if it is not a terminal")},
    }));
constexpr auto kGenerateOptions = with(
    kSamplingOptions,
    std::to_array<OptionFact>({
        {"p,prompt", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TEXT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "text to continue; control tokens are written as <s> and so on")},
        {"candidates", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "with --json: add the N most likely tokens of each position")},
        {"after-samplers", "",
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "report the probabilities that the samplers have left; servers only")},
    }));
constexpr auto kChatOptions = with(
    kSamplingOptions,
    std::to_array<OptionFact>({
        {"m,message", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TEXT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "send this message instead of reading from standard input; may be repeated")},
        {"system", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TEXT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "the system message")},
        {"template", QT_TRANSLATE_NOOP("gufo::cli::Cli", "NAME"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "a template of the model by name, a file, or chatml, alpaca or plain")},
        {"server-template", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "let the server apply its own chat template")},
        {"tools", QT_TRANSLATE_NOOP("gufo::cli::Cli", "JSON"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "a list of tools, or @FILE")},
        {"arg", QT_TRANSLATE_NOOP("gufo::cli::Cli", "NAME=JSON"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "an additional template variable, such as enable_thinking=false; may be repeated")},
    }));
constexpr auto kQuantizeOptions = std::to_array<OptionFact>({
    {"tensor", QT_TRANSLATE_NOOP("gufo::cli::Cli", "REGEX=TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "type of tensors whose name matches; may be repeated, the first match counts")},
    {"imatrix", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "importance matrix of this model (GGUF or .dat), which reduces errors where they matter most")},
    {"output-tensor-type", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "type of the output tensor")},
    {"token-embedding-type", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "type of the token embedding")},
    {"allow-requantize", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "requantise tensors that are already quantised, which loses more than quantising the original")},
    {"threads", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "number of threads; default: all. The result does not depend on it")},
    {"dry-run", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "only show what would be written and its size")},
});
constexpr auto kRenderOptions = std::to_array<OptionFact>({
    {"template", QT_TRANSLATE_NOOP("gufo::cli::Cli", "NAME|FILE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "name of the model's template to use, of which \"default\" is "
                                         "tokenizer.chat_template; or a file with a template (@FILE if a template of "
                                         "the model has the same name)")},
    {"messages", QT_TRANSLATE_NOOP("gufo::cli::Cli", "JSON"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "a list of {\"role\", \"content\"}, or @FILE; default: a short conversation")},
    {"tools", QT_TRANSLATE_NOOP("gufo::cli::Cli", "JSON"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "a list of tools, or @FILE")},
    {"arg", QT_TRANSLATE_NOOP("gufo::cli::Cli", "NAME=JSON"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "an additional template variable, such as enable_thinking=false; may be repeated")},
    {"no-generation-prompt", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "do not append the beginning of the assistant's answer")},
});
constexpr auto kPerplexityOptions = with(
    with(kEngineOptions, kServerOptions),
    std::to_array<OptionFact>({
        {"against", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OTHER"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "compare with a model of the same vocabulary: its perplexity, KL divergence and agreement")},
        {"ctx,context", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "tokens per window, of which the second half is scored; default: 512")},
    }));
constexpr auto kImatrixOptions =
    with(kEngineOptions,
         std::to_array<OptionFact>({
             {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT"),
              QT_TRANSLATE_NOOP("gufo::cli::Cli", "the file to write, which quantize --imatrix reads"), true},
             {"chunks", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
              QT_TRANSLATE_NOOP("gufo::cli::Cli", "evaluate at most N chunks; default: all of the text")},
             {"context", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
              QT_TRANSLATE_NOOP("gufo::cli::Cli", "tokens of a chunk; default: 512")},
             {"save-every", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
              QT_TRANSLATE_NOOP("gufo::cli::Cli", "save what there is after every N chunks; default: 10")},
             {"resume", "",
              QT_TRANSLATE_NOOP("gufo::cli::Cli",
                                "continue where OUT was saved last; the result is the same as without a break")},
         }));
constexpr auto kMergeOptions = std::to_array<OptionFact>({
    {"verify", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "read the result again and compare the SHA-256 of the tensor bytes")},
});
constexpr auto kRecoverOptions = std::to_array<OptionFact>({
    {"moved", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "also accept a copy of the file that was made together with its journal, if its bytes match")},
});
constexpr auto kSplitOptions = std::to_array<OptionFact>({
    {"max-tensors", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "maximum number of tensors per file; default: 128, or unlimited with --max-size")},
    {"max-size", QT_TRANSLATE_NOOP("gufo::cli::Cli", "SIZE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "maximum size of the tensor data per file in bytes, or with M or G (1000 M = 1 G)")},
    {"metadata-first", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "put only the metadata into the first file")},
    {"verify", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "read the result again and compare the SHA-256 of the tensor bytes")},
});
constexpr auto kSetOptions = std::to_array<OptionFact>({
    {"dry-run", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "only show what would change, and how it would be saved")},
    {"type", QT_TRANSLATE_NOOP("gufo::cli::Cli", "T"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "type of all values: u8 i8 … f64 bool str, or arr[T]")},
    {"file", QT_TRANSLATE_NOOP("gufo::cli::Cli", "KEY=PATH"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "set a key to the content of a file, byte for byte if the key is a string")},
    {"json-file", QT_TRANSLATE_NOOP("gufo::cli::Cli", "KEY=PATH"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "set a key to the JSON value in a file")},
    {"import", QT_TRANSLATE_NOOP("gufo::cli::Cli", "PATH"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "set all keys of a JSON file, with their types")},
    {"header-from", QT_TRANSLATE_NOOP("gufo::cli::Cli", "ADDRESS"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "take all keys of a newer version of the file, which has the same tensors; "
                                         "ADDRESS is as in download, or a file. Its weights are not fetched, but "
                                         "random parts of them are compared")},
    {"delete", QT_TRANSLATE_NOOP("gufo::cli::Cli", "KEY"), QT_TRANSLATE_NOOP("gufo::cli::Cli", "delete a key")},
    {"rename", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OLD=NEW"), QT_TRANSLATE_NOOP("gufo::cli::Cli", "rename a key")},
    {"rename-tensor", QT_TRANSLATE_NOOP("gufo::cli::Cli", "REGEX=NEW"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "replace what REGEX matches in tensor names by NEW (\\1: the first group)")},
    {"delete-tensor", QT_TRANSLATE_NOOP("gufo::cli::Cli", "REGEX"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "delete the tensors whose whole name matches")},
    {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "write to another file and leave this one unchanged"), true},
    {"strategy", QT_TRANSLATE_NOOP("gufo::cli::Cli", "S"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "how to save: auto (default), patch, shift, clone or copy; fails if it is impossible")},
    {"verify", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "verify that the tensor bytes are unchanged by hashing them before and after")},
    {"in-place", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "edit in place even if the file has hard links or is named by the hash of its content")},
    {"no-reserve", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "reserve no space for later edits, and release reserved space")},
});
constexpr auto kStatsOptions = std::to_array<OptionFact>({
    kFilterOption,
    {"hist", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "print a histogram of N bins for each tensor; --json always contains one (default: 256 bins)")},
    {"model", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "also treat all decodable tensors as one population")},
});
constexpr auto kTokenizeOptions = std::to_array<OptionFact>({
    {"ids", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "print only the ids, on one line")},
    {"no-bos", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "do not add the tokens that begin or end a text")},
    {"special", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "read text such as <s> as the control token of that name")},
});
constexpr auto kValidateOptions = std::to_array<OptionFact>({
    {"deep", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "also search all weights for NaN and infinity")},
});

constexpr auto kVerbs = std::to_array<Verb>({
    {"info",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Shows the format, metadata and tensors of a model"),
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "Reads only the header, whatever the size of the model. Any shard of a set stands for the whole "
         "set, and any piece\nof a cut file for the file. For a store of Ollama, its models are listed. Long values "
         "are truncated; use get to see\nthem in full."),
     {},
     1,
     1,
     runInfo,
     Verb::Output::None,
     true},
    {"get",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE KEY|KEY[N]|KEY[N:M]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Prints the full value of a metadata key"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "A string is written byte for byte (with a line break after it only on a terminal). An array is "
                       "written one element per\nline; in its strings, a backslash is written \\\\, a line break \\n, "
                       "a tab \\t, and bytes that are not UTF-8 \\xNN. KEY[2] is one element of an array, "
                       "written like a value of its type, and KEY[2:5] the\nelements 2, 3 and 4; elements are numbered "
                       "from 0, and either number of a range may be omitted."),
     {},
     2,
     2,
     runGet,
     Verb::Output::None,
     true},
    {"validate", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE [--deep]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Checks a model: lists what is wrong or unusual, where, and how to fix it"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "The exit code is 1 if there is a warning or an error."), kValidateOptions, 1,
     1, runValidate, Verb::Output::None, true},
    {"dump", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE TENSOR -o OUT [--format FORMAT]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Writes a tensor's values to a file"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "Integers and F64 keep their type in npy and csv; all other types are written as floats."),
     kDumpOptions, 2, 2, runDump, Verb::Output::None, true},
    {"stats", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE [TENSOR…] [--hist N] [--model]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Prints statistics and histograms of tensors (default: all)"),
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "Over finite values: minimum, maximum, mean, standard deviation (population), mean of absolute values, "
         "skewness, excess\nkurtosis. NaN and infinities are counted. All weights are read; Ctrl-C cancels."),
     kStatsOptions, 1, -1, runStats, Verb::Output::None, true},
    {"set",
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "FILE KEY=VALUE… [--type T] [--file KEY=PATH] [--delete KEY] [--rename OLD=NEW] [-o OUT] [--strategy S]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Edits metadata and tensor names, in place or in a new file"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "All edits are saved together: first --header-from and --import, then --delete, --rename, "
                       "values and tensors. The "
                       "type of a value is that\nof --type, of the key, of the key catalogue, or deduced: true, 12 "
                       "(i32, u32, i64, u64), 1.5 (f32), [\"a\"] (arr), text.\nNames can stand for numbers "
                       "(general.file_type=Q4_K_M); KEY[12]=VALUE sets one element. Ctrl-C leaves the file as it is."),
     kSetOptions, 1, -1, runSet},
    {"compare",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "A B [C…] [--metric M] [--sort M] [--tensors REGEX] [--html OUT] [--csv OUT]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Compares the weights, metadata and tokens of models"),
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "A is the reference. All weights of all models are read once; Ctrl-C cancels. Results are "
         "cached until a file changes.\nA GGUF file and the folder that it was converted from are compared "
         "tensor by tensor as the conversion writes them.\nThe exit code is 1 if anything differs."),
     kCompareOptions, 2, 8, runCompare, Verb::Output::None, true},
    {"memory", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE [--context N] [--kv TYPE] [--batch N]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Shows how much memory running the model needs"),
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "Lists the memory for weights, KV cache, recurrent state, buffers and logits, and whether this machine has "
         "enough.\nFor models that this engine cannot run, the figures are estimated from the header."),
     kSessionOptions, 1, 1, runMemory, Verb::Output::None, true},
    {"quantize",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "IN OUT TYPE [--tensor REGEX=TYPE …] [--imatrix FILE] [--dry-run]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Writes the model with other tensor types to a new file"),
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "TYPE is one of F32, BF16, F16, Q8_0, Q6_K, Q5_1, Q5_K_M, Q5_K_S, Q5_0, Q4_1, Q4_K_M, Q4_K_S, IQ4_NL, Q4_0, "
         "IQ4_XS,\nMXFP4_MOE, Q3_K_L, Q3_K_M, Q3_K_S, Q2_K, Q2_K_S. With --dry-run, OUT may be omitted. Shows the "
         "resulting size first.\nOUT is written completely or not at all; shards become one file."),
     kQuantizeOptions, 2, 3, runQuantize, Verb::Output::SecondOfThree},
    {"imatrix",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE TEXT -o OUT [--chunks N] [--context N] [--save-every N] [--resume]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Measures which weights matter most (importance matrix), for quantising"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "Evaluates TEXT, a file or - for standard input, and sums the squared inputs of each matrix, of "
                       "each expert for itself.\nThe KV cache is f32 unless --kv says otherwise. After Ctrl-C, "
                       "--resume continues from the last save."),
     kImatrixOptions, 2, 2, runImatrix},
    {"render",
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "FILE [--template NAME|FILE] [--messages JSON|@FILE] [--tools JSON|@FILE] [--arg NAME=JSON]…"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Renders a conversation with the chat template"),
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "Renders as Hugging Face transformers does: Jinja2 with trim_blocks and lstrip_blocks. The text is written "
         "byte for byte\n(with a line break after it only on a terminal). A template may use 1 s and 400 MB."),
     kRenderOptions, 1, 1, runRender, Verb::Output::None, true},
    {"generate", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE -p TEXT [-n N] [--temp X] [--seed N] …"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Continues a text with the model"),
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "Runs on the CPU, directly from the file. Ctrl-C stops. With --json, also "
         "prints log-probabilities and speeds.\nWith --engine it runs on a server instead; FILE is then the "
         "file whose model the server should run."),
     kGenerateOptions, 1, 1, runGenerate},
    {"chat", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE [--system TEXT] [-m TEXT] [--temp X] …"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Chats with the model through its chat template"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Reads one message per line from standard input (a \\ at the end continues it "
                                         "on the next line), and prints answers as\nthey are generated. /help lists "
                                         "the commands. Ctrl-C stops the answer; at the prompt it ends the program."),
     kChatOptions, 1, 1, runChat},
    {"perplexity", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE TEXT [--against OTHER] [--ctx N]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Measures how well the model predicts a text"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "TEXT is a file, or - for standard input. With --against, both models run in "
                       "lock step, so no file of logits is needed.\nWith --engine, a server that runs the same "
                       "model scores one token for each request."),
     kPerplexityOptions, 2, 2, runPerplexity},
    {"eval", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE --tokens IDS --logits OUT"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Writes the logits of all positions as floats"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT has one row per token, with one value per token of the vocabulary."),
     kEvalOptions, 1, 1, runEval},
    {"embed", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE TEXT… [--tokens IDS] [--pooling P] [--normalize] [-o OUT]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Makes vectors of texts (embeddings), or scores if the model ranks texts"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "Prints a line of numbers for each text. Encoders run as they are meant to; of "
                       "other models, the vectors are the\nstates of tokens after the last norm."),
     kEmbedOptions, 1, -1, runEmbed},
    {"rerank", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE QUERY TEXT…"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Sorts texts by how well they answer a query, with a ranking model"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "Prints the best text first, each with its score. Query and text are joined by "
                       "the template \"rerank\" of the file or,\nwithout one, by its separator."),
     kRerankOptions, 3, -1, runRerank},
    {"bench", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE [-p N] [-n N] [-d N] [-t N]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Measures the speed, and compares it with the limits of this machine"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Evaluates arbitrary tokens. Measures the read bandwidth and the peak rate of "
                                         "8-bit products in the same run."),
     kBenchOptions, 1, 1, runBench},
    {"tokenize", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE TEXT [--ids] [--no-bos] [--special]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Prints the tokens of a text"),
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "TEXT may be - for standard input. Bytes that are not UTF-8 are tokenized too if the tokenizer supports it."),
     kTokenizeOptions, 2, 2, runTokenize, Verb::Output::None, true},
    {"detokenize", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE IDS… [--special]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Prints the text of token ids"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "IDS are numbers separated by spaces or commas, or - for standard input. The text is written "
                       "byte for byte\n(with a line break after it only on a terminal)."),
     kDetokenizeOptions, 2, -1, runDetokenize, Verb::Output::None, true},
    {"apply", QT_TRANSLATE_NOOP("gufo::cli::Cli", "BASE ADAPTER… OUT [--scale X]… [--type TYPE] [--dry-run]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Merges LoRA adapters into a model"),
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "BASE and the adapters are GGUF files. Tensors that an adapter names are computed anew in f32 and written in "
         "the type that\nthey had, or in that of --type; all others keep their bytes. Shows how much each tensor "
         "changes, relative to its weights,\nand the error that encoding it again adds. OUT is written completely or "
         "not at all; shards become one file."),
     kApplyOptions, 2, -1, runApply, Verb::Output::Last},
    {"convert",
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "IN OUT [--type TYPE] [--imatrix FILE] [--base PATH] [--name NAME] [--vocab-only] [--dry-run] | "
                       "[--byte-order ORDER] [--version N] [--verify]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Makes GGUF of other files, or writes GGUF in another byte order or version"),
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "IN is a folder of Hugging Face (safetensors or PyTorch, with its configuration and tokenizer), the folder of "
         "a PEFT adapter,\na LLaMA file from before GGUF (GGML, GGMF, GGJT), or a GGUF file.\nA folder is converted in "
         "one pass to any type that quantize has; with --dry-run, OUT may be omitted, "
         "and the plan is\nshown: each tensor with its sources and operations, each key with where its value comes "
         "from, and what is left out.\nFor GGUF files, impossible conversions are refused: big-endian before version "
         "3, 64-bit values in version 1, and another\nbyte order for tensors whose layout is unknown. OUT is written "
         "completely or not at all."),
     kConvertOptions, 1, 2, runConvert, Verb::Output::Second},
    {"split",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "IN PREFIX [--max-tensors N] [--max-size SIZE] [--metadata-first] [--verify]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Splits a model into several files: PREFIX-00001-of-00003.gguf"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "The metadata goes into the first file. All files are written, or none."),
     kSplitOptions, 2, 2, runSplit, Verb::Output::BeginsWithSecond},
    {"merge", QT_TRANSLATE_NOOP("gufo::cli::Cli", "IN OUT [--verify]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Merges the files of a split model into one"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "IN is any of the files: a shard, or a piece of a file that was cut "
                                         "(m.gguf-split-a,\nm.gguf.part1of2, m.gguf.001)."),
     kMergeOptions, 2, 2, runMerge, Verb::Output::Second},
    {"recover", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE [--moved]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Undoes or completes an interrupted save"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Uses the journal beside the file, as opening the file also does. Afterwards "
                                         "the file is entirely the old or the new version."),
     kRecoverOptions, 1, 1, runRecover},
    {"download", QT_TRANSLATE_NOOP("gufo::cli::Cli", "ADDRESS [-o DIR] [--connections N]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Downloads a model, and checks that it is complete"),
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "ADDRESS is https://…, hf.co/OWNER/REPO[:Q4_K_M], OWNER/REPO, modelscope.cn/models/OWNER/REPO or "
         "ollama.com/NAME:TAG; of several\nmodels in a repository, the one of Q4_K_M is meant unless another is named. "
         "All shards of a model are fetched. The SHA-256 is\ncompared with the one that the hub states. Ctrl-C keeps "
         "NAME.part, which the next call completes. Private and gated models need\na token of Hugging Face in "
         "HF_TOKEN; HF_ENDPOINT names a mirror."),
     kDownloadOptions, 1, 1, runDownload, Verb::Output::None, true},
    {"verify", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE ADDRESS [--quick]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Says whether a file is the one of the hub"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "Compares the size and the SHA-256, for which the whole file is read, or with --quick parts of "
                       "the file, which takes seconds.\nADDRESS is as in download. FILE may be any shard. The exit "
                       "code is 1 if anything differs."),
     kVerifyOptions, 2, 2, runVerify, Verb::Output::None, true},
});

} // namespace

std::span<const Verb> verbs() { return kVerbs; }

const Verb* findVerb(std::string_view name) {
    const auto* row = std::ranges::find(kVerbs, name, [](const Verb& verb) { return std::string_view(verb.name); });
    return row != kVerbs.end() ? row : nullptr;
}

} // namespace gufo::cli
