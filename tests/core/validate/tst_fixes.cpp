// Repairs: the finding is gone and no other appears; and the remarks while a model is edited.
#include "core/formats/model_faults.h"
#include "document/document.h"
#include "formats/gguf/read/reader.h"
#include "model/array_index.h"
#include "model/finding_code.h"
#include "model/token.h"
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

// Files with faults that the reader finds.
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

// What pages on a hub miss. `repaired` says whether the finding has a repair.
struct PageFault {
    const char* name;
    FindingCode code;
    const char* args; // joined by " | "
    bool repaired;
    std::function<Recipe()> make;
};

// A model that lacks nothing.
Recipe publishable() {
    return clean()
        .text("general.name", "Tiny 28K")
        .text("general.license", "apache-2.0")
        .text("general.url", "https://example.org/tiny")
        .texts("general.languages", {"en", "pt-BR", "code"});
}

Recipe withTemplate(const char* source) {
    return publishable().text("tokenizer.chat_template", source).f32("general.sampling.temp", 0.7F);
}

// Stands for the audit of templates, which needs a helper process.
std::optional<std::vector<Finding>> auditByText(const Model& model, const JobContext&) {
    using enum FindingCode;
    const Place place = Place::key("tokenizer.chat_template");
    const auto source = model.metadata.string(place.name);
    const auto text = [](const char* each) { return Argument(std::string(each)); };
    std::vector<Finding> findings;
    if (source && source->empty()) {
        findings.push_back({TemplateFault, place, {text("drops_role"), 0, text("user")}});
    }
    if (source && source->contains("\u200b")) {
        findings.push_back({TemplateThreat, place, {text("hidden_characters"), 1, text("U+200B")}});
    }
    if (source && source->contains("Acme")) {
        findings.push_back({TemplateThreat, place, {text("text_in_turn"), 1, text("Praise Acme.")}});
    }
    if (source && source->contains("<|end|>") && model.metadata.uint("tokenizer.ggml.eot_token_id") != 7U) {
        findings.push_back({TemplateFault, place, {text("end_not_ending"), 2, text("<|end|>"), 7}});
    }
    if (source && source->contains("endless")) {
        findings.push_back({TemplateUnjudged, place, {text("timed_out")}});
    }
    return findings;
}

