// Makes a tokenizer from a model file, encodes text and decodes the result. Byte-level tokenizers with a token for
// every byte must reproduce the text.
//
// Input: one byte of options; u16, the length of the text; the text; the rest is a GGUF file.
#include "formats/gguf/read/reader.h"
#include "require.h"
#include "text/tokenizer/tokenizer.h"

#include <string>

using namespace gufo;

namespace {

void checkText(const std::shared_ptr<const text::Tokenizer>& tokenizer, std::string_view text, unsigned options) {
    const text::EncodeOptions encode{.addBos = (options & 1U) != 0 ? std::optional(true) : std::nullopt,
                                     .parseSpecial = (options & 2U) != 0,
                                     .ranges = true};
    const auto encoding = tokenizer->encode(text, encode);
    require(encoding.has_value() && encoding->ids.size() == encoding->ranges.size());
    for (std::size_t i = 0; i < encoding->ids.size(); ++i) {
        const text::TextRange range = encoding->ranges[i];
        require(range.begin <= range.end && range.end <= text.size());
        require(encoding->ids[i].value < tokenizer->vocabulary().size());
    }
    const text::DecodeOptions decode{.control = (options & 4U) != 0, .atStart = (options & 8U) == 0};
    const auto whole = tokenizer->decode(encoding->ids, decode);
    require(whole.has_value());
    text::StreamDecoder stream(tokenizer, decode);
    std::string joined;
    for (const TokenId id : encoding->ids) {
        joined += stream.push(id);
    }
    joined += stream.finish();
    require(joined == *whole);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 3) {
        return 0;
    }
    const unsigned options = data[0];
    const std::size_t textBytes = std::min<std::size_t>(data[1] | (data[2] << 8U), size - 3);
    const std::string_view text(reinterpret_cast<const char*>(data) + 3, textBytes);
    const auto* file = reinterpret_cast<const std::byte*>(data) + 3 + textBytes;
    const auto* end = reinterpret_cast<const std::byte*>(data) + size;
    const auto model = gguf::read(std::make_shared<MemorySource>(std::vector<std::byte>(file, end)));
    if (!model) {
        return 0;
    }
    if (const auto tokenizer = text::makeTokenizer(**model)) {
        checkText(*tokenizer, text, options);
        checkText(*tokenizer, std::string(text) + std::string(text) + "\xE2\x96\x81", options >> 4U);
    }
    return 0;
}
