// The table of containers: what each row recognises and does not recognise, and that its columns are consistent.
#include "document/document.h"
#include "document/open_model.h"
#include "formats/container/container.h"
#include "formats/container/model_saving.h"
#include "formats/save/journal.h"
#include "model/owned_value.h"
#include "support/gguf_builder.h"
#include "support/problem_names.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;
using std::string_literals::operator""s;

namespace {

struct Sample {
    const char* name;
    const char* id; // empty: not recognised by any row
    std::string bytes;
    const char* path = "";
};

std::string withLength(std::uint64_t length, const std::string& json) {
    GgufBytes out;
    out.number(length).text(json);
    return {reinterpret_cast<const char*>(out.bytes.data()), out.bytes.size()};
}

std::string zipEntry(const std::string& name) {
    GgufBytes out;
    out.text("PK\x03\x04").zeros(22).number(static_cast<std::uint16_t>(name.size())).zeros(2).text(name).zeros(50);
    return {reinterpret_cast<const char*>(out.bytes.data()), out.bytes.size()};
}

std::string tar(const std::string& magic) { return std::string(257, 'a') + magic + std::string(300, '\0'); }

// At least one sample for each row (checked by everyRowHasASample), and near misses.
std::vector<Sample> samples() {
    const std::string torch = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."s;
    return {
        {"GGUF", "gguf", "GGUF\3\0\0\0"s},
        {"GGUF, nothing but the magic", "gguf", "GGUF"},
        {"GGUF, one byte short", "text", "GGU"},
        {"GGUF in lower case", "text", "gguf"},
        {"GGUF, not at the start", "", "\0GGUF\3\0\0\0"s},
        {"unfinished GGUF", "gguf_unfinished", "gufo\3\0\0\0"s},
        {"unfinished GGUF, cut", "text", "guf"},
        {"unfinished safetensors", "safetensors_unfinished", withLength(~std::uint64_t{0}, "{\"a\":{}}")},
        {"Git LFS pointer", "git_lfs", "version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 4\n"},
        {"another version line", "text", "version https://example.org/spec/v1\n"},
        {"GGML", "ggml", "lmgg\1\0\0\0"s},
        {"Silero", "silero_vad", "lmgg\x0a\0\0\0silero-16k\6\0\0\0"s},
        {"GGML, another name", "ggml", "lmgg\x0a\0\0\0silera-16k\6\0\0\0"s},
        {"GGML, big-endian", "", "ggml\1\0\0\0"s},
        {"GGMF", "ggmf", "fmgg\1\0\0\0"s},
        {"GGJT", "ggjt", "tjgg\3\0\0\0"s},
        {"GGLA", "ggla", "algg\1\0\0\0"s},
        {"PyTorch", "pytorch_zip", zipEntry("archive/data.pkl")},
        {"PyTorch by its version entry", "pytorch_zip", zipEntry("archive/.format_version")},
        {"a ZIP with a pickle in no folder", "zip", zipEntry("data.pkl")},
        {"ZIP", "zip", zipEntry("word/document.xml")},
        {"ZIP without entries", "zip", "PK\5\6"s + std::string(18, '\0')},
        {"ZIP, cut", "zip", "PK\3\4\x14\0"s},
        {"ZIP, a name longer than the file", "zip", zipEntry("a/data.pkl").substr(0, 34)},
        {"ZIP, central directory first", "", "PK\1\2"s + std::string(18, '\0')},
        {"HDF5", "hdf5", "\x89HDF\r\n\x1a\n\0"s},
        {"HDF5 with line ends converted", "", "\x89HDF\n\x1a\n\0"s},
        {"NumPy", "numpy", "\x93NUMPY\1\0"s},
        {"NumPy, cut", "", "\x93NUMP"s},
        {"TensorFlow Lite", "tflite", "\x1c\0\0\0TFL3\0\0"s},
        {"TensorFlow Lite at the start", "", "TFL3\x1c\0\0\0\0\0"s},
        {"tar", "tar", tar("ustar\00000"s)},
        {"tar of PyTorch", "pytorch_tar",
         "sys_info" + std::string(249, '\0') + "ustar\00000"s + std::string(300, '\0')},
        {"tar of PyTorch, extended header first", "pytorch_tar",
         "PaxHeader" + std::string(248, '\0') + "ustar\00000"s + std::string(759, '\0') + "storages" +
             std::string(249, '\0') + "ustar\00000"s},
        {"tar of before POSIX", "", tar(std::string(8, '\0'))},
        {"gzip", "gzip", "\x1f\x8b\x08\0"s},
        {"zstd", "zstd", "\x28\xb5\x2f\xfd\0"s},
        {"xz", "xz", "\xfd\x37zXZ\0\0"s},
        {"bzip2", "bzip2", "BZh91AY&SY"},
        {"lz4", "lz4", "\x04\x22\x4d\x18\x60"},
        {"7-Zip", "7z", "7z\xbc\xaf\x27\x1c\0"s},
        {"safetensors", "safetensors", withLength(20, "{\"__metadata__\":{}}  ")},
        {"safetensors without tensors", "safetensors", withLength(2, "{}")},
        {"safetensors, header longer than the file", "safetensors", withLength(2'000, "{\"a\":{}}")},
        {"safetensors, header of 2^64 - 8", "safetensors", withLength(~std::uint64_t{7}, "{\"a\":{\"dtype\":0}}")},
        {"a brace after a number", "", withLength(~std::uint64_t{7}, "{\"a\":{}}")},
        {"safetensors, header of a number", "", withLength(3, "{1}")},
        {"legacy PyTorch", "pytorch_legacy", torch},
        {"a pickle of another long", "pickle", "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x20."s},
        {"pickle", "pickle", "\x80\x04\x95\x0b\0\0\0"s},
        {"pickle of protocol 1", "", "\x80\x01\x95\x0b"s},
        {"ONNX", "onnx", "\x08\x07\x12\x07pytorch\x1a\x03"s},
        {"ONNX without producer", "onnx", "\x08\x07\x3a\x20\x0a\x05"s},
        {"ONNX, producer past the end", "", "\x08\x07\x12\x60pytorch"s},
        {"HTML", "html", "\n<!DOCTYPE html><html><body>Not Found</body></html>"},
        {"HTML with BOM", "html", "\xEF\xBB\xBF<HTML>"},
        {"a tag of no page", "text", "<htm"},
        {"XML", "xml", "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>"},
        {"manifest of Ollama", "ollama_manifest", R"({"layers":[{"mediaType":"application/vnd.ollama.image.model"}]})"},
        {"error as JSON", "json_error", R"({"error":"Repository not found"})"},
        {"error in an object", "json_error", R"({"statusCode":404,"error":{"message":"gone"}})"},
        {"errors as a list", "json_error", R"({"errors":[{"code":"DENIED"}]})"},
        {"JSON", "json", R"({"model_type":"llama"})"},
        {"JSON that is cut off", "json", R"({"error":"Rep)"},
        {"JSON list", "json", "  [1, 2]"},
        {"list of shards", "shard_index", "{\"weight_map\": {}}", "a.safetensors.index.json"},
        {"list of shards that is no JSON", "text", "weight_map", "a.index.json"},
        {"JSON of nothing", "json", "{ }"},
        {"section of an INI file", "text", "[Desktop Entry]"},
        {"one letter", "text", "x"},
        {"Jinja", "text", "{% for message in messages %}"},
        {"text", "text", "Once upon a time\n"},
        {"error as text", "text_error", "Entry not found\n"},
        {"a long text of what was not found", "text", "It was not found. " + std::string(600, 'a')},
        {"download of Firefox", "unfinished_download", "GGUF\3\0\0\0"s, "m.gguf.part"},
        {"download of Chrome", "unfinished_download", std::string(20, '\0'), "m.gguf.crdownload"},
        {"download of a hub", "unfinished_download", "GGUF\3\0\0\0"s, "blobs/abc.incomplete"},
        {"download of LM Studio", "unfinished_download", "GGUF\3\0\0\0"s, "M.GGUF.downloadInProgress"},
        {"the suffix of a download alone", "gguf", "GGUF\3\0\0\0"s, ".part"},
        {"text with a NUL", "", "Entry\0not found"s},
        {"text that is not UTF-8", "", "caf\xe9 au lait"s},
        {"noise", "", "\xf3\x01\x99\xc2\0\x07\x88\x12\xde\xad"s},
        {"zeros", "", std::string(5'000, '\0')},
    };
}

std::shared_ptr<const ByteSource> sourceOf(const std::string& bytes, const fs::path& path = {}) {
    const auto* from = reinterpret_cast<const std::byte*>(bytes.data());
    return std::make_shared<MemorySource>(std::vector<std::byte>(from, from + bytes.size()), path);
}

QString idOf(const Container* container) { return container != nullptr ? text(container->id) : QString(); }

void eachRow() {
    QTest::addColumn<const Container*>("container");
    for (const Container& container : containers()) {
        QTest::newRow(std::string(container.id).c_str()) << &container;
    }
}

} // namespace

class TestFormat : public QObject {
    Q_OBJECT

private slots:
    void detects_data();
    void detects();
    void everyRowHasASample_data() { eachRow(); }
    void everyRowHasASample();
    void columnsAgree_data() { eachRow(); }
    void columnsAgree();
    void idsAreUnique();
    void refusesWhatIsOnlyRecognised_data() { eachRow(); }
    void refusesWhatIsOnlyRecognised();
    void saysWhatADownloadLeft_data();
    void saysWhatADownloadLeft();
    void damageComesFirst();
    void choosesByName_data();
    void choosesByName();
    void filesOfASet();
    void readersNameTheirContainer();
    void aModelOfNoFileCanDoNothing();
    void aDocumentAsksItsContainer_data();
    void aDocumentAsksItsContainer();
    void savingAsksTheContainer();
    void capabilitiesAreASet();
};

void TestFormat::detects_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("path");
    for (const Sample& sample : samples()) {
        QTest::newRow(sample.name) << QByteArray::fromStdString(sample.bytes) << QString::fromLatin1(sample.id)
                                   << QString::fromLatin1(sample.path);
    }
}

void TestFormat::detects() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, id);
    QFETCH(QString, path);
    QCOMPARE(idOf(detectContainer(*sourceOf(bytes.toStdString(), path.toStdString()))), id);
    // Reading a truncated file must not go past its end.
    for (qsizetype length = 0; length < std::min<qsizetype>(bytes.size(), 300); ++length) {
        (void)detectContainer(*sourceOf(bytes.left(length).toStdString(), path.toStdString()));
    }
}

void TestFormat::everyRowHasASample() {
    QFETCH(const Container*, container);
    const auto all = samples();
    QVERIFY(std::ranges::any_of(all, [&](const Sample& sample) { return sample.id == container->id; }));
}

void TestFormat::columnsAgree() {
    QFETCH(const Container*, container);
    const Capabilities can = container->capabilities;
    QCOMPARE(container->name.empty(), !container->readable());
    QCOMPARE(container->format.empty(), !container->readable());
    QVERIFY(container->readable() || container->readPart == nullptr);
    // What a name of two rows stands for is the same in both.
    QVERIFY(std::ranges::all_of(containers(), [&](const Container& other) {
        return (other.name == container->name) == (other.format == container->format);
    }));
    // A row has exactly one way of detection; with none it would recognise every file.
    QCOMPARE(container->magic.empty(), container->matches != nullptr);
    QVERIFY(container->readable() || can.empty());
    QVERIFY(container->readable() || (container->suffixes.empty() && container->folderFiles.empty()));
    QVERIFY(!container->readable() || container->refuse == nullptr);
    // What can be edited can be saved, and what can be saved has the functions for it.
    const bool edits = can.has(Capability::EditMetadata) || can.has(Capability::EditTensors);
    QVERIFY(!edits || can.has(Capability::SaveAs));
    QCOMPARE(container->saving.saveAs != nullptr, can.has(Capability::SaveAs));
    const bool inPlace = can.has(Capability::SaveInPlace);
    QVERIFY(!inPlace || can.has(Capability::SaveAs));
    QCOMPARE(container->saving.plan != nullptr, inPlace);
    QCOMPARE(container->saving.save != nullptr, inPlace);
    QCOMPARE(!container->saving.strategies.empty(), inPlace);
    QVERIFY(std::ranges::find(container->saving.strategies, SaveStrategy::Unchanged) ==
            container->saving.strategies.end());
    for (const std::string_view suffix : container->suffixes) {
        QVERIFY(suffix.starts_with('.'));
        QVERIFY(std::ranges::none_of(suffix, [](char c) { return c >= 'A' && c <= 'Z'; }));
        const std::string name = "model" + std::string(suffix);
        QCOMPARE(suffixIn(name, *container), suffix);
        // A row of the same suffix may come before it.
        const Container* byName = containerByName(name);
        QVERIFY(byName <= container && suffixIn(name, *byName) == suffix);
    }
    for (const std::string_view file : container->folderFiles) {
        QVERIFY(file.find('/') == std::string_view::npos);
    }
}

void TestFormat::idsAreUnique() {
    std::set<std::string_view> ids;
    for (const Container& container : containers()) {
        QVERIFY2(ids.insert(container.id).second, std::string(container.id).c_str());
        QCOMPARE(findContainer(container.id), &container);
    }
    QCOMPARE(findContainer("no such"), nullptr);
    QCOMPARE(findContainer(""), nullptr);
}

void TestFormat::refusesWhatIsOnlyRecognised() {
    QFETCH(const Container*, container);
    const fs::path path = "folder/some.bin";
    for (const Sample& sample : samples()) {
        if (sample.id != container->id || container->readable()) {
            continue;
        }
        if (container->refuse == nullptr) {
            const auto read = readModel(sourceOf(sample.bytes, path));
            QVERIFY(!read);
            QCOMPARE(read.error().file, path);
            QCOMPARE(read.error().code, ErrorCode::OtherFormat);
            QCOMPARE(read.error().args, Arguments{container->id});
        } else {
            const auto named = sourceOf(sample.bytes, sample.path);
            const Error error = container->refuse(*startOf(*named));
            QCOMPARE(readModel(named).error().code, error.code);
            QCOMPARE(error.file, fs::path(sample.path));
            QVERIFY(!error.args.at(0).text().empty());
        }
    }
    const auto unknown = readModel(sourceOf(std::string(20, '\0'), path));
    QCOMPARE(unknown.error().code, ErrorCode::NotAModel);
    QCOMPARE(unknown.error().args, Arguments{"00 00 00 00 00 00 00 00"s});
    QCOMPARE(readModel(sourceOf("gufo\3\0\0\0"s, path)).error().code, ErrorCode::SaveInterrupted);
}

void TestFormat::saysWhatADownloadLeft_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const std::string& bytes, const char* path, const char* error) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString::fromLatin1(path)
                            << QString::fromUtf8(error);
    };
    const std::string pointer = "version https://git-lfs.github.com/spec/v1\n";
    row("pointer", pointer + "oid sha256:4d7a\nsize 4109854528\n", "m.gguf", "lfs_pointer 4109854528 sha256:4d7a");
    row("pointer with line ends of Windows", pointer + "oid sha256:4d7a\r\nsize 12\r\n", "m.gguf",
        "lfs_pointer 12 sha256:4d7a");
    row("pointer that is cut off", pointer, "m.gguf", "lfs_pointer 0 ");
    row("pointer of a size that is no number", pointer + "oid sha256:4d7a\nsize x\n", "m.gguf",
        "lfs_pointer 0 sha256:4d7a");
    row("unfinished", "GGUF", "folder/m.gguf.Part", "unfinished_download m.gguf");
    row("page with a title", "<!DOCTYPE html><html><head><TITLE class=x>\n 404 –  Not found</title>", "m.gguf",
        "server_reply 404 – Not found");
    row("page without a title", "<html><body><h1>Sorry</h1>, gone", "m.gguf", "server_reply Sorry , gone");
    row("page that is cut off", "<html><head><title>Sig", "m.gguf", "server_reply Sig");
    row("store", "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code><Message>Expired</Message></Error>", "m.gguf",
        "server_reply Expired");
    row("store without a message", "<?xml version=\"1.0\"?><Error><Code>NoSuchKey</Code></Error>", "m.gguf",
        "server_reply NoSuchKey");
    row("another XML document", "<?xml version=\"1.0\"?><svg/>", "m.gguf", "other_format xml");
    row("JSON", R"({"error":"Invalid\tname\n"})", "m.gguf", "server_reply Invalid name");
    row("JSON without words", R"({"error":404})", "m.gguf", "server_reply ");
    row("JSON with much to say", R"({"error":")" + std::string(300, 'x') + R"("})", "m.gguf",
        ("server_reply " + std::string(200, 'x')).c_str());
    row("text", "Entry not found\n", "m.gguf", "server_reply Entry not found");
}