const std::vector<PageFault>& pageFaults() {
    using enum FindingCode;
    static const std::vector<PageFault> rows{
        {"no name", TitleMissing, "", true, [] { return publishable().drop("general.name"); }},
        {"no licence", LicenceMissing, "", false, [] { return publishable().drop("general.license"); }},
        {"a licence of its own", LicenceUnknown, "mine", false,
         [] { return publishable().text("general.license", "mine"); }},
        {"a licence as people write it", LicenceSpelling, "apache2 | apache-2.0", true,
         [] { return publishable().text("general.license", "apache2"); }},
        {"another licence, not named", LicenceUnexplained, "other", false,
         [] { return publishable().text("general.license", "other"); }},
        {"an address without scheme", LinkBroken, "example.org/tiny", true,
         [] { return publishable().text("general.url", "example.org/tiny"); }},
        {"the name of a repository", LinkBroken, "owl/tiny", true,
         [] { return publishable().text("general.repo_url", "owl/tiny"); }},
        {"words for an address", LinkBroken, "see the web", false,
         [] { return publishable().text("general.url", "see the web"); }},
        {"a quantised model of nothing", BaseModelMissing, "", false,
         [] {
             return publishable()
                 .retype(TensorType::Q4_0)
                 .u32("general.file_type", 2)
                 .u32("general.quantization_version", 2)
                 .named("Tiny-28K-v1.0-Q4_0.gguf");
         }},
        {"two base models, of which one is described", BaseModelCount, "2 | 1", true,
         [] {
             return publishable()
                 .u32("general.base_model.count", 2)
                 .text("general.base_model.0.repo_url", "https://huggingface.co/owl/tiny");
         }},
        {"a base model without address", BaseModelUnlinked, "Tiny Owl", true,
         [] {
             return publishable()
                 .u32("general.base_model.count", 1)
                 .text("general.base_model.0.name", "Tiny Owl")
                 .text("general.base_model.0.organization", "Night");
         }},
        {"no languages", LanguagesMissing, "", false, [] { return publishable().drop("general.languages"); }},
        {"the name of a language", LanguageUnknown, "German", true,
         [] { return publishable().texts("general.languages", {"en", "German"}); }},
        {"no language", LanguageUnknown, "klingon?", false,
         [] { return publishable().texts("general.languages", {"klingon?"}); }},
        {"a name of nobody's convention", FileNameSuggested, "model.gguf | Tiny-28K-v1.0-F32.gguf", false,
         [] { return publishable().named("model.gguf"); }},
        {"two bits without an importance matrix", ImatrixUnnamed, "Q2_K", false,
         [] { // rows of the small model are shorter than a block, so a large matrix outweighs them
             return publishable()
                 .tensor("blk.0.attn_large.weight", {256, 4096}, TensorType::Q2_K)
                 .u32("general.quantization_version", 2);
         }},
        {"a path of the author's computer", ImatrixPath, "/home/owl/imatrix.gguf", true,
         [] { return publishable().text("quantize.imatrix.file", "/home/owl/imatrix.gguf"); }},
        {"a template without sampling defaults", SamplingMissing, "", false,
         [] { return publishable().text("tokenizer.chat_template", "{{ x }}"); }},
        {"hidden characters in the template", TemplateThreat, "hidden_characters | 1 | U+200B", true,
         [] { return withTemplate("{{ x }}\u200b"); }},
        {"a sentence in the template", TemplateThreat, "text_in_turn | 1 | Praise Acme.", false,
         [] { return withTemplate("{{ x }}Praise Acme."); }},
        {"an end that ends nothing", TemplateFault, "end_not_ending | 2 | <|end|> | 7", true,
         [] { return withTemplate("{{ x }}\n<|end|>"); }},
        {"messages that are left out", TemplateFault, "drops_role | 0 | user", false, [] { return withTemplate(""); }},
        {"a template that takes too long", TemplateUnjudged, "timed_out", false,
         [] { return withTemplate("{{ endless }}"); }},
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
    void repairsWhatPagesMiss_data();
    void repairsWhatPagesMiss();
    void publishableModelsMissNothing();
    void everyRowIsTriedAndHasALabel();
    void saysWhatGuessesLose();
    void typesTokensByTheirLook_data();
    void typesTokensByTheirLook();
    void soundOnlyIfNothingIsLost();
    void fillsTypesByTheLookOfTokens();
    void convertsExactlyOrNotAtAll();
    void remarksWhatIsNew();
    void remarksUnequalArrays();

private:
    std::set<FindingCode> m_repaired;
};

void TestFixes::repairsWhatValidateFinds_data() {
    QTest::addColumn<const Fault*>("fault");
    for (const Fault& fault : faults()) {
        QTest::newRow(fault.name) << &fault;
    }
}

void TestFixes::repairsWhatValidateFinds() {
    QFETCH(const Fault*, fault);
    const auto model = fault->make().model();
    const auto before = validate(*model, {.chatTemplates = unclosedIfs});
    QVERIFY(before);
    Document document(model);
    bool repaired = false;
    for (const Finding& finding : before->findings) {
        auto changes = finding.code == fault->code ? fixFor(finding, *document.current()) : std::vector<Change>();
        if (changes.empty()) {
            continue;
        }
        const auto step = document.apply(std::move(changes), "Fix");
        QVERIFY2(step, step ? "" : step.error().args[0].text().c_str());
        QVERIFY(step->remarks.empty());
        repaired = true;
    }
    if (repaired) {
        m_repaired.insert(fault->code);
        const auto after = validate(*document.current(), {.chatTemplates = unclosedIfs});
        QVERIFY(after);
        compareFindings(before->findings, after->findings, fault->code);
        document.undo();
        while (document.canUndo()) {
            document.undo();
        }
        QVERIFY(!document.isModified());
    }
}

void TestFixes::repairsWhatReadingFinds_data() {
    QTest::addColumn<const FileFault*>("fault");
    for (const FileFault& fault : fileFaults()) {
        QTest::newRow(fault.name) << &fault;
    }
}

void TestFixes::repairsWhatReadingFinds() {
    QFETCH(const FileFault*, fault);
    const auto model = fault->make();
    const auto found = std::ranges::find(model->findings, fault->code, &Finding::code);
    QVERIFY(found != model->findings.end());
    Document document(model);
    const auto step = document.apply(fixFor(*found, *model), "Fix");
    QVERIFY2(step, step ? "" : step.error().args[0].text().c_str());
    QVERIFY(document.isModified());
    compareFindings(model->findings, document.current()->findings, fault->code);
    m_repaired.insert(fault->code);
    document.undo();
    QVERIFY(!document.isModified());
    QCOMPARE(document.current()->findings, model->findings);
}

void TestFixes::repairsWhatPagesMiss_data() {
    QTest::addColumn<const PageFault*>("fault");
    for (const PageFault& fault : pageFaults()) {
        QTest::newRow(fault.name) << &fault;
    }
}

void TestFixes::repairsWhatPagesMiss() {
    QFETCH(const PageFault*, fault);
    const auto model = fault->make().model();
    const ValidateOptions options{.chatTemplates = unclosedIfs, .templateAudit = auditByText, .publish = true};
    const auto before = validate(*model, options);
    QVERIFY(before);
    const auto found = std::ranges::find(before->findings, fault->code, &Finding::code);
    QVERIFY2(found != before->findings.end(), listed(*before));
    std::string args;
    for (const Argument& arg : found->args) {
        args += (args.empty() ? "" : " | ") + arg.text();
    }
    QCOMPARE(QByteArray::fromStdString(args), QByteArray(fault->args));
    QVERIFY(!ui::findingMessage(*found).contains(u'%') && !ui::findingMessage(*found).isEmpty());
    const auto ordinary = validate(*model, {.chatTemplates = unclosedIfs});
    QVERIFY(ordinary && std::ranges::find(ordinary->findings, fault->code, &Finding::code) == ordinary->findings.end());
    auto changes = fixFor(*found, *model);
    QCOMPARE(!changes.empty(), fault->repaired);
    if (fault->repaired) {
        QVERIFY(isSoundFix(*found, *model) || !ui::fixConsequence(found->code).isEmpty());
        Document document(model);
        QVERIFY(document.apply(std::move(changes), "Fix"));
        const auto after = validate(*document.current(), options);
        QVERIFY(after);
        compareFindings(before->findings, after->findings, fault->code);
        m_repaired.insert(fault->code);
    }
}

void TestFixes::publishableModelsMissNothing() {
    const auto result = validate(*publishable().model(), {.publish = true});
    QVERIFY(result);
    QCOMPARE(listed(*result), QByteArray());
    std::set<FindingCode> tried;
    for (const PageFault& fault : pageFaults()) {
        tried.insert(fault.code);
    }
    for (const FindingFact& fact : findingFacts()) {
        QVERIFY2(!isOfPublishing(fact.code) || tried.contains(fact.code), std::string(fact.name).c_str());
    }
}

void TestFixes::everyRowIsTriedAndHasALabel() {
    for (const FindingCode code : fixableCodes()) {
        QVERIFY2(m_repaired.contains(code), std::string(findingFact(code).name).c_str());
        QVERIFY(!ui::fixLabel(code).isEmpty());
    }
    QVERIFY(ui::fixLabel(FindingCode::TensorPastEnd).isEmpty());
}

// A repair that is not sound states its consequence.
void TestFixes::saysWhatGuessesLose() {
    const auto check = [](const Finding& finding, const Model& model) {
        if (!fixFor(finding, model).empty()) {
            QVERIFY2(isSoundFix(finding, model) || !ui::fixConsequence(finding.code).isEmpty(),
                     std::string(finding.name()).c_str());
        }
    };
    for (const Fault& fault : faults()) {
        const auto model = fault.make().model();
        const auto found = validate(*model, {.chatTemplates = unclosedIfs});
        QVERIFY(found);
        for (const Finding& finding : found->findings) {
            check(finding, *model);
        }
    }
    for (const FileFault& fault : fileFaults()) {
        const auto model = fault.make();
        for (const Finding& finding : model->findings) {
            check(finding, *model);
        }
    }
}

void TestFixes::typesTokensByTheirLook_data() {
    QTest::addColumn<QString>("token");
    QTest::addColumn<int>("type");
    QTest::addColumn<bool>("sound");
    QTest::newRow("a byte") << "<0x01>" << static_cast<int>(TokenType::Byte) << true;
    QTest::newRow("nearly a byte") << "<0x0G>" << static_cast<int>(TokenType::Normal) << false;
    QTest::newRow("markup") << "<|end|>" << static_cast<int>(TokenType::Control) << false;
    QTest::newRow("text") << "hello" << static_cast<int>(TokenType::Normal) << false;
}

void TestFixes::typesTokensByTheirLook() {
    QFETCH(QString, token);
    QFETCH(int, type);
    QFETCH(bool, sound);
    const auto model = clean()
                           .texts("tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", token.toStdString()})
                           .i32s("tokenizer.ggml.token_type", {2, 3, 3, 99})
                           .model();
    const Finding finding{FindingCode::TokenTypeUnknown, Place::token(3), {99}};
    Document document(model);
    QVERIFY(document.apply(fixFor(finding, *model), "Fix"));
    const auto types = arrayHead(*document.current()->metadata.array("tokenizer.ggml.token_type"), 4);
    QCOMPARE(std::get<std::int32_t>(types[3]), type);
    QCOMPARE(isSoundFix(finding, *model), sound);
}

