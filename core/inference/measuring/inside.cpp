#include "inference/measuring/inside.h"

#include "base/detail.h"
#include "base/try.h"
#include "inference/engine/engine_session.h"
#include "inference/interface/run_observer.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

namespace gufo::inference {
namespace {

// What is kept of one batch for the lens, and the logits that are made of it at once.
constexpr std::uint64_t kLensBytes = std::uint64_t{32} << 20;
constexpr std::size_t kLensRows = 16;
// Progress advances after each batch, and a batch of this length reads the weights seldom enough.
constexpr std::size_t kBatch = 128;

double lengthOf(std::span<const float> row, float factor) {
    double squares = 0;
    for (const float x : row) {
        squares += static_cast<double>(x) * static_cast<double>(x);
    }
    return std::abs(static_cast<double>(factor)) * std::sqrt(squares);
}

// The position of the element with the largest magnitude; of the first NaN if there is one.
std::size_t largestOf(std::span<const float> row) {
    std::size_t largest = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (std::isnan(row[i])) {
            return i;
        }
        if (std::abs(row[i]) > std::abs(row[largest])) {
            largest = i;
        }
    }
    return largest;
}

// Keeps what the request names.
class Recorder final : public RunObserver {
public:
    Recorder(const BoundModel& engine, const InsideRequest& request, std::size_t tokens)
        : m_engine(engine)
        , m_request(request)
        , m_tokens(tokens) {
        const std::vector<BlockShape>& blocks = engine.shape.blocks;
        m_inside.tokens = tokens;
        m_inside.blocks = blocks.size();
        for (const BlockShape& block : blocks) {
            m_inside.heads.push_back(block.heads);
            m_inside.windows.push_back(block.window);
        }
        if (const auto& asked = request.attention) {
            const std::size_t heads = asked->head ? 1 : blocks[asked->block].heads;
            m_inside.attention = AttentionMap{.block = asked->block,
                                              .firstHead = asked->head.value_or(0),
                                              .heads = heads,
                                              .tokens = tokens,
                                              .weights = std::vector<float>(heads * tokens * tokens),
                                              .summaries = std::vector<HeadSummary>(heads * tokens)};
        }
        if (request.sizes) {
            const std::vector<float> zeros(blocks.size() * tokens);
            m_inside.sizes = StreamSizes{.blocks = blocks.size(),
                                         .tokens = tokens,
                                         .stream = zeros,
                                         .mixer = zeros,
                                         .feedForward = zeros,
                                         .largest = zeros,
                                         .channel = std::vector<std::uint32_t>(zeros.size())};
        }
        if (request.experts) {
            m_inside.experts =
                ChosenExperts{.tokens = tokens, .used = engine.shape.experts.used, .count = engine.shape.experts.count};
        }
    }

    [[nodiscard]] Inside& inside() { return m_inside; }
    // The rows that the output would read after a block, of the last batch.
    [[nodiscard]] Rows readouts(std::size_t block, std::size_t tokens) {
        const std::size_t width = m_engine.shape.embedding;
        return {m_readouts.data() + block * tokens * width, width};
    }
    void keepReadouts(std::size_t tokens) {
        m_readouts.resize(m_inside.blocks * tokens * m_engine.shape.embedding);
        m_keepsReadouts = true;
    }

    void stream(const Batch& batch, const Values& values) override {
        if (!m_inside.sizes) {
            return;
        }
        StreamSizes& sizes = *m_inside.sizes;
        for (std::size_t t = 0; t < batch.tokens; ++t) {
            const std::size_t at = batch.block * m_tokens + batch.position + t;
            const std::size_t largest = largestOf(values[t]);
            sizes.stream[at] = static_cast<float>(lengthOf(values[t], 1));
            sizes.largest[at] = values[t][largest];
            sizes.channel[at] = static_cast<std::uint32_t>(largest);
        }
    }

