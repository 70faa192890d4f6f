// Plans the keys tokenizer.* of a converted file, from the files of the folder that describe its tokenizer.
#pragma once

#include "base/job_context.h"
#include "convert/source_folder.h"
#include "convert/vocabulary/key_list.h"
#include "model/finding.h"

#include <optional>
#include <string>
#include <vector>

namespace gufo::convert {

struct VocabularyOptions {
    std::string architecture; // as GGUF names it: "llama"
    // Rows of the token embedding as it will be written. The vocabulary is given as many tokens, because runtimes
    // refuse a file in which they differ. Empty: unknown, and the configuration's vocab_size decides.
    std::optional<std::uint64_t> embeddingRows{};
    std::string_view rankingTemplate{}; // Architecture::rankingTemplate
};

struct VocabularyPlan {
    // In the order in which the official converter writes them, with one exception: for phi2 it writes the first one
    // (tokenizer.ggml.add_bos_token) before general.quantization_version.
    std::vector<PlannedKey> keys;
    std::uint64_t tokens = 0; // 0: the folder has no tokenizer, which is a finding
    std::vector<Finding> findings;
};

// Errors: the errors of reading the files (BadSyntax, NestingTooDeep, Malformed, LimitExceeded), with the file;
// NotSupported (Detail::UnknownTokenizer) for a kind of tokenizer that GGUF does not have; Cancelled.
[[nodiscard]] Result<VocabularyPlan> planVocabulary(const SourceFolder& source, const VocabularyOptions& options,
                                                    const JobContext& job = {});

} // namespace gufo::convert
