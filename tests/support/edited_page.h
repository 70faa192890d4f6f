// A page over a document, as a tab sets it up.
#pragma once

#include "page_models.h"
#include "ui/document/model_document.h"
#include "ui/jobs/job.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QApplication>
#include <QDialog>
#include <QKeyEvent>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

namespace gufo::test {

template<typename PageType>
struct EditedPage {
    explicit EditedPage(const GgufBuilder& file, QSize size = {1272, 770})
        : EditedPage(readModel(file), size) {}
    explicit EditedPage(const std::shared_ptr<const Model>& model, QSize size = {1272, 770})
        : document(model) {
        QObject::connect(&document, &ui::ModelDocument::refused, &page,
                         [this](const Error& error) { refusals << QString::fromLatin1(errorName(error.code).data()); });
        page.resize(size);
        page.setDocument(&document);
        page.setModel(model);
        page.show();
        page.activate();
    }
    [[nodiscard]] const Metadata& now() const { return document.current()->metadata; }

    ui::ModelDocument document; // must outlive the page
    PageType page;
    QStringList refusals;
};

// Answers the next modal dialog.
template<typename Answer>
void answerDialog(Answer answer) {
    auto* timer = new QTimer(qApp);
    timer->setInterval(5);
    QObject::connect(timer, &QTimer::timeout, qApp, [timer, answer] {
        if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) {
            timer->stop();
            timer->deleteLater();
            answer(dialog);
        }
    });
    timer->start();
}

// Replaces the contents of a field by typing. Characters without a key are sent as text.
inline void typeText(QWidget* field, const QString& text) {
    for (const QChar c : text) {
        if (c.unicode() < 0x80) {
            QTest::keyClick(field, c.toLatin1());
        } else {
            QKeyEvent press(QEvent::KeyPress, Qt::Key_unknown, Qt::NoModifier, QString(c));
            QApplication::sendEvent(field, &press);
        }
    }
}

// Returns the open editor of a view.
template<typename Editor>
[[nodiscard]] Editor* openEditor(QAbstractItemView* view) {
    for (Editor* editor : view->viewport()->findChildren<Editor*>()) {
        if (editor->isVisible()) { // closed editors are deleted a little later
            return editor;
        }
    }
    return nullptr;
}

} // namespace gufo::test
