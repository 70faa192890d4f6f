#include "inference/measuring/blame.h"

#include "base/detail.h"
#include "base/try.h"
#include "inference/engine/layered_run.h"
#include "inference/interface/run_observer.h"
#include "inference/measuring/perplexity.h"
#include "model/swapped_model.h"
#include "model/tensor_role.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace gufo::inference {
namespace {

constexpr std::size_t kShortestText = 4;
constexpr std::size_t kComparedAtOnce = std::size_t{1} << 20U; // bytes, between which a comparison can be cancelled

// Whether the weights of a tensor, or of one of its matrices, are stored with the same bytes. `cancelled` ends the
// comparison.
bool areEqual(const Model& a, const TensorInfo& one, const Model& b, const TensorInfo& two,
              std::optional<std::uint64_t> matrix, const JobContext& job) {
    const auto left = a.bytesOf(one);
    const auto right = b.bytesOf(two);
    if (one.typeId != two.typeId || one.strides != nullptr || two.strides != nullptr || !left || !right ||
        left->size() != right->size()) {
        return false;
    }
    std::size_t begin = 0;
    std::size_t end = left->size();
    if (matrix) {
        const std::size_t size = left->size() / matricesOf(one);
        begin = *matrix * size;
        end = begin + size;
    }
    for (; begin < end && !job.stopRequested(); begin += kComparedAtOnce) {
        const std::size_t count = std::min(kComparedAtOnce, end - begin);
        if (std::memcmp(left->data() + begin, right->data() + begin, count) != 0) {
            return false;
        }
    }
    return true;
}

// The first block whose result a tensor changes.
std::size_t firstBlockOf(const TensorName& name, std::size_t blocks) {
    if (name.block) {
        return *name.block;
    }
    return name.role.starts_with("output") ? blocks : 0;
}

// Groups tensors into parts.
class Grouping {
public:
    Grouping(BlameBy by, std::size_t blocks)
        : m_by(by)
        , m_blocks(blocks) {}

    void add(const TensorInfo& tensor, TensorIndex index, std::optional<std::uint64_t> expert = {}) {
        const TensorName name = parseTensorName(tensor.name);
        std::string title;
        if (expert) {
            title = "blk." + std::to_string(name.block.value_or(0)) + '[' + std::to_string(*expert) + ']';
        } else if (m_by == BlameBy::Tensor) {
            title = std::string(tensor.name);
        } else if (m_by == BlameBy::Role || !name.block) {
            title = std::string(name.role);
        } else {
            title = "blk." + std::to_string(*name.block);
        }
        const auto [at, added] = m_index.try_emplace(title, m_parts.size());
        const std::size_t first = firstBlockOf(name, m_blocks);
        if (added) {
            m_parts.push_back({.name = title, .tensors = {}, .expert = expert, .firstBlock = first});
        }
        BlamePart& part = m_parts[at->second];
        part.tensors.push_back(index);
        part.firstBlock = std::min(part.firstBlock, first);
    }

    [[nodiscard]] std::vector<BlamePart> take() {
        std::vector<std::size_t> order(m_parts.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(m_parts[i].firstBlock, i); });
        std::vector<BlamePart> sorted;
        for (const std::size_t i : order) {
            sorted.push_back(std::move(m_parts[i]));
        }
        return sorted;
    }

private:
    BlameBy m_by;
    std::size_t m_blocks;
    std::vector<BlamePart> m_parts;
    std::map<std::string, std::size_t> m_index;
};

bool isStackOfExperts(const TensorInfo& tensor) {
    const TensorName name = parseTensorName(tensor.name);
    return name.fact != nullptr && name.fact->experts && name.block && matricesOf(tensor) > 1;
}

// Which experts a run has used: an expert that no token was routed to does not matter to the result.
class UsedExperts final : public RunObserver {
public:
    void experts(const Batch& batch, std::size_t /*used*/, std::span<const std::uint32_t> chosen,
                 std::span<const float> /*weights*/) override {
        for (const std::uint32_t expert : chosen) {
            m_used.emplace(batch.block, expert);
        }
    }
    [[nodiscard]] bool has(std::size_t block, std::uint64_t expert) const { return m_used.contains({block, expert}); }

private:
    std::set<std::pair<std::size_t, std::uint64_t>> m_used;
};

std::vector<TensorSwap> swapsOf(const BlamePart& part, const Model& base, const std::shared_ptr<const Model>& other,
                                const Model& first) {
    std::vector<TensorSwap> swaps;
    for (const TensorIndex index : part.tensors) {
        const auto inBase = base.findTensor(first.tensor(index).name);
        swaps.push_back({.tensor = *inBase, .from = other, .matrix = part.expert});
    }
    return swaps;
}

