// Tests the check that compares a model's tensors with the tensors that the engine asks for: sound models of every
// architecture that the engine runs, and models that lack tensors, have others, or have them in other shapes.
#include "document/document.h"
#include "document/open_model.h"
#include "inference/engine/binding/graph_traits.h"
#include "model/finding_code.h"
#include "model/tensor_role.h"
#include "support/test_unit.h"
#include "test_paths.h"
#include "validate/validate.h"

#include <QDir>
#include <QDirIterator>
#include <QTest>

#include <algorithm>
#include <array>
#include <map>
#include <set>

using namespace gufo;
using namespace gufo::test;

namespace {

QString listText(const std::vector<Finding>& findings) {
    QStringList lines;
    for (const Finding& finding : findings) {
        QString line = QString::fromStdString(std::string(finding.name()));
        for (const Argument& argument : finding.args) {
            line += QStringLiteral(" | ") + QString::fromStdString(argument.text());
        }
        lines << line;
    }
    return lines.join(QStringLiteral("\n"));
}

std::vector<std::pair<QString, QString>> allFixtures() {
    std::vector<std::pair<QString, QString>> found;
    const QString own = QStringLiteral(GUFO_TEST_DATA);
    const QString shared = QStringLiteral(GUFO_SHARED_DIR "/fixtures");
    for (const QString& folder :
         {own + QStringLiteral("/architectures"), own + QStringLiteral("/encoders"), shared + QStringLiteral("/arch"),
          shared + QStringLiteral("/arch2"), shared + QStringLiteral("/arch3"), shared + QStringLiteral("/encoders"),
          shared + QStringLiteral("/vision"), shared + QStringLiteral("/convert")}) {
        QDirIterator files(folder, {QStringLiteral("*.gguf")}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = files.next();
            found.emplace_back(QDir(folder).dirName() + QStringLiteral("/") + QDir(folder).relativeFilePath(path),
                               path);
        }
    }
    std::ranges::sort(found);
    return found;
}

std::shared_ptr<const Model> openedAt(const QString& path) {
    const auto model = openModel(path.toStdString());
    return model ? *model : nullptr;
}

std::shared_ptr<const Model> ownFixture(const char* name) {
    return openedAt(QStringLiteral(GUFO_TEST_DATA) + QLatin1Char('/') + QLatin1String(name));
}

std::shared_ptr<const Model> withChanges(const std::shared_ptr<const Model>& model, std::vector<Change> changes) {
    Document document(model);
    return document.apply(std::move(changes), "test") ? document.current() : nullptr;
}

} // namespace

class TestNeededTensors : public QObject {
    Q_OBJECT

private slots:
    void soundModelsHaveNoFindings_data();
    void soundModelsHaveNoFindings();
    void everyTensorIsMissed_data();
    void everyTensorIsMissed();
    void namesFaults_data();
    void namesFaults();
    void unknownArchitecturesAreNotJudged();
    void partsOfSetsAreNotJudged();
    void sharedExpertsThatTheFileDenies();
};

void TestNeededTensors::soundModelsHaveNoFindings_data() {
    QTest::addColumn<QString>("path");
    for (const auto& [name, path] : allFixtures()) {
        QTest::newRow(qPrintable(name)) << path;
    }
}

void TestNeededTensors::soundModelsHaveNoFindings() {
    QFETCH(const QString, path);
    const auto model = openedAt(path);
    QVERIFY(model != nullptr);
    auto result = validate(*model);
    QVERIFY(result);
    // Of fixtures, scripts chose the vocabulary of letters, the name and the type of the file.
    constexpr auto kOfScripts = std::to_array<FindingCode>(
        {FindingCode::TokenizerMissing, FindingCode::SpecialTokenNotControl, FindingCode::TurnEndDiffers,
         FindingCode::TemplateTokenUnknown, FindingCode::FileNameEncoding, FindingCode::FileTypeContradicts,
         FindingCode::QuantisationVersionMissing});
    std::erase_if(result->findings, [&](const Finding& finding) {
        return finding.severity() == Severity::Note || std::ranges::find(kOfScripts, finding.code) != kOfScripts.end();
    });
    QCOMPARE(listText(result->findings), QString());
}

// Removes each tensor of a block and of the model in turn. These may be absent, because files of the architecture
// exist that lack them, or because another tensor takes their place.
void TestNeededTensors::everyTensorIsMissed_data() {
    QTest::addColumn<QString>("path");
    for (const auto& [name, path] : allFixtures()) {
        if (name.startsWith(QStringLiteral("architectures/")) || name.startsWith(QStringLiteral("encoders/"))) {
            QTest::newRow(qPrintable(name)) << path;
        }
    }
}