void TestFormat::saysWhatADownloadLeft() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, path);
    QFETCH(QString, error);
    const auto read = readModel(sourceOf(bytes.toStdString(), path.toStdString()));
    QVERIFY(!read);
    QString found = text(errorName(read.error().code));
    for (const Argument& argument : read.error().args) {
        found += u' ' + QString::fromStdString(argument.text());
    }
    QCOMPARE(found, error);
    QCOMPARE(read.error().file, fs::path(path.toStdString()));
}

// A file that is truncated during detection reads as zeros and must not be taken for another format.
void TestFormat::damageComesFirst() {
    class Damaged final : public ByteSource {
    public:
        [[nodiscard]] std::uint64_t size() const override { return 4; }
        [[nodiscard]] Result<Bytes> view(ByteRange range) const override {
            return Bytes(m_bytes).subspan(range.offset, range.length);
        }
        [[nodiscard]] std::optional<Error> damage() const override {
            return Error{ErrorCode::FileChangedWhileReading, m_path, {}, {}, 0};
        }
        [[nodiscard]] const fs::path& path() const override { return m_path; }

    private:
        std::array<std::byte, 4> m_bytes{std::byte{'t'}, std::byte{'e'}, std::byte{'x'}, std::byte{'t'}};
        fs::path m_path = "cut.gguf";
    };
    QCOMPARE(readModel(std::make_shared<Damaged>()).error().code, ErrorCode::FileChangedWhileReading);
}

