// A model with tensors of several types and faults, and a page that shows it.
#pragma once

#include "document/open_model.h"
#include "support/idle.h"
#include "support/tensor_models.h"
#include "ui/jobs/job.h"
#include "ui/pages/tensors/block_line.h"
#include "ui/pages/tensors/histogram_section.h"
#include "ui/pages/tensors/index_field.h"
#include "ui/pages/tensors/map_section.h"
#include "ui/pages/tensors/slice_selector.h"
#include "ui/pages/tensors/tensor_detail.h"
#include "ui/pages/tensors/tensor_export.h"
#include "ui/pages/tensors/tensor_list.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/pages/tensors/values_section.h"
#include "ui/theme/theme.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/table_text.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <random>

namespace gufo::test {

using namespace gufo::ui;

inline std::vector<float> normalWeights(std::size_t count, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<float> distribution(0, 0.05F);
    std::vector<float> values(count);
    for (float& value : values) {
        value = distribution(generator);
    }
    return values;
}

inline std::shared_ptr<const Model> tensorsSample() {
    return TensorModel()
        .numbers("blk.0.attn_q.weight", TensorType::F32, {64, 32}, normalWeights(64 * 32, 1))
        .numbers("blk.0.ffn_down.weight", TensorType::F32, {128, 16}, normalWeights(128 * 16, 2))
        .numbers("blk.1.experts.weight", TensorType::F32, {8, 4, 3}, normalWeights(8 * 4 * 3, 3))
        .add("blk.1.blocks.weight", static_cast<std::uint32_t>(TensorType::Q8_0), {64, 4},
             std::vector<std::byte>(64 / 32 * 34 * 4, std::byte{0x21}))
        .add("blk.2.cut.weight", static_cast<std::uint32_t>(TensorType::F32), {8, 8},
             std::vector<std::byte>(100, std::byte{0x3D}))
        .add("blk.2.unknown.weight", 9999, {16}, {})
        .add("blk.2.ik.weight", 153, {256},
             std::vector<std::byte>(200, std::byte{7})) // IQ2_KT of ik_llama.cpp: size only
        .add("blk.2.empty.weight", static_cast<std::uint32_t>(TensorType::F32), {0, 4}, {})
        .numbers("norm.weight", TensorType::F32, {40}, normalWeights(40, 4))
        .share();
}

// A source whose reads block until they are stopped or released, like a slow drive.
class SlowSource final : public ByteSource {
public:
    explicit SlowSource(std::uint64_t size)
        : m_bytes(size) {}
    std::uint64_t size() const override { return m_bytes.size(); }
    Result<Bytes> view(ByteRange range) const override {
        ++views;
        while (!open) {
            std::this_thread::yield();
        }
        return Bytes(m_bytes).subspan(range.offset, range.length);
    }
    const std::filesystem::path& path() const override { return m_path; }
    mutable std::atomic<int> views = 0;
    std::atomic<bool> open = false;

private:
    std::vector<std::byte> m_bytes;
    std::filesystem::path m_path = "slow.gguf";
};

inline std::filesystem::path pathIn(const QTemporaryDir& dir, const char* name) {
    return std::filesystem::path(dir.path().toStdString()) / name;
}

// A test with a page that shows the sample.
class TensorsPageTest : public QObject {
protected:
    void showPage() {
        m_page = std::make_unique<TensorsPage>();
        m_page->resize(1280, 800);
        m_page->setModel(tensorsSample());
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        m_page->activate();
    }
    // Waits until everything is shown.
    void waitForJobs() {
        QTRY_VERIFY(!m_page->detail().isBusy() &&
                    m_page->detail().statistics().index(0, 1).data().toString() != QStringLiteral("…"));
        QTRY_VERIFY(!m_page->detail().map().isBusy() && !m_page->detail().histogram().isBusy());
    }
    void closePage() {
        m_page.reset();
        Job::waitForAll();
    }

    std::unique_ptr<TensorsPage> m_page;
};

} // namespace gufo::test
