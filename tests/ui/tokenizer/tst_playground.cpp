#include "formats/gguf/read/reader.h"
#include "support/test_unit.h"
#include "support/vocabulary_maker.h"
#include "ui/pages/tokenizer/playground.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QClipboard>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace gufo;
using namespace gufo::ui;
using namespace gufo::test;

namespace {

std::shared_ptr<const Model> llama() { return gguf::read(makeSentencePiece().file().source()).value(); }

struct ShownPlayground {
    explicit ShownPlayground(std::shared_ptr<const Model> model) {
        QSignalSpy made(&playground, &Playground::ready);
        playground.resize(700, 300);
        playground.setModel(std::move(model));
        playground.show();
        playground.activate();
        ready = made.count() > 0 || made.wait(20'000);
        idle();
    }
    // Waits until the tokens match the text.
    void idle() {
        Job::waitForAll();
        QCoreApplication::processEvents();
    }
    void type(const QString& text) {
        playground.edit()->setPlainText(text);
        idle();
    }
    QCheckBox* box(int i) { return playground.findChildren<QCheckBox*>().value(i); }

    Playground playground;
    bool ready = false;
};

} // namespace

class TestPlayground : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Theme::instance().apply(); }
    void cleanup() { Job::waitForAll(); }
    void cutsTextIntoCells();
    void countsTokensAndBytes();
    void togglesSpecialTokens();
    void describesTokens();
    void clickAsksForTheToken();
    void keyAsksForTheToken();
    void onlyTheLastTextIsShown();
    void tokenizingIsCancelled();
    void takesSoMuchText();
    void saysWhatIsWrong_data();
    void saysWhatIsWrong();
    void keepsItsState();
    void paintsEveryToken();
    void showsIds();
};

void TestPlayground::cutsTextIntoCells() {
    const auto tokenizer = text::makeTokenizer(*llama()).value();
    // BOS; "_hello"; " h"; "é" in two bytes; an owl in four, which is two UTF-16 units.
    const auto tokens = tokenizeText(*tokenizer, QStringLiteral("hello hé\U0001F989"), {}, {}).value();
    const std::vector<TokenCell> expected{{0, 0, 0, 1}, {0, 5, 1, 1}, {5, 7, 2, 1}, {7, 8, 3, 2}, {8, 10, 5, 4}};
    QCOMPARE(tokens.cells.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        QCOMPARE(tokens.cells[i].begin, expected[i].begin);
        QCOMPARE(tokens.cells[i].end, expected[i].end);
        QCOMPARE(tokens.cells[i].firstToken, expected[i].firstToken);
        QCOMPARE(tokens.cells[i].tokens, expected[i].tokens);
    }
    QCOMPARE(tokens.bytes, 13U);
    QCOMPARE(tokens.cellAt(0)->firstToken, 1U);
    QCOMPARE(tokens.cellAt(9)->firstToken, 5U);
    QCOMPARE(tokens.cellAt(10), nullptr);
    // A lone surrogate is treated as any other text.
    const auto lone = tokenizeText(*tokenizer, QString(QChar(0xD800)) + u'a', {}, {}).value();
    QCOMPARE(lone.bytes, 4U);
    QCOMPARE(lone.cells.back().end, 2);
}

void TestPlayground::countsTokensAndBytes() {
    ShownPlayground shown(llama());
    QVERIFY(shown.ready);
    shown.type(QStringLiteral("hello hello"));
    QCOMPARE(shown.playground.idText(), QStringLiteral("1 288 288"));
    QVERIFY2(shown.playground.countText().startsWith(QStringLiteral("3 token")),
             qPrintable(shown.playground.countText()));
    QVERIFY(shown.playground.countText().contains(QStringLiteral("11 byte")));
    const auto buttons = shown.playground.findChildren<QPushButton*>();
    const auto copy = std::ranges::find_if(
        buttons, [](const QPushButton* each) { return each->text() == QLatin1String("Copy ids"); });
    QVERIFY(copy != buttons.end());
    QTest::mouseClick(*copy, Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("1 288 288"));
}

void TestPlayground::togglesSpecialTokens() {
    ShownPlayground shown(llama());
    QVERIFY(shown.box(1)->isChecked() && !shown.box(2)->isChecked()); // the tokenizer's defaults
    shown.type(QStringLiteral("hello</s>"));
    const auto asText = shown.playground.tokens()->ids.size();
    QVERIFY(asText > 3);
    shown.box(0)->setChecked(true);
    shown.idle();
    QCOMPARE(shown.playground.idText(), QStringLiteral("1 288 2"));
    shown.box(1)->setChecked(false);
    shown.idle();
    QCOMPARE(shown.playground.idText(), QStringLiteral("288 2"));
    shown.type(QStringLiteral("hello"));
    shown.box(2)->setChecked(true);
    shown.idle();
    QCOMPARE(shown.playground.idText(), QStringLiteral("288 2"));
}

