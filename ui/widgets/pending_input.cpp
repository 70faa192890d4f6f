#include "ui/widgets/pending_input.h"

#include <QApplication>
#include <QEvent>

#include <algorithm>
#include <utility>
#include <vector>

namespace gufo::ui {
namespace {

std::vector<QPointer<PendingInput>> pendingInputs(const QWidget& within) {
    std::vector<QPointer<PendingInput>> inputs;
    for (PendingInput* input : within.findChildren<PendingInput*>()) {
        if (input->isPending()) {
            inputs.emplace_back(input);
        }
    }
    return inputs;
}

} // namespace

PendingInput::PendingInput(QWidget* owner)
    : QObject(owner) {}

void PendingInput::contentChanged() {
    if (const bool stuck = isStuck(); stuck != std::exchange(m_guards, stuck)) {
        if (stuck) {
            QCoreApplication::instance()->installEventFilter(this);
        } else {
            QCoreApplication::instance()->removeEventFilter(this);
        }
    }
}

void PendingInput::bringBack() {
    if (isShown()) {
        field()->setFocus(Qt::OtherFocusReason);
        showProblem();
    }
}

bool PendingInput::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick: {
        const auto* widget = qobject_cast<QWidget*>(watched);
        if (widget == nullptr || !isShown() || widget->window() != owner()->window() || widget == owner() ||
            owner()->isAncestorOf(widget) || !isStuck()) {
            return false;
        }
        m_swallowsRelease = true;
        field()->setFocus(Qt::OtherFocusReason);
        return true;
    }
    case QEvent::MouseButtonRelease:
        if (qobject_cast<QWidget*>(watched) == nullptr || !std::exchange(m_swallowsRelease, false)) {
            return false;
        }
        // Deferred, because releasing the mouse button hides tooltips.
        QMetaObject::invokeMethod(this, &PendingInput::bringBack, Qt::QueuedConnection);
        return true;
    default:
        return false;
    }
}

bool commitInput(const QWidget& within) {
    return std::ranges::all_of(pendingInputs(within), [](const QPointer<PendingInput>& input) {
        if (input.isNull() || !input->isPending() || input->commit()) {
            return true;
        }
        if (!input.isNull()) {
            input->bringBack();
        }
        return false;
    });
}

void commitOrDiscardInput(const QWidget& within) {
    for (const QPointer<PendingInput>& input : pendingInputs(within)) {
        if (!input.isNull() && (input->isStuck() || !input->commit()) && !input.isNull()) {
            input->discard();
        }
    }
}

bool hasPendingInput(const QWidget& within) { return !pendingInputs(within).empty(); }

PendingInput* stuckInput(const QWidget& within) {
    for (const QPointer<PendingInput>& input : pendingInputs(within)) {
        if (input->isStuck()) {
            return input;
        }
    }
    return nullptr;
}

} // namespace gufo::ui

#include "moc_pending_input.cpp"
