#include "ui/pages/run/read_limit.h"

#include "base/cpu_features.h"
#include "inference/measuring/speed.h"

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::size_t kTokensBeforeMeasuring = 8;
constexpr std::uint64_t kMeasuredBytes = std::uint64_t{512} << 20U;
constexpr int kMeasuredPasses = 4;

} // namespace

ReadLimit::ReadLimit(RunEngine* engine, ChatSession* session, QObject* parent)
    : QObject(parent)
    , m_engine(engine)
    , m_session(session) {
    connect(session, &ChatSession::turnEnded, this, [this] {
        const inference::ResponseFigures& figures = m_session->figures();
        if (!m_limit && figures.bytesRead > 0 && figures.tokens >= kTokensBeforeMeasuring) {
            QMetaObject::invokeMethod(this, &ReadLimit::measure, Qt::QueuedConnection);
        }
    });
}

void ReadLimit::forget() { m_limit.reset(); }

void ReadLimit::stop() {
    if (m_measuring) {
        m_engine->stop();
    }
}

// The weights were just read and are in memory, so the speed of reading them again is the memory's bandwidth.
void ReadLimit::measure() {
    if (m_measuring || m_engine->state() != RunEngine::State::Ready) {
        return;
    }
    m_measuring = true;
    const inference::ResponseFigures& figures = m_session->figures();
    const std::uint64_t bytesPerToken = figures.bytesRead / std::max<std::uint64_t>(figures.evaluatedTokens, 1);
    m_engine->perform<Limit>(
        [model = m_engine->facts()->model, threads = m_engine->facts()->options.threads,
         bytesPerToken](inference::Responder&, const JobContext& job) -> Result<Limit> {
            if (bytesPerToken <= inference::lastLevelCacheBytes()) {
                return Limit{.cached = true};
            }
            auto meter = GUFO_TRY(inference::ReadMeter::make(*model, threads, kMeasuredBytes));
            meter.warm();
            for (int i = 0; i < kMeasuredPasses && !job.stopRequested(); ++i) {
                meter.pass();
            }
            return Limit{.peak = meter.best()};
        },
        [this](const Result<Limit>& limit) {
            m_measuring = false;
            if (limit) {
                m_limit = *limit;
                emit measured();
            }
        });
}

} // namespace gufo::ui

#include "moc_read_limit.cpp"
