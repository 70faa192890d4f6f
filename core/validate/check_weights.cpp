// The checks that read weights: values that are not finite, and files that load without an error and answer nonsense.
#include "analysis/scan.h"
#include "base/quick_hash.h"
#include "base/try.h"
#include "model/finding_code.h"
#include "model/token.h"
#include "tensor/decode.h"
#include "tensor/kernels/kernels.h"
#include "text/template/template_markers.h"
#include "validate/checks.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <deque>
#include <map>

namespace gufo {
namespace {

// No trained model has weights beyond this, and half-precision activations would overflow.
constexpr double kHugeWeight = 1e6;

template<typename T>
void raise(std::atomic<T>& value, T to) {
    for (T seen = value; to > seen && !value.compare_exchange_weak(seen, to);) {
    }
}
template<typename T>
void lower(std::atomic<T>& value, T to) {
    for (T seen = value; to < seen && !value.compare_exchange_weak(seen, to);) {
    }
}

// Properties of the weights of one tensor, counted by several workers at once.
struct WeightCounts {
    std::atomic<std::uint64_t> nans = 0;
    std::atomic<std::uint64_t> infinities = 0;
    std::atomic<std::uint64_t> first = ~std::uint64_t{0}; // index of the first value that is not finite
    std::atomic<bool> allZero = true;
    std::atomic<double> min = std::numeric_limits<double>::infinity();
    std::atomic<double> max = -std::numeric_limits<double>::infinity();
    // The tensor in parts of equal size: its experts, or else its rows. 0: it is not divided.
    std::uint64_t partWeights = 0;
    std::deque<std::atomic<bool>> partHasWeights{};
    std::deque<std::atomic<float>> partSquares{}; // sums of squares; only of embeddings

    [[nodiscard]] double largest() const { return std::max(std::abs(min.load()), std::abs(max.load())); }
    [[nodiscard]] bool isConstant() const { return min == max; }
};

template<typename T>
PowerSums sumsOf(const T* values, std::size_t size) {
    if constexpr (std::is_same_v<T, float>) {
        return activeKernels().sumFloats(values, size, 0);
    } else {
        PowerSums sums;
        for (const T value : std::span(values, size)) {
            sums.zeros += value == 0 ? 1 : 0;
            sums.nans += std::isnan(value) ? 1 : 0;
            sums.infinities += std::isinf(value) ? 1 : 0;
            if (std::isfinite(value)) {
                sums.min = std::min(sums.min, value);
                sums.max = std::max(sums.max, value);
                sums.sum2 += value * value;
            }
        }
        return sums;
    }
}

// `values` are in one part of the tensor.
template<typename T>
void countValues(WeightCounts& counts, const T* values, std::size_t size, std::uint64_t firstIndex) {
    const PowerSums sums = sumsOf(values, size);
    if (sums.zeros != size) {
        counts.allZero = false;
        if (counts.partWeights != 0) {
            counts.partHasWeights[firstIndex / counts.partWeights] = true;
        }
    }
    if (!counts.partSquares.empty()) {
        counts.partSquares[firstIndex / counts.partWeights] += static_cast<float>(sums.sum2);
    }
    lower(counts.min, sums.min);
    raise(counts.max, sums.max);
    if (sums.nans + sums.infinities != 0) {
        counts.nans += sums.nans;
        counts.infinities += sums.infinities;
        const auto* found = std::find_if(values, values + size, [](T value) { return !std::isfinite(value); });
        lower(counts.first, firstIndex + static_cast<std::uint64_t>(found - values));
    }
}

template<typename T>
void countPiece(WeightCounts& counts, const T* values, std::size_t size, std::uint64_t firstIndex) {
    for (std::size_t at = 0; at < size;) {
        const std::uint64_t left =
            counts.partWeights == 0 ? size : counts.partWeights - (firstIndex + at) % counts.partWeights;
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(size - at, left));
        countValues(counts, values + at, count, firstIndex + at);
        at += count;
    }
}

// ---- the parts of a tensor

class Weights {
public:
    Weights(const CheckContext& context, FindingList& findings)
        : m_context(context)
        , m_findings(findings)
        , m_scan(context.model.byteOrder) {}

