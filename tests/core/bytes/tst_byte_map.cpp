// Tests the map of a GGUF file's bytes: that every byte belongs to exactly one field, the fields of records, and
// damage.
#include "bytes/byte_map.h"
#include "document/open_model.h"
#include "field_texts.h"
#include "formats/sets/folder_files.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QDirIterator>
#include <QTest>

#include <functional>
#include <random>

using namespace gufo;
using namespace gufo::test;

namespace {

using AddKey = std::function<void(GgufBuilder&)>;

std::shared_ptr<const ByteMap> mapOf(const GgufBuilder& file) {
    const auto map = ByteMap::of(file.source());
    return map ? *map : nullptr;
}

} // namespace

class TestByteMap : public QObject {
    Q_OBJECT

private slots:
    void everyByteBelongsToOneField_data();
    void everyByteBelongsToOneField();
    void fieldsOfAKey_data();
    void fieldsOfAKey();
    void fieldsOfATensor();
    void otherLayouts_data();
    void otherLayouts();
    void elementsOfALongArray();
    void damage_data();
    void damage();
    void isCancelled();
};

void TestByteMap::everyByteBelongsToOneField_data() {
    QTest::addColumn<QString>("path");
    for (const QString& folder : {QStringLiteral("containers"), QStringLiteral("architectures"),
                                  QStringLiteral("quantised"), QStringLiteral("encoders")}) {
        QDirIterator each(QStringLiteral(GUFO_TEST_DATA "/") + folder, QDir::Files, QDirIterator::Subdirectories);
        while (each.hasNext()) {
            const QString path = each.next();
            QTest::newRow(qPrintable(path.mid(path.lastIndexOf(u'/', path.lastIndexOf(u'/') - 1) + 1))) << path;
        }
    }
    QDirIterator old(QStringLiteral(GUFO_SHARED_DIR "/thirdparty"),
                     {QStringLiteral("*.bin"), QStringLiteral("*.onnx"), QStringLiteral("*.ggml")}, QDir::Files,
                     QDirIterator::Subdirectories);
    while (old.hasNext()) {
        const QString path = old.next();
        QTest::newRow(qPrintable(QStringLiteral("shared: ") + path.mid(path.lastIndexOf(u'/') + 1))) << path;
    }
}

