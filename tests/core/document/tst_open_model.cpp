// What openModel reports about files that are not GGUF, cannot be read or change while they are read; large files.
#include "base/mapped_file.h"
#include "document/open_model.h"
#include "formats/container/container.h"
#include "formats/gguf/read/reader.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fcntl.h>
#include <functional>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

namespace {

// The bytes of a literal, which may contain zeros.
template<std::size_t n>
std::string raw(const char (&text)[n]) {
    return {text, n - 1};
}

std::vector<std::byte> asBytes(const std::string& text) {
    const auto* from = reinterpret_cast<const std::byte*>(text.data());
    return {from, from + text.size()};
}

// Makes what is at the path of a row, if anything is.
using Maker = std::function<void(const fs::path& at)>;

void makeSocket(const fs::path& at) {
    const int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    QVERIFY(at.native().size() < sizeof address.sun_path);
    std::ranges::copy(at.native(), address.sun_path);
    QCOMPARE(bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    close(descriptor);
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

// Detection in general is tested in tst_format.
void TestOpenModel::namesOtherFormats_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("error");
    QTest::addColumn<QString>("argument");
    QTest::newRow("recognised") << QByteArray("\x93NUMPY\1") << "other_format" << "numpy";
    QTest::newRow("unknown") << QByteArray("\xf3\1\x99\xc2") << "not_a_model" << "f3 01 99 c2";
    QTest::newRow("interrupted") << QByteArray("gufo\3") << "save_interrupted" << "other.gguf.gufo-journal";
}

void TestOpenModel::namesOtherFormats() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, error);
    QFETCH(QString, argument);
    const auto opened = openModel(write("other.gguf", bytes.toStdString()));
    QVERIFY(!opened);
    QCOMPARE(QString::fromStdString(std::string(errorName(opened.error().code))), error);
    QCOMPARE(QString::fromStdString(opened.error().args.at(0).text()), argument);
    QCOMPARE(opened.error().file, path("other.gguf"));
}

void TestOpenModel::namesRealFilesOfOtherFormats_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("id");
    QTest::newRow("silero") << "thirdparty/legacy/silero-v6.2.0-for-tests.bin" << "silero_vad";
    QTest::newRow("template") << "thirdparty/templates/Qwen-Qwen2.5-7B-Instruct.jinja" << "text";
    QTest::newRow("json") << QStringLiteral(GUFO_TEST_DATA "/golden/manifest.json") << "json";
}

void TestOpenModel::namesRealFilesOfOtherFormats() {
    QFETCH(QString, file);
    QFETCH(QString, id);
    const fs::path whole = fs::path(GUFO_SHARED_DIR) / file.toStdString(); // an absolute path stays as it is
    if (!fs::exists(whole)) {
        QSKIP("the files of other projects (../shared/thirdparty) are not here");
    }
    std::ifstream in(whole, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(in), {});
    QCOMPARE(QString::fromStdString(std::string(detectContainer(MemorySource(asBytes(bytes)))->id)), id);
    QCOMPARE(openModel(whole).error().code, ErrorCode::OtherFormat);
}

void TestOpenModel::refusesWhatIsNoFile_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("error");
    QTest::addColumn<Maker>("make");
    const auto row = [](const char* tag, const QString& name, const char* error, const Maker& make = {}) {
        QTest::newRow(tag) << name << error << make;
    };
    row("missing", "missing", "file_not_found");
    row("in a missing folder", "missing/x.gguf", "file_not_found");
    row("folder without a model", "folder", "not_supported", [](const fs::path& at) { fs::create_directory(at); });
    row("FIFO", "fifo", "not_regular_file", [](const fs::path& at) { QCOMPARE(mkfifo(at.c_str(), 0600), 0); });
    row("socket", "socket", "read_failed", makeSocket); // open(2) fails with ENXIO
    row("device", "/dev/null", "not_regular_file");
    row("empty", "empty", "empty_file", [](const fs::path& at) { QVERIFY(std::ofstream(at).good()); });
    row("no permission", "forbidden", "permission_denied", [](const fs::path& at) {
        std::ofstream(at) << "GGUF";
        fs::permissions(at, fs::perms::none);
    });
    row("link to itself", "loop", "read_failed", [](const fs::path& at) { fs::create_symlink(at, at); });
    row("name too long", QString(300, 'n'), "read_failed");
}

void TestOpenModel::refusesWhatIsNoFile() {
    QFETCH(QString, name);
    QFETCH(QString, error);
    QFETCH(Maker, make);
    const fs::path file = path(name.toStdString());
    if (make) {
        make(file);
    }
    // Root may read everything, so the test runs as nobody.
    constexpr uid_t kNobody = 65'534;
    const bool asNobody = error == "permission_denied" && geteuid() == 0;
    fs::permissions(m_folder.path().toStdString(), fs::perms::others_exec | fs::perms::group_exec,
                    fs::perm_options::add);
    if (asNobody) {
        write("readable", "hello");
        QCOMPARE(seteuid(kNobody), 0);
        QCOMPARE(openModel(path("readable")).error().code, ErrorCode::OtherFormat); // the folder itself is accessible
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

// A sparse file of 6 GiB. Offsets and sizes beyond 32 bits must not be truncated.
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
    QCOMPARE(bytes.back(), std::byte{0}); // would raise SIGBUS without the handler
    QCOMPARE((*opened)->sourceOf(tensor)->damage()->code, ErrorCode::FileChangedWhileReading);
}

// The file is truncated after it was mapped, before or while it is read. The missing pages read as zeros, which parse.
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
