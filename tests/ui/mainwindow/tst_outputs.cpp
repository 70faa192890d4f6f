// Presses the buttons and menus of all pages and dialogs that ask where to write a file, and checks that each of these
// file dialogs asks again before it returns the name of a file that exists. Context menus, and the page of embedding
// models, are not tried.
#include "support/idle.h"
#include "support/page_parts.h"
#include "support/test_unit.h"
#include "support/window_fixture.h"
#include "test_paths.h"
#include "ui/compare/compare_tab.h"
#include "ui/convert/convert_dialog.h"
#include "ui/pages/run/run_page.h"
#include "ui/quantize/quantize_dialog.h"
#include "ui/saving/review_dialog.h"

#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTimer>
#include <QToolButton>

using namespace gufo;
using namespace gufo::ui;

namespace {

// Answers the dialogs that appear. A dialog that asks where to write gets the name of an existing file, and the
// question that must follow is answered with No.
class Answerer : public QObject {
public:
    explicit Answerer(QString existing)
        : m_existing(std::move(existing)) {
        lookSoon();
    }

    QStringList asked;  // titles of the dialogs that ask before they replace
    QStringList silent; // file dialogs that do not ask

private:
    // Not a timer that repeats, which would be silent while it handles a dialog and its question appears.
    void lookSoon() { QTimer::singleShot(5, this, &Answerer::look); }
    void look() {
        lookSoon();
        QWidget* modal = QApplication::activeModalWidget();
        if (auto* box = qobject_cast<QMessageBox*>(modal)) {
            // A file that is selected in the list has precedence over the name.
            m_question = m_question || box->text().contains(QStringLiteral("already exists"));
            box->done(QMessageBox::No);
        } else if (auto* dialog = qobject_cast<QFileDialog*>(modal)) {
            if (dialog->acceptMode() == QFileDialog::AcceptSave && !m_checking) {
                check(*dialog);
            }
            dialog->reject();
        } else if (auto* other = qobject_cast<QDialog*>(modal)) {
            other->reject();
        }
    }

    void check(QFileDialog& dialog) {
        m_checking = true;
        m_question = false;
        QSignalSpy chosen(&dialog, &QFileDialog::fileSelected);
        dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(m_existing);
        static_cast<QDialog&>(dialog).accept(); // look() answers the question
        const QString returned = chosen.isEmpty() ? QString() : chosen.first().first().toString();
        (m_question && chosen.isEmpty() ? asked : silent) << (dialog.windowTitle() + u' ' + returned).trimmed();
        m_checking = false;
    }

    QString m_existing;
    bool m_checking = false;
    bool m_question = false;
};

void triggerAll(const QMenu& menu) {
    for (QAction* action : menu.actions()) {
        if (action->menu() != nullptr) {
            triggerAll(*action->menu());
        } else if (action->isEnabled() && action->text().endsWith(QStringLiteral("…"))) {
            action->trigger();
            QCoreApplication::processEvents();
        }
    }
}

// Buttons with an ellipsis ask for something; buttons that open a menu do not have one.
void pressAll(const QWidget& widget) {
    for (QAbstractButton* button : widget.findChildren<QAbstractButton*>()) {
        const auto* push = qobject_cast<QPushButton*>(button);
        const auto* tool = qobject_cast<QToolButton*>(button);
        const QMenu* menu = push != nullptr ? push->menu() : tool != nullptr ? tool->menu() : nullptr;
        if (!button->isVisible() || !button->isEnabled()) {
            continue;
        }
        if (menu != nullptr) {
            triggerAll(*menu);
        } else if (button->text().endsWith(QStringLiteral("…")) || button->text() == QStringLiteral("Export")) {
            button->click();
            QCoreApplication::processEvents();
        }
    }
}

} // namespace

class TestOutputs : public QObject {
    Q_OBJECT

private slots:
    void dialogsAskBeforeTheyReplace();
};

void TestOutputs::dialogsAskBeforeTheyReplace() {
    WindowFixture f;
    const auto sample = [](const char* type) {
        return fs::path(GUFO_SAMPLE_DIR) / (std::string("gufo-sample-1.4M-chat-v1.0-") + type + ".gguf");
    };
    const fs::path existing = writeFile(f.root / "precious.txt", "keep");
    Answerer answerer(QString::fromStdString(existing.native()));
    f.window->openPlaces({sample("F16")});
    ModelTab* model = f.window->currentModelTab();
    QTRY_VERIFY_WITH_TIMEOUT(model->isReady(), 30'000);
    QVERIFY(model->document()->apply({SetKey{.key = "general.name", .value = OwnedValue::string("Edited")}}, "edit"));
    const auto idle = [&] { return test::waitUntilIdle([] { return QApplication::activeModalWidget() == nullptr; }); };
    const auto pressPages = [&](const WindowTab& tab, const std::function<void(Page*)>& prepare = {}) {
        for (int i = 0; i < static_cast<int>(tab.pages().size()); ++i) {
            const_cast<WindowTab&>(tab).showPage(i);
            Page* page = tab.pages()[static_cast<std::size_t>(i)];
            if (!idle()) {
                return false;
            }
            if (prepare) {
                prepare(page);
            }
            pressAll(*page);
        }
        return idle();
    };
    const fs::path talk = writeFile(f.root / "talk.json", R"([{"role": "user", "content": "Hello"}])");
    QVERIFY(pressPages(*model, [&](Page* page) {
        if (auto* run = qobject_cast<RunPage*>(page)) {
            QSignalSpy opened(test::part<ConversationShelf>(*run), &ConversationShelf::opened);
            test::part<ConversationFiles>(*run)->importFrom(QString::fromStdString(talk.native()));
            QVERIFY(opened.wait());
        }
    }));
    f.window->namedAction("saveAs")->trigger();
    QVERIFY(idle());
    const auto pressDialog = [&](QDialog& dialog) {
        dialog.show();
        const bool ready = idle();
        pressAll(dialog);
        return ready && idle();
    };
    QVERIFY(pressDialog(*std::make_unique<ReviewDialog>(model->document(), QStringLiteral("Edited"))));
    QVERIFY(pressDialog(*std::make_unique<QuantizeDialog>(model->document()->current(), nullptr)));
    QVERIFY(pressDialog(*std::make_unique<ConvertDialog>(GUFO_TEST_DATA "/convert/llama/source", nullptr)));
    f.manager->compareFiles({sample("F16"), sample("Q8_0")});
    CompareTab* comparison = f.window->currentCompareTab();
    QTRY_VERIFY_WITH_TIMEOUT(comparison->isReady() && comparison->comparison().result(), 30'000);
    QVERIFY(pressPages(*comparison));
    for (const char* action : {"exportHtml", "exportJson", "exportCsv"}) {
        f.window->namedAction(action)->trigger();
        QVERIFY(idle());
    }
    QVERIFY2(answerer.silent.isEmpty(), qPrintable(answerer.silent.join(u'\n')));
    for (const char* title :
         {"Write a report", "Export metadata", "Export values", "Export plot", "Save the template",
          "Export the conversation", "Export", "Save gufo-sample-1.4M-chat-v1.0-F16 as", "Export the changes",
          "Write the quantised model", "Write the converted model", "Export comparison as a report"}) {
        QVERIFY2(answerer.asked.contains(QLatin1String(title)), title);
    }
    QCOMPARE(QFileInfo(QString::fromStdString(existing.native())).size(), 4);
}

GUFO_TEST_WIDGETS(TestOutputs)
#include "tst_outputs.moc"
