// Where a model lies: what a text means that enters the program, and what is kept and shown of it.
#include "document/open_model.h"
#include "hub/model_place.h"
#include "support/test_unit.h"

using namespace gufo;
using namespace gufo::hub;

namespace {

QByteArray bytes(const std::string& text) { return QByteArray::fromStdString(text); }

QByteArray kindOf(const ModelPlace& place) {
    const int kinds = (place.localPath() != nullptr ? 1 : 0) + (place.url() != nullptr ? 1 : 0) +
                      (place.hubName() != nullptr ? 1 : 0);
    return kinds != 1 ? "not exactly one kind" : place.isLocal() ? "path" : place.url() != nullptr ? "url" : "name";
}

} // namespace

class TestModelPlace : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        for (const char* variable : {"HF_ENDPOINT", "MODELSCOPE_ENDPOINT", "GUFO_OLLAMA_ENDPOINT"}) {
            qunsetenv(variable);
        }
    }

    void textsAreParsed_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QByteArray>("kept");
        QTest::addColumn<QByteArray>("fileName");
        QTest::addColumn<QByteArray>("contacted");
        QTest::addColumn<bool>("isRepository");
        const auto row = [](const char* text, const char* kind, const char* kept, const char* fileName,
                            const char* contacted, bool isRepository = false) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(kind) << QByteArray(kept) << QByteArray(fileName)
                                << QByteArray(contacted) << isRepository;
        };
        const char* hf = "https://huggingface.co";
        row("/models/m.gguf", "path", "/models/m.gguf", "m.gguf", "");
        row("/models/what?#.gguf", "path", "/models/what?#.gguf", "what?#.gguf", "");
        row("/models/\xFF\xFE.gguf", "path", "/models/\xFF\xFE.gguf", "\xFF\xFE.gguf", "");
        row("m.gguf", "path", "m.gguf", "m.gguf", "");
        row("owl/night", "path", "owl/night", "night", ""); // a mistyped path is never sent to a server
        row("./a://m.gguf", "path", "./a://m.gguf", "m.gguf", "");
        row("://m.gguf", "path", "://m.gguf", "m.gguf", "");
        row("C://m.gguf", "path", "C://m.gguf", "m.gguf", "");
        row("", "path", "", "", "");
        row("https://example.org/a/b%20c.gguf?Signature=x#y", "url", "https://example.org/a/b%20c.gguf", "b c.gguf",
            "https://example.org/a/b%20c.gguf?Signature=x#y");
        row("https://owl:word@example.org/m.gguf", "url", "https://example.org/m.gguf", "m.gguf",
            "https://owl:word@example.org/m.gguf");
        row("ftp://example.org/m.gguf", "url", "ftp://example.org/m.gguf", "m.gguf", "ftp://example.org/m.gguf");
        row("file:///m.gguf", "url", "file:///m.gguf", "m.gguf", "file:///m.gguf");
        row("hf.co/owl/night", "name", "hf.co/owl/night", "night", hf, true);
        row("hf.co/owl/night:Q8_0", "name", "hf.co/owl/night:Q8_0", "night:Q8_0", hf);
        row("hf.co/owl/night/a/m.gguf", "name", "hf.co/owl/night/a/m.gguf", "m.gguf", hf);
        row("https://huggingface.co/owl/night/tree/main", "name", "https://huggingface.co/owl/night/tree/main", "main",
            hf, true);
        row("https://huggingface.co/owl/night/blob/main/m.gguf?download=true", "name",
            "https://huggingface.co/owl/night/blob/main/m.gguf", "m.gguf", hf);
        row("modelscope.cn/models/owl/night", "name", "modelscope.cn/models/owl/night", "night",
            "https://modelscope.cn", true);
        row("ollama.com/library/night:8b", "name", "ollama.com/library/night:8b", "night:8b",
            "https://registry.ollama.ai");
    }
    void textsAreParsed() {
        QFETCH(QByteArray, text);
        const ModelPlace place = ModelPlace::parse(text.toStdString());
        QCOMPARE(bytes(place.text()), text);
        QTEST(kindOf(place), "kind");
        QTEST(bytes(place.keptText()), "kept");
        QTEST(bytes(place.fileName()), "fileName");
        QTEST(bytes(place.contactedAddress()), "contacted");
        QTEST(place.isRepository(), "isRepository");
        // What is kept means the same at the next start.
        QCOMPARE(kindOf(place.kept()), kindOf(place));
        QCOMPARE(place.kept(), ModelPlace::parse(place.keptText()));
        QCOMPARE(place.kept().kept(), place.kept());
    }

    void typedTextsAreAddressesOrNames_data() {
        QTest::addColumn<QByteArray>("typed");
        QTest::addColumn<QByteArray>("kind"); // empty: none of them
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char* typed, const char* kind, const char* text) {
            QTest::newRow(typed) << QByteArray(typed) << QByteArray(kind) << QByteArray(text);
        };
        row("owl/night", "name", "hf.co/owl/night");
        row("owl/night:Q8_0", "name", "hf.co/owl/night:Q8_0");
        row("hf.co/owl/night", "name", "hf.co/owl/night");
        row("https://huggingface.co/owl/night", "name", "https://huggingface.co/owl/night");
        row("http://example.org/m.gguf?key=1", "url", "http://example.org/m.gguf?key=1");
        row("ftp://example.org/m.gguf", "", "");
        row("example.org/m.gguf", "", "");
        row("m.gguf", "", "");
        row("/models/m.gguf", "", "");
        row("", "", "");
    }
    void typedTextsAreAddressesOrNames() {
        QFETCH(QByteArray, typed);
        const auto place = ModelPlace::parseTyped(typed.toStdString());
        QTEST(place ? kindOf(*place) : QByteArray(), "kind");
        QTEST(place ? bytes(place->text()) : QByteArray(), "text");
    }

    void linksMeanModels_data() {
        QTest::addColumn<bool>("isModel");
        QTest::newRow("https://huggingface.co/owl/night") << true;
        QTest::newRow("https://example.org/m.gguf?key=1") << true;
        QTest::newRow("https://example.org/m%2Esafetensors") << true;
        QTest::newRow("https://example.org/page.html") << false;
        QTest::newRow("ftp://example.org/m.gguf") << false;
        QTest::newRow("file:///m.gguf") << false; // a file, not a link
        QTest::newRow("m.gguf") << false;
    }
    void linksMeanModels() {
        const char* link = QTest::currentDataTag();
        const auto place = ModelPlace::parseLink(link);
        QTEST(place.has_value(), "isModel");
        QCOMPARE(place ? place->text() : link, link);
    }

    // The endpoint of a mirror is the hub as long as the environment names it.
    void aMirrorIsTheHub() {
        constexpr const char* kText = "http://127.0.0.1:8080/owl/night";
        QCOMPARE(kindOf(ModelPlace::parse(kText)), "url");
        qputenv("HF_ENDPOINT", "http://127.0.0.1:8080/");
        const ModelPlace place = ModelPlace::parse(kText);
        const std::string contacted = place.contactedAddress();
        qunsetenv("HF_ENDPOINT");
        QCOMPARE(kindOf(place), "name");
        QVERIFY(place.isRepository());
        QCOMPARE(contacted, "http://127.0.0.1:8080");
        QCOMPARE(place.text(), kText);
    }

    void onlyAFileAtARevisionNeedsNoLookup() {
        const auto isFile = [](const char* text) { return ModelPlace::parse(text).hubName()->isFileAddress(); };
        QVERIFY(isFile("https://huggingface.co/owl/night/resolve/main/m.gguf"));
        QVERIFY(isFile("https://huggingface.co/owl/night/blob/0a1b/a/m.gguf?download=true"));
        QVERIFY(!isFile("https://huggingface.co/owl/night/m.gguf")); // of which revision?
        QVERIFY(!isFile("https://huggingface.co/owl/night/tree/main"));
        QVERIFY(!isFile("hf.co/owl/night/resolve/main/m.gguf")); // no address
        QVERIFY(!isFile("hf.co/owl/night:Q8_0"));
    }

    void equalTextsOfOtherKindsDiffer() {
        const ModelPlace name = ModelPlace::parse("hf.co/owl/night");
        const std::filesystem::path path = "hf.co/owl/night";
        QVERIFY(name != path);
        QVERIFY(ModelPlace(path) == path);
        QVERIFY(ModelPlace::parse("https://example.org/m.gguf") != std::filesystem::path("https://example.org/m.gguf"));
        QVERIFY(name == ModelPlace(HubName::of({.repository = "owl/night"})));
        QVERIFY(name !=
                ModelPlace::parse("https://huggingface.co/owl/night")); // another tab, as it was typed otherwise
    }

    // A path is opened as a path, whatever it looks like, and an address is never looked for on the disk.
    void openingHasABranchForEach() {
        const auto codeOf = [](const auto& where) {
            const auto model = openModel(where);
            return model ? ErrorCode() : model.error().code;
        };
        QCOMPARE(codeOf(std::filesystem::path("ftp://example.org/m.gguf")), ErrorCode::FileNotFound);
        QCOMPARE(codeOf(std::filesystem::path("hf.co/owl/night")), ErrorCode::FileNotFound);
        QCOMPARE(codeOf(ModelPlace::parse("/no/such/folder/m.gguf")), ErrorCode::FileNotFound);
        QCOMPARE(codeOf(ModelPlace::parse("ftp://example.org/m.gguf")), ErrorCode::AddressRefused);
        QCOMPARE(codeOf(ModelPlace::parse("http://owl.example.org/m.gguf")), ErrorCode::AddressRefused);
    }
};

GUFO_TEST(TestModelPlace)
#include "tst_model_place.moc"
