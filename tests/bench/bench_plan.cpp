// Measures what plans for a size are worth: for the sizes of named mixes, the divergence of the plan against that of
// the mix, and the measured divergence of the plan against the expected one, on a text that neither the importance
// matrix nor the calibration has seen. Both sides use the same importance matrix, and the plan's file is never larger.
// Goals: at most 0.85 of the mix's divergence at four sizes, never more at any, and a prediction within a factor of
// 1.5. Nothing is written.
//
// Without a model, it measures how long a plan takes: the search over 1,000 tensors × 15 types (goal: a second), and
// errors and calibration of a synthetic model of 1.1 billion weights over four windows of 512 tokens (goal: 15 minutes
// on two cores).
//
//   bench_plan [MODEL IMATRIX_TEXT CALIBRATION_TEXT HELD_OUT_TEXT [RUNTIME]]
#include "base/mapped_file.h"
#include "best_of.h"
#include "document/open_model.h"
#include "goal_verdict.h"
#include "inference/engine/gufo_engine.h"
#include "inference/measuring/importance.h"
#include "inference/measuring/perplexity.h"
#include "quantize/calibration.h"
#include "quantize/plan_file.h"
#include "quantize/preset_models.h"
#include "test_paths.h"
#include "text/tokenizer/tokenizer.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>
#include <unistd.h>

using namespace gufo;

