// Small vocabularies of each kind of tokenizer, as GGUF files in memory, for tests, benchmarks and fuzzing seeds.
#pragma once

#include "gguf_builder.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace gufo::test {

// The values of tokenizer.ggml.token_type.
enum : std::int32_t { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6 };

struct VocabularyMaker {
    std::string model;
    std::string pre{};
    std::vector<std::string> tokens{};
    std::vector<std::int32_t> types{};
    std::vector<float> scores{};
    std::vector<std::string> merges{};

    std::uint32_t add(std::string token, std::int32_t type = kNormal, float score = 0) {
        tokens.push_back(std::move(token));
        types.push_back(type);
        scores.push_back(score);
        return static_cast<std::uint32_t>(tokens.size() - 1);
    }

    // More keys may be added to the returned file.
    [[nodiscard]] GgufBuilder file() const {
        GgufBuilder out;
        out.key("general.architecture", "llama").key("tokenizer.ggml.model", model);
        if (!pre.empty()) {
            out.key("tokenizer.ggml.pre", pre);
        }
        out.key("tokenizer.ggml.tokens", tokens);
        if (!types.empty()) {
            out.key("tokenizer.ggml.token_type", types);
        }
        if (!scores.empty()) {
            out.key("tokenizer.ggml.scores", scores);
        }
        if (model == "gpt2" || !merges.empty()) {
            out.key("tokenizer.ggml.merges", merges);
        }
        return out;
    }
};

// Returns byte b in GPT-2's alphabet.
inline std::string gpt2Byte(unsigned b) {
    unsigned code = b;
    const auto plain = [](unsigned x) { return (x >= 33 && x <= 126) || (x >= 161 && x <= 172) || x >= 174; };
    if (!plain(b)) {
        code = 256;
        for (unsigned lower = 0; lower < b; ++lower) {
            code += plain(lower) ? 0 : 1;
        }
    }
    if (code < 128) {
        return {static_cast<char>(code)};
    }
    return {static_cast<char>(0xC0 | (code >> 6)), static_cast<char>(0x80 | (code & 63))};
}

// All bytes, then tokens "aa", "aaaa" … of up to 64 letters, and the same of spaces; each is a merge of two halves.
inline VocabularyMaker makeGpt2(const std::string& pre = "gpt-2") {
    VocabularyMaker maker{.model = "gpt2", .pre = pre};
    for (unsigned b = 0; b < 256; ++b) {
        maker.add(gpt2Byte(b));
    }
    for (const std::string& unit : {std::string("a"), gpt2Byte(' '), std::string("<")}) {
        for (std::string half = unit; half.size() < 64; half += half) {
            maker.merges.push_back(half + " " + half);
            maker.add(half + half);
        }
    }
    for (const char* merge : {"h e", "l l", "he ll", "hell o"}) {
        maker.merges.emplace_back(merge);
        std::string token = merge;
        std::erase(token, ' ');
        maker.add(token);
    }
    return maker;
}

// <unk>, <s>, </s>, the bytes, and tokens like makeGpt2's with scores that fall with length.
inline VocabularyMaker makeSentencePiece(const std::string& model = "llama") {
    VocabularyMaker maker{.model = model};
    maker.add("<unk>", kUnknown);
    maker.add("<s>", kControl);
    maker.add("</s>", kControl);
    for (unsigned b = 0; b < 256; ++b) {
        char text[8];
        std::snprintf(text, sizeof text, "<0x%02X>", b);
        maker.add(text, kByte);
    }
    const std::string space = "\xE2\x96\x81";
    float score = -1;
    for (const std::string& unit : {std::string("a"), space, std::string("<")}) {
        for (std::string word = unit; word.size() <= 64 * unit.size(); word += word) {
            maker.add(word, kNormal, score -= 1);
        }
    }
    for (const std::string& token : {std::string("h"), std::string("e"), std::string("l"), std::string("o"),
                                     space + "h", std::string("ll"), space + "he", space + "hell", space + "hello"}) {
        maker.add(token, kNormal, score -= 1);
    }
    return maker;
}

