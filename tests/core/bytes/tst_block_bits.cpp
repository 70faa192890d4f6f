// Tests which bits of a block belong to which weight and scale.
#include "bytes/block_bits.h"
#include "support/test_unit.h"
#include "tensor/block_fields.h"
#include "tensor/tensor_type.h"

#include <QTest>

using namespace gufo;
using namespace gufo::test;

class TestBlockBits : public QObject {
    Q_OBJECT

private slots:
    void bitsOfABlock_data();
    void bitsOfABlock();
    void everyCodeHasBits_data();
    void everyCodeHasBits();
};

void TestBlockBits::bitsOfABlock_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<int>("byte");
    QTest::addColumn<QString>("bits"); // mask:what index, in hexadecimal
    QTest::newRow("Q4_0: first codes") << "Q4_0" << 2 << "0f:c0 f0:c16";
    QTest::newRow("Q4_0: last codes") << "Q4_0" << 17 << "0f:c15 f0:c31";
    QTest::newRow("Q8_0") << "Q8_0" << 7 << "ff:c5";
    QTest::newRow("Q5_0: fifth bits") << "Q5_0" << 2 << "01:c0 02:c1 04:c2 08:c3 10:c4 20:c5 40:c6 80:c7";
    QTest::newRow("Q4_K: codes") << "Q4_K" << 16 << "0f:c0 f0:c32";
    QTest::newRow("Q6_K: low bits") << "Q6_K" << 0 << "0f:c0 f0:c64";
    QTest::newRow("Q6_K: high bits") << "Q6_K" << 128 << "03:c0 0c:c32 30:c64 c0:c96";
    QTest::newRow("Q6_K: a scale") << "Q6_K" << 192 << "ff:s0";
    QTest::newRow("Q2_K: a scale and a minimum") << "Q2_K" << 0 << "0f:s0 f0:m0";
}

void TestBlockBits::bitsOfABlock() {
    QFETCH(const QString, type);
    QFETCH(const int, byte);
    QFETCH(const QString, bits);
    const auto shares = blockBits(findTensorType(type.toStdString())->id);
    QVERIFY(static_cast<std::size_t>(byte) < shares.size());
    QStringList found;
    for (const BitShare& share : shares[static_cast<std::size_t>(byte)]) {
        const char what = share.what == BitShare::What::Code ? 'c' : share.what == BitShare::What::Scale ? 's' : 'm';
        found << QStringLiteral("%1:%2%3")
                     .arg(share.mask, 2, 16, QLatin1Char('0'))
                     .arg(QLatin1Char(what))
                     .arg(share.index);
    }
    QStringList expected = bits.split(u' ');
    found.sort();
    expected.sort();
    QCOMPARE(found, expected);
}

void TestBlockBits::everyCodeHasBits_data() {
    QTest::addColumn<std::uint32_t>("id");
    for (const TensorTypeFact& type : tensorTypes()) {
        if (codeCount(type.id) != 0) {
            QTest::newRow(std::string(type.name).c_str()) << type.id;
        }
    }
}

// The codes of all weights are found. Of code books that several weights share, a bit may have several.
void TestBlockBits::everyCodeHasBits() {
    QFETCH(const std::uint32_t, id);
    const TensorTypeFact& type = *findTensorType(id);
    const auto shares = blockBits(id);
    QCOMPARE(shares.size(), std::size_t{type.blockBytes});
    std::vector<bool> found(type.blockSize);
    for (const auto& byte : shares) {
        for (const BitShare& share : byte) {
            if (share.what == BitShare::What::Code) {
                QVERIFY(share.index < found.size());
                found[share.index] = true;
            }
        }
    }
    QVERIFY(std::ranges::all_of(found, std::identity()));
}

GUFO_TEST(TestBlockBits)
#include "tst_block_bits.moc"
