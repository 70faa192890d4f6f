// The verbs of gufo-cli that run a model.
#include "cli_runner.h"
#include "support/predicting_file.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QTest>

#include <cmath>
#include <csignal>
#include <cstring>
#include <vector>

// Chat templates cannot be rendered here: AddressSanitizer's shadow memory exceeds the helper's limit on address space.
#ifdef __SANITIZE_ADDRESS__
#define SKIP_WITHOUT_HELPER() QSKIP("the render helper has no room for AddressSanitizer")
#else
#define SKIP_WITHOUT_HELPER() static_cast<void>(0)
#endif

using namespace gufo::test;

namespace {

const QString kSample = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf");
const QString kSampleQ8 = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q8_0.gguf");
const QString kSampleQ4 = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q4_K.gguf");
QJsonObject readJson(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

std::vector<float> readFloats(const QString& path) {
    QFile file(path);
    const QByteArray bytes = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    std::vector<float> values(static_cast<std::size_t>(bytes.size()) / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
}

QString idList(const QJsonArray& ids) {
    QStringList list;
    for (const QJsonValue& id : ids) {
        list << QString::number(id.toInt());
    }
    return list.join(',');
}

} // namespace

class TestCliInference : public QObject {
    Q_OBJECT

private slots:
    void evalWritesLogits() {
        const QTemporaryDir folder;
        const QString out = folder.filePath("logits.f32");
        const QJsonObject json = readJson(kArchitectures + "llama.json");
        const CliResult result = runCli({"eval", kArchitectures + "llama.gguf", "--tokens",
                                         idList(json["tokens"].toArray()), "--logits", out, "--kv", "f32", "--json"});
        QCOMPARE(result.err, QByteArray());
        QCOMPARE(result.code, 0);
        QCOMPARE(result.json()["tokens"].toInt(), json["n_tokens"].toInt());
        const auto found = readFloats(out);
        const auto exact = readFloats(kArchitectures + "llama.exact.bin");
        QCOMPARE(found.size(), exact.size());
        for (std::size_t i = 0; i < exact.size(); ++i) {
            QVERIFY(std::abs(found[i] - exact[i]) <= 1e-3F);
        }
    }

    // LongRoPE has other factors beyond the original context: the trained length chooses them, unless one is given.
    void evalUsesTheFactorsOfTheContext_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("exact");
        QTest::newRow("trained length") << QStringList{} << "phi3-longrope.exact.bin";
        QTest::newRow("as long") << QStringList{"--context", "256"} << "phi3-longrope.exact.bin";
        QTest::newRow("shorter") << QStringList{"--context", "64"} << "phi3-longrope.ctx64.exact.bin";
    }
    void evalUsesTheFactorsOfTheContext() {
        QFETCH(QStringList, options);
        QFETCH(QString, exact);
        const QTemporaryDir folder;
        const QString out = folder.filePath("logits.f32");
        const QJsonObject json = readJson(kArchitectures + "phi3-longrope.json");
        const CliResult result = runCli(QStringList{"eval", kArchitectures + "phi3-longrope.gguf", "--tokens",
                                                    idList(json["tokens"].toArray()), "--logits", out, "--kv", "f32"} +
                                        options);
        QVERIFY2(result.code == 0, result.err.constData());
        const auto found = readFloats(out);
        const auto expected = readFloats(kArchitectures + exact);
        QCOMPARE(found.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QVERIFY(std::abs(found[i] - expected[i]) <= 1e-3F);
        }
    }

    void tellsLimitsBefore() {
        const QString model = kArchitectures + "llama.gguf"; // trained with 256 tokens
        const QTemporaryDir folder;
        const QStringList eval{"eval",   model, "--tokens", "1,2,3", "--logits", folder.filePath("logits.f32"),
                               "--force"};
        const CliResult longer = runCli(eval + QStringList{"--context", "1000"});
        QCOMPARE(longer.code, 0);
        QVERIFY2(longer.err.contains("1,000") && longer.err.contains("256"), longer.err.constData());
        const CliResult stretched = runCli(eval + QStringList{"--context", "1000", "--rope-scale", "4"});
        QCOMPARE(stretched.code, 0);
        QCOMPARE(stretched.err, QByteArray());

        // The KV cache would need hundreds of gigabytes.
        const QStringList tooMuch{"--context", "2000000000", "--json"};
        const CliResult memory = runCli(QStringList{"memory", model} + tooMuch);
        QCOMPARE(memory.code, 0);
        QCOMPARE(memory.json()["verdict"], "does_not_fit");
        QCOMPARE(memory.json()["runs"], true);
        const CliResult refused = runCli(eval + tooMuch);
        QCOMPARE(refused.code, 2);
        QCOMPARE(refused.err.count('\n'), 1);
        const qint64 needed = memory.json()["anonymous"].toInteger() - memory.json()["program"].toInteger();
        QVERIFY2(needed > 1LL << 38 && refused.err.contains("GiB of memory"), refused.err.constData());
        QCOMPARE(runCli({"memory", model, "--json"}).json()["verdict"], "fits");
    }

    void continuesAsKnown_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("F32") << "stories260K";
        QTest::newRow("F16") << "stories260K.F16";
    }
    void continuesAsKnown() {
        QFETCH(QString, name);
        const QString folder = QStringLiteral(GUFO_SHARED_DIR "/thirdparty/models/");
        if (!QFile::exists(folder + name + ".json")) {
            QSKIP("the trained model of another project (../shared/thirdparty/models) is not here");
        }
        const QJsonObject greedy = readJson(folder + name + ".json")["greedy"].toObject();
        const QString text = greedy["text"].toString();
        const QString prompt = greedy["prompt"].toString();
        QVERIFY(text.size() > 100 && text.startsWith(" " + prompt));
        const CliResult result = runCli(
            {"generate", folder + name + ".gguf", "-p", prompt, "--temp", "0", "-n", "300", "--ignore-eos", "--json"});
        QCOMPARE(result.err, QByteArray());
        QCOMPARE(result.code, 0);
        const QString expected = text.mid(1 + prompt.size());
        QCOMPARE(result.json()["text"].toString().left(expected.size()), expected);
        QCOMPARE(result.json()["stop"].toString(), QString("most_tokens"));
    }