// Like makeGpt2, for vocabularies in UTF-8 with U+2581 for spaces: bytes as <0xNN>, line breaks, merges.
inline VocabularyMaker makeUtf8Bpe(const std::string& model, const std::string& pre) {
    VocabularyMaker maker{.model = model, .pre = pre};
    maker.add("<pad>", kControl);
    maker.add("<eos>", kControl);
    maker.add("<bos>", kControl);
    for (unsigned b = 0; b < 256; ++b) {
        char text[8];
        std::snprintf(text, sizeof text, "<0x%02X>", b);
        maker.add(text, kByte);
    }
    const std::string space = "\xE2\x96\x81";
    for (const std::string& unit : {std::string("a"), space, std::string("<")}) {
        maker.add(unit);
        for (std::string half = unit; half.size() < 64 * unit.size(); half += half) {
            maker.merges.push_back(half + " " + half);
            maker.add(half + half);
        }
    }
    for (const char* token : {" ", "h", "e", "l", "o", "\n", "\n\n"}) {
        maker.add(token);
    }
    for (const std::string& merge :
         {std::string("h e"), std::string("l l"), std::string("he ll"), std::string("hell o"), space + " hello"}) {
        maker.merges.push_back(merge);
        std::string token = merge;
        std::erase(token, ' ');
        maker.add(token);
    }
    return maker;
}
inline GgufBuilder utf8BpeFile(const VocabularyMaker& maker) {
    return maker.file()
        .key("tokenizer.ggml.eos_token_id", std::uint32_t{1})
        .key("tokenizer.ggml.bos_token_id", std::uint32_t{2});
}

// makeGpt2 with additional DNA tokens of six letters.
inline VocabularyMaker makeDnaBpe() {
    VocabularyMaker maker = makeGpt2("qwen2");
    maker.model = "hybriddna";
    for (const char* token : {"<dna>", "</dna>", "<oov>"}) {
        maker.add(token);
    }
    for (const char* six : {"ACGTAC", "GGGGGG", "TTAAAA", "AAAAAA"}) {
        maker.add(six + std::string("\xEE\x80\x80"));
    }
    return maker;
}

// <unk>, <s>, </s>, <pad>, the bytes, letters and words with scores.
inline VocabularyMaker makePlamo2() {
    VocabularyMaker maker = makeSentencePiece("plamo2");
    maker.tokens.insert(maker.tokens.begin() + 3, "<pad>");
    maker.types.insert(maker.types.begin() + 3, kControl);
    maker.scores.insert(maker.scores.begin() + 3, 0.0F);
    maker.add(" ", kNormal, -1);
    return maker;
}

// [PAD] [UNK] [CLS] [SEP], letters and some words.
inline VocabularyMaker makeWordPiece() {
    VocabularyMaker maker{.model = "bert"};
    maker.add("[PAD]", kControl);
    maker.add("[UNK]", kUnknown);
    maker.add("[CLS]", kControl);
    maker.add("[SEP]", kControl);
    const std::string start = "\xE2\x96\x81";
    for (const char* token : {"owl", "owls", "un", "a", "e", ",", "!", "<", "1", "caf", "\xE7\x8C\xAB"}) {
        maker.add(start + token);
    }
    for (const char* token : {"s", "a", "known", "aff", "able", "e", "1"}) {
        maker.add(token);
    }
    return maker;
}

inline GgufBuilder wordPieceFile(const VocabularyMaker& maker) {
    return maker.file()
        .key("tokenizer.ggml.unknown_token_id", std::uint32_t{1})
        .key("tokenizer.ggml.cls_token_id", std::uint32_t{2})
        .key("tokenizer.ggml.seperator_token_id", std::uint32_t{3});
}

// "<s>", all bytes but 0xFF in escaped form, and some words.
inline VocabularyMaker makeRwkv() {
    VocabularyMaker maker{.model = "rwkv"};
    maker.add("<s>", kControl);
    for (unsigned b = 0; b < 255; ++b) {
        char text[8];
        if (b == '\\' || b == '\'') {
            std::snprintf(text, sizeof text, "\\%c", static_cast<char>(b));
        } else if (b == '\t' || b == '\n' || b == '\r') {
            std::snprintf(text, sizeof text, "\\%c", b == '\t' ? 't' : b == '\n' ? 'n' : 'r');
        } else if (b < 32 || b > 126) {
            std::snprintf(text, sizeof text, "\\x%02x", b);
        } else {
            std::snprintf(text, sizeof text, "%c", static_cast<char>(b));
        }
        maker.add(text);
    }
    for (const char* token : {"owl", "owls", "aa", "aaaa", "\\n\\n", "\xD1\x81\xD0\xBE\xD0\xB2\xD0\xB0", " the"}) {
        maker.add(token);
    }
    return maker;
}

} // namespace gufo::test
