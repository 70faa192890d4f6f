// Something that the user has typed but that is not part of the model yet: an open editor of a cell, or a text that is
// committed when typing pauses. It is a child of the widget that it is typed into.
//
// Every command that reads, replaces or closes the model calls commitInput() first, so that nothing typed is lost. What
// cannot be committed keeps the focus: it brings clicks elsewhere in its window back to itself and says why.
#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

namespace gufo::ui {

class PendingInput : public QObject {
    Q_OBJECT

public:
    explicit PendingInput(QWidget* owner);

    // Whether what was typed differs from the model.
    [[nodiscard]] virtual bool isPending() const = 0;
    // Why it cannot be committed, a sentence; empty if it can.
    [[nodiscard]] virtual QString problem() const = 0;
    // Makes it a change of the model. Returns false if that is impossible; then nothing has changed.
    virtual bool commit() = 0;
    // Discards what was typed.
    virtual void discard() = 0;

    [[nodiscard]] bool isStuck() const { return isPending() && !problem().isEmpty(); }
    // Gives the focus back to what cannot be committed, and says why; only if it is shown.
    void bringBack();
    [[nodiscard]] bool isShown() const { return owner()->isVisible(); }

protected:
    // To be called whenever what was typed changes.
    void contentChanged();
    [[nodiscard]] virtual QWidget* field() const = 0; // the widget that takes the keys
    virtual void showProblem() = 0;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] QWidget* owner() const { return static_cast<QWidget*>(parent()); }

    bool m_guards = false;          // clicks elsewhere are brought back
    bool m_swallowsRelease = false; // of the click that was brought back
};

// Commits everything that is pending in a widget and its children. Returns false if something cannot be committed; it
// then has the focus and says why.
[[nodiscard]] bool commitInput(const QWidget& within);

// Discards what cannot be committed, and commits the rest.
void commitOrDiscardInput(const QWidget& within);

// Whether anything is pending.
[[nodiscard]] bool hasPendingInput(const QWidget& within);
// The input that cannot be committed; null if there is none.
[[nodiscard]] PendingInput* stuckInput(const QWidget& within);

} // namespace gufo::ui
