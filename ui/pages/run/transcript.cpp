#include "ui/pages/run/transcript.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/figure_text.h"

#include <QApplication>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kNearEnd = 24;  // pixels from the end that count as scrolled to the end
constexpr int kMinPause = 16; // ms between two updates of a growing answer
constexpr int kNoTurn = -1;   // shown in place of a completion that has not begun
constexpr int kShare = 4;     // the pause is at least this multiple of an update's duration

} // namespace

Transcript::Transcript(ChatSession* session, QWidget* parent)
    : QScrollArea(parent)
    , m_session(session) {
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(
        Qt::ScrollBarAlwaysOn); // keeps the text from moving sideways; invisible if there is nothing to scroll
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(tr("Conversation"));
    auto* content = new QWidget(this);
    content->setBackgroundRole(QPalette::Base);
    m_list = new QVBoxLayout(content);
    m_list->setContentsMargins(0, 16, 0, 8);
    m_list->setSpacing(0);
    m_list->addStretch(1);
    setWidget(content);
    m_grow.setSingleShot(true);
    connect(&m_grow, &QTimer::timeout, this, [this] {
        const int turn = m_session->answering();
        if (TurnView* view = viewOf(turn)) {
            m_cost.start();
            showTurn(view, turn);
            m_grow.setInterval(std::max(kMinPause, kShare * static_cast<int>(m_cost.elapsed())));
        }
    });
    m_grow.setInterval(kMinPause);
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, [this] {
        if (m_follows) {
            scrollToEnd();
        }
    });
    connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
        const QScrollBar* bar = verticalScrollBar();
        m_follows = bar->sliderPosition() >= bar->maximum() - kNearEnd;
    });
    connect(session, &ChatSession::pathChanged, this, &Transcript::rebuild);
    connect(session, &ChatSession::textEdited, this, [this] {
        refresh();
        emit moved();
    });
    connect(session, &ChatSession::turnGrown, this, [this](int turn) {
        m_reading.clear();
        growSoon(turn);
    });
    connect(session, &ChatSession::promptProgressed, this, [this](quint64 done, quint64 total) {
        m_reading = tr("Reading the prompt: %1 of %n tokens", nullptr, numerus(total)).arg(formatCount(done));
        growSoon(m_session->answering());
    });
    connect(session, &ChatSession::turnEnded, this, &Transcript::refresh);
    connect(session, &ChatSession::busyChanged, this, [this] {
        m_reading.clear();
        refresh();
        if (isText() && m_session->isBusy()) {
            scrollToEnd(); // wherever the user has edited the text
        }
    });
}

void Transcript::setNames(const Names& names) {
    m_names = names;
    refresh();
}

void Transcript::setShaded(bool shaded) {
    if (shaded != m_shaded) {
        m_shaded = shaded;
        refresh();
    }
}

TurnView* Transcript::viewOf(int turn) const {
    const auto view = std::ranges::find(m_views, turn, &TurnView::turn);
    return view != m_views.end() ? *view : nullptr;
}

TurnView* Transcript::makeView() {
    auto* view = new TurnView(widget());
    connect(view, &TurnView::copyRequested, this, &Transcript::copyRequested);
    connect(view, &TurnView::editRequested, view, &TurnView::beginEdit);
    connect(view, &TurnView::editEnded, this, &Transcript::leftDownwards);
    connect(view, &TurnView::regenerateRequested, m_session, &ChatSession::regenerate);
    connect(view, &TurnView::continueRequested, m_session, &ChatSession::continueAnswer);
    connect(view, &TurnView::removeRequested, m_session, &ChatSession::remove);
    connect(view, &TurnView::siblingRequested, m_session, &ChatSession::step);
    connect(view, &TurnView::edited, m_session, [this](int id, const QString& text) {
        if (m_session->tree().turn(id).role == TurnRole::Assistant) {
            m_session->rewrite(id, text);
        } else if (m_session->canAnswer()) {
            m_session->edit(id, text);
        }
    });
    connect(view, &TurnView::textEdited, m_session, &ChatSession::setText);
    connect(view->answerView(), &AnswerView::cursorPositionChanged, this, [this, text = view->answerView()] {
        if (!text->isReadOnly() && text->hasFocus()) {
            constexpr int kMargin = 40;
            ensureVisible(0, text->mapTo(widget(), text->cursorRect().center()).y(), 0, kMargin);
        }
    });
    connect(view, &TurnView::tokenHovered, this, &Transcript::tokenHovered);
    connect(view, &TurnView::tokenKeyed, this, &Transcript::tokenKeyed);
    for (AnswerView* text : {view->answerView(), view->thoughtView()}) {
        connect(text, &AnswerView::linkActivated, this, &Transcript::linkActivated);
    }
    return view;
}

void Transcript::showTurn(TurnView* view, int turn) {
    using inference::Feature;
    static const Turn kNoText{.id = kNoTurn, .role = TurnRole::Assistant};
    const ChatTree& tree = m_session->tree();
    const Turn& what = turn == kNoTurn ? kNoText : tree.turn(turn);
    const bool isText = tree.mode == ChatMode::Completion;
    view->showTurn(
        what,
        {.speaker = isText                             ? QString()
                    : what.role == TurnRole::User      ? m_names.user
                    : what.role == TurnRole::Assistant ? m_names.model
                                                       : m_names.tool,
         .markdown = !isText,
         .isText = isText,
         .shaded = m_shaded,
         .growing = turn == m_session->answering(),
         .reading = m_reading,
         .canAnswer = m_session->canAnswer(),
         .tools = tree.tools,
         .cannotContinue = m_session->offers(Feature::Continuing) ? QString() : featureMissingTip(Feature::Continuing),
         .siblings = turn == kNoTurn ? ChatTree::Siblings() : tree.siblings(turn)});
}

