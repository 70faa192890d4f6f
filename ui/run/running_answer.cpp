#include "ui/run/running_answer.h"

#include "inference/grammar/grammar_constraint.h"

#include <algorithm>
#include <chrono>
#include <mutex>

namespace gufo::ui {
namespace {

constexpr int kCollectMs = 16;

double perSecond(double count, double seconds) { return seconds > 0 ? count / seconds : 0; }

using Clock = std::chrono::steady_clock;
double secondsSince(Clock::time_point begun) { return std::chrono::duration<double>(Clock::now() - begun).count(); }

} // namespace

double AnswerFigures::promptPerSecond() const {
    // One token is read as those of an answer are: that says nothing of prompts.
    return readTokens > 1 ? perSecond(static_cast<double>(readTokens), readSeconds) : 0;
}

double AnswerFigures::tokensPerSecond() const { return perSecond(static_cast<double>(tokens), seconds); }

double AnswerFigures::bytesPerSecond() const { return perSecond(static_cast<double>(bytesRead), evaluationSeconds); }

struct Answer::Feed {
    std::stop_source stop; // of this answer alone
    Progress progress;     // of the prompt
    std::mutex mutex;      // of all below
    std::vector<AnswerToken> tokens;
    std::size_t shown = 0;
    AnswerFigures figures;
    std::vector<TokenId> promptIds;
    std::optional<inference::StopReason> reason;

    Result<> run(RunSession& run, const AnswerRequest& request, const JobContext& job);
};

Result<> Answer::Feed::run(RunSession& run, const AnswerRequest& request, const JobContext& job) {
    inference::Session& session = *run.session;
    const JobContext reading{.stop = job.stop, .progress = &progress};
    auto prompt = promptTokens(*run.tokenizer, request.prompt, request.known, job);
    if (!prompt) {
        return std::unexpected(std::move(prompt.error()));
    }
    std::vector<TokenId> ids = *prompt;
    ids.insert(ids.end(), request.begun.begin(), request.begun.end());
    {
        const std::scoped_lock lock(mutex);
        figures.promptTokens = prompt->size();
        promptIds = std::move(*prompt);
    }

    inference::Generation generation(session, run.tokenizer, request.settings);
    if (request.grammar != nullptr) {
        if (run.trie == nullptr) {
            run.trie = std::make_shared<const inference::TokenTrie>(*run.tokenizer);
        }
        auto constraint = inference::GrammarConstraint::make(request.grammar, run.trie, *run.tokenizer);
        if (!constraint) {
            return std::unexpected(std::move(constraint.error()));
        }
        generation.setConstraint(std::move(*constraint));
    }
    const inference::SessionFigures before = session.figures();
    const auto begunReading = Clock::now();
    if (auto started = generation.start(ids, reading, request.begun.size()); !started) {
        return started;
    }
    const inference::SessionFigures read = session.figures();
    {
        const std::scoped_lock lock(mutex);
        figures.readTokens = read.promptTokens - before.promptTokens + read.generatedTokens - before.generatedTokens;
        figures.readSeconds = secondsSince(begunReading);
        figures.contextUsed = session.tokens().size();
    }

    text::StreamDecoder decoder(run.tokenizer, {.control = false, .atStart = false});
    const auto decode = [&](TokenId id) { // as Generation does it
        const auto& written = request.settings.written;
        return std::ranges::find(written, id) != written.end() ? decoder.finish() + run.tokenizer->bytesOf(id)
                                                               : decoder.push(id);
    };
    for (const TokenId id : request.begun) {
        (void)decode(id);
    }
    const auto begun = Clock::now();
    for (;;) {
        auto token = generation.next(job);
        if (!token) {
            return std::unexpected(std::move(token.error()));
        }
        const std::scoped_lock lock(mutex);
        if (!*token) {
            reason = generation.reason();
            shown += generation.rest().size();
            return {};
        }
        shown += (*token)->text.size();
        std::string piece = decode((*token)->choice.token);
        tokens.push_back({std::move((*token)->choice), std::move(piece)});
        const inference::SessionFigures& now = session.figures();
        figures.tokens += 1;
        figures.seconds = secondsSince(begun);
        figures.evaluationSeconds = now.generationSeconds - read.generationSeconds;
        figures.contextUsed = session.tokens().size();
        if (figures.tokens > 1) { // the first is drawn from what the prompt gave
            figures.bytesRead += now.weightBytesPerToken + figures.contextUsed * now.cacheBytesPerPosition;
        }
    }
}

Answer::Answer(RunEngine* engine, AnswerRequest request, QObject* parent)
    : QObject(parent)
    , m_engine(engine)
    , m_feed(std::make_shared<Feed>()) {
    m_timer.setInterval(kCollectMs);
    connect(&m_timer, &QTimer::timeout, this, &Answer::collect);
    m_timer.start();
    const QPointer<Answer> self = this;
    engine->perform<bool>(
        [feed = m_feed, request = std::move(request)](RunSession& run, const JobContext& job) -> Result<bool> {
            // Stopped by the engine or by the answer alone.
            const std::stop_callback both(job.stop, [&feed] { feed->stop.request_stop(); });
            auto done = feed->run(run, request, {.stop = feed->stop.get_token()});
            return done ? Result<bool>(true) : std::unexpected(std::move(done.error()));
        },
        [self](Result<bool> result) {
            if (!self.isNull()) {
                self->finish(result ? Result<>() : std::unexpected(std::move(result.error())));
            }
        });
}

Answer::~Answer() { stop(); }

void Answer::stop() { m_feed->stop.request_stop(); }

std::vector<AnswerToken> Answer::takeTokens() { return std::exchange(m_tokens, {}); }

void Answer::collect() {
    {
        const std::scoped_lock lock(m_feed->mutex);
        std::move(m_feed->tokens.begin(), m_feed->tokens.end(), std::back_inserter(m_tokens));
        m_feed->tokens.clear();
        m_shown = m_feed->shown;
        m_figures = m_feed->figures;
        m_reason = m_feed->reason;
        if (m_promptIds.empty()) {
            m_promptIds = m_feed->promptIds;
        }
    }
    if (m_figures.readSeconds == 0 && m_feed->progress.total() > 0) {
        emit promptProgressed(m_feed->progress.done(), m_feed->progress.total());
    }
    if (!m_tokens.empty()) {
        emit grown();
    }
}

void Answer::finish(Result<> result) {
    m_timer.stop();
    if (!result && result.error().code != ErrorCode::Cancelled) {
        m_error = std::move(result.error());
    }
    m_finished = true;
    collect();
    emit finished();
}

} // namespace gufo::ui