void TestNeededTensors::everyTensorIsMissed() {
    QFETCH(const QString, path);
    const auto model = openedAt(path);
    QVERIFY(model != nullptr);
    const std::string architecture(model->metadata.architecture());
    // The roles of all blocks, removed from all of them at once.
    std::map<std::string, std::vector<Change>> roles;
    for (const TensorInfo& tensor : model->tensors) {
        const TensorName name = parseTensorName(tensor.name);
        const bool runs = name.prefix != "dec."; // the engine runs encoders only
        const std::string role = std::string(name.role) + (name.suffix.empty() ? "" : "." + std::string(name.suffix));
        if (runs && !role.starts_with("nextn.")) {
            roles[name.fact != nullptr ? role : std::string(tensor.name)].emplace_back(
                DeleteTensor{std::string(tensor.name)});
        }
    }
    // Absent where output and embedding are tied, where rotations need no factors, where the type needs no scale, or
    // where linear layers have no bias.
    static const std::set<std::string> kOptional{"output.weight",
                                                 "output.bias",
                                                 "rope_freqs.weight",
                                                 "token_types.weight",
                                                 "cls.weight",
                                                 "cls.norm.weight",
                                                 "cls.output.bias",
                                                 "cls.output.weight",
                                                 "layer_output_scale.weight",
                                                 "attn_q.bias",
                                                 "attn_k.bias",
                                                 "attn_v.bias",
                                                 "attn_qkv.bias",
                                                 "attn_output.bias",
                                                 "ffn_up.bias",
                                                 "ffn_down.bias",
                                                 "ffn_gate.bias",
                                                 "exp_probs_b.bias",
                                                 "ssm_conv1d.bias",
                                                 "ssm_norm.weight",
                                                 "rope_factors_long.weight",
                                                 "rope_factors_short.weight",
                                                 "time_mix_ln.bias",
                                                 "gemma4 attn_v.weight",
                                                 "stablelm attn_q_norm.weight",
                                                 "stablelm attn_k_norm.weight",
                                                 "attn_norm_2.weight",
                                                 "attn_norm_2.bias",
                                                 "indexer.k_norm.bias",
                                                 "ffn_norm.bias"};
    for (const auto& [role, deletions] : roles) {
        const auto without = withChanges(model, deletions);
        QVERIFY(without != nullptr);
        const bool isOptional =
            kOptional.contains(role) || kOptional.contains(architecture + " " + role) || role.ends_with(".scale");
        const std::vector<Finding> errors = checkStructure(*without);
        if (!isOptional) {
            QVERIFY2(!errors.empty(), role.c_str());
        }
    }
}

void TestNeededTensors::namesFaults_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QStringList>("deleted"); // endings of names
    QTest::addColumn<QString>("finding");
    const auto row = [](const char* name, const char* file, const QStringList& deleted, const char* finding) {
        QTest::newRow(name) << QString::fromLatin1(file) << deleted << QString::fromUtf8(finding);
    };
    row("no first half of a feed-forward", "architectures/llama.gguf", {"ffn_up.weight"},
        "tensors_missing | blk.0–blk.1.ffn_up.weight | llama");
    row("no gate", "architectures/llama.gguf", {"ffn_gate.weight"},
        "tensors_missing | blk.0–blk.1.ffn_gate.weight | llama");
    row("no last norm and no values", "architectures/llama.gguf", {"output_norm.weight", "attn_v.weight"},
        "tensors_missing | output_norm.weight, blk.0–blk.1.attn_v.weight | llama");
    row("no norms of heads", "architectures/qwen3.gguf", {"attn_q_norm.weight", "attn_k_norm.weight"},
        "tensors_missing | blk.0–blk.1.attn_q_norm.weight, blk.0–blk.1.attn_k_norm.weight | qwen3");
    row("no joined projection", "architectures/gpt2.gguf", {"attn_qkv.weight"},
        "tensors_missing | "
        "blk.0–blk.1.attn_qkv.weight | gpt2");
    row("no learned positions", "architectures/gpt2.gguf", {"position_embd.weight"},
        "tensors_missing | position_embd.weight | gpt2");
    row("no router", "architectures/llama-moe.gguf", {"ffn_gate_inp.weight"},
        "tensors_missing | blk.0–blk.1.ffn_gate_inp.weight | llama");
    row("no second half of the experts", "architectures/qwen3moe.gguf", {"ffn_down_exps.weight"},
        "tensors_missing | blk.0–blk.1.ffn_down_exps.weight | qwen3moe");
    row("no shared expert", "architectures/qwen2moe.gguf",
        {"ffn_up_shexp.weight", "ffn_gate_shexp.weight", "ffn_down_shexp.weight", "ffn_gate_inp_shexp.weight"},
        "tensors_missing | blk.0–blk.1.ffn_gate_shexp.weight, blk.0–blk.1.ffn_up_shexp.weight, "
        "blk.0–blk.1.ffn_down_shexp.weight, blk.0–blk.1.ffn_gate_inp_shexp.weight | qwen2moe");
    row("no latent projection", "architectures/deepseek2-v3.gguf", {"attn_kv_b.weight"},
        "tensors_missing | blk.0–blk.2.attn_kv_b.weight | deepseek2");
    row("no state matrix", "architectures/mamba.gguf", {"ssm_a"}, "tensors_missing | blk.0–blk.1.ssm_a | mamba");
    row("blocks of one kind only", "architectures/jamba.gguf", {"ssm_x.weight"},
        "tensors_missing | blk.0–blk.1.ssm_x.weight, blk.3.ssm_x.weight | jamba");
    row("no decay", "architectures/rwkv6.gguf", {"time_mix_decay.weight"},
        "tensors_missing | blk.0–blk.2.time_mix_decay.weight | rwkv6");
    row("no norm of the embedding", "encoders/bert.gguf", {"token_embd_norm.weight"},
        "tensors_missing | token_embd_norm.weight | bert");
    row("an encoder in a stack", "encoders/t5.gguf", {"enc.blk.0.attn_q.weight", "enc.blk.1.attn_q.weight"},
        "tensors_missing | enc.blk.0–enc.blk.1.attn_q.weight | t5");
}

