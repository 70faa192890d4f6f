// Plans for a size or a loss: they keep the target, are as good as an exhaustive search, and obey the vetoes.
#include "document/open_model.h"
#include "formats/imatrix/imatrix_writer.h"
#include "model/tensor_role.h"
#include "quantize/size_plan.h"
#include "support/error_names.h"
#include "support/model_maker.h"
#include "support/test_unit.h"
#include "tensor/encode.h"
#include "test_paths.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <stop_token>

using namespace gufo;
using namespace gufo::test;

namespace {

std::uint32_t idOf(TensorType type) { return static_cast<std::uint32_t>(type); }

// A model of names and shapes, and costs that fall by a factor of four with each bit.
struct Case {
    std::shared_ptr<const Model> model;
    CostTable costs;
};
Case caseOf(unsigned blocks) {
    ModelMaker maker("llama");
    maker.u32("llama.block_count", blocks);
    maker.tensor("token_embd.weight", {512, 1000}, TensorType::F16)
        .tensor("output.weight", {512, 1000}, TensorType::F16);
    for (unsigned i = 0; i < blocks; ++i) {
        for (const char* role : {"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"}) {
            maker.tensor("blk." + std::to_string(i) + '.' + role + ".weight", {512, 512}, TensorType::F16);
        }
    }
    Case result{.model = maker.model(), .costs = {}};
    for (std::size_t t = 0; t < result.model->tensors.size(); ++t) {
        const TensorInfo& tensor = result.model->tensors[t];
        TensorCosts costs{.tensor = TensorIndex(t), .types = {}};
        for (const TensorType type :
             {TensorType::Q2_K, TensorType::Q3_K, TensorType::Q4_K, TensorType::Q6_K, TensorType::F16}) {
            const TensorTypeFact& info = tensorTypeFact(type);
            const double error = type == TensorType::F16 ? 0 : std::pow(4.0, -info.bitsPerWeight());
            costs.types.push_back({idOf(type), *tensorBytes(info, tensor.shape), error, error,
                                   error * static_cast<double>(1 + (t * 7) % 5)});
        }
        result.costs.tensors.push_back(std::move(costs));
    }
    return result;
}

std::string roleOf(const Case& of, std::size_t tensor) {
    return std::string(parseTensorName(of.model->tensor(of.costs.tensors[tensor].tensor).name).role);
}

} // namespace

class TestSizePlan : public QObject {
    Q_OBJECT

private slots:
    void keepsTheSize() {
        const Case of = caseOf(8);
        std::uint64_t weights = 0;
        for (const TensorInfo& tensor : of.model->tensors) {
            weights += tensor.weights();
        }
        double before = INFINITY;
        for (const double bits : {3.5, 4.0, 4.5, 5.0, 6.0, 8.0}) {
            const auto limit = static_cast<std::uint64_t>(bits * static_cast<double>(weights) / 8);
            const auto plan = planForSize(*of.model, of.costs, limit);
            QVERIFY2(plan, plan ? "" : qPrintable(errorOf(plan.error())));
            QVERIFY(plan->bytes <= limit);
            QVERIFY(static_cast<double>(plan->bytes) > 0.9 * static_cast<double>(limit));
            QVERIFY(plan->nats <= before);
            before = plan->nats;
            for (std::size_t i = 0; i < plan->types.size(); ++i) {
                const double given = findTensorType(plan->types[i])->bitsPerWeight();
                const std::string role = roleOf(of, i);
                QVERIFY(role != "output" || given >= 5.5);
                QVERIFY(role != "token_embd" || given >= 4.25);
            }
            // The loss as a target gives a file that is no larger.
            const auto back = planForLoss(*of.model, of.costs, plan->nats);
            QVERIFY(back && back->nats <= plan->nats);
        }
    }

    void joinsMatricesThatAreReadTogether() {
        const Case of = caseOf(4);
        const auto plan = planForSize(*of.model, of.costs, of.model->totals().tensorBytes / 3);
        QVERIFY(plan);
        std::map<std::pair<std::uint32_t, bool>, std::uint32_t> types;
        for (std::size_t i = 0; i < plan->types.size(); ++i) {
            const TensorName name = parseTensorName(of.model->tensor(of.costs.tensors[i].tensor).name);
            const bool attention = name.role == "attn_q" || name.role == "attn_k" || name.role == "attn_v";
            if (name.block && (attention || name.role == "ffn_gate" || name.role == "ffn_up")) {
                const auto known = types.try_emplace({*name.block, attention}, plan->types[i]).first;
                QCOMPARE(known->second, plan->types[i]);
            }
        }
        const auto separate = planForSize(*of.model, of.costs, of.model->totals().tensorBytes / 3, {.joined = false});
        QVERIFY(separate && separate->nats <= plan->nats);
    }