    void branch(const Batch& batch, Half half, const Values& values, float factor) override {
        if (!m_inside.sizes) {
            return;
        }
        std::vector<float>& lengths = half == Half::Mixer ? m_inside.sizes->mixer : m_inside.sizes->feedForward;
        for (std::size_t t = 0; t < batch.tokens; ++t) {
            lengths[batch.block * m_tokens + batch.position + t] = static_cast<float>(lengthOf(values[t], factor));
        }
    }

    [[nodiscard]] bool wantsReadout() override { return m_keepsReadouts; }
    void readout(const Batch& batch, const Values& values) override {
        const Rows to = readouts(batch.block, batch.tokens);
        for (std::size_t t = 0; t < batch.tokens; ++t) {
            std::ranges::copy(values[t], to[t]);
        }
    }

    void experts(const Batch& batch, std::size_t used, std::span<const std::uint32_t> chosen,
                 std::span<const float> weights) override {
        if (!m_inside.experts) {
            return;
        }
        ChosenExperts& experts = *m_inside.experts;
        const auto found = std::ranges::find(experts.blocks, batch.block);
        const auto index = static_cast<std::size_t>(found - experts.blocks.begin());
        if (found == experts.blocks.end()) {
            experts.blocks.push_back(batch.block);
            experts.chosen.resize(experts.blocks.size() * m_tokens * used);
            experts.weights.resize(experts.chosen.size());
        }
        const auto at = static_cast<std::ptrdiff_t>((index * m_tokens + batch.position) * used);
        std::ranges::copy(chosen, experts.chosen.begin() + at);
        std::ranges::copy(weights, experts.weights.begin() + at);
    }

    [[nodiscard]] bool wantsAttention(std::size_t block, std::size_t head) override {
        return m_lastBatch || isMapped(block, head);
    }
    void attention(std::size_t block, std::size_t head, std::uint32_t position, std::uint32_t first,
                   std::span<const float> weights) override {
        const bool hasSink = !m_engine.weights.blocks[block].attention.sinks.empty();
        if (isMapped(block, head)) {
            AttentionMap& map = *m_inside.attention;
            const std::size_t row = (head - map.firstHead) * m_tokens + position;
            std::ranges::copy(weights, map.weights.begin() + static_cast<std::ptrdiff_t>(row * m_tokens + first));
            map.summaries[row] = summariseHead(weights, first, hasSink);
        }
        if (m_lastBatch && position + 1 == m_tokens) {
            m_inside.rows.push_back({.block = block,
                                     .head = head,
                                     .first = first,
                                     .weights = {weights.begin(), weights.end()},
                                     .summary = summariseHead(weights, first, hasSink)});
        }
    }

    [[nodiscard]] bool wantsState(std::size_t /*block*/) override { return m_request.sizes; }
    void state(const Batch& batch, std::span<const float> lengths, std::span<const float> decays) override {
        std::vector<RecurrentSizes>& states = m_inside.states;
        auto found = std::ranges::find(states, batch.block, &RecurrentSizes::block);
        if (found == states.end()) {
            states.push_back({.block = batch.block, .heads = lengths.size(), .from = m_request.from});
            found = std::prev(states.end());
        }
        found->decays.insert(found->decays.end(), decays.begin(), decays.end());
        m_stateBytes += decays.size_bytes();
        if (batch.position >= m_request.from) { // the batch is one token
            found->lengths.insert(found->lengths.end(), lengths.begin(), lengths.end());
            m_stateBytes += lengths.size_bytes();
        }
    }

    // Whether the next batch ends with the last token.
    void expectLast(bool last) { m_lastBatch = last && m_request.lastRows; }
    // How many heads states have is known only when they are seen.
    [[nodiscard]] std::uint64_t stateBytes() const { return m_stateBytes; }

private:
    [[nodiscard]] bool isMapped(std::size_t block, std::size_t head) const {
        const auto& asked = m_request.attention;
        return asked && asked->block == block && (!asked->head || *asked->head == head);
    }

