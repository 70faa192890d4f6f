// The document of a tab, for its pages: says what was edited, and runs on the UI thread.
//
//     connect(document, &ModelDocument::edited, this, &MyPage::follow);
//     document->apply({SetKey{"general.name", OwnedValue::string(text)}}, tr("Set general.name"));
#pragma once

#include "document/document.h"

#include <QObject>
#include <QString>

namespace gufo::ui {

class ModelDocument : public QObject {
    Q_OBJECT

public:
    explicit ModelDocument(std::shared_ptr<const Model> base, QObject* parent = nullptr);

    [[nodiscard]] const Document& document() const { return m_document; }
    [[nodiscard]] const std::shared_ptr<const Model>& current() const { return m_document.current(); }
    // False while the model is being saved, and for models that cannot be saved (not GGUF, a shard is missing).
    [[nodiscard]] bool isEditable() const { return m_whyNot.isEmpty(); }
    [[nodiscard]] QString whyNotEditable() const { return m_whyNot; } // a sentence

    // One step, see Document::apply. False: refused, and refused() said why.
    bool apply(std::vector<Change> changes, const QString& label, const QString& mergeKey = {});
    void undo();
    void redo();
    void revert(const Difference& difference);
    void revertAll();

    // What the file holds now, after a save; the steps stay, to be undone.
    void rebase(std::shared_ptr<const Model> base);
    // What another program has written; the changes are put on top, as one step. What no longer can be is left out, and
    // refused() says so.
    void rebaseWithChanges(std::shared_ptr<const Model> base);
    // As one step, or where that cannot be, those that can by themselves. Whether any was made.
    bool applyWhatCanBe(const std::vector<Change>& changes, const QString& label);
    // Says rebased() though nothing has changed: whoever was kept from reading tensor data begins again.
    void refresh();
    void setWhyNotEditable(const QString& reason);

signals:
    // current() is another snapshot. Item models swap it in and keep selection, scroll position and filter.
    void edited(const gufo::TouchedParts& touched);
    void modifiedChanged(bool modified);
    void editableChanged();
    void refused(const gufo::Error& error);                   // the window shows it
    void remarked(const std::vector<gufo::Finding>& remarks); // the window shows them, in passing
    void rebased();                                           // after a save or reload; edited() follows

private:
    template<typename Step>
    void follow(Step step);

    Document m_document;
    QString m_whyNot;
    bool m_modified = false;
};

} // namespace gufo::ui
