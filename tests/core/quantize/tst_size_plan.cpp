// Plans for a size or a loss: they keep the target, are as good as an exhaustive search, and obey the vetoes.
#include "document/open_model.h"
#include "model/tensor_role.h"
#include "quantize/calibration.h"
#include "quantize/recipe.h"
#include "support/error_names.h"
#include "support/model_maker.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QElapsedTimer>
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
            const TensorTypeInfo& info = tensorTypeInfo(type);
            const double error = type == TensorType::F16 ? 0 : std::pow(4.0, -info.bitsPerWeight());
            costs.types.push_back(
                {idOf(type), *tensorBytes(info, tensor.shape), error, error * static_cast<double>(1 + (t * 7) % 5)});
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

    void calibratesOnTheModelItself() {
        const auto model = openModel(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf").value();
        auto costs = tensorCosts(*model, nullptr, plannedTypes(), {});
        QVERIFY(costs && !costs->tensors.empty());
        std::vector<TokenId> tokens;
        for (std::size_t i = 0; i < 48; ++i) {
            tokens.emplace_back((i * 37) % 400 + 5);
        }
        const auto text = calibrationWindows(tokens, 24, {});
        QCOMPARE(text->size(), std::size_t{2});
        Progress progress;
        const auto factors = calibrate(model, nullptr, *costs, *text, {}, {.progress = &progress});
        QVERIFY2(factors, factors ? "" : qPrintable(errorOf(factors.error())));
        QVERIFY(factors->measured);
        QCOMPARE(progress.done(), progress.total());
        for (const auto& [role, factor] : factors->byRole) {
            QVERIFY2(factor > 0 && std::isfinite(factor), role.c_str());
        }
        QVERIFY(factors->common > 0.2 && factors->common < 5); // losses nearly add up
        std::stop_source stop;
        stop.request_stop();
        const auto cancelled = calibrate(model, nullptr, *costs, *text, {}, {.stop = stop.get_token()});
        QCOMPARE(cancelled.error().code, ErrorCode::Cancelled);
        QCOMPARE(tensorCosts(*model, nullptr, plannedTypes(), {.stop = stop.get_token()}).error().code,
                 ErrorCode::Cancelled);
    }

    void quantisesInMemory() {
        const auto model = openModel(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf").value();
        const TensorIndex tensor = *model->findTensor("blk.0.ffn_up.weight");
        const auto made = quantisedInMemory(model, {{tensor, idOf(TensorType::Q8_0)}}, nullptr, {});
        QVERIFY(made);
        const TensorInfo& info = (*made)->tensors.front();
        QCOMPARE(info.typeId, idOf(TensorType::Q8_0));
        std::vector<float> before(info.weights());
        std::vector<float> after(info.weights());
        QVERIFY(decode(*model->rowsOf(model->tensor(tensor)), 0, before));
        QVERIFY(decode(*(*made)->rowsOf(info), 0, after));
        double error = 0;
        double energy = 0;
        for (std::size_t i = 0; i < before.size(); ++i) {
            error += std::pow(before[i] - after[i], 2);
            energy += std::pow(before[i], 2);
        }
        QVERIFY(error > 0 && error < 1e-4 * energy);
    }
};

GUFO_TEST(TestSizePlan)
#include "tst_size_plan.moc"
