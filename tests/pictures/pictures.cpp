// Takes the pictures of the guide, as ./dev screenshots does: opens the sample model and its quantisations in a real
// window, shows what a chapter is about, and writes the window as PNG.
//
//     pictures FOLDER light|dark [LANGUAGE]
//
// A picture is a row of kPictures; the chapters name it as ![What it shows](NAME). Pictures of one language and theme
// are the same in every run on one machine, so that only those change in the repository whose pages have changed.
#include "support/idle.h"
#include "support/page_parts.h"
#include "support/ui_test_settings.h"
#include "test_paths.h"
#include "ui/compare/compare_tab.h"
#include "ui/jobs/job.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/tabs/model_tab.h"
#include "ui/mainwindow/window_manager.h"
#include "ui/messages/catalogue.h"
#include "ui/pages/run/run_page.h"
#include "ui/shell/page_host.h"
#include "ui/shell/settings.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPixmap>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <cstdio>
#include <filesystem>

using namespace gufo;
using namespace gufo::ui;

namespace {

namespace fs = std::filesystem;

class Stage {
public:
    explicit Stage(const fs::path& folder)
        : m_folder(folder) {
        for (const char* type : {"F16", "Q8_0", "Q4_K"}) {
            const std::string name = std::string("gufo-sample-1.4M-chat-v1.0-") + type + ".gguf";
            fs::copy_file(fs::path(GUFO_SAMPLE_DIR) / name, folder / name);
        }
        m_window = m_manager.newWindow();
        m_window->resize(1000, 660);
        (void)QTest::qWaitForWindowExposed(m_window);
    }

    // The window as it is once nothing is left to do.
    [[nodiscard]] QImage take() const {
        if (QWidget* focus = QApplication::focusWidget()) {
            focus->clearFocus(); // no cursor blinks in the picture
        }
        (void)test::waitUntilIdle();
        return m_window->grab().toImage();
    }

    // ---- what pictures show ----

    void overview() { show("overview"); }
    void metadata() {
        show("metadata");
        (void)model()->document()->apply(
            {SetKey{.key = "general.description", .value = OwnedValue::string("A tiny model that comes with Gufo.")}},
            QStringLiteral("edit"));
        (void)model()->goTo({.kind = Place::Kind::Key, .name = "general.description"});
    }
    void tensors() {
        show("tensors");
        (void)model()->goTo({.kind = Place::Kind::Tensor, .name = "blk.0.ffn_down.weight"});
    }
    void diagram() { show("diagram"); }
    void bytes() { show("bytes"); }
    void tokenizer() { show("tokenizer"); }
    void chatTemplate() { show("template"); }
    void run() {
        show("run");
        auto* page = qobject_cast<RunPage*>(model()->currentPage());
        test::part<ChatSession>(*page)->seedRandom(4);
        (void)test::waitUntilIdle(); // the memory is estimated first
        QTest::mouseClick(test::part<LoadPanel>(*page)->loadButton(), Qt::LeftButton);
        (void)QTest::qWaitFor([&] { return test::part<RunEngine>(*page)->state() == RunEngine::State::Ready; });
        QTest::keyClicks(test::part<Composer>(*page)->field(), QStringLiteral("Tell me about owls."));
        QTest::keyClick(test::part<Composer>(*page)->field(), Qt::Key_Return);
        (void)QTest::qWaitFor([&] { return !test::part<ChatSession>(*page)->isBusy(); }, 60'000);
    }
    void map() { compare("map"); }
    void tradeOff() { compare("tradeoff"); }

private:
    [[nodiscard]] fs::path file(const char* type) const {
        return m_folder / (std::string("gufo-sample-1.4M-chat-v1.0-") + type + ".gguf");
    }
    [[nodiscard]] ModelTab* model() const { return m_window->currentModelTab(); }

    void show(const char* page) {
        m_window->openPlaces({file("Q4_K")});
        (void)QTest::qWaitFor([this] { return model()->isReady(); }, 60'000);
        showPage(model(), page);
    }
    void compare(const char* page) {
        m_manager.compareFiles({file("F16"), file("Q8_0"), file("Q4_K")});
        CompareTab* tab = m_window->currentCompareTab();
        (void)QTest::qWaitFor([tab] { return tab->isReady() && tab->comparison().result(); }, 60'000);
        showPage(tab, page);
    }
    static void showPage(WindowTab* tab, const char* id) {
        for (int i = 0; i < static_cast<int>(tab->pages().size()); ++i) {
            tab->showPage(i);
            if (tab->currentPageId() == QLatin1String(id)) {
                return;
            }
        }
        qFatal("there is no page \"%s\"", id);
    }

    fs::path m_folder;
    WindowManager m_manager{WindowManager::SessionKeeping::Off};
    MainWindow* m_window = nullptr;
};

struct Picture {
    const char* name;
    void (Stage::*show)();
};
constexpr auto kPictures = std::to_array<Picture>({
    {"overview", &Stage::overview},
    {"metadata", &Stage::metadata},
    {"tensors", &Stage::tensors},
    {"diagram", &Stage::diagram},
    {"bytes", &Stage::bytes},
    {"tokenizer", &Stage::tokenizer},
    {"template", &Stage::chatTemplate},
    {"run", &Stage::run},
    {"map", &Stage::map},
    {"trade-off", &Stage::tradeOff},
});

} // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fputs("pictures FOLDER light|dark [LANGUAGE]\n", stderr);
        return 2;
    }
    const QTemporaryDir everything;
    for (const char* name : {"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"}) {
        qputenv(name, everything.filePath(QLatin1String(name)).toLocal8Bit());
        QDir().mkpath(everything.filePath(QLatin1String(name)));
    }
    QApplication application(argc, argv);
    const QString folder = QString::fromLocal8Bit(argv[1]);
    const bool dark = qstrcmp(argv[2], "dark") == 0;
    setLanguage(QString::fromLocal8Bit(argc > 3 ? argv[3] : "en"));
    QDir().mkpath(folder);
    for (const Picture& picture : kPictures) {
        const UiTestSettings settings; // each picture begins with the settings of a first start
        prepareSettings();
        Theme::instance().setChoice(dark ? Theme::Choice::Dark : Theme::Choice::Light);
        Theme::instance().apply();
        // Pictures show the path, in which the home folder is "~".
        const QString models = everything.filePath(QStringLiteral("HOME/models"));
        QDir(models).removeRecursively();
        QDir().mkpath(models);
        QImage image;
        {
            Stage stage(models.toStdString());
            (stage.*picture.show)();
            image = stage.take();
        }
        Job::waitForAll();
        const QString path = folder + QLatin1Char('/') + QLatin1String(picture.name) + QStringLiteral(".png");
        if (!image.convertToFormat(QImage::Format_RGB888).save(path, "PNG", 0)) {
            std::fprintf(stderr, "pictures: %s cannot be written\n", qPrintable(path));
            return 1;
        }
        std::printf("%s\n", qPrintable(path));
    }
    return 0;
}