void TestNeededTensors::namesFaults() {
    QFETCH(const QString, file);
    QFETCH(const QStringList, deleted);
    QFETCH(const QString, finding);
    const auto model = ownFixture(file.toLatin1());
    QVERIFY(model != nullptr);
    std::vector<Change> changes;
    for (const TensorInfo& tensor : model->tensors) {
        const QString name = QString::fromStdString(std::string(tensor.name));
        if (std::ranges::any_of(
                deleted, [&](const QString& end) { return name == end || name.endsWith(QLatin1Char('.') + end); })) {
            changes.emplace_back(DeleteTensor{std::string(tensor.name)});
        }
    }
    const auto without = withChanges(model, std::move(changes));
    QVERIFY(without != nullptr);
    const auto result = validate(*without);
    QVERIFY(result);
    std::vector<Finding> errors = result->findings;
    std::erase_if(errors, [](const Finding& each) { return each.severity() != Severity::Error; });
    QCOMPARE(listText(errors).split(u'\n').filter(QStringLiteral("tensors_")).join(u'\n'), finding);
}

void TestNeededTensors::unknownArchitecturesAreNotJudged() {
    const auto model = ownFixture("architectures/llama.gguf");
    QVERIFY(model != nullptr);
    const std::string other = "grok";
    QVERIFY(inference::findGraphTraits(other) == nullptr);
    const auto renamed = withChanges(model, {SetKey{"general.architecture", OwnedValue(Value(std::string_view(other)))},
                                             DeleteTensor{"blk.0.ffn_up.weight"}, DeleteTensor{"blk.1.ffn_up.weight"}});
    QVERIFY(renamed != nullptr);
    const auto result = validate(*renamed);
    QVERIFY(result);
    QVERIFY(std::ranges::find(result->checksNotRun, "needed_tensors") != result->checksNotRun.end());
    QVERIFY(!listText(result->findings).contains(QStringLiteral("tensors_missing")));
}

void TestNeededTensors::partsOfSetsAreNotJudged() {
    const auto model = ownFixture("architectures/llama.gguf");
    QVERIFY(model != nullptr);
    const auto cut = withChanges(model, {DeleteTensor{"output_norm.weight"}, DeleteTensor{"blk.1.ffn_up.weight"}});
    QVERIFY(cut != nullptr);
    const auto part = std::make_shared<Model>(*cut);
    part->files.push_back({.source = nullptr, .path = "llama-00002-of-00002.gguf"});
    const auto result = validate(*part);
    QVERIFY(result);
    QVERIFY(std::ranges::find(result->checksNotRun, "needed_tensors") != result->checksNotRun.end());
    QCOMPARE(std::ranges::count(result->findings, Severity::Error, &Finding::severity), 0);
}

// DeepSeek's files have shared experts, unless a key says that the model has none.
void TestNeededTensors::sharedExpertsThatTheFileDenies() {
    const auto model = ownFixture("architectures/deepseek2-v3.gguf");
    QVERIFY(model != nullptr);
    std::vector<Change> changes;
    for (const TensorInfo& tensor : model->tensors) {
        if (tensor.name.find("_shexp.") != tensor.name.npos) {
            changes.emplace_back(DeleteTensor{std::string(tensor.name)});
        }
    }
    QVERIFY(!changes.empty());
    const auto without = withChanges(model, changes);
    QVERIFY(without != nullptr);
    QVERIFY(!checkStructure(*without).empty());
    changes.emplace_back(SetKey{"deepseek2.expert_shared_count", OwnedValue(Value(std::uint32_t{0}))});
    const auto denied = withChanges(model, changes);
    QVERIFY(denied != nullptr);
    QCOMPARE(listText(checkStructure(*denied)), QString());
}

GUFO_TEST(TestNeededTensors)
#include "tst_needed_tensors.moc"
