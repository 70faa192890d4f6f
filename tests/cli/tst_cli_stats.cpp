// Tests the verb stats of gufo-cli: statistics and histograms as text and as JSON.
#include "cli_model.h"
#include "cli_runner.h"
#include "support/process_time.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace gufo;
using namespace gufo::test;

namespace {

// The expected figures of a tensor, computed here in the simplest way.
struct Figures {
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();
    double mean = 0;
    double std = 0;
    double absMean = 0;
    double skew = 0;
    double kurtosis = 0;
    int zeros = 0;
    int nan = 0;
    int inf = 0;
    std::vector<int> histogram;

    Figures(const std::vector<float>& values, int bins) {
        std::vector<double> finite;
        for (const float value : values) {
            nan += std::isnan(value) ? 1 : 0;
            inf += std::isinf(value) ? 1 : 0;
            zeros += value == 0 ? 1 : 0;
            if (std::isfinite(value)) {
                finite.push_back(value);
            }
        }
        const auto n = static_cast<double>(finite.size());
        for (const double value : finite) {
            min = std::min(min, value);
            max = std::max(max, value);
            mean += value / n;
            absMean += std::abs(value) / n;
        }
        double m2 = 0;
        double m3 = 0;
        double m4 = 0;
        for (const double value : finite) {
            const double d = value - mean;
            m2 += d * d / n;
            m3 += d * d * d / n;
            m4 += d * d * d * d / n;
        }
        std = std::sqrt(m2);
        skew = m3 / (m2 * std);
        kurtosis = m4 / (m2 * m2) - 3;
        // As numpy.histogram does: the bin whose edges contain the value.
        histogram.resize(static_cast<std::size_t>(bins));
        for (const double value : finite) {
            std::size_t bin = 0;
            while (bin + 1 < histogram.size() && value >= min + (max - min) / bins * static_cast<double>(bin + 1)) {
                ++bin;
            }
            ++histogram[bin];
        }
    }
};

bool near(const QJsonValue& json, double expected) {
    return json.isDouble() && std::abs(json.toDouble() - expected) <= 1e-9 * std::max(1.0, std::abs(expected));
}

} // namespace

class TestCliStats : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void statsAsJson();
    void statsForPeople();
    void statsOfNamedTensors();
    void statsOfFilteredTensors();
    void statsOfTypesThatCannotBeDecoded();
    void statsOfAFileThatIsCutOff();
    void singularValues();
    void failuresAreToldOnce();
    void correlation();
    void statsOfARealModel();
    void statsOfAFileThatShrinks();

private:
    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }

    QTemporaryDir m_folder;
    QString m_model;
    std::vector<float> m_weights = waves(64 * 20);
};

void TestCliStats::initTestCase() {
    QVERIFY(m_folder.isValid());
    m_model = path("model.gguf");
    GgufBuilder file;
    file.key("general.architecture", "llama");
    addTensors(file, m_weights).write(m_model.toStdString());
}

