// Files from before GGUF that are damaged, end early or lie, and models in parts, some of which are missing or differ.
#include "document/open_model.h"
#include "formats/ggml/reader.h"
#include "ggml_files.h"
#include "model_texts.h"
#include "support/tensor_values.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <functional>

using namespace gufo;
using namespace gufo::test;
namespace fs = std::filesystem;

class TestGgmlFaults : public QObject {
    Q_OBJECT

private slots:
    void malformed_data();
    void malformed();
    void damaged_data();
    void damaged();
    void everyPrefix();
    void parts();
    void partsThatDiffer();
    void completeModelBesideAnother();
    void cancelled();
};

void TestGgmlFaults::malformed_data() {
    QTest::addColumn<GgmlBuilder*>("file");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, GgmlBuilder file, const char* error) {
        QTest::newRow(name) << new GgmlBuilder(std::move(file)) << error;
    };
    const auto head = [](std::initializer_list<std::int32_t> numbers) {
        GgmlBuilder file("tjgg", 3);
        file.padding = 32;
        return file.numbers(numbers);
    };
    row("nothing but the magic", GgmlBuilder("tjgg"), "truncated header 4 0");
    row("version 0", GgmlBuilder("tjgg", 0), "unsupported_version 0");
    row("version 4", GgmlBuilder("tjgg", 4), "unsupported_version 4");
    row("GGMF of version 2", GgmlBuilder("fmgg", 2), "unsupported_version 2");
    row("adapter of version 2", GgmlBuilder("algg", 2), "unsupported_version 2");
    row("no hyper-parameters", head({}), "truncated header 4 0");
    row("no tokens", head({0, 8, 256, 2, 1, 4, 0}), "malformed hyper_parameter_unusable n_vocab 0");
    row("negative tokens", head({-1, 8, 256, 2, 1, 4, 0}), "malformed hyper_parameter_unusable n_vocab -1");
    row("no layers", head({1, 8, 256, 2, 0, 4, 0}), "malformed hyper_parameter_unusable n_layer 0");
    row("more tokens than bytes", head({1 << 30, 8, 256, 2, 1, 4, 0}), "count_too_large tokens 1073741824 0");
    row("a token past the end", head({1, 8, 256, 2, 1, 4, 0, 1000, 0}), "string_too_long token 1000 4");
    row("a token of 4 GiB", head({1, 8, 256, 2, 1, 4, 0, -1, 0}), "string_too_long token 4294967295 4");
    row("a token without score", head({1, 8, 256, 2, 1, 4, 0, 4, 0}), "truncated token 4 0");

    const auto tensor = [](std::initializer_list<std::int32_t> record, std::string_view after = {}) {
        GgmlBuilder file = ggmlLlama("tjgg", 3);
        file.numbers(record);
        file.out.text(after);
        return file;
    };
    row("a cut record", tensor({1, 4}), "truncated tensor 4 0");
    row("five dimensions", tensor({5, 1, 0, 1, 1, 1, 1, 1}, "w"), "too_many_dimensions 5 4");
    row("negative dimensions", tensor({-1, 1, 0, 1}, "w"), "too_many_dimensions 4294967295 4");
    row("a negative dimension", tensor({2, 1, 0, 8, -2}, "w"), "malformed dimension_negative -2");
    row("a name past the end", tensor({1, 900, 0, 1}, "w"), "string_too_long tensor_name 900 1");
    row("a name of 4 GiB", tensor({1, -1, 0, 1}, "w"), "string_too_long tensor_name 4294967295 1");
    row("an unknown type", tensor({1, 1, 77, 1}, "w"), "malformed unknown_data_type 77");
    row("a negative type", tensor({1, 1, -1, 1}, "w"), "malformed unknown_data_type 4294967295");
    row("a type of another version", tensor({1, 1, 4, 16}, "w"), "malformed unknown_data_type Q4_2");
    row("half a block", tensor({1, 1, 2, 16}, "w"), "malformed row_not_whole_blocks 16 Q4_0 32");
    row("weights that overflow", tensor({4, 1, 0, 1 << 30, 1 << 30, 1 << 30, 1 << 30}, "w"),
        "malformed size_not_whole_bytes");

    // Without a version, no interpretation fits.
    row("GGML of no family", GgmlBuilder("lmgg").numbers({1, 2, 3}), "malformed no_ggml_family");
    row("GGML, nothing but the magic", GgmlBuilder("lmgg"), "malformed no_ggml_family");
    GgmlBuilder repeated("lmgg");
    repeated.numbers({2, 16, 8, 2, 1, 1, 1}).token("a").tensor("w", kGgmlF32, {1}, 4);
    row("GPT-2 with another number of tokens", repeated, "malformed no_ggml_family");
    GgmlBuilder filters("lmgg");
    filters.numbers({2, 1500, 8, 2, 1, 448, 8, 2, 1, 80, 1}).numbers({1 << 30, 1 << 30, 0});
    row("filters that overflow", filters, "malformed no_ggml_family");
    GgmlBuilder nan("lmgg");
    nan.numbers({8, 16, 2, 1, 1, 0x7FC00000, 0, 1}).token("a").tensor("w", kGgmlF32, {1}, 4);
    row("a hyper-parameter that is not a number", nan, "malformed no_ggml_family");
}

