// The parsed files of a folder that describe its tokenizer.
#pragma once

#include "convert/source_folder.h"
#include "convert/vocabulary/ranked_tokens.h"
#include "convert/vocabulary/sentencepiece_model.h"
#include "convert/vocabulary/tokenizer_json.h"

#include <optional>
#include <string>
#include <vector>

namespace gufo::convert {

struct VocabularyFiles {
    std::optional<JsonValue> tokenizerConfig; // tokenizer_config.json
    std::optional<JsonValue> addedTokens;     // added_tokens.json
    std::optional<TokenizerJson> tokenizer;   // tokenizer.json
    std::optional<SentencePieceModel> pieces;
    std::string piecesFile; // "tokenizer.model", "tokenizer.model.v3", "spiece.model" …
    // Read only if there is none of the above.
    std::optional<Tekken> tekken;                   // tekken.json
    std::optional<std::vector<RankedToken>> ranked; // a list of tiktoken
    std::string rankedFile;
    std::optional<TokenTable> vocabJson;               // vocab.json
    std::optional<MergeLines> merges;                  // merges.txt
    std::optional<std::vector<std::string>> vocabText; // vocab.txt, a token on each line

    [[nodiscard]] bool hasTokenizer() const { return tokenizer || pieces; }
    [[nodiscard]] bool hasList() const { return tekken || ranked || vocabJson || vocabText; }

    [[nodiscard]] const JsonValue* config() const { return tokenizerConfig ? &*tokenizerConfig : nullptr; }
};

// The id of a token by its text as it is written in the files; nothing if none of them lists it.
[[nodiscard]] std::optional<std::uint64_t> idOfToken(const VocabularyFiles& files, std::string_view text);

// A file that is missing is left out. Errors: the errors of reading the others, with the file.
[[nodiscard]] Result<VocabularyFiles> readVocabularyFiles(const SourceFolder& source, const JobContext& job);

} // namespace gufo::convert
