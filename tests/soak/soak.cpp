// Uses the program for a long time in random order, as ./dev soak MINUTES does: opens, browses, edits, saves, compares,
// runs and closes models. Before the first round it uses everything once, which takes minutes that do not count. After
// each round all tabs are closed; memory, descriptors, threads and files must then not grow any more (leftovers.h). Qt
// must not have written a message.
//
//     soak MINUTES [SEED]
//
// SIGINT ends it after the round, with a judgement of the rounds that it did. The same seed does the same things in the
// same order. Rows of kActions are what a user can do; each does nothing where it is not possible.
#include "inference/prefixes/prefix_store.h"
#include "soak/leftovers.h"
#include "support/idle.h"
#include "support/page_parts.h"
#include "support/ui_test_settings.h"
#include "test_paths.h"
#include "ui/compare/compare_tab.h"
#include "ui/jobs/job.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/tabs/model_tab.h"
#include "ui/mainwindow/tabs/page_table.h"
#include "ui/mainwindow/tabs/unsaved_question.h"
#include "ui/mainwindow/window_manager.h"
#include "ui/pages/run/run_page.h"
#include "ui/shell/settings.h"
#include "ui/theme/theme.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QLibrary>
#include <QMessageBox>
#include <QPainter>
#include <QPixmapCache>
#include <QPointer>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <vector>

using namespace gufo;
using namespace gufo::ui;

namespace {

namespace fs = std::filesystem;

constexpr int kActionsPerRound = 60;
// Some caches fill only when actions come in a certain order, so that using everything once does not suffice.
constexpr std::size_t kWarmUpRounds = 20;

QStringList s_messages; // of Qt, without repetitions

void keepMessage(QtMsgType type, const QMessageLogContext& /*context*/, const QString& text) {
    if (type != QtDebugMsg && type != QtInfoMsg && !s_messages.contains(text)) {
        s_messages << text;
        std::fprintf(stderr, "soak: a message of Qt: %s\n", qPrintable(text));
    }
}

// Qt also sets the title of a window with Xlib, which keeps 24 bytes for each request until it next reads a reply. Qt
// never makes it read one, so without this call the heap would grow with every change of a title.
void synchronizeXlib() {
    if (const auto* x11 = qGuiApp->nativeInterface<QNativeInterface::QX11Application>()) {
        using Sync = int (*)(void* display, int discard);
        if (const auto sync = reinterpret_cast<Sync>(QLibrary(QStringLiteral("X11"), 6).resolve("XSync"))) {
            sync(x11->display(), 0);
        }
    }
}

// Qt keeps hash tables of all widgets and of their accessible interfaces. The storage of a span of a QHash grows when
// the span has more entries than ever before, and never shrinks, so that these tables grow for hours, slower and
// slower, in a program that makes and deletes widgets. After so many widgets at once, they have room for all that come
// later.
void growTablesOfWidgets() {
    constexpr std::size_t kWidgets = 40'000; // several times as many as all tabs have together
    std::vector<std::unique_ptr<QWidget>> widgets(kWidgets);
    for (std::unique_ptr<QWidget>& widget : widgets) {
        widget = std::make_unique<QWidget>();
        (void)QAccessible::queryAccessibleInterface(widget.get());
    }
}

// Calls `draw` once for each font of the window, with a painter that uses the font.
template<typename Draw>
void withEveryFont(const Draw& draw) {
    QPixmap canvas(100, 100);
    QPainter painter(&canvas);
    for (const TextStyle style :
         {TextStyle::Body, TextStyle::Table, TextStyle::Axis, TextStyle::FactValue, TextStyle::Section,
          TextStyle::PageTitle, TextStyle::StartTitle, TextStyle::Mono, TextStyle::MonoTitle}) {
        for (const bool bold : {false, true}) {
            QFont font = themeFont(style);
            font.setBold(bold || font.bold());
            painter.setFont(font);
            draw(painter);
        }
    }
}

// Qt caches a bitmap of each glyph at each quarter of a pixel, as long as its font exists. These caches would grow for
// hours, until the window has drawn every character of each font at all quarters. For a character that no font has, Qt
// opens every fallback font.
void drawAllCharacters() {
    static constexpr char32_t kNoFontHasIt = 0x10FFFD; // for private use, at the end of Unicode
    withEveryFont([](QPainter& painter) {
        painter.drawText(QPointF(20, 50), QString::fromUcs4(&kNoFontHasIt, 1));
        for (int code = ' '; code < 0x100; ++code) {
            for (int quarter = 0; quarter < 4; ++quarter) {
                painter.drawText(QPointF(20 + quarter / 4.0, 50), QString(QChar(code)));
            }
        }
    });
}

// For each font, Qt caches the glyphs of the ten scales that were used last. The diagram's zoom chooses the scales, so
// these caches have a different size after each round. This function fills them with one glyph at each of ten fixed
// scales, which replace the diagram's.
void replaceScaledGlyphs() {
    withEveryFont([](QPainter& painter) {
        for (int scale = 0; scale < 10; ++scale) {
            painter.resetTransform();
            painter.scale(1.01 + scale / 100.0, 1.01 + scale / 100.0);
            painter.drawText(QPointF(20, 50), QStringLiteral("x"));
        }
        painter.resetTransform();
    });
}

class Soak {
public:
    Soak(const fs::path& folder, unsigned seed)
        : m_folder(folder)
        , m_random(seed) {
        for (const char* name : {"gufo-sample-1.4M-chat-v1.0-F16.gguf", "gufo-sample-1.4M-chat-v1.0-Q8_0.gguf",
                                 "gufo-sample-1.4M-chat-v1.0-Q4_K.gguf"}) {
            m_models.push_back(folder / name);
        }
        m_models.push_back(folder / "damaged.gguf");
        restoreFiles();
        // Nobody is there to answer questions.
        m_answering.setObjectName(QStringLiteral("watchdog")); // so that the program counts as idle beside it
        QObject::connect(&m_answering, &QTimer::timeout, [this] { answerQuestion(); });
        m_answering.start(50);
        makeWindow();
    }
    ~Soak() {
        m_manager.reset();
        Job::waitForAll();
    }

