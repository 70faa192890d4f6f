// Measures what a blame map by block costs on a synthetic model of 1.1 billion weights, against evaluating its text
// once. The two files are quantisations of the same random weights. A map runs each block twice with the other file's
// tensors, and a run shares all blocks before the swapped one. Goal: at most three minutes over 256 tokens on two
// cores.
//
// With a model in floating-point numbers and a text, it counts instead whether a map by tensor blames the one tensor
// that was ruined: twenty cases, in which all other tensors are in Q8_0, and that one is in Q2_K.
//
//   bench_blame [TYPE OTHER]     the types of the two files, Q8_0 and Q4_K_M by default
//   bench_blame --ruined MODEL TEXT
#include "base/mapped_file.h"
#include "document/open_model.h"
#include "goal_verdict.h"
#include "inference/engine/gufo_engine.h"
#include "inference/measuring/blame.h"
#include "quantize/preset_models.h"
#include "test_paths.h"
#include "text/tokenizer/tokenizer.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <unistd.h>

using namespace gufo;
using namespace gufo::inference;

namespace {

constexpr std::size_t kTokens = 256;
constexpr double kGoal = 180; // seconds

std::shared_ptr<const Model> modelOf(const std::string& type, const std::filesystem::path& folder) {
    const std::filesystem::path path = folder / (type + ".gguf");
    const std::string command =
        "\"" GUFO_MAKE_MODEL "\" \"" + path.string() + "\" --shape llama-1b --type " + type + " > /dev/null";
    if (!std::filesystem::exists(path) && std::system(command.c_str()) != 0) {
        std::fprintf(stderr, "%s failed\n", command.c_str());
        std::exit(1);
    }
    return openModel(path).value();
}

double secondsOf(const auto& work) {
    const auto begun = std::chrono::steady_clock::now();
    work();
    return secondsSince(begun);
}

int countBlamed(const char* path, const char* textPath) {
    constexpr std::size_t kCases = 20;
    const std::shared_ptr<const Model> a = openModel(path).value();
    const auto file = MappedFile::open(textPath).value();
    const auto bytes = file->view({0, file->size()}).value();
    const auto tokenizer = text::makeTokenizer(*a).value();
    const auto encoding =
        tokenizer->encode({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, {.parseSpecial = true}).value();
    const auto text = blameText(encoding.ids, kTokens, {}, {}).value();
    const QuantizeRequest request{.recipe = {.recipe = findRecipe("Q8_0")}, .imatrix = nullptr};
    const std::vector<PlannedTensor> plain = planQuantization(*a, request).value().tensors();
    std::vector<std::size_t> candidates;
    constexpr auto kRuined = static_cast<std::uint32_t>(TensorType::Q2_K);
    for (std::size_t i = 0; i < plain.size(); ++i) {
        const TensorInfo& tensor = a->tensor(plain[i].tensor);
        if (plain[i].typeId != tensor.typeId && tensor.shape[0] % findTensorType(kRuined)->blockSize == 0) {
            candidates.push_back(i);
        }
    }
    std::size_t fromOther = 0;
    std::size_t restored = 0;
    for (std::size_t c = 0; c < kCases; ++c) {
        std::vector<PlannedTensor> tensors = plain;
        PlannedTensor& ruined = tensors[candidates[c * candidates.size() / kCases]];
        ruined.typeId = kRuined;
        const auto b = plannedInMemory(a, tensors, nullptr, {}).value();
        const auto parts = blameParts(*a, *b, BlameBy::Tensor, {}, {}).value();
        const auto found = blame(a, b, text, parts, {}, [](std::size_t, const Blame&) {}, {}).value();
        const auto isRuined = [&](auto share) {
            const auto largest = std::ranges::max_element(found.shares, {}, share);
            return parts.parts[static_cast<std::size_t>(largest - found.shares.begin())].name ==
                   a->tensor(ruined.tensor).name;
        };
        fromOther += isRuined(&BlameShare::fromOther) ? 1 : 0;
        restored += isRuined(&BlameShare::restored) ? 1 : 0;
    }
    std::printf(
        "Blamed, of %zu ruined tensors: %zu by A with the part from B, %zu by B with the part from A. Goal: %s\n",
        kCases, fromOther, restored, bench::goalVerdict(true, fromOther == kCases && restored == kCases));
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 4 && std::string_view(argv[1]) == "--ruined") {
        return countBlamed(argv[2], argv[3]);
    }
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("gufo-blame-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    {
        const auto a = modelOf(argc > 2 ? argv[1] : "Q8_0", folder);
        const auto b = modelOf(argc > 2 ? argv[2] : "Q4_K_M", folder);
        std::vector<TokenId> tokens;
        for (std::size_t i = 0; i < kTokens; ++i) {
            tokens.emplace_back((i * 2'654'435'761U) % 30'000);
        }
        const auto text = blameText(tokens, kTokens, {}, {}).value();
        const auto session = loadForInference(a).value()->startSession({.context = kTokens, .batch = kTokens}).value();
        const auto evaluate = [&] {
            session->truncate(0);
            (void)session->evaluate(text.tokens, Logits::All, {});
        };
        evaluate(); // reads the file
        const double plain = secondsOf(evaluate);
        BlameParts parts;
        const double compared = secondsOf([&] { parts = blameParts(*a, *b, BlameBy::Block, {}, {}).value(); });
        Blame found;
        const double map =
            secondsOf([&] { found = blame(a, b, text, parts, {}, [](std::size_t, const Blame&) {}, {}).value(); });
        std::printf("A run of %zu tokens: %.2f s. Comparing the files: %.2f s.\n", text.tokens.size(), plain, compared);
        std::printf("Blame by block: %zu parts, %.1f s = %.1f runs (foretold: %.1f). Goal of %.0f s: %s\n",
                    parts.parts.size(), map, map / plain, parts.runs(), kGoal,
                    bench::goalVerdict(true, map + compared <= kGoal));
    }
    std::filesystem::remove_all(folder);
    return 0;
}