    // With all combinations tried, of a model small enough for it.
    void isNearTheBest() {
        const Case of = caseOf(1);
        const std::uint64_t limit = of.model->totals().tensorBytes / 3;
        const PlanRules rules{.joined = false};
        const auto plan = planForSize(*of.model, of.costs, limit, rules);
        QVERIFY(plan);
        double best = INFINITY;
        std::size_t combinations = 1;
        for (std::size_t i = 0; i < of.costs.tensors.size(); ++i) {
            combinations *= 5;
        }
        for (std::size_t c = 0; c < combinations; ++c) {
            std::uint64_t bytes = 0;
            double nats = 0;
            std::size_t rest = c;
            bool allowed = true;
            for (std::size_t i = 0; i < of.costs.tensors.size(); ++i, rest /= 5) {
                const TypeCost& type = of.costs.tensors[i].types[rest % 5];
                const double given = findTensorType(type.typeId)->bitsPerWeight();
                const std::string role = roleOf(of, i);
                allowed = allowed && (role != "output" || given >= 5.5) && (role != "token_embd" || given >= 4.25);
                bytes += type.bytes;
                nats += type.nats;
            }
            if (allowed && bytes <= limit) {
                best = std::min(best, nats);
            }
        }
        QVERIFY(plan->nats >= best * (1 - 1e-12));
        QVERIFY2(plan->nats <= best * 1.3, qPrintable(QString("%1 against %2").arg(plan->nats).arg(best)));
    }

    void saysWhatCannotBeReached() {
        const Case of = caseOf(2);
        const auto small = planForSize(*of.model, of.costs, 1000);
        QCOMPARE(QString::fromStdString(errorWithDetails(small.error())), "invalid_argument target_too_small");
        Case lossy = of;
        for (TensorCosts& costs : lossy.costs.tensors) {
            costs.types.pop_back();
        }
        const auto close = planForLoss(*lossy.model, lossy.costs, 1e-12);
        QCOMPARE(QString::fromStdString(errorWithDetails(close.error())), "invalid_argument target_too_close");
    }