    // Opens all that a round can open at once, shows every page in many sizes and both themes, and does every action.
    // After it, the list of closed tabs is full.
    void useEverything() {
        growTablesOfWidgets();
        drawAllCharacters();
        constexpr int kSizes = 12;
        for (int i = 0; i < kSizes; ++i) {
            m_window->resize(640 + 109 * i, 480 + 63 * i);
            Theme::instance().setChoice(i % 2 == 0 ? Theme::Choice::Dark : Theme::Choice::Light);
            for (const fs::path& model : m_models) {
                m_window->openPlaces({model});
            }
            for (std::size_t first = 0; first < 3; ++first) {
                openComparison(first);
            }
            settle();
            for (int tab = m_window->tabCount(); tab > 0; --tab) {
                showEveryPage();
                changeTab();
                settle();
            }
            for (const Action& action : kActions) {
                (this->*action.function)();
                settle();
            }
            closeAll();
        }
    }

    void round() {
        for (int i = 0; i < kActionsPerRound; ++i) {
            act();
        }
        closeAll();
    }

private:
    struct Action {
        const char* name;
        int weight;
        void (Soak::*function)();
    };
    static const std::array<Action, 20> kActions;

    std::size_t random(std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(m_random); }
    template<typename List>
    auto& oneOf(List& list) {
        return list[random(list.size())];
    }

    void closeAll() {
        while (m_window->tabCount() > 0 && !isEmptyWindow()) {
            m_window->namedAction("closeTab")->trigger();
            settle();
        }
        settle();
        restoreFiles();
        removeKeptFiles();
        inference::PrefixStore::shared()->clear();
        replaceScaledGlyphs();
        QGuiApplication::clipboard()->clear(); // a table that was copied may have a hundred KiB
        QPixmapCache::clear();                 // it keeps up to 10 MiB of icons that were used lately
        synchronizeXlib();
    }

