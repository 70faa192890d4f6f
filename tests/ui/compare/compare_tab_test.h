// Tests of the comparison tab in a real window, with three models of the same weights.
#pragma once

#include "compared_models.h"
#include "support/test_unit.h"
#include "support/window_fixture.h"
#include "ui/compare/compare_tab.h"

#include <QTest>

namespace gufo::test {

using namespace gufo::ui;

class CompareTabTest : public QObject {
protected:
    void openWindow() {
        m_f = std::make_unique<WindowFixture>();
        qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(m_f->root.native()));
        m_f32 = write("m-F32.gguf", {});
        m_q8 = write("m-Q8_0.gguf", {.type = TensorType::Q8_0});
        m_q4 = write("m-Q4_0.gguf", {.type = TensorType::Q4_0, .chatTemplate = "{{ messages[0].content }}\n"});
    }
    CompareTab* open(const Places& files) const {
        m_f->manager->compareFiles(files);
        CompareTab* tab = m_f->window->currentCompareTab();
        return tab != nullptr && waitDone(tab) ? tab : nullptr;
    }
    static bool waitDone(CompareTab* tab) {
        return QTest::qWaitFor(
            [tab] { return tab->isReady() && tab->comparison().result() && tab->comparison().metadata(); }, 30'000);
    }
    template<typename P>
    static P* page(CompareTab* tab) {
        for (int i = 0; i < static_cast<int>(tab->pages().size()); ++i) {
            if (auto* found = qobject_cast<P*>(tab->pages()[static_cast<std::size_t>(i)])) {
                tab->showPage(i);
                return found;
            }
        }
        return nullptr;
    }
    fs::path write(const char* name, const CompareModel& model) const {
        writeCompareModel(m_f->root / name, model);
        return m_f->root / name;
    }

    std::unique_ptr<WindowFixture> m_f;
    fs::path m_f32, m_q8, m_q4;
};

} // namespace gufo::test
