#include "pre_tokenizer_regexes.h"

namespace gufo::test {
namespace {

constexpr auto kOptions = QRegularExpression::UseUnicodePropertiesOption;

// openai/gpt-2, src/encoder.py.
const QString kGpt2 = QStringLiteral(R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)");
const QString kContraction = QStringLiteral(R"((?i:'s|'t|'re|'ve|'m|'ll|'d))");
const QString kSpaces = QStringLiteral(R"(|\s*[\r\n]+|\s+(?!\S)|\s+)");
const QString kNumber = QStringLiteral(R"(\p{N})");
const QString kLines = QStringLiteral(R"([^\n]+|[\n]+)");
const QString kHanAndKana = QStringLiteral("[一-龥぀-ゟ゠-ヿ]+");
const QString kDeepseekAsian = QStringLiteral(R"([\x{4E00}-\x{9FA5}\x{800}-\x{4E00}\x{AC00}-\x{D7FF}]+)");

// openai/tiktoken, tiktoken_ext/openai_public.py: cl100k_base.
QString cl100k(const char* numbers) {
    return kContraction +
           QStringLiteral(R"(|[^\r\n\p{L}\p{N}]?\p{L}+|%1| ?[^\s\p{L}\p{N}]+[\r\n]*)").arg(QLatin1String(numbers)) +
           kSpaces;
}

const QString kUpper = QStringLiteral(R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])");
const QString kLower = QStringLiteral(R"([\p{Ll}\p{Lm}\p{Lo}\p{M}])");

// openai/tiktoken, tiktoken_ext/openai_public.py: o200k_base.
QString o200k(const char* numbers, const QString& tail, const QString& upper = kUpper, const QString& lower = kLower,
              const char* afterSymbols = R"([\r\n/]*)") {
    return QStringLiteral(R"([^\r\n\p{L}\p{N}]?%1*%2+%3|[^\r\n\p{L}\p{N}]?%1+%2*%3|%4| ?[^\s\p{L}\p{N}]+%5)")
               .arg(upper, lower, tail, QLatin1String(numbers), QLatin1String(afterSymbols)) +
           kSpaces;
}

QString deepseek3() {
    return QStringLiteral(R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+)"
                          R"(| ?[\p{P}\p{S}]+[\r\n]*)") +
           kSpaces;
}

QString notHan(const QString& set) { return QStringLiteral(R"((?:(?!\p{sc:Han})%1))").arg(set); }

QString deepseekLetters() {
    return QStringLiteral(
        R"(\s?[A-Za-z\x{B5}\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{1BA}\x{1BC}-\x{1BF}\x{1C4}-\x{293}\x{295}-\x{2AF})"
        R"(\x{370}-\x{373}\x{376}\x{377}\x{37B}-\x{37D}\x{37F}\x{386}\x{388}-\x{38A}\x{38C}\x{38E}-\x{3A1})"
        R"(\x{3A3}-\x{3F5}\x{3F7}-\x{481}\x{48A}-\x{52F}\x{531}-\x{556}\x{10A0}-\x{10C5}\x{13A0}-\x{13F5})"
        R"(\x{13F8}-\x{13FD}\x{1C90}-\x{1CBA}\x{1CBD}-\x{1CBF}\x{1D00}-\x{1D2B}\x{1D6B}-\x{1D77}\x{1D79}-\x{1D9A})"
        R"(\x{1E00}-\x{1F15}\x{1F18}-\x{1F1D}\x{1F20}-\x{1F45}\x{1F48}-\x{1F4D}\x{1F50}-\x{1F57}\x{1F59}\x{1F5B})"
        R"(\x{1F5D}\x{1F5F}-\x{1F7D}\x{1F80}-\x{1FB4}\x{1FB6}-\x{1FBC}\x{1FBE}\x{1FC2}-\x{1FC4}\x{1FC6}-\x{1FCC})"
        R"(\x{1FD0}-\x{1FD3}\x{1FD6}-\x{1FDB}\x{1FE0}-\x{1FEC}\x{1FF2}-\x{1FF4}\x{1FF6}-\x{1FFC}\x{2102}\x{2107})"
        R"(\x{210A}-\x{2113}\x{2115}\x{2119}-\x{211D}\x{2124}\x{2126}\x{2128}\x{212A}-\x{212D}\x{212F}-\x{2134})"
        R"(\x{2139}\x{213C}-\x{213F}\x{2145}-\x{2149}\x{214E}\x{2183}\x{2184}\x{2C00}-\x{2C7B}\x{2C7E}-\x{2CE4})"
        R"(\x{2CEB}-\x{2CEE}\x{2CF2}\x{2CF3}\x{A640}-\x{A66D}\x{A680}-\x{A69B}\x{A722}-\x{A76F}\x{A771}-\x{A787})"
        R"(\x{A78B}-\x{A78E}\x{AB70}-\x{ABBF}\x{FB00}-\x{FB06}\x{FB13}-\x{FB17}\x{FF21}-\x{FF3A}\x{FF41}-\x{FF5A})"
        R"(\x{10400}-\x{1044F}\x{104B0}-\x{104D3}\x{104D8}-\x{104FB}\x{10C80}-\x{10CB2}\x{10CC0}-\x{10CF2})"
        R"(\x{118A0}-\x{118DF}\x{1E900}-\x{1E943}]+)");
}

