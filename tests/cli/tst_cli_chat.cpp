// gufo-cli chat as a person has it: on a terminal of its own, with keys, widths and Ctrl-C.
#include "cli_runner.h"
#include "support/test_unit.h"
#include "test_paths.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

const QString kSample = QStringLiteral(GUFO_SAMPLE_DIR "/gufo-sample-Q8_0.gguf");
constexpr int kPatience = 30'000; // ms; a busy machine

// A program on a pseudo-terminal.
class Terminal {
public:
    explicit Terminal(const QStringList& arguments, unsigned short columns = 80) {
        winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
        QList<QByteArray> bytes{GUFO_CLI, "chat"};
        for (const QString& argument : arguments) {
            bytes << argument.toUtf8();
        }
        std::vector<char*> argv;
        for (QByteArray& each : bytes) {
            argv.push_back(each.data());
        }
        argv.push_back(nullptr);
        m_child = forkpty(&m_fd, nullptr, nullptr, &size);
        if (m_child == 0) {
            setenv("TERM", "dumb", 1); // no colours between what is looked for
            setenv("LC_ALL", "C.UTF-8", 1);
            execv(argv[0], argv.data());
            _exit(127);
        }
    }
    ~Terminal() {
        if (m_child > 0) {
            ::kill(m_child, SIGKILL);
            waitpid(m_child, nullptr, 0);
        }
        close(m_fd);
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    void type(const QByteArray& keys) { m_typed = write(m_fd, keys.data(), static_cast<std::size_t>(keys.size())); }
    // Until `text` has come after what was waited for last.
    bool waitFor(const QByteArray& text) {
        QElapsedTimer clock;
        clock.start();
        for (;;) {
            if (const auto at = m_shown.indexOf(text, m_seen); at >= 0) {
                m_seen = at + text.size();
                return true;
            }
            if (!readMore() || clock.elapsed() > kPatience) {
                return false;
            }
        }
    }
    // 128 + signal where one ended it; −1: it goes on.
    int end() {
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < kPatience) {
            readMore();
            int status = 0;
            if (waitpid(m_child, &status, WNOHANG) == m_child) {
                m_child = -1;
                while (readMore()) {
                }
                return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            }
        }
        return -1;
    }
    [[nodiscard]] const QByteArray& shown() const { return m_shown; }

private:
    // False at its end.
    bool readMore() {
        pollfd wait{.fd = m_fd, .events = POLLIN, .revents = 0};
        if (poll(&wait, 1, 100) <= 0) {
            return m_child > 0;
        }
        char buffer[4096];
        const ssize_t count = read(m_fd, buffer, sizeof buffer);
        if (count <= 0) {
            return false;
        }
        m_shown.append(buffer, count);
        return true;
    }

    pid_t m_child = -1;
    int m_fd = -1;
    ssize_t m_typed = 0;
    QByteArray m_shown;
    qsizetype m_seen = 0;
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
        Terminal terminal({kSample, "--temp", "0"});
        QVERIFY2(terminal.waitFor("Gufo Sample. /help"), terminal.shown());
        QVERIFY(terminal.waitFor("\r\n> "));
        terminal.type("What is a GGUF file?\n");
        QVERIFY2(terminal.waitFor("tokens/s"), terminal.shown());
        QVERIFY(terminal.waitFor("\r\n\r\n> ")); // an empty line before the next message
        terminal.type("Hei\xC3\x9Ft Eule \xE2\x80\x9Eowl\xE2\x80\x9C?\n");
        QVERIFY2(terminal.waitFor("Hei\xC3\x9Ft Eule"), terminal.shown()); // as it was typed
        QVERIFY(terminal.waitFor("of them known"));
        QVERIFY(terminal.waitFor("> "));
        terminal.type("\x04");
        QCOMPARE(terminal.end(), 0);
        QVERIFY(terminal.shown().endsWith("> \r\n")); // the shell's prompt begins a line
        QVERIFY2(!terminal.shown().contains("gufo-cli:"), terminal.shown());
    }

    void commands() {
        Terminal terminal({kSample, "--temp", "0"});
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
        QVERIFY(terminal.waitFor("begins anew"));
        terminal.type("/quit\n");
        QCOMPARE(terminal.end(), 0);
    }

    // Ctrl-C ends the answer, not the conversation; at the prompt it ends the program.
    void ctrlCStopsTheAnswer() {
        const QString endless = QStringLiteral("root ::= \"word \"+");
        Terminal terminal({kSample, "--grammar-text", endless, "--ignore-eos", "--context", "100000"});
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
        // Ones that would recolour the screen or ring the bell.
        QTest::newRow("control characters")
            << "root ::= \"a \\x1b[31m b \\x07\"" << QByteArray("\r\na \xEF\xBF\xBD[31m b \xEF\xBF\xBD\r\n");
    }
    void linesEndBetweenWords() {
        QFETCH(QString, grammar);
        QFETCH(QByteArray, shown);
        Terminal terminal({kSample, "--grammar-text", grammar}, 20);
        QVERIFY(terminal.waitFor("> "));
        terminal.type("x\n");
        QVERIFY2(terminal.waitFor(shown), terminal.shown());
    }
};

GUFO_TEST(TestCliChat)
#include "tst_cli_chat.moc"