void TestCliStats::statsAsJson() {
    for (const int bins : {256, 10}) {
        const QStringList option = bins == 256 ? QStringList{} : QStringList{"--hist", QString::number(bins)};
        const CliResult result = runCli(QStringList{"stats", "--json", m_model} + option);
        QVERIFY2(result.code == 0, result.err.constData());
        const QJsonArray tensors = result.json()["tensors"].toArray();
        QCOMPARE(tensors.size(), 4);
        const QJsonObject json = tensors[0].toObject();
        const Figures expected(m_weights, bins);
        QCOMPARE(json["name"], "waves");
        QCOMPARE(json["type"], "F32");
        QCOMPARE(json["shape"], (QJsonArray{64, 20}));
        QCOMPARE(json["count"], 64 * 20);
        QCOMPARE(json["min"].toDouble(), expected.min);
        QCOMPARE(json["max"].toDouble(), expected.max);
        QVERIFY(near(json["mean"], expected.mean));
        QVERIFY(near(json["std"], expected.std));
        QVERIFY(near(json["abs_mean"], expected.absMean));
        QVERIFY(near(json["skew"], expected.skew));
        QVERIFY(near(json["kurtosis"], expected.kurtosis));
        QCOMPARE(json["zeros"], expected.zeros);
        QCOMPARE(json["nan"], 0);
        QCOMPARE(json["inf"], 0);
        QVERIFY(json["first_non_finite"].isNull());
        const QJsonObject histogram = json["hist"].toObject();
        QCOMPARE(histogram["lo"].toDouble(), expected.min);
        QCOMPARE(histogram["hi"].toDouble(), expected.max);
        QJsonArray counts;
        for (const int count : expected.histogram) {
            counts.append(count);
        }
        QCOMPARE(histogram["counts"].toArray(), counts);

        const QJsonObject odd = tensors[1].toObject();
        QCOMPARE(odd["count"], 8);
        QCOMPARE(odd["nan"], 1);
        QCOMPARE(odd["inf"], 2);
        QCOMPARE(odd["zeros"], 1);
        QCOMPARE(odd["min"], -4);
        QCOMPARE(odd["max"], 2);
        QVERIFY(near(odd["mean"], -0.1));
        QCOMPARE(odd["first_non_finite"], 2);

        const QJsonObject zeros = tensors[2].toObject();
        QCOMPARE(zeros["zeros"], 64);
        QCOMPARE(zeros["std"], 0);
        QVERIFY(zeros["skew"].isNull() && zeros["kurtosis"].isNull());
        QCOMPARE(zeros["hist"].toObject()["lo"], -0.5);
        QCOMPARE(zeros["hist"].toObject()["hi"], 0.5);

        QCOMPARE(tensors[3].toObject()["error"].toObject()["code"], "not_decodable");
    }
}

void TestCliStats::statsForPeople() {
    const CliResult table = runCli({"stats", m_model});
    QCOMPARE(table.code, 0);
    QByteArrayList lines = table.lines();
    QVERIFY(lines[0].startsWith("Tensor "));
    QVERIFY(lines[0].contains("Kurtosis") && lines[0].contains("Inf"));
    QVERIFY(lines[1].startsWith("waves   F32 "));
    QVERIFY(lines[2].startsWith("odd     F32 "));
    QVERIFY(lines[3].startsWith("zeros   Q8_0"));
    QVERIFY2(table.err.contains("strange (type 999)"), table.err.constData());
    QCOMPARE(lines[0].size(), lines[1].replace("×", "x").size()); // right-aligned

    const CliResult histogram = runCli({"stats", m_model, "waves", "--hist", "4"});
    lines = histogram.lines();
    QVERIFY2(histogram.out.contains("\n  Std       0.17"), histogram.out.constData());
    const qsizetype head = lines.size() - 6;
    QVERIFY2(lines[head].contains("Count"), histogram.out.constData());
    const Figures expected(m_weights, 4);
    for (std::size_t bin = 0; bin < 4; ++bin) {
        QVERIFY(lines[head + 1 + static_cast<qsizetype>(bin)].contains(
            ' ' + QByteArray::number(expected.histogram[bin]) + ' '));
    }

    const CliResult whole = runCli({"stats", m_model, "waves", "odd", "--model"});
    QVERIFY2(whole.out.contains("\n(all tensors)"), whole.out.constData());
    QVERIFY(whole.out.contains("1,352")); // the number of all decodable weights
}

void TestCliStats::statsOfNamedTensors() {
    const CliResult result = runCli({"stats", m_model, "odd", "waves", "--json", "--model"});
    QCOMPARE(result.code, 0);
    const QJsonArray tensors = result.json()["tensors"].toArray();
    QCOMPARE(tensors.size(), 2);
    QCOMPARE(tensors[0].toObject()["name"], "odd");
    QCOMPARE(tensors[1].toObject()["name"], "waves");
    QCOMPARE(result.json()["model"].toObject()["count"], 64 * 20 + 8 + 64);
}

void TestCliStats::statsOfFilteredTensors() {
    const auto names = [this](const QStringList& arguments) {
        QStringList found;
        for (const QJsonValue& tensor :
             runCli(QStringList{"stats", m_model, "--json"} + arguments).json()["tensors"].toArray()) {
            found << tensor["name"].toString();
        }
        return found;
    };
    QCOMPARE(names({"--filter", "size:>1K -strange"}), QStringList{"waves"});
    QCOMPARE(names({"--filter", "/^odd$/"}), QStringList{"odd"});
    QCOMPARE(names({"--filter", "!waves", "waves", "odd"}), QStringList{"odd"}); // of the named tensors
    const CliResult none = runCli({"stats", m_model, "--filter", "zzz"});
    QCOMPARE(none.code, 2);
    QVERIFY2(none.err.contains("--filter zzz matches no tensor"), none.err.constData());
    const CliResult wrong = runCli({"stats", m_model, "--filter", "size:big"});
    QCOMPARE(wrong.code, 2);
    QVERIFY2(wrong.err.contains("size:big is not a size"), wrong.err.constData());
    QCOMPARE(wrong.err.count('\n'), 1);
}

