#include "model/token.h"
#include "text/tokenizer/byte_trie.h"
#include "text/tokenizer/characters.h"
#include "text/tokenizer/encoder.h"
#include "text/tokenizer/rewritten_text.h"

namespace gufo::text {
namespace {

constexpr std::size_t kMaxWordCharacters = 100; // max_input_chars_per_word

// The blocks that BERT's basic tokenizer treats as Chinese characters.
bool isChinese(char32_t code) {
    return (code >= 0x4E00 && code <= 0x9FFF) || (code >= 0x3400 && code <= 0x4DBF) ||
           (code >= 0x20000 && code <= 0x2A6DF) || (code >= 0x2A700 && code <= 0x2CEAF) ||
           (code >= 0xF900 && code <= 0xFAFF) || (code >= 0x2F800 && code <= 0x2FA1F);
}

bool isPunctuation(char32_t code, CharKind kind) {
    const bool asciiSymbol = code < 0x80 && kind == CharKind::Symbol;
    return asciiSymbol || kind == CharKind::Punctuation;
}

bool isDropped(char32_t code, CharKind kind) {
    const bool oddSpace =
        code == 0x0B || code == 0x0C || code == 0x85; // white space that BERT treats as control characters
    return code == 0 || code == 0xFFFD || oddSpace ||
           in(kind, kinds(CharKind::Control, CharKind::Unassigned, CharKind::Invalid));
}

class WordPieceEncoder final : public Encoder {
public:
    WordPieceEncoder(const Vocabulary& vocabulary, bool lowerCase, bool stripAccents)
        : m_vocabulary(vocabulary)
        , m_lowerCase(lowerCase)
        , m_stripAccents(stripAccents) {
        std::vector<ByteTrie::Entry> entries;
        for (std::size_t i = 0; i < vocabulary.size(); ++i) {
            const TokenType type = vocabulary.type(TokenId(i));
            if (type != TokenType::Control && type != TokenType::Unknown) {
                entries.emplace_back(vocabulary.text(TokenId(i)), static_cast<std::uint32_t>(i));
            }
        }
        m_tokens = ByteTrie(std::move(entries));
    }

    bool encode(std::string_view text, EncodeSink& sink) const override {
        Word word;
        std::u32string folded;
        const char* end = text.data() + text.size();
        for (const char* at = text.data(); at < end;) {
            const Char c = decodeChar(at, end);
            const std::uint32_t begin = sink.offsetOf(at);
            const TextRange source{begin, begin + c.bytes};
            const CharKind kind = m_kindOf(c.code);
            at += c.bytes;
            if (isDropped(c.code, kind)) {
                continue;
            }
            if (in(kind, kWhite)) {
                finish(word, sink);
                if (sink.stopAt(at)) {
                    return false;
                }
                continue;
            }
            const bool alone = isChinese(c.code);
            if (alone) {
                finish(word, sink);
            }
            folded.clear();
            appendFolded(folded, c.code, m_stripAccents, m_lowerCase);
            for (const char32_t code : folded) {
                const bool punctuation = isPunctuation(code, m_kindOf(code));
                if (punctuation) {
                    finish(word, sink);
                }
                append(word, code, source);
                if (punctuation) {
                    finish(word, sink);
                }
            }
            if (alone) {
                finish(word, sink);
            }
            if (sink.stopAt(at)) {
                return false;
            }
        }
        finish(word, sink);
        return true;
    }

private:
    struct Word {
        RewrittenText text; // U+2581 and the word
        std::size_t characters = 0;
        TextRange source{};
        std::string character;
    };

    static void append(Word& word, char32_t code, TextRange source) {
        if (word.characters == 0) {
            word.text.append(kSpaceText, {source.begin, source.begin});
            word.source.begin = source.begin;
        }
        word.source.end = source.end;
        if (++word.characters <= kMaxWordCharacters) { // of longer words only the length matters
            word.character.clear();
            appendUtf8(word.character, code);
            word.text.append(word.character, source);
        }
    }

    void finish(Word& word, EncodeSink& sink) const {
        if (word.characters == 0) {
            return;
        }
        const std::size_t first = sink.count();
        bool known = word.characters <= kMaxWordCharacters;
        const std::string_view text = word.text.bytes();
        for (std::size_t at = 0; known && at < text.size();) {
            const auto match = m_tokens.longest(text.substr(at));
            known = match && (at > 0 || match->bytes >= kSpaceText.size());
            if (known) {
                const TextRange source = word.text.source(at, at + match->bytes);
                sink.add(TokenId(match->number), source.begin, source.end);
                at += match->bytes;
            }
        }
        if (!known) {
            sink.truncate(first);
            if (const auto unknown = m_vocabulary.specials().unknown) {
                sink.add(*unknown, word.source.begin, word.source.end);
            }
        }
        word.text.clear();
        word.characters = 0;
    }

    const Vocabulary& m_vocabulary;
    bool m_lowerCase;
    bool m_stripAccents;
    CharKinds m_kindOf;
    ByteTrie m_tokens;
};

} // namespace

std::unique_ptr<const Encoder> makeWordPieceEncoder(const Vocabulary& vocabulary, const Metadata& metadata) {
    const bool lowerCase = metadata.boolean("tokenizer.ggml.normalizer.lowercase").value_or(true);
    const bool stripAccents = metadata.boolean("tokenizer.ggml.normalizer.strip_accents").value_or(lowerCase);
    return std::make_unique<const WordPieceEncoder>(vocabulary, lowerCase, stripAccents);
}

} // namespace gufo::text
