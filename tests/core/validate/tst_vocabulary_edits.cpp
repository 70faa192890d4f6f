// Tests additions to vocabularies and removals from them: what runs afterwards answers as before, bit for bit, for all
// tokens that it had; the file has no new finding; and drafts and undo give the same bytes again.
#include "document/document.h"
#include "document/draft.h"
#include "document/open_model.h"
#include "formats/container/model_saving.h"
#include "formats/gguf/read/reader.h"
#include "inference/engine/gufo_engine.h"
#include "model/array_index.h"
#include "model/finding_code.h"
#include "model/hyper_parameters.h"
#include "support/fixture_models.h"
#include "support/gguf_builder.h"
#include "support/test_unit.h"
#include "tensor/encode.h"
#include "validate/fixes.h"
#include "validate/token_texts.h"
#include "validate/validate.h"
#include "validate/vocabulary_edits.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace gufo;
using namespace gufo::test;

namespace {

constexpr std::string_view kTokens = "tokenizer.ggml.tokens";
const std::vector<NewToken> kNew{{.text = "<|added|>"}, {.text = "added text", .copied = 3}};

std::uint64_t tokensOf(const Model& model) { return model.metadata.array(kTokens)->length; }

Document edited(const std::shared_ptr<const Model>& model, Result<std::vector<Change>> changes) {
    Document document(model);
    const auto step = changes ? document.apply(*std::move(changes), "vocabulary")
                              : Result<AppliedStep>(std::unexpected(changes.error()));
    if (!step) {
        qFatal("%s", std::string(errorName(step.error().code)).c_str());
    }
    return document;
}

std::set<std::string> findingsOf(const Model& model) {
    std::set<std::string> names;
    const auto validation = validate(model);
    for (const Finding& finding : validation->findings) {
        names.insert(std::string(finding.name()));
    }
    return names;
}

struct Answers {
    std::vector<float> logits;
    std::size_t vocabulary = 0;
};
Answers answersOf(const std::shared_ptr<const Model>& model, std::uint32_t tokens) {
    const auto loaded = inference::loadForInference(model);
    const auto session =
        loaded ? (*loaded)->startSession({.context = 16, .threads = 1}) : std::unexpected(loaded.error());
    if (!session) {
        return {};
    }
    return {logitsOf(**session, randomTokens(12, tokens), 5), (*session)->vocabulary()};
}

std::vector<std::byte> bytesOf(const Model& model, std::string_view name) {
    const Bytes bytes = *model.bytesOf(model.tensor(*model.findTensor(name)));
    return {bytes.begin(), bytes.end()};
}

std::shared_ptr<const Model> saved(const Document& document, const QString& path) {
    if (!saveModelAs(*document.current(), document.target(), path.toStdString())) {
        qFatal("the model cannot be saved");
    }
    return *openModel(path.toStdString());
}

} // namespace

class TestVocabularyEdits : public QObject {
    Q_OBJECT

private slots:
    void answersStayTheSame_data();
    void answersStayTheSame();
    void rowsAreMeansOrCopies_data();
    void rowsAreMeansOrCopies();
    void listsStayComplete();
    void removesTokens();
    void removedIdsAreRenumbered();
    void mergesGoWithTheirTokens();
    void refuses_data();
    void refuses();
    void draftsGiveTheSameBytes();
    void undoAcrossASave();
    void repairsAMarker_data();
    void repairsAMarker();
    void bigEndian();
};

void TestVocabularyEdits::answersStayTheSame_data() {
    QTest::addColumn<QString>("name");
    for (const QString& file : QDir(kFixtures).entryList({"*.gguf"})) {
        const auto model = openFixture(file.chopped(5));
        if (model && model->metadata.array(kTokens) != nullptr && model->findTensor("token_embd.weight") &&
            canAddMeanRows(*model)) {
            QTest::newRow(qPrintable(file)) << file.chopped(5);
        }
    }
}