// The logits of all scored positions.
std::vector<float> scoredLogits(Session& session, std::size_t rows) {
    const auto all = session.logits(0);
    return {all.data(), all.data() + rows * all.size()};
}

double meanDivergence(std::span<const float> reference, Session& session, std::size_t rows) {
    const std::size_t vocabulary = session.vocabulary();
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        sum += divergenceOf(reference.subspan(row * vocabulary, vocabulary), session.logits(row));
    }
    return sum / static_cast<double>(rows);
}

// Runs a model with parts of another one.
class Walk {
public:
    Walk(const BlameText& text, const BlameParts& parts, const Model& first, const SessionOptions& options,
         const JobContext& job)
        : m_text(text)
        , m_parts(parts)
        , m_first(first)
        , m_options(options)
        , m_job(job)
        , m_inner(job.silent()) {}

    [[nodiscard]] Result<> open(const std::shared_ptr<const Model>& a, const std::shared_ptr<const Model>& b) {
        const std::array models{a, b};
        m_run.reset(); // its memory is needed again
        m_run = GUFO_TRY(LayeredRun::open(models, m_options));
        return {};
    }
    [[nodiscard]] Session& session() { return m_run->session(); }

    // Evaluates all blocks with the weights of `model`, whose logits the session then has.
    [[nodiscard]] Result<> whole(const std::shared_ptr<const Model>& model) {
        GUFO_TRY(m_run->use(model));
        m_used = {};
        m_run->session().observe(&m_used);
        const auto done = evaluate({});
        m_run->session().observe(nullptr);
        return done;
    }

    // Calls take(part, session) after each run of `base` with a part from `other`. whole(base) must have been called
    // last. Parts without any effect are left out.
    template<typename Take>
    [[nodiscard]] Result<> each(const std::shared_ptr<const Model>& base, const std::shared_ptr<const Model>& other,
                                const Take& take) {
        std::vector<float> rows;
        std::size_t at = 0;
        for (std::size_t i = 0; i < m_parts.parts.size(); ++i) {
            const BlamePart& part = m_parts.parts[i];
            if (part.expert && !m_used.has(part.firstBlock, *part.expert)) {
                m_job.advance(m_parts.blocks - part.firstBlock);
                continue;
            }
            const auto swapped = GUFO_TRY(swapTensors(base, swapsOf(part, *base, other, m_first)));
            const bool own = std::ranges::any_of(part.tensors, [&](TensorIndex tensor) {
                return LayeredRun::isReadAtBegin(m_first.tensor(tensor).name);
            });
            if (own) {
                const std::array models{swapped, base, other};
                const auto run = GUFO_TRY(LayeredRun::open(models, m_options));
                GUFO_TRY(run->session().evaluateBlocks(m_text.tokens, {}, nullptr, m_text.firstScored, m_inner));
                m_job.advance(m_parts.blocks - part.firstBlock);
                take(i, run->session());
                continue;
            }
            if (part.firstBlock > at) {
                std::vector<float> after;
                GUFO_TRY(m_run->session().evaluateBlocks(m_text.tokens,
                                                         {.first = at, .end = part.firstBlock, .entering = rows},
                                                         &after, m_text.tokens.size(), m_inner));
                m_job.advance(part.firstBlock - at);
                rows = std::move(after);
                at = part.firstBlock;
            }
            GUFO_TRY(m_run->use(swapped));
            GUFO_TRY(evaluate({.first = at, .entering = rows}));
            take(i, m_run->session());
            GUFO_TRY(m_run->use(base));
        }
        m_job.advance(m_parts.blocks - at);
        return {};
    }

private:
    // Evaluates up to the end, and makes the logits of the scored positions.
    [[nodiscard]] Result<> evaluate(const BlockRange& range) {
        GUFO_TRY(m_run->session().evaluateBlocks(m_text.tokens, range, nullptr, m_text.firstScored, m_inner));
        m_job.advance(m_parts.blocks - std::min(range.first, m_parts.blocks));
        return {};
    }

    const BlameText& m_text;
    const BlameParts& m_parts;
    const Model& m_first;
    const SessionOptions& m_options;
    JobContext m_job;
    JobContext m_inner;
    std::unique_ptr<LayeredRun> m_run;
    UsedExperts m_used;
};

SessionOptions optionsFor(const BlameText& text, const SessionOptions& options) {
    SessionOptions result = options;
    result.context = static_cast<std::uint32_t>(text.tokens.size());
    result.ropeContext = result.ropeContext != 0 ? result.ropeContext : result.context;
    result.logitRows = static_cast<std::uint32_t>(text.scored());
    return result;
}

