// Tests the Run page on a tiny model by keys and mouse, while the engine runs on its own thread.
#include "inference/measuring/speed.h"
#include "run_page_test.h"
#include "support/test_unit.h"
#include "support/ui_watchdog.h"

#include <QClipboard>
#include <QTextBlock>

#include <cmath>

class TestRunPage : public RunPageTest {
    Q_OBJECT

private slots:
    void init() { prepare(); }
    void cleanup() { finish(); }
    void saysWhatARunNeeds();
    void refusesWhatDoesNotFit();
    void saysWhyAModelCannotRun();
    void runsWithoutTokenizer();
    void answers();
    void aSmallModelIsReadFromTheCache();
    void tellsHowMuchOfALongPromptIsRead();
    void secondTurnReadsOnlyWhatIsNew();
    void stops_data();
    void stops();
    void editsAndRegenerates();
    void branchesFromACandidate();
    void looksInsideFromAToken();
    void branchesByKeyboard();
    void foldsThoughts();
    void findsTokensInMarkdown();
    void shadesCanBeRead();
    void cardLeavesItsTokenFree();
    void closesWhileItAnswers();
    void staysQuick();
};

void TestRunPage::saysWhatARunNeeds() {
    RunPage& page = open({}, false);
    LoadPanel* panel = part<LoadPanel>(page);
    QVERIFY(panel->isVisible());
    QVERIFY(panel->needs().has_value());
    QCOMPARE(panel->needs()->context, 512U);
    QVERIFY(panel->loadButton()->isEnabled());
    const auto cache = panel->needs()->kvCache;
    QVERIFY(cache > 0);
    const QString shown = panel->figureText(1);
    panel->findChild<QComboBox*>("keysCombo")->setCurrentText("f32"); // the figures are updated immediately
    QTRY_COMPARE(2 * panel->needs()->kvCache, 3 * cache);
    panel->findChild<QComboBox*>("valuesCombo")->setCurrentText("f32");
    QTRY_COMPARE(panel->needs()->kvCache, 2 * cache);
    QVERIFY(panel->figureText(1) != shown);
    panel->contextField()->setValue(256);
    QTRY_COMPARE(panel->needs()->kvCache, cache);
    QTest::mouseClick(panel->loadButton(), Qt::LeftButton);
    QTRY_COMPARE(part<RunEngine>(page)->state(), RunEngine::State::Ready);
    QCOMPARE(part<RunEngine>(page)->facts()->options.context, 256U);
    QVERIFY(!panel->isVisible());
    QVERIFY(part<Composer>(page)->isVisible());
    QTest::mouseClick(part<QPushButton>(page, "unload"), Qt::LeftButton);
    QVERIFY(panel->isVisible());
    QCOMPARE(part<RunEngine>(page)->state(), RunEngine::State::Unloaded);
}

void TestRunPage::refusesWhatDoesNotFit() {
    RunPage& page = open({}, false);
    part<LoadPanel>(page)->setMachine({.total = 1000, .available = 500});
    QTRY_VERIFY(!part<LoadPanel>(page)->loadButton()->isEnabled());
    QVERIFY2(part<LoadPanel>(page)->verdictText().contains("500 bytes"),
             qPrintable(part<LoadPanel>(page)->verdictText()));
    // Weights larger than the memory cause only a warning.
    part<LoadPanel>(page)->setMachine({.total = part<LoadPanel>(page)->needs()->total(),
                                       .available = part<LoadPanel>(page)->needs()->anonymous() + 1});
    QTRY_VERIFY(part<LoadPanel>(page)->loadButton()->isEnabled());
    QVERIFY(part<LoadPanel>(page)->verdictText().contains("disk"));
}

