#include "convert/vocabulary/token_table.h"

#include "base/detail.h"
#include "model/encode_value.h"
#include "model/token.h"

#include <algorithm>
#include <array>

namespace gufo::convert {
namespace {

Result<> checkCount(std::uint64_t count) {
    if (count > kMaxTokens) {
        return fail(ErrorCode::LimitExceeded, {}, {Detail::Tokens, count, kMaxTokens});
    }
    return {};
}

} // namespace

Result<> TokenTable::place(std::uint64_t id, TokenRow row) {
    if (id >= m_rows.size()) {
        if (id >= kMaxTokens) {
            return checkCount(id + (id < UINT64_MAX ? 1 : 0));
        }
        m_rows.resize(static_cast<std::size_t>(id) + 1);
    }
    m_rows[static_cast<std::size_t>(id)] = std::move(row);
    return {};
}

Result<> TokenTable::resize(std::uint64_t count) {
    GUFO_TRY(checkCount(count));
    m_rows.resize(static_cast<std::size_t>(count));
    return {};
}

void TokenTable::fillHoles() {
    for (std::size_t id = 0; id < m_rows.size(); ++id) {
        if (m_rows[id].isHole()) {
            m_rows[id] = {"[PAD" + std::to_string(id) + "]", TokenType::Unused, kUnusedScore};
        }
    }
}

std::optional<std::uint64_t> TokenTable::find(std::string_view text) const {
    const auto row = std::ranges::find_if(m_rows, [&](const TokenRow& token) { return token.text == text; });
    return row == m_rows.end() ? std::nullopt : std::optional<std::uint64_t>(row - m_rows.begin());
}

void TokenTable::addKeys(KeyList& keys, bool scores, const std::string& from) const {
    ArrayBuilder texts(ValueType::String);
    ArrayBuilder values(ValueType::Float32);
    ArrayBuilder types(ValueType::Int32);
    for (const TokenRow& row : m_rows) {
        texts.add(std::string_view(row.text));
        if (scores) {
            values.add(row.score);
        }
        types.add(static_cast<std::int32_t>(row.type));
    }
    keys.set("tokenizer.ggml.tokens", Value(texts.view()), from);
    if (scores) {
        keys.set("tokenizer.ggml.scores", Value(values.view()), from);
    }
    keys.set("tokenizer.ggml.token_type", Value(types.view()), from);
}

void markWords(TokenTable& tokens) {
    constexpr std::string_view kContinuation = "##";
    for (TokenRow& row : tokens.rows()) {
        if (row.type == TokenType::Control) {
            continue;
        }
        if (row.text.starts_with(kContinuation)) {
            row.text.erase(0, kContinuation.size());
        } else {
            row.text.insert(0, kSpaceText);
        }
    }
}

bool looksSpecial(std::string_view text) {
    constexpr auto kTexts = std::to_array<std::string_view>({"<pad>", "<mask>", "<2mass>", "[@BOS@]"});
    struct FrameRow {
        std::string_view begin;
        std::string_view end;
    };
    constexpr auto kFrames = std::to_array<FrameRow>({{"<|", "|>"}, {"<\uFF5C", "\uFF5C>"}, {"<unused", ">"}});
    return std::ranges::find(kTexts, text) != kTexts.end() || std::ranges::any_of(kFrames, [&](const FrameRow& frame) {
               return text.size() >= frame.begin.size() + frame.end.size() && text.starts_with(frame.begin) &&
                      text.ends_with(frame.end);
           });
}

TokenRow addedToken(std::string text, bool special) {
    if (special || looksSpecial(text)) {
        return {std::move(text), TokenType::Control, kAddedScore};
    }
    for (std::size_t at = text.find(kSpaceText); at != text.npos; at = text.find(kSpaceText, at + 1)) {
        text.replace(at, kSpaceText.size(), " ");
    }
    return {std::move(text), TokenType::UserDefined, kAddedScore};
}

} // namespace gufo::convert
