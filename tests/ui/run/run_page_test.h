// Base of tests that use the Run page on a tiny model by keys and mouse, while the engine runs on its own thread.
#pragma once

#include "inference/prefixes/prefix_store.h"
#include "support/page_parts.h"
#include "support/run_models.h"
#include "support/ui_test_settings.h"
#include "ui/pages/run/run_page.h"
#include "ui/saving/draft_keeper.h"
#include "ui/theme/theme.h"

#include <QSignalSpy>
#include <QTest>

using namespace gufo;
using namespace gufo::ui;
using gufo::test::part;
using gufo::test::shownText;

class RunPageTest : public QObject {
protected:
    // Call before and after each test.
    void prepare() {
        m_settings.clear();
        m_engines = inference::engines();
        Theme::instance().apply();
        std::filesystem::remove_all(draftFolder().parent_path());
    }
    void finish() {
        m_page.reset();
        m_document.reset();
        Job::waitForAll();
        inference::PrefixStore::shared()->clear(); // every test evaluates its prompts
    }

    // Shows a page with a model of `shape`, and loads it unless `loads` is false.
    RunPage& open(const test::RunnableShape& shape = {}, bool loads = true) {
        return openModel(test::tinyRunnable(shape), loads);
    }
    RunPage& openModel(std::shared_ptr<const Model> model, bool loads = true) {
        m_model = std::move(model);
        m_document = std::make_unique<ModelDocument>(m_model);
        m_page = std::make_unique<RunPage>(nullptr, m_engines);
        part<ChatSession>(*m_page)->seedRandom(1); // answers are the same in every run of a test
        m_page->setDocument(m_document.get());
        m_page->setModel(m_document->current());
        m_page->resize(1250, 780);
        m_page->show();
        if (!QTest::qWaitForWindowExposed(m_page.get())) {
            qWarning("the page is not shown");
        }
        QSignalSpy estimated(part<LoadPanel>(*m_page), &LoadPanel::estimated);
        m_page->activate();
        if (estimated.isEmpty()) { // immediately if the engine gives no forecast
            (void)estimated.wait();
        }
        if (loads) {
            part<SamplerPanel>(*m_page)->lengthField()->setValue(24);
            QTest::mouseClick(part<LoadPanel>(*m_page)->loadButton(), Qt::LeftButton);
            (void)QTest::qWaitFor([this] { return part<RunEngine>(*m_page)->state() == RunEngine::State::Ready; });
        }
        return *m_page;
    }
    // Sends a message, or writes the text at the end of a completion and continues it.
    void say(const QString& text) {
        if (AnswerView* written = part<Transcript>(*m_page)->text()) {
            written->moveCursor(QTextCursor::End);
            QTest::keyClicks(written, text);
            QTest::keyClick(written, Qt::Key_Return, Qt::ControlModifier);
            return;
        }
        QTest::keyClicks(part<Composer>(*m_page)->field(), text);
        QTest::keyClick(part<Composer>(*m_page)->field(), Qt::Key_Return);
    }
    void neverEnd() { // answers end only at the limit, whatever the random weights generate
        inference::SamplerSettings settings = part<SamplerPanel>(*m_page)->sampler();
        settings.ignoreEnd = true;
        part<SamplerPanel>(*m_page)->setSampler(settings);
    }
    [[nodiscard]] bool waitIdle() {
        return QTest::qWaitFor([this] { return !part<ChatSession>(*m_page)->isBusy(); }, 60'000);
    }
    [[nodiscard]] const Turn& turn(std::size_t index) {
        return part<ChatSession>(*m_page)->tree().turn(part<ChatSession>(*m_page)->tree().path()[index]);
    }
    [[nodiscard]] std::size_t turns() { return part<ChatSession>(*m_page)->tree().path().size(); }
    [[nodiscard]] TurnView* view(std::size_t index) { return part<Transcript>(*m_page)->views()[index]; }

    UiTestSettings m_settings;
    std::span<const inference::Engine> m_engines = inference::engines(); // for the pages created by open()
    std::shared_ptr<const Model> m_model;
    std::unique_ptr<ModelDocument> m_document;
    std::unique_ptr<RunPage> m_page;
};