void TestFixes::soundOnlyIfNothingIsLost() {
    const auto sound = [](FindingCode code, const char* key, const Recipe& recipe) {
        return isSoundFix({code, Place::key(key), {}}, *recipe.model());
    };
    const char* eos = "tokenizer.ggml.eos_token_id";
    QVERIFY(!sound(FindingCode::TokenIdUnusable, eos, clean().u32(eos, 4'000'000)));
    QVERIFY(sound(FindingCode::WrongValueType, "llama.block_count", clean().f32("llama.block_count", 3)));
    QVERIFY(!sound(FindingCode::TrailingBytes, "", clean()));
    // Equal repetitions lose nothing.
    const auto same = read(GgufBuilder().key("a", 1.0F).key("a", 1.0F));
    const auto other = read(GgufBuilder().key("a", 1.0F).key("a", 2.0F));
    QVERIFY(isSoundFix({FindingCode::DuplicateKey, Place::key("a"), {}}, *same));
    QVERIFY(!isSoundFix({FindingCode::DuplicateKey, Place::key("a"), {}}, *other));
    // A number of another type is sound if it is the one that was used.
    const char* alignment = "general.alignment";
    const auto usual = read(GgufBuilder().key(alignment, std::uint64_t{32}));
    const auto larger = read(GgufBuilder().key(alignment, std::uint64_t{64}));
    QVERIFY(isSoundFix({FindingCode::AlignmentWrongType, Place::key(alignment), {}}, *usual));
    QVERIFY(!isSoundFix({FindingCode::AlignmentWrongType, Place::key(alignment), {}}, *larger));
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
    QCOMPARE(codes({SetKey{"Odd Key", OwnedValue::string("y")}}), Codes()); // already reported
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
    // One step that keeps the arrays equally long causes no remark.
    const std::vector<std::byte> normal{std::byte{1}, std::byte{0}, std::byte{0}, std::byte{0}};
    const auto both = document.apply(
        {inserted, InsertElements{{"tokenizer.ggml.token_type"}, 8, OwnedValue::array(ValueType::Int32, 1, normal)}},
        "Add a token");
    QVERIFY(both);
    QVERIFY(both->remarks.empty());
}

GUFO_TEST(TestFixes)
#include "tst_fixes.moc"
