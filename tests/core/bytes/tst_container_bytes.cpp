// Tests the maps of the bytes of every container but GGUF, and of their damage.
#include "bytes/byte_map.h"
#include "document/open_model.h"
#include "field_texts.h"
#include "formats/sets/folder_files.h"
#include "support/ggml_builder.h"
#include "support/gguf_builder.h"
#include "support/protobuf_builder.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace gufo;
using namespace gufo::test;

namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray container(const char* name) {
    return contentOf(QStringLiteral(GUFO_TEST_DATA "/containers/") + QString::fromUtf8(name));
}

std::shared_ptr<const ByteSource> sourceFrom(const QByteArray& bytes, const QString& name) {
    const auto* first = reinterpret_cast<const std::byte*>(bytes.constData());
    return std::make_shared<MemorySource>(std::vector<std::byte>(first, first + bytes.size()), name.toStdString());
}

template<typename Builder>
QByteArray builtBytes(const Builder& file) {
    const auto source = file.source();
    const Bytes bytes = source->view({0, source->size()}).value();
    return {reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())};
}

QByteArray with(QByteArray bytes, qsizetype at, const QByteArray& other) {
    return bytes.replace(at, other.size(), other);
}

// Two tokens, one tensor of eight numbers.
GgmlBuilder oldLlama(bool scores) {
    GgmlBuilder file(scores ? "fmgg" : "lmgg", scores ? std::optional(1U) : std::nullopt);
    file.numbers({2, 8, 256, 2, 1, 4, 0});
    scores ? file.token("ab", 0.5F).token("c", -1) : file.token("ab").token("c");
    return file;
}

QByteArray onnxModel() {
    ProtobufBuilder tensor;
    tensor.number(1, 2).number(2, 1).bytes(8, "w").bytes(9, std::string(8, '\1'));
    ProtobufBuilder graph;
    graph.bytes(2, "main").message(5, tensor);
    return QByteArray::fromStdString(ProtobufBuilder().number(1, 8).bytes(2, "gufo").message(7, graph).out);
}

} // namespace

class TestContainerBytes : public QObject {
    Q_OBJECT

private slots:
    void everyContainer_data();
    void everyContainer();
    void tensorBeyondTheEnd_data();
    void tensorBeyondTheEnd();
    void opcodes();
    void longNumbers_data();
    void longNumbers();
    void tarArchive();
    void zipArchive();
    void oldVocabulary_data();
    void oldVocabulary();
    void largeVocabulary();
    void onnxMessages();
    void membersOfAHeader();
};