    Result<CheckOutcome> check() {
        GUFO_TRY(read());
        for (std::size_t i = 0; i < m_tensors.size(); ++i) {
            judge(i);
        }
        if (m_unread != 0) {
            m_findings.add(FindingCode::WeightsNotRead, {}, {m_unread});
        }
        if (isModel()) {
            GUFO_TRY(findEqualTensors());
        }
        return CheckOutcome::Ran;
    }

private:
    [[nodiscard]] bool isModel() const { return m_context.kind == FileKind::Model; }
    [[nodiscard]] const TensorInfo& tensor(std::size_t item) const { return m_context.model.tensors[m_tensors[item]]; }
    [[nodiscard]] const TensorName& name(std::size_t item) const { return m_context.names[m_tensors[item]]; }
    [[nodiscard]] bool isEmbedding(std::size_t item) const {
        return tensor(item).name == "token_embd.weight" || tensor(item).name == "output.weight";
    }
    // The number of experts that the tensor holds, or 1.
    [[nodiscard]] std::uint64_t expertsOf(std::size_t item) const {
        return name(item).role.ends_with("_exps") && tensor(item).shape.count() == 3 ? tensor(item).shape[2] : 1;
    }
    void add(FindingCode code, std::size_t item, Arguments args = {}) {
        m_findings.add(code, Place::tensor(std::string(tensor(item).name)), std::move(args));
    }

    Result<> read() {
        const Model& model = m_context.model;
        for (std::size_t i = 0; i < model.tensors.size(); ++i) {
            const TensorInfo& each = model.tensors[i];
            if (each.type() != nullptr && each.type()->kind == TensorTypeKind::Integer) {
                continue; // every value of the type is finite
            }
            if (m_scan.add(model, each)) {
                m_tensors.push_back(i);
            } else {
                ++m_unread;
            }
        }
        for (std::size_t i = 0; i < m_tensors.size(); ++i) {
            WeightCounts& counts = m_counts.emplace_back();
            divide(i, counts);
        }
        m_context.job.start(m_scan.bytes());
        return m_scan.run(
            m_context.job, [](const ScanItem&) { return true; },
            [&](const ScanSlot& slot, unsigned) {
                WeightCounts& counts = m_counts[static_cast<std::size_t>(slot.item - m_scan.items().data())];
                std::uint64_t index = slot.firstWeight;
                static_cast<void>(forEachPiece(slot, m_context.job, [&](const auto* values, std::size_t size) {
                    countPiece(counts, values, size, index);
                    index += size;
                }));
            });
    }

    void divide(std::size_t item, WeightCounts& counts) const {
        constexpr std::uint64_t kShortRow = 32; // so short ones are zero by chance, or by rounding
        constexpr std::uint64_t kMostParts = std::uint64_t{1} << 22U;
        if (!isModel() || !m_context.isMatrix(m_tensors[item])) {
            return;
        }
        const Shape& shape = tensor(item).shape;
        const std::uint64_t weights = m_scan.items()[item].weights;
        const std::uint64_t part = expertsOf(item) > 1 ? tensor(item).weights() / expertsOf(item) : shape[0];
        if (part < kShortRow || weights % part != 0 || weights / part > kMostParts) {
            return;
        }
        counts.partWeights = part;
        counts.partHasWeights.resize(weights / part);
        if (isEmbedding(item)) {
            counts.partSquares.resize(weights / part);
        }
    }