void TestRunPage::saysWhyAModelCannotRun() {
    test::GgufBuilder file;
    file.key("general.architecture", "nonesuch").tensor("token_embd.weight", 0, {32, 3});
    m_model = test::modelOf(file.build());
    m_page = std::make_unique<RunPage>();
    m_page->setModel(m_model);
    m_page->show();
    QSignalSpy estimated(part<LoadPanel>(*m_page), &LoadPanel::estimated);
    m_page->activate();
    QVERIFY(estimated.wait());
    QVERIFY(!part<LoadPanel>(*m_page)->loadButton()->isVisible());
    const QString verdict = part<LoadPanel>(*m_page)->verdictText();
    QVERIFY2(verdict.contains("general.architecture = nonesuch") && verdict.contains("llama, llama4, mamba"),
             qPrintable(verdict));
}

void TestRunPage::runsWithoutTokenizer() {
    RunPage& page = open({.tokenizer = false});
    QTRY_COMPARE(part<RunEngine>(page)->state(), RunEngine::State::Ready);
    QVERIFY(part<RunEngine>(page)->facts()->tokenizer == nullptr);
    QVERIFY(!part<Composer>(page)->field()->isEnabled());
    QVERIFY(!part<Composer>(page)->button()->isEnabled());
}

void TestRunPage::answers() {
    RunPage& page = open();
    QSignalSpy grown(part<ChatSession>(page), &ChatSession::turnGrown);
    QSignalSpy status(&page, &Page::statusChanged);
    say("one two");
    QVERIFY(part<ChatSession>(page)->isBusy());
    QCOMPARE(part<Composer>(page)->text(), QString());
    QCOMPARE(part<Composer>(page)->button()->text(), QString("Stop"));
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{2});
    QCOMPARE(turn(0).text, QString("one two"));
    QVERIFY(!turn(1).tokens.empty());
    QVERIFY(turn(1).tokens.size() <= 24);
    QCOMPARE(turn(1).tokens.front().candidates.size(), std::size_t{8});
    QVERIFY(grown.count() > 0);
    QVERIFY(view(1)->captionText().contains("mean probability"));
    QVERIFY(part<RunStrip>(page)->text().contains("Context"));
    QVERIFY(status.last().at(0).toString().startsWith("Ready"));
    QCOMPARE(part<Composer>(page)->button()->text(), QString("Send"));
    // Copy.
    QTest::mouseClick(view(0)->actionButton("copy"), Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text(), QString("one two"));
}

// Reading a small model says nothing about the memory, so no share of its bandwidth is shown.
void TestRunPage::aSmallModelIsReadFromTheCache() {
    if (inference::lastLevelCacheBytes() < (8U << 20U)) {
        QSKIP("the system does not report a cache that holds the model");
    }
    RunPage& page = open();
    neverEnd();
    say("one two three");
    QVERIFY(waitIdle());
    QTRY_VERIFY2(part<RunStrip>(page)->text().contains("from the cache"), qPrintable(part<RunStrip>(page)->text()));
    QVERIFY2(!part<RunStrip>(page)->text().contains("peak"), qPrintable(part<RunStrip>(page)->text()));
}

// Also while its only batch is evaluated, which takes seconds with a large model.
void TestRunPage::tellsHowMuchOfALongPromptIsRead() {
    RunPage& page = open({.width = 512, .blocks = 12});
    part<SamplerPanel>(page)->lengthField()->setValue(1);
    QSignalSpy progressed(part<ChatSession>(page), &ChatSession::promptProgressed);
    QSignalSpy status(&page, &Page::statusChanged);
    bool isInConversation = false; // and gone when the answer begins
    connect(part<ChatSession>(page), &ChatSession::promptProgressed, this, [&] {
        part<Transcript>(page)->refresh();
        isInConversation =
            isInConversation || view(1)->captionText().startsWith(QStringLiteral("Reading the prompt: "));
    });
    part<Composer>(page)->field()->setPlainText(QStringLiteral("one two three four ").repeated(50));
    QTest::keyClick(part<Composer>(page)->field(), Qt::Key_Return);
    QVERIFY(waitIdle());
    QVERIFY(turns() == 2 && turn(1).tokens.size() == 1);
    const auto isBetween = [](const QList<QVariant>& shown) {
        return shown[0].toULongLong() > 0 && shown[0].toULongLong() < shown[1].toULongLong();
    };
    QVERIFY(std::ranges::any_of(progressed, isBetween));
    QVERIFY(std::ranges::any_of(status, [](const QList<QVariant>& shown) {
        return shown[0].toString().startsWith(QStringLiteral("Reading the prompt: "));
    }));
    QVERIFY(isInConversation);
    QVERIFY(!view(1)->captionText().contains(QStringLiteral("Reading")));
}

