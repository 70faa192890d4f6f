// The ids of special tokens and whether they are added to a text, from tokenizer_config.json, the post-processor of
// tokenizer.json and config.json.
#pragma once

#include "convert/source_folder.h"
#include "convert/vocabulary/tokenizer_json.h"
#include "model/finding_list.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::convert {

// The defaults of a kind of tokenizer, which apply where no file states otherwise. If it names tokens, the ids of all
// roles are found by their texts.
struct SpecialTokenDefaults {
    struct RoleText {
        std::string_view role; // "bos"
        std::string_view text;
    };
    std::vector<RoleText> texts{};
    std::vector<RoleText> further{}; // tokens that the architecture has in addition
    std::optional<bool> addBos{};
    std::optional<bool> addEos{};
};

// Those of Mistral's own format, in whose folders no file names them.
[[nodiscard]] SpecialTokenDefaults mistralSpecialTokens();

struct SpecialTokenSources {
    const SourceFolder& source;
    const TokenizerJson* tokenizer;   // null: there is no tokenizer.json
    const JsonValue* tokenizerConfig; // tokenizer_config.json; null: there is none
    const TokenTable& tokens;         // the finished vocabulary
    const SpecialTokenDefaults& defaults;
};

// Sets the keys of ids in the order in which the files state them, then add_bos_token, add_eos_token and add_sep_token
// where something states them. An id outside of the vocabulary is a finding.
void addSpecialTokens(KeyList& keys, FindingList& findings, const SpecialTokenSources& sources);

// Sets the id of one role ("eot") unless it is already set, or outside of the vocabulary.
void addSpecialToken(KeyList& keys, FindingList& findings, std::string_view role, std::uint64_t id,
                     const TokenTable& tokens, std::string from);

// tokenizer.ggml.normalizer.*, from the normalizer of tokenizer.json. A setting that is off is written only for
// WordPiece, for which runtimes assume that it is on.
void addNormalizerKeys(KeyList& keys, const JsonValue& normalizer, bool wordPiece);

} // namespace gufo::convert
