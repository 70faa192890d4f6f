// The options of the verbs that read or write files without running a model, for the table of verbs (verbs.cpp).
#pragma once

#include "cli/verb.h"
#include "cli/verbs/compare_text.h"

#include <QtGlobal>

#include <array>

namespace gufo::cli {

inline constexpr OptionFact kFilterOption = {
    "filter", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILTER"),
    QT_TRANSLATE_NOOP("gufo::cli::Cli", "only tensors for which all terms hold: ffn_* or Q6_K (a part of the name, or "
                                        "the type), type:IQ*, size:>10M, size:1M..2G, shape:4096x*, /REGEX/, and "
                                        "-TERM or !TERM to exclude")};
inline constexpr auto kCompareOptions = std::to_array<OptionFact>({
    kFilterOption,
    {"metric", QT_TRANSLATE_NOOP("gufo::cli::Cli", "M"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "metric shown in tables and on the report's map: %1; default: the first"),
     false, metricIds},
    {"sort", QT_TRANSLATE_NOOP("gufo::cli::Cli", "M"),
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "sort tensors by this metric, worst first, or by name for file order; default: the metric of --metric")},
    {"tensors", QT_TRANSLATE_NOOP("gufo::cli::Cli", "REGEX"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "compare only tensors whose name matches the regular expression")},
    {"all", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "list all tensors that differ, not only the 20 worst")},
    {"memory", QT_TRANSLATE_NOOP("gufo::cli::Cli", "SIZE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "also name the model closest to the reference (by --metric) that runs within "
                                         "this memory, such as 8G, with the trained context of at most 4096 tokens")},
    {"html", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "write a report as a single HTML file"), true},
    {"csv", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT"), QT_TRANSLATE_NOOP("gufo::cli::Cli", "write all figures as CSV"),
     true},
    {"imatrix", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "importance matrix (GGUF or .dat) for the metric weighted_sqnr, which shows what quantising with "
                       "one gained; default: the one that a model names, if it is in the model's folder")},
    {"kl", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TEXT"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "run the models on this text, and show the mean KL divergence of their predictions from those of "
                       "the first, by which --memory then chooses unless there is a --metric")},
    {"profile", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "with --json: add the error by weight magnitude and the distribution of errors")},
    {"no-cache", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "ignore cached results")},
});
inline constexpr auto kApplyOptions = std::to_array<OptionFact>({
    {"scale", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "how strongly the adapters are applied; default: 1. Given several times, one "
                                         "for each adapter")},
    {"type", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "type of the tensors that change: keep (default), F32, F16 or BF16")},
    {"dry-run", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "only show which tensors change, and how much; OUT is then omitted")},
    {"threads", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "number of threads; default: all. The result does not depend on it")},
});
inline constexpr auto kConvertOptions = std::to_array<OptionFact>({
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
inline constexpr auto kDetokenizeOptions = std::to_array<OptionFact>({
    {"special", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "write control tokens as text instead of omitting them")},
});
inline constexpr auto kDumpOptions = std::to_array<OptionFact>({
    {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "output file; it is written completely or not at all"), true, nullptr, true},
    {"format", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FORMAT"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "npy (NumPy), f32 (raw little-endian floats), csv, or raw (the bytes as "
                                         "stored); default: by the extension of OUT, otherwise f32")},
});
inline constexpr auto kDownloadOptions = std::to_array<OptionFact>({
    {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "DIR"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "folder for the files; default: the current one"), true},
    {"connections", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "parts that are fetched at the same time, 1 to 16; default: 4")},
});
inline constexpr auto kVerifyOptions = std::to_array<OptionFact>({
    {"quick", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "compare only the size, the header and 30 random parts of 64 KiB")},
});
inline constexpr auto kQuantizeOptions = std::to_array<OptionFact>({
    {"tensor", QT_TRANSLATE_NOOP("gufo::cli::Cli", "REGEX=TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "type of tensors whose name matches, except those that are not quantised, such as norms, which "
                       "need their full name; may be repeated, the first match counts")},
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
inline constexpr auto kRenderOptions = std::to_array<OptionFact>({
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
inline constexpr auto kMergeOptions = std::to_array<OptionFact>({
    {"verify", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "read the result again and compare the SHA-256 of the tensor bytes")},
});
inline constexpr auto kRecoverOptions = std::to_array<OptionFact>({
    {"moved", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "also accept a copy of the file that was made together with its journal, if its bytes match")},
});
inline constexpr auto kSplitOptions = std::to_array<OptionFact>({
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
inline constexpr auto kSetOptions = std::to_array<OptionFact>({
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
    {"repair", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "apply the repairs that findings offer, after the other edits: all, or those of "
                       "the codes that follow FILE")},
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
inline constexpr auto kStatsOptions = std::to_array<OptionFact>({
    kFilterOption,
    {"hist", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "print a histogram of N bins for each tensor; --json always contains one (default: 256 bins)")},
    {"model", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "also treat all decodable tensors as one population")},
});
inline constexpr auto kTokenizeOptions = std::to_array<OptionFact>({
    {"ids", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "print only the ids, on one line")},
    {"no-bos", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "do not add the tokens that begin or end a text")},
    {"special", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "read text such as <s> as the control token of that name")},
});
inline constexpr auto kValidateOptions = std::to_array<OptionFact>({
    {"deep", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "also search all weights for NaN and infinity")},
});

} // namespace gufo::cli