void TestGgmlFaults::malformed() {
    QFETCH(GgmlBuilder*, file);
    QFETCH(QString, error);
    const std::unique_ptr<GgmlBuilder> owner(file);
    const auto model = ggml::read(file->source());
    QVERIFY(!model);
    QCOMPARE(errorOf(model.error()), error);
    QCOMPARE(model.error().file, fs::path("test.bin"));
    QVERIFY(model.error().place.offset.has_value());
}

void TestGgmlFaults::damaged_data() {
    QTest::addColumn<GgmlBuilder*>("file");
    QTest::addColumn<QString>("findings");
    const auto row = [](const char* name, const std::function<void(GgmlBuilder&)>& damage, const char* findings,
                        std::int32_t fileType = 0) {
        auto* file = new GgmlBuilder(ggmlLlama("tjgg", 3, fileType));
        file->tensor("first", kGgmlF32, {2}, 8);
        damage(*file);
        QTest::newRow(name) << file << findings;
    };
    row("a tensor past the end", [](auto& f) { f.tensor("w", kGgmlF32, {8}, 12); }, "tensor_past_end");
    row("a tensor without data", [](auto& f) { f.tensor("w", kGgmlF32, {8}, 0); }, "tensor_past_end");
    row(
        "no padding at the end",
        [](auto& f) {
            f.padding = 0;
            f.tensor("w", kGgmlF32, {8}, 0);
        },
        "tensor_past_end");
    row("a cut record", [](auto& f) { f.numbers({1, 1}); }, "tensor_record_broken");
    row("zeros at the end", [](auto& f) { f.out.zeros(5); }, "tensor_record_broken");
    row("a negative dimension", [](auto& f) { f.numbers({1, 1, 0, -1}); }, "tensor_record_broken");
    row("an unknown type", [](auto& f) { f.tensor("w", 77, {8}, 32); }, "tensor_record_broken");
    row("a name twice", [](auto& f) { f.tensor("first", kGgmlF32, {2}, 8); }, "duplicate_tensor_name");
    row("no name", [](auto& f) { f.tensor("", kGgmlF32, {2}, 8); }, "tensor_name_empty");
    row("an unknown ftype", [](auto&) {}, "unknown_value", 99);
}

void TestGgmlFaults::damaged() {
    QFETCH(GgmlBuilder*, file);
    QFETCH(QString, findings);
    const std::unique_ptr<GgmlBuilder> owner(file);
    const auto model = ggml::read(file->source());
    QVERIFY2(model, qPrintable(model ? QString() : errorOf(model.error())));
    QCOMPARE(findingNames(**model), findings);
    QCOMPARE(valuesOf(**model, "first").size(), 2U);
}

// A file that ends anywhere is refused or has a finding, unless it ends after a tensor, and is never read beyond its
// end.
void TestGgmlFaults::everyPrefix() {
    GgmlBuilder file = ggmlLlama("tjgg", 3);
    const std::size_t vocabulary = file.out.bytes.size();
    const std::size_t first = file.tensor("a", kGgmlF32, {2, 3}, 24).out.bytes.size();
    const auto whole = file.tensor("b", 8, {32}, 34).out.bytes;
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        const auto model = ggml::read(std::make_shared<MemorySource>(
            std::vector<std::byte>(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)), "test.bin"));
        const bool ends = size == vocabulary || size == first || size == whole.size();
        QCOMPARE(model && (*model)->findings.empty(), ends);
        QVERIFY(model || model.error().place.offset);
    }
}

