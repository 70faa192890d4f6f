// The differences of files in metadata and templates: their models, changed words, and long lines.
#include "compared_models.h"
#include "support/page_models.h"
#include "support/test_unit.h"
#include "support/ui_test_settings.h"
#include "ui/compare/comparison.h"
#include "ui/compare/differences/metadata_diff_model.h"
#include "ui/compare/differences/metadata_diff_page.h"
#include "ui/compare/differences/template_diff_page.h"
#include "ui/compare/differences/wrapped_line_delegate.h"

#include <QAbstractItemModelTester>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace gufo;
using namespace gufo::ui;
namespace fs = std::filesystem;

class TestDifferences : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { Job::waitForAll(); }
    void metadata();
    void templates();
    void marksChangedWords();
    void longLinesWrap();
    void longTextsShowWhereTheyDiffer();

private:
    bool compare(Comparison& comparison, const Places& files) const {
        comparison.start(files);
        return QTest::qWaitFor(
            [&] { return comparison.state() == Comparison::State::Done && comparison.metadata() != nullptr; }, 20'000);
    }

    UiTestSettings m_settings;
    QTemporaryDir m_dir;
    fs::path m_f32;
    fs::path m_q4;
};

void TestDifferences::initTestCase() {
    const fs::path root = m_dir.path().toStdString();
    m_f32 = root / "small-F32.gguf";
    m_q4 = root / "small-Q4_0.gguf";
    test::writeCompareModel(m_f32, {});
    test::writeCompareModel(m_q4, {.type = TensorType::Q4_0,
                                   .chatTemplate = "{% for message in messages %}\n{{ message.text }}\n{% endfor %}\n",
                                   .tokens = {"<unk>", "<s>", "</s>", "hello", "there"}});
}

void TestDifferences::metadata() {
    Comparison comparison;
    MetadataDiffModel model(comparison);
    QAbstractItemModelTester tester(&model);
    QVERIFY(compare(comparison, {m_f32, m_q4}));
    model.refill();
    QVERIFY(model.isTokenizerRow(0));
    QVERIFY(model.index(0, MetadataDiffModel::kFirstFile + 1).data().toString().contains(QStringLiteral("1 new")));
    const int fileType = model.rowOfKey("general.file_type");
    QVERIFY(fileType > 0);
    QCOMPARE(model.index(fileType, MetadataDiffModel::kStatus).data().toString(), QStringLiteral("changed"));
    QCOMPARE(model.rowOfKey("general.architecture"), -1);
    const int differing = model.rowCount();
    QCOMPARE(static_cast<std::size_t>(differing - 1), model.differences());
    model.setAll(true);
    QVERIFY(model.rowCount() > differing);
    QCOMPARE(model.index(model.rowOfKey("general.architecture"), MetadataDiffModel::kStatus).data().toString(),
             QStringLiteral("same"));
    model.setFilter(QStringLiteral("TOKENIZER"));
    for (int row = 1; row < model.rowCount(); ++row) {
        QVERIFY(model.index(row, 0).data().toString().startsWith(QStringLiteral("tokenizer")));
    }
    DifferenceTable table;
    QAbstractItemModelTester tableTester(&table);
    table.setRows({"a", "b"}, {{"1", "2"}, {"3", "4"}});
    QCOMPARE(table.index(1, 1).data().toString(), QStringLiteral("4"));
}

void TestDifferences::templates() {
    SideBySideModel model;
    QAbstractItemModelTester tester(&model);
    model.setLines(sideBySide("a\nb\nc\nd", "a\nB\nd\ne"));
    using Kind = SideBySideLine::Kind;
    std::vector<Kind> kinds;
    for (const SideBySideLine& line : model.lines()) {
        kinds.push_back(line.kind);
    }
    QCOMPARE(kinds, (std::vector{Kind::Same, Kind::Changed, Kind::Removed, Kind::Same, Kind::Added}));
    QCOMPARE(model.lines()[1].beforeText, QStringLiteral("b"));
    QCOMPARE(model.lines()[1].afterText, QStringLiteral("B"));
    QCOMPARE(model.nextChange(-1, false), 1);
    QCOMPARE(model.nextChange(1, false), 4);
    QCOMPARE(model.nextChange(4, false), -1);
    QCOMPARE(model.nextChange(4, true), 1);
    model.setLines(sideBySide("", "x"));
    QCOMPARE(model.rowCount(), 1);
    model.setLines({});
    QCOMPARE(model.nextChange(-1, false), -1);
}

void TestDifferences::marksChangedWords() {
    const auto marked = [](const QString& text, const std::vector<TextRange>& ranges) {
        QStringList words;
        for (const TextRange& range : ranges) {
            words << text.mid(range.begin, range.length);
        }
        return words;
    };
    const auto lines = sideBySide("same\n{{ message.role | trim }} \xc3\xa9\xc3\xa9 end",
                                  "same\n{{ message.name | trim }} \xc3\xa9 end");
    QCOMPARE(lines.size(), std::size_t{2});
    QVERIFY(lines[0].beforeMarks.empty() && lines[0].afterMarks.empty());
    QCOMPARE(marked(lines[1].beforeText, lines[1].beforeMarks), (QStringList{"role", QStringLiteral("éé")}));
    QCOMPARE(marked(lines[1].afterText, lines[1].afterMarks), (QStringList{"name", QStringLiteral("é")}));
    QCOMPARE(lines[1].afterText, QStringLiteral("{{ message.name | trim }} é end"));
    // A removed line has nothing to compare its words with.
    QVERIFY(sideBySide("gone\nsame", "same")[0].beforeMarks.empty());
}

void TestDifferences::longLinesWrap() {
    SideBySideModel model;
    const std::string line(500, 'x');
    model.setLines(sideBySide("short\n" + line, "short\n" + line + "y"));
    const WrappedLineDelegate delegate(model, nullptr);
    const int one = delegate.heightOf(0, 300);
    QVERIFY(delegate.heightOf(1, 300) > 4 * one);
    QVERIFY(delegate.heightOf(1, 600) < delegate.heightOf(1, 300));
    QVERIFY(delegate.heightOf(1, 100'000) <= one);
}

void TestDifferences::longTextsShowWhereTheyDiffer() {
    const fs::path folder = m_f32.parent_path();
    const std::string common(400, 'a');
    const auto write = [&](const char* name, const std::string& text) {
        test::GgufBuilder file;
        test::addSmallLlama(file);
        file.key("general.description", text);
        const auto bytes = file.build();
        const fs::path path = folder / name;
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        return path;
    };
    const Places files{write("one.gguf", common + "first"), write("other.gguf", common + "second")};
    Comparison comparison;
    QVERIFY(compare(comparison, files));
    MetadataDiffModel model(comparison);
    const int row = model.rowOfKey("general.description");
    QVERIFY(row >= 0);
    QStringList shown;
    for (int file = 0; file < 2; ++file) {
        shown << model.index(row, MetadataDiffModel::kFirstFile + file).data().toString().left(30);
    }
    shown.sort();
    QVERIFY(shown[0].startsWith(QStringLiteral("…aaaa")) && shown[0].contains(QStringLiteral("first")));
    QVERIFY(shown[1].startsWith(QStringLiteral("…aaaa")) && shown[1].contains(QStringLiteral("second")));
}

GUFO_TEST_WIDGETS(TestDifferences)
#include "tst_differences.moc"