    void judge(std::size_t item) {
        const WeightCounts& count = m_counts[item];
        if (count.nans + count.infinities != 0) {
            m_findings.add(FindingCode::WeightsNotFinite, Place::tensor(std::string(tensor(item).name), count.first),
                           {count.nans.load(), count.infinities.load(), count.first.load()});
        }
        if (!isModel() || m_scan.items()[item].weights == 0) {
            return;
        }
        const bool isMatrix = m_context.isMatrix(m_tensors[item]);
        const bool isNorm = name(item).role.ends_with("norm") && name(item).suffix == "weight";
        // A matrix of zeros has no effect; in a file that was downloaded in parts it indicates a missing part.
        if (count.allZero) {
            if (isMatrix) {
                add(FindingCode::WeightsAllZero, item);
            } else if (isNorm) {
                add(FindingCode::NormZero, item);
            }
            return;
        }
        if ((isMatrix || isNorm) && std::isfinite(count.largest()) && count.largest() > kHugeWeight) {
            add(FindingCode::WeightsHuge, item,
                {std::to_string(static_cast<std::int64_t>(std::min(count.largest(), 9e18)))});
        }
        if (isMatrix && count.isConstant()) {
            add(FindingCode::WeightsConstant, item);
        } else if (expertsOf(item) > 1) {
            judgeExperts(item);
        } else if (isEmbedding(item)) {
            judgeEmbedding(item);
        } else if (!count.partHasWeights.empty()) {
            judgeRows(item);
        }
    }

    void judgeExperts(std::size_t item) {
        const auto& has = m_counts[item].partHasWeights;
        const auto zero =
            static_cast<std::uint64_t>(std::ranges::count_if(has, [](const auto& part) { return !part; }));
        if (zero != 0) {
            const auto first = std::ranges::find_if(has, [](const auto& part) { return !part; }) - has.begin();
            add(FindingCode::ExpertsZero, item,
                {zero, static_cast<std::uint64_t>(has.size()), static_cast<std::uint64_t>(first)});
        }
    }

    // A hole in a file zeroes rows that follow each other.
    void judgeRows(std::size_t item) {
        const auto& has = m_counts[item].partHasWeights;
        std::uint64_t longest = 0;
        std::uint64_t end = 0;
        std::uint64_t run = 0;
        for (std::uint64_t row = 0; row < has.size(); ++row) {
            run = has[row] ? 0 : run + 1;
            if (run > longest) {
                longest = run;
                end = row;
            }
        }
        constexpr std::uint64_t kFewest = 4;
        constexpr std::uint64_t kShare = 20; // of the rows
        if (longest >= std::max<std::uint64_t>(kFewest, has.size() / kShare)) {
            add(FindingCode::RowsZero, item, {end + 1 - longest, end, static_cast<std::uint64_t>(has.size())});
        }
    }