// Extended, saved, opened and run; then trimmed again to the file that it was.
void TestVocabularyEdits::answersStayTheSame() {
    QFETCH(QString, name);
    const auto model = openFixture(name);
    const auto count = static_cast<std::uint32_t>(tokensOf(*model));
    const Document document = edited(model, extendVocabulary(*model, kNew));
    const QTemporaryDir folder;
    const auto larger = saved(document, folder.filePath("larger.gguf"));
    QCOMPARE(tokensOf(*larger), count + 2U);
    for (const std::string& finding : findingsOf(*larger)) { // saving may remove some
        QVERIFY2(findingsOf(*model).contains(finding), finding.c_str());
    }

    const Answers before = answersOf(model, count);
    const Answers after = answersOf(larger, count);
    QCOMPARE(before.logits.empty(), after.logits.empty());
    const std::size_t positions = before.vocabulary != 0 ? before.logits.size() / before.vocabulary : 0;
    if (before.vocabulary == count) { // otherwise it is an encoder, or the engine does not run it
        QCOMPARE(after.vocabulary, count + std::size_t{2});
        for (std::size_t t = 0; t < positions; ++t) {
            QVERIFY(std::memcmp(&before.logits[t * before.vocabulary], &after.logits[t * after.vocabulary],
                                before.vocabulary * sizeof(float)) == 0);
        }
    }

    const Document smaller = edited(larger, trimVocabulary(*larger, {count + 1U, count}));
    for (const TensorInfo& tensor : model->tensors) {
        QCOMPARE(bytesOf(*smaller.current(), tensor.name), bytesOf(*model, tensor.name));
    }
    QCOMPARE(tokensOf(*smaller.current()), std::uint64_t{count});
}

void TestVocabularyEdits::rowsAreMeansOrCopies_data() {
    QTest::addColumn<int>("type");
    for (const TensorType type : {TensorType::F32, TensorType::F16, TensorType::Q8_0, TensorType::Q4_K}) {
        QTest::newRow(std::string(tensorTypeFact(type).name).c_str()) << static_cast<int>(type);
    }
}

void TestVocabularyEdits::rowsAreMeansOrCopies() {
    QFETCH(int, type);
    constexpr std::uint64_t kColumns = 256;
    constexpr std::uint64_t kRows = 5;
    std::vector<float> weights(kColumns * kRows);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        weights[i] = static_cast<float>((i * 7919) % 1000) / 500 - 1;
    }
    const auto typeId = static_cast<std::uint32_t>(type);
    std::vector<std::byte> rows(*tensorBytes(*findTensorType(typeId), kColumns, kRows));
    QVERIFY(encode({.typeId = typeId, .columns = kColumns, .importance = {}}, weights, rows));
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "c", "d", "e"});
    file.tensor("token_embd.weight", typeId, {kColumns, kRows}, rows);
    file.tensor("output.bias", kF32, {kRows}, std::vector<std::byte>(kRows * sizeof(float), std::byte{1}));
    const auto model = *gguf::read(file.source());

    const Document document = edited(model, extendVocabulary(*model, kNew));
    const std::vector<std::byte> longer = bytesOf(*document.current(), "token_embd.weight");
    const std::size_t row = rows.size() / kRows;
    QCOMPARE(longer.size(), rows.size() + 2 * row);
    QVERIFY(std::equal(rows.begin(), rows.end(), longer.begin()));
    QVERIFY(std::equal(rows.begin() + static_cast<std::ptrdiff_t>(3 * row),
                       rows.begin() + static_cast<std::ptrdiff_t>(4 * row),
                       longer.begin() + static_cast<std::ptrdiff_t>(6 * row)));
    // The mean of what the file decodes to.
    std::vector<float> decoded(weights.size());
    QVERIFY(decode(*StoredRows::of(typeId, kColumns, rows), 0, decoded));
    std::vector<float> mean(kColumns);
    for (std::size_t i = 0; i < kColumns; ++i) {
        double sum = 0;
        for (std::size_t r = 0; r < kRows; ++r) {
            sum += static_cast<double>(decoded[r * kColumns + i]);
        }
        mean[i] = static_cast<float>(sum / kRows);
    }
    std::vector<std::byte> expected(row);
    QVERIFY(encode({.typeId = typeId, .columns = kColumns, .importance = {}}, mean, expected));
    QVERIFY(std::equal(expected.begin(), expected.end(), longer.begin() + static_cast<std::ptrdiff_t>(5 * row)));
    QCOMPARE(bytesOf(*document.current(), "output.bias").size(), 7 * sizeof(float));
}