QString afmoeAsian() {
    return QStringLiteral(R"([\x{4E00}-\x{9FFF}\x{3400}-\x{4DBF}\x{F900}-\x{FAFF}\x{3040}-\x{309F}\x{30A0}-\x{30FF})"
                          R"(\x{FF65}-\x{FF9F}\x{2F00}-\x{2FDF}\x{E40}-\x{E7F}\x{E80}-\x{EFF}\x{1780}-\x{17FF})"
                          R"(\x{1000}-\x{109F}\x{AA60}-\x{AA7F}\x{A9E0}-\x{A9FF}\x{AC00}-\x{D7AF}\x{1100}-\x{11FF}]+)");
}

struct Row {
    const char* pre;
    QStringList stages;
    const char* source;
};

// "llama-vocab" is src/llama-vocab.cpp of ggml-org/llama.cpp. Where it runs a rewritten expression, the original one of
// the tokenizer.json is in a comment there, and that one is meant here.
QList<Row> rows() {
    const QString digits = QStringLiteral("[0-9][0-9][0-9]");
    const QString bloom = QStringLiteral(R"( ?[^(\s|.,!?…。，、।۔،)]+)");
    // After a digit, \b matches where no word character follows, that is, no alphabetic character, mark, decimal digit
    // or connector (documentation of Oniguruma, with which the tokenizers library runs these expressions).
    const QString boundary = QStringLiteral(R"((?![\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{24B6}-\x{24E9}\x{1F130}-\x{1F149})"
                                            R"(\x{1F150}-\x{1F169}\x{1F170}-\x{1F189}]))");
    return {
        {"default",
         {QStringLiteral(R"([\p{P}\$\+<=>\^~\|]+)"), kGpt2, QStringLiteral(R"(\p{N}+)"), digits},
         "llama-vocab, default"},
        {"gpt-2", {kGpt2}, "openai/gpt-2, src/encoder.py"},
        {"starcoder", {kNumber, kGpt2}, "llama-vocab, STARCODER"},
        {"falcon", {QStringLiteral(R"([\p{P}\$\+<=>\^~\|`]+)"), kGpt2, digits}, "llama-vocab, FALCON"},
        {"chameleon",
         {QStringLiteral("<sentinel:[0-9]+>"), QStringLiteral("(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z"),
          QStringLiteral(R"(([\t\n]|    |  ))"), kNumber, QStringLiteral(R"([\p{P}!-/:-@\[-`{-~])"), kGpt2},
         "llama-vocab, CHAMELEON (facebook/chameleon-7b)"},
        {"bloom", {bloom}, "llama-vocab, BLOOM"},
        {"viking", {bloom, kNumber}, "llama-vocab, VIKING"},
        {"llama3", {cl100k(R"(\p{N}{1,3})")}, "openai/tiktoken, cl100k_base; llama-vocab, LLAMA3"},
        {"dbrx", {cl100k(R"(\p{N}{1,3})")}, "llama-vocab, DBRX"},
        {"qwen2", {cl100k(R"(\p{N})")}, "llama-vocab, QWEN2"},
        {"bailingmoe",
         {QStringLiteral(R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*)"
                         R"(|\s*[\r\n]|\s+(?!\S)|\s+)")},
         "llama-vocab, BAILINGMOE"},
        {"qwen35",
         {kContraction + QStringLiteral(R"(|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*)") +
          kSpaces},
         "llama-vocab, QWEN35"},
        {"seed-coder",
         {kContraction + QStringLiteral(R"(|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+)") + kSpaces},
         "llama-vocab, SEED_CODER"},
        {"minicpm5", {QStringLiteral(R"(\p{N}{1,3})"), cl100k(R"(\p{N}+)")}, "llama-vocab, MINICPM5"},
        {"exaone-moe",
         {kContraction +
          QStringLiteral(R"(|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]?)"
                         R"(|\s*[\r\n]|\s+(?!\S)|\s+)")},
         "llama-vocab, EXAONE_MOE"},
        {"jais-2",
         {kContraction +
          QStringLiteral(R"(|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s{512}(?!\S))"
                         R"(|\s{256}(?!\S)|\s{128}(?!\S)|\s{64}(?!\S)|\s{32}(?!\S)|\s{16}(?!\S)|\s{8}(?!\S))"
                         R"(|\s{4}(?!\S)|\s{1,2}(?!\S)|\s{1})")},
         "llama-vocab, JAIS2"},
        {"laguna", {kLines, cl100k(R"(\p{N})")}, "llama-vocab, LAGUNA"},
        {"deepseek-llm",
         {QStringLiteral(R"([\r\n])"), deepseekLetters(), QStringLiteral(R"(\s?[!-/:-~！-／：-～‘-‟　-。]+)"),
          QStringLiteral(R"(\s+\z)"), kDeepseekAsian, QStringLiteral(R"(\p{N}+)")},
         "llama-vocab, DEEPSEEK_LLM"},
        {"deepseek-coder",
         {QStringLiteral(R"([\r\n])"), QStringLiteral(R"(\s?\p{L}+)"), QStringLiteral(R"(\s?\p{P}+)"), kDeepseekAsian,
          kNumber},
         "llama-vocab, DEEPSEEK_CODER"},
        {"deepseek-v3", {QStringLiteral(R"(\p{N}{1,3})"), kHanAndKana, deepseek3()}, "llama-vocab, DEEPSEEK3_LLM"},
        // The published rule for digits is in words: groups of three; only the first group may be shorter.
        {"afmoe",
         {QStringLiteral(R"(\p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N})))"), afmoeAsian(), deepseek3()},
         "llama-vocab, AFMOE; ggml-org/llama.cpp#16477"},
        {"tekken", {o200k(R"(\p{N})", QString())}, "llama-vocab, TEKKEN"},
        {"gpt-4o", {o200k(R"(\p{N}{1,3})", kContraction + u'?')}, "openai/tiktoken, o200k_base"},
        {"granite-embed-multi-97m",
         {o200k(R"(\p{N}{1,3})", kContraction + u'?')},
         "openai/tiktoken, o200k_base; llama-vocab, GRANITE_EMB_MULTI"},
        {"youtu",
         {QStringLiteral(R"([\x{AC00}-\x{D7A3}\x{3131}-\x{318E}]+)"
                         R"(|[\x{FF01}\x{2026}\x{201C}\x{201D}\x{2018}\x{2019}\x{2014}\x{FF1A}\x{FF1B}\x{FF0C})"
                         R"(\x{3001}-\x{303F}\x{FE30}-\x{FE4F}]+|[\x{3105}-\x{312F}]+|)") +
              kHanAndKana,
          o200k(R"(\p{N})", kContraction + u'?')},
         "llama-vocab, YOUTU"},
        {"tiny_aya",
         {QStringLiteral(R"(\p{Nd}{1,3}(?=(?:\p{Nd}{3})*%1))").arg(boundary),
          o200k(R"(\p{N}{1,3})", kContraction + u'?')},
         "llama-vocab, TINY_AYA"},
        {"kimi-k2",
         {QStringLiteral(R"([\p{sc:Han}]+|)") +
          o200k(R"(\p{N}{1,3})", kContraction + u'?', notHan(kUpper), notHan(kLower), R"([\r\n]*)")},
         "moonshotai/Kimi-K2-Instruct, tokenization_kimi.py, quoted by src/unicode.cpp of ggml-org/llama.cpp"},
        {"superbpe",
         {QStringLiteral(R"(\p{N}+)"), QStringLiteral(R"((?=(\p{Nd}{3})+(?!\p{Nd})))")},
         "llama-vocab, SUPERBPE"},
        {"gemma4", {kLines}, "llama-vocab, GEMMA4"},
        {"sarvam-moe", {kLines}, "llama-vocab, SARVAM_MOE"},
        {"whitespace", {QStringLiteral(R"(\S+)")}, "llama-vocab, WHITESPACE"},
    };
}

} // namespace

