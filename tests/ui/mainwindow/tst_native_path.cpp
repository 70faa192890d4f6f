#include "formats/container/container.h"
#include "support/test_unit.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/native_path.h"

#include <QMimeData>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

#include <fstream>

using namespace gufo;
using namespace gufo::ui;

class TestNativePath : public QObject {
    Q_OBJECT

private slots:
    void keepsAnyBytes_data();
    void keepsAnyBytes();
    void readsDrops_data();
    void readsDrops();
    void namesForPeople();
    void collectsModelsOfFolders();
    void collectingStops();
    void filtersNameEveryContainerThatIsRead();
    void stampsTellChanges();
};

void TestNativePath::keepsAnyBytes_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("qt");
    QTest::newRow("plain") << QByteArray("/models/a.gguf") << true;
    QTest::newRow("UTF-8") << QByteArray("/m/größe 模型.gguf") << true;
    QTest::newRow("not UTF-8") << QByteArray("/m/\xFF\xFE\x80.gguf") << false;
    QTest::newRow("every byte") << [] {
        QByteArray all("/m/");
        for (int c = 1; c < 256; ++c) {
            if (c != '/') {
                all.append(static_cast<char>(c));
            }
        }
        return all;
    }() << false;
}

void TestNativePath::keepsAnyBytes() {
    QFETCH(QByteArray, bytes);
    QFETCH(bool, qt);
    const auto path = pathFromBytes(bytes);
    QCOMPARE(pathBytes(path), bytes);
    QCOMPARE(QByteArray::fromStdString(path.native()), bytes);
    QCOMPARE(pathBytes(decodePath(encodePath(path))), bytes);
    for (const QChar c : encodePath(path)) {
        QVERIFY(c.unicode() >= 0x20 && c.unicode() < 0x7F);
    }
    QCOMPARE(isQtPath(path), qt);
}

void TestNativePath::readsDrops_data() {
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<QByteArrayList>("paths");
    QTest::newRow("one") << QByteArray("file:///m/a.gguf\r\n") << QByteArrayList{"/m/a.gguf"};
    QTest::newRow("several, comment, an address, another scheme")
        << QByteArray("# models\r\nfile:///m/a%20b.gguf\r\nhttps://x/y.gguf\r\nftp://x/z.gguf\r\nfile:///m/c.gguf")
        << QByteArrayList{"/m/a b.gguf", "https://x/y.gguf", "/m/c.gguf"};
    QTest::newRow("not UTF-8") << QByteArray("file:///m/%FF%FE.gguf\n") << QByteArrayList{"/m/\xFF\xFE.gguf"};
    QTest::newRow("host") << QByteArray("file://localhost/m/a.gguf") << QByteArrayList{"/m/a.gguf"};
    QTest::newRow("no host part") << QByteArray("file:/m/a.gguf") << QByteArrayList{"/m/a.gguf"};
    QTest::newRow("host without path") << QByteArray("file://host") << QByteArrayList{};
    QTest::newRow("empty") << QByteArray() << QByteArrayList{};
}

void TestNativePath::readsDrops() {
    QFETCH(QByteArray, list);
    QFETCH(QByteArrayList, paths);
    QMimeData data;
    data.setData(QStringLiteral("text/uri-list"), list);
    QByteArrayList found;
    for (const hub::ModelPlace& place : placesOf(data)) {
        found << QByteArray::fromStdString(place.text());
    }
    QCOMPARE(found, paths);
}

