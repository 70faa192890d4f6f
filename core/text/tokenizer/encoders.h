// The tokenizing algorithms, behind one interface.
//
// Threads: const members may be called from any thread at once.
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
    // Tokens of a stretch of text between special tokens; not empty. False if stopped.
    [[nodiscard]] virtual bool encode(std::string_view text, EncodeSink& sink) const = 0;
};

// Each refers to the vocabulary, which must outlive it.

struct BpeOptions {
    const PreTokenizer* rule;
    bool dropSpaces = false; // white space separates and becomes no token
    bool lowerCase = false;  // of vocabularies in UTF-8, after splitting
};

// Merges by rank within the words of a pre-tokenizer. Reads tokenizer.ggml.merges (errors of StringList::read). A merge
// is two symbols separated by the first space from byte 1; one without is no merge. Without that key, where the rule
// allows it, ranks are ids: as tiktoken merges, which has no list of merges. Bytes that no token covers become the
// unknown token, or nothing where the model has none.
[[nodiscard]] Result<std::unique_ptr<const Encoder>> makeBpeEncoder(const Vocabulary& vocabulary,
                                                                    const Metadata& metadata, const BpeOptions& options,
                                                                    const JobContext& job);

// BPE, but for what stands between "<dna>" and "</dna>": sixes of letters, in upper case and the last filled up with A,
// each a token whose text ends with kDnaMark, or "<oov>". Everything is left to `bpe` if one of the three is no token.
[[nodiscard]] std::unique_ptr<const Encoder> makeDnaEncoder(const Vocabulary& vocabulary,
                                                            std::unique_ptr<const Encoder> bpe);
// What converters put behind a DNA token (U+E000) to tell it from a word of the same letters.
inline constexpr std::string_view kDnaMark = "\xEE\x80\x80";

// Merges by score over the whole text, spaces written as U+2581; what is no token becomes its bytes' tokens, or the
// unknown token once for a run. `spacePrefix`: a space is put in front of the text.
[[nodiscard]] std::unique_ptr<const Encoder> makeSentencePieceEncoder(const Vocabulary& vocabulary, bool spacePrefix);

// BERT: control characters dropped, words split at white space, punctuation and around Chinese characters, accents and
// case folded away; then from the front of each word always the longest token. Word starts are written with U+2581 in
// front, as converters do. Words of over 100 characters, or with a part that is no token, become the unknown token.
// Keys tokenizer.ggml.normalizer.lowercase and .strip_accents switch the folding off.
[[nodiscard]] std::unique_ptr<const Encoder> makeWordPieceEncoder(const Vocabulary& vocabulary,
                                                                  const Metadata& metadata);

// The split into tokens with the highest sum of scores. Text is first normalised by the table in
// tokenizer.ggml.precompiled_charsmap, if there is one. Errors: WrongValueType, Truncated for that table.
[[nodiscard]] Result<std::unique_ptr<const Encoder>> makeUnigramEncoder(const Vocabulary& vocabulary,
                                                                        const Metadata& metadata, bool spacePrefix);

// PLaMo 2: the split with the lowest sum of costs, which are the scores in whole ten-thousandths, negated; of equal
// ones that with the longer token in front. A character that no token covers costs 10^7 and becomes its bytes' tokens.
// Unlike the published algorithm, text never becomes a control token. A byte order mark in front is dropped.
[[nodiscard]] std::unique_ptr<const Encoder> makePlamo2Encoder(const Vocabulary& vocabulary);

// Always the longest token; bytes that no token starts with become the unknown token, or nothing without one.
[[nodiscard]] std::unique_ptr<const Encoder> makeRwkvEncoder(const Vocabulary& vocabulary);
// The bytes of an RWKV token, which stands in the file as the inside of a Python literal: \t, \n, \r, \xNN; any other
// character after a backslash is itself.
void appendUnescaped(std::string& out, std::string_view token);

} // namespace gufo::text