void TestByteMap::everyByteBelongsToOneField() {
    QFETCH(const QString, path);
    const auto opened = openModel(path.toStdString());
    std::shared_ptr<const ByteSource> source;
    std::shared_ptr<const Model> model;
    if (opened) {
        model = *opened;
        source = model->files[model->openedFile.value].source;
    } else if (const auto file = mappedFileOpener()(path.toStdString(), Links::Follow)) {
        source = *file;
    }
    QVERIFY(source != nullptr);
    const auto map = ByteMap::of(source, model, model ? model->openedFile : FileIndex());
    QVERIFY(map);
    // Windows at odd places, small and large.
    std::mt19937 random(1);
    const std::uint64_t size = (*map)->size();
    for (int i = 0; i < 60; ++i) {
        ByteRange range{random() % size, 1 + random() % (i % 2 == 0 ? 40 : 5'000)};
        range.length = std::min(range.length, size - range.offset);
        const auto fields = (*map)->fields(range, range.length);
        QVERIFY(fields);
        const QString wrong = coverage(*fields, range);
        QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("%1+%2: ").arg(range.offset).arg(range.length) + wrong));
    }
    // A model that was opened has no damage, and the fields of a window do not depend on where it begins.
    if (opened) {
        const auto all = (*map)->fields({0, std::min<std::uint64_t>(size, 6'000)}, 6'000);
        QVERIFY(all);
        for (const ByteField& field : *all) {
            const auto again = (*map)->fields({field.range.offset, 1}, 1);
            QVERIFY(again && again->size() == 1);
            if (field.role != FieldRole::Unknown) {
                QCOMPARE(fieldText(again->front()), fieldText(field));
            }
            if (path.endsWith(QStringLiteral(".gguf")) || path.endsWith(QStringLiteral(".safetensors"))) {
                QVERIFY2(field.role != FieldRole::Damage && field.role != FieldRole::Unknown,
                         qPrintable(fieldText(field)));
            }
        }
    }
}

void TestByteMap::fieldsOfAKey_data() {
    QTest::addColumn<AddKey>("add");
    QTest::addColumn<QStringList>("expected"); // without the offsets
    QTest::newRow("a number") << AddKey([](GgufBuilder& file) {
        file.key("k", std::uint32_t{7});
    }) << QStringList{"+8 key_length k u64 1", "+1 key k str k", "+4 value_type k u32 u32 (4)", "+4 value k u32 7"};
    QTest::newRow("a text") << AddKey([](GgufBuilder& file) { file.key("k", "abc"); })
                            << QStringList{"+8 key_length k u64 1", "+1 key k str k", "+4 value_type k u32 str (8)",
                                           "+8 element_length k u64 3", "+3 value k str abc"};
    QTest::newRow("a boolean") << AddKey([](GgufBuilder& file) {
        file.key("k", true);
    }) << QStringList{"+8 key_length k u64 1", "+1 key k str k", "+4 value_type k u32 bool (7)", "+1 value k bool 1"};
    QTest::newRow("numbers") << AddKey([](GgufBuilder& file) {
        file.key("k", std::vector<float>{1.5F, -2.0F});
    }) << QStringList{"+8 key_length k u64 1",         "+1 key k str k",           "+4 value_type k u32 arr (9)",
                      "+4 element_type k u32 f32 (6)", "+8 element_count k u64 2", "+4 element k[0] f32 1.5",
                      "+4 element k[1] f32 -2"};
    QTest::newRow("texts") << AddKey([](GgufBuilder& file) { file.key("k", std::vector<std::string>{"a", "bc"}); })
                           << QStringList{"+8 key_length k u64 1",       "+1 key k str k",
                                          "+4 value_type k u32 arr (9)", "+4 element_type k u32 str (8)",
                                          "+8 element_count k u64 2",    "+8 element_length k[0] u64 1",
                                          "+1 element k[0] str a",       "+8 element_length k[1] u64 2",
                                          "+2 element k[1] str bc"};
}

void TestByteMap::fieldsOfAKey() {
    QFETCH(const AddKey, add);
    QFETCH(const QStringList, expected);
    GgufBuilder file;
    add(file);
    const auto map = mapOf(file);
    QVERIFY(map != nullptr);
    const auto range = map->keyRange("k");
    QVERIFY(range);
    const auto fields = map->fields(*range, 100);
    QVERIFY(fields);
    QStringList found = texts(*fields);
    for (QString& line : found) {
        line.remove(0, line.indexOf(u'+'));
    }
    QCOMPARE(found, expected);
    QVERIFY(!map->keyRange("other"));
}

void TestByteMap::fieldsOfATensor() {
    GgufBuilder file;
    file.tensor("t", kF32, {2, 3}, GgufBytes().number(1.0F).number(2.5F).number(0.0F).zeros(12).bytes);
    const auto map = mapOf(file);
    QVERIFY(map != nullptr);
    const auto record = map->tensorRecord("t");
    const auto data = map->tensorData("t");
    QVERIFY(record && data);
    QStringList found = texts(map->fields(*record, 100).value());
    for (QString& line : found) {
        line.remove(0, line.indexOf(u'+'));
    }
    QCOMPARE(found, (QStringList{"+8 name_length t u64 1", "+1 name t str t", "+4 dimension_count t u32 2",
                                 "+8 dimension t[0] u64 2", "+8 dimension t[1] u64 3", "+4 tensor_type t u32 F32 (0)",
                                 "+8 tensor_offset t u64 0"}));
    QCOMPARE(data->length, std::uint64_t{24});
    found = texts(map->fields(*data, 100).value());
    QCOMPARE(found.size(), 6);
    QVERIFY(found[1].endsWith(QStringLiteral("weight t[1] F32 2.5")));
}

void TestByteMap::otherLayouts_data() {
    QTest::addColumn<int>("version"); // 0: the draft
    QTest::addColumn<bool>("big");
    QTest::newRow("version 1") << 1 << false;
    QTest::newRow("version 2") << 2 << false;
    QTest::newRow("version 3") << 3 << false;
    QTest::newRow("version 3, big-endian") << 3 << true;
    QTest::newRow("the draft of version 1") << 0 << false;
}

void TestByteMap::otherLayouts() {
    QFETCH(const int, version);
    QFETCH(const bool, big);
    GgufBuilder file = version == 0
                           ? GgufBuilder::draft()
                           : GgufBuilder(static_cast<std::uint32_t>(version), big ? ByteOrder::Big : ByteOrder::Little);
    file.key("k", std::uint32_t{7}).key("a", std::vector<std::string>{"x", "yz"});
    file.tensor("t", kF32, {2}, GgufBytes(file.layout).number(1.5F).number(-2.0F).bytes);
    const auto map = mapOf(file);
    QVERIFY(map != nullptr);
    const std::vector<ByteField> fields = allFields(*map);
    QCOMPARE(coverage(fields, {0, map->size()}), QString());
    const QString all = texts(fields).join(u'\n');
    for (const char* part : {"value k u32 7", "element a[1] str yz", "dimension t[0]", "weight t[1] F32 -2"}) {
        QVERIFY2(all.contains(QLatin1String(part)), qPrintable(all));
    }
    QVERIFY2(!all.contains(QStringLiteral("damage")) && !all.contains(QStringLiteral("unknown")), qPrintable(all));
}

void TestByteMap::elementsOfALongArray() {
    GgufBuilder file;
    std::vector<std::int32_t> numbers(100'000);
    std::vector<std::string> words;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = static_cast<std::int32_t>(i);
        words.push_back(std::to_string(i));
    }
    file.key("n", numbers).key("w", words);
    const auto map = mapOf(file);
    QVERIFY(map != nullptr);
    const auto range = map->keyRange("n");
    QVERIFY(range);
    const auto fields = map->fields({range->offset + range->length - 8, 8}, 10);
    QVERIFY(fields && fields->size() == 2);
    QVERIFY(fieldText(fields->back()).endsWith(QStringLiteral("element n[99999] i32 99999")));
    const auto text = map->keyRange("w");
    QVERIFY(text);
    const auto last = map->fields({text->offset + text->length - 1, 1}, 10);
    QVERIFY(last && last->size() == 1);
    QVERIFY(fieldText(last->front()).endsWith(QStringLiteral("element w[99999] str 99999")));
}

void TestByteMap::damage_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("at");
    GgufBuilder file;
    file.key("k", std::uint32_t{7}).key("text", "abc").tensor("t", kF32, {2});
    const auto built = file.build();
    const QByteArray good(reinterpret_cast<const char*>(built.data()), static_cast<qsizetype>(built.size()));
    QTest::newRow("cut in the counts") << good.left(20) << 16;
    QTest::newRow("cut in a key") << good.left(30) << 24;
    QTest::newRow("cut in a text") << good.left(24 + 17 + 20) << 24 + 17 + 16;
    QTest::newRow("cut in a record") << good.left(24 + 17 + 27 + 5) << 24 + 17 + 27;
    QByteArray unknown = good;
    unknown[24 + 9] = 99;
    QTest::newRow("an unknown type of a value") << unknown << 24 + 9;
    QByteArray longText = good;
    longText[24 + 17 + 8 + 4 + 4 + 6] = 1;
    QTest::newRow("a text longer than the file") << longText << 24 + 17 + 16;
}

void TestByteMap::damage() {
    QFETCH(const QByteArray, bytes);
    QFETCH(const int, at);
    const auto* first = reinterpret_cast<const std::byte*>(bytes.constData());
    const auto source = std::make_shared<MemorySource>(std::vector<std::byte>(first, first + bytes.size()));
    const auto map = ByteMap::of(source);
    QVERIFY(map);
    const std::vector<ByteField> fields = allFields(**map);
    QCOMPARE(coverage(fields, {0, (*map)->size()}), QString());
    QCOMPARE(fields.back().role, FieldRole::Damage);
    QCOMPARE(fields.back().range.offset, static_cast<std::uint64_t>(at));
}

void TestByteMap::isCancelled() {
    std::stop_source stop;
    stop.request_stop();
    GgufBuilder file;
    file.key("k", std::uint32_t{7});
    const auto map = ByteMap::of(file.source(), nullptr, {}, {.stop = stop.get_token()});
    QVERIFY(!map);
    QCOMPARE(map.error().code, ErrorCode::Cancelled);
}

GUFO_TEST(TestByteMap)
#include "tst_byte_map.moc"
