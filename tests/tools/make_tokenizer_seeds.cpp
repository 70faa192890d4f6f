// Writes the seeds of fuzz_tokenizer into a folder: a small vocabulary of each kind, each with a text.
#include "support/vocabulary_maker.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

using namespace gufo::test;

namespace {

struct Seed {
    const char* name;
    GgufBuilder file;
    std::string text;
};

// About twenty tokens, so that a mutation of the file is likely to affect one.
VocabularyMaker tiny(const std::string& model, const std::string& pre = {}) {
    VocabularyMaker maker{.model = model, .pre = pre};
    const bool bytes = model == "gpt2" && pre != "gemma4" && pre != "whitespace";
    const std::string space = bytes ? "\xC4\xA0" : "\xE2\x96\x81";
    maker.add("<unk>", kUnknown);
    maker.add("<s>", kControl);
    maker.add("</s>", kControl);
    maker.add("<tool>", kUserDefined);
    maker.add("<0x0A>", kByte);
    for (const std::string& token :
         {space, std::string("a"), std::string("b"), std::string("c"), std::string("\xC3\xA9"), std::string("aa"),
          std::string("ab"), std::string("bc"), space + "a", space + space, space + "abc", std::string("aaaa"),
          std::string("\\n"), std::string("1")}) {
        maker.add(token, kNormal, -static_cast<float>(token.size()));
    }
    maker.merges = {"a a", "aa aa", "b c", "a bc", space + " a", space + " " + space};
    return maker;
}

void write(const std::filesystem::path& folder, const Seed& seed) {
    const auto model = seed.file.build();
    std::ofstream out(folder / seed.name, std::ios::binary);
    const char head[] = {0x6F, static_cast<char>(seed.text.size()), 0};
    out.write(head, sizeof head);
    out.write(seed.text.data(), static_cast<std::streamsize>(seed.text.size()));
    out.write(reinterpret_cast<const char*>(model.data()), static_cast<std::streamsize>(model.size()));
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "gufo-make-tokenizer-seeds FOLDER\n");
        return 2;
    }
    const std::string text = "<s>aaaab  abc\xC3\xA9 \xE7\x8C\xAB I'll\r\n 12345<tool>x\xFF</s>";
    const std::vector<std::uint8_t> charsmap{12, 0, 0, 0, 1, 4, 0, 0, 'a', 1, 0, 0, 0, 0, 0, 0x80, 'b', 'c', 0};
    std::vector<Seed> seeds{
        {"sentencepiece", tiny("llama").file(), text},
        {"unigram", tiny("t5").file().key("tokenizer.ggml.precompiled_charsmap", charsmap), text},
        {"unigram-spaces", tiny("t5").file().key("tokenizer.ggml.remove_extra_whitespaces", true), text},
        {"wordpiece", wordPieceFile(tiny("bert")), text},
        {"rwkv", tiny("rwkv").file(), text},
        {"plamo2", tiny("plamo2").file(), text},
        {"gemma4-model", tiny("gemma4").file(), text},
        {"whitespace-model", tiny("whitespace", "whitespace").file().key("tokenizer.ggml.normalizer.lowercase", true),
         text + " \u0130A\u3000b"},
        {"hybriddna", makeDnaBpe().file(), "aa<dna>acgtacGGGGGGtt</dna><dna>" + text},
        {"bpe-all-bytes", makeGpt2().file(), text},
    };
    for (const char* pre :
         {"default",      "llama-bpe",      "qwen2",       "gpt-2",  "starcoder",  "falcon",    "bloom",
          "deepseek-llm", "deepseek-coder", "deepseek-v3", "tekken", "gpt-4o",     "qwen35",    "kimi-k2",
          "jais-2",       "superbpe",       "afmoe",       "gemma4", "sarvam-moe", "whitespace"}) {
        seeds.push_back({pre, tiny("gpt2", pre).file(), text});
    }
    for (const Seed& seed : seeds) {
        write(argv[1], seed);
    }
    return 0;
}