void TestVocabularyEdits::listsStayComplete() {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.key("llama.vocab_size", std::uint32_t{3});
    file.key("tokenizer.ggml.model", "llama");
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "c"});
    file.key("tokenizer.ggml.scores", std::vector<float>{0, -1, -2});
    file.tensor("token_embd.weight", kF32, {8, 3});
    const auto model = *gguf::read(file.source());
    const Document document =
        edited(model, extendVocabulary(*model, std::vector<NewToken>{{.text = "<|xy|>"},
                                                                     {.text = "y"},
                                                                     {.text = "<0x0A>"},
                                                                     {.text = "z", .type = TokenType::Normal}}));
    const Metadata& metadata = document.current()->metadata;
    QCOMPARE(metadata.uint("llama.vocab_size"), std::optional<std::uint64_t>(7));
    const TokenTexts texts(metadata, {});
    QCOMPARE(texts.size(), std::uint64_t{7});
    QVERIFY(texts.is(2, TokenType::Normal)); // the list of types is new
    QVERIFY(texts.is(3, TokenType::Control));
    QVERIFY(texts.is(4, TokenType::UserDefined));
    QVERIFY(texts.is(5, TokenType::Byte));
    QVERIFY(texts.is(6, TokenType::Normal));
    const auto scores = arrayHead(*metadata.array("tokenizer.ggml.scores"), 10);
    QCOMPARE(scores.size(), std::size_t{7});
    QCOMPARE(std::get<float>(scores[2]), -2.0F);
    QCOMPARE(std::get<float>(scores[6]), -1000.0F);
    QVERIFY(!findingsOf(*document.current()).contains("vocabulary_size"));
}

// Reads no other bytes than those of the kept rows, in their order.
void TestVocabularyEdits::removesTokens() {
    std::vector<std::byte> rows;
    for (int id = 0; id < 6; ++id) {
        rows.insert(rows.end(), 32, static_cast<std::byte>(id));
    }
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "[PAD1]", "b", "[PAD2]", "[PAD3]", "c"});
    file.key("tokenizer.ggml.token_type", std::vector<std::int32_t>{1, 5, 1, 5, 5, 1});
    file.tensor("token_embd.weight", kF32, {8, 6}, rows);
    const auto model = *gguf::read(file.source());
    QCOMPARE(unusedTokens(*model), (std::vector<std::uint64_t>{1, 3, 4}));
    const Document document = edited(model, trimVocabulary(*model, unusedTokens(*model)));
    std::vector<std::byte> expected;
    for (const int id : {0, 2, 5}) {
        expected.insert(expected.end(), 32, static_cast<std::byte>(id));
    }
    QCOMPARE(bytesOf(*document.current(), "token_embd.weight"), expected);
    QCOMPARE(TokenTexts(document.current()->metadata, {}).tokens(), (std::vector<std::string_view>{"a", "b", "c"}));
    // In pieces that cross the borders of rows, as a copy reads them.
    const TensorInfo& tensor = document.current()->tensors.front();
    for (std::uint64_t at = 0; at < expected.size(); ++at) {
        for (std::uint64_t size = 0; at + size <= expected.size(); size += 7) {
            const auto part = document.current()->sourceOf(tensor)->view({at, size});
            QVERIFY(part && std::ranges::equal(*part, std::span(expected).subspan(at, size)));
        }
    }
    QVERIFY(!document.current()->sourceOf(tensor)->view({1, expected.size()}));
}

void TestVocabularyEdits::removedIdsAreRenumbered() {
    GgufBuilder file;
    file.key("general.architecture", "t5");
    file.key("t5.decoder_start_token_id", std::uint32_t{4});
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "c", "d", "</s>"});
    file.key("tokenizer.ggml.eos_token_id", std::uint32_t{4});
    file.key("tokenizer.ggml.unknown_token_id", std::int32_t{-1});
    file.key("tokenizer.ggml.eos_token_ids", std::vector<std::int32_t>{0, 4});
    file.key("tokenizer.huggingface.json", "{}");
    file.tensor("token_embd.weight", kF32, {8, 5});
    const auto model = *gguf::read(file.source());
    const Document document = edited(model, trimVocabulary(*model, {3, 1, 3}));
    const Metadata& metadata = document.current()->metadata;
    QCOMPARE(metadata.uint("tokenizer.ggml.eos_token_id"), std::optional<std::uint64_t>(2));
    QCOMPARE(metadata.uint("t5.decoder_start_token_id"), std::optional<std::uint64_t>(2));
    QCOMPARE(metadata.find("tokenizer.ggml.unknown_token_id")->index(), Value(std::int32_t{-1}).index());
    QCOMPARE(asInt(*metadata.find("tokenizer.ggml.unknown_token_id")), std::optional<std::int64_t>(-1));
    const ArrayView* ends = metadata.array("tokenizer.ggml.eos_token_ids");
    QCOMPARE(uintElement(*ends, 0), std::optional<std::uint64_t>(0));
    QCOMPARE(uintElement(*ends, 1), std::optional<std::uint64_t>(2));
    QVERIFY(metadata.find("tokenizer.huggingface.json") == nullptr); // it names the old ids
}

