// Reading and writing reproduces every model of the repository byte by byte: unchanged, after an edit that is reverted,
// converted to the other byte order and back, split and merged.
#include "document/open_model.h"
#include "formats/gguf/read/shards.h"
#include "formats/gguf/write/save.h"
#include "formats/gguf/write/split.h"
#include "support/gguf_builder.h"
#include "support/model_files.h"
#include "support/save_helpers.h"
#include "support/test_unit.h"
#include "tensor/decode.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <ranges>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

#define VERIFY_DONE(result) QVERIFY2(result, describe(result).c_str())

class TestRoundTrips : public QObject {
    Q_OBJECT

private slots:
    void models() { addModelRows({"models", "vocab", "legacy"}); }
    void unchanged_data() { models(); }
    void unchanged();
    void setAndUndo_data() { models(); }
    void setAndUndo();
    void bigEndianAndBack_data() { models(); }
    void bigEndianAndBack();
    void splitAndMerge_data() { models(); }
    void splitAndMerge();
    void everyTensorTypeBigEndianAndBack();
    void refusesWhatCannotBeRight();
    void splitsAsAsked();
    void metadataFirst();
    void versions();

private:
    fs::path in(const char* name) const { return fs::path(m_folder.path().toStdString()) / name; }
    QTemporaryDir m_folder{"/var/tmp/gufo-round-XXXXXX"};
};

#define OPEN_MODEL()                                                                                                   \
    QFETCH(QString, path);                                                                                             \
    GUFO_SKIP_IF_ABSENT(path);                                                                                         \
    const fs::path source = path.toStdString();                                                                        \
    const FileBytes before = readFile(source);                                                                         \
    const auto model = openModel(source).value();                                                                      \
    const SaveTarget target { .version = model->version, .byteOrder = model->byteOrder }

void TestRoundTrips::unchanged() {
    OPEN_MODEL();
    VERIFY_DONE(gguf::saveAs(*model, target, in("unchanged.gguf")));
    QVERIFY(readFile(in("unchanged.gguf")) == before);
}

