#include "inference/remote/answer_stream.h"

#include "base/detail.h"
#include "inference/remote/json_repair.h"
#include "inference/remote/sse_parser.h"

#include <algorithm>

namespace gufo::inference {

namespace {

bool isBlank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

// Reads the body of one answer.
class AnswerReader {
public:
    AnswerReader(const ReadEvent& read, const std::function<bool(ReplyChunk)>& take, OddEvents odd)
        : m_read(read)
        , m_take(take)
        , m_odd(odd) {}

    // Returns false if nothing more is wanted.
    [[nodiscard]] Result<bool> takeBytes(std::string_view bytes) {
        if (!m_isObject) {
            const std::size_t begin = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
            if (begin == std::string_view::npos) {
                return true;
            }
            // No line of a stream of events begins like an object or a page.
            m_isObject = bytes[begin] == '{' || bytes[begin] == '[' || bytes[begin] == '<';
        }
        if (!*m_isObject) {
            const auto events = GUFO_TRY(m_parser.push(bytes));
            return takeEvents(events);
        }
        if (m_object.size() + bytes.size() > SseParser::kMaxEventBytes) {
            return fail(ErrorCode::ReplyUnusable, {}, {Argument(Detail::ReplyTooLong, {SseParser::kMaxEventBytes})});
        }
        m_object += bytes;
        return true;
    }

    // The end of the reply.
    [[nodiscard]] Result<> finish() {
        if (m_isWhole) {
            return {};
        }
        if (m_isObject.value_or(false)) {
            auto chunk = GUFO_TRY(m_read(m_object));
            m_isWhole = true;
            (void)m_take(std::move(chunk));
            return {};
        }
        GUFO_TRY(takeEvents(m_parser.finish()));
        if (m_isWhole) {
            return {};
        }
        return m_used == 0 && m_problem ? std::unexpected(*m_problem)
                                        : fail(ErrorCode::ReplyUnusable, {}, {Detail::ConnectionClosed});
    }

    [[nodiscard]] bool isWhole() const { return m_isWhole; } // the answer has ended, or `take` has returned false
    [[nodiscard]] std::size_t skipped() const { return m_skipped; }

private:
    [[nodiscard]] Result<bool> takeEvents(const std::vector<SseEvent>& events) {
        for (const SseEvent& event : events) {
            const std::string_view data = std::string_view(event.data);
            if (data.starts_with("[DONE]")) {
                m_isWhole = true;
                return false;
            }
            if (isBlank(data) || data.starts_with(':')) { // a proxy has made data of a comment
                continue;
            }
            auto read = event.name == "error" ? std::unexpected(serverError(0, data)) : m_read(data);
            if (!read && read.error().code == ErrorCode::ReplyUnusable && m_odd == OddEvents::Skipped) {
                ++m_skipped;
                m_problem = m_problem ? m_problem : std::optional(std::move(read.error()));
                continue;
            }
            ReplyChunk chunk = GUFO_TRY(std::move(read));
            ++m_used;
            m_isWhole |= chunk.end.has_value();
            if (!m_take(std::move(chunk))) {
                m_isWhole = true;
                return false;
            }
        }
        return true;
    }

    const ReadEvent& m_read;
    const std::function<bool(ReplyChunk)>& m_take;
    OddEvents m_odd;
    SseParser m_parser;
    std::optional<bool> m_isObject; // empty until the body has begun
    std::string m_object;
    std::size_t m_used = 0;
    std::size_t m_skipped = 0;
    std::optional<Error> m_problem; // of the first event that was skipped
    bool m_isWhole = false;
};

} // namespace

Result<std::size_t> streamAnswer(const ServerConnection& server, std::string_view path, std::string body,
                                 const ReadEvent& read, const std::function<bool(ReplyChunk)>& take, OddEvents odd,
                                 const JobContext& job) {
    AnswerReader reader(read, take, odd);
    const auto sent =
        server.stream(path, std::move(body), [&](std::string_view bytes) { return reader.takeBytes(bytes); }, job);
    if (job.stopRequested()) {
        return sent ? fail(ErrorCode::Cancelled) : std::unexpected(sent.error());
    }
    if (!reader.isWhole()) { // a connection that breaks after the answer's end does no harm
        GUFO_TRY(sent ? reader.finish() : sent);
    }
    return reader.skipped();
}

ReadEvent mending(Result<ReplyChunk> (*read)(std::string_view json)) {
    return [read, repair = JsonRepair()](std::string_view json) mutable {
        auto chunk = read(json);
        if (!chunk && chunk.error().code == ErrorCode::ReplyUnusable) {
            return read(repair.repaired(json));
        }
        repair.forget();
        return chunk;
    };
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
