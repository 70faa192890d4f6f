#include "convert/origin/compare_origin.h"

#include "analysis/compare/pair_figures.h"
#include "base/parallel.h"
#include "base/try.h"
#include "convert/model_facts.h"
#include "model/tensor_role.h"
#include "text/tokenizer/pre_tokenizer.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>

namespace gufo::convert {
namespace {

using Kind = OperationKind;

// The shapes before each operation, and the shape after the last one.
Result<std::vector<Shape>> shapesOf(const PlannedRow& row, std::span<const Operation> operations) {
    std::vector<Shape> shapes = {row.parts.empty() ? row.shape : row.parts.front().shape};
    for (const Operation& operation : operations) {
        auto shape = GUFO_TRY(shapeAfter(operation, shapes.back()));
        shapes.push_back(shape);
    }
    return shapes;
}

bool keepsShape(const PlannedRow& row, std::span<const Operation> operations) {
    const auto shapes = shapesOf(row, operations);
    return shapes && shapes->back() == row.shape;
}

// The index of the misfit's operation in the row.
std::ptrdiff_t positionOf(const PlannedRow& row, const Misfit& misfit) {
    return std::ranges::find(row.operations, misfit.operation) - row.operations.begin();
}

// The operations of the row as the misfit changes them; no value if that is impossible.
std::optional<std::vector<Operation>> changed(const PlannedRow& row, const Misfit& misfit) {
    std::vector<Operation> operations = row.operations;
    if (misfit.kind == Misfit::Kind::With) {
        operations.push_back(misfit.operation);
    } else if (misfit.kind == Misfit::Kind::Without) {
        operations.erase(operations.begin() + positionOf(row, misfit));
    } else if (misfit.kind == Misfit::Kind::Repeated) {
        operations.insert(operations.begin() + positionOf(row, misfit), misfit.operation);
    } else if (misfit.kind == Misfit::Kind::Reversed) {
        const auto shapes = shapesOf(row, row.operations);
        const std::ptrdiff_t at = positionOf(row, misfit);
        const auto inverse =
            shapes ? inverseOf(misfit.operation, (*shapes)[static_cast<std::size_t>(at)]) : std::nullopt;
        if (!inverse || *inverse == misfit.operation) {
            return std::nullopt;
        }
        operations[static_cast<std::size_t>(at)] = *inverse;
    }
    return keepsShape(row, operations) ? std::optional(std::move(operations)) : std::nullopt;
}

// Operations that other architectures apply to tensors of this role, with parameters that fit this tensor.
std::vector<Operation> operationsOfOthers(const Origin& origin, const PlannedRow& row) {
    std::vector<Operation> operations;
    const TensorName name = parseTensorName(row.target);
    const auto has = [&](Kind kind) {
        return std::ranges::find(row.operations, kind, &Operation::kind) != row.operations.end();
    };
    const bool queries = name.role == "attn_q";
    if ((queries || name.role == "attn_k") && !has(Kind::PermuteRope)) {
        const std::string prefix = std::string(origin.plan->architecture->name) + ".attention.head_count";
        const Metadata& keys = origin.model->metadata;
        const auto heads = keys.uint(prefix);
        const auto kvHeads = keys.uint(prefix + "_kv");
        if (const auto count = queries || !kvHeads ? heads : kvHeads; count && *count != 0) {
            const std::int64_t axis = row.shape.count() < 2 ? 0 : 1;
            for (const Kind kind : {Kind::PermuteRope, Kind::UnpermuteRope}) {
                operations.push_back({kind, {axis, static_cast<std::int64_t>(*count)}});
            }
        }
    }
    if (row.target.ends_with("norm.weight") && !has(Kind::Add)) {
        operations.push_back({Kind::Add, {1}});
    }
    if (row.shape.count() == 2 && row.shape[0] == row.shape[1] && !has(Kind::Transpose)) {
        operations.push_back({Kind::Transpose});
    }
    return operations;
}

// Types that weights may have been rounded to on their way to the type of the file.
std::vector<Misfit> detours() {
    std::vector<Misfit> misfits;
    for (const TensorType type : {TensorType::BF16, TensorType::F16}) {
        misfits.push_back({.kind = Misfit::Kind::RoundedTo, .typeId = static_cast<std::uint32_t>(type)});
    }
    return misfits;
}

// Departures from the operations that the plan has for a row, the likeliest first. All of them keep the shape. `others`
// are rows of the plan whose weights the file may have instead.
std::vector<Misfit> possibleMisfits(const Origin& origin, std::size_t index, std::span<const std::size_t> others) {
    const PlannedRow& row = origin.plan->rows[index];
    std::vector<Misfit> misfits;
    const auto addIfPossible = [&](const Misfit& misfit) {
        if (changed(row, misfit)) {
            misfits.push_back(misfit);
        }
    };
    for (const Operation& operation : row.operations) {
        const bool changesWeights = operation.kind != Kind::Rename && operation.kind != Kind::Reshape;
        if (changesWeights && operationFact(operation.kind).reversal == Reversal::Inverse) {
            addIfPossible({.kind = Misfit::Kind::Without, .operation = operation});
            addIfPossible({.kind = Misfit::Kind::Reversed, .operation = operation});
            addIfPossible({.kind = Misfit::Kind::Repeated, .operation = operation});
        }
    }
    for (const Operation& operation : operationsOfOthers(origin, row)) {
        addIfPossible({.kind = Misfit::Kind::With, .operation = operation});
    }
    std::ranges::copy(detours(), std::back_inserter(misfits));
    for (const std::size_t other : others) {
        if (other != index && origin.plan->rows[other].shape == row.shape) {
            misfits.push_back({.kind = Misfit::Kind::OtherTensor, .other = other});
        }
    }
    return misfits;
}

// Whether the part of the file is equal to the origin's part if the mistake is made. A detour explains a quantised
// tensor only if the file has the bits that Gufo's encoder then makes. Uses JobContext::threads workers.
Result<bool> isMisfit(const Origin& origin, const TensorPart& part, const PartReader& file, const Misfit& misfit,
                      const JobContext& job) {
    const bool other = misfit.kind == Misfit::Kind::OtherTensor;
    const PlannedRow& row = origin.plan->rows[other ? misfit.other : part.tensor.value];
    const auto operations = changed(row, misfit);
    if (!operations) {
        return false;
    }
    const auto values = GUFO_TRY(applied(*origin.source, row.parts, *operations, row.computed));
    const bool detour = misfit.kind == Misfit::Kind::RoundedTo;
    TensorPart from = part;
    if (misfit.kind == Misfit::Kind::OtherExpert) {
        from.firstWeight = misfit.expert * part.weights();
    }
    RowProof proof(*values, *operations, from, file, detour ? std::optional(misfit.typeId) : std::nullopt);
    // The slot in the middle nearly always decides; the others are read only if it is the same.
    RowProof::Workspace first;
    const std::uint64_t middle = proof.slotCount() / 2;
    const bool exact = detour || findTensorType(file.typeId())->blockSize == 1;
    if (proof.slotCount() == 0 || (!proof.prove(middle, first) && (exact || !proof.result().same()))) {
        return false;
    }
    std::vector<RowProof::Workspace> workspaces(workerCount(proof.slotCount(), 1, job));
    std::atomic<bool> same = true;
    const bool complete =
        parallelFor(proof.slotCount(), 1, job, [&](std::uint64_t slot, std::uint64_t, unsigned worker) {
            if (slot != middle && same && !proof.prove(slot, workspaces[worker]) && exact) {
                same = false;
            }
        });
    if (!complete) {
        return fail(ErrorCode::Cancelled);
    }
    return same && proof.result().same();
}

// The number of tensors for which mistakes are tried. If more tensors differ, a mistake in single tensors is unlikely,
// and the first ones are representative.
constexpr std::size_t kMaxExplained = 256;
// If more tensors differ, it is not tried whether they have been exchanged, because the time grows with the square of
// the number.
constexpr std::size_t kMaxExchanged = 32;
// The number of experts of a tensor that are tried in the place of one.
constexpr std::uint64_t kMaxExperts = 256;
// The number of weights from which on pages are released; smaller models may stay in the page cache.
constexpr std::uint64_t kLargeRun = 64U << 20U;

// A row while it is compared.
struct Work {
    std::size_t row = 0;
    std::unique_ptr<RowProof> proof;
    ValuesPtr values;
    std::uint64_t firstSlot = 0;
    std::atomic<std::uint64_t> done = 0;
};

class Run {
public:
    Run(const Origin& origin, const TensorMatches& matches, const ProofOptions& options, const JobContext& job)
        : m_origin(origin)
        , m_matches(matches)
        , m_options(options)
        , m_job(job) {
        m_result.originModel = matches.models[0] == origin.model ? 0 : 1;
        m_result.fileModel = 1 - m_result.originModel;
        m_result.rows.resize(matches.rows.size());
    }

