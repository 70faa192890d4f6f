// A page of metadata that is edited as by a user.
#pragma once

#include "model/value_text.h"
#include "support/edited_page.h"
#include "ui/models/key_transfer.h"
#include "ui/pages/metadata/import_dialog.h"
#include "ui/pages/metadata/key_dialog.h"
#include "ui/pages/metadata/metadata_files.h"
#include "ui/pages/metadata/metadata_page.h"
#include "ui/pages/metadata/token_picker.h"
#include "ui/theme/theme.h"
#include "ui/widgets/value_delegate.h"

namespace gufo::test {

using namespace gufo::ui;

inline GgufBuilder metadataSample() {
    GgufBuilder file;
    test::addSmallLlama(file);
    test::addSmallVocabulary(file);
    file.key("tokenizer.ggml.add_bos_token", true);
    file.key("tokenizer.chat_template", "{% for m in messages %}\n{{ m }}\n{% endfor %}");
    return file;
}

// The page in an active window, once it has listed the keys.
struct ShownMetadata : test::EditedPage<MetadataPage> {
    explicit ShownMetadata(const GgufBuilder& file)
        : EditedPage(file)
        , tester(page.keys(), QAbstractItemModelTester::FailureReportingMode::QtTest) {
        QSignalSpy listed(&page, &MetadataPage::listed);
        ready = page.keys()->keyCount() != 0 || listed.wait();
        page.activateWindow();
        ready = ready && QTest::qWaitForWindowActive(&page);
        ready = ready && QTest::qWaitFor([this] {
                    page.edits()->update();
                    return true;
                });
        Job::waitForAll();
        QCoreApplication::processEvents();
    }
    QModelIndex cell(std::string_view key, int column = MetadataModel::Value) {
        const auto kv = now().indexOf(key);
        return kv ? page.keys()->showEntry(*kv).siblingAtColumn(column) : QModelIndex();
    }
    void choose(std::string_view key) { page.view()->setCurrentIndex(cell(key, 0)); }
    QString text(std::string_view key) { return cell(key).data().toString(); }
    // Presses F2 and replaces the text.
    ValueEditor* startEditing(std::string_view key) {
        choose(key);
        page.view()->setFocus();
        QTest::keyClick(page.view(), Qt::Key_F2);
        return test::openEditor<ValueEditor>(page.view());
    }
    bool type(std::string_view key, const QString& text) {
        ValueEditor* editor = startEditing(key);
        if (editor == nullptr) {
            return false;
        }
        editor->selectAll();
        if (text.isEmpty()) {
            QTest::keyClick(editor->field(), Qt::Key_Delete);
        }
        test::typeText(editor->field(), text);
        QTest::keyClick(editor->field(), Qt::Key_Return);
        return true;
    }
    // Waits until the tree matches the document.
    bool settled() {
        return QTest::qWaitFor([this] { return page.keys()->model() == document.current().get(); });
    }

    QAbstractItemModelTester tester;
    bool ready = false;
};

inline OwnedValue valueOf(ValueType type, const std::string& text) { return OwnedValue(*parseValue(type, text)); }

} // namespace gufo::test
