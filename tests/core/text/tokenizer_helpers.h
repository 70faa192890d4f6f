// Tokenizers and texts shared by several tests.
#pragma once

#include "document/open_model.h"
#include "formats/gguf/read/reader.h"
#include "support/vocabulary_maker.h"
#include "test_paths.h"
#include "text/tokenizer/characters.h"
#include "text/tokenizer/pre_tokenizer.h"
#include "text/tokenizer/tokenizer.h"

#include <QFile>
#include <QString>

#include <map>
#include <random>

namespace gufo::test {

using namespace gufo::text;

using TokenizerPointer = std::shared_ptr<const Tokenizer>;

// For models that must work; throws otherwise, which fails the test.
inline TokenizerPointer tokenizerOf(const test::GgufBuilder& file) {
    return makeTokenizer(*gguf::read(file.source()).value()).value();
}
inline TokenizerPointer tokenizerOf(const std::filesystem::path& path) {
    return makeTokenizer(*openModel(path).value()).value();
}

inline QString vocabularyFolder() { return QStringLiteral(GUFO_SHARED_DIR "/thirdparty/vocab"); }

inline TokenizerPointer published(const char* name) {
    return tokenizerOf(std::filesystem::path(GUFO_SHARED_DIR "/thirdparty/vocab") /
                       (std::string("ggml-vocab-") + name + ".gguf"));
}

// Returns a tokenizer of each kind by name.
inline TokenizerPointer made(const QString& kind) {
    static std::map<QString, TokenizerPointer> made;
    TokenizerPointer& tokenizer = made[kind];
    if (tokenizer == nullptr) {
        if (kind == QStringLiteral("bert")) {
            tokenizer = tokenizerOf(wordPieceFile(makeWordPiece()));
        } else if (kind == QStringLiteral("rwkv")) {
            tokenizer = tokenizerOf(makeRwkv().file());
        } else if (kind == QStringLiteral("llama") || kind == QStringLiteral("t5")) {
            tokenizer = tokenizerOf(makeSentencePiece(kind.toStdString()).file());
        } else if (kind == QStringLiteral("plamo2")) {
            tokenizer = tokenizerOf(makePlamo2().file());
        } else if (kind == QStringLiteral("hybriddna")) {
            tokenizer = tokenizerOf(makeDnaBpe().file());
        } else if (const auto* rule = findPreTokenizer(kind.toStdString());
                   rule != nullptr && rule->writing != Writing::ByteAlphabet) {
            tokenizer = tokenizerOf(utf8BpeFile(makeUtf8Bpe("gpt2", kind.toStdString())));
        } else {
            tokenizer = tokenizerOf(makeGpt2(kind.toStdString()).file());
        }
    }
    return tokenizer;
}

// Texts of various scripts, including some that are not UTF-8.
inline std::vector<std::string> manyTexts() {
    std::vector<std::string> texts{"",
                                   " ",
                                   "Hello world",
                                   "  two  spaces ",
                                   "\r\n\r\n \t x",
                                   "naïve café",
                                   "сова читает",
                                   "猫头鹰打开了文件。",
                                   "👩‍💻 🏳️‍🌈 🦉",
                                   "कखग ស្វាគមន៍ العربية עברית",
                                   "I'll we've DON'T y'all're",
                                   std::string("nul\0byte", 8),
                                   "\xFF\xFE\x80",
                                   "cut \xE2\x96",
                                   "\xED\xA0\x80 surrogate",
                                   "1234567 ½²Ⅷ",
                                   "a\xC2\xA0"
                                   "b\xE3\x80\x80"
                                   "c"};
    std::mt19937 random(7);
    for (int i = 0; i < 300; ++i) {
        std::string text;
        const std::size_t length = random() % 40;
        while (text.size() < length) {
            switch (random() % 4) {
            case 0:
                text += static_cast<char>(random());
                break;
            case 1:
                text += static_cast<char>(' ' + random() % 95);
                break;
            default:
                const auto code = static_cast<char32_t>(random() % (random() % 3 == 0 ? 0x1F900 : 0x600));
                appendUtf8(text, code >= 0xD800 && code < 0xE000 ? U'x' : code);
            }
        }
        texts.push_back(text);
    }
    return texts;
}

} // namespace gufo::test
