// Tests the digests of files, headers, tensors and weights, and the manifests that hold them.
#include "analysis/digest_manifest.h"
#include "analysis/model_digests.h"
#include "base/byte_order.h"
#include "cancelled_work.h"
#include "formats/gguf/read/reader.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"

#include <QCryptographicHash>
#include <QTest>

#include <array>

using namespace gufo;
using namespace gufo::test;

namespace {

std::vector<std::byte> floats(std::initializer_list<float> values, ByteOrder order = ByteOrder::Little) {
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::size_t at = 0;
    for (const float value : values) {
        store(bytes.data() + at, value, order);
        at += sizeof value;
    }
    return bytes;
}

QByteArray reference(Bytes bytes) {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
    return hash.result().toHex();
}

QByteArray hex(const std::optional<Sha256Digest>& digest) {
    return digest ? QByteArray::fromStdString(hexText(*digest)) : QByteArray("none");
}

// Two matrices and a norm, in an order and with metadata that the caller chooses.
GgufBuilder builder(ByteOrder order, bool reversed, const char* name) {
    GgufBuilder file(3, order);
    file.key("general.architecture", "llama").key("general.name", name);
    const auto add = [&](int which) {
        if (which == 0) {
            file.tensor("a", kF32, {2, 2}, floats({1, 2, 3, 4}, order));
        } else if (which == 1) {
            file.tensor("b", kF32, {4}, floats({5, 6, 7, 8}, order));
        } else {
            file.tensor("c", kF32, {1, 3}, floats({9, 10, 11}, order));
        }
    };
    for (int i = 0; i < 3; ++i) {
        add(reversed ? 2 - i : i);
    }
    return file;
}

std::shared_ptr<const Model> modelOf(const GgufBuilder& file) {
    const auto model = gguf::read(file.source());
    return model ? *model : nullptr;
}

} // namespace

class TestModelDigests : public QObject {
    Q_OBJECT

private slots:
    void partsOfAFile();
    void weightsAreRecognised_data();
    void weightsAreRecognised();
    void missingBytesHaveNoDigest();
    void overlappingTensors();
    void tensorsThatCrossPieces();
    void weightsThatAreNotInOrder();
    void anEmptyTensorAtTheEnd();
    void isCancelled();
    void manifestsAreReadBack();
    void manifestsThatAreNone_data();
    void manifestsThatAreNone();
    void differences_data();
    void differences();
};

void TestModelDigests::partsOfAFile() {
    const std::vector<std::byte> bytes = builder(ByteOrder::Little, false, "x").build();
    const auto model = modelOf(builder(ByteOrder::Little, false, "x"));
    QVERIFY(model != nullptr);
    const auto digests = digestModel(*model, {});
    QVERIFY(digests);
    QCOMPARE(digests->files.size(), std::size_t{1});
    QCOMPARE(hex(digests->files[0].whole), reference(bytes));
    QCOMPARE(hex(digests->files[0].header), reference(std::span(bytes).first(model->files[0].headerBytes)));
    const QByteArray a = reference(floats({1, 2, 3, 4}));
    const QByteArray b = reference(floats({5, 6, 7, 8}));
    const QByteArray c = reference(floats({9, 10, 11}));
    QCOMPARE(hex(digests->tensors[0]), a);
    QCOMPARE(hex(digests->tensors[1]), b);
    QCOMPARE(hex(digests->tensors[2]), c);
    const QByteArray lines = "a F32 2x2 " + a + "\nb F32 4 " + b + "\nc F32 1x3 " + c + "\n";
    QCOMPARE(hex(digests->weights), reference(std::as_bytes(std::span(lines.constData(), lines.size()))));
}

void TestModelDigests::weightsAreRecognised_data() {
    QTest::addColumn<bool>("big");
    QTest::addColumn<bool>("reversed");
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("other metadata") << false << false << QByteArray("another, longer name");
    QTest::newRow("another order of tensors") << false << true << QByteArray("x");
    QTest::newRow("big-endian") << true << false << QByteArray("x");
    QTest::newRow("all of these") << true << true << QByteArray("y");
}

void TestModelDigests::weightsAreRecognised() {
    QFETCH(const bool, big);
    QFETCH(const bool, reversed);
    QFETCH(const QByteArray, name);
    const auto first = modelOf(builder(ByteOrder::Little, false, "x"));
    const auto second = modelOf(builder(big ? ByteOrder::Big : ByteOrder::Little, reversed, name.constData()));
    QVERIFY(first != nullptr && second != nullptr);
    const auto one = digestModel(*first, {});
    const auto other = digestModel(*second, {});
    QVERIFY(one && other);
    QVERIFY(one->weights);
    QCOMPARE(hex(other->weights), hex(one->weights));
    QVERIFY(other->files[0].whole != one->files[0].whole);
}