    void sameSeedSameText() {
        const QStringList arguments{"generate", kSampleQ8, "-p", "Once upon a time", "-n", "40", "--seed"};
        const QByteArray first = runCli(arguments + QStringList{"5"}).out;
        QVERIFY(first.size() > 20);
        QCOMPARE(runCli(arguments + QStringList{"5", "--threads", "1"}).out, first);
        QVERIFY(runCli(arguments + QStringList{"6"}).out != first);
    }

    void stopsAtText() {
        const QStringList arguments{"generate", kSample, "-p", "Once upon a time", "--temp", "0", "-n", "60", "--json"};
        const QString whole = runCli(arguments).json()["text"].toString();
        const qsizetype at = whole.indexOf('.');
        QVERIFY(at > 0);
        const QJsonObject stopped = runCli(arguments + QStringList{"--stop", "."}).json();
        QCOMPARE(stopped["text"].toString(), whole.left(at));
        QCOMPARE(stopped["stop"].toString(), QString("stop_text"));
    }

    void keepsToASchema() {
        const QString schema =
            R"({"type":"object","properties":{"name":{"type":"string","maxLength":8},"age":{"type":"integer","minimum":3,"maximum":9}},"required":["name","age"]})";
        for (const char* seed : {"1", "2", "3", "4", "5", "6"}) {
            const QJsonObject json = runCli({"generate", kSample, "-p", "Once upon a time", "-n", "300", "--temp",
                                             "1.5", "--seed", seed, "--json-schema-text", schema, "--json"})
                                         .json();
            QCOMPARE(json["stop"].toString(), QString("end_token"));
            const QJsonObject answer = QJsonDocument::fromJson(json["text"].toString().toUtf8()).object();
            QCOMPARE(answer.keys(), QStringList({"age", "name"}));
            QVERIFY(answer["age"].toInt() >= 3 && answer["age"].toInt() <= 9);
            QVERIFY(answer["name"].isString() && answer["name"].toString().size() <= 8);
        }
    }

