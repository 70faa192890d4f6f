#include "analysis/export_tensor.h"
#include "base/byte_order.h"
#include "base/output_file.h"
#include "support/test_unit.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>

using namespace gufo;

namespace {

// A model with one tensor of these bytes.
Model modelOf(TensorType type, std::vector<std::uint64_t> dims, std::vector<std::byte> bytes,
              ByteOrder order = ByteOrder::Little) {
    Model model;
    model.byteOrder = order;
    TensorInfo info;
    info.name = "t";
    info.typeId = static_cast<std::uint32_t>(type);
    info.shape = Shape(dims);
    const TensorTypeFact& facts = tensorTypeFact(type);
    info.bytes = blocksBytes(facts, *info.shape.weights());
    info.bytesPresent = std::min<std::uint64_t>(*info.bytes, bytes.size());
    ModelFile file;
    file.source = std::make_shared<MemorySource>(std::move(bytes));
    file.path = "/nowhere/model.gguf";
    model.files.push_back(std::move(file));
    model.tensors.push_back(info);
    model.indexTensors();
    return model;
}

template<typename T>
std::vector<std::byte> bytesOf(const std::vector<T>& values, ByteOrder order = ByteOrder::Little) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
        store(bytes.data() + i * sizeof(T), values[i], order);
    }
    return bytes;
}

std::filesystem::path in(const QTemporaryDir& dir, const char* name) {
    return std::filesystem::path(dir.path().toStdString()) / name;
}

