#include "unicode_texts.h"

#include <QChar>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <bitset>
#include <functional>
#include <map>
#include <numeric>
#include <set>

namespace gufo::test {
namespace {

constexpr char32_t kCodePoints = 0x110000;

QString utf16(std::u32string_view text) { return QString::fromUcs4(text.data(), static_cast<qsizetype>(text.size())); }

bool isSurrogate(char32_t code) { return code >= 0xD800 && code < 0xE000; }

bool isWhite(char32_t code) {
    const auto category = QChar::category(code);
    return (code >= 0x09 && code <= 0x0D) || code == 0x85 || category == QChar::Separator_Space ||
           category == QChar::Separator_Line || category == QChar::Separator_Paragraph;
}

struct Class {
    QRegularExpression regex; // matches a run of its members
    std::function<bool(char32_t)> isMember;
};

std::vector<Class> classes() {
    using C = QChar;
    const std::pair<const char*, std::vector<QChar::Category>> categories[] = {
        {R"(\p{Lu})", {C::Letter_Uppercase}},
        {R"(\p{Lt})", {C::Letter_Titlecase}},
        {R"(\p{Ll})", {C::Letter_Lowercase}},
        {R"(\p{Lm})", {C::Letter_Modifier}},
        {R"(\p{Lo})", {C::Letter_Other}},
        {R"(\p{M})", {C::Mark_NonSpacing, C::Mark_SpacingCombining, C::Mark_Enclosing}},
        {R"(\p{Nd})", {C::Number_DecimalDigit}},
        {R"(\p{Nl})", {C::Number_Letter}},
        {R"(\p{No})", {C::Number_Other}},
        {R"(\p{Pc})", {C::Punctuation_Connector}},
        {R"(\p{P})",
         {C::Punctuation_Connector, C::Punctuation_Dash, C::Punctuation_Open, C::Punctuation_Close,
          C::Punctuation_InitialQuote, C::Punctuation_FinalQuote, C::Punctuation_Other}},
        {R"(\p{S})", {C::Symbol_Math, C::Symbol_Currency, C::Symbol_Modifier, C::Symbol_Other}}};
    std::vector<Class> all;
    const auto add = [&](const char* regex, std::function<bool(char32_t)> isMember) {
        all.push_back({QRegularExpression(QString::fromLatin1(regex) + QStringLiteral("++"),
                                          QRegularExpression::UseUnicodePropertiesOption),
                       std::move(isMember)});
    };
    for (const auto& [regex, members] : categories) {
        add(regex,
            [members](char32_t code) { return std::ranges::find(members, QChar::category(code)) != members.end(); });
    }
    add(R"(\s)", isWhite);
    add(R"(\p{sc:Han})", [](char32_t code) { return QChar::script(code) == QChar::Script_Han; });
    return all;
}

// The characters that texts are made of, by kind.
struct Alphabet {
    std::vector<std::vector<char32_t>> scripts; // letters and marks
    std::vector<char32_t> marks;
    std::vector<char32_t> numbers;
    std::vector<char32_t> spaces;
    std::vector<char32_t> punctuation;
    std::vector<char32_t> symbols;
    std::vector<char32_t> others; // controls, private and unassigned characters
};

void sortInto(Alphabet& alphabet, std::map<int, std::vector<char32_t>>& scripts, char32_t code) {
    if (isWhite(code)) {
        alphabet.spaces.push_back(code);
        return;
    }
    if (QChar::isLetter(code) || QChar::isMark(code)) {
        scripts[QChar::script(code)].push_back(code);
    }
    if (QChar::isMark(code)) {
        alphabet.marks.push_back(code);
    } else if (QChar::isNumber(code)) {
        alphabet.numbers.push_back(code);
    } else if (QChar::isPunct(code)) {
        alphabet.punctuation.push_back(code);
    } else if (QChar::isSymbol(code)) {
        alphabet.symbols.push_back(code);
    } else if (!QChar::isLetter(code)) {
        alphabet.others.push_back(code);
    }
}

const Alphabet& alphabet() {
    static const Alphabet made = [] {
        Alphabet alphabet;
        std::map<int, std::vector<char32_t>> scripts;
        const std::vector<char32_t>& disputed = charactersInDispute();
        for (char32_t code = 0; code < kCodePoints; ++code) {
            if (!isSurrogate(code) && !std::ranges::binary_search(disputed, code)) {
                sortInto(alphabet, scripts, code);
            }
        }
        for (auto& [script, characters] : scripts) {
            alphabet.scripts.push_back(std::move(characters));
        }
        return alphabet;
    }();
    return made;
}

constexpr auto kSnippets = std::to_array<std::u32string_view>({
    U"'s",
    U"'t",
    U"'re",
    U"'VE",
    U"'m",
    U"'Ll",
    U"'d",
    U"'\u017F",
    U"'l",
    U"\r\n",
    U"\n\n",
    U" \n ",
    U"//",
    U"    ",
    U"<sentinel:12>",
    U"<sentinel:",
    U"IMGIMGABIZ",
    U"IMGIMG",
    U"1234567",
    U"12345678901",
    U"\u0967\u0968\u0969\u096A", // Devanagari digits
    U"\u3007",                   // a number that is a Han character
    U"\u4E2D\u6587",
    U"\u304B\u306A",
    U"\uD55C\uAE00",
    U"\U0001F469\u200D\U0001F4BB",
    U"\U0001F3F3\uFE0F\u200D\U0001F308",
    U"CamelCase",
    U"the end",
    U" word",
});

} // namespace

const std::vector<char32_t>& charactersInDispute() {
    static const auto found = [] {
        constexpr char32_t kBlock = 0x800; // the surrogates are one
        const std::vector<Class> all = classes();
        std::set<char32_t> disputed;
        for (char32_t begin = 0; begin < kCodePoints; begin += kBlock) {
            if (isSurrogate(begin)) {
                continue;
            }
            std::u32string block(kBlock, U'\0');
            std::iota(block.begin(), block.end(), begin);
            const QString text = utf16(block);
            for (const Class& row : all) {
                std::bitset<kBlock> members;
                for (auto matches = row.regex.globalMatch(text); matches.hasNext();) {
                    for (const uint code : matches.next().captured().toUcs4()) {
                        members.set(code - begin);
                    }
                }
                std::ranges::copy_if(block, std::inserter(disputed, disputed.end()),
                                     [&](char32_t code) { return members.test(code - begin) != row.isMember(code); });
            }
        }
        return std::vector<char32_t>(disputed.begin(), disputed.end());
    }();
    return found;
}

RandomTexts::RandomTexts(std::uint32_t seed)
    : m_random(seed) {}

char32_t RandomTexts::pick(const std::vector<char32_t>& from) { return from[m_random() % from.size()]; }

void RandomTexts::appendSome(std::u32string& text) {
    const Alphabet& characters = alphabet();
    const auto run = [&](std::size_t longest, const auto& character) {
        for (std::size_t length = 1 + m_random() % longest; length > 0; --length) {
            text += character();
        }
    };
    switch (m_random() % 16) {
    case 0:
    case 1:
    case 2: {
        const auto& script = characters.scripts[m_random() % characters.scripts.size()];
        run(5, [&] { return pick(script); });
        break;
    }
    case 3:
        run(4, [&] { return U"abcsdtmrevlSDTMREVLXYZ"[m_random() % 22]; });
        break;
    case 4:
        run(4, [&] { return U"aBé猫ǅʰªא\u0301\u0903\u20DD"[m_random() % 11]; });
        break;
    case 5:
        run(2, [&] { return pick(characters.marks); });
        break;
    case 6:
        run(3, [&] { return pick(characters.numbers); });
        break;
    case 7: {
        const char32_t zero = U"0\u0660\u0966\uFF10\U0001D7CE"[m_random() % 5]; // the zeros of five sets of digits
        run(8, [&] { return static_cast<char32_t>(zero + m_random() % 10); });
        break;
    }
    case 8:
        run(2, [&] { return pick(characters.spaces); });
        break;
    case 9:
        text.append(1 + m_random() % (m_random() % 64 == 0 ? 1200 : 6), U' ');
        break;
    case 10:
        run(3, [&] { return U"\r\n\n\t \u00A0\u3000"[m_random() % 7]; });
        break;
    case 11:
        run(3, [&] { return U"''.,!?()|/-_$+<=>^~`@#&*\"\\:;[]{}"[m_random() % 32]; });
        break;
    case 12:
        run(2, [&] { return pick(m_random() % 2 == 0 ? characters.punctuation : characters.symbols); });
        break;
    case 13:
        text += pick(characters.others);
        break;
    default:
        text += kSnippets[m_random() % kSnippets.size()];
    }
}

QString RandomTexts::next() {
    std::u32string text;
    for (std::size_t parts = 1 + m_random() % 8; parts > 0; --parts) {
        appendSome(text);
    }
    return utf16(text);
}

} // namespace gufo::test