    void ignoresWhatCannotBeGuaranteed() {
        const QString schema = R"({"type":"object","properties":{"a":{"type":"string","pattern":"\\bx","maxLength":3}},
            "required":["a"],"uniqueItems":true})";
        const QStringList call{"generate",           kSample, "-p",    "Once", "-n", "100", "--seed", "1",
                               "--json-schema-text", schema,  "--json"};
        const auto refused = runCli(call);
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("#/properties/a/pattern"), refused.err.constData());
        const auto relaxed = runCli(call + QStringList{"--schema-relaxed"});
        QCOMPARE(relaxed.code, 0);
        QVERIFY2(relaxed.err.contains("#/properties/a/pattern"), relaxed.err.constData());
        QCOMPARE(relaxed.json()["relaxed"].toArray(), QJsonArray{"#/properties/a/pattern"});
        QVERIFY(QJsonDocument::fromJson(relaxed.json()["text"].toString().toUtf8()).object()["a"].toString().size() <=
                3);
        const auto nothing = runCli({"generate", kSample, "-p", "Once", "-n", "9", "--schema-relaxed",
                                     "--json-schema-text", R"({"type":"null"})", "--json"});
        QCOMPARE(nothing.code, 0);
        QVERIFY(nothing.json().contains("relaxed") && nothing.json()["relaxed"].toArray().isEmpty());
        const auto alone = runCli({"generate", kSample, "-p", "Once", "--schema-relaxed"});
        QCOMPARE(alone.code, 2);
        QVERIFY2(alone.err.contains("--json-schema"), alone.err.constData());
    }

    void keepsToAGrammar() {
        const QTemporaryDir folder;
        QFile file(folder.filePath("g.gbnf"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("root ::= \" the \" (\"cat\" | \"dog\") \" \" [a-c]{3} # so\n");
        file.close();
        const CliResult result =
            runCli({"generate", kSample, "-p", "I saw", "--grammar", file.fileName(), "--ignore-eos"});
        QCOMPARE(result.code, 0);
        QVERIFY2(QRegularExpression("^ the (cat|dog) [a-c]{3}\n$").match(result.out).hasMatch(), result.out);
        const QJsonObject none = runCli({"generate", kSample, "-p", "I saw", "--grammar-text", "root ::= <[5]> [a-z]",
                                         "--logit-bias", "5=-inf", "--json"})
                                     .json();
        QCOMPARE(none["stop"].toString(), QString("nothing_allowed"));
    }

    // A run reuses the prompts that an earlier run evaluated. A damaged file is reported and not used. Without the
    // option nothing is kept.
    void keepsPrompts() {
        const QTemporaryDir cache;
        const auto run = [&](const QStringList& options) {
            QProcess process;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QStringLiteral("XDG_CACHE_HOME"), cache.path());
            process.setProcessEnvironment(environment);
            process.start(QStringLiteral(GUFO_CLI),
                          QStringList{"generate", kSample, "-p",
                                      "Once upon a time there was a little girl who had a dog and a cat", "-n", "8",
                                      "--temp", "0", "--json"} +
                              options);
            return finish(process);
        };
        const auto states = [&] {
            QStringList found;
            for (QDirIterator at(cache.path(), {QStringLiteral("*.state")}, QDir::Files, QDirIterator::Subdirectories);
                 at.hasNext();) {
                found << at.next();
            }
            return found;
        };
        const CliResult plain = run({});
        QVERIFY2(plain.code == 0, plain.err);
        QCOMPARE(plain.json()["reused_tokens"].toInt(), 0);
        QVERIFY(states().isEmpty());
        const CliResult first = run({"--keep-prompts"});
        QVERIFY2(first.code == 0, first.err);
        QCOMPARE(first.json()["reused_tokens"].toInt(), 0);
        QCOMPARE(states().size(), 1);
        const CliResult second = run({"--keep-prompts"});
        QCOMPARE(second.json()["reused_tokens"].toInt(), second.json()["prompt_tokens"].toInt() - 1);
        QCOMPARE(second.json()["text"].toString(), plain.json()["text"].toString());
        QCOMPARE(run({"--keep-prompts", "--kv", "q8_0"}).json()["reused_tokens"].toInt(), 0); // another state
        for (const QString& path : states()) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(file.size() / 2) && file.write("damage") == 6);
        }
        const CliResult damaged = run({"--keep-prompts"});
        QVERIFY2(damaged.code == 0, damaged.err);
        QVERIFY2(damaged.err.contains("damaged"), damaged.err);
        QCOMPARE(damaged.json()["reused_tokens"].toInt(), 0);
        QCOMPARE(damaged.json()["text"].toString(), plain.json()["text"].toString());
    }

    void biasesTokens() {
        const QStringList arguments{"generate", kSample, "-p", "Once upon a time", "--temp", "0", "-n", "1", "--json"};
        const int likeliest = runCli(arguments).json()["tokens"][0]["id"].toInt();
        const int other = runCli(arguments + QStringList{"--logit-bias", QString("%1=-inf").arg(likeliest)})
                              .json()["tokens"][0]["id"]
                              .toInt();
        QVERIFY(other != likeliest);
        QCOMPARE(runCli(arguments + QStringList{"--logit-bias", " day=1000"}).json()["text"].toString(),
                 QString(" day"));
    }

    void talks() {
        SKIP_WITHOUT_HELPER();
        QProcess process;
        process.start(QStringLiteral(GUFO_CLI), {"chat", kSample, "--template", "plain", "-n", "12", "--system",
                                                 "A story.", "--json", "--temp", "0"});
        const QTemporaryDir folder;
        process.write("Once upon\\\n a time\n/save " + folder.filePath("c.json").toUtf8() + "\n/regen\nThe end.");
        process.closeWriteChannel();
        const CliResult result = finish(process);
        QCOMPARE(result.code, 0);
        QList<QJsonObject> answers;
        QString pieces;
        for (const QByteArray& line : result.lines()) {
            const QJsonObject event = QJsonDocument::fromJson(line).object();
            if (event["event"] == "answer") {
                QCOMPARE(event["content"].toString(), pieces.trimmed());
                pieces.clear();
                answers << event;
            } else if (event["event"] == "piece") {
                pieces += event["text"].toString();
            }
        }
        QCOMPARE(answers.size(), 3);
        QCOMPARE(answers[1]["content"], answers[0]["content"]); // regenerated, greedy
        QCOMPARE(answers[0]["reused_tokens"].toInt(), 0);
        QCOMPARE(answers[1]["reused_tokens"].toInt(), answers[0]["prompt_tokens"].toInt() - 1);
        QVERIFY(answers[2]["reused_tokens"].toInt() >= answers[0]["prompt_tokens"].toInt());
        QFile saved(folder.filePath("c.json"));
        QVERIFY(saved.open(QIODevice::ReadOnly));
        const QJsonArray messages = QJsonDocument::fromJson(saved.readAll()).array();
        QCOMPARE(messages.size(), 3);
        QCOMPARE(messages[0]["role"].toString(), QString("system"));
        QCOMPARE(messages[1]["content"].toString(), QString("Once upon\n a time"));
        QCOMPARE(messages[2]["content"], answers[0]["content"]);
    }

    // Ctrl-C ends an answer, but not the conversation.
    void stopsAnAnswer() {
        SKIP_WITHOUT_HELPER();
        QProcess process;
        process.start(QStringLiteral(GUFO_CLI), {"chat", kSample, "--template", "plain", "--json", "--ignore-eos", "-n",
                                                 "100000", "--context", "2048", "--repeat-penalty", "1.1"});
        process.write("Once upon a time\n");
        QVERIFY(process.waitForReadyRead(20'000));
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QByteArray out;
        while (!out.contains("\"cancelled\"") && process.waitForReadyRead(20'000)) {
            out += process.readAllStandardOutput();
        }
        QVERIFY2(out.contains("\"cancelled\""), out);
        process.write("/quit\n");
        QVERIFY(process.waitForFinished(20'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 0);
    }

    void perplexityAgainst() {
        const QTemporaryDir folder;
        QFile text(folder.filePath("text"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        const QByteArray story =
            runCli({"generate", kSample, "-p", "Once upon a time", "--temp", "1", "-n", "300", "--ignore-eos"}).out;
        text.write(story);
        text.close();
        const QStringList arguments{"perplexity", kSample, text.fileName(), "--ctx", "64", "--json"};
        const QJsonObject same = runCli(arguments + QStringList{"--against", kSample}).json();
        QVERIFY(same["perplexity"].toDouble() > 1 && same["perplexity"].toDouble() < 60);
        QCOMPARE(same["other_perplexity"].toDouble(), same["perplexity"].toDouble());
        QCOMPARE(same["kl_mean"].toDouble(), 0.0);
        QCOMPARE(same["top1_agreement"].toDouble(), 1.0);
        const QJsonObject other = runCli(arguments + QStringList{"--against", kSampleQ4}).json();
        QVERIFY(other["kl_mean"].toDouble() > 1e-4);
        QVERIFY(other["kl_mean"].toDouble() < 1);
        QVERIFY(other["top1_agreement"].toDouble() < 1);
        QVERIFY(std::abs(other["perplexity_ratio"].toDouble() -
                         other["other_perplexity"].toDouble() / other["perplexity"].toDouble()) < 1e-9);
        QVERIFY(other["perplexity_ratio_error"].toDouble() > 0);
        const QJsonObject kl = other["kl_percentiles"].toObject();
        QCOMPARE(kl.keys().size(), 11);
        QVERIFY(kl["99"].toDouble() >= kl["50"].toDouble() && kl["50"].toDouble() >= kl["1"].toDouble());
        QVERIFY(other["kl_max"].toDouble() >= kl["99.9"].toDouble());
        QVERIFY(other["dp_rms"].toDouble() > std::abs(other["dp_mean"].toDouble()));
        QVERIFY(other["dp_min"].toDouble() < 0 && other["dp_max"].toDouble() > 0);
        QCOMPARE(same["perplexity_ratio"].toDouble(), 1.0);
        QCOMPARE(same["dp_rms"].toDouble(), 0.0);
        const QByteArray printed =
            runCli({"perplexity", kSample, text.fileName(), "--ctx", "64", "--against", kSampleQ4}).out;
        for (const char* words :
             {"Ratio of the perplexities: ", "99.9 %", "median", "0.1 %", "RMS", "Same most likely"}) {
            QVERIFY2(printed.contains(words), printed.constData());
        }
        QCOMPARE(other["scored"].toInt() % 31, 0); // of 64 tokens, positions 32 … 62 predict the next
    }

    // The windows of perplexity and the chunks of imatrix have 512 tokens, unless the model was trained with fewer.
    void windowsFitTheModel() {
        const QTemporaryDir folder;
        QFile text(folder.filePath("text"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write(QByteArray("Once upon a time there was an owl. ").repeated(200));
        text.close();
        const QString model = kArchitectures + "llama.gguf"; // trained with 256 tokens
        const CliResult scored = runCli({"perplexity", model, text.fileName(), "--json"});
        QCOMPARE(scored.code, 0);
        QCOMPARE(scored.json()["scored"].toInt() % 127, 0); // positions 128 … 254 predict the next
        QVERIFY2(!scored.err.contains("256"), scored.err.constData());
        const CliResult asked = runCli({"perplexity", model, text.fileName(), "--ctx", "300", "--json"});
        QCOMPARE(asked.json()["scored"].toInt() % 149, 0);
        QVERIFY2(asked.err.contains("256"), asked.err.constData()); // the user is told, but obeyed
        const CliResult matrix = runCli({"imatrix", model, text.fileName(), "-o", folder.filePath("m.gguf")});
        QCOMPARE(matrix.code, 0);
        QVERIFY2(!matrix.err.contains("trained with"), matrix.err.constData());
        QCOMPARE(runCli({"get", folder.filePath("m.gguf"), "imatrix.chunk_size"}).out.trimmed(), "256");
        QVERIFY(runCli({"perplexity", "absent.gguf", "absent.txt"}).err.contains("absent.txt")); // before it loads
    }

    void readsTextsFromPipes() {
        QTemporaryFile text;
        QVERIFY(text.open());
        const QByteArray story = QByteArray("Once upon a time there was an owl. ").repeated(40);
        text.write(story);
        text.flush();
        const QStringList rest{"--ctx", "64", "--json"};
        const CliResult file = runCli(QStringList{"perplexity", kSample, text.fileName()} + rest);
        for (const QString& name : {QString("-"), QString("/dev/stdin")}) {
            QProcess process;
            process.start(QStringLiteral(GUFO_CLI), QStringList{"perplexity", kSample, name} + rest);
            process.write(story);
            process.closeWriteChannel();
            const CliResult piped = finish(process);
            QCOMPARE(piped.code, 0);
            QCOMPARE(piped.out, file.out);
        }
    }

    // The vocabularies have the same size, but different texts.
    void perplexityNeedsEqualTokens() {
        const QTemporaryDir folder;
        QFile text(folder.filePath("text"));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write("Once upon a time there was a girl.");
        text.close();
        const auto made = [&](const QString& name, const QString& token) {
            const CliResult set =
                runCli({"set", kSample, "tokenizer.ggml.tokens[300]=" + token, "-o", folder.filePath(name)});
            return set.code == 0 ? folder.filePath(name) : QString::fromUtf8(set.err);
        };
        const QString first = made("first.gguf", "ab");
        const CliResult refused =
            runCli({"perplexity", first, text.fileName(), "--ctx", "4", "--against", made("other.gguf", "xy")});
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("other.gguf: its token 300 is \"xy\", that of the reference \"ab\""),
                 refused.err);
        const CliResult sizes =
            runCli({"perplexity", first, text.fileName(), "--ctx", "4", "--against", kArchitectures + "llama.gguf"});
        QCOMPARE(sizes.code, 2);
        QVERIFY2(sizes.err.contains("tokens, that of the reference 1,024; its token"), sizes.err);
    }

    void draftsByItself() {
        QTemporaryDir folder;
        const auto written = [&](const char* name, const PredictingShape& shape) {
            const QString path = folder.filePath(QLatin1String(name));
            const auto bytes = predictingFile(shape).build();
            QFile file(path);
            const bool whole = file.open(QIODevice::WriteOnly) &&
                               file.write(reinterpret_cast<const char*>(bytes.data()),
                                          static_cast<qint64>(bytes.size())) == static_cast<qint64>(bytes.size());
            return whole ? path : QString();
        };
        const QString model = written("predicts.gguf", {});
        const QString plain = written("plain.gguf", {.predicts = false});
        const QString wrong = written("wrong.gguf", {.projected = 64});
        const QStringList arguments{"-p", "one", "-n", "40", "--temp", "0", "--json"};
        const CliResult without = runCli(QStringList{"generate", model} + arguments);
        const CliResult with = runCli(QStringList{"generate", model} + arguments + QStringList{"--mtp"});
        QCOMPARE(without.code, 0);
        QCOMPARE(with.code, 0);
        QCOMPARE(with.json()["text"], without.json()["text"]);
        QVERIFY(with.json()["text"].toString().contains("two three four owl"));
        QCOMPARE(without.json()["drafted"].toInt(), 0);
        QVERIFY(with.json()["accepted"].toInt() > 0);
        QCOMPARE(with.json()["accepted"], with.json()["drafted"]);
        // Only what does not draft is left out.
        QVERIFY2(without.err.contains("blk.1"), without.err.constData());
        QVERIFY2(!with.err.contains("blk.1"), with.err.constData());
#ifndef __SANITIZE_ADDRESS__ // see SKIP_WITHOUT_HELPER
        const CliResult chat = runCli({"chat", model, "-m", "one", "-n", "20", "--temp", "0", "--json", "--mtp"});
        QCOMPARE(chat.code, 0);
        QVERIFY2(chat.out.contains("\"accepted\"") && !chat.out.contains("\"accepted\": 0"), chat.out.constData());
#endif

        const auto refused = [&](const QString& path, const QStringList& options) {
            const CliResult result = runCli(QStringList{"generate", path} + arguments + options);
            return result.code == 2 ? result.err : QByteArray("not refused");
        };
        QVERIFY2(refused(plain, {"--mtp"}).contains("the model has no block that predicts further tokens"),
                 refused(plain, {"--mtp"}).constData());
        const QByteArray reason = refused(wrong, {"--mtp"});
        QVERIFY2(reason.contains("blk.1.nextn.eh_proj.weight") && reason.contains("64"), reason.constData());
        QCOMPARE(runCli(QStringList{"generate", wrong} + arguments).json()["text"], without.json()["text"]);
        QVERIFY(refused(model, {"--mtp", "--lookup"}).contains("only one of --draft, --lookup and --mtp"));
        QVERIFY(refused(model, {"--draft", plain, "--lookup"}).contains("only one of"));

        const auto cacheOf = [&](const QStringList& options) {
            return runCli(QStringList{"memory", model, "--json"} + options).json()["kv_cache"].toInt();
        };
        QCOMPARE(cacheOf({"--mtp"}), 2 * cacheOf({})); // of two equal blocks instead of one
        const CliResult none = runCli({"memory", plain, "--mtp"});
        QVERIFY(none.code == 2 && none.err.contains("the model has no block that predicts further tokens"));
    }

    void benchTellsShares() {
        const QJsonObject json = runCli({"bench", kSampleQ8, "-p", "16", "-n", "4", "--json"}).json();
        for (const char* key : {"prompt_tps", "generation_tps", "read_gbps", "bandwidth_gbps", "bandwidth_share"}) {
            QVERIFY2(json[QLatin1String(key)].toDouble() > 0, key);
        }
        QVERIFY(json["threads"].toInt() > 0);
        QVERIFY(!json["isa"].toString().isEmpty());
        // A share of the memory's bandwidth is given only where the memory is read.
        const CliResult text = runCli({"bench", kSampleQ8, "-p", "16", "-n", "4"});
        QCOMPARE(text.out.contains("processor's cache"), json["in_cache"].toBool());
        QCOMPARE(text.out.contains("of the read bandwidth"), !json["in_cache"].toBool());
        const CliResult longer = runCli({"bench", kSampleQ8, "-p", "16", "-n", "4", "--context", "20"});
        QCOMPARE(longer.code, 2); // 21 tokens are measured
        QVERIFY2(longer.err.contains("--context"), longer.err.constData());
    }

    void refuses_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("says");
        const QString model = kSample;
        QTest::newRow("a grammar that is none")
            << QStringList{"generate", model, "-p", "a", "--grammar-text", "root ::= ("}
            << QByteArray("line 1, column 11");
        QTest::newRow("a schema that is none")
            << QStringList{"generate", model, "-p", "a", "--json-schema-text", "{\"not\":1}"} << QByteArray("#/not");
        QTest::newRow("two constraints")
            << QStringList{"generate", model, "-p", "a", "--grammar-text", "root ::= \"a\"", "--json-schema-text", "{}"}
            << QByteArray("cannot be combined");
        QTest::newRow("a token that is none")
            << QStringList{"generate", model, "-p", "a", "--grammar-text", "root ::= <no>"}
            << QByteArray("no token <no>");
        QTest::newRow("a bias without a number")
            << QStringList{"generate", model, "-p", "a", "--logit-bias", "5=x"} << QByteArray("\"x\"");
        QTest::newRow("a bias of many tokens")
            << QStringList{"generate", model, "-p", "a", "--logit-bias", "once upon a=1"}
            << QByteArray("not a single token");
        QTest::newRow("no chat template")
            << QStringList{"chat", kArchitectures + "llama.gguf", "-m", "a"} << QByteArray("no chat template");
        QTest::newRow("a template that fails")
            << QStringList{"chat", model, "-m", "a", "--template", "plain", "--arg", "x"} << QByteArray("NAME=JSON");
        QTest::newRow("no prompt") << QStringList{"generate", model} << QByteArray("--prompt");
        QTest::newRow("no number") << QStringList{"generate", model, "-p", "a", "--temp", "warm"} << QByteArray("warm");
        QTest::newRow("a temperature below zero") << QStringList{"generate", model, "-p", "a", "--temp", "-1"}
                                                  << QByteArray("--temp takes a number of at least 0, not \"-1\"");
        QTest::newRow("a share above one") << QStringList{"generate", model, "-p", "a", "--top-p", "2"}
                                           << QByteArray("--top-p takes a number from 0 to 1, not \"2\"");
        QTest::newRow("a stop that is empty")
            << QStringList{"generate", model, "-p", "a", "--stop", ""} << QByteArray("--stop must not be empty");
        QTest::newRow("no tokens") << QStringList{"generate", model, "-p", "a", "-n", "0"}
                                   << QByteArray("generate: -n takes a whole number");
        QTest::newRow("a strange option") << QStringList{"generate", model, "-p", "a", "--warmth", "1"}
                                          << QByteArray("no option --warmth; see gufo-cli help generate");
        QTest::newRow("strange keys")
            << QStringList{"perplexity", model, model, "--kv-keys", "q3"}
            << QByteArray("--kv-keys takes f32, f16, bf16, q8_0, q5_1, q5_0, q4_1, q4_0, not \"q3\"");
        QTest::newRow("a strange scaling") << QStringList{"memory", model, "--rope-scaling", "longrope"}
                                           << QByteArray("takes none, linear or yarn, not \"longrope\"");
        QTest::newRow("scaling by nothing") << QStringList{"memory", model, "--rope-scaling", "yarn"}
                                            << QByteArray("--rope-scaling yarn needs --rope-scale");
        QTest::newRow("no scaling by something")
            << QStringList{"memory", model, "--rope-scaling", "none", "--rope-scale", "2"}
            << QByteArray("cannot be combined");
        QTest::newRow("a negative base") << QStringList{"memory", model, "--rope-base", "-1"}
                                         << QByteArray("--rope-base takes a number greater than 0");
        QTest::newRow("a strange cache") << QStringList{"generate", model, "-p", "a", "--kv", "q3"}
                                         << QByteArray("q8_0");
        QTest::newRow("a token that is none")
            << QStringList{"eval", model, "--tokens", "1,x", "--logits", "/tmp/never"} << QByteArray("\"x\"");
        QTest::newRow("a token past the vocabulary")
            << QStringList{"eval", model, "--tokens", "1,99999", "--logits", "/tmp/never"} << QByteArray("1024");
        QTest::newRow("no model to run") << QStringList{"generate",
                                                        QStringLiteral(GUFO_TEST_DATA "/tokenizer/unigram.gguf"), "-p",
                                                        "a"}
                                         << QByteArray("vocabulary");
    }
    void refuses() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, says);
        const CliResult result = runCli(arguments);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains(says), result.err.constData());
        // One line for the error. What the model recommends may have been noted before.
        QCOMPARE(result.err.count('\n'), result.err.startsWith("gufo-cli: The model recommends") ? 2 : 1);
    }

    void bearsClosedStreams() { // files must not take their descriptors
        QProcess process;
        process.start("sh", {"-c", "exec \"$0\" chat \"$1\" <&- >&- 2>&-", QStringLiteral(GUFO_CLI), kSampleQ8});
        QCOMPARE(finish(process).code, 0);
    }

    void stopsOnSignal() {
        QProcess process;
        process.start(QStringLiteral(GUFO_CLI), {"generate", kSample, "-p", "Once", "-n", "1000000", "--ignore-eos"});
        QVERIFY(process.waitForReadyRead(20'000));
        process.terminate();
        const CliResult result = finish(process);
        QCOMPARE(result.code, 128 + 15);
    }
};

GUFO_TEST(TestCliInference)
#include "tst_cli_inference.moc"