void TestPlayground::describesTokens() {
    ShownPlayground shown(llama());
    shown.type(QStringLiteral("helloé<b>"));
    const QString hello = shown.playground.edit()->describe(2);
    QVERIFY2(hello.contains(QStringLiteral("\u2581hello")) && hello.contains(QStringLiteral("288")) &&
                 hello.contains(QStringLiteral("normal")) && hello.contains(QStringLiteral("score")),
             qPrintable(hello));
    const QStringList bytes = shown.playground.edit()->describe(5).split(u'\n');
    QCOMPARE(bytes.size(), 2);
    QVERIFY(bytes[0].contains(QStringLiteral("<0xC3>")) && bytes[1].contains(QStringLiteral("<0xA9>")));
    QCOMPARE(shown.playground.edit()->describe(99), QString());
    // The tokens of newly typed text are not known yet.
    shown.playground.edit()->moveCursor(QTextCursor::Start);
    shown.playground.edit()->insertPlainText(QStringLiteral("x"));
    QCOMPARE(shown.playground.edit()->describe(2), QString());
}

void TestPlayground::clickAsksForTheToken() {
    ShownPlayground shown(llama());
    shown.type(QStringLiteral("hello hello"));
    QSignalSpy asked(&shown.playground, &Playground::tokenRequested);
    TokenEdit* edit = shown.playground.edit();
    QTextCursor cursor(edit->document());
    cursor.setPosition(2);
    const QPoint inside = edit->cursorRect(cursor).center() + QPoint(2, 0);
    QTest::mouseClick(edit->viewport(), Qt::LeftButton, {}, inside);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked[0][0].toULongLong(), 288U);
    QTest::mouseClick(edit->viewport(), Qt::LeftButton, {}, edit->viewport()->rect().bottomRight() - QPoint(5, 5));
    QCOMPARE(asked.count(), 1);
}

