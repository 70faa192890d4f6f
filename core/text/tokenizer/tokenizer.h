// Converts text to token ids and back, in the same way as during the training of the model.
//
//     auto tokenizer = makeTokenizer(*model, job);
//     auto encoding = (*tokenizer)->encode("Hello", {.parseSpecial = true});
//     auto text = (*tokenizer)->decode(encoding->ids);
//
// Thread contract: all members of Tokenizer are const and thread-safe. A tokenizer does not refer to its model.
#pragma once

#include "base/error.h"
#include "base/job_context.h"
#include "model/model.h"
#include "text/tokenizer/encoding.h"
#include "text/tokenizer/vocabulary.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::text {

class Encoder;
class ByteTrie;
struct PreTokenizer;

struct EncodeOptions {
    std::optional<bool> addBos{}; // empty: as the file says, or else the default of the tokenizer
    std::optional<bool> addEos{};
    bool parseSpecial = false; // recognise control and unknown tokens by their text; user-defined ones always are
    bool ranges = false;       // fill Encoding::ranges
    bool continues = false;    // the text follows another one, so no space is put before it
    // Ascending offsets in the text. What would be recognised by its text, but reaches across one of them, is plain
    // text.
    std::span<const std::uint32_t> literalAt{};
};

// A control or unknown token whose text occurs in a text.
struct FoundSpecial {
    TokenId id;
    TextRange range{};
};

struct DecodeOptions {
    bool control = false; // write the text of control and unknown tokens, which are otherwise omitted
    bool atStart = true;  // the ids begin a text, so the space that encoding prepended is removed
};

class Tokenizer {
public:
    ~Tokenizer();
    Tokenizer(const Tokenizer&) = delete;
    Tokenizer& operator=(const Tokenizer&) = delete;

    [[nodiscard]] const Vocabulary& vocabulary() const { return m_vocabulary; }
    [[nodiscard]] const SpecialTokens& specials() const { return m_vocabulary.specials(); }
    [[nodiscard]] bool endsGeneration(TokenId id) const;
    [[nodiscard]] bool addsBos() const { return m_addBos; }
    [[nodiscard]] bool addsEos() const { return m_addEos; }
    // The name of BPE's pre-tokenizer ("llama3"); empty for other kinds.
    [[nodiscard]] std::string_view preTokenizer() const;
    // Faults of the vocabulary that do not keep it from working.
    [[nodiscard]] std::span<const Finding> findings() const { return m_findings; }

    // Accepts any bytes; bytes that are not UTF-8 become byte tokens if the vocabulary has these. A beginning or end
    // token that the text itself contains is not added again. Progress counts bytes. Errors: LimitExceeded for 4 GiB
    // and more; Cancelled.
    [[nodiscard]] Result<Encoding> encode(std::string_view text, const EncodeOptions& options = {},
                                          const JobContext& job = {}) const;

    // Returns the control and unknown tokens that encode() recognises in the text with EncodeOptions::parseSpecial.
    [[nodiscard]] std::vector<FoundSpecial> findSpecials(std::string_view text) const;

    // Returns the bytes that the tokens represent, which need not be UTF-8. Errors: NoSuchToken.
    [[nodiscard]] Result<std::string> decode(std::span<const TokenId> ids, const DecodeOptions& options = {}) const;

    // Returns the bytes of one token inside a text, with control and unknown tokens as their text. Empty for ids
    // outside the vocabulary.
    [[nodiscard]] std::string bytesOf(TokenId id) const;

private:
    friend Result<std::shared_ptr<const Tokenizer>> makeTokenizer(const Model& model, const JobContext& job);
    friend class StreamDecoder;

    explicit Tokenizer(Vocabulary vocabulary);
    [[nodiscard]] Result<> prepare(const Metadata& metadata, const JobContext& job);
    [[nodiscard]] Result<> prepareBpe(const Metadata& metadata, const JobContext& job);
    void indexMarkers();

    // The state that decoding passes from one token to the next.
    struct DecodeState {
        bool dropSpace; // remove a leading space of the next token
    };
    [[nodiscard]] DecodeState startOf(const DecodeOptions& options) const;
    void append(std::string& out, TokenId id, bool control, DecodeState& state) const;
    void appendText(std::string& out, TokenId id, DecodeState& state) const;

    Vocabulary m_vocabulary;
    const PreTokenizer* m_rule = nullptr; // for BPE
    std::unique_ptr<const Encoder> m_encoder;
    std::unique_ptr<const ByteTrie> m_userDefined; // user-defined tokens, which are always recognised
    std::unique_ptr<const ByteTrie> m_markers;     // the same, with control and unknown tokens
    std::vector<Finding> m_findings;
    bool m_addBos = false;
    bool m_addEos = false;
    bool m_spacePrefix = false;
};

// Errors: NoSuchKey, WrongValueType, UnequalArrays or LimitExceeded if the vocabulary cannot be used; NotSupported for
// an unknown kind of tokenizer; Cancelled.
[[nodiscard]] Result<std::shared_ptr<const Tokenizer>> makeTokenizer(const Model& model, const JobContext& job = {});

// Decodes tokens as they come. The joined results of push() and finish() equal the result of Tokenizer::decode();
// push() holds back the bytes of an incomplete character. Thread contract: one thread at a time.
class StreamDecoder {
public:
    explicit StreamDecoder(std::shared_ptr<const Tokenizer> tokenizer, const DecodeOptions& options = {});
    // Ids outside the vocabulary yield nothing.
    [[nodiscard]] std::string push(TokenId id);
    // Returns the bytes still held back: an incomplete character.
    [[nodiscard]] std::string finish();

private:
    std::shared_ptr<const Tokenizer> m_tokenizer;
    bool m_control;
    Tokenizer::DecodeState m_state;
    std::string m_pending;
};

} // namespace gufo::text
