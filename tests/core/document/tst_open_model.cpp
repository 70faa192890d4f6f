// What openModel says of files that are no GGUF, cannot be read, or change while they are read; large files.
#include "base/mapped_file.h"
#include "document/open_model.h"
#include "formats/detect.h"
#include "formats/gguf/read/reader.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;
using std::string_view_literals::operator""sv;

namespace {

constexpr std::uint32_t kF32 = 0;

// Bytes of a literal that may hold zeros.
template<std::size_t n>
std::string raw(const char (&text)[n]) {
    return {text, n - 1};
}

std::string zipEntry(const std::string& name) {
    GgufBytes head;
    head.text("PK\x03\x04").zeros(22).number(static_cast<std::uint16_t>(name.size())).zeros(2).text(name).zeros(50);
    return {reinterpret_cast<const char*>(head.bytes.data()), head.bytes.size()};
}

std::string safetensors(std::uint64_t length, const std::string& json) {
    GgufBytes out;
    out.number(length).text(json);
    return {reinterpret_cast<const char*>(out.bytes.data()), out.bytes.size()};
}

std::vector<std::byte> asBytes(const std::string& text) {
    const auto* from = reinterpret_cast<const std::byte*>(text.data());
    return {from, from + text.size()};
}

} // namespace

class TestOpenModel : public QObject {
    Q_OBJECT

private slots:
    void namesOtherFormats_data();
    void namesOtherFormats();
    void namesRealFilesOfOtherFormats_data();
    void namesRealFilesOfOtherFormats();
    void refusesWhatIsNoFile_data();
    void refusesWhatIsNoFile();
    void errorsNameTheFile();
    void opensAnyFileName();
    void opensLargerThan4GiB();
    void survivesTruncationWhileOpen();
    void reportsTruncationWhileReading();
    void goesOnAfterErrors();

private:
    QTemporaryDir m_folder;
    [[nodiscard]] fs::path path(const std::string& name) const {
        return fs::path(m_folder.path().toStdString()) / name;
    }
    fs::path write(const std::string& name, const std::string& bytes) const {
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }
};

void TestOpenModel::namesOtherFormats_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("id"); // empty: none
    const auto row = [](const char* name, const char* id, const std::string& bytes) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString(id);
    };
    row("GGML", "ggml", raw("lmgg\x01\0\0\0"));
    row("GGMF", "ggmf", raw("fmgg\x01\0\0\0"));
    row("GGJT", "ggjt", raw("tjgg\x03\0\0\0"));
    row("GGLA", "ggla", raw("algg\x01\0\0\0"));
    row("safetensors", "safetensors", safetensors(20, "{\"__metadata__\":{}}  "));
    row("safetensors without tensors", "safetensors", safetensors(2, "{}"));
    row("safetensors header past the end", "", safetensors(2000, "{\"a\":{}}"));
    row("safetensors header of 2^64-8", "", safetensors(~std::uint64_t{7}, "{\"a\":{}}"));
    row("PyTorch ZIP", "pytorch_zip", zipEntry("archive/data.pkl"));
    row("other ZIP", "zip", zipEntry("word/document.xml"));
    row("empty ZIP", "zip", raw("PK\x05\x06") + std::string(18, '\0'));
    row("ZIP cut", "zip", raw("PK\x03\x04\x14\0"));
    row("ZIP whose name is longer than the file", "zip", zipEntry("a/data.pkl").substr(0, 34));
    row("legacy PyTorch", "pytorch_legacy",
        raw("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02M\xe9\x03."));
    row("pickle", "pickle", raw("\x80\x04\x95\x0b\0\0\0"));
    row("tar", "tar", std::string(257, 'a') + raw("ustar\00000") + std::string(300, '\0'));
    row("HDF5", "hdf5", raw("\x89HDF\r\n\x1a\n\0\0"));
    row("NumPy", "numpy", raw("\x93NUMPY\x01\0"));
    row("TensorFlow Lite", "tflite", raw("\x1c\0\0\0TFL3\0\0"));
    row("ONNX", "onnx", raw("\x08\x07\x12\x07pytorch\x1a\x03"));
    row("ONNX without producer", "onnx", raw("\x08\x07\x3a\x20\x0a\x05"));
    row("gzip", "gzip", raw("\x1f\x8b\x08\0"));
    row("zstd", "zstd", raw("\x28\xb5\x2f\xfd\0"));
    row("xz", "xz", raw("\xfd\x37zXZ\0\0"));
    row("bzip2", "bzip2", raw("BZh91AY&SY"));
    row("LZ4", "lz4", raw("\x04\x22\x4d\x18\x60"));
    row("7-Zip", "7z", raw("7z\xbc\xaf\x27\x1c\0"));
    row("Git LFS pointer", "git_lfs", "version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 4000000000\n");
    row("HTML", "html", "\n<!DOCTYPE html><html><body>Not Found</body></html>");
    row("HTML with BOM", "html", "\xEF\xBB\xBF<HTML>");
    row("XML", "xml", "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>");
    row("JSON", "json", "{\"error\":\"Repository not found\"}");
    row("JSON list", "json", "  [1, 2]");
    row("JSON of nothing", "json", "{ }");
    row("Jinja template", "text", "{% for message in messages %}{{ message.content }}{% endfor %}");
    row("section of an INI file", "text", "[Desktop Entry]");
    row("text", "text", "Entry not found\n");
    row("one letter", "text", "x");
    row("zeros", "", std::string(5000, '\0'));
    row("GGUF in lower case", "text", "gguf");
    row("noise", "", raw("\xf3\x01\x99\xc2\0\x07\x88\x12\xde\xad"));
}

