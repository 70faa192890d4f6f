// Base of the tests that edit and save in a real window.
#pragma once

#include "document/open_model.h"
#include "support/window_fixture.h"
#include "ui/saving/tab_editing.h"

#include <QFileDialog>
#include <QTest>

using namespace gufo;
using namespace gufo::ui;

inline std::string nameIn(const fs::path& path) {
    const auto model = openModel(path);
    return model ? std::string((*model)->metadata.string("general.name").value_or("?")) : "unreadable";
}

inline bool setName(ModelTab* tab, const std::string& name) {
    return tab->document()->apply({SetKey{"general.name", OwnedValue::string(name)}},
                                  QStringLiteral("Set general.name"));
}

template<typename T>
T* shown(QWidget* in) {
    for (T* one : in->findChildren<T*>()) {
        if (one->isVisible()) {
            return one;
        }
    }
    return nullptr;
}

class SavingWindowTest : public QObject {
protected:
    // Call before and after each test.
    void prepare() {
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        m_f = std::make_unique<WindowFixture>();
    }
    void finish() { m_f.reset(); }

    MainWindow* window() const { return m_f->window; }
    ModelTab* open(const char* name) { return m_f->open(writeFile(m_f->root / name, tinyModel())); }
    static bool waitSaved(const ModelTab* tab) {
        return QTest::qWaitFor([tab] { return !tab->isSaving() && !tab->isModified(); });
    }
    bool answerSaveAs(const fs::path& path) const {
        if (!QTest::qWaitFor([this] { return shown<QFileDialog>(window()) != nullptr; })) {
            return false;
        }
        auto* dialog = shown<QFileDialog>(window());
        dialog->setOption(QFileDialog::DontConfirmOverwrite); // Qt's own question would block
        dialog->selectFile(QString::fromStdString(path.native()));
        static_cast<QDialog*>(dialog)->accept();
        return true;
    }

    std::unique_ptr<WindowFixture> m_f;
};
