#include "ui/run/running_answer.h"

#include <algorithm>
#include <mutex>

namespace gufo::ui {
namespace {

constexpr int kCollectMs = 16;

} // namespace

struct Answer::Feed {
    std::stop_source stop; // stops this answer only
    Progress progress;     // of the prompt
    std::mutex mutex;      // guards everything below
    std::vector<inference::ResponsePiece> pieces;
    std::size_t shown = 0;
    inference::ResponseFigures figures;
    inference::PromptFacts prompt;
    std::size_t leftOutMessages = 0;
    std::size_t leftOutTokens = 0;

    [[nodiscard]] inference::ResponseListener listener() {
        inference::ResponseListener listener;
        listener.promptMade = [this](inference::PromptFacts made, const inference::ResponseFigures& now) {
            const std::scoped_lock lock(mutex);
            prompt = std::move(made);
            figures = now;
        };
        listener.shortened = [this](std::size_t messages, std::size_t tokens) {
            const std::scoped_lock lock(mutex);
            leftOutMessages = messages;
            leftOutTokens = tokens;
        };
        listener.promptRead = [this](const inference::ResponseFigures& now) {
            const std::scoped_lock lock(mutex);
            figures = now;
        };
        listener.piece = [this](inference::ResponsePiece piece, const inference::ResponseFigures& now) {
            const std::scoped_lock lock(mutex);
            shown += piece.shown.size();
            pieces.push_back(std::move(piece));
            figures = now;
            return true;
        };
        return listener;
    }
};

Answer::Answer(RunEngine* engine, inference::ResponseRequest request, QObject* parent)
    : QObject(parent)
    , m_engine(engine)
    , m_feed(std::make_shared<Feed>()) {
    m_timer.setInterval(kCollectMs);
    connect(&m_timer, &QTimer::timeout, this, &Answer::collect);
    m_timer.start();
    const QPointer<Answer> self = this;
    engine->perform<inference::Response>(
        [feed = m_feed, request = std::move(request)](inference::Responder& responder, const JobContext& job) {
            // Combines the stop requests of the engine and of this answer.
            const std::stop_callback both(job.stop, [&feed] { feed->stop.request_stop(); });
            return responder.respond(request, feed->listener(),
                                     {.stop = feed->stop.get_token(), .progress = &feed->progress});
        },
        [self](Result<inference::Response> response) {
            if (!self.isNull()) {
                self->finish(std::move(response));
            }
        });
}

Answer::~Answer() { stop(); }

void Answer::stop() { m_feed->stop.request_stop(); }

std::vector<inference::ResponsePiece> Answer::takePieces() { return std::exchange(m_pieces, {}); }

void Answer::collect() {
    {
        const std::scoped_lock lock(m_feed->mutex);
        std::ranges::move(m_feed->pieces, std::back_inserter(m_pieces));
        m_feed->pieces.clear();
        m_shown = m_feed->shown;
        m_figures = m_feed->figures;
        m_leftOutMessages = m_feed->leftOutMessages;
        m_leftOutTokens = m_feed->leftOutTokens;
        if (m_prompt.text.empty() && m_prompt.ids.empty()) {
            m_prompt = std::exchange(m_feed->prompt, {});
        }
    }
    if (m_figures.readSeconds == 0 && m_feed->progress.total() > 0) {
        emit promptProgressed(m_feed->progress.done(), m_feed->progress.total());
    }
    if (!m_pieces.empty()) {
        emit grown();
    }
}

void Answer::finish(Result<inference::Response> response) {
    m_timer.stop();
    if (response) {
        m_reason = response->reason;
        m_problem = std::move(response->problem);
        m_skippedEvents = response->skippedEvents;
        m_refusedStates = std::move(response->refusedStates);
        const std::scoped_lock lock(m_feed->mutex);
        m_feed->shown += m_reason ? response->rest.size() : 0;
    } else if (response.error().code != ErrorCode::Cancelled) {
        m_error = std::move(response.error());
    }
    m_finished = true;
    collect();
    emit finished();
}

} // namespace gufo::ui

#include "moc_running_answer.cpp"
