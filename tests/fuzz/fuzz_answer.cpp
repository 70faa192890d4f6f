// Takes answers apart; the input is a format as JSON, a zero byte, a prompt, a zero byte and the text of an answer, as
// three parts of any bytes. A format that cannot be read stands for the usual one. However the text is divided, the
// result is the same, its parts are within the text, and the format survives being written and read.
#include "require.h"
#include "text/conversation/answer_parser.h"

#include <random>

using namespace gufo;
using namespace gufo::text;

namespace {

constexpr std::string_view kFuzzTools =
    R"([{"type":"function","function":{"name":"f","parameters":{"properties":{"x":{"type":"string"},"n":{"type":"integer"}}}}}])";

AnswerParser parsed(const std::shared_ptr<const AnswerFormat>& format, std::string_view prompt, std::string_view text,
                    unsigned seed) {
    AnswerParser parser(format, prompt, seed % 2 == 0 ? kFuzzTools : std::string_view());
    std::minstd_rand random(seed);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = seed < 2 ? text.size() : 1 + random() % 7;
        (void)parser.push(text.substr(at, length));
        at += length;
    }
    parser.finish();
    return parser;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::size_t first = std::min(input.find('\0'), input.size());
    const std::size_t second = std::min(input.find('\0', std::min(first + 1, input.size())), input.size());
    const std::string_view prompt = first < second ? input.substr(first + 1, second - first - 1) : std::string_view();
    const std::string_view text = second < input.size() ? input.substr(second + 1) : std::string_view();
    auto format = usualAnswerFormat();
    if (auto read = readAnswerFormat(input.substr(0, first))) {
        const auto again = readAnswerFormat(answerFormatJson(*read));
        require(again && *again == *read);
        format = std::make_shared<const AnswerFormat>(*std::move(read));
    }
    for (const unsigned tools : {0U, 1U}) {
        const AnswerParser whole = parsed(format, prompt, text, tools);
        const AnswerParser divided = parsed(format, prompt, text, tools + 2);
        require(whole.message() == divided.message());
        std::size_t end = 0;
        for (const AnswerSpan& span : whole.spans()) {
            require(span.begin >= end && span.begin <= span.end && span.end <= text.size());
            end = span.end;
        }
    }
    return 0;
}
