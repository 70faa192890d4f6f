// Translates JSON schemas; the input is a schema, a zero byte and numbers that choose tokens. Every schema that is not
// refused becomes a grammar with which no text ends in a dead end, and whatever is written conforms to the schema.
#include "formats/gguf/read/reader.h"
#include "inference/grammar/grammar_constraint.h"
#include "inference/grammar/json_schema.h"
#include "require.h"
#include "support/vocabulary_maker.h"

#include <algorithm>

using namespace gufo;
using namespace gufo::inference;

namespace {

struct Vocabulary {
    std::shared_ptr<const text::Tokenizer> tokenizer =
        text::makeTokenizer(*gguf::read(test::makeGpt2().file().source()).value()).value();
    std::shared_ptr<const TokenTrie> trie = std::make_shared<const TokenTrie>(*tokenizer);
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Vocabulary vocabulary;
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::string_view schema = input.substr(0, input.find('\0'));
    const std::string_view choices = input.substr(std::min(input.size(), schema.size() + 1));
    const auto relaxed = parseJsonSchema(schema, {.relaxed = true});
    const auto parsed = parseJsonSchema(schema);
    require(!parsed || (relaxed && relaxed->relaxed.empty()));
    if (!parsed) {
        return 0;
    }
    const auto constraint = GrammarConstraint::make(parsed->grammar, vocabulary.trie, *vocabulary.tokenizer).value();
    std::string text;
    for (const char choice : choices) {
        const TokenMask mask = constraint->mask();
        std::vector<TokenId> allowed;
        for (std::size_t token = 0; token < vocabulary.trie->vocabulary(); ++token) {
            if (contains(mask, TokenId(token))) {
                allowed.emplace_back(token);
            }
        }
        if (allowed.empty()) {
            require(constraint->mayEnd() || constraint->failure());
            break;
        }
        const TokenId token = allowed[static_cast<unsigned char>(choice) % allowed.size()];
        constraint->accept(token);
        text += vocabulary.tokenizer->bytesOf(token);
    }
    if (constraint->mayEnd() && !constraint->failure()) {
        const auto conforms = conformsToJsonSchema(text, schema);
        require(!conforms || *conforms); // values that are nested too deeply cannot be read
    }
    return 0;
}
