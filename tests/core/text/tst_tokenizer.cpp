#include "base/utf8.h"
#include "model/key_catalogue.h"
#include "model/token.h"
#include "support/test_unit.h"
#include "test_paths.h"
#include "text/tokenizer/pre_tokenizer.h"
#include "tokenizer_helpers.h"

#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace gufo;
using namespace gufo::text;
using namespace gufo::test;

namespace {

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
    void givesSentencePieceIds_data();
    void givesSentencePieceIds();
    void theCatalogueKnowsEveryPreTokenizer();
    void givesBackEveryText_data();
    void givesBackEveryText();
    void streamsWholeCharacters();
    void tellsWhereTokensStand_data();
    void tellsWhereTokensStand();
    void sharesRangesOfBytesOfOneCharacter();
    void parsesMarkers();
    void putsASpaceInFrontOfText();
    void addsBeginAndEnd_data();
    void addsBeginAndEnd();
    void addsNoSecondBegin();
};

void TestTokenizer::givesPublishedIds_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("ids");
    if (!QFile::exists(vocabularyFolder())) {
        QSKIP("the folder " GUFO_SHARED_DIR "/thirdparty/vocab, which has published vocabularies, is missing");
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

void TestTokenizer::givesSentencePieceIds_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<int>>("ids");
    for (const char* name : {"sentencepiece-bpe", "sentencepiece-bpe-plain", "unigram", "unigram-bytes"}) {
        const QString path = QStringLiteral(GUFO_TEST_DATA "/tokenizer/") + QString::fromLatin1(name);
        const QJsonArray rows = QJsonDocument::fromJson(readFile(path + QStringLiteral(".json"))).array();
        QVERIFY(rows.size() > 30);
        for (qsizetype i = 0; i < rows.size(); ++i) {
            const QJsonObject row = rows[i].toObject();
            QList<int> ids;
            for (const QJsonValue& id : row[QStringLiteral("ids")].toArray()) {
                ids << id.toInt();
            }
            QTest::addRow("%s %d", name, static_cast<int>(i))
                << path + QStringLiteral(".gguf") << row[QStringLiteral("text")].toString() << ids;
        }
    }
}

void TestTokenizer::givesSentencePieceIds() {
    QFETCH(QString, model);
    QFETCH(QString, text);
    QFETCH(QList<int>, ids);
    static std::map<QString, TokenizerPointer> tokenizers;
    TokenizerPointer& tokenizer = tokenizers[model];
    if (tokenizer == nullptr) {
        tokenizer = tokenizerOf(std::filesystem::path(model.toStdString()));
    }
    const auto encoding = tokenizer->encode(text.toStdString(), {.addBos = false, .addEos = false, .ranges = true});
    QVERIFY(encoding);
    QList<int> found;
    for (const TokenId id : encoding->ids) {
        found << static_cast<int>(id.value);
    }
    QCOMPARE(found, ids);
    QCOMPARE(encoding->ranges.size(), encoding->ids.size());
}

void TestTokenizer::theCatalogueKnowsEveryPreTokenizer() {
    const auto known = keyChoices("tokenizer.ggml.pre", "llama");
    for (const std::string_view name : preTokenizerNames()) {
        QVERIFY2(std::ranges::find(known, name) != known.end(), name.data());
    }
}

void TestTokenizer::givesBackEveryText_data() {
    QTest::addColumn<TokenizerPointer>("tokenizer");
    for (const std::string_view pre : preTokenizerNames()) {
        QTest::addRow("%s", pre.data()) << made(QString::fromLatin1(pre.data(), static_cast<qsizetype>(pre.size())));
    }
    for (const char* kind : {"llama", "plamo2", "hybriddna"}) {
        QTest::newRow(kind) << made(QString::fromLatin1(kind));
    }
    if (QFile::exists(vocabularyFolder())) {
        QTest::newRow("GPT-2") << published("gpt-2");
        QTest::newRow("Falcon") << published("falcon");
        QTest::newRow("LLaMA") << published("llama-spm");
    }
}

void TestTokenizer::givesBackEveryText() {
    QFETCH(TokenizerPointer, tokenizer);
    // Falcon has no tokens for control characters and for bytes that UTF-8 does not use.
    const auto hasToken = [&](char byte) {
        return tokenizer->vocabulary().kind() != TokenizerKind::Bpe ||
               tokenizer->vocabulary().byteToken(static_cast<unsigned char>(byte)) ||
               tokenizer->vocabulary().find(writtenByte(static_cast<unsigned char>(byte))).has_value();
    };
    std::size_t checked = 0;
    for (const std::string& text : manyTexts()) {
        if (!std::ranges::all_of(text, hasToken)) {
            continue;
        }
        ++checked;
        const auto encoding = tokenizer->encode(text);
        QVERIFY(encoding);
        const auto decoded = tokenizer->decode(encoding->ids);
        QVERIFY(decoded);
        QCOMPARE(QByteArray::fromStdString(*decoded), QByteArray::fromStdString(text));
    }
    QVERIFY(checked > 100);
}