void TestGgmlFaults::parts() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    const auto write = [&](const char* name, float value) {
        GgmlBuilder file = ggmlLlama("fmgg", 1);
        GgufBytes data;
        data.number(value).number(value + 1).number(value + 2).number(value + 3);
        file.tensor("tok_embeddings.weight", kGgmlF32, {4, 1}, data.bytes).tensor("norm.weight", kGgmlF32, {8}, 32);
        file.write(root / name);
    };
    write("model.bin", 10);
    for (const char* name : {"model.bin", "model.bin.1"}) {
        write("model.bin.1", 20);
        const auto model = openModel(root / name);
        QVERIFY(model);
        QCOMPARE((*model)->files.size(), 2U);
        QCOMPARE((*model)->path(), root / name);
        QCOMPARE((*model)->tensors.size(), 4U);
        QCOMPARE(findingNames(**model), "tensors_in_slices");
        const TensorInfo& slice = (*model)->tensors[2];
        QCOMPARE(slice.name, "tok_embeddings.weight");
        QCOMPARE(slice.file.value, 1U);
        float value = 0;
        QVERIFY(decode(*(*model)->rowsOf(slice), 3, std::span(&value, 1)));
        QCOMPARE(value, 23.0F);
        QCOMPARE(textsOf(**model, "tokenizer.ggml.tokens").size(), 3);
    }
    fs::remove(root / "model.bin.1");
    const auto missing = openModel(root / "model.bin");
    QVERIFY(missing);
    QCOMPARE(findingNames(**missing), "shard_missing");
    QCOMPARE((*missing)->tensors.size(), 2U);

    fs::resize_file(root / "model.bin", fs::file_size(root / "model.bin") - 1);
    write("model.bin.1", 20);
    const auto truncated = openModel(root / "model.bin.1");
    QVERIFY(truncated);
    QCOMPARE(findingNames(**truncated), "tensor_past_end tensors_in_slices");
    QCOMPARE((*truncated)->findings[0].place.part, 0U);
}

void TestGgmlFaults::partsThatDiffer() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    GgmlBuilder first = ggmlLlama("fmgg", 1);
    first.tensor("tok_embeddings.weight", kGgmlF32, {4, 1}, 16).write(root / "m.bin");
    const auto findings = [&](const GgmlBuilder& second) {
        second.write(root / "m.bin.1");
        const auto model = openModel(root / "m.bin");
        return model ? findingNames(**model) + u' ' + QString::number((*model)->tensors.size()) : QString();
    };
    GgmlBuilder unversioned = ggmlLlama("lmgg", {});
    QCOMPARE(findings(unversioned.tensor("w", kGgmlF32, {4}, 16)), "shard_mismatch 1");
    GgmlBuilder wider = ggmlLlama("fmgg", 1, 0, 16);
    QCOMPARE(findings(wider.tensor("w", kGgmlF32, {4}, 16)), "shard_mismatch 1");
    GgmlBuilder damaged("fmgg", 1);
    QCOMPARE(findings(damaged.numbers({0})), "shard_unreadable 1");
    // A link may not lead out of the folder.
    const QTemporaryDir elsewhere;
    const fs::path target = fs::path(elsewhere.path().toStdString()) / "x.bin";
    first.write(target);
    fs::remove(root / "m.bin.1");
    fs::create_symlink(target, root / "m.bin.1");
    const auto linked = openModel(root / "m.bin");
    QVERIFY(linked);
    QCOMPARE(findingNames(**linked), "shard_unreadable");
}

// A download whose name was taken is no part.
void TestGgmlFaults::completeModelBesideAnother() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    GgmlBuilder file = ggmlLlama("fmgg", 1);
    file.tensor("tok_embeddings.weight", kGgmlF32, {8, 1}, 32);
    file.write(root / "m.bin");
    file.write(root / "m.bin.1");
    const auto model = openModel(root / "m.bin");
    QVERIFY(model);
    QCOMPARE((*model)->files.size(), 1U);
}

void TestGgmlFaults::cancelled() {
    std::stop_source stop;
    stop.request_stop();
    GgmlBuilder file = ggmlLlama("lmgg", {});
    file.tensor("w", kGgmlF32, {1}, 4);
    QCOMPARE(ggml::read(file.source(), {.stop = stop.get_token()}).error().code, ErrorCode::Cancelled);
}

GUFO_TEST(TestGgmlFaults)
#include "tst_ggml_faults.moc"
