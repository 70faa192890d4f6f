#include "text/tokenizer/byte_trie.h"
#include "text/tokenizer/encoder.h"

#include <charconv>

namespace gufo::text {
namespace {

class RwkvEncoder final : public Encoder {
public:
    explicit RwkvEncoder(const Vocabulary& vocabulary)
        : m_vocabulary(vocabulary) {
        std::vector<std::string> texts(vocabulary.size());
        std::vector<ByteTrie::Entry> entries;
        for (std::size_t i = 0; i < vocabulary.size(); ++i) {
            const TokenType type = vocabulary.type(TokenId(i));
            if (type == TokenType::Control || type == TokenType::Unknown || type == TokenType::Unused) {
                continue;
            }
            appendUnescaped(texts[i], vocabulary.text(TokenId(i)));
            entries.emplace_back(texts[i], static_cast<std::uint32_t>(i));
        }
        m_tokens = ByteTrie(std::move(entries));
    }

    bool encode(std::string_view text, EncodeSink& sink) const override {
        const auto unknown = m_vocabulary.specials().unknown;
        while (!text.empty()) {
            const auto match = m_tokens.longest(text);
            const std::size_t bytes = match ? match->bytes : 1;
            const std::uint32_t begin = sink.offsetOf(text.data());
            const auto end = begin + static_cast<std::uint32_t>(bytes);
            if (match) {
                sink.add(TokenId(match->number), begin, end);
            } else if (unknown) {
                sink.add(*unknown, begin, end);
            }
            text.remove_prefix(bytes);
            if (sink.stopAt(text.data())) {
                return false;
            }
        }
        return true;
    }

private:
    const Vocabulary& m_vocabulary;
    ByteTrie m_tokens;
};

} // namespace

void appendUnescaped(std::string& out, std::string_view token) {
    for (std::size_t i = 0; i < token.size(); ++i) {
        if (token[i] != '\\' || i + 1 == token.size()) {
            out += token[i];
            continue;
        }
        const char escape = token[++i];
        unsigned value = 0;
        const char* digits = token.data() + i + 1;
        if (escape == 't') {
            out += '\t';
        } else if (escape == 'n') {
            out += '\n';
        } else if (escape == 'r') {
            out += '\r';
        } else if (escape == 'x' && token.size() - i > 2 &&
                   std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
            out += static_cast<char>(value);
            i += 2;
        } else {
            out += escape;
        }
    }
}

std::unique_ptr<const Encoder> makeRwkvEncoder(const Vocabulary& vocabulary) {
    return std::make_unique<const RwkvEncoder>(vocabulary);
}

} // namespace gufo::text
