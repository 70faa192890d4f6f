// Factors that are measured on the model itself, what is quantised in memory for it, and where factors are kept.
#include "document/open_model.h"
#include "model/swapped_model.h"
#include "quantize/calibration_store.h"
#include "support/error_names.h"
#include "support/test_unit.h"
#include "tensor/decode.h"
#include "test_paths.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <fstream>
#include <stop_token>

using namespace gufo;
using namespace gufo::test;

namespace {

std::uint32_t typeIdOf(TensorType type) { return static_cast<std::uint32_t>(type); }

std::shared_ptr<const Model> sample() {
    return openModel(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf").value();
}

} // namespace

class TestCalibration : public QObject {
    Q_OBJECT

private slots:
    void calibratesOnTheModelItself() {
        const auto model = sample();
        auto costs = tensorCosts(*model, nullptr, plannedTypes(), {});
        QVERIFY(costs && !costs->tensors.empty());
        std::vector<TokenId> tokens;
        for (std::size_t i = 0; i < 48; ++i) {
            tokens.emplace_back((i * 37) % 400 + 5);
        }
        const auto text = calibrationWindows(*model, tokens, 24, {});
        QVERIFY(text);
        QCOMPARE(text->size(), std::size_t{2});
        Progress progress;
        const auto factors = calibrate(model, nullptr, *costs, *text, {}, {.progress = &progress});
        QVERIFY2(factors, factors ? "" : qPrintable(errorOf(factors.error())));
        QVERIFY(factors->measured);
        QCOMPARE(progress.done(), progress.total());
        for (const auto& [role, factor] : factors->byRole) {
            QVERIFY2(factor > 0 && std::isfinite(factor), role.c_str());
        }
        QCOMPARE(factors->byTensor.size(), costs->tensors.size()); // each by itself, because there are few
        QVERIFY(factors->common > 0.2 && factors->common < 5);     // losses nearly add up
        std::stop_source stop;
        stop.request_stop();
        const auto cancelled = calibrate(model, nullptr, *costs, *text, {}, {.stop = stop.get_token()});
        QCOMPARE(cancelled.error().code, ErrorCode::Cancelled);
        QCOMPARE(tensorCosts(*model, nullptr, plannedTypes(), {.stop = stop.get_token()}).error().code,
                 ErrorCode::Cancelled);
    }

    void quantisesInMemory() {
        const auto model = sample();
        const TensorIndex tensor = *model->findTensor("blk.0.ffn_up.weight");
        const auto made = quantisedInMemory(model, {{tensor, typeIdOf(TensorType::Q8_0)}}, nullptr, {});
        QVERIFY(made);
        const TensorInfo& info = (*made)->tensors.front();
        QCOMPARE(info.typeId, typeIdOf(TensorType::Q8_0));
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

    // Runs that share blocks find what whole runs find.
    void sharesBlocks() {
        const auto model = sample();
        const auto costs = tensorCosts(*model, nullptr, {typeIdOf(TensorType::Q4_0)}, {});
        std::vector<TokenId> tokens;
        for (std::size_t i = 0; i < 32; ++i) {
            tokens.emplace_back((i * 37) % 400 + 5);
        }
        const auto windows = calibrationWindows(*model, tokens, 16, {});
        const auto factors = calibrate(model, nullptr, *costs, *windows, {}, {});
        QVERIFY(costs && windows && factors);
        for (const char* name : {"token_embd.weight", "blk.0.attn_v.weight", "blk.2.ffn_down.weight"}) {
            const auto own = std::ranges::find(costs->tensors, *model->findTensor(name), &TensorCosts::tensor);
            const auto changed = quantisedInMemory(model, {{own->tensor, typeIdOf(TensorType::Q4_0)}}, nullptr, {});
            double nats = 0;
            for (const inference::BlameText& window : *windows) {
                inference::BlameParts parts{.parts = {{.name = name, .tensors = {own->tensor}}}, .blocks = 3};
                const TensorSwap swap{.tensor = own->tensor, .from = *changed};
                const auto other = swapTensors(model, {&swap, 1});
                nats += inference::blame(model, *other, window, parts, {}, [](auto, const auto&) {}, {})->total / 2;
            }
            const double expected = nats / own->types.front().error;
            const double found = factors->byTensor.at(name);
            QVERIFY2(std::abs(found - expected) < 1e-4 * expected,
                     qPrintable(QString("%1 %2").arg(found).arg(expected)));
        }
    }

    void isNotMeasuredTwice() {
        const auto model = sample();
        const auto costs = tensorCosts(*model, nullptr, {typeIdOf(TensorType::Q4_0)}, {});
        std::vector<TokenId> tokens;
        for (std::size_t i = 0; i < 16; ++i) {
            tokens.emplace_back(i + 5);
        }
        const auto windows = calibrationWindows(*model, tokens, 16, {});
        QVERIFY(costs && windows);
        const QTemporaryDir temporary;
        const std::filesystem::path folder = std::filesystem::path(temporary.path().toStdString()) / "new";
        const auto measured = [&](bool runs) -> std::optional<SensitivityFactors> {
            Progress progress;
            auto factors = calibrateOnce(model, nullptr, *costs, *windows, {}, folder, {.progress = &progress});
            return factors && (progress.total() > 0) == runs ? std::optional(std::move(*factors)) : std::nullopt;
        };
        const auto first = measured(true);
        const auto again = measured(false);
        QVERIFY(first && again);
        QVERIFY(first->byTensor == again->byTensor && first->byRole == again->byRole);
        QCOMPARE(again->common, first->common);
        QVERIFY(again->measured);

        const std::string name = calibrationName(*model, *costs, *windows);
        QVERIFY(std::filesystem::exists(folder / name));
        auto others = *windows;
        others.front().tokens.front() = TokenId(1);
        QVERIFY(calibrationName(*model, *costs, others) != name);
        for (const char* damaged : {"", "gufo-factors 1\n", "gufo-factors 1\n1 *\nnan blk.0.attn_q.weight\n",
                                    "gufo-factors 1\n1 *\n1 blk.9.attn_q.weight\n", "gufo-factors 1\n1 *\n2"}) {
            std::ofstream(folder / name, std::ios::binary) << damaged;
            QVERIFY2(!storedFactors(folder, name, *model), damaged);
        }
        QVERIFY(measured(true));
    }
};

GUFO_TEST(TestCalibration)
#include "tst_calibration.moc"
