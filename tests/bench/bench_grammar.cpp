// Measures the masks of constrained output: the time that a JSON grammar, and JSON schemas, take for each token of a
// document, both when a state occurs for the first time and when it recurs. The vocabulary has 256,000 tokens
// (Falcon's, with pairs of its tokens joined). The goal is well under 10 ms.
#include "document/open_model.h"
#include "formats/gguf/read/reader.h"
#include "inference/grammar/grammar_constraint.h"
#include "inference/grammar/json_schema.h"
#include "support/vocabulary_maker.h"
#include "test_paths.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <set>

using namespace gufo;
using namespace gufo::inference;

namespace {

constexpr std::size_t kTokens = 256'000;

double milliseconds(std::chrono::steady_clock::time_point since) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since).count();
}

std::shared_ptr<const text::Tokenizer> largeTokenizer() {
    const auto model = openModel(GUFO_SHARED_DIR "/thirdparty/vocab/ggml-vocab-falcon.gguf");
    if (!model) {
        return nullptr;
    }
    const auto vocabulary = text::Vocabulary::read((*model)->metadata, {});
    test::VocabularyMaker maker{.model = "gpt2", .pre = "gpt-2"};
    std::set<std::string> known;
    for (std::size_t i = 0; i < vocabulary->size(); ++i) {
        known.emplace(vocabulary->text(TokenId(i)));
        maker.add(std::string(vocabulary->text(TokenId(i))));
    }
    std::mt19937 random(1);
    const auto any = [&] { return std::string(vocabulary->text(TokenId(random() % vocabulary->size()))); };
    while (maker.tokens.size() < kTokens) {
        if (std::string joined = any() + any(); known.insert(joined).second) {
            maker.add(std::move(joined));
        }
    }
    return text::makeTokenizer(*gguf::read(maker.file().source()).value()).value();
}

std::string document() {
    std::string text = "[\n";
    for (int i = 0; i < 40; ++i) {
        text +=
            R"( {"name": "sova número )" + std::to_string(i) +
            R"(", "weights": [1, -2.5, 3e10], "inner": {"ok": true, "no": null, "text": "a \"quoted\" 猫 word"}},)" +
            "\n";
    }
    return text + " 1\n]";
}

void report(const char* what, std::vector<double> times) {
    std::ranges::sort(times);
    double sum = 0;
    for (const double time : times) {
        sum += time;
    }
    std::printf("%-28s %6zu masks   mean %8.4f ms   longest %7.3f ms   of 10 ms: %5.3f\n", what, times.size(),
                sum / static_cast<double>(times.size()), times.back(), times.back() / 10);
}

// A schema as tools have them, and the same with strings, numbers and lists that are restricted further.
constexpr const char* kUsualSchema = R"({"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},
 "weights":{"type":"array","items":{"type":"number"}},"kind":{"enum":["owl","bird"]},"count":{"type":"integer","minimum":0,
 "maximum":500},"when":{"type":"string","format":"date"},"text":{"type":"string","maxLength":200}},
 "required":["name","weights","kind","count","when","text"]}})";
constexpr const char* kStrictSchema = R"({"type":"array","uniqueItems":true,"items":{"type":"object","properties":{
 "name":{"type":"string","pattern":"^\\S","maxLength":60},"weights":{"type":"array","items":{"type":"number",
 "multipleOf":0.5}},"kind":{"enum":["owl","bird"]},"count":{"type":"integer","minimum":0,"not":{"const":3}},
 "when":{"type":"string","format":"date"},"text":{"type":"string","minLength":1,"pattern":"word$"}},
 "required":["name","weights","kind","count","when","text"]}})";

std::string records() {
    std::string text = "[\n";
    for (int i = 10; i < 50; ++i) {
        text += (i > 10 ? std::string(",\n ") : std::string(" ")) + R"({"name": "sova número )" + std::to_string(i) +
                R"(", "weights": [1, -2.5, 30], "kind": "owl", "count": )" + std::to_string(i) +
                R"(, "when": "2026-11-28", "text": "a \"quoted\" 猫 word"})";
    }
    return text + "\n]";
}

// Returns false if the grammar refuses the document.
bool measure(const char* title, std::shared_ptr<const Grammar> grammar, const std::string& document,
             const std::shared_ptr<const TokenTrie>& trie, const text::Tokenizer& tokenizer) {
    std::printf("%s\n", title);
    auto constraint = GrammarConstraint::make(std::move(grammar), trie, tokenizer).value();
    const auto ids = tokenizer.encode(document, {.addBos = false, .addEos = false})->ids;
    for (const char* what : {"first time", "again"}) {
        std::vector<double> masks;
        std::vector<double> accepts;
        for (const TokenId id : ids) {
            auto start = std::chrono::steady_clock::now();
            const bool allowed = contains(constraint->mask(), id);
            masks.push_back(milliseconds(start));
            if (!allowed) {
                std::puts("the grammar refuses the document");
                return false;
            }
            start = std::chrono::steady_clock::now();
            constraint->accept(id);
            accepts.push_back(milliseconds(start));
        }
        report(what, masks);
        report("  accepting", accepts);
        constraint->reset();
    }
    return true;
}

} // namespace

int main() {
    const auto tokenizer = largeTokenizer();
    std::ifstream file(GUFO_TEST_DATA "/grammar/json.gbnf", std::ios::binary);
    const std::string grammarText{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (tokenizer == nullptr || grammarText.empty()) {
        std::puts("the vocabularies under shared/ are not here");
        return 0;
    }
    auto start = std::chrono::steady_clock::now();
    const auto trie = std::make_shared<const TokenTrie>(*tokenizer);
    std::printf("vocabulary of %zu tokens as a tree of %zu nodes: %.0f ms, once for a model\n", trie->vocabulary(),
                trie->nodes().size(), milliseconds(start));
    start = std::chrono::steady_clock::now();
    const auto json = *Grammar::parse(grammarText);
    const auto usual = parseJsonSchema(kUsualSchema)->grammar;
    const auto strict = parseJsonSchema(kStrictSchema)->grammar;
    std::printf("grammars: %.2f ms\n", milliseconds(start));
    const bool fits = measure("any JSON", json, document(), trie, *tokenizer) &&
                      measure("a usual schema", usual, records(), trie, *tokenizer) &&
                      measure("a strict schema", strict, records(), trie, *tokenizer);
    return fits ? 0 : 1;
}