QByteArray contents(const std::filesystem::path& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

QStringList everythingIn(const QTemporaryDir& dir) {
    return QDir(dir.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
}

} // namespace

class TestExportTensor : public QObject {
    Q_OBJECT

private slots:
    void npyHeader_data();
    void npyHeader();
    void npyValuesOfHalfFloats();
    void nativeTypesAreWrittenLittleEndian();
    void csv_data();
    void csv();
    void csvOfManyChunksKeepsTheOrder();
    void rawIsTheFilesOwnBytes();
    void truncatedTensorIsRefusedButRawGivesWhatIsThere();
    void refusesWhatItCannotExport();
    void neverOverwritesTheModel();
    void cancelLeavesNothing();
    void fullDiskLeavesTheOldFile();
    void replacesThroughALinkAndKeepsTheMode();
};

void TestExportTensor::npyHeader_data() {
    QTest::addColumn<TensorType>("type");
    QTest::addColumn<QList<quint64>>("dims");
    QTest::addColumn<QByteArray>("dictionary");
    QTest::newRow("matrix") << TensorType::F32 << QList<quint64>{3, 2}
                            << QByteArray("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }");
    QTest::newRow("vector") << TensorType::F64 << QList<quint64>{5}
                            << QByteArray("{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }");
    QTest::newRow("4-D") << TensorType::I16 << QList<quint64>{2, 3, 4, 5}
                         << QByteArray("{'descr': '<i2', 'fortran_order': False, 'shape': (5, 4, 3, 2), }");
    QTest::newRow("scalar") << TensorType::I8 << QList<quint64>{}
                            << QByteArray("{'descr': '|i1', 'fortran_order': False, 'shape': (), }");
    QTest::newRow("empty") << TensorType::I64 << QList<quint64>{0, 7}
                           << QByteArray("{'descr': '<i8', 'fortran_order': False, 'shape': (7, 0), }");
    QTest::newRow("blocks") << TensorType::Q8_0 << QList<quint64>{32, 1}
                            << QByteArray("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 32), }");
}

void TestExportTensor::npyHeader() {
    QFETCH(TensorType, type);
    QFETCH(QList<quint64>, dims);
    QFETCH(QByteArray, dictionary);
    const QTemporaryDir dir;
    const Model model = modelOf(type, {dims.begin(), dims.end()}, std::vector<std::byte>(4096));
    QVERIFY(exportTensor(model, TensorIndex(0), in(dir, "t.npy"), ExportFormat::Npy));
    const QByteArray file = contents(in(dir, "t.npy"));
    QCOMPARE(file.left(8), QByteArray("\x93NUMPY\x01\x00", 8));
    const int length = static_cast<quint8>(file[8]) + 256 * static_cast<quint8>(file[9]);
    QCOMPARE((10 + length) % 64, 0);
    QCOMPARE(file.mid(10, length).trimmed(), dictionary);
    QVERIFY(file.mid(10, length).endsWith('\n'));
    const TensorTypeFact& facts = tensorTypeFact(type);
    const int itemSize = facts.kind == TensorTypeKind::Quantised ? 4 : static_cast<int>(facts.blockBytes);
    QCOMPARE(file.size() - 10 - length, static_cast<qsizetype>(model.tensors[0].weights()) * itemSize);
}

void TestExportTensor::npyValuesOfHalfFloats() {
    const QTemporaryDir dir;
    const std::vector<std::uint16_t> halves{0x3C00, 0xC000, 0x0001, 0x7C00}; // 1, −2, 2⁻²⁴, ∞
    const Model model = modelOf(TensorType::F16, {4}, bytesOf(halves));
    QVERIFY(exportTensor(model, TensorIndex(0), in(dir, "t.npy"), ExportFormat::Npy));
    const std::vector<float> expected{1, -2, 0x1p-24F, std::numeric_limits<float>::infinity()};
    const auto bytes = bytesOf(expected);
    QCOMPARE(contents(in(dir, "t.npy")).right(16), QByteArray(reinterpret_cast<const char*>(bytes.data()), 16));
    QVERIFY(exportTensor(model, TensorIndex(0), in(dir, "t.f32"), ExportFormat::F32));
    QCOMPARE(contents(in(dir, "t.f32")), QByteArray(reinterpret_cast<const char*>(bytes.data()), 16));
}

void TestExportTensor::nativeTypesAreWrittenLittleEndian() {
    const QTemporaryDir dir;
    const std::vector<std::int64_t> values{1, -2, (1LL << 60) + 1};
    const Model model = modelOf(TensorType::I64, {3}, bytesOf(values, ByteOrder::Big), ByteOrder::Big);
    QVERIFY(exportTensor(model, TensorIndex(0), in(dir, "t.npy"), ExportFormat::Npy));
    const auto bytes = bytesOf(values);
    QCOMPARE(contents(in(dir, "t.npy")).right(24), QByteArray(reinterpret_cast<const char*>(bytes.data()), 24));
}

void TestExportTensor::csv_data() {
    QTest::addColumn<QList<quint64>>("dims");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("matrix") << QList<quint64>{3, 2} << QByteArray("0.1,-1.5,2\n1e-30,nan,inf\n");
    QTest::newRow("vector") << QList<quint64>{6} << QByteArray("0.1\n-1.5\n2\n1e-30\nnan\ninf\n");
    QTest::newRow("3-D") << QList<quint64>{2, 1, 3} << QByteArray("0.1,-1.5\n2,1e-30\nnan,inf\n");
    QTest::newRow("empty") << QList<quint64>{0, 2} << QByteArray();
}

void TestExportTensor::csv() {
    QFETCH(QList<quint64>, dims);
    const QTemporaryDir dir;
    const std::vector<float> values{
        0.1F, -1.5F, 2, 1e-30F, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()};
    const Model model = modelOf(TensorType::F32, {dims.begin(), dims.end()}, bytesOf(values));
    QVERIFY(exportTensor(model, TensorIndex(0), in(dir, "t.csv"), ExportFormat::Csv));
    QTEST(contents(in(dir, "t.csv")), "text");
}

void TestExportTensor::csvOfManyChunksKeepsTheOrder() {
    const QTemporaryDir dir;
    std::vector<std::int32_t> values(1'000'000);
    QByteArray expected;
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<std::int32_t>(i * 7919 - 500'000'000);
        expected += QByteArray::number(values[i]) + (i % 1000 == 999 ? '\n' : ',');
    }
    const Model model = modelOf(TensorType::I32, {1000, 1000}, bytesOf(values));
    Progress progress;
    QVERIFY(exportTensor(model, TensorIndex(0), in(dir, "t.csv"), ExportFormat::Csv, {.progress = &progress}));
    QVERIFY(contents(in(dir, "t.csv")) == expected);
    QCOMPARE(progress.total(), 4'000'000U);
    QCOMPARE(progress.done(), 4'000'000U);
}

void TestExportTensor::rawIsTheFilesOwnBytes() {
    const QTemporaryDir dir;
    const auto bytes = bytesOf(std::vector<std::uint16_t>{0x1234, 0x5678});
    Model model = modelOf(TensorType::F16, {2}, bytes, ByteOrder::Big);
    QVERIFY(exportTensor(model, TensorIndex(0), in(dir, "t.bin"), ExportFormat::Raw));
    QCOMPARE(contents(in(dir, "t.bin")), QByteArray("\x34\x12\x78\x56"));
}

void TestExportTensor::truncatedTensorIsRefusedButRawGivesWhatIsThere() {
    const QTemporaryDir dir;
    const Model model = modelOf(TensorType::F32, {4}, std::vector<std::byte>(10, std::byte{1}));
    const auto result = exportTensor(model, TensorIndex(0), in(dir, "t.npy"), ExportFormat::Npy);
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::Truncated);
    QCOMPARE(everythingIn(dir), QStringList());
    QVERIFY(exportTensor(model, TensorIndex(0), in(dir, "t.bin"), ExportFormat::Raw));
    QCOMPARE(contents(in(dir, "t.bin")), QByteArray(10, '\1'));
}

