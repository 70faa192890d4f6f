#include "convert/vocabulary/ranked_tokens.h"

#include "base/detail.h"
#include "base/json_reader.h"
#include "base/try.h"
#include "model/encode_value.h"
#include "model/token.h"

#include <QByteArray>

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace gufo::convert {
namespace {

using Token = JsonReader::Token;

// Tokens are short; the time to find a merge grows with the square of the length.
constexpr std::size_t kMaxTokenBytes = 512;
constexpr std::size_t kTokensPerStopCheck = 1024;

std::optional<std::uint64_t> numberOf(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<std::string> decodeBase64(std::string_view text) {
    const auto decoded =
        QByteArray::fromBase64Encoding(QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size())),
                                       QByteArray::AbortOnBase64DecodingErrors);
    return decoded ? std::optional(decoded.decoded.toStdString()) : std::nullopt;
}

std::optional<RankedToken> rankedLine(std::string_view line) {
    const std::size_t space = line.find(' ');
    const auto rank = space == line.npos ? std::nullopt : numberOf(line.substr(space + 1));
    auto bytes = rank ? decodeBase64(line.substr(0, space)) : std::nullopt;
    return bytes && !bytes->empty() ? std::optional(RankedToken{*std::move(bytes), *rank}) : std::nullopt;
}

std::string_view takeLine(std::string_view& text) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    return line;
}

Result<> checkCount(std::uint64_t count) {
    if (count > kMaxTokens) {
        return fail(ErrorCode::LimitExceeded, {}, {Detail::Tokens, count, kMaxTokens});
    }
    return {};
}

std::string written(std::string_view bytes) {
    std::string out;
    for (const char byte : bytes) {
        out += writtenByte(static_cast<unsigned char>(byte));
    }
    return out;
}

using Ranks = std::unordered_map<std::string_view, std::uint64_t>;

// The parts of a token after all merges with a rank below its own, as offsets of their beginnings.
std::vector<std::size_t> partsOf(const RankedToken& token, const Ranks& ranks) {
    const std::string_view bytes = token.bytes;
    std::vector<std::size_t> begins(bytes.size());
    for (std::size_t i = 0; i < begins.size(); ++i) {
        begins[i] = i;
    }
    while (begins.size() > 1) {
        std::size_t best = 0;
        std::uint64_t lowest = token.rank;
        for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
            const std::size_t end = i + 2 < begins.size() ? begins[i + 2] : bytes.size();
            const auto pair = ranks.find(bytes.substr(begins[i], end - begins[i]));
            if (pair != ranks.end() && pair->second < lowest) {
                lowest = pair->second;
                best = i + 1;
            }
        }
        if (best == 0) {
            break;
        }
        begins.erase(begins.begin() + static_cast<std::ptrdiff_t>(best));
    }
    return begins;
}

// A member of tekken.json that this reader uses.
struct TekkenToken {
    std::uint64_t rank = 0;
    std::string text;
    std::string bytes; // in base64
};

class TekkenReader {
public:
    TekkenReader(std::string_view text, const JobContext& job)
        : m_job(job)
        , m_reader(text) {}

    Result<Tekken> read() {
        GUFO_TRY(readDocument());
        // The file lists more tokens than the model has; the tokens with the highest ranks are left out.
        const std::uint64_t special = m_specialCount.value_or(m_out.special.size());
        GUFO_TRY(checkCount(special));
        for (std::uint64_t id = m_out.special.size(); id < special; ++id) {
            m_out.special.push_back("<SPECIAL_" + std::to_string(id) + ">");
        }
        for (std::size_t id = 0; id < m_out.special.size(); ++id) {
            std::string& text = m_out.special[id];
            text = text.empty() ? "<SPECIAL_" + std::to_string(id) + ">" : text;
        }
        if (m_size && *m_size >= special) {
            std::erase_if(m_out.tokens, [&](const RankedToken& token) { return token.rank >= *m_size - special; });
        }
        return std::move(m_out);
    }

private:
    Result<> readDocument() {
        GUFO_TRY(m_reader.expect(Token::ObjectStart, Detail::KeyObject));
        auto members = m_reader.readMembers([&]() -> Result<> {
            const std::string name = m_reader.text();
            const auto first = GUFO_TRY(m_reader.next());
            if (name == "config" && first == Token::ObjectStart) {
                return readConfig();
            }
            if ((name == "vocab" || name == "special_tokens") && first == Token::ArrayStart) {
                return readTokens(name == "vocab");
            }
            return m_reader.skipRest(first);
        });
        return members ? m_reader.expect(Token::End, Detail::EndOfText) : members;
    }

