// Models that were cut into pieces: recognised by their names, opened as one, joined into a file.
#include "base/joined_file.h"
#include "base/sha256.h"
#include "document/document.h"
#include "document/open_model.h"
#include "formats/container/container.h"
#include "formats/container/model_saving.h"
#include "formats/sets/file_pieces.h"
#include "model/kept_description.h"
#include "model/owned_value.h"
#include "support/gguf_builder.h"
#include "support/problem_names.h"
#include "support/save_helpers.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kPage = 4096;

std::string modelBytes() {
    GgufBuilder builder;
    builder.key("general.name", "cut");
    builder.tensor("t", kF32, {5'000});
    const auto bytes = builder.build();
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (std::size_t i = 0; i < 20'000; ++i) {
        text[text.size() - 20'000 + i] = static_cast<char>(i % 61);
    }
    return text;
}

void write(const fs::path& path, std::string_view bytes) { std::ofstream(path, std::ios::binary) << bytes; }

} // namespace

class TestPieces : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void names_data();
    void names();
    void opens_data();
    void opens();
    void neverSavedInPlace();
    void pieceIsNoFile();
    void shortenedWhileOpen();
    void overwrittenWhileOpen();
    void tooLargeToCopy();
    void joins();
    void refusesToJoin();

private:
    [[nodiscard]] fs::path path(const std::string& name) const {
        return fs::path(m_folder->path().toStdString()) / name;
    }
    // Writes the pieces of a model, cut at these bytes.
    void cut(const std::vector<std::string>& pieces, const std::vector<std::uint64_t>& at) const {
        const std::string bytes = modelBytes();
        std::uint64_t begin = 0;
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            const std::uint64_t end = i < at.size() ? at[i] : bytes.size();
            write(path(pieces[i]), std::string_view(bytes).substr(begin, end - begin));
            begin = end;
        }
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestPieces::names_data() {
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<QString>("opened");
    QTest::addColumn<QString>("result"); // the whole and the pieces, or the error
    const auto row = [](const char* name, const QStringList& files, const char* opened, const char* result) {
        QTest::newRow(name) << files << QString::fromLatin1(opened) << QString::fromLatin1(result);
    };
    const QStringList letters{"m.gguf-split-a", "m.gguf-split-b", "m.gguf-split-c"};
    row("first of letters", letters, "m.gguf-split-a", "m.gguf: m.gguf-split-a m.gguf-split-b m.gguf-split-c");
    row("last of letters", letters, "m.gguf-split-c", "m.gguf: m.gguf-split-a m.gguf-split-b m.gguf-split-c");
    row("two letters", {"m.gguf-split-aa", "m.gguf-split-ab"}, "m.gguf-split-ab",
        "m.gguf: m.gguf-split-aa m.gguf-split-ab");
    row("counted", {"m.gguf.part1of2", "m.gguf.part2of2"}, "m.gguf.part2of2",
        "m.gguf: m.gguf.part1of2 m.gguf.part2of2");
    row("numbered", {"m.gguf.001", "m.gguf.002"}, "m.gguf.001", "m.gguf: m.gguf.001 m.gguf.002");
    row("safetensors", {"m.safetensors.001", "m.safetensors.002"}, "m.safetensors.001",
        "m.safetensors: m.safetensors.001 m.safetensors.002");
    row("the second letter is missing", {"m.gguf-split-a", "m.gguf-split-c"}, "m.gguf-split-c",
        "piece_missing m.gguf-split-b m.gguf");
    row("the first is missing", {"m.gguf.002"}, "m.gguf.002", "piece_missing m.gguf.001 m.gguf");
    row("alone", {"m.gguf-split-a"}, "m.gguf-split-a", "piece_missing m.gguf-split-b m.gguf");
    row("the counted last is missing", {"m.gguf.part1of3", "m.gguf.part2of3"}, "m.gguf.part1of3",
        "piece_missing m.gguf.part3of3 m.gguf");
    row("padded", {"m.gguf.part01of11"}, "m.gguf.part01of11", "piece_missing m.gguf.part02of11 m.gguf");
    row("no suffix", {"m-split-a", "m-split-b"}, "m-split-b", "m: m-split-a m-split-b");
    row("no suffix, counted", {"m.part1of2", "m.part2of2"}, "m.part1of2", "m: m.part1of2 m.part2of2");
    row("no suffix, alone", {"m-split-a"}, "m-split-a", "");
    row("a whole file", {"m.gguf"}, "m.gguf", "");
    row("a checkpoint with a number", {"checkpoint.001", "checkpoint.002"}, "checkpoint.001", "");
    row("a part of a GGML model", {"m.bin.1"}, "m.bin.1", "");
    row("a number of four digits", {"m.gguf.0001"}, "m.gguf.0001", "");
    row("number 0", {"m.gguf.000"}, "m.gguf.000", "");
    row("a part after the last", {"m.gguf.part3of2"}, "m.gguf.part3of2", "");
    row("part 0", {"m.gguf.part0of2"}, "m.gguf.part0of2", "");
    row("part of a huge number", {"m.gguf.part1of99999999999999999999"}, "m.gguf.part1of99999999999999999999", "");
    row("capital letters", {"m.gguf-split-A"}, "m.gguf-split-A", "");
    row("three letters", {"m.gguf-split-abc"}, "m.gguf-split-abc", "");
    row("a download", {"m.gguf.part"}, "m.gguf.part", "");
}

void TestPieces::names() {
    QFETCH(QStringList, files);
    QFETCH(QString, opened);
    QFETCH(QString, result);
    for (const QString& file : files) {
        write(path(file.toStdString()), "x");
    }
    const auto set = piecesOfFile(path(opened.toStdString()));
    QString found;
    if (!set) {
        found = errorOf(set.error());
        QCOMPARE(set.error().file, path(opened.toStdString()));
    } else if (*set) {
        found = QString::fromStdString((*set)->whole.filename().native()) + u':';
        for (const fs::path& piece : (*set)->pieces) {
            QCOMPARE(piece.parent_path(), path("").parent_path());
            found += u' ' + QString::fromStdString(piece.filename().native());
        }
    }
    QCOMPARE(found, result);
}

void TestPieces::opens_data() {
    QTest::addColumn<QList<quint64>>("at");
    QTest::newRow("at pages") << QList<quint64>{kPage, 3 * kPage};
    QTest::newRow("between pages") << QList<quint64>{100, kPage + 7};
    QTest::newRow("within one page") << QList<quint64>{5, 6};
    QTest::newRow("at and between pages") << QList<quint64>{kPage, kPage + 1};
    QTest::newRow("back to a page") << QList<quint64>{kPage - 1, 2 * kPage};
}

void TestPieces::opens() {
    QFETCH(QList<quint64>, at);
    const std::vector<std::string> pieces{"m.gguf-split-a", "m.gguf-split-b", "m.gguf-split-c"};
    cut(pieces, {at.begin(), at.end()});
    const std::string whole = modelBytes();
    for (const std::string& piece : pieces) {
        const auto model = openModel(path(piece));
        QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
        QVERIFY((*model)->findings.empty());
        QCOMPARE((*model)->path(), path(piece));
        QCOMPARE((*model)->files[0].path, path("m.gguf"));
        const auto bytes = (*model)->bytesOf((*model)->tensors[0]);
        QVERIFY(bytes);
        QCOMPARE(QByteArray(reinterpret_cast<const char*>(bytes->data()), static_cast<qsizetype>(bytes->size())),
                 QByteArray::fromStdString(whole.substr(whole.size() - 20'000)));
        QVERIFY(!(*model)->files[0].source->view({whole.size(), 1}));
    }
}

// Saving would write the whole model over a piece.
void TestPieces::neverSavedInPlace() {
    cut({"m.gguf.part1of2", "m.gguf.part2of2"}, {kPage});
    const auto model = openModel(path("m.gguf.part1of2"));
    QVERIFY(model);
    QVERIFY(!capabilitiesOf(**model).has(Capability::SaveInPlace));
    Document document(*model);
    QVERIFY(document.apply({SetKey{"general.name", OwnedValue(std::string_view("joined"))}}, "edit"));
    QCOMPARE(saveModel(**model, *document.current(), {}).error().code, ErrorCode::FormatReadOnly);
    QVERIFY(saveModelAs(*document.current(), {}, path("new.gguf")));
    const auto saved = openModel(path("new.gguf"));
    QVERIFY(saved);
    QCOMPARE((*saved)->metadata.string("general.name"), "joined");
    QCOMPARE(fs::file_size(path("m.gguf.part1of2")), kPage);
}

void TestPieces::pieceIsNoFile() {
    cut({"m.gguf-split-a", "m.gguf-split-c"}, {kPage});
    fs::create_directory(path("m.gguf-split-b"));
    QCOMPARE(errorOf(openModel(path("m.gguf-split-a")).error()), "is_directory");
    fs::remove(path("m.gguf-split-b"));
    write(path("m.gguf-split-b"), "");
    const auto empty = openModel(path("m.gguf-split-a"));
    QCOMPARE(errorOf(empty.error()), "empty_file");
    QCOMPARE(empty.error().file, path("m.gguf-split-b"));
}

void TestPieces::shortenedWhileOpen() {
    cut({"m.gguf.001", "m.gguf.002"}, {kPage});
    const auto model = openModel(path("m.gguf.002"));
    QVERIFY(model);
    QVERIFY(!(*model)->files[0].source->damage());
    fs::resize_file(path("m.gguf.002"), 10);
    const auto bytes = (*model)->bytesOf((*model)->tensors[0]);
    QVERIFY(bytes);
    QCOMPARE(bytes->back(), std::byte{0}); // read without a crash
    QCOMPARE((*model)->files[0].source->damage()->code, ErrorCode::FileChangedWhileReading);
}

void TestPieces::overwrittenWhileOpen() {
    cut({"m.gguf.001", "m.gguf.002"}, {kPage});
    const auto model = openModel(path("m.gguf.002"));
    QVERIFY(model);
    QVERIFY(keepDescription(**model).value_or(false));
    QVERIFY(!keepDescription(**model, 10).value_or(true)); // more than the limit
    const std::string name((*model)->tensors[0].name);
    write(path("m.gguf.001"), std::string(kPage, '#'));
    fs::last_write_time(path("m.gguf.001"), fs::last_write_time(path("m.gguf.002")) + std::chrono::seconds(2));
    QCOMPARE((*model)->tensors[0].name, std::string_view(name));
    QVERIFY(name.find('#') == std::string::npos);
    QCOMPARE((*model)->files[0].source->damage()->code, ErrorCode::FileChangedOnDisk);
    QCOMPARE(errorOf(keepDescription(**model).error()), "file_changed_on_disk opened_file");
}

void TestPieces::tooLargeToCopy() {
    write(path("m.gguf.001"), "x");
    write(path("m.gguf.002"), "");
    fs::resize_file(path("m.gguf.002"), JoinedFile::kMaxCopied + 1); // a hole, which takes no space
    QCOMPARE(errorOf(openModel(path("m.gguf.001")).error()), "not_supported pieces_not_pages");
}

void TestPieces::joins() {
    cut({"m.gguf-split-a", "m.gguf-split-b"}, {777});
    const auto set = piecesOfFile(path("m.gguf-split-b"));
    QVERIFY(set && *set);
    const auto report = joinPieces(**set, path("m.gguf"), {.verify = true});
    QVERIFY2(report, qPrintable(report ? QString() : errorOf(report.error())));
    const std::string whole = modelBytes();
    QCOMPARE(report->hashAfter, hexText(sha256(std::as_bytes(std::span(whole)))));
    QCOMPARE(report->files.at(0).plan.bytesAfter, whole.size());
    QVERIFY(readFile(path("m.gguf")) == FileBytes(whole.begin(), whole.end()));
    QVERIFY(openModel(path("m.gguf")));
    QVERIFY(joinPieces(**set, path("m.gguf"))); // replaces
}

void TestPieces::refusesToJoin() {
    cut({"m.gguf-split-a", "m.gguf-split-b"}, {777});
    const auto set = piecesOfFile(path("m.gguf-split-a"));
    QVERIFY(set && *set);
    QCOMPARE(errorOf(joinPieces(**set, path("m.gguf-split-b")).error()), "invalid_argument replaces_own_part");
    QCOMPARE(errorOf(joinPieces(**set, path("")).error()), "is_directory");
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(errorOf(joinPieces(**set, path("m.gguf"), {}, {.stop = stop.get_token()}).error()), "cancelled");
    QVERIFY(!fs::exists(path("m.gguf")));
    fs::remove(path("m.gguf-split-b"));
    QCOMPARE(errorOf(joinPieces(**set, path("m.gguf")).error()), "file_not_found");
}

GUFO_TEST(TestPieces)
#include "tst_pieces.moc"
