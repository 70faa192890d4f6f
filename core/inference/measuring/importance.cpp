#include "inference/measuring/importance.h"

#include "base/detail.h"
#include "base/quick_hash.h"

#include <algorithm>

namespace gufo::inference {
namespace {

constexpr std::string_view kBlocks = "blk.";

std::uint64_t matricesOf(const TensorInfo& tensor) {
    const std::uint64_t rows = tensor.shape.rows().value_or(0);
    return tensor.shape[1] != 0 ? rows / tensor.shape[1] : 0;
}

// Ends listening when the collection does, whatever its result.
class Listening {
public:
    Listening(Session& session, ProductListener& listener)
        : m_session(session)
        , m_possible(session.listen(&listener)) {}
    ~Listening() { m_session.listen(nullptr); }
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;
    [[nodiscard]] bool possible() const { return m_possible; }

private:
    Session& m_session;
    bool m_possible;
};

} // namespace

ImportanceCollector::Sums* ImportanceCollector::sumsOf(TensorIndex tensor, std::size_t columns) {
    if (const auto known = m_sums.find(tensor.value); known != m_sums.end()) {
        return &known->second;
    }
    const TensorInfo& info = m_model.tensor(tensor);
    if (!info.name.starts_with(kBlocks) || info.shape[0] != columns) {
        return nullptr;
    }
    const std::uint64_t matrices = matricesOf(info);
    Sums& sums = m_sums[tensor.value];
    sums.squares.resize(matrices * columns);
    sums.counts.resize(matrices);
    return &sums;
}

void ImportanceCollector::inputs(std::span<const Factor> factors, const Input& input) {
    m_squares.assign(input.columns, 0.0);
    for (std::size_t t = 0; t < input.tokens; ++t) {
        const float* row = input.rows + t * input.stride;
        for (std::size_t c = 0; c < input.columns; ++c) {
            m_squares[c] += static_cast<double>(row[c]) * static_cast<double>(row[c]);
        }
    }
    for (const Factor& factor : factors) {
        Sums* sums = sumsOf(factor.tensor, input.columns);
        if (sums == nullptr || factor.matrix >= sums->counts.size()) {
            continue;
        }
        double* to = sums->squares.data() + factor.matrix * input.columns;
        std::transform(m_squares.begin(), m_squares.end(), to, to, std::plus());
        sums->counts[factor.matrix] += input.tokens;
    }
}

Result<> ImportanceCollector::restore(const std::vector<ImatrixEntry>& entries) {
    for (const ImatrixEntry& entry : entries) {
        const auto index = m_model.findTensor(entry.name);
        Sums* sums = index ? sumsOf(*index, entry.columns) : nullptr;
        if (sums == nullptr || sums->squares.size() != entry.sums.size() ||
            sums->counts.size() != entry.counts.size()) {
            const std::uint64_t columns = index ? m_model.tensor(*index).shape[0] : 0;
            return fail(ErrorCode::InvalidArgument, Place::tensor(entry.name),
                        {Argument(Detail::ImatrixOtherModel, {entry.sums.size(), columns})});
        }
        sums->squares = entry.sums;
        sums->counts = entry.counts;
    }
    return {};
}

std::vector<ImatrixEntry> ImportanceCollector::entries() const {
    std::vector<ImatrixEntry> entries;
    for (const auto& [tensor, sums] : m_sums) {
        const TensorInfo& info = m_model.tensor(TensorIndex(tensor));
        entries.push_back(
            {.name = std::string(info.name), .columns = info.shape[0], .sums = sums.squares, .counts = sums.counts});
    }
    std::ranges::sort(entries, {}, &ImatrixEntry::name);
    return entries;
}

std::uint64_t importanceOrigin(const Model& model, std::span<const TokenId> tokens,
                               const ImportanceSettings& settings) {
    constexpr std::size_t kBeginning = 4'096;
    const std::uint64_t size = settings.chunk;
    std::uint64_t hash = quickHash(std::as_bytes(std::span(&size, 1)));
    hash = quickHash(std::as_bytes(tokens), hash);
    for (const TensorInfo& tensor : model.tensors) {
        hash = quickHash(std::as_bytes(std::span(tensor.name)), hash);
        hash = quickHash(std::as_bytes(tensor.shape.dims()), hash);
        if (const auto bytes = model.bytesOf(tensor)) {
            hash = quickHash(bytes->first(std::min(bytes->size(), kBeginning)), hash);
        }
    }
    return hash;
}

Result<ImatrixContents> collectImportance(Session& session, const Model& model, std::span<const TokenId> tokens,
                                          const ImportanceSettings& settings, const ImatrixContents* begun,
                                          const SaveImportance& save, const JobContext& job) {
    const std::uint64_t inText = tokens.size() / settings.chunk;
    if (inText == 0) {
        return fail(ErrorCode::InvalidArgument, {},
                    {Argument(Detail::WindowTooLong, {tokens.size(), std::uint64_t{settings.chunk}})});
    }
    const std::uint64_t chunks = settings.maximum != 0 ? std::min(settings.maximum, inText) : inText;
    ImportanceCollector collector(model);
    ImatrixContents contents{.datasets = settings.datasets, .chunkSize = settings.chunk};
    if (begun != nullptr) {
        GUFO_TRY(collector.restore(begun->entries));
        contents.chunks = begun->chunks;
    }
    const Listening listening(session, collector);
    if (!listening.possible()) {
        return fail(ErrorCode::NotSupported, {}, {std::string("imatrix")});
    }
    job.start(chunks * settings.chunk);
    job.advance(std::min(contents.chunks, chunks) * settings.chunk);
    const JobContext inner = job.silent();
    std::uint64_t saved = contents.chunks;
    // A chunk that is cancelled has already changed the sums.
    const auto saveBefore = [&](std::vector<ImatrixEntry> entries) -> Result<> {
        if (contents.chunks == saved) {
            return {};
        }
        contents.entries = std::move(entries);
        return save(contents);
    };
    while (contents.chunks < chunks) {
        std::vector<ImatrixEntry> before = collector.entries();
        const auto part = tokens.subspan(contents.chunks * settings.chunk, settings.chunk);
        std::vector<TokenId> chunk(part.begin(), part.end());
        chunk.front() = settings.bos.value_or(chunk.front());
        session.truncate(0);
        if (auto done = session.evaluate(chunk, Logits::None, inner); !done) {
            auto kept = done.error().code == ErrorCode::Cancelled ? saveBefore(std::move(before)) : Result<>();
            return std::unexpected(std::move(kept ? done.error() : kept.error()));
        }
        ++contents.chunks;
        job.advance(settings.chunk);
        if (settings.saveEvery != 0 && contents.chunks % settings.saveEvery == 0 && contents.chunks < chunks) {
            contents.entries = collector.entries();
            GUFO_TRY(save(contents));
            saved = contents.chunks;
        }
    }
    contents.entries = collector.entries();
    return contents;
}

} // namespace gufo::inference