void TestFormat::choosesByName_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("id");
    QTest::newRow("GGUF") << "model.gguf" << "gguf";
    QTest::newRow("upper case") << "MODEL.GGUF" << "gguf";
    QTest::newRow("shard") << "m-00001-of-00002.gguf" << "gguf";
    QTest::newRow("the suffix alone") << ".gguf" << "";
    QTest::newRow("within the name") << "m.gguf.part" << "";
    QTest::newRow("without the dot") << "gguf" << "";
    QTest::newRow("empty") << "" << "";
}

void TestFormat::choosesByName() {
    QFETCH(QString, name);
    QFETCH(QString, id);
    QCOMPARE(idOf(containerByName(name.toStdString())), id);
}

void TestFormat::filesOfASet() {
    const auto setOf = [](const char* name) { return findContainer("gguf")->setOf(name); };
    QVERIFY(setOf("m-00001-of-00003.gguf"));
    QCOMPARE(setOf("m-00001-of-00003.gguf"), setOf("m-00003-of-00003.gguf"));
    QVERIFY(setOf("m-00001-of-00003.gguf") != setOf("m-00001-of-00002.gguf"));
    QVERIFY(setOf("m-00001-of-00003.gguf") != setOf("n-00001-of-00003.gguf"));
    QVERIFY(!setOf("m.gguf"));
    QVERIFY(!setOf("m-00004-of-00003.gguf"));
}