void TestRunPage::secondTurnReadsOnlyWhatIsNew() {
    RunPage& page = open();
    neverEnd();
    say("one two three four one two three four");
    QVERIFY(waitIdle());
    const std::size_t first = part<ChatSession>(page)->figures().promptTokens;
    const std::size_t answered = turn(1).tokens.size();
    say("two");
    QVERIFY(waitIdle());
    QVERIFY(part<ChatSession>(page)->figures().promptTokens > first + answered);
    QVERIFY2(part<ChatSession>(page)->figures().readTokens < first,
             qPrintable(QString::number(part<ChatSession>(page)->figures().readTokens)));
}

void TestRunPage::stops_data() {
    QTest::addColumn<bool>("byKey");
    QTest::newRow("Escape") << true;
    QTest::newRow("button") << false;
}

void TestRunPage::stops() {
    QFETCH(bool, byKey);
    RunPage& page = open({.width = 256, .blocks = 4, .context = 8192}); // not full before the key is pressed
    part<SamplerPanel>(page)->lengthField()->setValue(0);
    neverEnd();
    say("one");
    QVERIFY(QTest::qWaitFor([&] { return part<ChatSession>(page)->figures().tokens > 5; }));
    if (byKey) {
        QTest::keyClick(part<Composer>(page)->field(), Qt::Key_Escape);
    } else {
        QTest::mouseClick(part<Composer>(page)->button(), Qt::LeftButton);
    }
    QVERIFY(QTest::qWaitFor([&] { return !part<ChatSession>(page)->isBusy(); }, 2000));
    QCOMPARE(turn(1).end, TurnEnd::Stopped);
    QVERIFY(view(1)->captionText().contains("stopped"));
    const std::size_t before = turn(1).tokens.size();
    part<SamplerPanel>(page)->lengthField()->setValue(4);
    QTest::mouseClick(view(1)->actionButton("continue"), Qt::LeftButton);
    QVERIFY(waitIdle());
    QCOMPARE(turns(), std::size_t{2});
    QCOMPARE(turn(1).tokens.size(), before + 4);
}

void TestRunPage::editsAndRegenerates() {
    RunPage& page = open();
    say("one");
    QVERIFY(waitIdle());
    QTest::mouseClick(view(1)->actionButton("regenerate"), Qt::LeftButton);
    QVERIFY(waitIdle());
    QCOMPARE(part<ChatSession>(page)->tree().siblings(turn(1).id).count, 2);
    QCOMPARE(part<ChatSession>(page)->tree().siblings(turn(1).id).index, 1);
    // Up in the empty field edits the last question.
    QTest::keyClick(part<Composer>(page)->field(), Qt::Key_Up);
    QVERIFY(view(0)->isEditing());
    view(0)->editor()->selectAll();
    QTest::keyClicks(view(0)->editor(), "two");
    QTest::keyClick(view(0)->editor(), Qt::Key_Return);
    QVERIFY(waitIdle());
    QCOMPARE(turn(0).text, QString("two"));
    QCOMPARE(part<ChatSession>(page)->tree().siblings(turn(0).id).count, 2);
    part<ChatSession>(page)->step(turn(0).id, -1);
    QCOMPARE(turn(0).text, QString("one"));
    // An answer can be rewritten.
    view(1)->beginEdit();
    view(1)->editor()->selectAll();
    QTest::keyClicks(view(1)->editor(), "four");
    QTest::mouseClick(view(1)->findChild<QPushButton*>("sendButton"), Qt::LeftButton);
    QVERIFY(!part<ChatSession>(page)->isBusy());
    QCOMPARE(turn(1).text, QString("four"));
    QVERIFY(turn(1).tokens.empty());
    // Escape cancels an edit.
    view(0)->beginEdit();
    QTest::keyClick(view(0)->editor(), Qt::Key_Escape);
    QVERIFY(!view(0)->isEditing());
    QCOMPARE(turn(0).text, QString("one"));
}

