#include "ui/vocabulary/token_cells.h"

#include "base/utf8.h"

#include <algorithm>

namespace gufo::ui {
namespace {

struct Utf8Text {
    std::string bytes;
    std::vector<int> characterAt; // for each byte and the end: the UTF-16 unit at which its character begins
};

Utf8Text toUtf8(const QString& characters) {
    Utf8Text text;
    for (qsizetype i = 0; i < characters.size();) {
        const QChar unit = characters[i];
        const bool pair = unit.isHighSurrogate() && i + 1 < characters.size() && characters[i + 1].isLowSurrogate();
        char32_t code = unit.isSurrogate() ? char32_t{0xFFFD} : char32_t{unit.unicode()};
        if (pair) {
            code = QChar::surrogateToUcs4(unit, characters[i + 1]);
        }
        appendUtf8(text.bytes, code);
        text.characterAt.resize(text.bytes.size(), static_cast<int>(i));
        i += pair ? 2 : 1;
    }
    text.characterAt.push_back(static_cast<int>(characters.size()));
    return text;
}

bool startsCharacter(const Utf8Text& text, std::size_t byte) {
    return byte == 0 || byte == text.bytes.size() || text.characterAt[byte] != text.characterAt[byte - 1];
}

} // namespace

const TokenCell* TokenizedText::cellAt(int position) const {
    const auto after = std::ranges::upper_bound(cells, position, {}, [](const TokenCell& cell) { return cell.begin; });
    for (auto cell = after; cell != cells.begin();) {
        --cell;
        if (cell->end > position) {
            return &*cell;
        }
        if (cell->end > cell->begin) {
            break;
        }
    }
    return nullptr;
}

Result<TokenizedText> tokenizeText(const text::Tokenizer& tokenizer, const QString& characters,
                                   text::EncodeOptions options, const JobContext& job) {
    const Utf8Text utf8 = toUtf8(characters);
    options.ranges = true;
    auto encoding = GUFO_TRY(tokenizer.encode(utf8.bytes, options, job));
    TokenizedText result{.ids = std::move(encoding.ids), .cells = {}, .bytes = utf8.bytes.size()};
    bool open = false; // the next token is added to the last cell
    for (std::size_t i = 0; i < result.ids.size(); ++i) {
        const text::TextRange range = encoding.ranges[i];
        const bool empty = range.begin == range.end;
        const bool control = tokenizer.vocabulary().type(result.ids[i]) == TokenType::Control;
        const int begin = utf8.characterAt[range.begin];
        // A token that ends inside a character is extended to cover it.
        std::size_t endByte = range.end;
        while (!startsCharacter(utf8, endByte)) {
            ++endByte;
        }
        const int end = utf8.characterAt[endByte];
        const bool sharesCharacter = !result.cells.empty() && !empty && begin < result.cells.back().end;
        if (open || sharesCharacter) {
            TokenCell& cell = result.cells.back();
            cell.end = std::max(cell.end, end);
            ++cell.tokens;
        } else {
            result.cells.push_back({begin, end, static_cast<std::uint32_t>(i), 1});
        }
        open = empty && !control;
    }
    return result;
}

} // namespace gufo::ui