void TestFormat::readersNameTheirContainer() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    GgufBuilder().key("general.architecture", "llama").write(root / "one.gguf");
    GgufBuilder().key("split.count", std::uint16_t{2}).write(root / "m-00001-of-00002.gguf");
    GgufBuilder().key("split.count", std::uint16_t{2}).write(root / "m-00002-of-00002.gguf");
    for (const char* name : {"one.gguf", "m-00002-of-00002.gguf"}) {
        const auto model = openModel(root / name);
        QVERIFY(model);
        QCOMPARE(text((*model)->container), "gguf");
        QCOMPARE(containerOf(**model), findContainer("gguf"));
        QCOMPARE(text(containerName(**model)), "GGUF");
        Document document(*model);
        QVERIFY(document.apply({SetKey{"a.b", OwnedValue(std::uint32_t{1})}}, "edit"));
        QCOMPARE(text(document.current()->container), "gguf"); // a snapshot has the same container
    }
}

void TestFormat::aModelOfNoFileCanDoNothing() {
    Model model;
    model.files.push_back({.path = "memory"});
    QCOMPARE(containerOf(model), nullptr);
    QVERIFY(containerName(model).empty());
    QVERIFY(capabilitiesOf(model).empty());
    for (const Capability capability : {Capability::EditMetadata, Capability::EditTensors, Capability::SaveInPlace,
                                        Capability::SaveAs, Capability::Convert}) {
        QCOMPARE(requireCapability(model, capability).error().code, ErrorCode::FormatReadOnly);
    }
    model.container = "no such";
    QCOMPARE(containerOf(model), nullptr);
}