    void takesLittleTime() {
        const Case of = caseOf(140); // 982 tensors
        QElapsedTimer timer;
        timer.start();
        QVERIFY(planForSize(*of.model, of.costs, of.model->totals().tensorBytes / 3, {.joined = false}));
        QVERIFY2(timer.elapsed() < 5'000, qPrintable(QString::number(timer.elapsed()))); // a second when idle
    }

    void unmeasuredIsNotInsensitive() {
        const Case of = caseOf(2);
        const SensitivityFactors factors{.byRole = {{"attn_q", 1}, {"ffn_up", 3}, {"output", 50}}};
        const auto factor = [&](const char* name) {
            return factors.of(*of.model, of.model->tensor(*of.model->findTensor(name)));
        };
        QCOMPARE(factor("blk.0.attn_q.weight"), 1.0);
        QCOMPARE(factor("blk.0.attn_v.weight"), 3.0);
        const SensitivityFactors published = publishedFactors(*of.model);
        QVERIFY(published.byRole.contains("ffn_down") && !published.measured);
    }

    void namesVetoesInTheWay() {
        const Case of = caseOf(2);
        const auto vetoes = vetoesInTheWay(*of.model, of.costs);
        QCOMPARE(vetoes.size(), std::size_t{1}); // all types divide all rows, so sharing costs nothing
        QCOMPARE(vetoes.front().veto, PlanVeto::OutputAndEmbedding);
        QVERIFY(vetoes.front().bytes < smallestBytes(*of.model, of.costs));

        Case mixed = of;
        std::erase_if(mixed.costs.tensors[2].types, // queries of the first block
                      [](const TypeCost& type) { return type.typeId == idOf(TensorType::Q2_K); });
        mixed.costs.tensors[9].ruinousBytes = 1;
        std::vector<PlanVeto> named;
        for (const VetoedSize& size : vetoesInTheWay(*mixed.model, mixed.costs)) {
            named.push_back(size.veto);
        }
        QVERIFY(std::ranges::find(named, PlanVeto::SharedTypes) != named.end());
        QVERIFY(std::ranges::find(named, PlanVeto::NoImportance) != named.end());
    }

    void leavesOutTypesThatRuin() {
        const auto model = openModel(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf").value();
        const auto costs = tensorCosts(*model, nullptr, plannedTypes(), {});
        QVERIFY(costs);
        for (const TensorCosts& tensor : costs->tensors) {
            QVERIFY(
                std::ranges::none_of(tensor.types, [](const TypeCost& type) { return needsImportance(type.typeId); }));
            QVERIFY(tensor.ruinousBytes > 0 && tensor.ruinousBytes < tensor.types.front().bytes);
        }
        // With importance for one tensor, only that one has them.
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("imatrix.gguf").toStdString();
        const ImatrixContents contents{
            .entries = {
                {.name = "blk.0.ffn_up.weight", .columns = 256, .sums = std::vector<double>(256, 1), .counts = {4}}}};
        QVERIFY(writeImatrix(contents, {}, path));
        const auto weighted = tensorCosts(*model, Imatrix::open(path).value(), plannedTypes(), {});
        QVERIFY(weighted && weighted->hasImportance);
        for (const TensorCosts& tensor : weighted->tensors) {
            const bool has =
                std::ranges::any_of(tensor.types, [](const TypeCost& type) { return needsImportance(type.typeId); });
            QCOMPARE(has, model->tensor(tensor.tensor).name == "blk.0.ffn_up.weight");
            for (const TypeCost& type : tensor.types) {
                QVERIFY(type.nmse >= 0 && (type.nmse > 0) == (type.error > 0));
            }
        }
    }

    void prefersFastTypes() {
        const Case of = caseOf(4);
        const std::uint64_t limit = of.model->totals().tensorBytes / 4;
        PlanRules rules;
        for (const TensorType type :
             {TensorType::Q2_K, TensorType::Q3_K, TensorType::Q4_K, TensorType::Q6_K, TensorType::F16}) {
            rules.seconds[idOf(type)] = type == TensorType::Q3_K ? 10 : type == TensorType::F16 ? 2 : 1;
        }
        const auto slow = [&](double speed) {
            rules.speed = speed;
            const auto plan = planForSize(*of.model, of.costs, limit, rules);
            return plan && plan->bytes <= limit ? std::ranges::count(plan->types, idOf(TensorType::Q3_K)) : -1;
        };
        QVERIFY(slow(0) > 0);
        QVERIFY(slow(1) >= 0 && slow(1) < slow(0) / 2);
        rules.speed = 1;
        QCOMPARE(smallestBytes(*of.model, of.costs, rules), smallestBytes(*of.model, of.costs));
        QVERIFY(planForSize(*of.model, of.costs, smallestBytes(*of.model, of.costs), rules));

        const auto measured = measureTypes(plannedTypes(), {});
        QVERIFY(measured && measured->size() > 10);
        for (const auto& [type, seconds] : *measured) {
            QVERIFY(seconds > 0 && seconds < 1e-6);
        }
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(measureTypes(plannedTypes(), {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
    }

    void knowsTheTypesOfRuntimes() {
        const auto has = [](Runtime runtime, TensorType type) {
            const auto types = plannedTypes(runtime);
            return std::ranges::find(types, idOf(type)) != types.end();
        };
        QVERIFY(has(Runtime::LlamaCpp, TensorType::IQ2_XXS) && !has(Runtime::LlamaCpp, TensorType::IQ4_K));
        QVERIFY(has(Runtime::IkLlama, TensorType::IQ4_K) && !has(Runtime::IkLlama, TensorType::TQ1_0));
        QVERIFY(has(Runtime::Ollama, TensorType::Q4_K) && !has(Runtime::Ollama, TensorType::IQ4_XS));
        for (const RuntimeProfile& profile : runtimeProfiles()) {
            QCOMPARE(runtimeNamed(profile.name), std::optional(profile.runtime));
            for (const std::uint32_t type : plannedTypes(profile.runtime)) {
                QVERIFY(isEncodable(type));
            }
        }
        QCOMPARE(runtimeNamed("OLLAMA"), std::optional(Runtime::Ollama));
        QVERIFY(!runtimeNamed("vllm"));
    }
};

GUFO_TEST(TestSizePlan)
#include "tst_size_plan.moc"