    void openComparison(std::size_t first) { m_window->openComparison({m_models[first], m_models[(first + 1) % 3]}); }

    void showEveryPage() {
        const QPointer<WindowTab> tab = m_window->currentTab();
        for (std::size_t page = 0; tab != nullptr && page < tab->pages().size(); ++page) {
            tab->showPage(static_cast<int>(page));
            settle();
        }
    }

    void makeWindow() {
        m_manager = std::make_unique<WindowManager>(WindowManager::SessionKeeping::On);
        m_window = m_manager->newWindow();
        m_window->resize(1440, 900);
        (void)QTest::qWaitForWindowExposed(m_window);
    }

    void restoreFiles() {
        for (const fs::path& model : m_models) {
            const fs::path from =
                model.filename() == "damaged.gguf" ? m_models[2] : fs::path(GUFO_SAMPLE_DIR) / model.filename();
            fs::copy_file(from, model, fs::copy_options::overwrite_existing);
        }
        fs::resize_file(m_models.back(), fs::file_size(m_models.back()) / 2);
    }

    // Conversations, the figures of comparisons and the states of sessions are kept on purpose, the latter two up to a
    // limit; they are not leftovers.
    void removeKeptFiles() const {
        std::vector<fs::path> kept;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(m_folder.parent_path())) {
            if (entry.is_directory() &&
                (entry.path().filename() == "conversations" || entry.path().filename() == "compare")) {
                kept.push_back(entry.path());
            }
        }
        for (const fs::path& folder : kept) {
            fs::remove_all(folder);
        }
    }

    // Runs the event loop until nothing is left to do.
    static void settle() {
        (void)test::waitUntilIdle(); // prints a message if it fails, and every message is reported at the end
    }

    void act() {
        std::size_t at = random(m_weights);
        const Action* action = kActions.data();
        while (at >= static_cast<std::size_t>(action->weight)) {
            at -= static_cast<std::size_t>(action->weight);
            ++action;
        }
        (this->*action->function)();
        // Most of the time, the next action comes while the last one is at work, which is what this program tries. The
        // pause waits for nothing: like a user's hand, it gives the event loop a moment, whose length is drawn from the
        // seed.
        if (random(3) == 0) {
            settle();
        } else {
            QTest::qWait(static_cast<int>(random(60)));
        }
    }

    void answerQuestion() {
        if (QWidget* popup = QApplication::activePopupWidget()) {
            popup->close(); // a menu that a key has opened waits for a choice
            return;
        }
        QWidget* modal = QApplication::activeModalWidget();
        if (qobject_cast<QMessageBox*>(modal) != nullptr || qobject_cast<UnsavedQuestion*>(modal) != nullptr) {
            const auto buttons = modal->findChildren<QPushButton*>();
            buttons[static_cast<qsizetype>(random(static_cast<std::size_t>(buttons.size())))]->click();
        } else if (auto* dialog = qobject_cast<QDialog*>(modal)) {
            dialog->reject();
        }
    }

    [[nodiscard]] bool isEmptyWindow() const { return m_window->tabCount() == 1 && m_window->currentTab() == nullptr; }
    [[nodiscard]] ModelTab* readyTab() const {
        ModelTab* tab = m_window->currentModelTab();
        return tab != nullptr && tab->isReady() && tab->document() != nullptr ? tab : nullptr;
    }
    void trigger(const char* action) {
        QAction* found = m_window->namedAction(action);
        if (found->isEnabled()) {
            found->trigger();
        }
    }

    // ---- actions ----