void TestOpenModel::namesOtherFormats() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, id);
    const auto format = detectFormat(MemorySource(asBytes(bytes.toStdString())));
    QCOMPARE(format ? QString::fromStdString(std::string(format->id)) : QString(), id);
    const auto opened = openModel(write("other.gguf", bytes.toStdString()));
    QVERIFY(!opened);
    QCOMPARE(opened.error().code, format ? ErrorCode::OtherFormat : ErrorCode::NotAModel);
    QVERIFY(!opened.error().args.at(0).empty());
    // Every shorter start of it, too, is some format or none.
    for (qsizetype length = 0; length < std::min<qsizetype>(bytes.size(), 300); ++length) {
        (void)detectFormat(MemorySource(asBytes(bytes.left(length).toStdString())));
    }
}

void TestOpenModel::namesRealFilesOfOtherFormats_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("id");
    QTest::newRow("ggmf") << "thirdparty/legacy/ggmf-v1-vocab.bin" << "ggmf";
    QTest::newRow("silero") << "thirdparty/legacy/silero-v6.2.0-for-tests.bin" << "ggml";
    QTest::newRow("whisper") << "thirdparty/legacy/whisper-tiny-for-tests.bin" << "ggml";
    QTest::newRow("template") << "thirdparty/templates/Qwen-Qwen2.5-7B-Instruct.jinja" << "text";
    QTest::newRow("json") << QStringLiteral(GUFO_TEST_DATA "/golden/manifest.json") << "json";
}

void TestOpenModel::namesRealFilesOfOtherFormats() {
    QFETCH(QString, file);
    QFETCH(QString, id);
    const fs::path whole = fs::path(GUFO_SHARED_DIR) / file.toStdString(); // which stays what it is if it is absolute
    if (!fs::exists(whole)) {
        QSKIP("the files of other projects (../shared/thirdparty) are not here");
    }
    std::ifstream in(whole, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(in), {});
    QCOMPARE(QString::fromStdString(std::string(detectFormat(MemorySource(asBytes(bytes)))->id)), id);
    QCOMPARE(openModel(whole).error().code, ErrorCode::OtherFormat);
}

void TestOpenModel::refusesWhatIsNoFile_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("error");
    QTest::newRow("missing") << "missing" << "file_not_found";
    QTest::newRow("in a missing folder") << "missing/x.gguf" << "file_not_found";
    QTest::newRow("folder") << "folder" << "is_directory";
    QTest::newRow("FIFO") << "fifo" << "not_regular_file";
    QTest::newRow("socket") << "socket" << "read_failed"; // open(2) answers ENXIO
    QTest::newRow("device") << "/dev/null" << "not_regular_file";
    QTest::newRow("empty") << "empty" << "empty_file";
    QTest::newRow("no permission") << "forbidden" << "permission_denied";
    QTest::newRow("link to itself") << "loop" << "read_failed";
    QTest::newRow("name too long") << QString(300, 'n') << "read_failed";
}