void TestExportTensor::refusesWhatItCannotExport() {
    const QTemporaryDir dir;
    Model model = modelOf(TensorType::F32, {4}, std::vector<std::byte>(16));
    const auto codeOf = [&](const std::filesystem::path& out, ExportFormat format = ExportFormat::Npy) {
        const auto result = exportTensor(model, TensorIndex(0), out, format);
        return result ? std::string_view("done") : errorName(result.error().code);
    };
    QCOMPARE(codeOf(in(dir, "no/folder.npy")), errorName(ErrorCode::WriteFailed));
    QCOMPARE(codeOf(dir.path().toStdString()), errorName(ErrorCode::IsDirectory));
    QCOMPARE(codeOf("/dev/null"), std::string_view("done")); // nothing would be replaced
    model.tensors[0].typeId = 9999;
    model.tensors[0].bytes.reset();
    QCOMPARE(codeOf(in(dir, "t.npy")), errorName(ErrorCode::NotDecodable));
    QCOMPARE(codeOf(in(dir, "t.bin"), ExportFormat::Raw), errorName(ErrorCode::NotSupported));
    model.files[0].source.reset();
    QCOMPARE(codeOf(in(dir, "t.bin"), ExportFormat::Raw), errorName(ErrorCode::FileNotFound));
    QCOMPARE(everythingIn(dir), QStringList());
}

void TestExportTensor::neverOverwritesTheModel() {
    const QTemporaryDir dir;
    const auto path = in(dir, "model.gguf");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("precious") == 8);
    file.close();
    Model model = modelOf(TensorType::F32, {1}, std::vector<std::byte>(4));
    model.files[0].path = path;
    std::filesystem::create_hard_link(path, in(dir, "other.gguf"));
    for (const char* name : {"model.gguf", "other.gguf"}) {
        const auto result = exportTensor(model, TensorIndex(0), in(dir, name), ExportFormat::Raw);
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(contents(path), QByteArray("precious"));
    }
}

void TestExportTensor::cancelLeavesNothing() {
    const QTemporaryDir dir;
    const Model model = modelOf(TensorType::F32, {1U << 20U, 32}, std::vector<std::byte>(std::size_t{1} << 27U));
    for (const ExportFormat format : {ExportFormat::Csv, ExportFormat::Npy, ExportFormat::Raw}) {
        std::stop_source stop;
        Progress progress;
        std::jthread canceller([&] {
            while (progress.done() == 0) {
                std::this_thread::yield();
            }
            stop.request_stop();
        });
        const auto result = exportTensor(model, TensorIndex(0), in(dir, "t"), format,
                                         {.stop = stop.get_token(), .progress = &progress});
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::Cancelled);
        QVERIFY(progress.done() < progress.total());
        QCOMPARE(everythingIn(dir), QStringList());
    }
}

void TestExportTensor::fullDiskLeavesTheOldFile() {
    const QTemporaryDir dir;
    QFile old(in(dir, "t.bin"));
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
    old.close();
    const Model model = modelOf(TensorType::F32, {1U << 20U}, std::vector<std::byte>(std::size_t{1} << 22U));
    // A limit on file sizes simulates a disk that becomes full half-way.
    rlimit before{};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit limit{.rlim_cur = 1U << 20U, .rlim_max = before.rlim_max};
    std::signal(SIGXFSZ, SIG_IGN);
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &limit), 0);
    const auto result = exportTensor(model, TensorIndex(0), in(dir, "t.bin"), ExportFormat::Raw);
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &before), 0);
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::WriteFailed);
    QCOMPARE(result.error().systemError, EFBIG);
    QCOMPARE(everythingIn(dir), QStringList("t.bin"));
    QCOMPARE(contents(in(dir, "t.bin")), QByteArray("old"));
}

void TestExportTensor::replacesThroughALinkAndKeepsTheMode() {
    const QTemporaryDir dir;
    QFile old(in(dir, "real.bin"));
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
    old.close();
    QCOMPARE(::chmod(in(dir, "real.bin").c_str(), 0640), 0);
    std::filesystem::create_symlink("real.bin", in(dir, "link.bin"));
    const Model model = modelOf(TensorType::I8, {3}, bytesOf(std::vector<std::int8_t>{65, 66, 67}));
    QVERIFY(exportTensor(model, TensorIndex(0), in(dir, "link.bin"), ExportFormat::Raw));
    QVERIFY(std::filesystem::is_symlink(in(dir, "link.bin")));
    QCOMPARE(contents(in(dir, "real.bin")), QByteArray("ABC"));
    struct stat now{};
    QCOMPARE(::stat(in(dir, "real.bin").c_str(), &now), 0);
    QCOMPARE(now.st_mode & 07777U, 0640U);
}

GUFO_TEST(TestExportTensor)
#include "tst_export_tensor.moc"
