// Base of tests that use the Template page by keys and mouse.
#pragma once

#include "support/page_models.h"
#include "support/test_unit.h"
#include "ui/pages/template/template_page.h"
#include "ui/theme/theme.h"

#include <QSignalSpy>
#include <QTest>
#include <QThreadPool>

#include <string>
#include <utility>
#include <vector>

using namespace gufo;
using namespace gufo::ui;
using test::GgufBuilder;

inline constexpr const char* kTemplate =
    "{% for m in messages %}\n<|end|>{{ m.role }}: {{ m.content }}\n{% endfor %}\n";

using Templates = std::vector<std::pair<std::string, std::string>>;

inline std::shared_ptr<const Model> modelWith(const Templates& templates) {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    test::addSmallVocabulary(file);
    for (const auto& [key, source] : templates) {
        file.key(key, source);
    }
    return test::readModel(file);
}

struct ShownPage {
    explicit ShownPage(const Templates& templates = {{"tokenizer.chat_template", kTemplate},
                                                     {"tokenizer.chat_template.rag", "{{ 'rag' }}"}})
        : document(modelWith(templates)) {
        page.resize(1272, 770);
        page.setDocument(&document);
        page.setModel(document.current());
        page.show();
        QSignalSpy spy(&page, &TemplatePage::rendered);
        page.activate();
        ready = page.editor()->text().isEmpty() || spy.wait(20'000);
    }
    // The template in the document.
    [[nodiscard]] QString stored(std::string_view key = "tokenizer.chat_template") const {
        const auto text = document.current()->metadata.string(key);
        return text ? QString::fromUtf8(text->data(), static_cast<qsizetype>(text->size())) : QStringLiteral("(none)");
    }
    // Puts the cursor at a line and column, from 0.
    void place(int line, int column) {
        page.editor()->setFocus();
        page.editor()->setCursorPosition(line, column);
    }
    [[nodiscard]] QLabel* label(const char* name) const { return page.findChild<QLabel*>(QLatin1String(name)); }
    ModelDocument document;
    TemplatePage page;
    bool ready = false;
};

class TemplatePageTest : public QObject {
protected:
    void prepareUnit() {
        Theme::instance().apply();
        QVERIFY2(!text::TemplateRenderer::helperProgram().isEmpty(), "gufo-render-helper is not built");
    }
    void finishTest() {
        Job::waitForAll();
        QThreadPool::globalInstance()->waitForDone(); // which ends the helpers of the pages
    }
};
