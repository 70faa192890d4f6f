#include "cli/engine_verb_options.h"
#include "cli/file_verb_options.h"
#include "cli/verb.h"

#include <QtGlobal>

#include <algorithm>
#include <array>

namespace gufo::cli {
namespace {

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
                       "Integers and F64 keep their type in npy and csv; all other types are written as floats.\n"
                       "If OUT is -, they are written to standard output."),
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
         "FILE KEY=VALUE… [--repair [CODE…]] [--type T] [--file KEY=PATH] [--delete KEY] [--rename OLD=NEW] [-o OUT]"),
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
     kMemoryOptions, 1, 1, runMemory, Verb::Output::None, true},
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
                       "Evaluates TEXT, a file or - for standard input, and sums the squared inputs of each matrix, "
                       "separately for each expert.\nThe KV cache is f32 unless --kv says otherwise. After Ctrl-C, "
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
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "Runs on the CPU, directly from the file. Ctrl-C stops. With --json, also "
                       "prints log-probabilities and speeds.\nWith --engine, another engine or a server runs it; "
                       "FILE is then the file whose model the server should run."),
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
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Embeds texts, or scores them if the model is a reranker"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "Prints a line of numbers for each text. If the model is not an encoder, its vectors "
                       "are the states of tokens after\nthe last norm."),
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
         "BASE and the adapters are GGUF files. Tensors that an adapter names are recomputed in f32 and written in "
         "the type that\nthey had, or in that of --type; all others keep their bytes. Shows how much each tensor "
         "changes, relative to its weights,\nand the error that encoding it again adds. OUT is written completely or "
         "not at all; shards become one file."),
     kApplyOptions, 2, -1, runApply, Verb::Output::Last},
    {"convert",
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "IN OUT [--type TYPE] [--imatrix FILE] [--base PATH] [--name NAME] [--vocab-only] [--dry-run] | "
                       "[--byte-order ORDER] [--version N] [--verify]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "Converts other formats to GGUF, or writes GGUF in another byte order or version"),
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "IN is a folder of Hugging Face (safetensors or PyTorch, with its configuration and tokenizer), the folder of "
         "a PEFT adapter,\na LLaMA file from before GGUF (GGML, GGMF, GGJT), or a GGUF file.\nA folder is converted in "
         "one pass to any type that quantize has; with --dry-run, OUT may be omitted, "
         "and the plan is\nshown: each tensor with its sources and operations, each key with the source of its value, "
         "and what is left out.\nFor GGUF files, impossible conversions are refused: big-endian before version "
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
         "ollama.com/NAME:TAG; of several\nmodels in a repository, Q4_K_M is chosen unless another is named. "
         "All shards of a model are fetched. The SHA-256 is\ncompared with the one that the hub states. Ctrl-C keeps "
         "NAME.part, which the next call completes. Private and gated models need\na token of Hugging Face in "
         "HF_TOKEN; HF_ENDPOINT names a mirror. Without encryption (http://), only this computer is contacted, and "
         "the\nhosts that GUFO_PLAIN_HOSTS lists, separated by commas."),
     kDownloadOptions, 1, 1, runDownload, Verb::Output::None, true},
    {"verify", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE ADDRESS [--quick]"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "Checks whether a file is identical to the one on the hub"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "Compares the size and the SHA-256, which reads the whole file, or with --quick only parts of "
                       "it, which takes seconds.\nADDRESS is as in download. FILE may be any shard. The exit "
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