std::uint64_t evaluatedBlocks(const BlameParts& parts) {
    std::uint64_t blocks = 4 * std::uint64_t{parts.blocks}; // both models alone, and both walks
    for (const BlamePart& part : parts.parts) {
        blocks += 2 * (parts.blocks - std::min(parts.blocks, part.firstBlock));
    }
    return blocks;
}

// Which experts each token of a block is routed to.
class Routes final : public RunObserver {
public:
    void experts(const Batch& /*batch*/, std::size_t used, std::span<const std::uint32_t> chosen,
                 std::span<const float> /*weights*/) override {
        m_used = used;
        m_chosen.assign(chosen.begin(), chosen.end());
    }
    void forget() { m_chosen.clear(); }
    [[nodiscard]] std::size_t tokens() const { return m_chosen.empty() ? 0 : m_chosen.size() / m_used; }
    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t token) const {
        return std::span(m_chosen).subspan(token * m_used, m_used);
    }

private:
    std::size_t m_used = 1;
    std::vector<std::uint32_t> m_chosen;
};

std::vector<std::vector<std::uint32_t>> expertsOf(const Routes& routes) {
    std::vector<std::vector<std::uint32_t>> experts;
    for (std::size_t t = 0; t < routes.tokens(); ++t) {
        const auto chosen = routes.of(t);
        experts.emplace_back(chosen.begin(), chosen.end());
    }
    return experts;
}

std::vector<double> sameExperts(const Routes& a, const Routes& b) {
    std::vector<double> shares;
    for (std::size_t t = 0; t < std::min(a.tokens(), b.tokens()); ++t) {
        const auto other = b.of(t);
        const auto same = std::ranges::count_if(
            a.of(t), [&](std::uint32_t expert) { return std::ranges::find(other, expert) != other.end(); });
        shares.push_back(static_cast<double>(same) / static_cast<double>(a.of(t).size()));
    }
    return shares;
}

LayerDistance distanceOf(std::span<const float> a, std::span<const float> b, std::size_t tokens) {
    LayerDistance distance;
    const std::size_t width = a.size() / tokens;
    for (std::size_t t = 0; t < tokens; ++t) {
        double aa = 0;
        double bb = 0;
        double ab = 0;
        double difference = 0;
        for (std::size_t i = t * width; i < (t + 1) * width; ++i) {
            const auto x = static_cast<double>(a[i]);
            const auto y = static_cast<double>(b[i]);
            aa += x * x;
            bb += y * y;
            ab += x * y;
            difference += (y - x) * (y - x);
        }
        // Two rows of zeros are the same; one row of zeros has no direction.
        distance.relative.push_back(difference == 0 ? 0 : std::sqrt(difference / aa));
        distance.cosine.push_back(difference == 0 ? 1 : ab / std::sqrt(aa * bb));
    }
    return distance;
}

} // namespace

double BlameParts::runs() const {
    return blocks == 0 ? 0 : static_cast<double>(evaluatedBlocks(*this)) / static_cast<double>(blocks);
}

Result<BlameParts> blameParts(const Model& a, const Model& b, BlameBy by,
                              const std::function<bool(std::string_view tensor)>& wanted, const JobContext& job) {
    GUFO_TRY(checkSwappable(a, b));
    auto shape = GUFO_TRY(readShape(a));
    const Weights weights = GUFO_TRY(bindWeights(a, shape, SmallTensors::NotViewed));
    const std::set<std::string_view> leftOut(weights.leftOut.begin(), weights.leftOut.end());
    BlameParts result{.parts = {}, .blocks = shape.blocks.size()};
    Grouping grouping(by, result.blocks);
    bool hasExperts = false;
    for (std::size_t i = 0; i < a.tensors.size(); ++i) {
        GUFO_TRY(job.check());
        const TensorInfo& tensor = a.tensors[i];
        const TensorInfo& partner = b.tensor(*b.findTensor(tensor.name));
        const bool experts = by == BlameBy::Expert && isStackOfExperts(tensor);
        hasExperts = hasExperts || experts;
        if (wanted && !wanted(tensor.name)) {
            continue;
        }
        if (areEqual(a, tensor, b, partner, {}, job)) {
            ++result.equal;
        } else if (leftOut.contains(tensor.name)) {
            ++result.unused;
        } else if (!experts) {
            grouping.add(tensor, TensorIndex(i));
        } else {
            for (std::uint64_t expert = 0; expert < matricesOf(tensor); ++expert) {
                if (!areEqual(a, tensor, b, partner, expert, job)) {
                    grouping.add(tensor, TensorIndex(i), expert);
                }
            }
        }
    }
    GUFO_TRY(job.check());
    if (by == BlameBy::Expert && !hasExperts) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::NoExperts});
    }
    result.parts = grouping.take();
    return result;
}