void TestContainerBytes::opcodes() {
    const auto model = openModel(GUFO_TEST_DATA "/containers/zip.pt");
    QVERIFY(model);
    const auto map = ByteMap::of((*model)->files[0].source, *model);
    QVERIFY(map);
    const QString all = texts(allFields(**map)).join(u'\n');
    for (const char* part : {"archive_header", "archive_directory", "PROTO 2", "STOP -", "GLOBAL torch._utils"}) {
        QVERIFY2(all.contains(QLatin1String(part)), qPrintable(all.left(4'000)));
    }
    QVERIFY((*map)->tensorData(std::string((*model)->tensors[0].name)));
}

void TestContainerBytes::everyContainer_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("name");
    QTest::addColumn<qlonglong>("at"); // where the first damage begins
    const auto row = [](const char* label, const QByteArray& bytes, const char* name, qsizetype at) {
        QTest::newRow(label) << bytes << QString::fromUtf8(name) << static_cast<qlonglong>(at);
    };
    for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
        GgufBuilder file(3, order);
        file.key("k", std::uint32_t{7}).key("text", "abc").tensor("t", kF32, {2});
        const QByteArray good = builtBytes(file);
        const bool isBig = order == ByteOrder::Big;
        row(isBig ? "big-endian GGUF: cut in a key" : "GGUF: cut in a key", good.left(30), "m.gguf", 24);
        row(isBig ? "big-endian GGUF: unknown type" : "GGUF: unknown type",
            with(good, 33, QByteArray(isBig ? "\0\0\0\x63" : "\x63\0\0\0", 4)), "m.gguf", 33);
        if (!isBig) {
            row("GGUF: unknown version", with(good, 4, QByteArray(4, '\0')), "m.gguf", 4);
        }
        const qsizetype half = good.size() - 32 + 4; // the tensor has eight bytes, and padding
        row(isBig ? "big-endian GGUF: cut in the data" : "GGUF: cut in the data", good.left(half), "m.gguf", half);
    }
    const QByteArray tensors = container("all.safetensors");
    row("safetensors: cut in the length", container("bad-truncated.safetensors"), "m.safetensors", 0);
    row("safetensors: cut in the header", tensors.left(100), "m.safetensors", 99);
    row("safetensors: cut in the data", tensors.left(tensors.size() - 1), "m.safetensors", tensors.size() - 1);
    row("safetensors: length of the header", container("bad-header-length.safetensors"), "m.safetensors", 0);
    row("safetensors: a bracket missing", container("bad-json.safetensors"), "m.safetensors", 8 + 0x3D - 1);
    row("safetensors: no object", container("bad-not-object.safetensors"), "m.safetensors", 8);
    for (const char* member : {"float-shape", "negative", "overflow", "size", "duplicate"}) {
        const QByteArray name = QByteArray("bad-") + member + ".safetensors";
        row(("safetensors: " + QByteArray(member)).constData(), container(name.constData()), "m.safetensors", 9);
    }
    const QByteArray hole = container("bad-hole.safetensors");
    row("safetensors: a hole", hole, "m.safetensors", hole.indexOf("\"b\""));
    const QByteArray overlap = container("bad-overlap.safetensors");
    row("safetensors: an overlap", overlap, "m.safetensors", overlap.indexOf("\"b\""));
    const QByteArray past = container("bad-past-end.safetensors");
    row("safetensors: beyond the end", past, "m.safetensors", past.size());

    const QByteArray zip = container("zip.pt");
    const qsizetype directory = zip.indexOf("PK\x01\x02");
    row("ZIP: without its directory", zip.left(directory), "m.pt", directory);
    row("ZIP: cut in an entry", zip.left(0x40 + 99), "m.pt", 0x40 + 98);
    row("ZIP: a damaged directory", with(zip, directory, "XX"), "m.pt", directory);
    const QByteArray opcode = with(zip, 0x42, "\xFF");
    row("ZIP: no opcode", opcode, "m.pt", 0x42);
    const QByteArray tar = container("tar.pt");
    const qsizetype storages = tar.indexOf("storages");
    row("tar: a damaged header", with(tar, storages + 1, "X"), "m.pt", storages);
    row("tar: cut in the storages", tar.left(storages + 512 + 3), "m.pt", storages + 512 + 2);
    row("tar: no opcode", with(tar, tar.indexOf("tensors") + 514, "\xFF"), "m.pt", tar.indexOf("tensors") + 514);
    const QByteArray stream = container("pickle.pt");
    row("pickles: cut", stream.left(10), "m.pt", 2);
    row("pickles: no opcode", with(stream, 2, "\xFF"), "m.pt", 2);

    const QByteArray old = builtBytes(oldLlama(true));
    row("GGMF: cut in the numbers", old.left(17), "m.bin", 16);
    row("GGMF: cut in a token", old.left(36 + 7), "m.bin", 36);
    row("GGMF: a long token", with(old, 36, "\xFF"), "m.bin", 36);
    row("GGMF: an unknown version", with(old, 4, "\x63"), "m.bin", 4);
    GgmlBuilder withTensors = oldLlama(true);
    const auto firstRecord = static_cast<qsizetype>(withTensors.out.bytes.size());
    withTensors.tensor("norm", 0, {8}, 32);
    const auto secondRecord = static_cast<qsizetype>(withTensors.out.bytes.size());
    withTensors.tensor("next", 0, {8}, 32);
    const QByteArray whole = builtBytes(withTensors);
    row("GGMF: a first record of another type", with(whole, firstRecord + 8, "\x63"), "m.bin", firstRecord);
    row("GGMF: a record of another type", with(whole, secondRecord + 8, "\x63"), "m.bin", secondRecord);
    row("GGMF: cut in the data", whole.left(whole.size() - 3), "m.bin", whole.size() - 3);
    const QByteArray onnx = onnxModel();
    row("ONNX: cut", onnx.left(onnx.size() - 2), "m.onnx", onnx.indexOf("\x4A\x08"));
    row("ONNX: an unknown wire type", with(onnx, onnx.indexOf("\x08\x02"), "\x0F"), "m.onnx", onnx.indexOf("\x08\x02"));
}

// Damage is told at its offset, with a reason, and the bytes before it keep their meaning.
void TestContainerBytes::everyContainer() {
    QFETCH(const QByteArray, bytes);
    QFETCH(const QString, name);
    QFETCH(const qlonglong, at);
    const auto map = ByteMap::of(sourceFrom(bytes, name));
    QVERIFY(map);
    const std::vector<ByteField> fields = allFields(**map);
    QCOMPARE(coverage(fields, {0, (*map)->size()}), QString());
    const QByteArray all = texts(fields).join(u'\n').toUtf8();
    QVERIFY2(!(*map)->damages().empty(), all.constData());
    const ByteMap::Damage& first = (*map)->damages().front();
    QVERIFY(first.reason != nullptr);
    QVERIFY2(first.range.offset == static_cast<std::uint64_t>(at),
             (QByteArray::number(qulonglong(first.range.offset)) + " instead of " + QByteArray::number(at) + '\n' + all)
                 .constData());
    bool isMarked = false;
    for (const ByteField& field : fields) {
        const bool isBefore = field.range.offset + field.range.length <= first.range.offset;
        QVERIFY2(!isBefore || field.role != FieldRole::Damage, qPrintable(fieldText(field)));
        QVERIFY2(field.role != FieldRole::Damage || field.damage != nullptr, qPrintable(fieldText(field)));
        isMarked = isMarked || field.damage != nullptr;
    }
    const bool isAtEnd = at == bytes.size();
    QVERIFY2(isMarked || isAtEnd, all.constData());
}

void TestContainerBytes::tensorBeyondTheEnd_data() {
    QTest::addColumn<int>("lacking");
    QTest::newRow("within a number") << 2;
    QTest::newRow("between numbers") << 8;
    QTest::newRow("all of it") << 24;
}

void TestContainerBytes::tensorBeyondTheEnd() {
    QFETCH(const int, lacking);
    GgufBuilder file;
    file.key("k", std::uint32_t{7}).tensor("first", kF32, {8}).tensor("last", kF32, {6}, GgufBytes().zeros(24).bytes);
    QByteArray bytes = builtBytes(file);
    const auto whole = ByteMap::of(file.source());
    QVERIFY(whole && (*whole)->damages().empty());
    const auto end = (*whole)->tensorData("last")->offset + 24;
    bytes.truncate(static_cast<qsizetype>(end) - lacking);
    const auto map = ByteMap::of(sourceFrom(bytes, QStringLiteral("cut.gguf")));
    QVERIFY(map);
    QCOMPARE((*map)->damages().size(), std::size_t{1});
    const ByteMap::Damage& damage = (*map)->damages().front();
    QCOMPARE(damage.range, (ByteRange{(*map)->size(), 0}));
    QCOMPARE(damage.of, std::string("last"));
    const auto* finding = std::get_if<Finding>(damage.reason.get());
    QVERIFY(finding != nullptr);
    QCOMPARE(finding->args, (Arguments{Argument(lacking)}));
    // The fields of its record and of its data are marked as damaged; the fields of the other tensor are not.
    for (const ByteField& field : (*map)->fields(*(*map)->tensorRecord("last"), 20).value()) {
        QVERIFY(field.damage != nullptr);
    }
    for (const ByteField& field : (*map)->fields(*(*map)->tensorData("first"), 20).value()) {
        QVERIFY(field.damage == nullptr);
    }
    QCOMPARE((*map)->tensorData("last").has_value(), lacking != 24);
}

void TestContainerBytes::longNumbers_data() {
    QTest::addColumn<QByteArray>("opcode");
    QTest::addColumn<QString>("expected");
    QTest::newRow("0 bytes") << QByteArray("\x8A\x00", 2) << "LONG1 0";
    QTest::newRow("255") << QByteArray("\x8A\x02\xFF\x00", 4) << "LONG1 255";
    QTest::newRow("-1") << QByteArray("\x8A\x01\xFF", 3) << "LONG1 -1";
    QTest::newRow("-32768") << QByteArray("\x8A\x02\x00\x80", 4) << "LONG1 -32768";
    QTest::newRow("smallest of 64 bits") << QByteArray("\x8A\x08\0\0\0\0\0\0\0\x80", 10)
                                         << "LONG1 -9223372036854775808";
    QTest::newRow("2^64") << QByteArray("\x8A\x09\0\0\0\0\0\0\0\0\x01", 11) << "LONG1 18446744073709551616";
    QTest::newRow("-2^64") << QByteArray("\x8A\x09\0\0\0\0\0\0\0\0\xFF", 11) << "LONG1 -18446744073709551616";
    QTest::newRow("PyTorch's magic number")
        << QByteArray("\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19", 12) << "LONG1 119547037146038801333356";
    QTest::newRow("LONG4") << QByteArray("\x8B\x02\0\0\0\x39\x30", 7) << "LONG4 12345";
}

void TestContainerBytes::longNumbers() {
    QFETCH(const QByteArray, opcode);
    QFETCH(const QString, expected);
    const auto map = ByteMap::of(sourceFrom(QByteArray("\x80\x02", 2) + opcode + '.', QStringLiteral("n.pt")));
    QVERIFY(map);
    const QStringList found = texts(allFields(**map));
    QVERIFY2(found.size() > 1 && found[1].endsWith(expected), qPrintable(found.join(u'\n')));
}

void TestContainerBytes::tarArchive() {
    const auto model = openModel(GUFO_TEST_DATA "/containers/tar.pt");
    QVERIFY(model);
    const auto map = ByteMap::of((*model)->files[0].source, *model);
    QVERIFY(map);
    QVERIFY((*map)->damages().empty());
    const QString all = texts(allFields(**map)).join(u'\n');
    for (const char* part : {"0+100 archive_header sys_info/name str sys_info", "archive_header storages/size octal",
                             "element_count storages[0] u64", "opcode storages GLOBAL", "dimension_count", "stride",
                             "first_element", "STOP -"}) {
        QVERIFY2(all.contains(QLatin1String(part)), qPrintable(all.left(8'000)));
    }
    for (const TensorInfo& tensor : (*model)->tensors) {
        QVERIFY((*map)->tensorRecord(tensor.name).has_value());
    }
    // The archive says the same without the model that was read from it.
    const auto alone = ByteMap::of((*model)->files[0].source);
    QVERIFY(alone);
    QCOMPARE(texts(allFields(**alone)).join(u'\n'), all);
}

void TestContainerBytes::zipArchive() {
    const auto model = openModel(GUFO_TEST_DATA "/containers/zip.pt");
    QVERIFY(model);
    const auto map = ByteMap::of((*model)->files[0].source, *model);
    QVERIFY(map);
    QVERIFY((*map)->damages().empty());
    const QString all = texts(allFields(**map)).join(u'\n');
    for (const char* part :
         {"0+4 archive_header zip/data.pkl/signature u32 67324752",
          "30+12 archive_header zip/data.pkl/name str zip/data.pkl",
          "archive_directory zip/data.pkl/header_offset u32 0", "archive_directory end/entries u16"}) {
        QVERIFY2(all.contains(QLatin1String(part)), qPrintable(all.left(8'000)));
    }
}

void TestContainerBytes::oldVocabulary_data() {
    QTest::addColumn<bool>("scores");
    QTest::newRow("with scores") << true;
    QTest::newRow("without") << false;
}

void TestContainerBytes::oldVocabulary() {
    QFETCH(const bool, scores);
    GgmlBuilder file = oldLlama(scores);
    file.tensor("norm.weight", 0, {8}, 32);
    const auto map = ByteMap::of(file.source());
    QVERIFY(map);
    QVERIFY((*map)->damages().empty());
    const QStringList all = texts(allFields(**map));
    const qsizetype first = all.indexOf(QRegularExpression(QStringLiteral(".*token_length.*")));
    const int begin = scores ? 36 : 32;
    QStringList expected{QStringLiteral("%1+4 token_length[0] u32 2").arg(begin),
                         QStringLiteral("%1+2 token[0] str ab").arg(begin + 4)};
    if (scores) {
        expected << QStringLiteral("42+4 token_score[0] f32 0.5") << QStringLiteral("46+4 token_length[1] u32 1")
                 << QStringLiteral("50+1 token[1] str c") << QStringLiteral("51+4 token_score[1] f32 -1");
    } else {
        expected << QStringLiteral("38+4 token_length[1] u32 1") << QStringLiteral("42+1 token[1] str c");
    }
    QCOMPARE(all.mid(first, expected.size()), expected);
    QVERIFY(all[first + expected.size()].contains(QStringLiteral("dimension_count norm.weight")));
}

// The tokens of the window alone are made.
void TestContainerBytes::largeVocabulary() {
    constexpr std::int32_t kTokens = 250'000;
    GgmlBuilder file("fmgg", 1);
    file.numbers({kTokens, 8, 256, 2, 1, 4, 0});
    for (std::int32_t i = 0; i < kTokens; ++i) {
        file.token(std::to_string(i), static_cast<float>(i));
    }
    const std::uint64_t end = file.out.bytes.size();
    file.tensor("norm.weight", 0, {8}, 32);
    const auto map = ByteMap::of(file.source());
    QVERIFY(map);
    const auto fields = (*map)->fields({end - 4, 4}, 10);
    QVERIFY(fields && fields->size() == 1);
    QVERIFY(fieldText(fields->front()).endsWith(QStringLiteral("token_score[249999] f32 249999")));
    QBENCHMARK_ONCE { QVERIFY((*map)->fields({end - 400, 400}, 400)); }
}

void TestContainerBytes::onnxMessages() {
    const auto map = ByteMap::of(sourceFrom(onnxModel(), QStringLiteral("m.onnx")));
    QVERIFY(map);
    QVERIFY((*map)->damages().empty());
    const QString all = texts(allFields(**map)).join(u'\n');
    for (const char* part : {"message ir_version varint 8", "message graph delimited",
                             "message graph.initializer[0].name", "weight w[1] FLOAT"}) {
        QVERIFY2(all.contains(QLatin1String(part)), qPrintable(all));
    }
    QVERIFY2(!all.contains(QStringLiteral("unknown")), qPrintable(all));
}

void TestContainerBytes::membersOfAHeader() {
    const auto model = openModel(GUFO_TEST_DATA "/containers/all.safetensors");
    QVERIFY(model);
    const auto map = ByteMap::of((*model)->files[0].source, *model);
    QVERIFY(map);
    for (const TensorInfo& tensor : (*model)->tensors) {
        const auto record = (*map)->tensorRecord(tensor.name);
        QVERIFY2(record, std::string(tensor.name).c_str());
        QCOMPARE(record->offset, tensor.recordOffset);
        const auto data = (*map)->tensorData(tensor.name);
        QVERIFY(data.has_value() == (tensor.bytesPresent != 0));
        QVERIFY(!data || data->offset == tensor.offset);
    }
    QVERIFY(fieldText(allFields(**map).front()).startsWith(QStringLiteral("0+8 header_length u64")));
}

GUFO_TEST(TestContainerBytes)
#include "tst_container_bytes.moc"