    void open() { m_window->openPlaces({oneOf(m_models)}); }
    void compare() { openComparison(random(3)); }
    void showPage() {
        WindowTab* tab = m_window->currentTab();
        if (tab != nullptr && !tab->pages().empty()) {
            tab->showPage(static_cast<int>(random(tab->pages().size())));
        }
    }
    void pressKeys() {
        constexpr std::array kKeys{Qt::Key_Down, Qt::Key_Up,    Qt::Key_PageDown, Qt::Key_Home, Qt::Key_End,
                                   Qt::Key_Tab,  Qt::Key_Right, Qt::Key_Left,     Qt::Key_Space};
        for (int i = 0; i < 12; ++i) {
            QWidget* focus = QApplication::focusWidget();
            QTest::keyClick(focus != nullptr ? focus : m_window, oneOf(kKeys));
        }
    }
    void filter() {
        trigger("find");
        if (QWidget* focus = QApplication::focusWidget()) {
            QTest::keyClicks(focus, random(2) == 0 ? QStringLiteral("attn") : QStringLiteral("no such text"));
            QTest::keyClick(focus, Qt::Key_Escape);
        }
    }
    void goTo() {
        trigger("goTo");
        if (QWidget* focus = QApplication::focusWidget()) {
            QTest::keyClicks(focus, random(2) == 0 ? QStringLiteral("ffn_down 3") : QStringLiteral("context"));
            QTest::keyClick(focus, random(2) == 0 ? Qt::Key_Return : Qt::Key_Escape);
        }
    }
    void edit() {
        if (ModelTab* tab = readyTab()) {
            const std::string name = "Edited " + std::to_string(random(1000));
            (void)tab->document()->apply({SetKey{.key = "general.name", .value = OwnedValue::string(name)}}, {"edit"});
        }
    }
    void editLong() {
        if (ModelTab* tab = readyTab()) {
            const std::string text(random(1 << 18), 'x'); // more than the room after the header: the tail is moved
            (void)tab->document()->apply({SetKey{.key = "general.description", .value = OwnedValue::string(text)}},
                                         {"edit"});
        }
    }
    void undo() { trigger("undo"); }
    void redo() { trigger("redo"); }
    void revert() { trigger("revertAll"); }
    void save() { trigger("save"); }
    void reload() { trigger("reload"); }
    void closeTab() { trigger("closeTab"); }
    void reopen() { trigger("reopen"); }
    void changeTab() { trigger("nextTab"); }
    void changeTheme() { Theme::instance().setChoice(random(2) == 0 ? Theme::Choice::Dark : Theme::Choice::Light); }
    void changeSize() { m_window->resize(640 + static_cast<int>(random(1200)), 480 + static_cast<int>(random(700))); }
    void copy() { trigger(random(2) == 0 ? "copyText" : "copyMarkdown"); }
    void run() {
        ModelTab* tab = readyTab();
        if (tab == nullptr) {
            return;
        }
        const auto& pages = tab->pages();
        const auto found =
            std::ranges::find_if(pages, [](Page* page) { return qobject_cast<RunPage*>(page) != nullptr; });
        if (found == pages.end()) {
            return;
        }
        const QPointer<RunPage> chat = qobject_cast<RunPage*>(*found);
        tab->showPage(static_cast<int>(found - pages.begin()));
        settle(); // what was still at work may have read the file again, with new pages
        if (chat == nullptr) {
            return;
        }
        const QPointer<RunEngine> engine = test::part<RunEngine>(*chat);
        if (engine->state() != RunEngine::State::Ready) {
            test::part<SamplerPanel>(*chat)->lengthField()->setValue(16);
            QTest::mouseClick(test::part<LoadPanel>(*chat)->loadButton(), Qt::LeftButton);
            (void)QTest::qWaitFor([&] { return engine == nullptr || engine->state() == RunEngine::State::Ready; });
        }
        auto* composer = chat != nullptr ? chat->findChild<Composer*>() : nullptr;
        if (composer != nullptr && composer->isVisible()) {
            QTest::keyClicks(composer->field(), QStringLiteral("Hello"));
            QTest::keyClick(composer->field(), Qt::Key_Return);
        }
    }