    Result<OriginProof> run(const MetadataComparison& metadata) {
        for (std::size_t row = 0; row < m_matches.rows.size(); ++row) {
            GUFO_TRY(m_job.check());
            prepare(row);
        }
        GUFO_TRY(proveTensors());
        GUFO_TRY(explain());
        GUFO_TRY(checkSources());
        compareKeys(metadata);
        countTensors();
        judge();
        return std::move(m_result);
    }

private:
    [[nodiscard]] const TensorMatch::Cell& originCell(std::size_t row) const {
        return m_matches.rows[row].cells[m_result.originModel];
    }
    [[nodiscard]] const TensorMatch::Cell& fileCell(std::size_t row) const {
        return m_matches.rows[row].cells[m_result.fileModel];
    }
    [[nodiscard]] const Model& file() const { return *m_matches.models[m_result.fileModel]; }

    void failed(std::size_t row, Error error) {
        m_result.rows[row].tensor = {.proof = TensorProof::Failed, .error = std::move(error)};
    }

    void prepare(std::size_t row) {
        const TensorMatch& match = m_matches.rows[row];
        if (m_options.wanted && !m_options.wanted(match)) {
            return;
        }
        ProvedTensor& tensor = m_result.rows[row].tensor;
        if (!match.has(m_result.originModel) || !match.has(m_result.fileModel)) {
            tensor.proof = match.has(m_result.originModel) ? TensorProof::Missing : TensorProof::Extra;
            return;
        }
        if (!match.comparable(m_matches.reference == 0 ? 1 : 0)) {
            tensor.proof = TensorProof::Reshaped;
            return;
        }
        const TensorPart& part = originCell(row).part;
        const PlannedRow& planned = m_origin.plan->rows[part.tensor.value];
        auto values = applied(*m_origin.source, planned.parts, planned.operations, planned.computed);
        if (!values) {
            return failed(row, std::move(values).error());
        }
        const TensorInfo& stored = file().tensor(fileCell(row).part.tensor);
        const auto reader = PartReader::open(file(), fileCell(row).part);
        if (!reader) {
            return failed(row, reader.error());
        }
        if (reader->present() < part.weights()) {
            return failed(row, Error{ErrorCode::Truncated,
                                     file().path(),
                                     Place::tensor(std::string(stored.name)),
                                     {std::string(stored.name), stored.bytes.value_or(0), stored.bytesPresent},
                                     0});
        }
        auto work = std::make_unique<Work>();
        work->row = row;
        work->values = *std::move(values);
        work->proof = std::make_unique<RowProof>(*work->values, planned.operations, part, *reader);
        work->firstSlot = m_slots;
        m_slots += work->proof->slotCount();
        m_weights += part.weights();
        m_work.push_back(std::move(work));
    }

