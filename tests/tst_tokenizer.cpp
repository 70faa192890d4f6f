#include "document/open_model.h"
#include "gguf/reader.h"
#include "gguf_builder.h"
#include "text/characters.h"
#include "text/tokenizer.h"

#include <QDirIterator>
#include <QFile>
#include <QTest>

#include <ctime>
#include <stop_token>

using namespace gufo;
using namespace gufo::text;

namespace {

using TokenizerPointer = std::shared_ptr<const Tokenizer>;

// Throws, which fails the test: for models that must work.
[[maybe_unused]] TokenizerPointer tokenizerOf(const test::GgufBuilder& file) {
    return makeTokenizer(*gguf::read(file.source()).value()).value();
}
TokenizerPointer tokenizerOf(const std::filesystem::path& path) {
    return makeTokenizer(*openModel(path).value()).value();
}

QString vocabularyFolder() { return QStringLiteral(GUFO_SHARED_DIR "/thirdparty/vocab"); }

[[maybe_unused]] TokenizerPointer published(const char* name) {
    return tokenizerOf(std::filesystem::path(GUFO_SHARED_DIR "/thirdparty/vocab") /
                       (std::string("ggml-vocab-") + name + ".gguf"));
}

QByteArray readFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::vector<std::uint32_t> numbers(std::span<const TokenId> ids) {
    std::vector<std::uint32_t> out;
    for (const TokenId id : ids) {
        out.push_back(id.value);
    }
    return out;
}

std::vector<std::uint32_t> parseIds(const QByteArray& line) {
    std::vector<std::uint32_t> ids;
    for (const QByteArray& word : line.simplified().split(' ')) {
        if (!word.isEmpty()) {
            ids.push_back(word.toUInt());
        }
    }
    return ids;
}

} // namespace

class TestTokenizer : public QObject {
    Q_OBJECT

private slots:
    void givesPublishedIds_data();
    void givesPublishedIds();
};

void TestTokenizer::givesPublishedIds_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("ids");
    if (!QFile::exists(vocabularyFolder())) {
        QSKIP("no published vocabularies here");
    }
    QDirIterator files(vocabularyFolder(), {QStringLiteral("*.gguf")});
    while (files.hasNext()) {
        const QString path = files.next();
        const QByteArray texts = readFile(path + QStringLiteral(".inp"));
        const QList<QByteArray> ids = readFile(path + QStringLiteral(".out")).split('\n');
        const QByteArray separator = "\n__ggml_vocab_test__\n";
        qsizetype from = 0;
        for (int row = 0; from < texts.size(); ++row) {
            const qsizetype to = texts.indexOf(separator, from);
            QTest::addRow("%s %d", qPrintable(files.fileInfo().completeBaseName()), row)
                << path << texts.mid(from, to < 0 ? -1 : to - from) << ids.value(row);
            if (to < 0) {
                break;
            }
            from = to + separator.size();
        }
    }
}

void TestTokenizer::givesPublishedIds() {
    QFETCH(QString, model);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, ids);
    static std::map<QString, TokenizerPointer> tokenizers;
    TokenizerPointer& tokenizer = tokenizers[model];
    if (tokenizer == nullptr) {
        tokenizer = tokenizerOf(std::filesystem::path(model.toStdString()));
    }
    const auto encoding = tokenizer->encode(text.toStdString(), {.addBos = false, .addEos = false});
    QVERIFY(encoding);
    QCOMPARE(numbers(encoding->ids), parseIds(ids));
}

QTEST_GUILESS_MAIN(TestTokenizer)
#include "tst_tokenizer.moc"
