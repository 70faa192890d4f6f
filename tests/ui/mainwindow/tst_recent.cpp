// Tests what the window remembers and says about files and steps: recent files, drafts, undo on another page.
#include "document/document.h"
#include "document/draft.h"
#include "support/idle.h"
#include "support/test_unit.h"
#include "support/window_fixture.h"
#include "test_paths.h"
#include "ui/compare/compare_tab.h"
#include "ui/mainwindow/start/recent_table.h"
#include "ui/saving/draft_keeper.h"
#include "ui/shell/notice_bar.h"
#include "ui/widgets/elided_label.h"

#include <QAbstractItemModelTester>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>

using namespace gufo;
using namespace gufo::ui;

class TestRecent : public QObject {
    Q_OBJECT

private slots:
    void init() { m_f = std::make_unique<WindowFixture>(); }
    void cleanup() { m_f.reset(); }
    void comparedFilesAreRecent();
    void unsavedChangesAreMarked();
    void undoSaysWhat();
    void noticesDoNotMoveRows();
    void brokenTemplatesAreSavedKnowingly();

private:
    std::unique_ptr<WindowFixture> m_f;
};

void TestRecent::comparedFilesAreRecent() {
    const fs::path first = writeFile(m_f->root / "first.gguf", tinyModel());
    const fs::path second = writeFile(m_f->root / "second.gguf", tinyModel(3));
    m_f->manager->compareFiles({first, second});
    CompareTab* tab = m_f->window->currentCompareTab();
    QTRY_VERIFY(tab->comparison().result() != nullptr);
    const auto& files = m_f->manager->recent()->files();
    QTRY_COMPARE(files.size(), std::size_t{2});
    QCOMPARE(files[0].place, first);
    QCOMPARE(files[1].place, second);
    QVERIFY(files[0].bytes > 0);
}