void TestCliStats::statsOfTypesThatCannotBeDecoded() {
    const CliResult named = runCli({"stats", m_model, "strange"});
    QCOMPARE(named.code, 2);
    QVERIFY2(named.err.contains("strange"), named.err.constData());
}

// The tensors that a damaged file lacks are counted, and only the first ones named.
void TestCliStats::statsOfAFileThatIsCutOff() {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    for (int i = 0; i < 40; ++i) {
        file.tensor("t" + std::to_string(i), 0, {64});
    }
    const QString name = path("cut.gguf");
    file.write(name.toStdString());
    QVERIFY(QFile::resize(name, QFileInfo(name).size() - 30 * 256));
    const CliResult result = runCli({"stats", name});
    QCOMPARE(result.code, 2);
    const QByteArrayList lines = result.err.split('\n');
    const auto omitted = std::ranges::find_if(lines, [](const QByteArray& line) { return line.contains("omitted"); });
    QVERIFY2(omitted != lines.end(), result.err.constData());
    QVERIFY2(omitted->contains("t10 (F32)") && !omitted->contains("t39 (F32)"), omitted->constData());
    QVERIFY2(omitted->contains("and 22 more"), omitted->constData());
    QVERIFY2(!result.err.contains("+ 0"), result.err.constData()); // an empty range says nothing
    QVERIFY2(result.err.contains("256 bytes are needed, 0 are left"), result.err.constData());
}

// The waves are a sine, which has rank 2, plus a constant; two weights of the first row are 0.
void TestCliStats::singularValues() {
    const CliResult result = runCli({"stats", m_model, "waves", "--spectrum", "6", "--json"});
    QVERIFY2(result.code == 0, result.err.constData());
    const QJsonObject spectrum = result.json()["tensors"].toArray()[0].toObject()["spectrum"].toObject();
    QCOMPARE(spectrum["rows"], 20);
    QCOMPARE(spectrum["columns"], 64);
    const QJsonArray values = spectrum["values"].toArray();
    QCOMPARE(values.size(), 6);
    QCOMPARE(spectrum["all"], false);
    double energy = 0;
    for (const float weight : m_weights) {
        energy += static_cast<double>(weight) * static_cast<double>(weight);
    }
    QVERIFY(near(spectrum["energy"], energy));
    double found = 0;
    for (const QJsonValue& value : values) {
        found += value.toDouble() * value.toDouble();
    }
    QVERIFY(std::abs(found / energy - 1) < 1e-9);
    QVERIFY(values[3].toDouble() > 1e-3);
    QVERIFY(values[4].toDouble() < 1e-6 * values[0].toDouble());
    QCOMPARE(spectrum["top_rows"].toArray().size(), 16);
    QCOMPARE(spectrum["top_columns"].toArray().size(), 16);
    QVERIFY(spectrum["change"].toDouble() <= 1e-3);
    QVERIFY(spectrum["passes"].toInt() >= 3);

    const CliResult all = runCli({"stats", m_model, "--spectrum", "20", "--json"});
    const QJsonArray tensors = all.json()["tensors"].toArray();
    QCOMPARE(all.code, 0);
    QCOMPARE(tensors[0].toObject()["spectrum"].toObject()["all"], true);
    QVERIFY(!tensors[1].toObject().contains("spectrum")); // a vector
    QCOMPARE(tensors[2].toObject()["spectrum"].toObject()["values"].toArray(), (QJsonArray{0, 0}));

    const CliResult text = runCli({"stats", m_model, "waves", "--spectrum", "6"});
    QVERIFY2(text.out.contains("Halko, Martinsson, Tropp 2011"), text.out.constData());
    QVERIFY2(text.out.contains("100.00 %"), text.out.constData());
    QCOMPARE(runCli({"stats", m_model, "waves", "--spectrum", "0"}).code, 2);
}

