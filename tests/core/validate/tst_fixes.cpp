// Repairs: the finding is gone and nothing else is new; and what the checks say while a model is edited.
#include "core/formats/model_faults.h"
#include "document/document.h"
#include "formats/gguf/read/reader.h"
#include "model/array_index.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"
#include "ui/messages/finding_text.h"
#include "validate/fixes.h"

#include <QTest>

#include <set>

using namespace gufo;
using namespace gufo::test;

namespace {

std::shared_ptr<const Model> read(const GgufBuilder& file) {
    auto model = gguf::read(file.source());
    if (!model) {
        qFatal("the sample does not open");
    }
    return *model;
}

// Files with what reading finds.
struct FileFault {
    const char* name;
    FindingCode code;
    std::function<std::shared_ptr<const Model>()> make;
};

const std::vector<FileFault>& fileFaults() {
    using enum FindingCode;
    static const std::vector<FileFault> rows{
        {"empty key", EmptyKey, [] { return read(GgufBuilder().key("", 1.0F)); }},
        {"three of one key", DuplicateKey,
         [] { return read(GgufBuilder().key("a", 1.0F).key("a", 2.0F).key("b", 2.0F).key("a", 3.0F)); }},
        {"boolean 2", BoolNotZeroOrOne,
         [] {
             return read(GgufBuilder().rawKey("flag", static_cast<std::uint32_t>(ValueType::Bool),
                                              GgufBytes().number(std::uint8_t{2}).bytes));
         }},
        {"booleans 0 7 1", BoolNotZeroOrOne,
         [] {
             return read(GgufBuilder().rawKey("flags", static_cast<std::uint32_t>(ValueType::Array),
                                              GgufBytes()
                                                  .arrayHead(ValueType::Bool, 3)
                                                  .number(std::uint8_t{0})
                                                  .number(std::uint8_t{7})
                                                  .number(std::uint8_t{1})
                                                  .bytes));
         }},
        {"alignment as u64", AlignmentWrongType,
         [] { return read(GgufBuilder().key("general.alignment", std::uint64_t{32})); }},
        {"alignment 0", AlignmentZero, [] { return read(GgufBuilder().key("general.alignment", std::uint32_t{0})); }},
        {"alignment 24", AlignmentNotPowerOfTwo,
         [] { return read(GgufBuilder().key("general.alignment", std::uint32_t{24})); }},
        {"alignment 4", AlignmentNotMultipleOf8,
         [] { return read(GgufBuilder().key("general.alignment", std::uint32_t{4})); }},
        {"alignment 128 KiB", AlignmentHuge,
         [] { return read(GgufBuilder().key("general.alignment", std::uint32_t{131'072})); }},
        {"bytes at the end", TrailingBytes,
         [] {
             GgufBuilder file;
             file.tensor("a", 0, {8});
             file.trailing.resize(100);
             return read(file);
         }},
        {"64 bits in version 1", ValueTypeBeforeItsVersion,
         [] {
             GgufBuilder file(1);
             return read(file.key("big", std::uint64_t{1}));
         }},
        {"draft of version 1", DraftVersion1,
         [] {
             GgufBuilder file = GgufBuilder::draft();
             file.key("general.architecture", "llama").key("llama.hidden_size", std::uint32_t{8});
             file.tensor("a", 0, {8});
             return read(file);
         }},
        {"big-endian version 2", BigEndianBeforeV3,
         [] {
             GgufBuilder file(2, ByteOrder::Big);
             return read(file.key("a", 1.0F));
         }},
    };
    return rows;
}

void compareFindings(const std::vector<Finding>& before, const std::vector<Finding>& after, FindingCode code) {
    for (const Finding& finding : after) {
        QVERIFY2(finding.code != code, std::string(finding.name()).c_str());
        const bool known = std::ranges::any_of(
            before, [&](const Finding& old) { return old.code == finding.code && old.place == finding.place; });
        QVERIFY2(known, (std::string(finding.name()) + " is new at " + finding.place.name).c_str());
    }
}

} // namespace

class TestFixes : public QObject {
    Q_OBJECT

private slots:
    void repairsWhatValidateFinds_data();
    void repairsWhatValidateFinds();
    void repairsWhatReadingFinds_data();
    void repairsWhatReadingFinds();
    void everyRowIsTriedAndHasALabel();
    void fillsTypesByTheLookOfTokens();
    void convertsExactlyOrNotAtAll();
    void remarksWhatIsNew();
    void remarksUnequalArrays();

private:
    std::set<FindingCode> m_repaired;
};

void TestFixes::repairsWhatValidateFinds_data() {
    QTest::addColumn<int>("row");
    for (std::size_t i = 0; i < faults().size(); ++i) {
        QTest::newRow(faults()[i].name) << static_cast<int>(i);
    }
}

void TestFixes::repairsWhatValidateFinds() {
    QFETCH(int, row);
    const Fault& fault = faults()[static_cast<std::size_t>(row)];
    const auto model = fault.make().model();
    const auto before = validate(*model, {.chatTemplates = unclosedIfs});
    QVERIFY(before);
    Document document(model);
    bool repaired = false;
    for (const Finding& finding : before->findings) {
        auto changes = finding.code == fault.code ? fixFor(finding, *document.current()) : std::vector<Change>();
        if (changes.empty()) {
            continue;
        }
        const auto step = document.apply(std::move(changes), "Fix");
        QVERIFY2(step, step ? "" : step.error().args[0].c_str());
        QVERIFY(step->remarks.empty());
        repaired = true;
    }
    if (repaired) {
        m_repaired.insert(fault.code);
        const auto after = validate(*document.current(), {.chatTemplates = unclosedIfs});
        QVERIFY(after);
        compareFindings(before->findings, after->findings, fault.code);
        document.undo();
        while (document.canUndo()) {
            document.undo();
        }
        QVERIFY(!document.isModified());
    }
}

void TestFixes::repairsWhatReadingFinds_data() {
    QTest::addColumn<int>("row");
    for (std::size_t i = 0; i < fileFaults().size(); ++i) {
        QTest::newRow(fileFaults()[i].name) << static_cast<int>(i);
    }
}

void TestFixes::repairsWhatReadingFinds() {
    QFETCH(int, row);
    const FileFault& fault = fileFaults()[static_cast<std::size_t>(row)];
    const auto model = fault.make();
    const auto found = std::ranges::find(model->findings, fault.code, &Finding::code);
    QVERIFY(found != model->findings.end());
    Document document(model);
    const auto step = document.apply(fixFor(*found, *model), "Fix");
    QVERIFY2(step, step ? "" : step.error().args[0].c_str());
    QVERIFY(document.isModified());
    compareFindings(model->findings, document.current()->findings, fault.code);
    m_repaired.insert(fault.code);
    document.undo();
    QVERIFY(!document.isModified());
    QCOMPARE(document.current()->findings, model->findings);
}

void TestFixes::everyRowIsTriedAndHasALabel() {
    for (const FindingCode code : fixableCodes()) {
        QVERIFY2(m_repaired.contains(code), std::string(findingFact(code).name).c_str());
        QVERIFY(!ui::fixLabel(code).isEmpty());
    }
    QVERIFY(ui::fixLabel(FindingCode::TensorPastEnd).isEmpty());
}

void TestFixes::fillsTypesByTheLookOfTokens() {
    const auto model = clean().i32s("tokenizer.ggml.token_type", {2, 3, 3}).model();
    Document document(model);
    const Finding finding{FindingCode::TokenArrayLength, Place::key("tokenizer.ggml.token_type"), {}};
    QVERIFY(document.apply(fixFor(finding, *model), "Fix"));
    const auto types = arrayHead(*document.current()->metadata.array("tokenizer.ggml.token_type"), 100);
    std::vector<std::int32_t> numbers;
    for (const Value& type : types) {
        numbers.push_back(std::get<std::int32_t>(type));
    }
    QCOMPARE(numbers, (std::vector<std::int32_t>{2, 3, 3, 1, 1, 1, 3, 3}));
}

void TestFixes::convertsExactlyOrNotAtAll() {
    const auto fixOf = [](const Recipe& recipe, const char* key) {
        return fixFor({FindingCode::WrongValueType, Place::key(key), {}}, *recipe.model());
    };
    const auto whole = fixOf(clean().f32("llama.block_count", 3), "llama.block_count");
    QCOMPARE(whole.size(), std::size_t{1});
    QVERIFY(std::get<SetKey>(whole[0]).value == OwnedValue(Value(std::uint32_t{3})));
    QVERIFY(fixOf(clean().f32("llama.block_count", 3.5F), "llama.block_count").empty());
    QVERIFY(fixOf(clean().text("llama.block_count", "three"), "llama.block_count").empty());
    QVERIFY(fixOf(clean().u32("general.architecture", 1), "general.architecture").empty());
    QVERIFY(fixOf(clean().text("tokenizer.ggml.tokens", "a b"), "tokenizer.ggml.tokens").empty());
    QVERIFY(fixOf(clean(), "not there").empty());
}

void TestFixes::remarksWhatIsNew() {
    Document document(clean().model());
    const auto codes = [&](std::vector<Change> changes) {
        std::vector<FindingCode> found;
        const auto step = document.apply(std::move(changes), "step");
        for (const Finding& finding : step ? step->remarks : std::vector<Finding>()) {
            found.push_back(finding.code);
        }
        return found;
    };
    using Codes = std::vector<FindingCode>;
    QCOMPARE(codes({SetKey{"general.name", OwnedValue::string("Owl")}}), Codes());
    QCOMPARE(codes({SetKey{"Odd Key", OwnedValue::string("x")}}), Codes{FindingCode::OddKey});
    QCOMPARE(codes({SetKey{"Odd Key", OwnedValue::string("y")}}), Codes()); // said already
    QCOMPARE(codes({SetKey{"llama.block_count", OwnedValue(Value(1.5F))}}), Codes{FindingCode::WrongValueType});
    QCOMPARE(codes({DeleteKey{"llama.attention.head_count"}}), Codes{FindingCode::RequiredKeyMissing});
    QCOMPARE(codes({SetKey{"tokenizer.ggml.bos_token_id", OwnedValue(Value(std::uint32_t{8}))}}),
             Codes{FindingCode::TokenIdUnusable});
    QCOMPARE(codes({SetKey{"flag", OwnedValue(BoolValue{3})}}), Codes{FindingCode::BoolNotZeroOrOne});
    QCOMPARE(codes({SetKey{"general.alignment", OwnedValue(Value(std::uint32_t{1U << 20U}))}}),
             Codes{FindingCode::AlignmentHuge});
}

void TestFixes::remarksUnequalArrays() {
    Document document(clean().model());
    const auto inserted =
        InsertElements{{"tokenizer.ggml.tokens"}, 8, OwnedValue::strings(std::vector{std::string("c")})};
    const auto one = document.apply({inserted}, "Add a token");
    QVERIFY(one);
    QCOMPARE(one->remarks.size(), std::size_t{1});
    QCOMPARE(one->remarks[0].code, FindingCode::TokenArrayLength);
    document.undo();
    // As one step that keeps them equal: no remark.
    const std::vector<std::byte> normal{std::byte{1}, std::byte{0}, std::byte{0}, std::byte{0}};
    const auto both = document.apply(
        {inserted, InsertElements{{"tokenizer.ggml.token_type"}, 8, OwnedValue::array(ValueType::Int32, 1, normal)}},
        "Add a token");
    QVERIFY(both);
    QVERIFY(both->remarks.empty());
}

GUFO_TEST(TestFixes)
#include "tst_fixes.moc"