void TestFormat::aDocumentAsksItsContainer_data() {
    QTest::addColumn<bool>("tensor");
    QTest::newRow("a key") << false;
    QTest::newRow("a tensor") << true;
}

void TestFormat::aDocumentAsksItsContainer() {
    QFETCH(bool, tensor);
    const auto read = readModel(sourceOf(
        [] {
            GgufBuilder builder;
            builder.key("a.b", std::uint32_t{1}).tensor("t", kF32, {8});
            const auto bytes = builder.build();
            return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        }(),
        "m.gguf"));
    QVERIFY(read);
    const std::vector<Change> changes{tensor ? Change(DeleteTensor{"t"}) : Change(DeleteKey{"a.b"})};
    Document gguf(*read);
    QCOMPARE(gguf.capabilities(), findContainer("gguf")->capabilities);
    QVERIFY(gguf.apply(changes, "edit"));

    auto other = std::make_shared<Model>(**read);
    other->container = "ggml";
    Document readOnly(other);
    QCOMPARE(readOnly.capabilities(), findContainer("ggml")->capabilities);
    const auto refused = readOnly.apply(changes, "edit");
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::FormatReadOnly);
    QVERIFY(!readOnly.isModified());
}

void TestFormat::savingAsksTheContainer() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    GgufBuilder().key("general.name", "before").write(root / "m.gguf");
    const auto base = openModel(root / "m.gguf");
    QVERIFY(base);
    QCOMPARE(saveStrategies(**base).size(), 4U);
    QVERIFY(planModelSave(**base, **base, {}));
    QVERIFY(saveModelAs(**base, {}, root / "copy.gguf"));
    QVERIFY(fs::exists(root / "copy.gguf"));

    Model other = **base;
    other.container = "";
    QVERIFY(saveStrategies(other).empty());
    QCOMPARE(planModelSave(other, other, {}).error().code, ErrorCode::FormatReadOnly);
    QCOMPARE(saveModel(other, other, {}).error().code, ErrorCode::FormatReadOnly);
    QCOMPARE(saveModelAs(other, {}, root / "other.gguf").error().code, ErrorCode::FormatReadOnly);
    QVERIFY(!fs::exists(root / "other.gguf"));
    QCOMPARE(recoverModel(root / "m.gguf").value(), Recovery::NotNeeded);
    QCOMPARE(recoverModel(root / "absent.gguf").error().code, ErrorCode::FileNotFound);
}

void TestFormat::capabilitiesAreASet() {
    constexpr Capabilities capabilities{Capability::SaveAs, Capability::EditTensors};
    QVERIFY(capabilities.has(Capability::SaveAs));
    QVERIFY(capabilities.has(Capability::EditTensors));
    QVERIFY(!capabilities.has(Capability::EditMetadata));
    QVERIFY(!capabilities.has(Capability::SaveInPlace));
    QVERIFY(!capabilities.empty());
    QVERIFY(Capabilities().empty());
    QVERIFY((capabilities == Capabilities{Capability::EditTensors, Capability::SaveAs}));
    QVERIFY((capabilities != Capabilities{Capability::EditTensors}));
}

GUFO_TEST(TestFormat)
#include "tst_format.moc"
