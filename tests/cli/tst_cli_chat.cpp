// Tests gufo-cli chat on a pseudo-terminal with keys, widths and Ctrl-C.
#include "cli_runner.h"
#include "support/test_unit.h"
#include "terminal.h"
#include "test_paths.h"

#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

namespace {

const QString kSample = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-1.4M-chat-v1.0-Q8_0.gguf");

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
        qputenv("XDG_STATE_HOME", m_state.path().toUtf8()); // not the user's history
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

    // Lines can be edited and called back, also in a later session, unless they begin with a space.
    void editsLines() {
        const QTemporaryDir folder;
        qputenv("XDG_STATE_HOME", folder.path().toUtf8());
        const auto restore = qScopeGuard([this] { qputenv("XDG_STATE_HOME", m_state.path().toUtf8()); });
        const QString file = folder.filePath("gufo/chat_history");
        {
            ChatTerminal terminal({kSample, "--temp", "0", "-n", "4"});
            QVERIFY(terminal.waitFor("> "));
            terminal.type("/systen Be brief.");
            terminal.type(QByteArray(10, '\x02') + "\x7Fm\n"); // back to the typo, delete it, type the right letter
            QVERIFY2(terminal.waitFor("The system message is set."), terminal.shown());
            QVERIFY(terminal.waitFor("> "));
            terminal.type(" Secret.\n");
            QVERIFY(terminal.waitFor("tokens/s"));
            QVERIFY(terminal.waitFor("> "));
            terminal.type("/sys\t\x15/cle\t\n"); // completes words
            QVERIFY2(terminal.waitFor("has been cleared"), terminal.shown());
            QVERIFY(terminal.waitFor("> ")); // the terminal itself takes text that is typed before a prompt
            terminal.type("\x04");
            QCOMPARE(terminal.end(), 0);
        }
        QVERIFY(QFile::exists(file));
        QCOMPARE(QFile::permissions(file) & ~(QFile::ReadUser | QFile::WriteUser),
                 QFile::ReadOwner | QFile::WriteOwner);
        QVERIFY(!gufo::test::contentOf(file).contains("Secret"));
        ChatTerminal terminal({kSample, "--temp", "0"});
        QVERIFY(terminal.waitFor("> "));
        terminal.type("\x10\x10\n"); // the line before the last
        QVERIFY2(terminal.waitFor("The system message is set."), terminal.shown());
        QVERIFY(terminal.waitFor("> "));
        terminal.type("\x04");
        QCOMPARE(terminal.end(), 0);
    }

    // A conversation that was saved, or exported by the window, goes on.
    void loadsConversations() {
        const QTemporaryDir folder;
        const auto write = [&](const char* name, const QByteArray& text) {
            QFile file(folder.filePath(QLatin1String(name)));
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
        };
        const QByteArray list = R"([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}])";
        QVERIFY(write("list.json", list));
        QVERIFY(write("object.json", R"({"title": "A talk", "messages": )" + list + "}"));
        QVERIFY(write("wrong.json", R"({"title": "No talk"})"));
        ChatTerminal terminal({kSample, "--temp", "0", "-n", "8"});
        QVERIFY(terminal.waitFor("> "));
        const QByteArray base = folder.path().toUtf8() + '/';
        for (const char* name : {"list.json", "object.json"}) {
            terminal.type("/load " + base + name + "\n");
            QVERIFY2(terminal.waitFor("2 messages"), terminal.shown());
            QVERIFY(terminal.waitFor("> "));
        }
        terminal.type("What is a GGUF file?\n");
        QVERIFY(terminal.waitFor("tokens/s"));
        terminal.type("/save " + base + "after.json\n");
        QVERIFY2(terminal.waitFor("4 messages"), terminal.shown());
        for (const char* name : {"wrong.json", "none.json"}) {
            terminal.type("/load " + base + name + "\n");
            QVERIFY2(terminal.waitFor(name), terminal.shown());
        }
        terminal.type("/load\n");
        QVERIFY(terminal.waitFor("/load needs"));
        terminal.type("/save " + base + "unchanged.json\n");
        QVERIFY2(terminal.waitFor("4 messages"), terminal.shown()); // a failure leaves the conversation as it is
        QVERIFY(terminal.waitFor("> ")); // the terminal itself takes what is typed before a prompt
        terminal.type("\x04");
        QCOMPARE(terminal.end(), 0);
        QVERIFY(gufo::test::contentOf(folder.filePath("after.json")).contains("Hello!"));
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

private:
    QTemporaryDir m_state;
};

GUFO_TEST(TestCliChat)
#include "tst_cli_chat.moc"