void TestNativePath::namesForPeople() {
    QCOMPARE(modelNameText("/m/Qwen3.Q4_K_M.gguf"), QStringLiteral("Qwen3.Q4_K_M"));
    QCOMPARE(modelNameText("/m/big.GGUF"), QStringLiteral("big"));
    QCOMPARE(modelNameText("/m/.gguf"), QStringLiteral(".gguf"));
    QCOMPARE(modelNameText("/m/weights.dat"), QStringLiteral("weights.dat"));
    const std::filesystem::path manifests = "/home/me/.ollama/models/manifests";
    QCOMPARE(modelNameText(manifests / "registry.ollama.ai/library/llama3/8b"), QStringLiteral("llama3:8b"));
    QCOMPARE(modelNameText(manifests / "registry.ollama.ai/owl/night/latest"), QStringLiteral("owl/night:latest"));
    QCOMPARE(modelNameText(manifests / "hf.co/owl/night/Q4_K_M"), QStringLiteral("hf.co/owl/night:Q4_K_M"));
    QCOMPARE(modelNameText(manifests / "library/llama3/8b"), QStringLiteral("8b")); // not in the layout of a store
    QCOMPARE(fileNameText("/m/\xFF.gguf"), QStringLiteral("\\xFF.gguf"));
    QCOMPARE(absolutePath("/a/./b/../c.gguf"), std::filesystem::path("/a/c.gguf"));
    QCOMPARE(absolutePath("/a/folder/"), std::filesystem::path("/a/folder"));
    QCOMPARE(absolutePath("/"), std::filesystem::path("/"));
    QVERIFY(absolutePath("c.gguf").is_absolute());
}

void TestNativePath::collectsModelsOfFolders() {
    const QTemporaryDir dir;
    const std::filesystem::path root = dir.path().toStdString();
    std::filesystem::create_directories(root / "deep/deeper");
    std::filesystem::create_directories(root / "folder.gguf");
    for (const char* name : {"b.gguf", "a.GGUF", "note.txt", "deep/deeper/c.gguf", "deep/\xFF.gguf",
                             "set-00001-of-00003.gguf", "set-00002-of-00003.gguf", "set-00003-of-00003.gguf",
                             "set-00001-of-00002.gguf", "deep/set-00001-of-00003.gguf"}) {
        std::ofstream(root / name) << "x";
    }
    std::filesystem::create_directory_symlink(root, root / "deep/loop");
    const auto found = collectModelFiles({root, root / "note.txt", root / "absent.gguf"}, {});
    QVERIFY(found);
    const Places expected{root / "a.GGUF",
                          root / "b.gguf",
                          root / "deep/deeper/c.gguf",
                          root / "deep/set-00001-of-00003.gguf",
                          root / "deep/\xFF.gguf",
                          root / "set-00001-of-00002.gguf",
                          root / "set-00001-of-00003.gguf",
                          root / "note.txt", // selected explicitly, so it is not filtered by name
                          root / "absent.gguf"};
    const bool equal = *found == expected;
    std::filesystem::remove_all(root); // QTemporaryDir cannot remove names that are not UTF-8
    QVERIFY(equal);
}

void TestNativePath::filtersNameEveryContainerThatIsRead() {
    for (const Container& container : containers()) {
        for (const std::string_view suffix : container.suffixes) {
            const QString pattern = QStringLiteral("*") + QString::fromStdString(std::string(suffix));
            QCOMPARE(modelPatterns().split(u' ').count(pattern), 1);
            QVERIFY(openModelFilter().contains(pattern));
        }
    }
    QVERIFY(openModelFilter().endsWith(QStringLiteral(";;All files (*)")));
    Model model;
    QCOMPARE(saveModelSuffix(model), QString());
    model.container = "gguf";
    QCOMPARE(saveModelSuffix(model), QStringLiteral("gguf"));
    QCOMPARE(saveModelFilter(model), QStringLiteral("GGUF models (*.gguf *.GGUF);;All files (*)"));
}

void TestNativePath::collectingStops() {
    const QTemporaryDir dir;
    std::ofstream(dir.filePath("a.gguf").toStdString()) << "x";
    std::stop_source stop;
    stop.request_stop();
    const auto found = collectModelFiles({std::filesystem::path(dir.path().toStdString())}, {.stop = stop.get_token()});
    QVERIFY(!found);
    QCOMPARE(found.error().code, ErrorCode::Cancelled);
}

void TestNativePath::stampsTellChanges() {
    const QTemporaryDir dir;
    const std::filesystem::path file = dir.filePath("a.gguf").toStdString();
    QVERIFY(!stampOf(file));
    std::ofstream(file) << "x";
    const auto before = stampOf(file);
    QVERIFY(before);
    QVERIFY(stampOf(file) == before);
    std::ofstream(file, std::ios::app) << "y";
    QVERIFY(stampOf(file) != before);
}

GUFO_TEST(TestNativePath)
#include "tst_native_path.moc"