void TestPlayground::keyAsksForTheToken() {
    ShownPlayground shown(llama());
    shown.type(QStringLiteral("hello"));
    QSignalSpy asked(&shown.playground, &Playground::tokenRequested);
    QVERIFY(QTest::qWaitForWindowExposed(&shown.playground));
    shown.playground.activateWindow();
    shown.playground.edit()->setFocus();
    shown.playground.edit()->moveCursor(QTextCursor::Start);
    QTest::keyClick(shown.playground.edit(), Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(shown.playground.edit()->toPlainText(), QStringLiteral("hello"));
}

void TestPlayground::onlyTheLastTextIsShown() {
    ShownPlayground shown(llama());
    for (int i = 0; i < 50; ++i) {
        shown.playground.edit()->setPlainText(QStringLiteral("a").repeated(i * 100));
    }
    shown.playground.edit()->setPlainText(QStringLiteral("hello"));
    QTRY_COMPARE(shown.playground.idText(), QStringLiteral("1 288"));
    shown.idle();
    QCOMPARE(shown.playground.idText(), QStringLiteral("1 288"));
}

void TestPlayground::tokenizingIsCancelled() {
    const auto tokenizer = text::makeTokenizer(*llama()).value();
    std::stop_source stop;
    stop.request_stop();
    const auto tokens =
        tokenizeText(*tokenizer, QStringLiteral("hello ").repeated(10'000), {}, {.stop = stop.get_token()});
    QVERIFY(!tokens);
    QCOMPARE(errorName(tokens.error().code), errorName(ErrorCode::Cancelled));
}

void TestPlayground::takesSoMuchText() {
    ShownPlayground shown(llama());
    QMimeData pasted;
    pasted.setText(QStringLiteral("hello ").repeated(100'000));
    QGuiApplication::clipboard()->setText(pasted.text());
    QElapsedTimer timer;
    timer.start();
    shown.playground.edit()->paste();
    qInfo("pasting took %lld ms", timer.elapsed());
    shown.idle();
    QCOMPARE(shown.playground.edit()->toPlainText().size(), TokenEdit::kMaxCharacters);
    QVERIFY(shown.playground.tokens()->ids.size() > 2'000);
    const auto labels = shown.playground.findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
        return label->isVisible() && label->text().contains(QStringLiteral("20,000"));
    }));
}

void TestPlayground::saysWhatIsWrong_data() {
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<QString>("word");
    QTest::addColumn<bool>("usable");
    const auto row = [](const char* name, const GgufBuilder& file, const char* word, bool usable) {
        const auto bytes = file.build();
        QTest::newRow(name) << QByteArray(reinterpret_cast<const char*>(bytes.data()),
                                          static_cast<qsizetype>(bytes.size()))
                            << QString::fromLatin1(word) << usable;
    };
    row("rule", makeGpt2("from-the-future").file(), "from-the-future", true);
    VocabularyMaker broken = makeSentencePiece();
    broken.scores.pop_back();
    row("lengths", broken.file(), "tokenizer.ggml.tokens", false);
    row("kind", VocabularyMaker{.model = "magic", .tokens = {"a"}}.file(), "magic", false);
}

void TestPlayground::saysWhatIsWrong() {
    QFETCH(QByteArray, model);
    QFETCH(QString, word);
    QFETCH(bool, usable);
    const auto* from = reinterpret_cast<const std::byte*>(model.constData());
    ShownPlayground shown(
        gguf::read(std::make_shared<MemorySource>(std::vector<std::byte>(from, from + model.size()))).value());
    QVERIFY(shown.ready);
    const auto labels = shown.playground.findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(
        labels, [&](const QLabel* label) { return label->isVisible() && label->text().contains(word); }));
    QCOMPARE(shown.playground.edit()->isEnabled(), usable);
}

void TestPlayground::keepsItsState() {
    QJsonObject state;
    {
        ShownPlayground shown(llama());
        shown.type(QStringLiteral("hello</s>"));
        shown.box(0)->setChecked(true);
        state = shown.playground.saveState();
    }
    Playground playground;
    playground.restoreState(state);
    playground.setModel(llama());
    playground.activate();
    QTRY_COMPARE(playground.idText(), QStringLiteral("1 288 2"));
}

void TestPlayground::paintsEveryToken() {
    ShownPlayground shown(llama());
    shown.type(QStringLiteral("hello hello<\n</s>"));
    shown.box(0)->setChecked(true);
    shown.idle();
    for (const auto choice : {Theme::Choice::Light, Theme::Choice::Dark}) {
        Theme::instance().setChoice(choice);
        QCoreApplication::processEvents();
        const QImage image =
            shown.playground.edit()->viewport()->grab().toImage().convertToFormat(QImage::Format_RGB32);
        QMap<QRgb, int> pixels;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                ++pixels[image.pixel(x, y)];
            }
        }
        // The base, two tints, and the chip of </s>.
        QVERIFY(pixels[themeColor(Token::Selection).rgb()] > 100);
        QVERIFY(std::ranges::count_if(pixels, [](int count) { return count > 300; }) >= 4);
    }
    Theme::instance().setChoice(Theme::Choice::System);
}

void TestPlayground::showsIds() {
    ShownPlayground shown(llama());
    QVERIFY(shown.ready);
    shown.type(QStringLiteral("hello hello hello"));
    TokenFlow* flow = shown.playground.findChild<TokenFlow*>();
    QVERIFY(!flow->isVisible());
    shown.playground.findChild<QCheckBox*>("idsBox")->setChecked(true);
    QVERIFY(flow->isVisible());
    QCoreApplication::processEvents();
    const auto& ids = shown.playground.tokens()->ids;
    QVERIFY(!ids.empty());
    QSignalSpy clicked(flow, &TokenFlow::tokenClicked);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        QCOMPARE(flow->tokenAt(flow->placeOf(i).center()), std::optional(i));
        if (i > 0) { // boxes neither overlap nor leave the width
            QVERIFY(!flow->placeOf(i).intersects(flow->placeOf(i - 1)));
        }
        QVERIFY(flow->placeOf(i).right() < flow->viewport()->width());
    }
    QTest::mouseClick(flow->viewport(), Qt::LeftButton, Qt::NoModifier, flow->placeOf(0).center());
    QCOMPARE(clicked.size(), 1);
    QCOMPARE(clicked.first().first().toULongLong(), qulonglong{ids.front().value});
    QVERIFY(!flow->tokenAt({flow->viewport()->width() - 1, flow->viewport()->height() - 1}));
    const QJsonObject state = shown.playground.saveState();
    shown.playground.findChild<QCheckBox*>("idsBox")->setChecked(false);
    shown.playground.restoreState(state);
    QVERIFY(shown.playground.findChild<QCheckBox*>("idsBox")->isChecked());
}

GUFO_TEST_WIDGETS(TestPlayground)
#include "tst_playground.moc"