void TestRunPage::branchesFromACandidate() {
    RunPage& page = open();
    neverEnd();
    part<QCheckBox>(page, "shade")->setChecked(true);
    say("one two");
    QVERIFY(waitIdle());
    const Turn before = turn(1);
    AnswerView* text = view(1)->answerView();
    int token = -1;
    for (int i = 2; i < static_cast<int>(before.tokens.size()) && token < 0; ++i) {
        const QRect rect = text->tokenRect(i); // several bytes of one letter are found through their last
        token = rect.width() > 4 && text->tokenAt(rect.center()) == i ? i : -1;
    }
    QVERIFY(token >= 0);
    const QPoint at = text->tokenRect(token).center();
    QCOMPARE(text->tokenAt(at), token);
    QTest::mouseMove(text->viewport(), at);
    QTRY_VERIFY(part<TokenCard>(page)->isVisible());
    QCOMPARE(text->currentToken(), token);
    TokenCard* card = part<TokenCard>(page);
    QVERIFY(card->rowCount() >= 8);
    QVERIFY(page.rect().contains(card->geometry()));
    // A candidate other than the drawn one.
    const auto& candidates = before.tokens[static_cast<std::size_t>(token)].candidates;
    const std::uint32_t drawn = before.tokens[static_cast<std::size_t>(token)].id;
    QSignalSpy chosen(card, &TokenCard::candidateChosen);
    for (int row = 0; row < card->rowCount() && chosen.isEmpty(); ++row) {
        QTest::mouseClick(card, Qt::LeftButton, {}, card->rowRect(row).center());
    }
    QCOMPARE(chosen.count(), 1);
    QVERIFY(chosen.at(0).at(0).toUInt() != drawn);
    QVERIFY(std::ranges::find(candidates, chosen.at(0).at(0).toUInt(), &TurnCandidate::id) != candidates.end());
    QVERIFY(waitIdle());
    const Turn& after = turn(1);
    QVERIFY(after.id != before.id);
    QCOMPARE(part<ChatSession>(page)->tree().siblings(after.id).count, 2);
    for (int i = 0; i < token; ++i) {
        QCOMPARE(after.tokens[static_cast<std::size_t>(i)].id, before.tokens[static_cast<std::size_t>(i)].id);
    }
    QCOMPARE(after.tokens[static_cast<std::size_t>(token)].id, chosen.at(0).at(0).toUInt());
    QVERIFY(part<ChatSession>(page)->tree().has(before.id)); // the old answer is kept
    part<ChatSession>(page)->step(after.id, -1);
    QCOMPARE(turn(1).text, before.text);
}