const std::vector<RuleRegexes>& ruleRegexes() {
    static const auto made = [] {
        std::vector<RuleRegexes> rules;
        for (const Row& row : rows()) {
            RuleRegexes& rule = rules.emplace_back(RuleRegexes{row.pre, {}, row.source});
            for (const QString& stage : row.stages) {
                rule.stages.emplace_back(stage, kOptions);
                rule.stages.back().optimize();
            }
        }
        return rules;
    }();
    return made;
}

std::vector<std::string> splitByRegexes(const std::vector<QRegularExpression>& stages, const QString& text) {
    QStringList pieces{text};
    for (const QRegularExpression& regex : stages) {
        QStringList cut;
        const auto append = [&](const QString& piece, qsizetype from, qsizetype to) {
            if (to > from) {
                cut << piece.mid(from, to - from);
            }
        };
        for (const QString& piece : pieces) {
            qsizetype at = 0;
            for (auto matches = regex.globalMatch(piece); matches.hasNext();) {
                const auto match = matches.next();
                append(piece, at, match.capturedStart());
                append(piece, match.capturedStart(), match.capturedEnd());
                at = match.capturedEnd();
            }
            append(piece, at, piece.size());
        }
        pieces = cut;
    }
    std::vector<std::string> bytes;
    for (const QString& piece : pieces) {
        bytes.push_back(piece.toStdString());
    }
    return bytes;
}

} // namespace gufo::test
