#include "analysis/compare/compare_models.h"

#include "analysis/compare/comparison_cache.h"
#include "analysis/compare/match_content.h"
#include "analysis/compare/pair_figures.h"
#include "analysis/compare/row_comparison.h"
#include "base/checked.h"
#include "base/parallel.h"
#include "base/try.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>
#include <vector>

namespace gufo {
namespace {

// Smaller runs do not release their pages: they do no harm, and the drill-down will need them.
constexpr std::uint64_t kLargeRun = 256U << 20U;
// Bytes compared between checks of the stop token.
constexpr std::size_t kCompareBytes = 4U << 20U;

// The remaining work for a row, and the models that it concerns.
struct Work {
    std::size_t row = 0;
    std::unique_ptr<RowComparison> comparison; // null: nothing to decode
    std::vector<std::size_t> models;           // the models of the comparison's others
    std::vector<std::size_t> opaque;           // models with the same type as the reference, which cannot be decoded
    std::uint64_t slots = 1;
    std::uint64_t firstSlot = 0;
    std::uint64_t weights = 0;
};

class Run {
public:
    Run(const TensorMatches& matches, const ComparisonOptions& options, const JobContext& job)
        : m_matches(matches)
        , m_options(options)
        , m_job(job) {
        m_result.rows.resize(matches.rows.size());
        for (std::size_t i = 0; i < matches.rows.size(); ++i) {
            m_result.rows[i].row = i;
            m_result.rows[i].cells.resize(matches.models.size());
        }
    }

