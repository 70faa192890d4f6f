// Measures an edit of one token among 262,144: a step of the document with its snapshot, remarks and differences,
// compared with a plain copy of the array's bytes.
#include "document/document.h"

#include <benchmark/benchmark.h>
#include <cstdlib>

using namespace gufo;

namespace {

constexpr std::size_t kTokens = 262'144;

const OwnedValue& tokens() {
    static const OwnedValue value = [] {
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < kTokens; ++i) {
            texts.push_back("token" + std::to_string(i));
        }
        return OwnedValue::strings(texts);
    }();
    return value;
}

std::shared_ptr<const Model> model() {
    static const std::shared_ptr<const Model> made = [] {
        auto m = std::make_shared<Model>();
        m->container = "gguf";
        m->version = 3;
        m->files.push_back({.source = std::make_shared<MemorySource>(std::vector<std::byte>(64)), .path = "x.gguf"});
        m->metadata.add({.key = "general.architecture", .value = std::string_view("llama")});
        m->metadata.add({.key = "tokenizer.ggml.tokens", .value = tokens().value()});
        m->indexTensors();
        return m;
    }();
    return made;
}

void editToken(benchmark::State& state) {
    Document document(model());
    std::size_t i = 0;
    for (auto _ : state) {
        const std::uint64_t at = ++i * 7919 % kTokens;
        const auto step = document.apply(
            {SetElement{{"tokenizer.ggml.tokens"}, at, OwnedValue::string("edit " + std::to_string(i))}}, "Edit");
        if (!step) {
            std::abort();
        }
        benchmark::DoNotOptimize(document.differences().size());
    }
}
BENCHMARK(editToken)->Unit(benchmark::kMillisecond);

void copyArray(benchmark::State& state) {
    const Bytes bytes = asArray(tokens().value())->bytes;
    for (auto _ : state) {
        std::vector<std::byte> copy(bytes.begin(), bytes.end());
        benchmark::DoNotOptimize(copy.data());
    }
}
BENCHMARK(copyArray)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