    const BoundModel& m_engine;
    const InsideRequest& m_request;
    std::size_t m_tokens;
    Inside m_inside;
    std::vector<float> m_readouts; // [block][token of the batch][channel]
    bool m_keepsReadouts = false;
    bool m_lastBatch = false;
    std::uint64_t m_stateBytes = 0;
};

// Whether a token comes before another one in the order of a lens.
bool precedes(std::span<const float> logits, std::size_t a, std::size_t b) {
    const float x = logits[a];
    const float y = logits[b];
    if (std::isnan(x) || std::isnan(y)) {
        return std::isnan(x) == std::isnan(y) ? a < b : std::isnan(y);
    }
    return x != y ? x > y : a < b;
}

// The first `count` tokens in that order.
std::vector<std::size_t> bestOf(std::span<const float> logits, std::size_t count) {
    std::vector<std::size_t> best;
    for (std::size_t id = 0; id < logits.size(); ++id) {
        if (best.size() == count && !precedes(logits, id, best.back())) {
            continue;
        }
        const auto before = [&](std::size_t a, std::size_t b) { return precedes(logits, a, b); };
        best.insert(std::ranges::upper_bound(best, id, before), id);
        best.resize(std::min(best.size(), count));
    }
    return best;
}

// The probabilities of a row are exp(logit − largest) / sum; all are NaN if a logit is.
class Softmax {
public:
    explicit Softmax(std::span<const float> logits)
        : m_logits(logits)
        , m_largest(static_cast<double>(*std::ranges::max_element(logits)))
        , m_sum(std::transform_reduce(logits.begin(), logits.end(), 0.0, std::plus(),
                                      [&](float x) { return std::exp(static_cast<double>(x) - m_largest); })) {}
    [[nodiscard]] float of(std::size_t id) const {
        return static_cast<float>(std::exp(static_cast<double>(m_logits[id]) - m_largest) / m_sum);
    }

private:
    std::span<const float> m_logits;
    double m_largest;
    double m_sum;
};

// Fills the lens for the tokens [first, first + tokens) of it, which are the last batch.
Result<> fillLens(LogitLens& lens, EngineSession& session, Recorder& recorder, std::size_t first, std::size_t tokens,
                  std::vector<float>& logits, const JobContext& job) {
    const std::size_t vocabulary = session.vocabulary();
    const std::size_t atOnce = logits.size() / vocabulary;
    std::vector<std::size_t> finals(tokens);
    for (std::size_t block = lens.blocks; block-- > 0;) { // the last one knows the final tokens
        for (std::size_t t = 0; t < tokens; t += atOnce) {
            GUFO_TRY(job.check());
            const std::size_t rows = std::min(atOnce, tokens - t);
            const Rows states = recorder.readouts(block, tokens);
            session.readOut({states[t], states.stride}, rows, {logits.data(), vocabulary});
            for (std::size_t row = 0; row < rows; ++row) {
                const std::span<const float> values(logits.data() + row * vocabulary, vocabulary);
                const Softmax softmax(values);
                const std::vector<std::size_t> best = bestOf(values, lens.candidates);
                const std::size_t token = first + t + row;
                const std::size_t at = block * lens.tokens + token;
                for (std::size_t i = 0; i < best.size(); ++i) {
                    lens.cells[at * lens.candidates + i] = {TokenId(best[i]), softmax.of(best[i])};
                }
                std::size_t& final = finals[t + row];
                final = block + 1 == lens.blocks ? best.front() : final;
                std::uint32_t rank = 0;
                for (std::size_t id = 0; id < vocabulary; ++id) {
                    rank += precedes(values, id, final) ? 1 : 0;
                }
                lens.finals[at] = {.probability = softmax.of(final), .rank = rank};
                if (rank == 0 && !lens.isNotANumber(block, token) && lens.becomes[token] == block + 1) {
                    lens.becomes[token] = block;
                }
            }
        }
    }
    return {};
}

std::size_t lensBatch(const ModelShape& shape) {
    const std::uint64_t row = std::uint64_t{shape.embedding} * shape.blocks.size() * sizeof(float);
    return std::clamp<std::size_t>(kLensBytes / std::max<std::uint64_t>(row, 1), 1, kBatch);
}

std::uint64_t bytesOf(const InsideRequest& request, const ModelShape& shape, std::size_t tokens) {
    const std::uint64_t blocks = shape.blocks.size();
    std::uint64_t bytes = 0;
    if (request.attention) {
        const std::uint64_t heads = request.attention->head ? 1 : shape.blocks[request.attention->block].heads;
        bytes += heads * tokens * (tokens * sizeof(float) + sizeof(HeadSummary));
    }
    for (const BlockShape& block : shape.blocks) {
        const std::uint64_t seen = block.window != 0 ? std::min<std::uint64_t>(block.window, tokens) : tokens;
        bytes += request.lastRows ? block.heads * (seen * sizeof(float) + sizeof(AttentionRow)) : 0;
    }
    if (request.candidates != 0) {
        bytes += blocks * (tokens - request.from) *
                 (request.candidates * sizeof(LogitLens::Candidate) + sizeof(LogitLens::Final));
    }
    if (request.experts) {
        bytes += blocks * tokens * shape.experts.used * (sizeof(float) + sizeof(std::uint32_t));
    }
    if (request.sizes) {
        bytes += blocks * tokens * (4 * sizeof(float) + sizeof(std::uint32_t));
    }
    return bytes;
}

// The working memory of the lens, beside its results: the states of a batch after each block, and logits.
std::uint64_t lensWork(const InsideRequest& request, const ModelShape& shape, std::size_t tokens) {
    if (request.candidates == 0) {
        return 0;
    }
    const std::uint64_t batch = std::min(lensBatch(shape), tokens);
    const std::uint64_t logits =
        std::min<std::uint64_t>(std::uint64_t{kLensRows} * shape.vocabulary * sizeof(float),
                                std::max<std::uint64_t>(kLensBytes, shape.vocabulary * sizeof(float)));
    return batch * shape.embedding * shape.blocks.size() * sizeof(float) + logits;
}

Result<> checkFits(std::uint64_t bytes) {
    if (bytes > kInsideBytes) {
        return fail(ErrorCode::InvalidArgument, {}, {Argument(Detail::InsideTooLarge, {bytes, kInsideBytes})});
    }
    return {};
}

Result<std::size_t> findAttending(const ModelShape& shape) {
    const auto attends = std::ranges::find_if(shape.blocks, &BlockShape::attends);
    if (attends == shape.blocks.end()) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::NoBlockAttends});
    }
    return static_cast<std::size_t>(attends - shape.blocks.begin());
}

