#include "convert/vocabulary/tokenizer_json.h"

#include "base/detail.h"
#include "model/encode_value.h"

#include <algorithm>
#include <charconv>

namespace gufo::convert {
namespace {

using Token = JsonReader::Token;

// Settings are small, even those that list the characters of an alphabet.
constexpr std::size_t kMaxSettingBytes = 8U << 20U;
constexpr std::size_t kTokensPerStopCheck = 4096;

std::optional<std::uint64_t> idOf(std::string_view number) {
    std::uint64_t id = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), id);
    return error == std::errc() && end == number.data() + number.size() ? std::optional(id) : std::nullopt;
}

class TokenizerReader {
public:
    TokenizerReader(std::string_view text, const JobContext& job)
        : m_text(text)
        , m_job(job)
        , m_reader(text) {}

    Result<TokenizerJson> read() {
        GUFO_TRY(readDocument());
        m_out.merges = OwnedValue(Value(m_merges.view()));
        m_out.mergeCount = m_merges.view().length;
        return std::move(m_out);
    }

    Result<TokenTable> readVocabularyAlone() {
        const auto first = GUFO_TRY(m_reader.next());
        if (first != Token::ObjectStart) {
            return m_reader.expected(Detail::KeyObject);
        }
        GUFO_TRY(readVocabularyObject());
        GUFO_TRY(m_reader.expect(Token::End, Detail::EndOfText));
        return std::move(m_out.tokens);
    }

private:
    Result<> readDocument() {
        GUFO_TRY(m_reader.expect(Token::ObjectStart, Detail::KeyObject));
        auto members = m_reader.readMembers([&]() -> Result<> {
            const std::string name = m_reader.text();
            if (name == "added_tokens") {
                return readAddedTokens();
            }
            if (name == "model") {
                return readModel();
            }
            JsonValue* setting = name == "normalizer"       ? &m_out.normalizer
                                 : name == "pre_tokenizer"  ? &m_out.preTokenizer
                                 : name == "post_processor" ? &m_out.postProcessor
                                 : name == "decoder"        ? &m_out.decoder
                                                            : nullptr;
            return setting == nullptr ? m_reader.skipValue() : readSetting(*setting);
        });
        return members ? m_reader.expect(Token::End, Detail::EndOfText) : members;
    }

    // Reads the next value as a tree.
    Result<> readSetting(JsonValue& to) {
        JsonReader lookahead = m_reader;
        GUFO_TRY(lookahead.next());
        const std::size_t begin = lookahead.tokenBegin();
        GUFO_TRY(m_reader.skipValue());
        const std::size_t bytes = m_reader.tokenEnd() - begin;
        if (bytes > kMaxSettingBytes) {
            return fail(ErrorCode::LimitExceeded, Place::atOffset(begin), {Detail::Bytes, bytes, kMaxSettingBytes});
        }
        to = GUFO_TRY(readJson(m_text.substr(begin, bytes)));
        return {};
    }

    Result<> readAddedTokens() {
        const auto first = GUFO_TRY(m_reader.next());
        if (first != Token::ArrayStart) {
            return m_reader.skipRest(first);
        }
        return m_reader.readElements([&](Token element) -> Result<> {
            if (element != Token::ObjectStart) {
                return m_reader.expected(Detail::KeyObject);
            }
            AddedToken added;
            bool known = false;
            const auto readMember = [&]() -> Result<> {
                const std::string name = m_reader.text();
                const auto token = GUFO_TRY(m_reader.next());
                if (name == "id" && token == Token::Number) {
                    const auto id = idOf(m_reader.text());
                    added.id = id.value_or(0);
                    known = id.has_value();
                } else if (name == "content" && token == Token::String) {
                    added.text = m_reader.text();
                } else if (name == "special") {
                    added.special = token == Token::True;
                }
                return m_reader.skipRest(token);
            };
            GUFO_TRY(m_reader.readMembers(readMember));
            if (!known) {
                return m_reader.expected(Detail::TokenIdText);
            }
            m_out.added.push_back(std::move(added));
            return stopped(m_out.added.size());
        });
    }