    Result<> proveTensors() {
        m_job.start(m_weights);
        std::vector<RowProof::Workspace> workspaces(workerCount(m_slots, 1, m_job));
        const bool complete = parallelFor(m_slots, 1, m_job, [&](std::uint64_t slot, std::uint64_t, unsigned worker) {
            const auto next =
                std::ranges::upper_bound(m_work, slot, {}, [](const auto& work) { return work->firstSlot; });
            Work& work = **std::prev(next);
            work.proof->prove(slot - work.firstSlot, workspaces[worker]);
            m_job.advance(work.proof->weights(slot - work.firstSlot));
            if (work.done.fetch_add(1) + 1 == work.proof->slotCount() && m_weights > kLargeRun) {
                work.proof->release();
            }
        });
        if (!complete || m_job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        for (const auto& work : m_work) {
            const std::vector<std::uint64_t> unsummed = work->proof->unsummed();
            parallelFor(unsummed.size(), 1, m_job, [&](std::uint64_t i, std::uint64_t, unsigned worker) {
                work->proof->addSums(unsummed[i], workspaces[worker]);
            });
            m_result.rows[work->row].tensor = work->proof->result();
        }
        m_work.clear();
        GUFO_TRY(m_job.check());
        return {};
    }

    // Tries mistakes that may explain the tensors that differ. A mistake that cannot be tried explains nothing.
    Result<> explain() {
        std::vector<std::size_t> different; // rows of the matches
        for (std::size_t row = 0; row < m_result.rows.size(); ++row) {
            if (m_result.rows[row].tensor.proof == TensorProof::Different) {
                different.push_back(row);
            }
        }
        std::vector<std::size_t> others; // rows of the plan
        for (std::size_t i = 0; i < different.size() && different.size() <= kMaxExchanged; ++i) {
            others.push_back(originCell(different[i]).part.tensor.value);
        }
        for (std::size_t i = 0; i < std::min(different.size(), kMaxExplained); ++i) {
            const TensorPart& part = originCell(different[i]).part;
            const auto reader = GUFO_TRY(PartReader::open(file(), fileCell(different[i]).part));
            auto misfits = possibleMisfits(m_origin, part.tensor.value, others);
            addOtherExperts(misfits, different[i]);
            GUFO_TRY(tryMisfits(different[i], reader, misfits));
            ++m_tried;
            m_explained += m_result.rows[different[i]].misfit ? 1U : 0U;
        }
        return explainQuantised();
    }

    Result<> tryMisfits(std::size_t row, const PartReader& reader, std::span<const Misfit> misfits) {
        for (const Misfit& misfit : misfits) {
            const auto is = isMisfit(m_origin, originCell(row).part, reader, misfit, m_job);
            GUFO_TRY(m_job.check());
            if (is && *is) {
                m_result.rows[row].misfit = misfit;
                break;
            }
        }
        return {};
    }

    void addOtherExperts(std::vector<Misfit>& misfits, std::size_t row) const {
        const TensorMatch& match = m_matches.rows[row];
        const TensorInfo& tensor = m_origin.model->tensor(originCell(row).part.tensor);
        const std::uint64_t each = originCell(row).part.weights();
        const std::uint64_t experts = match.slice && each != 0 ? tensor.weights() / each : 0;
        for (std::uint64_t expert = 0; expert < std::min(experts, kMaxExperts); ++expert) {
            if (expert != match.expert) {
                misfits.push_back({.kind = Misfit::Kind::OtherExpert, .expert = expert});
            }
        }
    }

    // Tensors with the error of their type may have come through another type. The first ones are representative.
    Result<> explainQuantised() {
        constexpr std::size_t kMaxTried = 16;
        std::size_t tried = 0;
        for (std::size_t row = 0; row < m_result.rows.size() && tried < kMaxTried; ++row) {
            const ProvedTensor& tensor = m_result.rows[row].tensor;
            if (tensor.proof != TensorProof::Quantised || tensor.blocks == 0) {
                continue;
            }
            const auto reader = GUFO_TRY(PartReader::open(file(), fileCell(row).part));
            ++tried;
            GUFO_TRY(tryMisfits(row, reader, detours()));
        }
        return {};
    }

    Result<> checkSources() const {
        for (const Model* model : {m_origin.source.get(), &file()}) {
            for (const ModelFile& modelFile : model->files) {
                if (auto damage = modelFile.source != nullptr ? modelFile.source->damage() : std::nullopt) {
                    return std::unexpected(*std::move(damage));
                }
            }
        }
        return {};
    }

    // Whether a key is a name, a size for people, a licence or the like, and not one of general.* that runtimes use.
    static bool isDescriptive(std::string_view key) {
        return key.starts_with("general.") && key != "general.architecture" && key != "general.type" &&
               key != "general.alignment" && !key.starts_with("general.sampling.");
    }

    // Several names of tokenizer.ggml.pre mean the same rule.
    static bool sameRule(const Value& a, const Value& b) {
        const auto first = asString(a);
        const auto second = asString(b);
        const auto* rule = first && second ? text::findPreTokenizer(*first) : nullptr;
        return rule != nullptr && rule == text::findPreTokenizer(*second);
    }

    void compareKeys(const MetadataComparison& metadata) {
        const std::size_t other = 1 - metadata.reference;
        for (std::size_t i = 0; i < metadata.rows.size(); ++i) {
            const MetadataRow& row = metadata.rows[i];
            const auto& inOrigin = row.cells[m_result.originModel].index;
            const auto& inFile = row.cells[m_result.fileModel].index;
            if (!inOrigin || (inFile && row.cells[other].status == KeyStatus::Same) || row.cells[other].typeOnly) {
                continue;
            }
            if (inFile && row.key == "tokenizer.ggml.pre" &&
                sameRule(m_origin.model->metadata[*inOrigin].value, file().metadata[*inFile].value)) {
                continue;
            }
            m_result.keys.push_back({.row = i, .missing = !inFile, .descriptive = isDescriptive(row.key)});
        }
    }

    void countTensors() {
        std::map<std::pair<bool, std::size_t>, std::size_t> known; // by the origin's tensor, or else the file's
        for (std::size_t row = 0; row < m_result.rows.size(); ++row) {
            const bool planned = m_matches.rows[row].has(m_result.originModel);
            const TensorPart& part = (planned ? originCell(row) : fileCell(row)).part;
            const auto [at, isNew] = known.try_emplace({planned, part.tensor.value}, m_result.tensors.size());
            if (isNew) {
                m_result.tensors.push_back(TensorProof::NotRequested);
            }
            TensorProof& worst = m_result.tensors[at->second];
            worst = std::max(worst, m_result.rows[row].tensor.proof);
            m_result.tensorOf.push_back(at->second);
        }
    }

    void judge() {
        std::optional<double> worst;
        for (std::size_t row = 0; row < m_result.rows.size(); ++row) {
            const ProvedTensor& tensor = m_result.rows[row].tensor;
            if (tensor.proof == TensorProof::Different) {
                const double error = figuresOf(tensor.sums).nmse.value_or(tensor.sums.ee);
                if (!worst || error > *worst) {
                    worst = error;
                    m_result.worst = row;
                }
            }
        }
        const std::uint64_t same = m_result.same();
        const std::uint64_t compared = m_result.compared();
        const std::uint64_t different = m_result.count(TensorProof::Different);
        m_result.mistakesExplain = different != 0 && same + different == compared && m_explained == m_tried;
        m_result.verdict = same == compared
                               ? m_result.keysThatMatter() == 0 ? OriginVerdict::Same : OriginVerdict::SameWeights
                           : same >= compared - same || m_result.mistakesExplain ? OriginVerdict::Partly
                                                                                 : OriginVerdict::Other;
    }

    const Origin& m_origin;
    const TensorMatches& m_matches;
    const ProofOptions& m_options;
    const JobContext& m_job;
    OriginProof m_result;
    std::vector<std::unique_ptr<Work>> m_work;
    std::uint64_t m_slots = 0;
    std::uint64_t m_weights = 0;
    std::uint64_t m_tried = 0;     // rows that differ and for which mistakes were tried
    std::uint64_t m_explained = 0; // rows whose difference one of the mistakes explains
};

} // namespace

std::uint64_t OriginProof::count(TensorProof proof) const {
    return static_cast<std::uint64_t>(std::ranges::count(tensors, proof));
}

std::uint64_t OriginProof::compared() const { return tensors.size() - count(TensorProof::NotRequested); }

std::uint64_t OriginProof::same() const { return static_cast<std::uint64_t>(std::ranges::count_if(tensors, isSame)); }

std::uint64_t OriginProof::keysThatMatter() const {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(keys, [](const KeyDifference& key) { return !key.descriptive; }));
}

Result<FileProof> proveFile(const Origin& origin, std::shared_ptr<const Model> file, const ProofOptions& options,
                            const JobContext& job) {
    const std::array models{origin.model, std::move(file)};
    auto matches = GUFO_TRY(matchTensors(models, 0, job));
    auto metadata = GUFO_TRY(compareMetadata(models, 0, {}, job));
    auto proof = GUFO_TRY(proveOrigin(origin, matches, metadata, options, job));
    return Result<FileProof>({std::move(matches), std::move(metadata), std::move(proof)});
}

Result<OriginProof> proveOrigin(const Origin& origin, const TensorMatches& matches, const MetadataComparison& metadata,
                                const ProofOptions& options, const JobContext& job) {
    return Run(origin, matches, options, job).run(metadata);
}

} // namespace gufo::convert
