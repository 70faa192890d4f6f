// The document of a tab, for its pages: signals what was edited. UI thread only.
//
//    connect(document, &ModelDocument::edited, this, &MyPage::follow);
//    document->apply({SetKey{"general.name", OwnedValue::string(text)}}, tr("Set general.name"));
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
    // Whether the model can be changed in this way now: its container supports it, and the document is not blocked.
    [[nodiscard]] bool can(Capability capability) const;
    [[nodiscard]] QString whyNot(Capability capability) const; // a sentence; empty if it can
    // The document is blocked while the model is being saved, or if a shard is missing; the text is a sentence that
    // says so.
    [[nodiscard]] bool isBlocked() const { return !m_blockedBy.isEmpty(); }
    [[nodiscard]] QString blockedBy() const { return m_blockedBy; }

    // Applies the changes as one step, see Document::apply. Returns false if they were refused; refused() gave the
    // reason.
    bool apply(std::vector<Change> changes, const QString& label, const QString& mergeKey = {});
    void undo();
    void redo();
    void revert(const Difference& difference);
    void revertAll();

    // Sets what the file contains after a save. The undo steps are kept.
    void rebase(std::shared_ptr<const Model> base);
    // Sets what another program has written, and reapplies the changes as one step. Changes that are no longer possible
    // are left out and reported by refused().
    void rebaseWithChanges(std::shared_ptr<const Model> base);
    // Applies the changes as one step, or if that is impossible, those that are possible individually. Returns whether
    // any was applied.
    bool applyWhatCanBe(const std::vector<Change>& changes, const QString& label);
    // Emits rebased() although nothing has changed, so that readers of tensor data that were stopped start again.
    void refresh();
    void setBlocked(const QString& reason); // an empty text removes the block

signals:
    // current() has been replaced by another snapshot. Item models swap it in, and keep the selection, scroll position
    // and filter.
    void edited(const gufo::TouchedParts& touched);
    void modifiedChanged(bool modified);
    void editableChanged();
    void refused(const gufo::Error& error);                   // shown by the window
    void remarked(const std::vector<gufo::Finding>& remarks); // shown by the window for a short time
    void rebased();                                           // after a save or reload; edited() follows

private:
    template<typename Step>
    void follow(Step step);

    Document m_document;
    QString m_blockedBy;
    bool m_modified = false;
};

} // namespace gufo::ui