void TestRoundTrips::setAndUndo() {
    OPEN_MODEL();
    const fs::path file = in("edited.gguf");
    writeFile(file, before);
    const auto base = openModel(file).value();
    const std::string text(20'000, 'x');
    VERIFY_DONE(gguf::save(*base, ModelEdit(*base).set("test.text", std::string_view(text)).model(), target));
    const auto edited = openModel(file).value();
    QCOMPARE(edited->metadata.string("test.text"), std::string_view(text));
    VERIFY_DONE(gguf::save(*edited, ModelEdit(*edited).remove("test.text").model(), target));
    QVERIFY(readFile(file) == before);
}

void TestRoundTrips::bigEndianAndBack() {
    OPEN_MODEL();
    const auto swapped = gguf::saveAs(*model, {.version = 3, .byteOrder = ByteOrder::Big}, in("big.gguf"));
    VERIFY_DONE(swapped);
    const auto big = openModel(in("big.gguf")).value();
    QCOMPARE(big->byteOrder, ByteOrder::Big);
    QVERIFY(big->findings.empty());
    QCOMPARE(big->metadata.size(), model->metadata.size());
    VERIFY_DONE(gguf::saveAs(*big, target, in("back.gguf")));
    QVERIFY(readFile(in("back.gguf")) == before);
}

void TestRoundTrips::splitAndMerge() {
    OPEN_MODEL();
    const auto parts = gguf::split(*model, in("part"), {.maxTensors = 7});
    VERIFY_DONE(parts);
    const auto joined = openModel(parts->files.back().plan.path).value();
    QVERIFY(joined->findings.empty());
    QCOMPARE(joined->tensors.size(), model->tensors.size());
    VERIFY_DONE(gguf::saveAs(*joined, target, in("merged.gguf")));
    if (model->version > 1) { // shards exist since version 2
        QVERIFY(readFile(in("merged.gguf")) == before);
    }
    for (const FileReport& file : parts->files) {
        fs::remove(file.plan.path);
    }
}

void TestRoundTrips::everyTensorTypeBigEndianAndBack() {
    GgufBuilder file;
    file.key("general.architecture", "test");
    int swappable = 0;
    for (const TensorTypeFact& type : tensorTypes()) {
        if (isDecodable(type.id) && type.inGguf()) {
            std::vector<std::byte> data(*tensorBytes(type, type.blockSize, 3));
            for (std::size_t i = 0; i < data.size(); ++i) {
                data[i] = static_cast<std::byte>(i * 7 + type.id);
            }
            file.tensor(type.name, type.id, {type.blockSize, 3}, data);
            ++swappable;
        }
    }
    QVERIFY(swappable > 45);
    file.write(in("types.gguf"));
    const auto model = openModel(in("types.gguf")).value();
    VERIFY_DONE(gguf::saveAs(*model, {.byteOrder = ByteOrder::Big}, in("types-big.gguf")));
    const auto big = openModel(in("types-big.gguf")).value();
    // A Q8_0 block begins with a 16-bit scale.
    const auto index = model->findTensor("Q8_0").value();
    const Bytes little = model->bytesOf(model->tensor(index)).value();
    const Bytes swapped = big->bytesOf(big->tensor(index)).value();
    QCOMPARE(little[0], swapped[1]);
    QCOMPARE(little[1], swapped[0]);
    QCOMPARE(little[2], swapped[2]);
    // A float in the header of each row, before blocks of bytes.
    const auto headed = model->findTensor("IQ4_KS").value();
    const StoredRows littleRows = model->rowsOf(model->tensor(headed)).value();
    const StoredRows bigRows = big->rowsOf(big->tensor(headed)).value();
    for (std::uint64_t row = 0; row < 3; ++row) {
        const StoredBlock one = littleRows.block(row * 256);
        const StoredBlock other = bigRows.block(row * 256);
        QVERIFY(std::ranges::equal(one.header, other.header | std::views::reverse));
        QVERIFY(std::ranges::equal(one.bytes, other.bytes));
    }
    VERIFY_DONE(gguf::saveAs(*big, {}, in("types-back.gguf")));
    QVERIFY(readFile(in("types-back.gguf")) == readFile(in("types.gguf")));
}

void TestRoundTrips::refusesWhatCannotBeRight() {
    GgufBuilder unknown;
    unknown.key("general.architecture", "test").tensor("odd", 999, {8}, std::vector(32, std::byte{1}));
    unknown.write(in("unknown.gguf"));
    auto model = openModel(in("unknown.gguf")).value();
    auto refused = gguf::saveAs(*model, {.byteOrder = ByteOrder::Big}, in("no.gguf"));
    QCOMPARE(refused.error().code, ErrorCode::NotSupported);
    QCOMPARE(refused.error().place, Place::tensor("odd"));
    // Copying it unchanged works.
    VERIFY_DONE(gguf::saveAs(*model, {}, in("same.gguf")));
    QVERIFY(readFile(in("same.gguf")) == readFile(in("unknown.gguf")));

    GgufBuilder wide;
    wide.key("general.architecture", "test").key("big.number", std::uint64_t{1} << 40U);
    wide.write(in("wide.gguf"));
    model = openModel(in("wide.gguf")).value();
    refused = gguf::saveAs(*model, {.version = 1}, in("no.gguf"));
    QCOMPARE(refused.error().code, ErrorCode::NotSupported);
    QCOMPARE(refused.error().place, Place::key("big.number"));
    refused = gguf::saveAs(*model, {.version = 2, .byteOrder = ByteOrder::Big}, in("no.gguf"));
    QCOMPARE(refused.error().code, ErrorCode::NotSupported);
    QCOMPARE(gguf::saveAs(*model, {.version = 4}, in("no.gguf")).error().code, ErrorCode::UnsupportedVersion);
    QVERIFY(!fs::exists(in("no.gguf")));
}

void TestRoundTrips::splitsAsAsked() {
    GgufBuilder file;
    file.key("general.architecture", "test").key("split.count", std::uint16_t{0}); // as in a merged file
    for (int i = 0; i < 5; ++i) {
        file.tensor("t" + std::to_string(i), 0, {i == 2 ? 1000U : 100U},
                    std::vector(i == 2 ? 4000U : 400U, std::byte{7}));
    }
    file.write(in("five.gguf"));
    const auto model = openModel(in("five.gguf")).value();
    // 400 + 400, then 4,000 alone, then 400 + 400 (padded to 416).
    const auto report = gguf::split(*model, in("five"), {.maxTensors = 0, .maxBytes = 1000}, {.verify = true});
    VERIFY_DONE(report);
    QCOMPARE(report->files.size(), 3U);
    const auto set = openModel(in("five-00002-of-00003.gguf")).value();
    QVERIFY(set->findings.empty());
    QCOMPARE(set->tensors[2].file, FileIndex(1));
    QCOMPARE(set->tensors[3].file, FileIndex(2));
    QCOMPARE(typeOf(*set->metadata.find("split.no")), ValueType::UInt16);
    QCOMPARE(typeOf(*set->metadata.find("split.count")), ValueType::UInt16);
    QCOMPARE(typeOf(*set->metadata.find("split.tensors.count")), ValueType::Int32);
    QCOMPARE(set->metadata.uint("split.tensors.count"), 5U);
    // A set that is saved under another name stays a set.
    VERIFY_DONE(gguf::saveAs(*set, {}, in("six-00001-of-00003.gguf")));
    QVERIFY(readFile(in("six-00003-of-00003.gguf")) == readFile(in("five-00003-of-00003.gguf")));
    // It must not replace a file of the set, because the other files would be left over.
    QCOMPARE(gguf::saveAs(*set, {}, in("five-00001-of-00003.gguf")).error().code, ErrorCode::InvalidArgument);
    fs::remove(in("five-00003-of-00003.gguf"));
    const auto part = openModel(in("five-00001-of-00003.gguf")).value();
    QCOMPARE(gguf::saveAs(*part, {}, in("merged.gguf")).error().code, ErrorCode::SetIncomplete);
}

void TestRoundTrips::metadataFirst() {
    GgufBuilder file;
    file.key("general.architecture", "test").tensor("t", 0, {100}, std::vector(400, std::byte{7}));
    file.write(in("one.gguf"));
    const auto model = openModel(in("one.gguf")).value();
    const auto report = gguf::split(*model, in("one"), {.metadataFirst = true});
    VERIFY_DONE(report);
    QCOMPARE(report->files.size(), 2U);
    const auto set = openModel(in("one-00001-of-00002.gguf")).value();
    QVERIFY(set->findings.empty());
    QCOMPARE(set->tensors[0].file, FileIndex(1));
    VERIFY_DONE(gguf::saveAs(*set, {}, in("one-again.gguf")));
    QVERIFY(readFile(in("one-again.gguf")) == readFile(in("one.gguf")));
}

void TestRoundTrips::versions() {
    for (const std::uint32_t version : {1U, 2U, 3U}) {
        GgufBuilder file(version);
        file.key("general.architecture", "test").key("names", std::vector<std::string>{"a", "bb", "ccc"});
        file.key("nested", std::vector<std::vector<std::string>>{{"x"}, {}, {"yy", "z"}});
        file.tensor("t", 0, {100}, std::vector(400, std::byte{7}));
        file.write(in("version.gguf"));
        const auto model = openModel(in("version.gguf")).value();
        for (const std::uint32_t to : {1U, 2U, 3U}) {
            VERIFY_DONE(gguf::saveAs(*model, {.version = to}, in("other.gguf")));
            const auto other = openModel(in("other.gguf")).value();
            QCOMPARE(other->version, to);
            QVERIFY(other->findings.empty());
            VERIFY_DONE(gguf::saveAs(*other, {.version = version}, in("again.gguf")));
            QVERIFY(readFile(in("again.gguf")) == readFile(in("version.gguf")));
        }
    }
}

GUFO_TEST(TestRoundTrips)
#include "tst_round_trips.moc"
