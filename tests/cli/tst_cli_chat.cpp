// Tests gufo-cli chat on a pseudo-terminal with keys, widths and Ctrl-C.
#include "cli_runner.h"
#include "support/test_unit.h"
#include "terminal.h"
#include "test_paths.h"

#include <QTemporaryDir>
#include <QTest>

namespace {

const QString kSample = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-Q8_0.gguf");

// The verb chat on a pseudo-terminal.
class ChatTerminal : public gufo::test::Terminal {
public:
    explicit ChatTerminal(const QStringList& arguments, unsigned short columns = 80)
        : gufo::test::Terminal(QStringList{QStringLiteral("chat")} + arguments, columns) {}
};

} // namespace

class TestCliChat : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
#ifdef __SANITIZE_ADDRESS__
        QSKIP("the render helper has no room for AddressSanitizer");
#endif
    }

    void answersAndLeaves() {
        ChatTerminal terminal({kSample, "--temp", "0"});
        QVERIFY2(terminal.waitFor("Gufo Sample. /help"), terminal.shown());
        QVERIFY(terminal.waitFor("\r\n> "));
        terminal.type("What is a GGUF file?\n");
        QVERIFY2(terminal.waitFor("tokens/s"), terminal.shown());
        QVERIFY(terminal.waitFor("\r\n\r\n> ")); // an empty line precedes the next message
        terminal.type("Hei\xC3\x9Ft Eule \xE2\x80\x9Eowl\xE2\x80\x9C?\n");
        QVERIFY2(terminal.waitFor("Hei\xC3\x9Ft Eule"), terminal.shown()); // as typed
        QVERIFY(terminal.waitFor("of them reused"));
        QVERIFY(terminal.waitFor("> "));
        terminal.type("\x04");
        QCOMPARE(terminal.end(), 0);
        QVERIFY(terminal.shown().endsWith("> \r\n")); // the shell's prompt starts a line
        QVERIFY2(!terminal.shown().contains("gufo-cli:"), terminal.shown());
    }

    // A conversation may become longer than the context: its oldest messages are left out.
    void goesOnWhenTheContextIsFull() {
        ChatTerminal terminal({kSample, "--temp", "0", "--context", "160", "-n", "40", "--ignore-eos"});
        QVERIFY(terminal.waitFor("> "));
        for (int i = 0; i < 4; ++i) {
            terminal.type("What is a GGUF file?\n");
            QVERIFY2(terminal.waitFor("tokens/s"), terminal.shown());
            QVERIFY(terminal.waitFor("> "));
        }
        QVERIFY2(terminal.shown().contains("did not fit into the context"), terminal.shown());
        terminal.type("\x04");
        QCOMPARE(terminal.end(), 0);
        QVERIFY2(!terminal.shown().contains("gufo-cli: error"), terminal.shown());
    }

    void commands() {
        ChatTerminal terminal({kSample, "--temp", "0"});
        QVERIFY(terminal.waitFor("> "));
        terminal.type("/help\n");
        QVERIFY(terminal.waitFor("/quit         ends"));
        terminal.type("/nonesuch\n");
        QVERIFY(terminal.waitFor("there is no /nonesuch"));
        terminal.type("/regen\n");
        QVERIFY(terminal.waitFor("there is no answer yet"));
        terminal.type("/system Be brief.\n");
        QVERIFY(terminal.waitFor("The system message is set."));
        terminal.type("two \\\n");
        QVERIFY2(terminal.waitFor("\xE2\x80\xA6 "), terminal.shown()); // …
        terminal.type("lines\n");
        QVERIFY(terminal.waitFor("tokens/s"));
        terminal.type("/clear\n");
        QVERIFY(terminal.waitFor("has been cleared"));
        terminal.type("/quit\n");
        QCOMPARE(terminal.end(), 0);
    }

    // Ctrl-C ends the answer, but not the conversation. At the prompt it ends the program.
    void ctrlCStopsTheAnswer() {
        const QString endless = QStringLiteral("root ::= \"word \"+");
        ChatTerminal terminal({kSample, "--grammar-text", endless, "--ignore-eos", "--context", "100000"});
        QVERIFY(terminal.waitFor("> "));
        for (int i = 0; i < 2; ++i) {
            terminal.type("Go on.\n");
            QVERIFY2(terminal.waitFor("word word"), terminal.shown());
            terminal.type("\x03");
            QVERIFY2(terminal.waitFor("; stopped"), terminal.shown().right(500));
            QVERIFY(terminal.waitFor("> "));
        }
        const QTemporaryDir folder;
        terminal.type("/save " + folder.filePath("talk.json").toUtf8() + "\n");
        QVERIFY2(terminal.waitFor("4 messages"), terminal.shown().right(500));
        QVERIFY(terminal.waitFor("> "));
        terminal.type("\x03");
        QCOMPARE(terminal.end(), 128 + SIGINT);
    }

    void linesEndBetweenWords_data() {
        QTest::addColumn<QString>("grammar");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("words") << "root ::= \"The owl is a bird of the night, and flies.\""
                               << QByteArray("\r\nThe owl is a bird of\r\nthe night, and\r\nflies.\r\n");
        QTest::newRow("a full line") << "root ::= \"12345678901234567890 abc\""
                                     << QByteArray("\r\n12345678901234567890\r\nabc\r\n");
        QTest::newRow("a long word") << "root ::= \"1234567890123456789012345 abc\""
                                     << QByteArray("\r\n1234567890123456789012345 abc\r\n");
        QTest::newRow("code")
            << "root ::= \"```\\nint main(int argc, char** argv)\\n```\\nThe owl is a bird of night.\""
            << QByteArray("int main(int argc, char** argv)\r\n```\r\nThe owl is a bird of\r\nnight.");
        QTest::newRow("wide characters") << "root ::= \"你好你好你好你好你好你好\""
                                         << QByteArray("\r\n你好你好你好你好你好\r\n你好\r\n");
        // Control characters that would recolour the screen or ring the bell.
        QTest::newRow("control characters")
            << "root ::= \"a \\x1b[31m b \\x07\"" << QByteArray("\r\na \xEF\xBF\xBD[31m b \xEF\xBF\xBD\r\n");
    }
    void linesEndBetweenWords() {
        QFETCH(QString, grammar);
        QFETCH(QByteArray, shown);
        ChatTerminal terminal({kSample, "--grammar-text", grammar}, 20);
        QVERIFY(terminal.waitFor("> "));
        terminal.type("x\n");
        // A progress line, which a slow machine shows and erases, may precede the answer on its first line.
        QVERIFY2(terminal.waitFor(shown.startsWith("\r\n") ? shown.mid(2) : shown), terminal.shown());
    }
};

GUFO_TEST(TestCliChat)
#include "tst_cli_chat.moc"