// The card of a token leads to what happened inside the model there, also in an earlier answer.
void TestRunPage::looksInsideFromAToken() {
    RunPage& page = open();
    neverEnd();
    part<QCheckBox>(page, "shade")->setChecked(true);
    QVERIFY(page.knownTokens().empty());
    say("one two");
    QVERIFY(waitIdle());
    say("three");
    QVERIFY(waitIdle());
    QCOMPARE(turns(), 4);
    const auto& session = *part<ChatSession>(page);
    const std::vector<TokenId>& known = page.knownTokens();
    for (const int number : {1, 3}) {
        const Turn& answer = turn(number);
        for (std::size_t i = 0; i < answer.tokens.size(); ++i) {
            const auto position = session.positionOf(answer.id, i);
            QVERIFY(position && *position < known.size());
            QCOMPARE(known[*position].value, std::size_t{answer.tokens[i].id});
        }
        QVERIFY(!session.positionOf(answer.id, answer.tokens.size()));
    }
    QVERIFY(!session.positionOf(turn(0).id, 0)); // a question has no tokens of its own
    QSignalSpy requested(&page, &RunPage::insideRequested);
    AnswerView* text = view(3)->answerView();
    text->setFocus();
    QTest::keyClick(text, Qt::Key_Right);
    TokenCard* card = part<TokenCard>(page);
    QTRY_VERIFY(card->isVisible() && card->findChild<QPushButton*>("insideButton")->isEnabled());
    const auto token = static_cast<std::size_t>(text->currentToken());
    QTest::mouseClick(card->findChild<QPushButton*>("insideButton"), Qt::LeftButton);
    QCOMPARE(requested.size(), 1);
    QCOMPARE(requested.at(0).at(0).value<std::size_t>(), *session.positionOf(turn(3).id, token));
    QVERIFY(!card->isVisible());
}

void TestRunPage::branchesByKeyboard() {
    RunPage& page = open();
    neverEnd();
    part<QCheckBox>(page, "shade")->setChecked(true);
    say("one two");
    QVERIFY(waitIdle());
    AnswerView* text = view(1)->answerView();
    text->setFocus();
    QTest::keyClick(text, Qt::Key_Right);
    QVERIFY(part<TokenCard>(page)->isVisible());
    const int first = text->currentToken();
    QVERIFY(first >= 0);
    QTest::keyClick(text, Qt::Key_Right);
    QVERIFY(text->currentToken() > first);
    QTest::keyClick(text, Qt::Key_Left);
    QCOMPARE(text->currentToken(), first);
    QTest::keyClick(text, Qt::Key_Escape);
    QVERIFY(!part<TokenCard>(page)->isVisible());
    QTest::keyClick(text, Qt::Key_Right);
    QSignalSpy chosen(part<TokenCard>(page), &TokenCard::candidateChosen);
    QTest::keyClick(text, Qt::Key_Down);
    QTest::keyClick(text, Qt::Key_Return);
    if (chosen.isEmpty()) { // that was the drawn one
        QTest::keyClick(text, Qt::Key_Down);
        QTest::keyClick(text, Qt::Key_Return);
    }
    QCOMPARE(chosen.count(), 1);
    QVERIFY(waitIdle());
    QCOMPARE(part<ChatSession>(page)->tree().siblings(turn(1).id).count, 2);
    // Continue from a token, and try another one.
    const std::size_t count = turn(1).tokens.size();
    part<ChatSession>(page)->continueFrom(turn(1).id, 3);
    QVERIFY(waitIdle());
    QVERIFY(count > 4);
    part<ChatSession>(page)->tryAnother(turn(1).id, 2);
    QVERIFY(waitIdle());
    QCOMPARE(part<ChatSession>(page)->tree().siblings(turn(1).id).count, 4);
}

void TestRunPage::foldsThoughts() {
    RunPage& page = open();
    ChatTree tree;
    const int question = tree.add(-1, TurnRole::User, "one");
    tree.add(question, TurnRole::Assistant,
             "<think>\nHm, **two**.\n</think>\n\n# Four\n\n- a\n- b\n\n```c\nint x;\n```\n\n![o](file:///etc/passwd)");
    part<ChatSession>(page)->setTree(tree);
    TurnView* answer = view(1);
    QVERIFY(answer->findChild<QToolButton*>("foldButton")->isVisible());
    QVERIFY(!answer->thoughtView()->isVisible());
    QVERIFY(!answer->answerView()->toPlainText().contains("Hm"));
    QVERIFY(answer->answerView()->toPlainText().startsWith("Four\na\nb\nint x;"));
    QTest::mouseClick(answer->findChild<QToolButton*>("foldButton"), Qt::LeftButton);
    QVERIFY(answer->thoughtView()->isVisible());
    QCOMPARE(answer->thoughtView()->toPlainText(), QString("Hm, two."));
    QVERIFY(!answer->answerView()->toHtml().contains("<img"));
}