void TestModelDigests::missingBytesHaveNoDigest() {
    GgufBuilder file = builder(ByteOrder::Little, false, "x");
    file.cutTo = file.build().size() - 24; // the last tensor has 12 bytes and padding
    const auto model = modelOf(file);
    QVERIFY(model != nullptr);
    const auto digests = digestModel(*model, {});
    QVERIFY(digests);
    QVERIFY(digests->tensors[0] && digests->tensors[1]);
    QCOMPARE(hex(digests->tensors[2]), QByteArray("none"));
    QCOMPARE(hex(digests->weights), QByteArray("none"));
    QCOMPARE(hex(digests->files[0].whole), reference(file.build()));
}

void TestModelDigests::overlappingTensors() {
    GgufBuilder file;
    file.tensor("a", kF32, {4}, floats({1, 2, 3, 4}));
    file.tensorRecord("again", kF32, {4}, 0);
    file.tensorRecord("start", kF32, {1}, 0);
    const auto model = modelOf(file);
    QVERIFY(model != nullptr);
    const auto digests = digestModel(*model, {});
    QVERIFY(digests);
    QCOMPARE(hex(digests->tensors[0]), reference(floats({1, 2, 3, 4})));
    QCOMPARE(hex(digests->tensors[1]), reference(floats({1, 2, 3, 4})));
    QCOMPARE(hex(digests->tensors[2]), reference(floats({1})));
}

// The file is read in pieces of 8 MiB.
void TestModelDigests::tensorsThatCrossPieces() {
    GgufBuilder file;
    std::vector<std::byte> large(std::size_t{20} << 20U);
    for (std::size_t i = 0; i < large.size(); ++i) {
        large[i] = static_cast<std::byte>(i * 7 + i / 256);
    }
    file.tensor("small", kF32, {2}, floats({1, 2}));
    file.tensor("large", kF32, {large.size() / 4}, large);
    file.tensor("last", kF32, {2}, floats({3, 4}));
    const auto model = modelOf(file);
    QVERIFY(model != nullptr);
    Progress progress;
    const auto digests = digestModel(*model, {.stop = {}, .progress = &progress});
    QVERIFY(digests);
    QCOMPARE(hex(digests->tensors[1]), reference(large));
    QCOMPARE(hex(digests->tensors[2]), reference(floats({3, 4})));
    QCOMPARE(hex(digests->files[0].whole), reference(file.build()));
    QCOMPARE(progress.done(), progress.total());
}

void TestModelDigests::weightsThatAreNotInOrder() {
    // The matrix {1, 2}, {3, 4}, {5, 6} is the transpose of what the file holds.
    const std::vector<std::byte> stored = floats({1, 3, 5, 2, 4, 6});
    const std::array<std::uint64_t, 2> dims{2, 3};
    const std::array<std::uint64_t, 2> steps{3, 1};
    const auto strides = Strides::of(dims, steps);
    QVERIFY(strides);
    Model model;
    model.files.push_back({.source = std::make_shared<MemorySource>(stored), .path = "/nowhere/model.bin"});
    TensorInfo tensor;
    tensor.name = "t";
    tensor.shape = Shape(dims);
    tensor.bytes = 24;
    tensor.bytesPresent = 24;
    tensor.strides = &*strides;
    model.tensors.push_back(tensor);
    model.indexTensors();
    const auto digests = digestModel(model, {});
    QVERIFY(digests);
    QCOMPARE(hex(digests->tensors[0]), reference(floats({1, 2, 3, 4, 5, 6})));
    QCOMPARE(hex(digests->files[0].header), QByteArray("none"));
}

void TestModelDigests::anEmptyTensorAtTheEnd() {
    GgufBuilder file;
    file.tensor("a", kF32, {8}, std::vector<std::byte>(32));
    file.tensor("empty", kF32, {0}, std::vector<std::byte>());
    const auto model = modelOf(file);
    QVERIFY(model != nullptr);
    const auto digests = digestModel(*model, {});
    QVERIFY(digests);
    if (model->tensors[1].complete()) {
        QCOMPARE(hex(digests->tensors[1]), reference({}));
    }
    QVERIFY(digests->tensors[0]);
}

void TestModelDigests::isCancelled() {
    Model model;
    model.files.push_back({.source = std::make_shared<MemorySource>(std::vector<std::byte>(std::size_t{256} << 20U)),
                           .path = "/nowhere/model.gguf"});
    const QString failure = cancelAfterStart([&](const JobContext& job) {
        const auto digests = digestModel(model, job);
        return digests ? std::optional<ErrorCode>() : std::optional(digests.error().code);
    });
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
}