void TestVocabularyEdits::mergesGoWithTheirTokens() {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.key("tokenizer.ggml.model", "gpt2");
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "ab", "aba", "abab"});
    file.key("tokenizer.ggml.merges", std::vector<std::string>{"a b", "ab a", "ab ab"});
    const auto model = *gguf::read(file.source());
    const Document document = edited(model, trimVocabulary(*model, {3}));
    const auto merges = arrayHead(*document.current()->metadata.array("tokenizer.ggml.merges"), 9);
    QCOMPARE(merges.size(), std::size_t{2});
    QCOMPARE(std::get<std::string_view>(merges[1]), std::string_view("ab ab"));
    QVERIFY(!trimVocabulary(*model, {0})); // a letter stands for a byte
}

void TestVocabularyEdits::refuses_data() {
    QTest::addColumn<int>("code");
    QTest::addColumn<int>("place");
    QTest::addColumn<std::function<Result<std::vector<Change>>(const Model&)>>("edit");
    const auto row = [](const char* name, ErrorCode code, Place::Kind place,
                        std::function<Result<std::vector<Change>>(const Model&)> edit) {
        QTest::newRow(name) << static_cast<int>(code) << static_cast<int>(place) << std::move(edit);
    };
    const auto extend = [](std::vector<NewToken> tokens) {
        return [tokens](const Model& model) { return extendVocabulary(model, tokens); };
    };
    const auto trim = [](std::vector<std::uint64_t> ids) {
        return [ids](const Model& model) { return trimVocabulary(model, ids); };
    };
    using enum ErrorCode;
    row("no text", InvalidArgument, Place::Kind::Key, extend({{.text = ""}}));
    row("not UTF-8", InvalidArgument, Place::Kind::Key, extend({{.text = "\xFF"}}));
    row("there already", InvalidArgument, Place::Kind::Key, extend({{.text = "b"}}));
    row("twice", InvalidArgument, Place::Kind::Key, extend({{.text = "n"}, {.text = "n"}}));
    row("copy of nothing", NoSuchToken, Place::Kind::Token, extend({{.text = "n", .copied = 6}}));
    row("removes nothing", NoSuchToken, Place::Kind::Token, trim({6}));
    row("removes all", InvalidArgument, Place::Kind::Key, trim({0, 1, 2, 3, 4, 5}));
    row("end of text", InvalidArgument, Place::Kind::Token, trim({1, 2}));
    row("byte", InvalidArgument, Place::Kind::Token, trim({3}));
    row("printed by the template", InvalidArgument, Place::Kind::Token, trim({4}));
}

void TestVocabularyEdits::refuses() {
    QFETCH(int, code);
    QFETCH(int, place);
    QFETCH(std::function<Result<std::vector<Change>>(const Model&)>, edit);
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.key("tokenizer.ggml.model", "llama");
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "</s>", "<0x0A>", "<|im_end|>", "c"});
    file.key("tokenizer.ggml.token_type", std::vector<std::int32_t>{1, 1, 3, 6, 3, 1});
    file.key("tokenizer.ggml.eos_token_id", std::uint32_t{2});
    file.key("tokenizer.chat_template", "{{ messages[0].content }}<|im_end|>");
    file.tensor("token_embd.weight", kF32, {8, 6});
    const auto model = *gguf::read(file.source());
    const auto result = edit(*model);
    QVERIFY(!result);
    QCOMPARE(static_cast<int>(result.error().code), code);
    QCOMPARE(static_cast<int>(result.error().place.kind), place);

    GgufBuilder odd; // another number of rows
    odd.key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b"});
    odd.tensor("token_embd.weight", kF32, {8, 3});
    const auto wrong = extendVocabulary(**gguf::read(odd.source()), kNew);
    QCOMPARE(wrong.error().place.name, std::string("token_embd.weight"));
    QCOMPARE(extendVocabulary(**gguf::read(GgufBuilder().source()), kNew).error().code, ErrorCode::NoSuchKey);
}

// A draft says how rows follow from others, so that restoring it needs no copy of them.
void TestVocabularyEdits::draftsGiveTheSameBytes() {
    const QTemporaryDir folder;
    const auto model = openFixture("llama");
    QFile::copy(kFixtures + "llama.gguf", folder.filePath("a.gguf"));
    const auto base = *openModel(folder.filePath("a.gguf").toStdString());
    Document document = edited(base, extendVocabulary(*base, kNew));
    QVERIFY(document.apply({RenameTensor{"output.weight", "other.weight"}}, "rename"));
    QVERIFY(document.apply(*extendVocabulary(*document.current(), std::vector<NewToken>{{.text = "second"}}), "again"));

    std::string json;
    JsonText text([&](Bytes bytes) -> Result<> {
        json.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return {};
    });
    QVERIFY(writeChanges(text, document.changes()));
    QVERIFY(text.finish());
    QVERIFY(!QByteArray::fromStdString(json).contains("import_tensor"));
    JsonReader reader(json);
    const auto read =
        readChanges(reader, [](const std::filesystem::path&) { return Result<std::shared_ptr<const Model>>(); });
    QVERIFY(read);
    Document again(base);
    QVERIFY(again.apply(read->changes, "draft"));
    QCOMPARE(again.current()->tensors.size(), document.current()->tensors.size());
    for (const TensorInfo& tensor : document.current()->tensors) {
        QCOMPARE(bytesOf(*again.current(), tensor.name), bytesOf(*document.current(), tensor.name));
    }
    QVERIFY(again.apply(again.revertAll(), "back"));
    QVERIFY(!again.isModified());
}