    fs::path m_folder;
    std::mt19937 m_random;
    std::vector<fs::path> m_models;
    std::unique_ptr<WindowManager> m_manager;
    MainWindow* m_window = nullptr;
    QTimer m_answering;
    const std::size_t m_weights = [] {
        std::size_t sum = 0;
        for (const Action& action : kActions) {
            sum += static_cast<std::size_t>(action.weight);
        }
        return sum;
    }();
};

constexpr std::array<Soak::Action, 20> Soak::kActions{{
    {"open", 8, &Soak::open},
    {"compare", 3, &Soak::compare},
    {"show a page", 12, &Soak::showPage},
    {"press keys", 10, &Soak::pressKeys},
    {"filter", 4, &Soak::filter},
    {"go to", 4, &Soak::goTo},
    {"edit a name", 6, &Soak::edit},
    {"edit a long text", 2, &Soak::editLong},
    {"undo", 3, &Soak::undo},
    {"redo", 2, &Soak::redo},
    {"revert", 1, &Soak::revert},
    {"save", 5, &Soak::save},
    {"reload", 2, &Soak::reload},
    {"close a tab", 5, &Soak::closeTab},
    {"reopen a tab", 2, &Soak::reopen},
    {"change the tab", 4, &Soak::changeTab},
    {"change the theme", 1, &Soak::changeTheme},
    {"change the size", 2, &Soak::changeSize},
    {"copy", 3, &Soak::copy},
    {"run", 4, &Soak::run},
}};

std::atomic<bool> s_isInterrupted = false;

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fputs("soak MINUTES [SEED]\n", stderr);
        return 2;
    }
    const double minutes = std::atof(argv[1]);
    const unsigned seed = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
    QTemporaryDir everything;
    const fs::path root = everything.path().toStdString();
    for (const char* name :
         {"HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"}) {
        const fs::path folder = root / name;
        fs::create_directories(folder);
        fs::permissions(folder, fs::perms::owner_all); // as Qt wants its run-time folder
        qputenv(name, QByteArray::fromStdString(folder.string()));
    }
    fs::create_directories(root / "models");
    qputenv("FONTCONFIG_FILE", GUFO_SOURCE_DIR "/tests/soak/fonts.conf");
    // Qt writes this file when a file dialog is used for the first time.
    std::ofstream(root / "XDG_CONFIG_HOME" / "QtProject.conf");
    qInstallMessageHandler(keepMessage);
    QApplication application(argc, argv);
    UiTestSettings settings; // below TMPDIR, and so counted
    prepareSettings();
    Theme::instance().apply();

    QElapsedTimer clock;
    clock.start();
    std::signal(SIGINT, [](int) { s_isInterrupted = true; });
    std::vector<test::Holdings> rounds;
    rounds.reserve(1 << 16); // more than a day's, because what they take must not grow beside what is measured
    {
        Soak soak(root / "models", seed);
        soak.useEverything();
        std::printf("everything was used once after %lld s\n", clock.restart() / 1000);
        while (!s_isInterrupted && static_cast<double>(clock.elapsed()) < minutes * 60'000) {
            soak.round();
            rounds.push_back(test::holdingsOf(root));
            std::printf("round %zu, %lld s: %s\n", rounds.size(), clock.elapsed() / 1000,
                        qPrintable(rounds.back().text()));
            std::fflush(stdout);
        }
    }
    const QStringList found = test::leftovers(rounds, kWarmUpRounds);
    for (const QString& each : found) {
        std::printf("left over: %s\n", qPrintable(each));
    }
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        if (!found.isEmpty() && entry.is_regular_file()) {
            std::printf("is there at the end: %s\n", entry.path().lexically_relative(root).c_str());
        }
    }
    std::printf("seed %u, %zu rounds of %d actions, %lld messages of Qt, %s\n", seed, rounds.size(), kActionsPerRound,
                static_cast<long long>(s_messages.size()),
                found.isEmpty() ? "nothing left over" : "something was left over");
    return found.isEmpty() && s_messages.isEmpty() ? 0 : 1;
}