// A vector and a matrix have no correlation; each of the failures is told once.
void TestCliStats::failuresAreToldOnce() {
    const auto names = runCli({"stats", m_model, "--json"}).json()["tensors"].toArray();
    const QString vector = names[1].toObject()["name"].toString();
    const CliResult once = runCli({"stats", m_model, vector, "--correlate", "waves"});
    QVERIFY(once.code != 0);
    QCOMPARE(once.err.count("\n"), 1);
    const CliResult twice = runCli({"stats", m_model, vector, vector, "--correlate", "waves"});
    QCOMPARE(twice.err.count("\n"), 2);
}

void TestCliStats::correlation() {
    const CliResult same = runCli({"stats", m_model, "waves", "--correlate", "waves", "--json"});
    QVERIFY2(same.code == 0, same.err.constData());
    const QJsonObject found = same.json()["tensors"].toArray()[0].toObject()["correlation"].toObject();
    QCOMPARE(found["with"], "waves");
    QVERIFY(near(found["pearson"], 1));
    QCOMPARE(found["pairs"], 64 * 20);
    QCOMPARE(found["left_out"], 0);
    const CliResult other = runCli({"stats", m_model, "waves", "--correlate", "odd", "--json"});
    QCOMPARE(other.code, 2); // another shape
    const QJsonObject failed = other.json()["tensors"].toArray()[0].toObject()["correlation"].toObject();
    QCOMPARE(failed["error"].toObject()["code"], "invalid_argument");
    const CliResult text = runCli({"stats", m_model, "waves", "--correlate", "waves"});
    QVERIFY2(text.out.contains("Correlation with waves: 1 (1,280 pairs"), text.out.constData());
    QCOMPARE(runCli({"stats", m_model, "waves", "--correlate", "wavez"}).code, 2);
}

void TestCliStats::statsOfARealModel() {
    const QString file = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q8_0.gguf");
    const QString original = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-F16.gguf");
    const QJsonArray tensors = runCli({"stats", file, "--json"}).json()["tensors"].toArray();
    const QJsonArray originals = runCli({"stats", original, "--json"}).json()["tensors"].toArray();
    QVERIFY(tensors.size() > 10);
    QCOMPARE(tensors.size(), originals.size());
    for (qsizetype i = 0; i < tensors.size(); ++i) { // 8-bit quantisation changes little
        const QJsonObject quantised = tensors[i].toObject();
        const QJsonObject trained = byName(originals, "name", quantised["name"].toString());
        QVERIFY(std::abs(quantised["std"].toDouble() - trained["std"].toDouble()) < 1e-3 * trained["std"].toDouble());
        QCOMPARE(quantised["count"], trained["count"]);
        qint64 sum = 0;
        for (const QJsonValue& count : quantised["hist"].toObject()["counts"].toArray()) {
            sum += count.toInteger();
        }
        QCOMPARE(sum, quantised["count"].toInteger());
    }
}

void TestCliStats::statsOfAFileThatShrinks() {
    const QString name = path("shrinks.gguf");
    GgufBuilder builder;
    builder.key("general.architecture", "llama");
    for (std::uint64_t i = 0; i < 8; ++i) { // a sparse file of 8 GiB
        builder.tensorRecord("t" + std::to_string(i), 0, {1U << 14U, 1U << 14U}, i << 30U);
    }
    builder.write(name.toStdString());
    QFile file(name);
    QVERIFY(file.resize(file.size() + (qint64{8} << 30)));
    QProcess process;
    process.start(QStringLiteral(GUFO_CLI), {"stats", name, "--json"});
    QVERIFY(process.waitForStarted());
    QVERIFY(waitUntilAtWorkOn(name, process.processId()));
    QCOMPARE(process.state(), QProcess::Running);
    QVERIFY(file.resize(1 << 20));
    const CliResult result = finish(process);
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.count('\n') == 1 && result.err.contains("shortened"), result.err.constData());
    const QJsonArray tensors = result.json()["tensors"].toArray();
    QVERIFY(!tensors.isEmpty());
    QCOMPARE(tensors.last().toObject()["error"].toObject()["code"], "file_changed_while_reading");
}

GUFO_TEST(TestCliStats)
#include "tst_cli_stats.moc"
