#include "inference/remote/answer_stream.h"

#include "base/detail.h"
#include "inference/remote/sse_parser.h"

#include <algorithm>

namespace gufo::inference {

Result<> streamAnswer(const ServerConnection& server, std::string_view path, std::string body, ReadEvent read,
                      const std::function<bool(ReplyChunk)>& take, const JobContext& job) {
    SseParser parser;
    bool isWhole = false; // the answer has ended, or `take` has returned false
    const auto takeBytes = [&](std::string_view bytes) -> Result<bool> {
        const auto events = parser.push(bytes);
        if (!events) {
            return std::unexpected(events.error());
        }
        for (const std::string& event : *events) {
            if (event == "[DONE]") {
                isWhole = true;
                return false;
            }
            auto chunk = read(event);
            if (!chunk) {
                return std::unexpected(std::move(chunk.error()));
            }
            isWhole |= chunk->end.has_value();
            if (!take(std::move(*chunk))) {
                isWhole = true;
                return false;
            }
        }
        return true;
    };
    auto done = server.stream(path, std::move(body), takeBytes, job);
    if (isWhole && !job.stopRequested()) {
        return {}; // a connection that breaks after the answer's end does no harm
    }
    return done && !isWhole ? fail(ErrorCode::ReplyUnusable, {}, {Detail::ConnectionClosed}) : done;
}

double generationSeconds(double sinceFirst, const ResponseFigures& figures) {
    constexpr double kMeasurable = 0.01;
    const double seconds = std::max(sinceFirst, figures.evaluationSeconds);
    return seconds >= kMeasurable ? seconds : 0;
}

void takeTimings(const ReplyTimings& timings, ResponseFigures& figures) {
    figures.readTokens = timings.promptTokens;
    figures.reusedTokens = timings.cachedTokens;
    figures.batchedTokens = timings.promptTokens;
    figures.batchedSeconds = timings.promptSeconds;
    // llama-server's clock starts with the first token, which is drawn from the evaluation of the prompt.
    figures.evaluatedTokens = timings.tokens - std::min<std::uint64_t>(timings.tokens, 1);
    figures.evaluationSeconds = timings.seconds;
}

} // namespace gufo::inference