Result<> check(const InsideRequest& request, const ModelShape& shape, std::size_t tokens, std::uint64_t taken) {
    if (tokens == 0) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::PromptWithoutTokens});
    }
    if (request.experts && shape.experts.count == 0) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::NoExperts});
    }
    if (const auto& asked = request.attention) {
        const std::size_t attending = GUFO_TRY(findAttending(shape));
        if (asked->block >= shape.blocks.size()) {
            return fail(ErrorCode::InvalidArgument, {},
                        {Argument(Detail::NoSuchBlock, {asked->block, shape.blocks.size()})});
        }
        const BlockShape& block = shape.blocks[asked->block];
        if (!block.attends()) {
            return fail(ErrorCode::InvalidArgument, {},
                        {Argument(Detail::BlockDoesNotAttend, {asked->block, attending})});
        }
        if (asked->head && *asked->head >= block.heads) {
            return fail(ErrorCode::InvalidArgument, {},
                        {Argument(Detail::NoSuchHead, {*asked->head, asked->block, block.heads})});
        }
        if (!asked->head && tokens > kAllHeadsTokens) {
            return fail(ErrorCode::InvalidArgument, {}, {Argument(Detail::AllHeadsTooLong, {tokens, kAllHeadsTokens})});
        }
    }
    return checkFits(taken + bytesOf(request, shape, tokens) + lensWork(request, shape, tokens));
}