// Keeps the views of turns that remain, with their selection and folding.
void Transcript::rebuild() {
    std::vector<int> path = m_session->tree().path();
    if (path.empty() && isText()) {
        path.push_back(kNoTurn); // it can be begun
    }
    std::size_t same = 0;
    while (same < path.size() && same < m_views.size() && m_views[same]->turn() == path[same]) {
        ++same;
    }
    while (m_views.size() > path.size()) {
        m_views.back()->hide();
        m_views.back()->deleteLater();
        m_views.pop_back();
    }
    while (m_views.size() < path.size()) {
        TurnView* view = makeView();
        m_list->insertWidget(m_list->count() - 1, view);
        m_views.push_back(view);
    }
    for (std::size_t i = 0; i < path.size(); ++i) {
        showTurn(m_views[i], path[i]);
        m_views[i]->setVisible(true);
    }
    m_follows = m_follows || (same + 1 >= path.size() && !isText());
    emit moved();
}

void Transcript::refresh() {
    for (TurnView* view : m_views) {
        if (view->turn() == kNoTurn ? isText() : m_session->tree().has(view->turn())) {
            showTurn(view, view->turn());
        }
    }
}

void Transcript::growSoon(int) {
    if (!m_grow.isActive()) {
        m_grow.start();
    }
}

bool Transcript::isText() const { return m_session->tree().mode == ChatMode::Completion; }

AnswerView* Transcript::text() const { return isText() && !m_views.empty() ? m_views.back()->answerView() : nullptr; }

void Transcript::editLast() {
    if (isText()) { // it is edited in place
        return;
    }
    for (auto view = m_views.rbegin(); view != m_views.rend(); ++view) {
        if (m_session->tree().turn((*view)->turn()).role != TurnRole::Assistant) {
            (*view)->beginEdit();
            ensureWidgetVisible(*view);
            return;
        }
    }
}

std::vector<TurnView*> Transcript::answers() const {
    std::vector<TurnView*> answers;
    std::ranges::copy_if(m_views, std::back_inserter(answers), [this](const TurnView* view) {
        return view->turn() != kNoTurn && m_session->tree().turn(view->turn()).role == TurnRole::Assistant;
    });
    return answers;
}

TurnView* Transcript::currentAnswer() const {
    const auto all = answers();
    const QWidget* focused = QApplication::focusWidget();
    const auto with = std::ranges::find_if(all, [&](const TurnView* view) { return view->isAncestorOf(focused); });
    return with != all.end() ? *with : all.empty() ? nullptr : all.back();
}

void Transcript::focusAnswer(int by) {
    const auto all = answers();
    const auto current = std::ranges::find(all, currentAnswer());
    if (current == all.end()) {
        emit leftDownwards();
        return;
    }
    const bool isFocused = (*current)->isAncestorOf(QApplication::focusWidget());
    const auto next = isFocused ? current - all.begin() + by : current - all.begin() + (by > 0 ? 1 : 0);
    if (next >= static_cast<std::ptrdiff_t>(all.size())) {
        emit leftDownwards();
    } else if (next >= 0) {
        TurnView* view = all[static_cast<std::size_t>(next)];
        view->answerView()->setFocus(Qt::OtherFocusReason);
        ensureWidgetVisible(view);
    }
}

void Transcript::regenerate() {
    if (const TurnView* view = currentAnswer(); view != nullptr && m_session->canAnswer()) {
        m_session->regenerate(view->turn());
    }
}

void Transcript::showVersion(int by) {
    if (const TurnView* view = currentAnswer(); view != nullptr && !m_session->isBusy()) {
        const ChatTree::Siblings siblings = m_session->tree().siblings(view->turn());
        if (siblings.index + by >= 0 && siblings.index + by < siblings.count) {
            m_session->step(view->turn(), by);
        }
    }
}

void Transcript::showRange(int turn, qsizetype begin, qsizetype length) {
    clearRange();
    TurnView* view = viewOf(turn);
    if (AnswerView* text = view != nullptr ? view->selectText(begin, length) : nullptr) {
        m_found = text;
        constexpr int kMargin = 60;
        m_follows = false;
        ensureVisible(0, text->viewport()->mapTo(widget(), text->cursorRect().center()).y(), 0, kMargin);
    }
}

void Transcript::clearRange() {
    if (m_found != nullptr) {
        QTextCursor cursor = m_found->textCursor();
        cursor.clearSelection();
        m_found->setTextCursor(cursor);
        m_found = nullptr;
    }
}

void Transcript::scrollToEnd() {
    m_follows = true;
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void Transcript::scrollContentsBy(int dx, int dy) {
    QScrollArea::scrollContentsBy(dx, dy);
    emit moved();
}

void Transcript::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    emit moved();
}

} // namespace gufo::ui

#include "moc_transcript.cpp"