void TestRecent::unsavedChangesAreMarked() {
    const fs::path kept = writeFile(m_f->root / "kept.gguf", tinyModel());
    const fs::path changed = writeFile(m_f->root / "changed.gguf", tinyModel());
    for (const fs::path& path : {kept, changed}) {
        QVERIFY(m_f->open(path) != nullptr);
    }
    RecentModel model(m_f->manager->recent());
    QAbstractItemModelTester tester(&model);
    QSignalSpy checked(&model, &RecentModel::checked);
    const auto marked = [&](const fs::path& path) {
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.placeAt(row) == path) {
                return model.index(row, RecentModel::FileColumn).data(RecentModel::DraftRole).toBool();
            }
        }
        return false;
    };
    model.checkFiles();
    QVERIFY(checked.wait());
    QVERIFY(!marked(kept) && !marked(changed));
    ModelTab* tab = m_f->window->currentModelTab();
    QVERIFY(tab->document()->apply({SetKey{.key = "general.name", .value = OwnedValue::string("Other")}}, {}));
    QTRY_VERIFY_WITH_TIMEOUT(Draft::existsFor(draftFolder(), changed), 10'000);
    model.checkFiles();
    QVERIFY(checked.wait());
    QVERIFY(!marked(kept) && marked(changed));
    const QModelIndex file = model.index(model.placeAt(0) == changed ? 0 : 1, RecentModel::FileColumn);
    QVERIFY(file.data(Qt::ToolTipRole).toString().contains(QStringLiteral("not saved")));
    QMenu* menu = nullptr;
    for (QMenu* candidate : m_f->window->findChildren<QMenu*>()) {
        menu = candidate->title().remove(u'&') == QStringLiteral("Open Recent") ? candidate : menu;
    }
    QVERIFY(menu != nullptr);
    emit menu->aboutToShow();
    const auto textOf = [&](const char* name) {
        for (const QAction* action : menu->actions()) {
            if (action->text().contains(QLatin1String(name))) {
                return action->text();
            }
        }
        return QString();
    };
    QTRY_VERIFY(textOf("changed.gguf").contains(QStringLiteral("unsaved changes")));
    QVERIFY(textOf("kept.gguf").endsWith(QStringLiteral("kept.gguf")));
    tab->document()->revertAll();
    QTRY_VERIFY_WITH_TIMEOUT(!Draft::existsFor(draftFolder(), changed), 10'000);
    model.checkFiles();
    QVERIFY(checked.wait());
    QVERIFY(!marked(changed));
}

void TestRecent::noticesDoNotMoveRows() {
    ModelTab* tab = m_f->open(writeFile(m_f->root / "model.gguf", tinyModel()));
    QVERIFY(tab != nullptr);
    const auto place = [&] { return tab->currentPage()->mapTo(m_f->window, QPoint()); };
    for (int i = 0; i < static_cast<int>(tab->pages().size()); ++i) {
        tab->showPage(i);
        QVERIFY(test::waitUntilIdle());
        const QPoint before = place();
        std::vector<NoticeBar*> shown;
        for (NoticeBar* bar : m_f->window->findChildren<NoticeBar*>()) {
            if (!tab->currentPage()->isAncestorOf(bar)) {
                bar->showNotice(QStringLiteral("A notice"), {{.text = QStringLiteral("Do"), .run = [] {}}});
                shown.push_back(bar);
            }
        }
        QVERIFY(shown.size() >= 3);
        QVERIFY(test::waitUntilIdle());
        QCOMPARE(place(), before);
        for (NoticeBar* bar : shown) {
            bar->hide();
        }
        QVERIFY(test::waitUntilIdle());
        QCOMPARE(place(), before);
    }
}

void TestRecent::undoSaysWhat() {
    ModelTab* tab = m_f->open(writeFile(m_f->root / "model.gguf", tinyModel()));
    QVERIFY(tab != nullptr);
    QVERIFY(tab->document()->apply({SetKey{.key = "general.name", .value = OwnedValue::string("Other")}},
                                   QStringLiteral("Set general.name")));
    tab->showPage(2); // the key is on another page
    m_f->window->namedAction("undo")->trigger();
    auto* status = m_f->window->findChild<ElidedLabel*>("statusText");
    QVERIFY(status->text().contains(QStringLiteral("Set general.name")));
    m_f->window->namedAction("redo")->trigger();
    QVERIFY(status->text().startsWith(QStringLiteral("Redone")));
    tab->discardChanges();
}

void TestRecent::brokenTemplatesAreSavedKnowingly() {
    const fs::path path = writeFile(m_f->root / "model.gguf", tinyModel());
    ModelTab* tab = m_f->open(path);
    QVERIFY(tab != nullptr);
    const auto set = [&](const char* text) {
        return tab->document()->apply({SetKey{.key = "tokenizer.chat_template", .value = OwnedValue::string(text)}},
                                      {});
    };
    const auto box = [&] { return m_f->window->findChild<QMessageBox*>(); };
    QVERIFY(set("{% for m in messages %}{{ m.content }"));
    std::optional<bool> saved;
    tab->save([&](bool done) { saved = done; });
    QTRY_VERIFY(box() != nullptr && box()->isVisible());
    QVERIFY(box()->informativeText().contains(QStringLiteral("tokenizer.chat_template")));
    QVERIFY(tab->document()->document().isModified());
    QTest::mouseClick(box()->button(QMessageBox::Cancel), Qt::LeftButton);
    QTRY_VERIFY(saved.has_value());
    QVERIFY(!*saved);
    QTRY_VERIFY(box() == nullptr);
    // What works is saved without a question.
    saved.reset();
    QVERIFY(set("{% for m in messages %}{{ m.content }}{% endfor %}"));
    tab->save([&](bool done) { saved = done; });
    QTRY_VERIFY_WITH_TIMEOUT(saved.has_value(), 20'000);
    QVERIFY(*saved && box() == nullptr);
    // A person may insist.
    saved.reset();
    QVERIFY(set("{% if %}"));
    tab->save([&](bool done) { saved = done; });
    QTRY_VERIFY(box() != nullptr && box()->isVisible());
    for (QAbstractButton* button : box()->buttons()) {
        if (box()->buttonRole(button) == QMessageBox::AcceptRole) {
            QTest::mouseClick(button, Qt::LeftButton);
        }
    }
    QTRY_VERIFY_WITH_TIMEOUT(saved.has_value(), 20'000);
    QVERIFY(*saved);
}

GUFO_TEST_WIDGETS(TestRecent)
#include "tst_recent.moc"