// NaN spreads from the place where it appeared to everything that is computed from it, which comes later in this order.
std::optional<StreamSizes::NotANumber> firstNotANumber(const StreamSizes& sizes) {
    using Part = StreamSizes::Part;
    for (std::size_t token = 0; token < sizes.tokens; ++token) {
        for (std::size_t block = 0; block < sizes.blocks; ++block) {
            const std::size_t at = block * sizes.tokens + token;
            for (const auto& [part, values] :
                 {std::pair(Part::Mixer, &sizes.mixer), std::pair(Part::FeedForward, &sizes.feedForward),
                  std::pair(Part::Stream, &sizes.stream)}) {
                if (std::isnan((*values)[at])) {
                    return StreamSizes::NotANumber{.token = token, .block = block, .part = part};
                }
            }
        }
    }
    return std::nullopt;
}

// The units of progress that look() counts.
std::uint64_t unitsOf(const InsideRequest& request, std::size_t tokens) {
    const std::size_t from = std::min(request.from, std::max<std::size_t>(tokens, 1) - 1);
    return tokens + (request.candidates != 0 ? tokens - from : 0);
}

// Leaves the beginning of the progress to its caller. `taken` is what other records have taken of kInsideBytes.
Result<Inside> look(const std::shared_ptr<const Model>& model, std::span<const TokenId> tokens,
                    const InsideRequest& request, const SessionOptions& options, std::uint64_t taken,
                    const JobContext& job) {
    const auto engine = GUFO_TRY(makeGenerator(model));
    const ModelShape& shape = engine->shape;
    GUFO_TRY(check(request, shape, tokens.size(), taken));
    const std::size_t from = std::min(request.from, tokens.size() - 1);
    SessionOptions fitting = options;
    fitting.context = static_cast<std::uint32_t>(tokens.size());
    fitting.ropeContext = options.ropeContext != 0 ? options.ropeContext : fitting.context;
    fitting.batch = std::min<std::uint32_t>({options.batch, kBatch, fitting.context});
    fitting.logitRows = 1;
    const auto session = GUFO_TRY(startEngineSession(engine, fitting, EngineSession::Yield::Logits));

    Recorder recorder(*engine, request, tokens.size());
    session->observe(&recorder);
    Inside& inside = recorder.inside();
    std::vector<float> logits;
    if (request.candidates != 0) {
        const std::size_t blocks = shape.blocks.size();
        const std::size_t seen = tokens.size() - from;
        const std::size_t candidates = std::min<std::size_t>(request.candidates, shape.vocabulary);
        inside.lens = LogitLens{.from = from,
                                .blocks = blocks,
                                .tokens = seen,
                                .candidates = candidates,
                                .cells = std::vector<LogitLens::Candidate>(blocks * seen * candidates),
                                .finals = std::vector<LogitLens::Final>(blocks * seen),
                                .becomes = std::vector<std::size_t>(seen, blocks)};
        const std::uint64_t rows = kLensBytes / (std::uint64_t{shape.vocabulary} * sizeof(float));
        const std::size_t atOnce =
            std::clamp<std::size_t>(rows, 1, std::min<std::size_t>(kLensRows, session->options().batch));
        logits.resize(atOnce * shape.vocabulary);
    }
    const bool recurrent = request.sizes && session->figures().stateBytesPerToken != 0;
    const JobContext inner = job.silent();
    for (std::size_t at = 0; at < tokens.size();) {
        const bool seen = at >= from;
        const std::size_t most = !seen         ? from - at
                                 : recurrent   ? 1
                                 : inside.lens ? lensBatch(shape)
                                               : tokens.size() - at;
        const std::size_t count = std::min<std::size_t>({most, session->options().batch, tokens.size() - at});
        if (seen && inside.lens) {
            recorder.keepReadouts(count);
        }
        recorder.expectLast(at + count == tokens.size());
        GUFO_TRY(session->evaluate(tokens.subspan(at, count), Logits::None, inner));
        GUFO_TRY(checkFits(taken + bytesOf(request, shape, tokens.size()) + recorder.stateBytes()));
        job.advance(count);
        if (seen && inside.lens) {
            GUFO_TRY(fillLens(*inside.lens, *session, recorder, at - from, count, logits, job));
            job.advance(count);
        }
        at += count;
    }
    if (inside.sizes) {
        inside.sizes->notANumber = firstNotANumber(*inside.sizes);
        // Attention over a batch multiplies values of later tokens by 0, which makes NaN of NaN. Only one token after
        // the other shows where it came from.
        if (inside.sizes->notANumber && session->options().batch > 1) {
            SessionOptions single = options;
            single.batch = 1;
            job.start(unitsOf(request, tokens.size()));
            return look(model, tokens, request, single, taken, job);
        }
    }
    inside.bytes = bytesOf(request, shape, tokens.size()) + recorder.stateBytes();
    return std::move(inside);
}

} // namespace