namespace {

constexpr std::uint32_t kWindow = 512;
constexpr double kGoal = .85;
constexpr double kGoalOfPrediction = 1.5;
constexpr auto kMixes = std::to_array<std::string_view>(
    {"Q2_K", "Q3_K_S", "Q3_K_M", "Q3_K_L", "IQ4_XS", "Q4_K_S", "Q4_K_M", "Q5_K_S", "Q5_K_M", "Q6_K"});
constexpr auto kMixesOfGoal = std::to_array<std::string_view>({"Q3_K_M", "Q4_K_S", "Q4_K_M", "Q5_K_M"});

template<typename T>
T valueOf(Result<T> result, const char* what) {
    if (!result) {
        std::fprintf(stderr, "%s: error %d\n", what, static_cast<int>(result.error().code));
        std::exit(1);
    }
    return std::move(*result);
}

struct Texts {
    std::vector<TokenId> tokens;
    std::optional<TokenId> bos;
    std::uint32_t window;
};
Texts textOf(const Model& model, const char* path) {
    const auto file = valueOf(MappedFile::open(path), path);
    const auto bytes = valueOf(file->view({0, file->size()}), path);
    const auto tokenizer = valueOf(text::makeTokenizer(model), "tokenizer");
    auto encoding = valueOf(
        tokenizer->encode({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, {.parseSpecial = true}), path);
    const auto trained = model.metadata.uint(model.metadata.architectureKey("context_length"));
    return {.tokens = std::move(encoding.ids),
            .bos = tokenizer->addsBos() ? tokenizer->specials().bos : std::nullopt,
            .window = static_cast<std::uint32_t>(std::min<std::uint64_t>(kWindow, trained.value_or(kWindow)))};
}

std::unique_ptr<inference::Session> sessionOf(const std::shared_ptr<const Model>& model, std::uint32_t window) {
    const auto loaded = valueOf(inference::loadForInference(model), "load");
    return valueOf(loaded->startSession({.context = window, .batch = window, .logitRows = window}), "session");
}

std::shared_ptr<const Imatrix> imatrixOf(const std::shared_ptr<const Model>& model, const Texts& text,
                                         const std::filesystem::path& path) {
    const auto session = sessionOf(model, text.window);
    const auto contents =
        valueOf(inference::collectImportance(*session, *model, text.tokens,
                                             {.chunk = text.window, .saveEvery = 0, .bos = text.bos}, nullptr, {}, {}),
                "imatrix");
    if (!writeImatrix(contents, {}, path)) {
        std::exit(1);
    }
    return valueOf(Imatrix::open(path), "imatrix");
}

// Costs that fall by a factor of four with each bit.
void timeSearch() {
    constexpr unsigned kBlocks = 142;
    constexpr std::size_t kTypes = 15;
    constexpr std::array<std::uint64_t, 2> kSquare{4096, 4096};
    auto model = std::make_shared<Model>();
    std::vector<std::string> names{"token_embd.weight", "output.weight"};
    for (unsigned i = 0; i < kBlocks; ++i) {
        for (const char* role : {"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"}) {
            names.push_back("blk." + std::to_string(i) + '.' + role + ".weight");
        }
    }
    CostTable costs;
    std::vector<std::uint32_t> types = plannedTypes();
    std::ranges::sort(types, {}, [](std::uint32_t type) { return findTensorType(type)->bitsPerWeight(); });
    types.resize(kTypes);
    for (std::size_t t = 0; t < names.size(); ++t) {
        TensorInfo tensor{.name = names[t], .typeId = 1, .shape = Shape(kSquare)};
        tensor.bytes = tensorBytes(*findTensorType(1), tensor.shape);
        TensorCosts row{.tensor = TensorIndex(t), .types = {}};
        for (const std::uint32_t type : types) {
            const double error = std::pow(4.0, -findTensorType(type)->bitsPerWeight());
            row.types.push_back({.typeId = type,
                                 .bytes = *tensorBytes(*findTensorType(type), tensor.shape),
                                 .error = error,
                                 .nats = error * static_cast<double>(1 + t * 7 % 5)});
        }
        row.types.push_back({.typeId = 1, .bytes = *tensor.bytes});
        costs.tensors.push_back(std::move(row));
        model->tensors.push_back(std::move(tensor));
    }
    model->indexTensors();
    for (const bool joined : {true, false}) {
        const auto spent = bench::bestOf(3, [&] {
            (void)valueOf(planForSize(*model, costs, model->totals().tensorBytes / 4, {.joined = joined}), "search");
        });
        std::printf("Search over %zu tensors x %zu types, %s: %.3f s. Goal of a second: %s\n", names.size(), kTypes,
                    joined ? "shared" : "separate", spent.passed, bench::goalVerdict(true, spent.passed <= 1));
    }
}

void timeCalibration() {
    constexpr double kGoalSeconds = 15 * 60;
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("gufo-plan-" + std::to_string(::getpid()) + "-1b.gguf");
    const std::string command =
        "\"" GUFO_MAKE_MODEL "\" \"" + path.string() + "\" --shape llama-1b --type F16 > /dev/null";
    if (std::system(command.c_str()) != 0) {
        std::fprintf(stderr, "%s failed\n", command.c_str());
        std::exit(1);
    }
    {
        const std::shared_ptr<const Model> model = valueOf(openModel(path), "open");
        std::vector<TokenId> tokens;
        for (std::size_t i = 0; i < std::size_t{4} * kWindow; ++i) {
            tokens.emplace_back((i * 2'654'435'761U) % 30'000);
        }
        const auto windows = valueOf(calibrationWindows(*model, tokens, kWindow, {}), "calibration");
        CostTable costs;
        const auto errors =
            bench::bestOf(1, [&] { costs = valueOf(tensorCosts(*model, nullptr, plannedTypes(), {}), "costs"); });
        const auto factors =
            bench::bestOf(1, [&] { (void)valueOf(calibrate(model, nullptr, costs, windows, {}, {}), "calibrate"); });
        std::printf(
            "Errors of %zu tensors: %.0f s (processor time of each thread: %.0f s). Calibration over %zu windows: "
            "%.0f s (%.0f s). Goal of %.0f s: %s\n",
            costs.tensors.size(), errors.passed, errors.perThread, windows.size(), factors.passed, factors.perThread,
            kGoalSeconds, bench::goalVerdict(true, factors.perThread <= kGoalSeconds));
    }
    std::filesystem::remove(path);
}

struct Row {
    const PresetFile* mix;
    RecipeOutcome plan;
};

} // namespace

int main(int argc, char** argv) {
    if (argc < 5) {
        timeSearch();
        timeCalibration();
        return 0;
    }
    const std::shared_ptr<const Model> model = valueOf(openModel(argv[1]), argv[1]);
    const Texts heldOut = textOf(*model, argv[4]);
    const std::filesystem::path kept =
        std::filesystem::temp_directory_path() / ("gufo-plan-" + std::to_string(::getpid()) + ".gguf");
    QuantizeRequest request;
    request.imatrix = imatrixOf(model, textOf(*model, argv[2]), kept);
    const std::clock_t begun = std::clock();
    const auto seconds = [&] { return static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC; };
    const Runtime runtime = runtimeNamed(argc > 5 ? argv[5] : "").value_or(Runtime::LlamaCpp);
    CostTable costs = valueOf(tensorCosts(*model, request.imatrix, plannedTypes(runtime), {}), "costs");
    const double costing = seconds();
    const Texts calibration = textOf(*model, argv[3]);
    const auto windows =
        valueOf(calibrationWindows(*model, calibration.tokens, calibration.window, calibration.bos), "calibration");
    const SensitivityFactors factors = valueOf(calibrate(model, request.imatrix, costs, windows, {}, {}), "calibrate");
    std::printf("Processor time of the costs: %.1f s, of the calibration: %.1f s.\n", costing, seconds() - costing);
    applyFactors(*model, factors, costs);
    const auto presets = valueOf(presetFiles(*model, request, {}), "presets");
    std::vector<Row> rows;
    for (const std::string_view name : kMixes) {
        const auto preset = std::ranges::find(presets, name, [](const PresetFile& file) { return file.recipe->name; });
        auto plan = preset == presets.end()
                        ? fail(ErrorCode::NotSupported)
                        : planFile(*model, costs, {.fileBytes = preset->file.fileBytes}, {}, {}, request, {});
        if (plan) {
            rows.push_back({.mix = &*preset, .plan = std::move(*plan)});
        } else {
            std::printf("No plan of the size of %s.\n", std::string(name).c_str());
        }
    }
    std::vector<std::unique_ptr<inference::Session>> sessions;
    std::vector<inference::Session*> others;
    const auto add = [&](const QuantizePlan& file) {
        const auto changed = valueOf(plannedInMemory(model, file.tensors(), request.imatrix.get(), {}), "quantise");
        sessions.push_back(sessionOf(changed, heldOut.window));
        others.push_back(sessions.back().get());
    };
    for (const Row& row : rows) {
        add(row.mix->file);
        add(row.plan.file);
    }
    const auto reference = sessionOf(model, heldOut.window);
    const auto measured = valueOf(
        inference::perplexities(*reference, others, heldOut.tokens, {.window = heldOut.window, .bos = heldOut.bos}, {}),
        "verify");
    std::printf("%-8s %10s %10s %10s %10s %7s %10s %9s %9s\n", "mix", "its bytes", "plan's", "its KL", "plan's KL",
                "ratio", "expected", "meas/exp", "mix m/e");
    bool reached = true;
    bool never = true;
    bool predicted = true;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        const double mix = measured[2 * i].divergence->nats.mean;
        const double plan = measured[2 * i + 1].divergence->nats.mean;
        const double off = plan / row.plan.nats;
        double mixExpected = 0;
        for (const TensorCosts& tensor : costs.tensors) {
            const auto type =
                std::ranges::find(tensor.types, row.mix->file.tensors()[tensor.tensor.value].typeId, &TypeCost::typeId);
            mixExpected += type != tensor.types.end() ? type->nats : NAN;
        }
        const bool counts = std::ranges::find(kMixesOfGoal, row.mix->recipe->name) != kMixesOfGoal.end();
        std::printf("%-8s %10llu %10llu %10.5f %10.5f %7.3f %10.5f %9.2f %9.2f\n", row.mix->recipe->name.data(),
                    static_cast<unsigned long long>(row.mix->file.fileBytes),
                    static_cast<unsigned long long>(row.plan.file.fileBytes), mix, plan, plan / mix, row.plan.nats, off,
                    mix / mixExpected);
        reached = reached && (!counts || plan <= kGoal * mix);
        never = never && plan <= mix;
        predicted = predicted && off <= kGoalOfPrediction && off >= 1 / kGoalOfPrediction;
    }
    std::printf(
        "Scored: %llu tokens. At most %.2f of the mix at four sizes: %s. Never worse: %s. Predicted within %.1f: "
        "%s\n",
        static_cast<unsigned long long>(measured.front().scored), kGoal, bench::goalVerdict(!rows.empty(), reached),
        bench::goalVerdict(!rows.empty(), never), kGoalOfPrediction, bench::goalVerdict(!rows.empty(), predicted));
    std::filesystem::remove(kept);
    return 0;
}
