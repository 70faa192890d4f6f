#include "text/tokenizer/encoder.h"

namespace gufo::text {
namespace {

constexpr std::string_view kBegin = "<dna>";
constexpr std::string_view kEnd = "</dna>";
constexpr std::string_view kOutOfVocabulary = "<oov>";
constexpr std::size_t kLetters = 6; // in a token

class DnaEncoder final : public Encoder {
public:
    DnaEncoder(const Vocabulary& vocabulary, std::unique_ptr<const Encoder> bpe)
        : m_vocabulary(vocabulary)
        , m_bpe(std::move(bpe))
        , m_begin(vocabulary.find(kBegin))
        , m_end(vocabulary.find(kEnd))
        , m_outOfVocabulary(vocabulary.find(kOutOfVocabulary)) {}

    bool encode(std::string_view text, EncodeSink& sink) const override {
        if (!m_begin || !m_end || !m_outOfVocabulary) {
            return m_bpe->encode(text, sink);
        }
        while (!text.empty()) {
            const std::size_t start = std::min(text.find(kBegin), text.size());
            if (start > 0 && !m_bpe->encode(text.substr(0, start), sink)) {
                return false;
            }
            text.remove_prefix(start);
            if (text.empty()) {
                break;
            }
            take(*m_begin, kBegin.size(), text, sink);
            const std::size_t letters = text.find(kEnd);
            if (!encodeSequence(text.substr(0, letters), sink)) {
                return false;
            }
            text.remove_prefix(std::min(letters, text.size()));
            if (!text.empty()) {
                take(*m_end, kEnd.size(), text, sink);
            }
        }
        return true;
    }

private:
    static void take(TokenId id, std::size_t bytes, std::string_view& text, EncodeSink& sink) {
        const std::uint32_t begin = sink.offsetOf(text.data());
        sink.add(id, begin, begin + static_cast<std::uint32_t>(bytes));
        text.remove_prefix(bytes);
    }

    bool encodeSequence(std::string_view letters, EncodeSink& sink) const {
        std::string token;
        while (!letters.empty()) {
            const std::size_t bytes = std::min(letters.size(), kLetters);
            token.assign(kLetters, 'A');
            for (std::size_t i = 0; i < bytes; ++i) {
                const char c = letters[i];
                token[i] = c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
            }
            token += kDnaMark;
            take(m_vocabulary.find(token).value_or(*m_outOfVocabulary), bytes, letters, sink);
            if (sink.stopAt(letters.data())) {
                return false;
            }
        }
        return true;
    }

    const Vocabulary& m_vocabulary;
    std::unique_ptr<const Encoder> m_bpe;
    std::optional<TokenId> m_begin;
    std::optional<TokenId> m_end;
    std::optional<TokenId> m_outOfVocabulary;
};

} // namespace

std::unique_ptr<const Encoder> makeDnaEncoder(const Vocabulary& vocabulary, std::unique_ptr<const Encoder> bpe) {
    return std::make_unique<const DnaEncoder>(vocabulary, std::move(bpe));
}

} // namespace gufo::text