HeadSummary summariseHead(std::span<const float> weights, std::uint32_t first, bool hasSink) {
    double sum = 0;
    double entropy = 0;
    const auto count = [&](double p) { entropy -= p == 0 ? 0 : p * std::log(p); };
    for (const float weight : weights) {
        sum += static_cast<double>(weight);
        count(static_cast<double>(weight));
    }
    const double sink = hasSink ? std::max(1 - sum, 0.0) : 0;
    count(sink);
    return {.entropy = static_cast<float>(entropy),
            .first = first == 0 && !weights.empty() ? weights.front() : 0,
            .sink = static_cast<float>(sink)};
}

std::vector<std::uint64_t> ChosenExperts::load(std::size_t index) const {
    std::vector<std::uint64_t> load(count);
    for (const std::uint32_t expert : std::span(chosen).subspan(index * tokens * used, tokens * used)) {
        ++load[expert];
    }
    return load;
}

std::optional<std::size_t> InsideShape::firstAttending() const {
    const auto attends = std::ranges::find_if(heads, [](std::uint32_t count) { return count != 0; });
    return attends != heads.end() ? std::optional(static_cast<std::size_t>(attends - heads.begin())) : std::nullopt;
}

Result<InsideShape> insideShape(const Model& model) {
    const ModelShape shape = GUFO_TRY(readShape(model));
    InsideShape result{.experts = shape.experts.count};
    for (const BlockShape& block : shape.blocks) {
        result.heads.push_back(block.heads);
    }
    return result;
}

Result<Inside> lookInside(const std::shared_ptr<const Model>& model, std::span<const TokenId> tokens,
                          const InsideRequest& request, const SessionOptions& options, const JobContext& job) {
    job.start(unitsOf(request, tokens.size()));
    return look(model, tokens, request, options, 0, job);
}

Result<std::array<Inside, 2>> lookInsideBoth(const InsideSubject& first, const InsideSubject& second,
                                             std::span<const TokenId> tokens, const SessionOptions& options,
                                             const JobContext& job) {
    const ModelShape shape = GUFO_TRY(readShape(*first.model));
    const ModelShape otherShape = GUFO_TRY(readShape(*second.model));
    GUFO_TRY(check(first.request, shape, tokens.size(), 0));
    GUFO_TRY(check(second.request, otherShape, tokens.size(), bytesOf(first.request, shape, tokens.size())));
    job.start(unitsOf(first.request, tokens.size()) + unitsOf(second.request, tokens.size()));
    std::array<Inside, 2> both;
    both[0] = GUFO_TRY(look(first.model, tokens, first.request, options, 0, job));
    both[1] = GUFO_TRY(look(second.model, tokens, second.request, options, both[0].bytes, job));
    return both;
}

} // namespace gufo::inference
