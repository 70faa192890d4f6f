// Named mixes in memory: they are the files that quantize would write.
#include "document/open_model.h"
#include "quantize/preset_models.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace gufo;
using namespace gufo::test;

class TestPresetModels : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { m_model = openModel(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf").value(); }

    void areThoseBesideASize() {
        const auto presets = presetFiles(*m_model, {}, {});
        QVERIFY(presets && presets->size() > 8);
        for (std::size_t i = 1; i < presets->size(); ++i) {
            QVERIFY((*presets)[i - 1].file.fileBytes <= (*presets)[i].file.fileBytes);
        }
        for (const PresetFile& preset : *presets) {
            QVERIFY(preset.file.tensorBytes < m_model->totals().tensorBytes);
            QVERIFY2(!preset.recipe->name.starts_with("IQ1"), "needs importance");
        }
        const std::uint64_t bytes = (*presets)[4].file.fileBytes;
        const auto beside = presetsBeside(*presets, bytes);
        QCOMPARE(beside.size(), std::size_t{2});
        QCOMPARE(beside.front().file.fileBytes, bytes);
        QVERIFY(beside.back().file.fileBytes > bytes);
        QCOMPARE(presetsBeside(*presets, 1).size(), std::size_t{1});
        QCOMPARE(presetsBeside(*presets, ~std::uint64_t{0}).size(), std::size_t{1});
    }

    void areWhatQuantizeWrites_data() {
        QTest::addColumn<QString>("mix");
        for (const char* mix : {"Q8_0", "Q4_K_M", "IQ3_S"}) {
            QTest::newRow(mix) << mix;
        }
    }
    void areWhatQuantizeWrites() {
        QFETCH(QString, mix);
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("out.gguf").toStdString();
        QuantizeRequest request;
        request.recipe.recipe = findRecipe(mix.toStdString());
        const auto plan = quantizeModel(*m_model, request, path);
        QVERIFY(plan);
        const auto written = openModel(path).value();
        const auto inMemory = plannedInMemory(m_model, plan->tensors(), nullptr, {});
        QVERIFY(inMemory);
        QCOMPARE((*inMemory)->tensors.size(), written->tensors.size());
        for (const TensorInfo& tensor : written->tensors) {
            const TensorInfo& same = (*inMemory)->tensor(*(*inMemory)->findTensor(tensor.name));
            QCOMPARE(same.typeId, tensor.typeId);
            QVERIFY(std::ranges::equal(*(*inMemory)->bytesOf(same), *written->bytesOf(tensor)));
        }
    }

private:
    std::shared_ptr<const Model> m_model;
};

GUFO_TEST(TestPresetModels)
#include "tst_preset_models.moc"
