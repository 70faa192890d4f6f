// The architecture of a model as an SVG picture: that it is well-formed, that its texts are in their boxes, that it
// says in words what it shows, and that no file makes it large.
#include "support/fixture_models.h"
#include "support/model_files.h"
#include "support/test_unit.h"
#include "support/yardstick.h"
#include "ui/report/architecture_picture.h"
#include "ui/report/diagram_layout.h"

#include <QFontMetricsF>
#include <QSvgRenderer>
#include <QTest>
#include <QXmlStreamReader>

using namespace gufo;
using namespace gufo::test;
using namespace gufo::ui;

namespace {

constexpr qsizetype kMostBytes = 256 * 1024;

struct Drawn {
    std::map<QString, int> elements;
    std::map<QString, int> styles; // by class
    QString words;
    QString texts;
    QString error;
};

Drawn read(const QString& svg) {
    Drawn drawn;
    QXmlStreamReader xml(svg);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        ++drawn.elements[xml.name().toString()];
        ++drawn.styles[xml.attributes().value("class").toString()];
        if (xml.name() == QStringLiteral("desc")) {
            drawn.words = xml.readElementText();
        } else if (xml.name() == QStringLiteral("text")) {
            drawn.texts += xml.readElementText() + u'\n';
        }
    }
    drawn.error = xml.hasError() ? xml.errorString() : QString();
    return drawn;
}

std::optional<ArchitecturePicture> pictureOf(const std::shared_ptr<const Model>& model) {
    return architecturePicture(model, typeColours(*model));
}

} // namespace

class TestArchitecturePicture : public QObject {
    Q_OBJECT

private slots:
    void everyModel_data() {
        QTest::addColumn<QString>("path");
        for (const QString& path : committedModels()) {
            QTest::newRow(qPrintable(path.section('/', -2))) << path;
        }
    }
    void everyModel() {
        QFETCH(const QString, path);
        const auto model = openModel(path.toStdString());
        QVERIFY(model.has_value());
        const auto picture = pictureOf(*model);
        QCOMPARE(picture.has_value(), !(*model)->tensors.empty());
        if (!picture) {
            return;
        }
        const Drawn drawn = read(picture->svgFile());
        QVERIFY2(drawn.error.isEmpty(), qPrintable(drawn.error));
        QCOMPARE(drawn.words, picture->words);
        QVERIFY(!picture->summary.isEmpty() && !picture->summary.contains(u'\n'));
        QVERIFY(drawn.styles.at("gd-page") == 1);
        QVERIFY(picture->svg.toUtf8().size() < kMostBytes);
        QVERIFY(QSvgRenderer(picture->svgFile().toUtf8()).isValid());
    }

    void whatItShows() {
        const auto picture = pictureOf(openFixture(QStringLiteral("qwen3next")));
        const Drawn drawn = read(picture->svg);
        for (const char* said : {"gated delta net", "Experts", "Shared experts", "Embedding", "Output"}) {
            QVERIFY2(drawn.texts.contains(QString::fromUtf8(said)), qPrintable(drawn.texts));
        }
        QCOMPARE(drawn.styles.at("gd-open"), 1); // one block is unfolded
        QVERIFY(picture->words.contains(picture->summary));
        QVERIFY(!drawn.styles.contains("gd-warn"));
        const auto normed = pictureOf(openFixture(QStringLiteral("gemma3n")));
        QVERIFY(read(normed->svg).texts.contains(QStringLiteral("Norm of the result\n"))); // not elided
    }

    // Real fonts are narrower than the estimate, so that nothing that fits by it is drawn across a border.
    void estimatesAreNotTooSmall() {
        const TextMeasure measure = estimatedMeasure(12);
        QFont font(QStringLiteral("DejaVu Sans"));
        font.setPixelSize(12);
        const QFontMetricsF metrics(font);
        for (const QString& text :
             {QStringLiteral("2 heads of 8, 1 KV heads, window of 6, RoPE on 8 of 8, halves, RoPE base 10000, QK norm"),
              QStringLiteral("Norm of the result"), QStringLiteral("слой внимания, ширина 4096"),
              QStringLiteral("12 × (3 gated delta net + 1 attention)")}) {
            QVERIFY2(metrics.horizontalAdvance(text) <= 1.05 * measure.width(text), qPrintable(text));
        }
    }

    void elided() {
        const TextMeasure measure = estimatedMeasure(12);
        QCOMPARE(elidedTo(QStringLiteral("short"), 100, measure), QStringLiteral("short"));
        const QString long_ = elidedTo(QString(2'000'000, u'x'), 100, measure);
        QVERIFY(long_.endsWith(u'…') && measure.width(long_) <= 100 && measure.width(long_) > 80);
        const QString pairs = elidedTo(QStringLiteral("🦉").repeated(50), 100, measure);
        QVERIFY(!pairs.chopped(1).back().isHighSurrogate());
    }

    // The tensors are drawn as they are, and what the keys say otherwise is marked and said.
    void contradictingKeys() {
        ModelMaker maker("llama");
        maker.u32("llama.block_count", 40).u32("llama.embedding_length", 64).u32("llama.context_length", 128);
        maker.u32("llama.feed_forward_length", 128).u32("llama.attention.head_count", 4);
        maker.tensor("token_embd.weight", {64, 100}).tensor("output_norm.weight", {63});
        maker.tensor("blk.0.attn_norm.weight", {64}).tensor("blk.0.attn_q.weight", {32, 64});
        const auto picture = pictureOf(maker.model());
        const Drawn drawn = read(picture->svg);
        QVERIFY2(drawn.error.isEmpty(), qPrintable(drawn.error));
        QVERIFY(drawn.styles.contains("gd-warn"));
        QVERIFY(picture->svg.size() < kMostBytes);
    }

    // 2,000 tensors, and blocks that all differ, and names that are mark-up.
    void hostile() {
        ModelMaker maker("<script>&\x01");
        for (std::uint32_t i = 0; i < 1'000; ++i) {
            const std::string block = "blk." + std::to_string(i) + ".";
            maker.tensor(block + "attn_q.weight", {i + 1});
            maker.tensor(block + "<script>&\x01\xff" + std::string(2'000, 'x') + ".weight", {1},
                         i % 2 == 0 ? TensorType::F32 : TensorType::I8);
        }
        const auto model = maker.model();
        std::optional<ArchitecturePicture> picture;
        constexpr double kTimes = 40; // two seconds on an idle machine
        QVERIFY(isQuickWork([&] { picture = pictureOf(model); }, kTimes));
        const Drawn drawn = read(picture->svgFile());
        QVERIFY2(drawn.error.isEmpty(), qPrintable(drawn.error));
        QVERIFY2(picture->svg.toUtf8().size() < kMostBytes, qPrintable(QString::number(picture->svg.size())));
        QVERIFY(picture->words.size() <= ArchitecturePicture::kMaxText + 1);
        QVERIFY(picture->summary.size() < 300);
        QVERIFY(!drawn.elements.contains("script"));
        QVERIFY2(drawn.elements.at("text") > 200, "rows are drawn");
    }

    void nothingToDraw() { QVERIFY(!pictureOf(ModelMaker("llama").model()).has_value()); }
};

GUFO_TEST_WIDGETS(TestArchitecturePicture)
#include "tst_architecture_picture.moc"
