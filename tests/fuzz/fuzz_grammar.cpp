// Matches texts against grammars; the input is a grammar, a zero byte and a text. Every grammar that parses can be
// matched, and matching a text gives the same result whether or not states are discarded in between.
#include "inference/grammar/grammar_matcher.h"
#include "require.h"

using namespace gufo;
using namespace gufo::inference;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::size_t end = input.find('\0');
    const auto grammar = Grammar::parse(input.substr(0, end));
    if (!grammar) {
        const ErrorCode code = grammar.error().code;
        require(code == ErrorCode::BadSyntax || code == ErrorCode::LimitExceeded);
        return 0;
    }
    const std::string_view text = end == std::string_view::npos ? std::string_view() : input.substr(end + 1);
    const std::vector<std::uint32_t> tokenIds((*grammar)->tokens.size(), 7);
    GrammarMatcher inOneGo(*grammar, tokenIds);
    inOneGo.beginWork();
    const auto state = inOneGo.step(inOneGo.start(), text);
    GrammarMatcher forgetful(*grammar, tokenIds);
    auto other = forgetful.start();
    for (const char byte : text) {
        forgetful.beginWork();
        other = forgetful.step(other, static_cast<unsigned char>(byte));
        if (other == GrammarMatcher::kDead) {
            break; // its number is valid only until states are discarded
        }
        forgetful.trim(other, 0);
    }
    if (!inOneGo.failure() && !forgetful.failure()) {
        require(inOneGo.accepts(state) == forgetful.accepts(other));
        require(inOneGo.namedTokens(state).size() == forgetful.namedTokens(other).size());
    }
    return 0;
}