Result<BlameText> blameText(std::span<const TokenId> tokens, std::size_t window, std::optional<TokenId> bos,
                            std::optional<std::size_t> position) {
    const std::size_t length = std::min(window, tokens.size());
    if (length < kShortestText) {
        return fail(ErrorCode::InvalidArgument, {}, {Argument(Detail::WindowTooLong, {length, kShortestText})});
    }
    BlameText text{.tokens = {tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(length - 1)},
                   .firstScored = length / 2};
    if (bos) {
        text.tokens.front() = *bos;
    }
    if (position) {
        if (*position >= text.scored()) {
            return fail(ErrorCode::InvalidArgument, {},
                        {Argument(Detail::NoScoredPosition, {*position, text.scored()})});
        }
        text.firstScored += *position;
        text.tokens.resize(text.firstScored + 1);
    }
    return text;
}

double Blame::interactionFromOther() const {
    return std::accumulate(shares.begin(), shares.end(), total,
                           [](double rest, const BlameShare& share) { return rest - share.fromOther; });
}

double Blame::interactionRestored() const {
    return std::accumulate(shares.begin(), shares.end(), total,
                           [](double rest, const BlameShare& share) { return rest - share.restored; });
}

Result<Blame> blame(const std::shared_ptr<const Model>& a, const std::shared_ptr<const Model>& b, const BlameText& text,
                    const BlameParts& parts, const SessionOptions& options, const BlameSeen& seen,
                    const JobContext& job) {
    job.start(evaluatedBlocks(parts));
    const SessionOptions fitting = optionsFor(text, options);
    Walk walk(text, parts, *a, fitting, job);
    GUFO_TRY(walk.open(a, b));
    Blame result{.shares = std::vector<BlameShare>(parts.parts.size())};
    const std::size_t rows = text.scored();
    GUFO_TRY(walk.whole(a));
    const std::vector<float> reference = scoredLogits(walk.session(), rows);
    auto done = walk.each(a, b, [&](std::size_t part, Session& session) {
        result.shares[part].fromOther = meanDivergence(reference, session, rows);
        seen(part, result);
    });
    GUFO_TRY(done);
    GUFO_TRY(walk.open(b, a)); // data that is read when a session begins now comes from b
    GUFO_TRY(walk.whole(b));
    result.total = meanDivergence(reference, walk.session(), rows);
    done = walk.each(b, a, [&](std::size_t part, Session& session) {
        result.shares[part].restored = result.total - meanDivergence(reference, session, rows);
        seen(part, result);
    });
    GUFO_TRY(done);
    return result;
}

Result<std::vector<LayerDistance>> layerDistances(const std::shared_ptr<const Model>& a,
                                                  const std::shared_ptr<const Model>& b, const BlameText& text,
                                                  const SessionOptions& options, const JobContext& job) {
    SessionOptions fitting = optionsFor(text, options);
    fitting.logitRows = 1;
    const JobContext inner = job.silent();
    struct Side {
        std::unique_ptr<LayeredRun> run;
        std::vector<float> rows{};
        Routes routes{};
    };
    std::array<Side, 2> sides;
    for (const auto& [side, model] : {std::pair(&sides[0], &a), std::pair(&sides[1], &b)}) {
        side->run = GUFO_TRY(LayeredRun::open({model, 1}, fitting));
        side->run->session().observe(&side->routes);
    }
    const std::size_t blocks = sides[0].run->blocks();
    const std::size_t tokens = text.tokens.size();
    job.start(2 * blocks);
    std::vector<LayerDistance> distances;
    for (std::size_t block = 0; block < blocks; ++block) {
        for (Side& side : sides) {
            side.routes.forget();
            std::vector<float> after;
            GUFO_TRY(side.run->session().evaluateBlocks(
                text.tokens, {.first = block, .end = block + 1, .entering = side.rows}, &after, tokens, inner));
            side.rows = std::move(after);
            job.advance(1);
        }
        // Further streams follow the one on which the blocks work.
        const std::size_t size = tokens * sides[0].run->session().width();
        distances.push_back(
            distanceOf(std::span(sides[0].rows).first(size), std::span(sides[1].rows).first(size), tokens));
        distances.back().sameExperts = sameExperts(sides[0].routes, sides[1].routes);
        distances.back().expertsOfA = expertsOf(sides[0].routes);
        distances.back().expertsOfB = expertsOf(sides[1].routes);
    }
    return distances;
}

} // namespace gufo::inference
