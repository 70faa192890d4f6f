// Translates JSON schemas. Every schema that is not refused becomes a grammar that parses.
#include "inference/grammar/grammar.h"
#include "inference/grammar/json_schema.h"

#include <cstdlib>

using namespace gufo;
using namespace gufo::inference;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = grammarOfJsonSchema({reinterpret_cast<const char*>(data), size});
    if (text) {
        const auto grammar = Grammar::parse(*text);
        if (!grammar && grammar.error().code != ErrorCode::LimitExceeded) {
            std::abort();
        }
    }
    return 0;
}
