#include "text/template/json_rewrite.h"

#include "base/detail.h"
#include "base/json_value.h"
#include "base/utf8.h"

#include <QString>

namespace gufo::text {

using Token = JsonReader::Token;

std::string jsonString(std::string_view text) {
    return isValidUtf8(text)
               ? quotedJson(text)
               : quotedJson(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toStdString());
}

Result<std::string> compactJson(JsonReader& reader, Token first) {
    std::string out;
    std::size_t depth = 0;
    bool needsComma = false;
    for (Token token = first;;) {
        const bool closes = token == Token::ObjectEnd || token == Token::ArrayEnd;
        if (needsComma && !closes) {
            out += ',';
        }
        needsComma = true;
        switch (token) {
        case Token::ObjectStart:
        case Token::ArrayStart:
            out += token == Token::ObjectStart ? '{' : '[';
            needsComma = false;
            ++depth;
            break;
        case Token::ObjectEnd:
        case Token::ArrayEnd:
            out += token == Token::ObjectEnd ? '}' : ']';
            --depth;
            break;
        case Token::Key:
            out += jsonString(reader.text()) + ':';
            needsComma = false;
            break;
        case Token::String:
            out += jsonString(reader.text());
            break;
        case Token::Number:
            out += reader.text();
            break;
        case Token::True:
            out += "true";
            break;
        case Token::False:
            out += "false";
            break;
        case Token::Null:
            out += "null";
            break;
        case Token::End:
            return reader.expected(Detail::Value);
        }
        if (depth == 0) {
            return out;
        }
        token = GUFO_TRY(reader.next());
    }
}

} // namespace gufo::text
