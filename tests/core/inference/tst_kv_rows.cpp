// Rows of the KV cache: what was written is read again within the precision of the type, in every layout and length,
// and saved rows are restored and copied byte for byte.
#include "inference/engine/blocks/kv_cache.h"
#include "support/test_unit.h"
#include "tensor/kernels/kernels.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

using namespace gufo;
using namespace gufo::inference;

namespace {

constexpr std::uint32_t kSlots = 19; // more than a tile
constexpr std::uint32_t kHeads = 2;

// A cache with memory of its own.
struct Cache {
    std::optional<Memory> memory;
    KvRows rows;

    Cache(KvCacheType type, KvLayout layout, std::uint32_t length) {
        Memory counted;
        const KvRows plan(counted, type, kHeads, length, kSlots, layout);
        auto reserved = Memory::reserve(counted);
        if (!reserved) {
            qFatal("no memory");
        }
        memory.emplace(std::move(*reserved));
        rows = KvRows(*memory, type, kHeads, length, kSlots, layout);
    }
};

std::vector<float> drawn(std::uint32_t length, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> row(length);
    std::ranges::generate(row, [&] { return normal(random); });
    return row;
}

} // namespace

class TestKvRows : public QObject {
    Q_OBJECT

private slots:
    void comesBack_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("layout");
        for (const KvCacheType type : kvCacheTypes()) {
            for (const KvLayout layout : {KvLayout::Rows, KvLayout::Tiles}) {
                QTest::addRow("%s %s", kvCacheTypeName(type).data(), layout == KvLayout::Rows ? "rows" : "tiles")
                    << static_cast<int>(type) << static_cast<int>(layout);
            }
        }
    }
    void comesBack() {
        QFETCH(const int, type);
        QFETCH(const int, layout);
        const auto cacheType = static_cast<KvCacheType>(type);
        for (const std::uint32_t length : {1U, 2U, 3U, 4U, 31U, 32U, 33U, 34U, 64U, 65U, 66U, 67U, 128U, 130U, 576U}) {
            Cache cache(cacheType, static_cast<KvLayout>(layout), length);
            QCOMPARE(cache.rows.rowBytes(), std::size_t{*kvRowBytes(cacheType, length).value()});
            for (std::uint32_t head = 0; head < kHeads; ++head) {
                for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
                    cache.rows.write(head, slot, drawn(length, 100 * head + slot).data());
                }
            }
            for (std::uint32_t head = 0; head < kHeads; ++head) {
                for (std::uint32_t slot = 0; slot < kSlots; ++slot) { // no row has changed another
                    const std::vector<float> expected = drawn(length, 100 * head + slot);
                    QVERIFY2(nearEnough(cacheType, cache.rows, head, slot, expected),
                             qPrintable(QString("length %1, head %2, slot %3").arg(length).arg(head).arg(slot)));
                }
            }
            std::vector<std::byte> saved(cache.rows.rowBytes());
            cache.rows.save(1, 17, saved.data());
            Cache other(cacheType, static_cast<KvLayout>(layout), length);
            other.rows.restore(0, 2, saved.data());
            QVERIFY(nearEnough(cacheType, other.rows, 0, 2, drawn(length, 117)));
            std::vector<std::byte> again(saved.size());
            other.rows.save(0, 2, again.data());
            QVERIFY(again == saved);
            cache.rows.copy(17, 3);
            cache.rows.save(1, 3, again.data());
            QVERIFY(again == saved);
        }
    }

    // A block of F16 with one large element loses of the others, and not of other blocks.
    void blocksOfF16() {
        for (const KvLayout layout : {KvLayout::Rows, KvLayout::Tiles}) {
            Cache cache(KvCacheType::F16, layout, 192);
            std::vector<float> row = drawn(192, 5);
            row[70] = 300;
            cache.rows.write(0, 1, row.data());
            std::vector<float> read(192);
            cache.rows.read(0, 1, read);
            QVERIFY(std::abs(read[70] - 300) <= 300.0F / 16'384);
            for (std::size_t i = 0; i < row.size(); ++i) {
                const float unit = i / 64 == 1 ? std::ldexp(1.0F, 8 - 13) : std::ldexp(1.0F, 1 - 13);
                QVERIFY(std::abs(read[i] - row[i]) <= unit * (i % 64 < 4 ? 2.0F : 0.5F));
            }
        }
    }

    void extremesOfF16() {
        Cache cache(KvCacheType::F16, KvLayout::Tiles, 130);
        std::vector<float> read(130);
        const auto written = [&](const std::vector<float>& row) {
            cache.rows.write(1, 16, row.data());
            cache.rows.read(1, 16, read);
            return read;
        };
        const std::vector<float> zeros(130);
        QVERIFY(written(zeros) == zeros);
        QVERIFY(written(std::vector<float>(130, 1e-38F)) == zeros);
        for (const float power : {std::ldexp(1.0F, -110), 1.0F, -1.0F, 65'536.0F, std::ldexp(1.0F, 127)}) {
            for (const float value : written(std::vector<float>(130, power))) {
                QVERIFY(std::abs(value - power) <= std::abs(power) / 4096);
            }
        }
        for (const float odd : {NAN, INFINITY, -INFINITY}) { // which only useless weights produce
            std::vector<float> row = drawn(130, 9);
            row[66] = odd;
            written(row);
            for (std::size_t i = 0; i < row.size(); ++i) {
                QCOMPARE(std::isnan(read[i]), i / 64 == 1);
            }
        }
    }

private:
    static bool nearEnough(KvCacheType type, const KvRows& rows, std::uint32_t head, std::uint32_t slot,
                           const std::vector<float>& expected) {
        std::vector<float> read(expected.size());
        rows.read(head, slot, read);
        float largest = 0;
        for (const float x : expected) {
            largest = std::max(largest, std::abs(x));
        }
        // F16: two units of 2^-13 of the largest power of two.
        const float steps = type == KvCacheType::F32                                 ? 1e9F
                            : type == KvCacheType::F16                               ? 4096
                            : type == KvCacheType::BF16                              ? 256
                            : type == KvCacheType::Q8_0                              ? 200
                            : type == KvCacheType::Q5_0 || type == KvCacheType::Q5_1 ? 14
                                                                                     : 7;
        for (std::size_t i = 0; i < read.size(); ++i) {
            if (!(std::abs(read[i] - expected[i]) <= largest / steps)) {
                return false;
            }
        }
        return true;
    }
};

GUFO_TEST(TestKvRows)
#include "tst_kv_rows.moc"
