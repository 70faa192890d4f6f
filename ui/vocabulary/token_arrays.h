// The arrays tokenizer.ggml.* of a model as a table: they are read in place, and only their indexes are stored.
//
// Threads: immutable; load() is for a job.
#pragma once

#include "model/array_index.h"
#include "model/model.h"
#include "model/token.h"

#include <QByteArray>
#include <QString>

#include <memory>
#include <optional>
#include <string_view>

namespace gufo::ui {

// Decodes stored tokens of SentencePiece and WordPiece vocabularies to the text that they represent: U+2581 is a space.
[[nodiscard]] QByteArray decodeSpaceMarks(std::string_view token);

// Decodes "<0x0A>"; empty for anything else.
[[nodiscard]] std::optional<QByteArray> decodeByteToken(std::string_view token);

// Decodes RWKV's escapes: \n, \r, \t, \\, \xNN. Any other escape represents the character itself.
[[nodiscard]] QByteArray decodeEscapes(std::string_view token);

class TokenArrays {
public:
    struct Merge {
        std::string_view left;
        std::string_view right;
    };
    struct Special {
        std::string_view key; // "tokenizer.ggml.bos_token_id"
        QString name;         // "BOS"
        std::uint64_t id = 0;
    };

    // Errors: Cancelled; otherwise see ArrayIndex::build. A file without a vocabulary gives an empty one. Arrays of an
    // unexpected type are treated as absent (validate reports them).
    [[nodiscard]] static Result<std::shared_ptr<const TokenArrays>> load(std::shared_ptr<const Model> model,
                                                                         const JobContext& job);

    [[nodiscard]] std::uint64_t size() const { return m_tokens ? m_tokens->size() : 0; }
    [[nodiscard]] std::uint64_t mergeCount() const { return m_merges ? m_merges->size() : 0; }
    [[nodiscard]] bool hasTypes() const { return m_types.has_value(); }
    [[nodiscard]] bool hasScores() const { return m_scores.has_value(); }
    [[nodiscard]] std::string_view model() const { return m_family; } // tokenizer.ggml.model: "gpt2", "llama" …
    [[nodiscard]] const Model& file() const { return *m_model; }

    [[nodiscard]] std::string_view text(std::uint64_t id) const; // id < size(); as stored
    [[nodiscard]] std::optional<std::int64_t> type(std::uint64_t id) const;
    [[nodiscard]] std::optional<double> score(std::uint64_t id) const;
    // The value of a token in the array `key`. Empty if there is no such array or it is too short.
    [[nodiscard]] bool hasValue(std::string_view key, std::uint64_t id) const;
    [[nodiscard]] std::optional<Value> value(std::string_view key, std::uint64_t id) const;
    // rank < mergeCount(). Splits at the first space from byte 1, as the runtimes do.
    [[nodiscard]] Merge merge(std::uint64_t rank) const;
    // The bytes of text that a token represents: byte-level alphabets and <0xNN> are decoded, and "▁" becomes a space.
    [[nodiscard]] QByteArray bytes(std::uint64_t id) const;
    // The ids given by tokenizer.ggml.*_token_id in file order, including those out of range.
    [[nodiscard]] std::vector<Special> specials() const;

private:
    [[nodiscard]] const ArrayIndex* arrayOf(std::string_view key) const;

    std::shared_ptr<const Model> m_model;
    std::string_view m_family;
    std::optional<ArrayIndex> m_tokens;
    std::optional<ArrayIndex> m_types;
    std::optional<ArrayIndex> m_scores;
    std::optional<ArrayIndex> m_merges;
};

// "CONTROL" for 3; the number if it has no name.
[[nodiscard]] QString tokenTypeName(std::int64_t type);
// "e2 96 81".
[[nodiscard]] QString hexBytes(const QByteArray& bytes);

} // namespace gufo::ui