    // The rows of tokens that the model is told to use: those named by keys, and the markers of the template.
    void judgeEmbedding(std::size_t item) {
        const auto& squares = m_counts[item].partSquares;
        if (squares.empty() || m_context.vocabulary.empty()) {
            return;
        }
        std::vector<float> sorted(squares.begin(), squares.end());
        std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2));
        const float median = sorted[sorted.size() / 2];
        constexpr float kUntrained = 1e-6F; // of the median of the squares: a thousandth of the length
        for (const auto& [id, text] : usedTokens()) {
            if (id < squares.size() && squares[id] < median * kUntrained) {
                add(FindingCode::TokenUntrained, item, {text, id});
            }
        }
    }

    [[nodiscard]] std::map<std::uint64_t, std::string> usedTokens() const {
        std::map<std::uint64_t, std::string> used;
        const auto insert = [&](std::uint64_t id) {
            if (id < m_context.vocabulary.size()) {
                used.emplace(id, std::string(m_context.vocabulary.tokens()[id]));
            }
        };
        for (const char* key : {"tokenizer.ggml.bos_token_id", "tokenizer.ggml.eos_token_id",
                                "tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"}) {
            if (const auto id = m_context.metadata.uint(key)) {
                insert(*id);
            }
        }
        if (const auto source = m_context.metadata.string("tokenizer.chat_template")) {
            for (const text::SourceRange& marker : text::printedMarkers(*source)) {
                if (const auto id = m_context.vocabulary.find(source->substr(marker.offset, marker.length))) {
                    insert(*id);
                }
            }
        }
        return used;
    }

    // ---- equal tensors and experts

    // A hash of samples, which differs for nearly all bytes that differ.
    static std::uint64_t sampled(Bytes bytes) {
        constexpr std::size_t kSample = 512;
        std::uint64_t hash = bytes.size();
        for (const std::size_t part : {1, 2, 3}) {
            const std::size_t at = bytes.size() / 4 * part;
            hash = quickHash(bytes.subspan(at, std::min(kSample, bytes.size() - at)), hash);
        }
        return hash;
    }
    static bool areEqual(Bytes a, Bytes b) {
        return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
    }

    Result<> findEqualTensors() {
        // For each role, the tensors of all blocks; for each block, how many of its matrices equal a matrix of another
        // block.
        std::map<std::tuple<std::string_view, std::uint32_t, std::uint64_t>, std::vector<std::size_t>> alike;
        std::map<std::uint32_t, std::uint64_t> matrices;
        for (std::size_t i = 0; i < m_tensors.size(); ++i) {
            constexpr std::uint64_t kFewWeights = 1024;
            const WeightCounts& counts = m_counts[i];
            const auto bytes = m_context.model.bytesOf(tensor(i));
            const bool counted = m_context.isMatrix(m_tensors[i]) && name(i).block && !counts.allZero &&
                                 !counts.isConstant() && tensor(i).weights() >= kFewWeights;
            if (!bytes || !counted) {
                continue;
            }
            GUFO_TRY(m_context.job.check());
            if (expertsOf(i) > 1) {
                findEqualExperts(i, *bytes);
            }
            ++matrices[*name(i).block];
            alike[{name(i).role, tensor(i).typeId, sampled(*bytes)}].push_back(i);
        }
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> equal; // by the two blocks
        for (const auto& [key, items] : alike) {
            for (std::size_t i = 1; i < items.size(); ++i) {
                GUFO_TRY(m_context.job.check());
                const auto first = m_context.model.bytesOf(tensor(items[0]));
                const auto other = m_context.model.bytesOf(tensor(items[i]));
                if (first && other && areEqual(*first, *other)) {
                    equal[{*name(items[0]).block, *name(items[i]).block}].push_back(items[i]);
                }
            }
        }
        for (const auto& [blocks, items] : equal) {
            if (items.size() == matrices[blocks.second]) {
                add(FindingCode::BlocksEqual, items.front(), {blocks.first, blocks.second});
                continue;
            }
            for (const std::size_t item : items) {
                add(FindingCode::TensorsEqual, item, {blocks.first, blocks.second});
            }
        }
        return {};
    }

    void findEqualExperts(std::size_t item, Bytes bytes) {
        const std::uint64_t experts = expertsOf(item);
        const std::size_t size = bytes.size() / experts;
        const auto& has = m_counts[item].partHasWeights;
        if (bytes.size() % experts != 0 || has.size() != experts) {
            return;
        }
        std::map<std::uint64_t, std::uint64_t> seen;
        std::uint64_t copies = 0;
        std::pair<std::uint64_t, std::uint64_t> first{};
        for (std::uint64_t expert = 0; expert < experts; ++expert) {
            const Bytes own = bytes.subspan(expert * size, size);
            const auto [at, isNew] = seen.emplace(sampled(own), expert);
            if (has[expert] && !isNew && areEqual(bytes.subspan(at->second * size, size), own)) {
                first = copies++ == 0 ? std::pair(at->second, expert) : first;
            }
        }
        if (copies != 0) {
            add(FindingCode::ExpertsEqual, item, {copies, first.first, first.second});
        }
    }

    const CheckContext& m_context;
    FindingList& m_findings;
    Scan m_scan;
    std::vector<std::size_t> m_tensors; // by item of the scan
    std::deque<WeightCounts> m_counts;  // by item of the scan
    std::uint64_t m_unread = 0;
};

} // namespace

Result<CheckOutcome> checkWeightsFinite(const CheckContext& context, FindingList& findings) {
    return Weights(context, findings).check();
}

} // namespace gufo