    Result<> readConfig() {
        return m_reader.readMembers([&]() -> Result<> {
            const std::string name = m_reader.text();
            const auto token = GUFO_TRY(m_reader.next());
            if (name == "default_vocab_size" && token == Token::Number) {
                m_size = numberOf(m_reader.text());
            } else if (name == "default_num_special_tokens" && token == Token::Number) {
                m_specialCount = numberOf(m_reader.text());
            }
            return m_reader.skipRest(token);
        });
    }

    Result<> readTokens(bool ordinary) {
        return m_reader.readElements([&](Token element) -> Result<> {
            if (element != Token::ObjectStart) {
                return m_reader.expected(Detail::KeyObject);
            }
            TekkenToken token;
            GUFO_TRY(readToken(token));
            GUFO_TRY(checkCount(token.rank));
            if (!ordinary) {
                if (token.rank >= m_out.special.size()) {
                    m_out.special.resize(static_cast<std::size_t>(token.rank) + 1);
                }
                m_out.special[static_cast<std::size_t>(token.rank)] = std::move(token.text);
                return {};
            }
            auto bytes = decodeBase64(token.bytes);
            if (!bytes || bytes->empty()) {
                return m_reader.expected(Detail::Token);
            }
            m_out.tokens.push_back({*std::move(bytes), token.rank});
            if (m_out.tokens.size() % kTokensPerStopCheck == 0 && m_job.stopRequested()) {
                return fail(ErrorCode::Cancelled);
            }
            return checkCount(m_out.tokens.size());
        });
    }

    Result<> readToken(TekkenToken& to) {
        return m_reader.readMembers([&]() -> Result<> {
            const std::string name = m_reader.text();
            const auto token = GUFO_TRY(m_reader.next());
            if (name == "rank" && token == Token::Number) {
                to.rank = numberOf(m_reader.text()).value_or(0);
            } else if (name == "token_bytes" && token == Token::String) {
                to.bytes = m_reader.text();
            } else if (name == "token_str" && token == Token::String) {
                to.text = m_reader.text();
            }
            return m_reader.skipRest(token);
        });
    }

    const JobContext& m_job;
    JsonReader m_reader;
    Tekken m_out;
    std::optional<std::uint64_t> m_size;
    std::optional<std::uint64_t> m_specialCount;
};

} // namespace

Result<std::vector<RankedToken>> readRankedLines(std::string_view text) {
    std::vector<RankedToken> out;
    for (std::size_t line = 1; !text.empty(); ++line) {
        const std::string_view written = takeLine(text);
        if (written.empty()) {
            continue;
        }
        auto token = rankedLine(written);
        if (!token) {
            return fail(ErrorCode::BadSyntax, {}, {Argument(Detail::Expected, {Detail::Token}), line, 1});
        }
        out.push_back(*std::move(token));
        GUFO_TRY(checkCount(out.size()));
    }
    return out;
}

bool looksRanked(std::string_view text) { return rankedLine(takeLine(text)).has_value(); }

Result<Tekken> readTekken(std::string_view text, const JobContext& job) { return TekkenReader(text, job).read(); }

Result<> placeRanked(TokenTable& tokens, const std::vector<RankedToken>& ranked, std::uint64_t firstId) {
    for (const RankedToken& token : ranked) {
        GUFO_TRY(checkCount(token.rank));
        GUFO_TRY(tokens.place(firstId + token.rank, {written(token.bytes), TokenType::Normal, 0}));
    }
    return {};
}

Result<RankedMerges> mergesOfRanks(const std::vector<RankedToken>& ranked, const JobContext& job) {
    Ranks ranks;
    std::vector<const RankedToken*> ordered;
    for (const RankedToken& token : ranked) {
        ranks.try_emplace(token.bytes, token.rank);
        ordered.push_back(&token);
    }
    std::ranges::sort(ordered, {}, [](const RankedToken* token) { return token->rank; });
    ArrayBuilder merges(ValueType::String);
    for (const RankedToken* row : ordered) {
        GUFO_TRY(job.check());
        const RankedToken& token = *row;
        if (token.bytes.size() < 2 || token.bytes.size() > kMaxTokenBytes) {
            continue;
        }
        const auto begins = partsOf(token, ranks);
        if (begins.size() == 2) {
            const std::string_view bytes = token.bytes;
            merges.add(std::string_view(written(bytes.substr(0, begins[1])) + " " + written(bytes.substr(begins[1]))));
        }
    }
    return RankedMerges{OwnedValue(Value(merges.view())), merges.view().length};
}

} // namespace gufo::convert