    Result<ModelComparison> run() {
        std::uint64_t weights = 0;
        for (const std::size_t row : comparisonOrder(m_matches)) {
            GUFO_TRY(m_job.check());
            m_result.rows[row].wanted = !m_options.wanted || m_options.wanted(m_matches.rows[row]);
            if (m_result.rows[row].wanted) {
                GUFO_TRY(prepare(row));
                weights += m_work.back().weights;
            }
        }
        m_job.start(weights);
        const bool large = m_bytes > kLargeRun;
        std::vector<PairWorkspace> workspaces(workerCount(m_slots, 1, m_job));
        const bool complete = parallelFor(m_slots, 1, m_job, [&](std::uint64_t slot, std::uint64_t, unsigned worker) {
            const auto next = std::ranges::upper_bound(m_work, slot, {}, &Work::firstSlot);
            takeSlot(*std::prev(next), slot - std::prev(next)->firstSlot, workspaces[worker], large);
        });
        if (!complete || m_job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        for (const auto& model : m_matches.models) {
            for (const ModelFile& file : model->files) {
                if (const auto damage = file.source != nullptr ? file.source->damage() : std::nullopt) {
                    return std::unexpected(*damage);
                }
            }
        }
        return std::move(m_result);
    }

private:
    [[nodiscard]] PartOf partOf(std::size_t row, std::size_t model) const {
        return {m_matches.models[model].get(), m_matches.rows[row].cells[model].part};
    }

    void failed(std::size_t row, std::size_t model, Error error) {
        ComparedCell& cell = m_result.rows[row].cells[model];
        cell.state = ComparedCell::State::Failed;
        cell.error = std::move(error);
    }

    // Determines the work for a row. Results that are known, and failures, are entered at once.
    Result<> prepare(std::size_t row) {
        Work work{.row = row};
        const TensorMatch& match = m_matches.rows[row];
        const PartOf a = partOf(row, m_matches.reference);
        std::optional<Result<PartReader>> reference;
        for (std::size_t model = 0; model < m_matches.models.size(); ++model) {
            if (model == m_matches.reference || !match.comparable(model)) {
                continue;
            }
            const PartOf b = partOf(row, model);
            if (m_options.cache != nullptr && m_options.imatrix == nullptr) {
                if (auto known = m_options.cache->find(a, b)) {
                    enter(row, model, std::move(*known));
                    continue;
                }
            }
            if (!reference) {
                reference = PartReader::open(*a.model, a.part);
            }
            const auto other = *reference ? PartReader::open(*b.model, b.part) : std::unexpected(reference->error());
            if (!other) {
                opaqueOrFailed(work, model, other.error());
                continue;
            }
            if (work.comparison == nullptr) {
                auto importance = GUFO_TRY(importanceOf(row));
                m_result.hasImportance = m_result.hasImportance || !importance.empty();
                work.comparison = std::make_unique<RowComparison>(**reference, std::move(importance));
                work.weights = (*reference)->present();
            }
            if (auto added = work.comparison->add(*other); !added) {
                failed(row, model, added.error());
                continue;
            }
            work.models.push_back(model);
            m_bytes += other->range(0, other->present()).length;
        }
        if (!work.models.empty()) {
            work.slots = work.comparison->slotCount();
            m_bytes += (*reference)->range(0, (*reference)->present()).length;
        }
        work.firstSlot = m_slots;
        m_slots += work.slots;
        m_work.push_back(std::move(work));
        return {};
    }

    // The importance of each column of a row, by the first of its tensors' names that the matrix contains. None for a
    // part that covers several matrices, which happens where there are too many experts for a row each.
    Result<std::vector<float>> importanceOf(std::size_t row) const {
        const TensorMatch& match = m_matches.rows[row];
        for (std::size_t i = 0; m_options.imatrix != nullptr && i < m_matches.models.size(); ++i) {
            const std::size_t model = (m_matches.reference + i) % m_matches.models.size();
            if (!match.comparable(model)) {
                continue;
            }
            const TensorPart& part = match.cells[model].part;
            const TensorInfo& tensor = m_matches.models[model]->tensor(part.tensor);
            const auto matrix = checkedMultiply(tensor.shape[0], tensor.shape[1]);
            if (!m_options.imatrix->contains(tensor.name) || !matrix || *matrix == 0 || part.weights() == 0 ||
                part.columns != tensor.shape[0]) {
                continue;
            }
            const std::uint64_t first = part.firstWeight / *matrix;
            if (first != (part.firstWeight + part.weights() - 1) / *matrix) {
                continue;
            }
            auto importance = m_options.imatrix->importance(tensor, first);
            return importance ? std::move(importance)
                              : std::unexpected(std::move(importance).error().in(m_options.imatrix->path()));
        }
        return std::vector<float>();
    }

    // Tensors of a type that cannot be decoded may still have the same bytes.
    void opaqueOrFailed(Work& work, std::size_t model, const Error& error) {
        const PartOf a = partOf(work.row, m_matches.reference);
        const PartOf b = partOf(work.row, model);
        const TensorInfo& from = a.model->tensor(a.part.tensor);
        const TensorInfo& to = b.model->tensor(b.part.tensor);
        const bool whole = a.part.weights() == from.weights() && b.part.weights() == to.weights();
        if (error.code == ErrorCode::NotDecodable && whole && from.typeId == to.typeId && from.complete() &&
            from.bytes == to.bytes && to.complete() && a.model->byteOrder == b.model->byteOrder) {
            work.opaque.push_back(model);
        }
        failed(work.row, model, error);
    }

    void compareOpaque(const Work& work, std::size_t model) {
        const PartOf a = partOf(work.row, m_matches.reference);
        const PartOf b = partOf(work.row, model);
        const auto from = a.model->bytesOf(a.model->tensor(a.part.tensor));
        const auto to = b.model->bytesOf(b.model->tensor(b.part.tensor));
        if (!from || !to || from->size() != to->size()) {
            return;
        }
        for (std::size_t at = 0; at < from->size(); at += kCompareBytes) {
            const std::size_t count = std::min(kCompareBytes, from->size() - at);
            if (m_job.stopRequested() || std::memcmp(from->data() + at, to->data() + at, count) != 0) {
                return; // stays failed, because the size of the difference is unknown
            }
        }
        ComparedCell& cell = m_result.rows[work.row].cells[model];
        cell = {};
        cell.state = ComparedCell::State::Compared;
        cell.comparison.identical = true;
    }

    void enter(std::size_t row, std::size_t model, TensorComparison comparison) {
        ComparedCell& cell = m_result.rows[row].cells[model];
        cell.state = ComparedCell::State::Compared;
        cell.comparison = std::move(comparison);
    }

    void takeSlot(Work& work, std::uint64_t slot, PairWorkspace& workspace, bool large) {
        if (!work.models.empty()) {
            RowComparison& comparison = *work.comparison;
            if (!comparison.compareSlot(slot, workspace, m_job)) {
                return;
            }
            if (large) {
                comparison.release(slot);
            }
            m_job.advance(comparison.weights(slot));
            if (!comparison.slotDone() || !comparison.finish(workspace, m_job)) {
                return;
            }
            for (std::size_t i = 0; i < work.models.size(); ++i) {
                enter(work.row, work.models[i], comparison.comparison(i));
                if (m_options.cache != nullptr) {
                    m_options.cache->store(partOf(work.row, m_matches.reference), partOf(work.row, work.models[i]),
                                           m_result.rows[work.row].cells[work.models[i]].comparison);
                }
            }
            work.comparison.reset();
        }
        for (const std::size_t model : work.opaque) {
            compareOpaque(work, model);
        }
        if (m_options.finished && !m_job.stopRequested()) {
            const std::scoped_lock lock(m_mutex);
            m_options.finished(m_result.rows[work.row]);
        }
    }

    const TensorMatches& m_matches;
    const ComparisonOptions& m_options;
    const JobContext& m_job;
    ModelComparison m_result;
    std::vector<Work> m_work; // in the order in which rows are taken
    std::uint64_t m_slots = 0;
    std::uint64_t m_bytes = 0;
    std::mutex m_mutex; // serialises calls of `finished`
};

} // namespace

std::optional<double> ComparisonTotals::bitsPerWeight() const {
    return weights != 0 ? std::optional(8.0 * static_cast<double>(bytes) / static_cast<double>(weights)) : std::nullopt;
}

bool isEqual(const TensorMatches& matches, const ComparedRow& row, std::size_t model) {
    const TensorMatch& match = matches.rows[row.row];
    const ComparedCell& cell = row.cells[model];
    if (cell.state != ComparedCell::State::Compared || cell.comparison.likeness() != Likeness::Equal) {
        return false;
    }
    const auto typeIn = [&](std::size_t of) { return matches.models[of]->tensor(match.cells[of].part.tensor).typeId; };
    return typeIn(model) == typeIn(matches.reference);
}

ComparisonTotals ModelComparison::totals(const TensorMatches& matches, std::size_t model,
                                         std::optional<TensorGroup> group) const {
    ComparisonTotals totals;
    WeightedSums byBytes;
    for (const ComparedRow& compared : rows) {
        const TensorMatch& match = matches.rows[compared.row];
        if (!compared.wanted) {
            continue;
        }
        if (group && (match.fact != nullptr ? match.fact->group : TensorGroup::Other) != *group) {
            continue;
        }
        const TensorMatch::Cell& matched = match.cells[model];
        const ComparedCell& cell = compared.cells[model];
        const bool extra = matched.status == MatchStatus::Extra;
        totals.missing += matched.status == MatchStatus::Missing && match.has(matches.reference) ? 1U : 0U;
        totals.extra += extra ? 1U : 0U;
        totals.renamed += matched.status == MatchStatus::Renamed ? 1U : 0U;
        totals.reshaped += matched.status == MatchStatus::Reshaped && match.has(matches.reference) ? 1U : 0U;
        totals.failed += cell.state == ComparedCell::State::Failed ? 1U : 0U;
        if (cell.state == ComparedCell::State::Compared || (model == matches.reference && match.has(model))) {
            totals.weights += matched.part.weights();
            totals.bytes += partBytes(*matches.models[model], matched.part).value_or(0);
        }
        if (cell.state != ComparedCell::State::Compared) {
            continue;
        }
        const TensorComparison& comparison = cell.comparison;
        ++totals.tensors;
        totals.identical += comparison.identical ? 1U : 0U;
        totals.equal += isEqual(matches, compared, model) ? 1U : 0U;
        totals.truncated += comparison.truncated ? 1U : 0U;
        if (comparison.sums.maximum > totals.sums.maximum) {
            totals.maximumRow = compared.row;
        }
        ComparedSums sums = comparison.sums;
        if (totals.maximumRow != compared.row) {
            sums.maximumIndex = PairSums::kNone;
        }
        totals.sums.merge(sums);
        if (sums.pairs != 0) {
            const auto bytes = partBytes(*matches.models[matches.reference], match.cells[matches.reference].part);
            byBytes.add(sums, static_cast<double>(bytes.value_or(0)) / static_cast<double>(sums.pairs));
        }
    }
    totals.byParameters = figuresOf(totals.sums);
    totals.byBytes = figuresOf(byBytes);
    return totals;
}

Result<ModelComparison> compareModels(const TensorMatches& matches, const ComparisonOptions& options,
                                      const JobContext& job) {
    return Run(matches, options, job).run();
}

namespace {

// Reverses the bits of a rank, which gives the order 0, the middle, the quarters …
std::uint32_t reversed(std::uint32_t rank) {
    std::uint32_t result = 0;
    for (int i = 0; i < 32; ++i) {
        result = result << 1U | (rank >> i & 1U);
    }
    return result;
}

// Assigns each key a step, so that the keys are visited in coarse strides first and then in the gaps.
template<typename Key>
class Steps {
public:
    void add(const Key& key) { m_steps.emplace(key, 0); }
    void number() {
        std::uint32_t next = 0;
        std::vector<std::pair<std::uint32_t, std::uint32_t*>> coarse;
        for (auto& [key, step] : m_steps) {
            coarse.emplace_back(reversed(next++), &step);
        }
        std::ranges::sort(coarse);
        for (std::uint32_t i = 0; i < coarse.size(); ++i) {
            *coarse[i].second = i;
        }
    }
    // The step of a key.
    [[nodiscard]] std::uint64_t operator[](const Key& key) const { return m_steps.at(key); }
    [[nodiscard]] std::uint64_t size() const { return m_steps.size(); }

private:
    std::map<Key, std::uint32_t> m_steps;
};

// Quantisation to 2 bits per weight has a normalised squared error of about 0.1, and exchanged matrices one of about 2.
// Norms resemble each other, so that exchanged ones differ little.
constexpr double kMatrixError = 0.3;
constexpr double kVectorError = 1e-4;

bool isSuspect(const ComparedCell& cell, const TensorPart& part) {
    if (cell.state != ComparedCell::State::Compared || cell.comparison.identical) {
        return false;
    }
    const auto error = figuresOf(cell.comparison.sums).nmse;
    return !error || *error > (part.rows == 1 ? kVectorError : kMatrixError);
}

} // namespace

std::vector<std::size_t> comparisonOrder(const TensorMatches& matches) {
    using Block = std::pair<std::string_view, std::int64_t>;
    using Role = std::tuple<int, std::string_view, std::string_view>;
    const auto blockOf = [](const TensorMatch& row) {
        return Block(row.prefix, row.block ? static_cast<std::int64_t>(*row.block) : -1);
    };
    const auto roleOf = [](const TensorMatch& row) {
        return Role(row.fact != nullptr ? row.fact->order : 256, row.role, row.suffix);
    };
    Steps<Block> blocks;
    Steps<Role> roles;
    for (const TensorMatch& row : matches.rows) {
        blocks.add(blockOf(row));
        roles.add(roleOf(row));
    }
    blocks.number();
    roles.number();
    // Each pass over the roles takes one block of every role, and a different block for each.
    std::vector<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::size_t>> order;
    order.reserve(matches.rows.size());
    for (std::size_t i = 0; i < matches.rows.size(); ++i) {
        const TensorMatch& row = matches.rows[i];
        const std::uint64_t role = roles[roleOf(row)];
        const std::uint64_t shift = role * blocks.size() / roles.size();
        const std::uint64_t pass = (blocks[blockOf(row)] + shift) % blocks.size();
        order.emplace_back(reversed(row.expert.value_or(0)), pass, role, i);
    }
    std::ranges::sort(order);
    std::vector<std::size_t> rows;
    rows.reserve(order.size());
    for (const auto& entry : order) {
        rows.push_back(std::get<3>(entry));
    }
    return rows;
}

Result<std::vector<ExchangedTensor>> findExchanged(const TensorMatches& matches, const ModelComparison& comparison,
                                                   const JobContext& job) {
    std::vector<ExchangedTensor> exchanged;
    for (std::size_t model = 0; model < matches.models.size(); ++model) {
        std::vector<std::size_t> suspects; // rows
        std::vector<std::size_t> rows;
        std::vector<TensorPart> parts; // of the suspects
        std::vector<TensorPart> references;
        for (std::size_t row = 0; row < matches.rows.size() && model != matches.reference; ++row) {
            const TensorMatch& match = matches.rows[row];
            if (!match.has(matches.reference) || !match.comparable(model)) {
                continue;
            }
            rows.push_back(row);
            references.push_back(match.cells[matches.reference].part);
            if (isSuspect(comparison.rows[row].cells[model], match.cells[model].part)) {
                suspects.push_back(row);
                parts.push_back(match.cells[model].part);
            }
        }
        if (suspects.empty()) {
            continue;
        }
        const auto pairs = GUFO_TRY(
            matchByContent(*matches.models[model], parts, *matches.models[matches.reference], references, job));
        for (const ContentPair& pair : pairs) {
            if (suspects[pair.a] != rows[pair.b]) {
                exchanged.push_back({.model = model, .row = suspects[pair.a], .holds = rows[pair.b]});
            }
        }
    }
    std::ranges::sort(exchanged, {}, [](const ExchangedTensor& one) { return std::pair(one.model, one.row); });
    return exchanged;
}

} // namespace gufo
