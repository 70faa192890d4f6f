#include "cli/verb.h"

#include <QtGlobal>

#include <algorithm>
#include <array>

namespace gufo::cli {
namespace {

#define T(text) QT_TRANSLATE_NOOP("gufo::cli::Cli", text)

constexpr auto kCompareOptions = std::to_array<OptionFact>({
    {"metric", T("M"),
     T("what tables and the report's map show: sqnr (default), nmse, rmse, mae, max_error, cosine, "
       "equal, bits")},
    {"sort", T("M"),
     T("the order of tensors, worst first: a metric, or name for the order of the file; by default as "
       "--metric")},
    {"tensors", T("REGEX"), T("only tensors whose name the regular expression finds something in")},
    {"all", "", T("every tensor that differs, not only the 20 worst")},
    {"html", T("OUT"), T("write a report that any browser shows, in one file")},
    {"csv", T("OUT"), T("write all figures as a table")},
    {"profile", "", T("with --json: also errors by magnitude, and how many there are of each size")},
    {"no-cache", "", T("compare anew what was compared before")},
});
constexpr auto kConvertOptions = std::to_array<OptionFact>({
    {"byte-order", T("ORDER"), T("little or big; by default that of IN")},
    {"version", T("N"), T("of GGUF: 1, 2 or 3 (default)")},
    {"verify", "", T("read everything again and compare the SHA-256 of the tensor bytes")},
});
// Options of a verb, then those that it shares with others.
template<std::size_t Own, std::size_t Shared>
constexpr auto with(const std::array<OptionFact, Shared>& shared, const std::array<OptionFact, Own>& own) {
    std::array<OptionFact, Own + Shared> all{};
    std::ranges::copy(shared, std::ranges::copy(own, all.begin()).out);
    return all;
}
constexpr auto kEngineOptions = std::to_array<OptionFact>({
    {"batch", T("N"), T("tokens of a prompt worked on at once, 512 by default")},
    {"kv", T("TYPE"), T("type of the KV cache: f16 (default), f32, bf16, q8_0")},
    {"kv-keys", T("TYPE"), T("type of the keys alone")},
    {"kv-values", T("TYPE"), T("type of the values alone")},
    {"t,threads", T("N"), T("threads; by default the physical cores")},
    {"rope-scaling", T("TYPE"), T("none, linear or yarn instead of the file's scaling of positions, all of it")},
    {"rope-scale", T("X"), T("how many times longer a context it makes room for, instead of the file's")},
    {"rope-base", T("X"), T("base of the rotary frequencies instead of the file's")},
    {"rope-original-context", T("N"), T("tokens before scaling, for yarn; by default what the file says")},
});
constexpr auto kSessionOptions =
    with(kEngineOptions,
         std::to_array<OptionFact>({
             {"context", T("N"), T("tokens of context; by default what the model was trained with, at most 4096")},
         }));
constexpr auto kBenchOptions =
    with(kSessionOptions, std::to_array<OptionFact>({
                              {"p,prompt", T("N"), T("tokens of the prompt, 128 by default")},
                              {"n", T("N"), T("tokens to generate, 32 by default")},
                              {"d,depth", T("N"), T("tokens that are in the context before, 0 by default")},
                          }));
constexpr auto kDetokenizeOptions = std::to_array<OptionFact>({
    {"special", "", T("write control tokens as their text instead of nothing")},
});
constexpr auto kDumpOptions = std::to_array<OptionFact>({
    {"o,output", T("OUT"), T("the file to write; it appears whole or not at all")},
    {"format", T("FORMAT"),
     T("npy (NumPy), f32 (bare little-endian floats), csv, or raw (the bytes as stored); by default what the name of "
       "OUT says, else f32")},
});
constexpr auto kEvalOptions = with(
    kSessionOptions, std::to_array<OptionFact>({
                         {"tokens", T("IDS"), T("token ids, separated by commas or spaces")},
                         {"logits", T("OUT"), T("the file to write: floats, a row of the vocabulary for each token")},
                     }));
constexpr auto kSamplingOptions =
    with(kSessionOptions,
         std::to_array<OptionFact>({
             {"n", T("N"), T("tokens at most; by default until the model ends")},
             {"stop", T("TEXT"), T("ends when this text comes, and leaves it out; may be repeated")},
             {"ignore-eos", "", T("go on past the end")},
             {"temp", T("X"), T("temperature, 0.8 by default; 0: always the likeliest token")},
             {"seed", T("N"), T("of the draws, 0 by default: the same seed gives the same text")},
             {"top-k", T("N"), T("only the N likeliest, 40 by default; 0: off")},
             {"top-p", T("X"), T("only the likeliest that sum up to X, 0.95 by default; 1: off")},
             {"min-p", T("X"), T("only those at least X times as likely as the likeliest, 0.05 by default; 0: off")},
             {"typical", T("X"), T("locally typical sampling; 1 (default): off")},
             {"top-n-sigma", T("X"), T("only logits within X deviations of the largest; 0 (default): off")},
             {"xtc-probability", T("X"), T("of leaving out the likeliest tokens; 0 (default): never")},
             {"xtc-threshold", T("X"), T("probability from which they are left out, 0.1 by default")},
             {"dynatemp-range", T("X"), T("temperature goes up and down by X with the entropy; 0 (default): off")},
             {"dynatemp-exp", T("X"), T("exponent of that, 1 by default")},
             {"repeat-penalty", T("X"), T("for tokens that were said lately; 1 (default): off")},
             {"repeat-last-n", T("N"), T("tokens that penalties look back on, 64 by default")},
             {"frequency-penalty", T("X"), T("for each time a token was said; 0 (default): off")},
             {"presence-penalty", T("X"), T("for tokens that were said; 0 (default): off")},
             {"dry-multiplier", T("X"), T("penalty for repeating whole phrases; 0 (default): off")},
             {"dry-base", T("X"), T("by which it grows with each token repeated, 1.75 by default")},
             {"dry-allowed-length", T("N"), T("repeated tokens without it, 2 by default")},
             {"dry-penalty-last-n", T("N"), T("tokens that it looks back on; 0 (default): all")},
             {"mirostat", T("N"), T("1 or 2: keep the surprise even instead of cutting; 0 (default): off")},
             {"mirostat-tau", T("X"), T("surprise aimed at in bits, 5 by default")},
             {"mirostat-eta", T("X"), T("how fast it is corrected, 0.1 by default")},
             {"logit-bias", T("TOKEN=X"),
              T("X is added to the logit of a token, an id or its text; -inf forbids it; may be repeated")},
             {"grammar", T("FILE"), T("keep to a grammar in GBNF, as llama.cpp has it")},
             {"grammar-text", T("TEXT"), T("the same, given here: 'root ::= \"yes\" | \"no\"'")},
             {"json-schema", T("FILE"), T("answer in JSON that conforms to a schema")},
             {"json-schema-text", T("JSON"), T("the same, given here")},
         }));
constexpr auto kGenerateOptions = with(
    kSamplingOptions, std::to_array<OptionFact>({
                          {"p,prompt", T("TEXT"), T("what to continue; <s> and the like stand for control tokens")},
                          {"candidates", T("N"), T("with --json: the N likeliest tokens of each position")},
                      }));
constexpr auto kChatOptions =
    with(kSamplingOptions,
         std::to_array<OptionFact>({
             {"m,message", T("TEXT"), T("say this instead of reading messages; may be repeated")},
             {"system", T("TEXT"), T("the system message")},
             {"template", T("NAME"), T("a template of the model by its name, a file, or chatml, alpaca or plain")},
             {"tools", T("JSON"), T("a list of tools, or @ and a file's name")},
             {"arg", T("NAME=JSON"), T("a further variable of the template: enable_thinking=false; may be repeated")},
         }));
constexpr auto kQuantizeOptions = std::to_array<OptionFact>({
    {"tensor", T("REGEX=TYPE"),
     T("the type of tensors whose name matches; may be given several times, the first counts")},
    {"imatrix", T("FILE"),
     T("an importance matrix of this model, GGUF or .dat: errors are put where they matter least")},
    {"output-tensor-type", T("TYPE"), T("the type of the output")},
    {"token-embedding-type", T("TYPE"), T("the type of the token embedding")},
    {"allow-requantize", "", T("also tensors that are quantised already, which loses more than from the original")},
    {"threads", T("N"), T("how many to use; by default all there are. The file is the same")},
    {"dry-run", "", T("only show what would be written, and its size")},
});
constexpr auto kRenderOptions = std::to_array<OptionFact>({
    {"template", T("NAME"), T("one of several templates; \"default\" is tokenizer.chat_template")},
    {"messages", T("JSON"),
     T("a list of {\"role\", \"content\"}, or @ and a file's name; by default a short conversation")},
    {"tools", T("JSON"), T("a list of tools, or @ and a file's name")},
    {"arg", T("NAME=JSON"), T("a further variable of the template: enable_thinking=false; may be repeated")},
    {"no-generation-prompt", "", T("do not begin the assistant's answer")},
});
constexpr auto kPerplexityOptions = with(
    kEngineOptions,
    std::to_array<OptionFact>({
        {"against", T("OTHER"), T("another model of the same vocabulary: its perplexity, KL divergence and agreement")},
        {"ctx,context", T("N"), T("tokens of a window, 512 by default; its second half is scored")},
    }));
constexpr auto kMergeOptions = std::to_array<OptionFact>({
    {"verify", "", T("read everything again and compare the SHA-256 of the tensor bytes")},
});
constexpr auto kSplitOptions = std::to_array<OptionFact>({
    {"max-tensors", T("N"), T("tensors in a file; 128 by default, any number with --max-size")},
    {"max-size", T("SIZE"), T("tensor data in a file: bytes, or with M or G (1000 M = 1 G)")},
    {"metadata-first", "", T("the first file holds the metadata only")},
    {"verify", "", T("read everything again and compare the SHA-256 of the tensor bytes")},
});
constexpr auto kSetOptions = std::to_array<OptionFact>({
    {"type", T("T"), T("type of every VALUE of this call: u8 i8 … f64 bool str, or arr[T]")},
    {"file", T("KEY=PATH"), T("a value from a file: its whole content, byte for byte where the key is a text")},
    {"json-file", T("KEY=PATH"), T("a value from a file that holds it as JSON, as export writes it")},
    {"import", T("PATH"), T("all keys of a JSON file, with their types")},
    {"delete", T("KEY"), T("delete a key")},
    {"rename", T("OLD=NEW"), T("rename a key")},
    {"rename-tensor", T("REGEX=NEW"),
     T("in the names of tensors, what REGEX finds becomes NEW (\\1: its first group)")},
    {"delete-tensor", T("REGEX"), T("delete the tensors with that whole name")},
    {"o,output", T("OUT"), T("write another file, and leave this one as it is")},
    {"strategy", T("S"), T("auto (default), patch, shift, clone or copy: this one or an error")},
    {"verify", "", T("prove that tensor bytes are unchanged: hash them before and after")},
    {"in-place", "", T("also a file that has other names, or is named by its content's hash")},
    {"no-reserve", "", T("reserve no space for later edits, and give back what is reserved")},
});
constexpr auto kStatsOptions = std::to_array<OptionFact>({
    {"hist", T("N"), T("a histogram of N bins for each tensor; --json has one of 256 bins anyway")},
    {"model", "", T("also all decodable tensors as one population")},
});
constexpr auto kTokenizeOptions = std::to_array<OptionFact>({
    {"ids", "", T("only the ids, on one line")},
    {"no-bos", "", T("no token that begins or ends the text, even if the model adds it")},
    {"special", "", T("text such as <s> stands for the control token of that name")},
});
constexpr auto kValidateOptions = std::to_array<OptionFact>({
    {"deep", "", T("also read every weight, for NaN and infinity")},
});

constexpr auto kVerbs = std::to_array<Verb>({
    {"info",
     T("FILE"),
     T("What is in a model: format, metadata, tensors"),
     T("Reads the header only, whatever the size of the model. Any shard of a set stands for the whole set.\n"
       "Long values are cut; get shows them whole."),
     {},
     1,
     1,
     runInfo},
    {"get",
     T("FILE KEY"),
     T("The value of a metadata key, whole"),
     T("A string is written verbatim, byte for byte (followed by a line end on a terminal only). An array takes a "
       "line "
       "for each\nelement; in its strings \\ is written \\\\, a line end \\n, a tab \\t, and bytes that are no "
       "text "
       "\\xNN."),
     {},
     2,
     2,
     runGet},
    {"validate", T("FILE [--deep]"), T("Findings: what is wrong or odd, where, and what would fix it"),
     T("Exit code 1 if there is a finding of severity warning or error."), kValidateOptions, 1, 1, runValidate},
    {"dump", T("FILE TENSOR -o OUT [--format FORMAT]"), T("A tensor's values into a file"),
     T("Integers and F64 keep their type in npy and csv; every other type is written as float."), kDumpOptions, 2, 2,
     runDump},
    {"stats", T("FILE [TENSOR…] [--hist N] [--model]"),
     T("Statistics and histograms of tensors; by default all of them"),
     T("Over finite values: minimum, maximum, mean, standard deviation (population), mean of absolute values, "
       "skew, "
       "excess kurtosis.\nNaN and infinities are counted. Every weight is read; Ctrl-C stops."),
     kStatsOptions, 1, -1, runStats},
    {"set", T("FILE KEY=VALUE… [--type T] [--file KEY=PATH] [--delete KEY] [--rename OLD=NEW] [-o OUT] [--strategy S]"),
     T("Edits metadata and names of tensors, in place or into another file"),
     T("All edits are one save: first --import, then --delete, --rename, values, tensors. A value has the type of "
       "--type, "
       "else that\nof the key, of the catalogue, or what it looks like: true, 12 (i32, u32, i64, u64), 1.5 (f32), "
       "[\"a\"] "
       "(arr), text.\nNames stand for numbers (general.file_type=Q4_K_M); KEY[12]=VALUE sets one element. Ctrl-C "
       "leaves the "
       "file as it was."),
     kSetOptions, 1, -1, runSet},
    {"compare", T("A B [C…] [--metric M] [--sort M] [--tensors REGEX] [--html OUT] [--csv OUT]"),
     T("What differs between models, and by how much: weights, metadata, tokens"),
     T("A is the reference. Every weight of all models is read once; Ctrl-C stops. What was compared before is "
       "kept "
       "in\n"
       "the cache folder until a file changes. Exit code 1 if anything differs."),
     kCompareOptions, 2, 8, runCompare},
    {"memory", T("FILE [--context N] [--kv TYPE] [--batch N]"), T("What running the model needs of memory"),
     T("Weights, KV cache, recurrent state, buffers and logits as a run would take them, and whether they fit here.\n"
       "Of a model that this engine does not run, an estimate from its header."),
     kSessionOptions, 1, 1, runMemory},
    {"quantize", T("IN OUT TYPE [--tensor REGEX=TYPE …] [--imatrix FILE] [--dry-run]"),
     T("The model with other tensor types, in a new file"),
     T("TYPE is a mix as people know them: F32, BF16, F16, Q8_0, Q6_K, Q5_1, Q5_K_M, Q5_K_S, Q5_0, Q4_1, Q4_K_M, "
       "Q4_K_S,\n"
       "IQ4_NL, Q4_0, IQ4_XS, MXFP4_MOE, Q3_K_L, Q3_K_M, Q3_K_S, Q2_K, Q2_K_S. With --dry-run, OUT may be left "
       "out.\n"
       "Shows the resulting size first. OUT appears whole or not at all; shards become one file."),
     kQuantizeOptions, 2, 3, runQuantize},
    {"render", T("FILE [--template NAME] [--messages JSON|@FILE] [--tools JSON|@FILE] [--arg NAME=JSON]…"),
     T("The chat template applied to a conversation"),
     T("As transformers renders it: Jinja2 with trim_blocks and lstrip_blocks. The text is written byte for byte\n"
       "(followed by a line end on a terminal only). A template has 1 s and 400 MB."),
     kRenderOptions, 1, 1, runRender},
    {"generate", T("FILE -p TEXT [-n N] [--temp X] [--seed N] …"), T("Continue a text with the model"),
     T("Runs on the CPU, straight from the file. Ctrl-C stops. With --json also log-probabilities and speeds."),
     kGenerateOptions, 1, 1, runGenerate},
    {"chat", T("FILE [--system TEXT] [-m TEXT] [--temp X] …"), T("Talk to the model, with its chat template"),
     T("Messages come from standard input, one a line (a \\ at its end: the next line belongs to it), answers go to "
       "standard\noutput as they are made. /help lists what else can be said. Ctrl-C stops the answer; once more "
       "ends."),
     kChatOptions, 1, 1, runChat},
    {"perplexity", T("FILE TEXT [--against OTHER] [--ctx N]"), T("How well the model foretells a text"),
     T("TEXT is a file, or - for standard input. With --against both models run in lock step: KL divergence without a "
       "file of logits."),
     kPerplexityOptions, 2, 2, runPerplexity},
    {"eval", T("FILE --tokens IDS --logits OUT"), T("The logits of every position, as floats"),
     T("Rows of the vocabulary's size, one for each token."), kEvalOptions, 1, 1, runEval},
    {"bench", T("FILE [-p N] [-n N] [-d N] [-t N]"), T("Speed, and the share of what this machine can do"),
     T("Tokens are arbitrary. The read bandwidth and the 8-bit peak are measured in the same run."), kBenchOptions, 1,
     1, runBench},
    {"tokenize", T("FILE TEXT [--ids] [--no-bos] [--special]"), T("The tokens of a text"),
     T("TEXT may be - for standard input. Bytes that are no UTF-8 are tokenized too, where the model can."),
     kTokenizeOptions, 2, 2, runTokenize},
    {"detokenize", T("FILE IDS… [--special]"), T("The text of token ids"),
     T("IDS are numbers separated by spaces or commas, or - for standard input. The text is written byte for byte\n"
       "(followed by a line end on a terminal only)."),
     kDetokenizeOptions, 2, -1, runDetokenize},
    {"convert", T("IN OUT [--byte-order ORDER] [--version N] [--verify]"),
     T("A model in another byte order or version of GGUF"),
     T("What cannot be right is refused: big-endian before version 3, 64-bit values in version 1, tensors of types "
       "whose\n"
       "fields are not known in another byte order. OUT appears whole or not at all."),
     kConvertOptions, 2, 2, runConvert},
    {"split", T("IN PREFIX [--max-tensors N] [--max-size SIZE] [--metadata-first] [--verify]"),
     T("A model as several files: PREFIX-00001-of-00003.gguf"),
     T("The metadata goes into the first file. All files appear, or none."), kSplitOptions, 2, 2, runSplit},
    {"merge", T("IN OUT [--verify]"), T("The files of a split model as one"), T("IN is any one of them."),
     kMergeOptions, 2, 2, runMerge},
    {"recover",
     T("FILE"),
     T("Undoes or completes a save that was interrupted"),
     T("By the journal beside the file. Opening the file does the same. Afterwards it is entirely the old or the "
       "new "
       "one."),
     {},
     1,
     1,
     runRecover},
});

#undef T

} // namespace

std::span<const Verb> verbs() { return kVerbs; }

const Verb* findVerb(std::string_view name) {
    const auto* row = std::ranges::find(kVerbs, name, [](const Verb& verb) { return std::string_view(verb.name); });
    return row != kVerbs.end() ? row : nullptr;
}

} // namespace gufo::cli