    Result<> readModel() {
        GUFO_TRY(m_reader.expect(Token::ObjectStart, Detail::KeyObject));
        return m_reader.readMembers([&]() -> Result<> {
            const std::string name = m_reader.text();
            const auto token = GUFO_TRY(m_reader.next());
            if (name == "vocab" && token == Token::ObjectStart) {
                return readVocabularyObject();
            }
            if (name == "vocab" && token == Token::ArrayStart) {
                return readVocabularyList();
            }
            if (name == "merges" && token == Token::ArrayStart) {
                return readMerges();
            }
            if (name == "type" && token == Token::String) {
                m_out.model = m_reader.text();
            } else if (name == "byte_fallback") {
                m_out.byteFallback = token == Token::True;
            } else if (name == "ignore_merges") {
                m_out.ignoreMerges = token == Token::True;
            } else if (name == "unk_id" && token == Token::Number) {
                m_out.unknown = idOf(m_reader.text());
            } else if (name == "unk_token" && token == Token::String) {
                m_out.unknownText = m_reader.text();
            }
            return m_reader.skipRest(token);
        });
    }

    // {"text": id, …}
    Result<> readVocabularyObject() {
        return m_reader.readMembers([&]() -> Result<> {
            std::string text = m_reader.text();
            GUFO_TRY(m_reader.expect(Token::Number, Detail::TokenIdText));
            const auto id = idOf(m_reader.text());
            if (!id) {
                return m_reader.expected(Detail::TokenIdText);
            }
            auto placed = m_out.tokens.place(*id, {std::move(text), TokenType::Normal, 0});
            return placed ? stopped(++m_read) : placed;
        });
    }

    // [["text", score], …]
    Result<> readVocabularyList() {
        return m_reader.readElements([&](Token element) -> Result<> {
            if (element != Token::ArrayStart) {
                return m_reader.expected(Detail::List);
            }
            GUFO_TRY(m_reader.expect(Token::String, Detail::Token));
            TokenRow row{m_reader.text(), TokenType::Normal, 0};
            GUFO_TRY(m_reader.expect(Token::Number, Detail::Number));
            const std::string& number = m_reader.text();
            double score = 0;
            std::from_chars(number.data(), number.data() + number.size(), score);
            row.score = static_cast<float>(score);
            GUFO_TRY(m_reader.expect(Token::ArrayEnd, Detail::CommaOrBracket));
            auto placed = m_out.tokens.place(m_out.tokens.size(), std::move(row));
            return placed ? stopped(++m_read) : placed;
        });
    }

    // ["a b", …] or [["a", "b"], …]
    Result<> readMerges() {
        return m_reader.readElements([&](Token element) -> Result<> {
            if (element == Token::String) {
                m_merges.add(std::string_view(m_reader.text()));
                return stopped(++m_read);
            }
            if (element != Token::ArrayStart) {
                return m_reader.expected(Detail::SchemaListExpected);
            }
            std::string merge;
            for (int part = 0; part < 2; ++part) {
                GUFO_TRY(m_reader.expect(Token::String, Detail::Token));
                merge += part == 0 ? "" : " ";
                appendPart(merge, m_reader.text());
            }
            m_merges.add(std::string_view(merge));
            auto end = m_reader.expect(Token::ArrayEnd, Detail::CommaOrBracket);
            return end ? stopped(++m_read) : end;
        });
    }

    // A space within a part is written as in GPT-2's alphabet, because a space separates the parts.
    static void appendPart(std::string& merge, std::string_view part) {
        for (const char c : part) {
            if (c == ' ') {
                merge += "\u0120";
            } else {
                merge += c;
            }
        }
    }

    Result<> stopped(std::size_t read) const {
        if (read % kTokensPerStopCheck == 0 && m_job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        return {};
    }

    std::string_view m_text;
    const JobContext& m_job;
    JsonReader m_reader;
    TokenizerJson m_out;
    ArrayBuilder m_merges{ValueType::String};
    std::size_t m_read = 0;
};

} // namespace

Result<TokenizerJson> readTokenizerJson(std::string_view text, const JobContext& job) {
    return TokenizerReader(text, job).read();
}

Result<TokenTable> readVocabJson(std::string_view text, const JobContext& job) {
    return TokenizerReader(text, job).readVocabularyAlone();
}

MergeLines readMergesText(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r";
    ArrayBuilder merges(ValueType::String);
    bool first = true;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const bool heading = first && line.starts_with('#');
        first = false;
        line.remove_prefix(std::min(line.find_first_not_of(kSpace), line.size()));
        line = line.substr(0, line.find_last_not_of(kSpace) + 1);
        const std::size_t space = line.find(' ');
        if (!heading && space != line.npos && line.find(' ', space + 1) == line.npos) {
            merges.add(line);
        }
    }
    return {OwnedValue(Value(merges.view())), merges.view().length};
}

} // namespace gufo::convert