// A token is found where it is shown, whatever the Markdown around it.
void TestRunPage::findsTokensInMarkdown() {
    RunPage& page = open();
    const QString text =
        "# Owls **fly**\n\n1. one *two* three\n   - four `five` six\n2. seven\n\n```c\n  int a;\nb;\n```\n\n"
        "> said &amp; done\n\n| a | bb |\n|---|---:|\n| ccc | d |\n\nEnd [of](http://x.y) it.";
    ChatTree tree;
    const int question = tree.add(-1, TurnRole::User, "one");
    const int id = tree.add(question, TurnRole::Assistant, text);
    for (int i = 0; i < text.size(); i += 2) {
        tree.turn(id).tokens.push_back(
            {.id = 300, .begin = i, .end = std::min(i + 2, static_cast<int>(text.size())), .logProbability = -2});
    }
    part<QCheckBox>(page, "shade")->setChecked(true);
    part<ChatSession>(page)->setTree(tree);
    AnswerView* shown = view(1)->answerView();
    QTRY_VERIFY(shown->height() > 300);
    int found = 0;
    for (int i = 0; i < static_cast<int>(turn(1).tokens.size()); ++i) {
        const QRect rect = shown->tokenRect(i);
        const bool inEntity = 2 * i + 2 > text.indexOf("&amp;") && 2 * i < text.indexOf("&amp;") + 5;
        if (rect.width() < 4 || inEntity) {
            continue; // Markdown delimiters, a narrow letter, or one character of several tokens
        }
        ++found;
        const int hit = shown->tokenAt(rect.center());
        QVERIFY2(hit == i, qPrintable(QString("token %1 \"%2\": %3").arg(i).arg(text.mid(2 * i, 2)).arg(hit)));
        // The document contains these letters at that position.
        const QString letter = text.mid(2 * i, 1);
        if (letter[0].isLetter()) {
            const QTextCursor at = shown->cursorForPosition(QPoint(rect.left() + 1, rect.center().y()));
            QCOMPARE(shown->document()->characterAt(at.position()), letter[0]);
        }
    }
    QVERIFY2(found > 25, qPrintable(QString::number(found)));
}

// Text on the strongest shade has a contrast of at least 4.5 in both themes.
void TestRunPage::shadesCanBeRead() {
    const auto luminance = [](const QColor& color) {
        const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
        return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
    };
    for (const Theme::Choice choice : {Theme::Choice::Dark, Theme::Choice::Light}) {
        Theme::instance().setChoice(choice);
        const QColor ground = themeColor(Token::Base);
        const QColor shade = shadeOf(-20);
        const auto mixed = [&](double over, double under) {
            return static_cast<float>(over * shade.alphaF() + under * (1 - shade.alphaF()));
        };
        const double shaded =
            luminance(QColor::fromRgbF(mixed(shade.redF(), ground.redF()), mixed(shade.greenF(), ground.greenF()),
                                       mixed(shade.blueF(), ground.blueF())));
        const double text = luminance(themeColor(Token::Text));
        const double contrast = (std::max(text, shaded) + 0.05) / (std::min(text, shaded) + 0.05);
        QVERIFY2(contrast >= 4.5, qPrintable(QString::number(contrast)));
    }
    Theme::instance().setChoice(Theme::Choice::System);
    // Text that is otherwise grey is not when it is shaded.
    RunPage& page = open();
    ChatTree tree;
    const int question = tree.add(-1, TurnRole::User, "one");
    tree.add(question, TurnRole::Assistant, "<think>\nhm\n</think>\n\n> said");
    part<ChatSession>(page)->setTree(tree);
    const auto colors = [&] {
        std::vector<QColor> found;
        for (AnswerView* text : {view(1)->thoughtView(), view(1)->answerView()}) {
            found.push_back(text->document()->begin().begin().fragment().charFormat().foreground().color());
        }
        return found;
    };
    QCOMPARE(colors(), std::vector(2, themeColor(Token::Muted)));
    part<QCheckBox>(page, "shade")->click();
    QCOMPARE(colors(), std::vector(2, themeColor(Token::Text)));
}

