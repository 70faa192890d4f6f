#include "convert/origin/misfits.h"

#include "base/parallel.h"
#include "convert/model_facts.h"
#include "model/tensor_role.h"

#include <algorithm>
#include <array>
#include <iterator>

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

} // namespace

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

std::vector<Misfit> detours() {
    std::vector<Misfit> misfits;
    for (const TensorType type : {TensorType::BF16, TensorType::F16}) {
        misfits.push_back({.kind = Misfit::Kind::RoundedTo, .typeId = static_cast<std::uint32_t>(type)});
    }
    return misfits;
}

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

} // namespace gufo::convert