void TestTokenizer::streamsWholeCharacters() {
    const auto tokenizer = made(QStringLiteral("gpt-2")); // has one token for each byte of these characters
    for (const std::string& text : manyTexts()) {
        const auto ids = tokenizer->encode(text).value().ids;
        StreamDecoder decoder(tokenizer);
        std::string joined;
        for (const TokenId id : ids) {
            const std::string part = decoder.push(id);
            QVERIFY(!isValidUtf8(text) || incompleteTail(part) == 0);
            joined += part;
            QVERIFY(text.starts_with(joined));
        }
        joined += decoder.finish();
        QCOMPARE(joined, text);
        QCOMPARE(decoder.finish(), std::string());
    }
    // For every division of a text into tokens, push() returns everything up to the last whole character.
    const std::string owl = "a\xC3\xA9\xE7\x8C\xAB\xF0\x9F\xA6\x89!";
    StreamDecoder decoder(tokenizer);
    std::size_t pushed = 0;
    std::string out;
    const auto pieces = tokenizer->encode(owl).value().ids;
    for (const TokenId id : pieces) {
        out += decoder.push(id);
        pushed += tokenizer->bytesOf(id).size();
        const std::string_view so_far = std::string_view(owl).substr(0, pushed);
        QCOMPARE(out.size(), pushed - incompleteTail(so_far));
    }
    QCOMPARE(out, owl);
    QCOMPARE(decoder.push(TokenId(std::size_t{99'999})), std::string());
}

void TestTokenizer::tellsWhereTokensStand_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<bool>("adjoin"); // every byte is in the range of a token, whose text it is
    QTest::addColumn<bool>("reach");  // the last range ends with the text
    QTest::newRow("gpt-2") << "gpt-2" << true << true;
    QTest::newRow("llama-bpe") << "llama-bpe" << true << false;
    QTest::newRow("falcon") << "falcon" << true << false;
    QTest::newRow("rwkv") << "rwkv" << false << false; // this vocabulary lacks a byte
    QTest::newRow("llama") << "llama" << false << true;
    QTest::newRow("t5") << "t5" << false << false;
    QTest::newRow("bert") << "bert" << false << false;
}

void TestTokenizer::tellsWhereTokensStand() {
    QFETCH(QString, kind);
    QFETCH(bool, adjoin);
    QFETCH(bool, reach);
    const auto tokenizer = made(kind);
    for (const std::string& text : manyTexts()) {
        const auto encoding = tokenizer->encode(text, {.addBos = false, .addEos = false, .ranges = true}).value();
        QCOMPARE(encoding.ranges.size(), encoding.ids.size());
        std::uint32_t at = 0;
        for (std::size_t i = 0; i < encoding.ids.size(); ++i) {
            const TextRange range = encoding.ranges[i];
            QVERIFY(range.begin <= range.end && range.end <= text.size());
            QVERIFY(i == 0 || range.begin >= encoding.ranges[i - 1].begin);
            if (adjoin) {
                QCOMPARE(range.begin, at);
                QCOMPARE(tokenizer->bytesOf(encoding.ids[i]), text.substr(range.begin, range.end - range.begin));
            }
            at = range.end;
        }
        if (reach) {
            QCOMPARE(at, text.size());
        }
    }
}

void TestTokenizer::sharesRangesOfBytesOfOneCharacter() {
    const auto encoding =
        made(QStringLiteral("llama"))->encode("hello h\xC3\xA9", {.addBos = true, .ranges = true}).value();
    const std::vector<TextRange> expected{{0, 0}, {0, 5}, {5, 7}, {7, 9}, {7, 9}};
    QVERIFY(encoding.ranges == expected);
}

void TestTokenizer::parsesMarkers() {
    VocabularyMaker maker = makeGpt2();
    const auto control = TokenId(maker.add("<|end|>", kControl));
    const auto longer = TokenId(maker.add("<|end|>!", kControl));
    const auto user = TokenId(maker.add("<tool>", kUserDefined));
    const auto tokenizer = tokenizerOf(maker.file());
    const auto ids = [&](std::string_view text, bool special) {
        return tokenizer->encode(text, {.parseSpecial = special}).value().ids;
    };
    QVERIFY(ids("<|end|>", false).size() > 1);
    QCOMPARE(ids("<|end|>", true), std::vector<TokenId>{control});
    QCOMPARE(ids("<|end|>!", true), std::vector<TokenId>{longer});
    QCOMPARE(ids("<tool><tool>", false), (std::vector<TokenId>{user, user}));
    const auto mixed = ids("a<tool>b<|end|>c", true);
    QCOMPARE(mixed.size(), 5U);
    QCOMPARE(tokenizer->decode(mixed).value(), std::string("a<tool>bc"));
    QCOMPARE(tokenizer->decode(mixed, {.control = true}).value(), std::string("a<tool>b<|end|>c"));
    QCOMPARE(tokenizer->bytesOf(control), std::string("<|end|>"));
    // An unknown token is a marker too.
    VocabularyMaker pieces = makeSentencePiece();
    const auto spm = tokenizerOf(pieces.file());
    QCOMPARE(spm->encode("<unk>", {.addBos = false, .parseSpecial = true}).value().ids,
             std::vector<TokenId>{TokenId(std::size_t{0})});
    QVERIFY(spm->encode("<unk>", {.addBos = false}).value().ids.size() > 1);
}

void TestTokenizer::putsASpaceInFrontOfText() {
    VocabularyMaker maker = makeSentencePiece();
    const auto user = TokenId(maker.add("[x]", kUserDefined));
    const auto hello =
        TokenId(static_cast<std::size_t>(std::ranges::find(maker.tokens, "\xE2\x96\x81hello") - maker.tokens.begin()));
    const auto tokenizer = tokenizerOf(maker.file());
    const EncodeOptions plain{.addBos = false};
    QCOMPARE(tokenizer->encode("hello", plain).value().ids, std::vector<TokenId>{hello});
    const auto around = tokenizer->encode("hello[x]hello", plain).value().ids;
    QCOMPARE(around, (std::vector<TokenId>{hello, user, hello}));
    QCOMPARE(tokenizer->decode(around).value(), std::string("hello[x]hello"));
    QCOMPARE(tokenizer->decode(std::vector{hello}, {.atStart = false}).value(), std::string(" hello"));
    QCOMPARE(tokenizer->encode("", plain).value().ids.size(), 0U);
    // A text that goes on has no space at its beginning, but after a marker as always.
    const auto further = tokenizer->encode("hello[x]hello", {.addBos = false, .continues = true}).value().ids;
    QVERIFY(further.front() != hello);
    QCOMPARE(further.back(), hello);
    QCOMPARE(tokenizer->decode(further, {.atStart = false}).value(), std::string("hello[x]hello"));
    const auto without = tokenizerOf(maker.file().key("tokenizer.ggml.add_space_prefix", false));
    QVERIFY(without->encode("hello", plain).value().ids != std::vector<TokenId>{hello});
    QCOMPARE(without->decode(std::vector{hello}).value(), std::string(" hello"));
}

void TestTokenizer::addsBeginAndEnd_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<bool>("begin");
    QTest::addColumn<bool>("end");
    QTest::newRow("llama") << "llama" << true << false;
    QTest::newRow("t5") << "t5" << false << true;
    QTest::newRow("bert") << "bert" << true << true;
    QTest::newRow("gpt-2") << "gpt-2" << false << false;
    QTest::newRow("llama-bpe") << "llama-bpe" << true << false;
    QTest::newRow("tekken") << "tekken" << true << false;
    QTest::newRow("rwkv") << "rwkv" << false << false;
}

void TestTokenizer::addsBeginAndEnd() {
    QFETCH(QString, kind);
    QFETCH(bool, begin);
    QFETCH(bool, end);
    const auto usual = made(kind);
    QCOMPARE(usual->addsBos(), begin);
    QCOMPARE(usual->addsEos(), end);
    // The file overrides the default, and the caller overrides the file.
    VocabularyMaker maker = makeGpt2(kind.toStdString());
    const auto bos = TokenId(maker.add("<bos>", kControl));
    const auto eos = TokenId(maker.add("<eos>", kControl));
    for (const bool add : {false, true}) {
        const auto tokenizer = tokenizerOf(maker.file()
                                               .key("tokenizer.ggml.bos_token_id", bos.value)
                                               .key("tokenizer.ggml.eos_token_id", eos.value)
                                               .key("tokenizer.ggml.add_bos_token", add)
                                               .key("tokenizer.ggml.add_eos_token", add));
        const auto ids = tokenizer->encode("x").value().ids;
        QCOMPARE(ids.size(), add ? 3U : 1U);
        QCOMPARE(ids.front() == bos, add);
        QCOMPARE(ids.back() == eos, add);
        QCOMPARE(tokenizer->encode("x", {.addBos = !add, .addEos = !add}).value().ids.size(), add ? 1U : 3U);
    }
}

void TestTokenizer::addsNoSecondBegin() {
    const auto tokenizer = tokenizerOf(makeSentencePiece().file().key("tokenizer.ggml.add_eos_token", true));
    const auto once = tokenizer->encode("<s>hello</s>", {.parseSpecial = true, .ranges = true}).value();
    QCOMPARE(std::ranges::count(once.ids, *tokenizer->specials().bos), 1);
    QCOMPARE(std::ranges::count(once.ids, *tokenizer->specials().eos), 1);
    QVERIFY((once.ranges.front() == TextRange{0, 3}));
    const auto twice = tokenizer->encode("<s><s>", {.addEos = false, .parseSpecial = true}).value();
    QCOMPARE(twice.ids.size(), 2U);
    QCOMPARE(tokenizer->encode("", {}).value().ids.size(), 2U);
}

GUFO_TEST(TestTokenizer)
#include "tst_tokenizer.moc"