void TestVocabularyEdits::undoAcrossASave() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("a.gguf");
    QVERIFY(QFile::copy(kFixtures + "llama.gguf", path));
    const auto base = *openModel(path.toStdString());
    Document document = edited(base, extendVocabulary(*base, kNew));
    const std::vector<std::byte> larger = bytesOf(*document.current(), "token_embd.weight");
    static_cast<void>(document.undo());
    QVERIFY(!document.isModified());
    static_cast<void>(document.redo());
    QVERIFY(saveModel(*document.base(), *document.current(), document.target()));
    document.rebase(*openModel(path.toStdString()));
    QCOMPARE(bytesOf(*document.current(), "token_embd.weight"), larger);
    static_cast<void>(document.undo());
    QVERIFY(saveModel(*document.base(), *document.current(), document.target(), {.reserve = Reserve::None}));
    const auto again = *openModel(path.toStdString());
    const auto fixture = openFixture("llama");
    QCOMPARE(tokensOf(*again), tokensOf(*fixture));
    for (const TensorInfo& tensor : fixture->tensors) {
        QCOMPARE(bytesOf(*again, tensor.name), bytesOf(*fixture, tensor.name));
    }
}

void TestVocabularyEdits::repairsAMarker_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<bool>("possible");
    QTest::newRow("F16") << static_cast<int>(TensorType::F16) << true;
    QTest::newRow("a header in each row") << static_cast<int>(TensorType::IQ4_KS) << true;
    QTest::newRow("a type that can only be read") << static_cast<int>(TensorType::NVFP4) << false;
}

// A marker of the template without an unused token gets a row of its own.
void TestVocabularyEdits::repairsAMarker() {
    QFETCH(int, type);
    QFETCH(bool, possible);
    GgufBuilder file;
    file.key("general.architecture", "llama");
    file.key("tokenizer.ggml.model", "llama");
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b", "</s>"});
    file.key("tokenizer.ggml.token_type", std::vector<std::int32_t>{1, 1, 3});
    file.key("tokenizer.chat_template", "<|start|>{{ messages[0].content }}<|stop|>");
    file.tensor("token_embd.weight", static_cast<std::uint32_t>(type), {256, 3});
    Document document(*gguf::read(file.source()));
    for (const char* marker : {"<|start|>", "<|stop|>"}) {
        const auto findings = validate(*document.current())->findings;
        const auto found = std::ranges::find_if(findings, [&](const Finding& finding) {
            return finding.code == FindingCode::TemplateTokenUnknown && finding.args.front().text() == marker;
        });
        QVERIFY(found != findings.end());
        auto changes = fixFor(*found, *document.current());
        QCOMPARE(!changes.empty(), possible);
        QVERIFY(changes.empty() || document.apply(std::move(changes), "fix"));
    }
    QCOMPARE(findingsOf(*document.current()).contains("template_token_unknown"), !possible);
    QCOMPARE(document.current()->tensors.front().shape[1], std::uint64_t{possible ? 5U : 3U});
}

void TestVocabularyEdits::bigEndian() {
    GgufBuilder file(3, ByteOrder::Big);
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b"});
    const std::vector<std::byte> rows{std::byte{0x3F}, std::byte{0x80}, {}, {},  // 1
                                      std::byte{0x40}, std::byte{0x40}, {}, {}}; // 3
    file.tensor("token_embd.weight", kF32, {1, 2}, rows);
    const auto model = *gguf::read(file.source());
    const Document document = edited(model, extendVocabulary(*model, std::vector<NewToken>{{.text = "<|xy|>"}}));
    const std::vector<std::byte> longer = bytesOf(*document.current(), "token_embd.weight");
    QCOMPARE(std::vector(longer.begin() + 8, longer.end()), (std::vector<std::byte>{std::byte{0x40}, {}, {}, {}})); // 2
}

GUFO_TEST(TestVocabularyEdits)
#include "tst_vocabulary_edits.moc"