void TestModelDigests::manifestsAreReadBack() {
    const auto model = modelOf(builder(ByteOrder::Little, false, "x"));
    QVERIFY(model != nullptr);
    const auto digests = digestModel(*model, {});
    QVERIFY(digests);
    std::vector<ManifestLine> lines = manifestOf(*model, *digests);
    QCOMPARE(lines.size(), std::size_t{6});
    lines[0].name = "a name\nwith \\ and  spaces\x7F";
    const auto read = readManifest("# made by hand\r\n\n" + manifestText(lines));
    QVERIFY(read);
    QVERIFY(*read == lines);
}

void TestModelDigests::manifestsThatAreNone_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("line");
    const QByteArray digest(64, 'a');
    QTest::newRow("prose") << QByteArray("hello\n") << 1;
    QTest::newRow("a short digest") << digest.left(63) + "  file  x\n" << 1;
    QTest::newRow("no hexadecimal digits") << QByteArray(64, 'g') + "  file  x\n" << 1;
    QTest::newRow("an unknown kind") << digest + "  block  x\n" << 1;
    QTest::newRow("one space") << digest + "  file  x\n" + digest + " file  x\n" << 2;
    QTest::newRow("one space before the name") << digest + "  file x\n" << 1;
    QTest::newRow("a bad escape") << digest + "  file  x\\q\n" << 1;
    QTest::newRow("a cut escape") << digest + "  file  x\\x1" << 1;
    QTest::newRow("a lone backslash") << digest + "  file  x\\" << 1;
    QTest::newRow("the output of sha256sum") << "# a remark\n" + digest + "  model.gguf\n" << 2;
}

void TestModelDigests::manifestsThatAreNone() {
    QFETCH(const QByteArray, text);
    QFETCH(const int, line);
    const auto read = readManifest(text.toStdString());
    QVERIFY(!read);
    QCOMPARE(read.error(), static_cast<std::size_t>(line));
}

void TestModelDigests::differences_data() {
    QTest::addColumn<QString>("expected");
    QTest::addColumn<QString>("found");
    QTest::addColumn<QString>("differences"); // kind name expected found
    QTest::newRow("nothing") << "1 file m" << "1 file m" << "";
    QTest::newRow("a renamed file") << "1 file m" << "1 file n" << "";
    QTest::newRow("a changed file") << "1 file m" << "2 file n" << "file - 1 2";
    QTest::newRow("a renamed shard") << "1 file m,2 file n" << "1 file m,2 file o" << "file n 2 -,file o - 2";
    QTest::newRow("a changed tensor") << "1 tensor a,2 tensor b" << "1 tensor a,3 tensor b" << "tensor b 2 3";
    QTest::newRow("an added tensor") << "1 tensor a" << "1 tensor a,3 tensor b" << "tensor b - 3";
    QTest::newRow("a lost tensor") << "1 tensor a,3 tensor b" << "3 tensor b" << "tensor a 1 -";
    QTest::newRow("another order") << "1 tensor a,3 tensor b" << "3 tensor b,1 tensor a" << "";
    QTest::newRow("two tensors of one name") << "1 tensor a,2 tensor a" << "2 tensor a,1 tensor a" << "";
    QTest::newRow("one of two of one name") << "1 tensor a,2 tensor a" << "1 tensor a" << "tensor a 2 -";
}

void TestModelDigests::differences() {
    QFETCH(const QString, expected);
    QFETCH(const QString, found);
    QFETCH(const QString, differences);
    const auto lines = [](const QString& text) {
        std::vector<ManifestLine> result;
        for (const QString& each : text.split(u',', Qt::SkipEmptyParts)) {
            const QStringList parts = each.split(u' ');
            ManifestLine line{.digest = parts[0].toStdString(), .name = parts[2].toStdString()};
            for (const auto kind : {ManifestLine::Kind::File, ManifestLine::Kind::Header, ManifestLine::Kind::Weights,
                                    ManifestLine::Kind::Tensor}) {
                line.kind = manifestKindName(kind) == parts[1].toStdString() ? kind : line.kind;
            }
            result.push_back(line);
        }
        return result;
    };
    QStringList got;
    for (const ManifestDifference& each : compareManifests(lines(expected), lines(found))) {
        const auto orDash = [](const std::string& text) { return text.empty() ? "-" : text; };
        got << QString::fromStdString(std::string(manifestKindName(each.kind)) + ' ' + orDash(each.name) + ' ' +
                                      orDash(each.expected) + ' ' + orDash(each.found));
    }
    QCOMPARE(got.join(u','), differences);
}

GUFO_TEST(TestModelDigests)
#include "tst_model_digests.moc"
