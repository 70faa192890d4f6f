// Text to token ids and back, as the model was trained with.
//
//     auto tokenizer = makeTokenizer(*model, job);
//     auto encoding = (*tokenizer)->encode("Hello", {.parseSpecial = true});
//     auto text = (*tokenizer)->decode(encoding->ids);
//
// Threads: all members of Tokenizer are const and may be called from any thread at once. It does not refer to the
// model.
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
    std::optional<bool> addBos{}; // unset: as the file says, or else as is usual for the tokenizer
    std::optional<bool> addEos{};
    bool parseSpecial = false; // the text of control and unknown tokens stands for them; of user-defined ones always
    bool ranges = false;       // fill Encoding::ranges
};

struct DecodeOptions {
    bool control = false; // write control and unknown tokens as their text; otherwise they leave nothing
    bool atStart = true;  // the ids begin a text: the space that encoding put in front of it is taken away
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
    // The rule that BPE splits by ("llama3"); empty for the others.
    [[nodiscard]] std::string_view preTokenizer() const;
    // What is wrong with the vocabulary but does not keep it from working.
    [[nodiscard]] std::span<const Finding> findings() const { return m_findings; }

    // Any bytes: what is not UTF-8 goes through byte tokens where there are some. A beginning or end token that the
    // text itself brings is not added a second time. Progress in bytes. Errors: LimitExceeded for 4 GiB and more;
    // Cancelled.
    [[nodiscard]] Result<Encoding> encode(std::string_view text, const EncodeOptions& options = {},
                                          const JobContext& job = {}) const;

    // The bytes that the tokens stand for; not necessarily UTF-8. Errors: NoSuchToken.
    [[nodiscard]] Result<std::string> decode(std::span<const TokenId> ids, const DecodeOptions& options = {}) const;

    // The bytes of one token in the middle of a text; control and unknown tokens as their text. Empty for ids past the
    // vocabulary.
    [[nodiscard]] std::string bytesOf(TokenId id) const;

private:
    friend Result<std::shared_ptr<const Tokenizer>> makeTokenizer(const Model& model, const JobContext& job);
    friend class StreamDecoder;

    explicit Tokenizer(Vocabulary vocabulary);
    [[nodiscard]] Result<> prepare(const Metadata& metadata, const JobContext& job);
    [[nodiscard]] Result<> prepareBpe(const Metadata& metadata, const JobContext& job);
    void indexMarkers();

    // What decoding carries from one token to the next.
    struct DecodeState {
        bool dropSpace; // of the next token, if it starts with one
    };
    [[nodiscard]] DecodeState startOf(const DecodeOptions& options) const;
    void append(std::string& out, TokenId id, bool control, DecodeState& state) const;
    void appendText(std::string& out, TokenId id, DecodeState& state) const;

    Vocabulary m_vocabulary;
    const PreTokenizer* m_rule = nullptr; // of BPE
    std::unique_ptr<const Encoder> m_encoder;
    std::unique_ptr<const ByteTrie> m_userDefined; // texts that always stand for their token
    std::unique_ptr<const ByteTrie> m_markers;     // these, and those of control and unknown tokens
    std::vector<Finding> m_findings;
    bool m_addBos = false;
    bool m_addEos = false;
    bool m_spacePrefix = false;
};

// Errors: NoSuchKey, WrongValueType, UnequalArrays, LimitExceeded for a vocabulary that cannot be used; NotSupported
// for an unknown kind of tokenizer; Cancelled.
[[nodiscard]] Result<std::shared_ptr<const Tokenizer>> makeTokenizer(const Model& model, const JobContext& job = {});

// Decodes tokens as they come. What push() and finish() return, joined, is what Tokenizer::decode gives; push() holds
// back the bytes of a character until the last of them is there. One thread at a time.
class StreamDecoder {
public:
    explicit StreamDecoder(std::shared_ptr<const Tokenizer> tokenizer, const DecodeOptions& options = {});
    // Ids past the vocabulary give nothing.
    [[nodiscard]] std::string push(TokenId id);
    // The bytes still held back: an incomplete character.
    [[nodiscard]] std::string finish();

private:
    std::shared_ptr<const Tokenizer> m_tokenizer;
    bool m_control;
    Tokenizer::DecodeState m_state;
    std::string m_pending;
};

} // namespace gufo::text