void TestOpenModel::refusesWhatIsNoFile() {
    QFETCH(QString, kind);
    QFETCH(QString, error);
    const fs::path file = path(kind.toStdString());
    if (kind == "folder") {
        fs::create_directory(file);
    } else if (kind == "fifo") {
        QCOMPARE(mkfifo(file.c_str(), 0600), 0);
    } else if (kind == "socket") {
        const int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
        QVERIFY(file.native().size() < sizeof address.sun_path);
        std::ranges::copy(file.native(), address.sun_path);
        QCOMPARE(bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        close(descriptor);
    } else if (kind == "empty") {
        write("empty", "");
    } else if (kind == "loop") {
        fs::create_symlink(file, file);
    } else if (kind == "forbidden") {
        write("forbidden", "GGUF");
        fs::permissions(file, fs::perms::none);
    }
    // Root may read everything, nobody may not.
    constexpr uid_t kNobody = 65'534;
    const bool asNobody = kind == "forbidden" && geteuid() == 0;
    fs::permissions(m_folder.path().toStdString(), fs::perms::others_exec | fs::perms::group_exec,
                    fs::perm_options::add);
    if (asNobody) {
        write("readable", "hello");
        QCOMPARE(seteuid(kNobody), 0);
        QCOMPARE(openModel(path("readable")).error().code, ErrorCode::OtherFormat); // the folder is not in the way
    }
    const auto opened = openModel(file);
    if (asNobody) {
        QCOMPARE(seteuid(0), 0);
    }
    QVERIFY(!opened);
    QCOMPARE(QString::fromStdString(std::string(errorName(opened.error().code))), error);
    QCOMPARE(opened.error().file, file);
}

void TestOpenModel::errorsNameTheFile() {
    GgufBuilder builder;
    builder.rawKey("a.b", 99, {});
    builder.write(path("broken.gguf"));
    const auto opened = openModel(path("broken.gguf"));
    QCOMPARE(opened.error().code, ErrorCode::UnknownValueType);
    QCOMPARE(opened.error().file, path("broken.gguf"));
    QCOMPARE(opened.error().place.name, "a.b");
    QVERIFY(opened.error().place.offset);
}

void TestOpenModel::opensAnyFileName() {
    for (const std::string& name :
         {raw("\xff\xfe.gguf"), raw("new\nline"), raw("-"), raw("%s"), std::string(255, 'n')}) {
        GgufBuilder().key("general.architecture", "llama").write(path(name));
        const auto opened = openModel(path(name));
        QVERIFY(opened);
        QCOMPARE((*opened)->path(), path(name));
    }
}

// Sparse: 6 GiB that take no room. Offsets and sizes past 32 bits must not be cut.
void TestOpenModel::opensLargerThan4GiB() {
    constexpr std::uint64_t kGiB = std::uint64_t{1} << 30U;
    GgufBuilder builder;
    builder.tensorRecord("first", kF32, {kGiB, 1}, 0).tensorRecord("second", kF32, {8}, 4 * kGiB);
    builder.tensorRecord("third", kF32, {kGiB / 2}, 4 * kGiB + 32);
    builder.write(path("large.gguf"));
    const std::uint64_t dataStart = fs::file_size(path("large.gguf"));
    std::error_code error;
    fs::resize_file(path("large.gguf"), dataStart + 6 * kGiB + 32, error);
    if (error) {
        QSKIP("no room for a sparse file");
    }
    {
        std::fstream file(path("large.gguf"), std::ios::binary | std::ios::in | std::ios::out);
        file.seekp(static_cast<std::streamoff>(dataStart + 4 * kGiB)) << "here";
    }
    const auto opened = openModel(path("large.gguf"));
    QVERIFY(opened);
    QVERIFY((*opened)->findings.empty());
    const TensorInfo& second = (*opened)->tensors[1];
    QCOMPARE(second.offset, dataStart + 4 * kGiB);
    QCOMPARE((*(*opened)->bytesOf(second))[0], std::byte{'h'});
    QVERIFY((*opened)->tensors[2].complete());
    fs::remove(path("large.gguf"));
}

void TestOpenModel::survivesTruncationWhileOpen() {
    GgufBuilder builder;
    builder.tensor("t", kF32, {1U << 16U}).write(path("shrinks.gguf"));
    const auto opened = openModel(path("shrinks.gguf"));
    QVERIFY(opened);
    const TensorInfo& tensor = (*opened)->tensors[0];
    fs::resize_file(path("shrinks.gguf"), 100);
    const Bytes bytes = *(*opened)->bytesOf(tensor);
    QCOMPARE(bytes.back(), std::byte{0}); // SIGBUS, were it not caught
    QCOMPARE((*opened)->sourceOf(tensor)->damage()->code, ErrorCode::FileChangedWhileReading);
}

// Cut down after it was mapped and before, or while, it is read: the missing pages read as zeros, which parse.
void TestOpenModel::reportsTruncationWhileReading() {
    GgufBuilder builder;
    builder.key("a.words", std::vector<std::string>(200'000, "a token")).write(path("shrinks.gguf"));
    const auto mapped = MappedFile::open(path("shrinks.gguf"));
    QVERIFY(mapped);
    fs::resize_file(path("shrinks.gguf"), 4096);
    const auto read = gguf::read(*mapped);
    QVERIFY(!read);
    QCOMPARE(read.error().code, ErrorCode::FileChangedWhileReading);
    QCOMPARE(read.error().file, path("shrinks.gguf"));
}

void TestOpenModel::goesOnAfterErrors() {
    write("bad.gguf", "GGUF\3");
    QVERIFY(!openModel(path("bad.gguf")));
    QVERIFY(!openModel(path("")));
    GgufBuilder().key("general.architecture", "llama").write(path("good.gguf"));
    QVERIFY(openModel(path("good.gguf")));
}

GUFO_TEST(TestOpenModel)
#include "tst_open_model.moc"
