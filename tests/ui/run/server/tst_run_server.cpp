// Tests the Run page with servers by keys and mouse: choosing and checking one, answers with candidates and branches,
// what a plain OpenAI server lacks, and a llama-server that the page starts and that crashes.
#include "../run_page_test.h"
#include "inference/engine_table.h"
#include "secret_store_double.h"
#include "support/server_double.h"
#include "support/test_unit.h"
#include "test_paths.h"
#include "ui/messages/engine_text.h"
#include "ui/run/server_keys.h"
#include "ui/shell/notice_bar.h"

#include <QFile>
#include <QStandardItemModel>
#include <QTemporaryDir>

#include <array>

using inference::Feature;
using test::DoubleOptions;
using test::ServerDouble;

class TestRunServer : public RunPageTest {
    Q_OBJECT

    QTemporaryDir m_folder;

    RunPage& openForServer() {
        RunPage& page = open({}, false);
        QComboBox* engines = part<LoadPanel>(page)->findChild<QComboBox*>("engineCombo");
        engines->setFocus();
        QTest::keyClick(engines, Qt::Key_End);
        return page;
    }
    void typeAddress(RunPage& page, const std::string& address, const QString& key = {}) {
        ServerPanel* panel = part<LoadPanel>(page)->serverPanel();
        panel->addressField()->setFocus();
        QTest::keyClicks(panel->addressField(), QString::fromStdString(address));
        QTest::keyClicks(panel->keyField(), key);
    }
    [[nodiscard]] bool load(RunPage& page) {
        QTest::mouseClick(part<LoadPanel>(page)->loadButton(), Qt::LeftButton);
        return QTest::qWaitFor([&] { return part<RunEngine>(page)->state() == RunEngine::State::Ready; }, 30'000);
    }
    [[nodiscard]] bool hoverToken(std::size_t index, int token) {
        return QTest::qWaitFor([&] {
            AnswerView* text = view(index)->answerView();
            QTest::mouseMove(text->viewport(), text->tokenRect(token).bottomRight() + QPoint(1, 40));
            QTest::mouseMove(text->viewport(), text->tokenRect(token).center());
            return part<TokenCard>(*m_page)->isVisible() && text->currentToken() == token;
        });
    }

private slots:
    void init() { prepare(); }
    void cleanup() { finish(); }

    // Neither a result of several lines nor the taller form of the other choice moves the rows apart.
    void rowsStayTogether() {
        const auto model = test::tinyRunnable();
        const ServerDouble server(model, {.key = "secret"});
        RunPage& page = openForServer();
        const ServerPanel* panel = part<LoadPanel>(page)->serverPanel();
        const auto isTogether = [&] {
            const std::array<const QWidget*, 4> rows{panel->findChild<QComboBox*>("choiceCombo"), panel->addressField(),
                                                     panel->keyField(), panel->checkButton()};
            for (std::size_t i = 1; i < rows.size(); ++i) {
                const int above = rows[i - 1]->mapTo(panel, QPoint(0, rows[i - 1]->height())).y();
                const int gap = rows[i]->mapTo(panel, QPoint()).y() - above;
                if (gap < 0 || gap > 12) {
                    return false;
                }
            }
            const int end = panel->checkButton()->mapTo(&page, QPoint(0, panel->checkButton()->height())).y();
            const QWidget* load = part<LoadPanel>(page)->loadButton();
            const int result = panel->findChild<QLabel*>("resultLabel")->isVisible()
                                   ? panel->findChild<QLabel*>("resultLabel")->height()
                                   : 0;
            return load->mapTo(&page, QPoint()).y() - end - result < 100; // the verdict is between them
        };
        QTRY_VERIFY(isTogether());
        typeAddress(page, server.address(), "wrong");
        QTest::mouseClick(panel->checkButton(), Qt::LeftButton);
        QTRY_VERIFY2(panel->findChild<QLabel*>("resultLabel")->text().contains("401"),
                     qPrintable(panel->findChild<QLabel*>("resultLabel")->text()));
        QVERIFY2(!panel->findChild<QLabel*>("resultLabel")->text().contains("Hugging Face"),
                 qPrintable(panel->findChild<QLabel*>("resultLabel")->text()));
        QVERIFY2(panel->findChild<QLabel*>("resultLabel")->text().contains("another key"),
                 qPrintable(panel->findChild<QLabel*>("resultLabel")->text()));
        QVERIFY2(panel->findChild<QLabel*>("resultLabel")->text().startsWith("The server"),
                 qPrintable(panel->findChild<QLabel*>("resultLabel")->text()));
        QVERIFY(panel->checkButton()->hasFocus()); // so that it can be tried again with the keyboard
        QTRY_VERIFY(isTogether());
        // Without a key there is no other one, and the window has no options.
        panel->keyField()->setFocus();
        QTest::keySequence(panel->keyField(), QKeySequence::SelectAll);
        QTest::keyClick(panel->keyField(), Qt::Key_Delete);
        QTest::mouseClick(panel->checkButton(), Qt::LeftButton);
        QTRY_VERIFY2(panel->findChild<QLabel*>("resultLabel")->text().endsWith("It needs a key."),
                     qPrintable(panel->findChild<QLabel*>("resultLabel")->text()));
        QVERIFY2(!panel->findChild<QLabel*>("resultLabel")->text().contains("gufo-cli"),
                 qPrintable(panel->findChild<QLabel*>("resultLabel")->text()));
    }

    void nothingIsSentUnasked() {
        const auto model = test::tinyRunnable();
        const ServerDouble server(model);
        QJsonObject state;
        {
            RunPage& page = openForServer();
            ServerPanel* panel = part<LoadPanel>(page)->serverPanel();
            QVERIFY(panel->isVisible() && !part<LoadPanel>(page)->contextField()->isVisible());
            QVERIFY(!part<LoadPanel>(page)->loadButton()->isEnabled());
            typeAddress(page, server.address(), "secret");
            QVERIFY(part<LoadPanel>(page)->loadButton()->isEnabled());
            QVERIFY(server.seen().empty());
            QTest::mouseClick(panel->checkButton(), Qt::LeftButton);
            QTRY_VERIFY2(panel->findChild<QLabel*>("resultLabel")->text().contains("this file's model"),
                         qPrintable(panel->findChild<QLabel*>("resultLabel")->text()));
            QVERIFY(panel->findChild<QLabel*>("resultLabel")->text().contains("b11669"));
            QVERIFY(server.lastBody("/completion").empty());
            state = page.saveState();
            QVERIFY(!QJsonDocument(state).toJson().contains("secret"));
        }
        const std::size_t before = server.seen().size();
        m_page.reset();
        RunPage& again = open({}, false); // a new start of the program
        again.restoreState(state);
        ServerPanel* panel = part<LoadPanel>(again)->serverPanel();
        QCOMPARE(panel->findChild<QComboBox*>("choiceCombo")->currentText(), QString::fromStdString(server.address()));
        again.activate();
        Job::waitForAll();
        QCOMPARE(server.seen().size(), before);
        QTest::mouseClick(panel->removeButton(), Qt::LeftButton);
        QCOMPARE(panel->findChild<QComboBox*>("choiceCombo")->findData(QString::fromStdString(server.address())), -1);
    }

    void refusals() {
        const auto model = test::tinyRunnable();
        const ServerDouble server(model, {.key = "secret"});
        RunPage& page = openForServer();
        ServerPanel* panel = part<LoadPanel>(page)->serverPanel();
        typeAddress(page, server.address(), "wrong");
        QTest::mouseClick(panel->checkButton(), Qt::LeftButton);
        QTRY_VERIFY2(panel->findChild<QLabel*>("resultLabel")->text().contains("Invalid API Key"),
                     qPrintable(panel->findChild<QLabel*>("resultLabel")->text()));
        QTest::mouseClick(part<LoadPanel>(page)->loadButton(), Qt::LeftButton);
        QTRY_VERIFY2(part<LoadPanel>(page)->verdictText().contains("Invalid API Key"),
                     qPrintable(part<LoadPanel>(page)->verdictText()));
        QCOMPARE(part<RunEngine>(page)->state(), RunEngine::State::Unloaded);
        QTRY_VERIFY(part<LoadPanel>(page)->loadButton()->isEnabled()); // for another attempt
        panel->keyField()->clear();
        QTest::keyClicks(panel->keyField(), "secret");
        QVERIFY(load(page));
        QVERIFY2(shownText(page, "serverState").contains(QString::fromStdString(server.address())),
                 qPrintable(shownText(page, "serverState")));
        QVERIFY(!QJsonDocument(page.saveState()).toJson().contains("secret"));
    }

    // What the server is stays visible beside the problem of the secret store.
    void checksWithoutASecretStore() {
        const auto store = std::make_shared<test::StoreDouble>();
        store->problem = QStringLiteral("locked");
        const auto forget = qScopeGuard([] { ServerKeys::shared().setStore(nullptr); });
        ServerKeys::shared().setStore(store);
        const auto model = test::tinyRunnable();
        const ServerDouble server(model, {.key = "secret"});
        RunPage& page = openForServer();
        ServerPanel* panel = part<LoadPanel>(page)->serverPanel();
        typeAddress(page, server.address(), "secret");
        QTest::mouseClick(panel->checkButton(), Qt::LeftButton);
        QTRY_VERIFY(panel->findChild<QLabel*>("resultLabel")->text().contains("this file's model"));
        store->answer();
        const QString text = panel->findChild<QLabel*>("resultLabel")->text();
        QVERIFY2(text.contains("this file's model") && text.contains("locked"), qPrintable(text));
    }

    // It does not leave out messages, so no advice is about that.
    void contextIsFull() {
        const auto model = test::tinyRunnable();
        const ServerDouble server(model, {.context = 16});
        RunPage& page = openForServer();
        typeAddress(page, server.address());
        QVERIFY(load(page));
        say(QStringLiteral("one two three four one two three four one two three four one two three four"));
        QVERIFY(waitIdle());
        QVERIFY2(shownText(page, "notice").contains("leaves out no older messages"),
                 qPrintable(shownText(page, "notice")));
    }

    void keyStaysWithItsAddress() {
        RunPage& page = openForServer();
        ServerPanel* panel = part<LoadPanel>(page)->serverPanel();
        QTest::keyClicks(panel->keyField(), "typed first");
        typeAddress(page, "https://one.example");
        QCOMPARE(panel->keyField()->text(), QStringLiteral("typed first"));
        panel->keyField()->clear();
        QTest::keyClicks(panel->keyField(), "secret");
        QTest::keyClick(panel->addressField(), Qt::Key_Backspace);
        QCOMPARE(panel->keyField()->text(), QString());
        QCOMPARE(panel->access().key, std::string());
    }

    // The key is stored once its server has answered. After the program has started again, the store is asked for it
    // when the panel is shown.
    void keysComeFromTheSecretStore() {
        const auto store = std::make_shared<test::StoreDouble>();
        const auto forget = qScopeGuard([] { ServerKeys::shared().setStore(nullptr); });
        ServerKeys::shared().setStore(store);
        const auto model = test::tinyRunnable();
        const ServerDouble server(model, {.key = "secret"});
        QJsonObject state;
        {
            RunPage& page = openForServer();
            typeAddress(page, server.address(), "secret");
            store->answer();
            QVERIFY(store->secrets.empty());
            QVERIFY(load(page));
            store->answer();
            QCOMPARE(store->secrets.size(), std::size_t{1});
            QCOMPARE(store->secrets.begin()->second, QStringLiteral("secret"));
            state = page.saveState();
            finish();
        }
        ServerKeys::shared().setStore(store); // another process
        store->asked.clear();
        prepare();
        RunPage& page = open({}, false);
        page.restoreState(state);
        ServerPanel* panel = part<LoadPanel>(page)->serverPanel();
        QTRY_VERIFY(panel->isVisible());
        QCOMPARE(store->asked.size(), std::size_t{1});
        QVERIFY(panel->keyField()->text().isEmpty());
        store->answer();
        QCOMPARE(panel->keyField()->text(), QStringLiteral("secret"));
        QCOMPARE(panel->access().key, std::string("secret"));
        QVERIFY(load(page));
        // Removing the address removes the key.
        part<QPushButton>(page, "unload")->click();
        QTRY_VERIFY(panel->isVisible());
        QTest::mouseClick(panel->removeButton(), Qt::LeftButton);
        store->answer();
        QVERIFY(store->secrets.empty());
    }

    void unencrypted() {
        RunPage& page = openForServer();
        typeAddress(page, "http://192.168.1.9:8080");
        QVERIFY(
            part<LoadPanel>(page)->serverPanel()->findChild<QLabel*>("resultLabel")->text().contains("not encrypted"));
    }

    void branches() {
        const auto model = test::tinyRunnable();
        const ServerDouble server(model);
        RunPage& page = openForServer();
        typeAddress(page, server.address());
        QVERIFY(load(page));
        part<SamplerPanel>(page)->lengthField()->setValue(6);
        part<QCheckBox>(page, "shade")->setChecked(true);
        say("Count");
        QVERIFY(waitIdle());
        QCOMPARE(turn(1).text, QString(" one two three four one two"));
        QCOMPARE(turn(1).tokens.size(), std::size_t{6});
        QVERIFY(turn(1).tokens[0].id != kNoToken && !turn(1).tokens[0].afterSamplers);
        QVERIFY(turn(1).tokensPerSecond > 0);
        QVERIFY(hoverToken(1, 1));
        TokenCard* card = part<TokenCard>(page);
        QVERIFY2(card->rowText(1).endsWith("three 30.0 %"), qPrintable(card->rowText(1)));
        QTest::mouseClick(card, Qt::LeftButton, {}, card->rowRect(1).center());
        QVERIFY(waitIdle());
        QCOMPARE(turn(1).text, QString(" one three four one two three four one"));
        // Gufo has applied the file's template; the user can choose the server's.
        QVERIFY(server.lastBody("/apply-template").empty());
        const int serverTemplate = part<TemplateBox>(page)->findText("The server's own");
        QVERIFY(serverTemplate > 0);
        part<TemplateBox>(page)->setFocus();
        QTest::keyClick(part<TemplateBox>(page), Qt::Key_End);
        QCOMPARE(part<TemplateBox>(page)->currentIndex(), serverTemplate);
        QVERIFY(part<QCheckBox>(page, "afterSamplers")->isEnabled());
        part<QCheckBox>(page, "afterSamplers")->setFocus();
        QTest::keyClick(part<QCheckBox>(page, "afterSamplers"), Qt::Key_Space);
        QVERIFY(part<QCheckBox>(page, "afterSamplers")->isChecked());
        say("More");
        QVERIFY(waitIdle());
        QVERIFY(!server.lastBody("/apply-template").empty());
        QVERIFY(turn(3).tokens[0].afterSamplers);
        QVERIFY(hoverToken(3, 1));
        QVERIFY2(card->factsText().contains("after the samplers"), qPrintable(card->factsText()));
        const auto back = ChatTree::restore(part<ChatSession>(page)->tree().save());
        QVERIFY(back && back->turn(turn(3).id).tokens[0].afterSamplers);
        part<QPushButton>(page, "unload")->click();
        QTRY_COMPARE(part<RunEngine>(page)->state(), RunEngine::State::Unloaded);
        QCOMPARE(shownText(page, "serverState"), QString());
    }

    void stops() {
        const auto model = test::tinyRunnable();
        const ServerDouble server(model, {.fault = test::Fault::Slow});
        RunPage& page = openForServer();
        typeAddress(page, server.address());
        QVERIFY(load(page));
        part<SamplerPanel>(page)->lengthField()->setValue(0);
        say("Count");
        QTRY_VERIFY(turns() == 2 && turn(1).text.size() > 10);
        QTest::keyClick(part<Composer>(page)->field(), Qt::Key_Escape);
        QVERIFY(waitIdle());
        QCOMPARE(turn(1).end, TurnEnd::Stopped);
        QTRY_COMPARE(server.aborted(), 1);
    }

    void breaksOff() {
        const auto model = test::tinyRunnable();
        const ServerDouble server(model, {.fault = test::Fault::Cut});
        RunPage& page = openForServer();
        typeAddress(page, server.address());
        QVERIFY(load(page));
        say("Count");
        QVERIFY(waitIdle());
        QCOMPARE(turn(1).end, TurnEnd::Failed);
        QVERIFY2(!shownText(page, "notice").isEmpty(), "the reason is not shown");
        QCOMPARE(turn(1).text, QString(" one two")); // what has arrived is kept
    }

    void plainOpenAi() {
        const auto model = test::tinyRunnable();
        const ServerDouble server(model, {.isLlamaServer = false});
        RunPage& page = openForServer();
        typeAddress(page, server.address());
        QVERIFY(load(page));
        for (const auto& [control, feature] :
             {std::pair<QWidget*, Feature>{part<TemplateBox>(page), Feature::ChatTemplate},
              {part<QCheckBox>(page, "contextShift"), Feature::ContextShift}}) {
            QVERIFY(!control->isEnabled());
            QCOMPARE(control->toolTip(), featureMissingTip(feature));
        }
        QVERIFY(
            part<SegmentedControl>(page, "mode")->segment(1)->isEnabled()); // texts are completed by /v1/completions
        QVERIFY(!part<QCheckBox>(page, "afterSamplers")->isVisible());
        part<SamplerPanel>(page)->lengthField()->setValue(4);
        part<QCheckBox>(page, "shade")->setChecked(true);
        say("Count");
        QVERIFY(waitIdle());
        QCOMPARE(turn(1).text, QString(" one two three four"));
        QVERIFY(turn(1).tokens[1].logProbability.has_value());
        QVERIFY(hoverToken(1, 1));
        QVERIFY(!part<TokenCard>(page)->findChild<QPushButton*>("continueButton")->isEnabled());
        QCOMPARE(part<TokenCard>(page)->findChild<QPushButton*>("continueButton")->toolTip(),
                 featureMissingTip(Feature::Continuing));
    }

    // A server with OpenAI's protocol takes schemas, but no grammars.
    void schemasOfPlainOpenAi() {
        const auto model = test::tinyRunnable();
        const ServerDouble server(model, {.isLlamaServer = false});
        RunPage& page = openForServer();
        typeAddress(page, server.address());
        QVERIFY(load(page));
        part<SamplerPanel>(page)->lengthField()->setValue(4);
        GrammarField* field = part<SamplerPanel>(page)->findChild<GrammarField*>("grammarField");
        QVERIFY(field->isEnabled());
        const auto* kinds = qobject_cast<QStandardItemModel*>(field->findChild<QComboBox*>("kindCombo")->model());
        QVERIFY(kinds != nullptr && kinds->item(GrammarField::JsonSchema)->isEnabled());
        QVERIFY(!kinds->item(GrammarField::Gbnf)->isEnabled());
        QCOMPARE(kinds->item(GrammarField::Gbnf)->toolTip(), featureMissingTip(Feature::Grammar));
        // A grammar that another engine was given is not sent and blocks nothing, and the page says so.
        field->setKind(GrammarField::Gbnf);
        field->setText("root ::= \"yes\"");
        say("Count");
        QVERIFY(waitIdle());
        QVERIFY(!server.lastBody("/v1/chat/completions").contains("response_format"));
        QVERIFY(shownText(page, "notice").isEmpty());
        field->setText(R"({"type": "integer"})");
        field->setKind(GrammarField::JsonSchema);
        QTRY_VERIFY(field->grammar() != nullptr);
        say("More");
        QVERIFY(waitIdle());
        QVERIFY2(server.lastBody("/v1/chat/completions").contains(R"("schema":{"type": "integer"})"),
                 server.lastBody("/v1/chat/completions").c_str());
    }

    void startsOne() {
        const QString path = m_folder.filePath(QStringLiteral("model.gguf"));
        const auto bytes = test::runnableFile().build();
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size())),
                 static_cast<qint64>(bytes.size()));
        file.close();
        RunPage& page = openForServer();
        ServerPanel* panel = part<LoadPanel>(page)->serverPanel();
        auto model = std::make_shared<Model>(*m_model);
        model->files.front().path = path.toStdString();
        panel->setModel(model);
        panel->setProgram({});
        QVERIFY(panel->findChild<QComboBox*>("choiceCombo")
                    ->itemText(panel->findChild<QComboBox*>("choiceCombo")->count() - 1)
                    .contains("not installed"));
        panel->findChild<QComboBox*>("choiceCombo")->setFocus();
        QTest::keyClick(panel->findChild<QComboBox*>("choiceCombo"), Qt::Key_End);
        QVERIFY(!panel->startsOne());
        panel->setProgram(QStringLiteral(GUFO_STAND_IN_SERVER));
        QTest::keyClick(panel->findChild<QComboBox*>("choiceCombo"), Qt::Key_End);
        QVERIFY(panel->startsOne() && panel->findChild<QPlainTextEdit*>("logView")->isVisible());
        QTest::keyClicks(panel->findChild<QLineEdit*>("argumentsField"), "--stand-in refuse");
        QTest::mouseClick(part<LoadPanel>(page)->loadButton(), Qt::LeftButton);
        QTRY_VERIFY2(part<LoadPanel>(page)->verdictText().contains("GPU buffer"),
                     qPrintable(part<LoadPanel>(page)->verdictText()));
        QVERIFY(part<LoadPanel>(page)->loadButton()->isEnabled());
        panel->findChild<QLineEdit*>("argumentsField")->clear();
        QTest::keyClicks(panel->findChild<QLineEdit*>("argumentsField"), "--stand-in crash");
        QTest::mouseClick(part<LoadPanel>(page)->loadButton(), Qt::LeftButton);
        QCOMPARE(part<LoadPanel>(page)->loadButton()->text(), QString("Cancel"));
        QTRY_COMPARE_WITH_TIMEOUT(part<RunEngine>(page)->state(), RunEngine::State::Ready, 30'000);
        QTRY_VERIFY(panel->findChild<QPlainTextEdit*>("logView")->toPlainText().contains("is listening"));
        const qint64 process = part<LocalServer>(page)->processId();
        QVERIFY(process != 0);
        part<SamplerPanel>(page)->lengthField()->setValue(0);
        say("Count");
        QTRY_COMPARE_WITH_TIMEOUT(part<LocalServer>(page)->state(), LocalServer::State::Stopped, 30'000);
        QTRY_COMPARE(part<RunEngine>(page)->state(), RunEngine::State::Unloaded);
        QTRY_VERIFY2(part<LoadPanel>(page)->verdictText().contains("device lost"),
                     qPrintable(part<LoadPanel>(page)->verdictText()));
        QVERIFY(waitIdle());
        // The conversation stays visible until the model is loaded again.
        QVERIFY(part<NoticeBar>(page, "readingBar")->isVisible());
        QTest::mouseClick(part<NoticeBar>(page, "readingBar")->actionButton(), Qt::LeftButton); // Load…
        // Once more without a crash, until the model is unloaded.
        panel->findChild<QLineEdit*>("argumentsField")->clear();
        QTest::mouseClick(part<LoadPanel>(page)->loadButton(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(part<RunEngine>(page)->state(), RunEngine::State::Ready, 30'000);
        part<QPushButton>(page, "unload")->click();
        QTRY_COMPARE(part<LocalServer>(page)->state(), LocalServer::State::Stopped);
        QTest::mouseClick(part<LoadPanel>(page)->loadButton(), Qt::LeftButton);
        QTRY_COMPARE(part<LocalServer>(page)->state(), LocalServer::State::Starting);
        QTest::mouseClick(part<LoadPanel>(page)->loadButton(), Qt::LeftButton); // cancels
        QTRY_COMPARE(part<LocalServer>(page)->state(), LocalServer::State::Stopped);
        QTRY_COMPARE(part<LoadPanel>(page)->loadButton()->text(), QString("Load"));
    }
};

GUFO_TEST_WIDGETS(TestRunServer)
#include "tst_run_server.moc"