// However little room there is, the card does not cover its token.
void TestRunPage::cardLeavesItsTokenFree() {
    RunPage& page = open();
    page.resize(800, 420);
    TurnToken token{.id = 300, .begin = 0, .end = 2, .logProbability = -9};
    for (std::uint32_t i = 0; i < 8; ++i) {
        token.candidates.push_back({.id = i, .probability = 0.1F, .cut = i < 4 ? 0 : static_cast<int>(i)});
    }
    for (const int y : {40, 200, 380}) {
        const QRect place(300, y, 40, 20);
        part<TokenCard>(page)->showToken(token, "ab", place, {.isFree = true});
        QVERIFY(!part<TokenCard>(page)->geometry().intersects(place));
        QVERIFY(page.rect().contains(part<TokenCard>(page)->geometry()));
        QVERIFY(part<TokenCard>(page)->rowCount() >= 3);
        bool drawn = false; // remains among the rows although it is the least likely
        for (int row = 0; row < part<TokenCard>(page)->rowCount(); ++row) {
            drawn = drawn || part<TokenCard>(page)->rowText(row).contains("0.012 %");
        }
        QVERIFY(drawn);
    }
}

// The template refuses tool messages without tools. The grammar makes the model call a tool, then answer.
void TestRunPage::closesWhileItAnswers() {
    RunPage& page = open({.width = 256, .blocks = 4, .context = 8192}); // not full before the key is pressed
    neverEnd();
    part<SamplerPanel>(page)->lengthField()->setValue(0);
    say("one");
    QVERIFY(QTest::qWaitFor([&] { return part<ChatSession>(page)->figures().tokens > 2; }));
    QElapsedTimer clock;
    clock.start();
    m_page.reset();
    QVERIFY(clock.elapsed() < 1000);
    Job::waitForAll();
    QVERIFY(clock.elapsed() < 3000);
}

void TestRunPage::staysQuick() {
    QVERIFY(isQuickOnce([this] {
        m_page.reset();
        RunPage& page = open({.width = 256, .blocks = 4, .context = 2048});
        part<QCheckBox>(page, "shade")->setChecked(true);
        inference::SamplerSettings settings = part<SamplerPanel>(page)->sampler();
        settings.ignoreEnd = true;
        for (std::size_t byte = 0x80; byte < 0x100; ++byte) { // letters of all scripts would test Qt's fonts instead
            settings.bias.emplace_back(TokenId(7 + byte), -std::numeric_limits<double>::infinity());
        }
        part<SamplerPanel>(page)->setSampler(settings);
        part<SamplerPanel>(page)->lengthField()->setValue(300);
        UiWatchdog watchdog;
        watchdog.step("an answer of 300 tokens");
        say("one two three");
        const bool answered = waitIdle();
        watchdog.step("a second one");
        say("four");
        const bool began = QTest::qWaitFor([&] { return part<ChatSession>(page)->figures().tokens > 50; });
        watchdog.step("unload in the middle of it");
        part<RunEngine>(page)->unload();
        const bool unloaded = waitIdle();
        watchdog.finish();
        return answered && began && unloaded && watchdog.isQuick();
    }));
}

GUFO_TEST_WIDGETS(TestRunPage)
#include "tst_run_page.moc"
