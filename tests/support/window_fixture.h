// Common set-up for tests of the window: separate settings, a temporary folder, one window.
#pragma once

#include "gguf_builder.h"
#include "ui/jobs/job.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/tabs/model_tab.h"
#include "ui/mainwindow/window_manager.h"
#include "ui/shell/settings.h"
#include "ui_test_settings.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

namespace fs = std::filesystem;

inline std::vector<std::byte> tinyModel(std::uint32_t blocks = 2) {
    gufo::test::GgufBuilder file;
    file.key("general.architecture", "llama");
    file.key("general.name", "Tiny");
    file.key("llama.block_count", blocks);
    file.key("tokenizer.ggml.tokens", std::vector<std::string>{"<unk>", "<s>", "hello"});
    file.tensor("token_embd.weight", 0, {32, 3});
    file.tensor("blk.0.attn_q.weight", 0, {32, 32});
    return file.build();
}

inline fs::path writeFile(const fs::path& path, std::span<const std::byte> bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path;
}

inline fs::path writeFile(const fs::path& path, std::string_view text) {
    return writeFile(path, std::as_bytes(std::span(text)));
}

class WindowFixture {
public:
    WindowFixture() {
        gufo::ui::prepareSettings();
        gufo::ui::Theme::instance().apply();
        root = m_dir.path().toStdString();
        window = newWindow();
    }
    ~WindowFixture() {
        manager.reset();
        gufo::ui::Job::waitForAll();
        fs::remove_all(root); // QTemporaryDir cannot remove names that are not UTF-8
    }

    // Simulates a restart of the program.
    gufo::ui::MainWindow* newWindow() {
        manager.reset();
        manager = std::make_unique<gufo::ui::WindowManager>(gufo::ui::WindowManager::SessionKeeping::On);
        gufo::ui::MainWindow* made = manager->newWindow();
        made->resize(1440, 900);
        return QTest::qWaitForWindowExposed(made) ? made : nullptr;
    }

    // Waits until the tab has its pages or an error. It must be the current tab.
    static bool waitOpened(const gufo::ui::ModelTab* tab) {
        return QTest::qWaitFor([tab] { return tab->isReady() || tab->hasFailed(); });
    }
    gufo::ui::ModelTab* open(const gufo::hub::ModelPlace& place) const {
        window->openPlaces({place});
        gufo::ui::ModelTab* tab = window->currentModelTab();
        return tab != nullptr && waitOpened(tab) ? tab : nullptr;
    }

private:
    UiTestSettings m_settings;
    QTemporaryDir m_dir;

public:
    fs::path root;
    std::unique_ptr<gufo::ui::WindowManager> manager;
    gufo::ui::MainWindow* window = nullptr;
};
