// The tokenization algorithms, behind one interface.
//
// Thread contract: const members are thread-safe.
#pragma once

#include "text/tokenizer/encode_sink.h"
#include "text/tokenizer/pre_tokenizer.h"
#include "text/tokenizer/vocabulary.h"

#include <memory>
#include <string_view>

namespace gufo::text {

class Encoder {
public:
    virtual ~Encoder() = default;
    // Encodes text between special tokens; `text` is not empty. Returns false on a stop request.
    [[nodiscard]] virtual bool encode(std::string_view text, EncodeSink& sink) const = 0;
};

// The encoders refer to the vocabulary, which must outlive them.

struct BpeOptions {
    const PreTokenizer* rule;
    bool dropSpaces = false; // white space only separates words
    bool lowerCase = false;  // for vocabularies in UTF-8; applied after splitting
};

// Merges by rank within the words of a pre-tokenizer. Reads tokenizer.ggml.merges (fails as StringList::read does). A
// merge is two symbols separated by the first space after byte 0; entries without one are ignored. If the key is
// missing and the rule permits it, ids serve as ranks, as in tiktoken, which has no list of merges. Bytes that no token
// covers become the unknown token, or nothing if the model has none.
[[nodiscard]] Result<std::unique_ptr<const Encoder>> makeBpeEncoder(const Vocabulary& vocabulary,
                                                                    const Metadata& metadata, const BpeOptions& options,
                                                                    const JobContext& job);

// BPE, except for text between "<dna>" and "</dna>". There, groups of six letters, in upper case and padded with A at
// the end, become the token whose text ends with kDnaMark, or "<oov>". If one of these three tokens is missing, `bpe`
// encodes everything.
[[nodiscard]] std::unique_ptr<const Encoder> makeDnaEncoder(const Vocabulary& vocabulary,
                                                            std::unique_ptr<const Encoder> bpe);
// Converters append this (U+E000) to DNA tokens to distinguish them from words of the same letters.
inline constexpr std::string_view kDnaMark = "\xEE\x80\x80";

// Merges by score over the whole text, with spaces written as U+2581. Symbols that are not tokens become the tokens of
// their bytes, or one unknown token for a run of them. `spacePrefix`: the text gets a leading space.
[[nodiscard]] std::unique_ptr<const Encoder> makeSentencePieceEncoder(const Vocabulary& vocabulary, bool spacePrefix);

// BERT: drops control characters, splits words at white space, at punctuation and around Chinese characters, folds
// accents and case, and then takes the longest token from the front of each word. Beginnings of words are marked with a
// leading U+2581, as converters do. A word of over 100 characters, or with a part that is not a token, becomes the
// unknown token. The keys tokenizer.ggml.normalizer.lowercase and .strip_accents can disable folding.
[[nodiscard]] std::unique_ptr<const Encoder> makeWordPieceEncoder(const Vocabulary& vocabulary,
                                                                  const Metadata& metadata);

// Finds the segmentation with the highest sum of scores. The table in tokenizer.ggml.precompiled_charsmap, if present,
// normalises the text first. Errors, for that table: WrongValueType, Truncated.
[[nodiscard]] Result<std::unique_ptr<const Encoder>> makeUnigramEncoder(const Vocabulary& vocabulary,
                                                                        const Metadata& metadata, bool spacePrefix);

// PLaMo 2: finds the segmentation with the lowest total cost, where a token costs its negated score in ten-thousandths,
// rounded. Of equal segmentations the one with the longer first token wins. A character that no token covers costs 10^7
// and becomes the tokens of its bytes. Unlike the published algorithm, text never becomes a control token. A leading
// byte order mark is dropped.
[[nodiscard]] std::unique_ptr<const Encoder> makePlamo2Encoder(const Vocabulary& vocabulary);

// Greedy longest match. Bytes that no token begins with become the unknown token, or nothing if there is none.
[[nodiscard]] std::unique_ptr<const Encoder> makeRwkvEncoder(const Vocabulary& vocabulary);
// Appends the bytes of an RWKV token, which the file stores as the inside of a Python literal: \t, \n, \r, \xNN. A
// backslash before any other character is dropped.
void appendUnescaped(std::string& out, std::string_view token);

} // namespace gufo::text
