#include "convert/operation.h"

#include "base/checked.h"
#include "base/detail.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gufo::convert {
namespace {

using Kind = OperationKind;
using Names = std::span<const std::string_view>;

constexpr auto kDims = std::to_array<std::string_view>({"dims…"});
constexpr auto kHeads = std::to_array<std::string_view>({"axis", "heads"});
constexpr auto kFactor = std::to_array<std::string_view>({"mantissa", "exponent"});
constexpr auto kValue = std::to_array<std::string_view>({"value"});
constexpr auto kSlice = std::to_array<std::string_view>({"axis", "first", "count"});
constexpr auto kStep = std::to_array<std::string_view>({"axis", "first", "step"});
constexpr auto kRows = std::to_array<std::string_view>({"axis", "rows…"});
constexpr auto kGroups = std::to_array<std::string_view>({"axis", "first", "groups", "group_rows", "parts…"});
constexpr auto kPart = std::to_array<std::string_view>({"axis", "groups", "group_rows", "first", "count"});
constexpr auto kCount = std::to_array<std::string_view>({"count"});
constexpr auto kIndex = std::to_array<std::string_view>({"index", "count"});
constexpr auto kBlock = std::to_array<std::string_view>({"block_columns", "block_rows"});
constexpr auto kBits = std::to_array<std::string_view>({"bits", "group_size"});
constexpr auto kZeros = std::to_array<std::string_view>({"bits", "group_size", "added_to_zeros"});
constexpr auto kDivides = std::to_array<std::string_view>({"scale_divides"});
constexpr auto kNone = Names();

constexpr auto kFacts = std::to_array<OperationFact>({
    {Kind::Rename, "rename", Reversal::Inverse, kNone},
    {Kind::Reshape, "reshape", Reversal::Inverse, kDims},
    {Kind::PermuteRope, "permute_rope", Reversal::Inverse, kHeads},
    {Kind::UnpermuteRope, "unpermute_rope", Reversal::Inverse, kHeads},
    {Kind::Add, "add", Reversal::Inverse, kValue},
    {Kind::Scale, "scale", Reversal::Rounding, kFactor},
    {Kind::NegateExponential, "negate_exponential", Reversal::Inverse, kNone},
    {Kind::LogarithmOfNegative, "logarithm_of_negative", Reversal::Inverse, kNone},
    {Kind::Reciprocal, "reciprocal", Reversal::Inverse, kNone},
    {Kind::RoundToTernary, "round_to_ternary", Reversal::Rounding, kNone},
    {Kind::Transpose, "transpose", Reversal::Inverse, kNone},
    {Kind::SliceRows, "slice_rows", Reversal::Part, kSlice},
    {Kind::EveryOther, "every_other", Reversal::Part, kStep},
    {Kind::PickRows, "pick_rows", Reversal::Part, kRows},
    {Kind::RegroupRows, "regroup_rows", Reversal::Inverse, kGroups},
    {Kind::UngroupRows, "ungroup_rows", Reversal::Inverse, kGroups},
    {Kind::TakeParts, "take_parts", Reversal::Part, kPart},
    {Kind::Stack, "stack", Reversal::Inverse, kCount},
    {Kind::Unstack, "unstack", Reversal::Part, kIndex},
    {Kind::Compute, "compute", Reversal::NoSource, kNone},
    {Kind::RepackMxfp4, "repack_mxfp4", Reversal::Recoding, kNone},
    {Kind::RepackNvfp4, "repack_nvfp4", Reversal::Recoding, kNone},
    {Kind::RepackLegacy, "repack_legacy", Reversal::Recoding, kNone},
    {Kind::DequantiseBlocks, "dequantise_blocks", Reversal::Recoding, kBlock},
    {Kind::DequantiseGptq, "dequantise_gptq", Reversal::Recoding, kZeros},
    {Kind::DequantiseAwq, "dequantise_awq", Reversal::Recoding, kBits},
    {Kind::DequantisePacked, "dequantise_packed", Reversal::Recoding, kBits},
    {Kind::DequantiseAffine, "dequantise_affine", Reversal::Recoding, kBits},
    {Kind::DequantiseRows, "dequantise_rows", Reversal::Recoding, kNone},
    {Kind::DequantiseTable, "dequantise_table", Reversal::Recoding, kNone},
    {Kind::DequantiseTernary, "dequantise_ternary", Reversal::Recoding, kDivides},
});
static_assert([] {
    for (std::size_t i = 0; i < kFacts.size(); ++i) {
        if (kFacts[i].kind != static_cast<Kind>(i)) {
            return false;
        }
    }
    return true;
}());

std::unexpected<Error> unfit(const Operation& operation, const Shape& shape) {
    return fail(ErrorCode::InvalidArgument, {},
                {Argument(Detail::OperationUnfit, {operationFact(operation.kind).name, shapeText(shape)})});
}

std::uint64_t parameter(const Operation& operation, std::size_t i) {
    return i < operation.parameters.size() && operation.parameters[i] > 0
               ? static_cast<std::uint64_t>(operation.parameters[i])
               : 0;
}

Shape withDimension(const Shape& shape, std::size_t axis, std::uint64_t size) {
    std::vector<std::uint64_t> dims(shape.dims().begin(), shape.dims().end());
    dims[axis] = size;
    return Shape(dims);
}

// How an operation divides rows into groups. The parts are pairs of parameters: the first row within a group, and the
// number of rows.
struct Grouping {
    const Operation& operation;
    std::uint64_t first; // rows before it stay where they are
    std::uint64_t groups;
    std::uint64_t groupRows;
    std::size_t partsFrom; // the first parameter of the parts

    explicit Grouping(const Operation& from)
        : operation(from)
        , first(from.kind == Kind::TakeParts ? 0 : parameter(from, 1))
        , groups(parameter(from, from.kind == Kind::TakeParts ? 1 : 2))
        , groupRows(parameter(from, from.kind == Kind::TakeParts ? 2 : 3))
        , partsFrom(from.kind == Kind::TakeParts ? 3 : 4) {}

    [[nodiscard]] bool isPart(std::size_t i) const { return i + 1 < operation.parameters.size(); }
    [[nodiscard]] std::uint64_t at(std::size_t i) const { return parameter(operation, i); }
};

// Whether the parts of a regrouping cover each row of a group once, so that it can be undone.
bool coversGroup(const Grouping& grouping) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
    for (std::size_t i = grouping.partsFrom; grouping.isPart(i); i += 2) {
        parts.emplace_back(grouping.at(i), grouping.at(i + 1));
    }
    std::ranges::sort(parts);
    std::uint64_t end = 0;
    for (const auto& [first, count] : parts) {
        if (first != end) {
            return false;
        }
        end = first + count;
    }
    return end == grouping.groupRows;
}

// The number of rows that the parts select from a group; nothing if a part leaves the group.
std::optional<std::uint64_t> rowsOfParts(const Grouping& grouping) {
    std::uint64_t rows = 0;
    for (std::size_t i = grouping.partsFrom; grouping.isPart(i); i += 2) {
        const auto end = checkedAdd(grouping.at(i), grouping.at(i + 1));
        if (!end || *end > grouping.groupRows) {
            return std::nullopt;
        }
        rows += grouping.at(i + 1);
    }
    return rows;
}

// The row of the source that RegroupRows puts at `row`.
std::uint64_t regrouped(const Grouping& grouping, std::uint64_t row) {
    if (row < grouping.first) {
        return row;
    }
    row -= grouping.first;
    for (std::size_t i = grouping.partsFrom; grouping.isPart(i); i += 2) {
        const std::uint64_t count = grouping.at(i + 1);
        if (row < grouping.groups * count) {
            return grouping.first + row / count * grouping.groupRows + grouping.at(i) + row % count;
        }
        row -= grouping.groups * count;
    }
    return 0;
}

std::uint64_t ungrouped(const Grouping& grouping, std::uint64_t row) {
    if (row < grouping.first) {
        return row;
    }
    const std::uint64_t group = (row - grouping.first) / grouping.groupRows;
    const std::uint64_t within = (row - grouping.first) % grouping.groupRows;
    std::uint64_t before = grouping.first;
    for (std::size_t i = grouping.partsFrom; grouping.isPart(i); i += 2) {
        const std::uint64_t first = grouping.at(i);
        const std::uint64_t count = grouping.at(i + 1);
        if (within >= first && within - first < count) {
            return before + group * count + (within - first);
        }
        before += grouping.groups * count;
    }
    return 0;
}

// The rows that are left along the axis, or nothing if the operation does not fit.
std::optional<std::uint64_t> rowsAfter(const Operation& operation, std::uint64_t rows) {
    switch (operation.kind) {
    case Kind::PermuteRope:
    case Kind::UnpermuteRope: {
        const std::uint64_t heads = parameter(operation, 1);
        return heads != 0 && rows % heads == 0 && rows / heads % 2 == 0 ? std::optional(rows) : std::nullopt;
    }
    case Kind::SliceRows: {
        const auto end = checkedAdd(parameter(operation, 1), parameter(operation, 2));
        return end && *end <= rows ? std::optional(parameter(operation, 2)) : std::nullopt;
    }
    case Kind::EveryOther: {
        const std::uint64_t step = parameter(operation, 2);
        return step != 0 && rows % step == 0 && parameter(operation, 1) < step ? std::optional(rows / step)
                                                                               : std::nullopt;
    }
    case Kind::PickRows: {
        const auto picked =
            std::span(operation.parameters).subspan(std::min<std::size_t>(1, operation.parameters.size()));
        const bool fits = !picked.empty() && std::ranges::all_of(picked, [&](std::int64_t row) {
            return row >= 0 && static_cast<std::uint64_t>(row) < rows;
        });
        return fits ? std::optional<std::uint64_t>(picked.size()) : std::nullopt;
    }
    case Kind::RegroupRows:
    case Kind::UngroupRows:
    case Kind::TakeParts: {
        const Grouping grouping(operation);
        auto all = checkedMultiply(grouping.groups, grouping.groupRows);
        all = all ? checkedAdd(*all, grouping.first) : all;
        const auto each = rowsOfParts(grouping);
        const bool fits = all && *all == rows && grouping.groups != 0 && each && *each != 0;
        const bool covers = operation.kind == Kind::TakeParts || coversGroup(grouping);
        return fits && covers ? std::optional(grouping.first + grouping.groups * *each) : std::nullopt;
    }
    default:
        return std::nullopt;
    }
}

bool selectsRows(Kind kind) {
    return kind == Kind::PermuteRope || kind == Kind::UnpermuteRope || kind == Kind::SliceRows ||
           kind == Kind::EveryOther || kind == Kind::PickRows || kind == Kind::RegroupRows ||
           kind == Kind::UngroupRows || kind == Kind::TakeParts;
}

} // namespace

std::span<const OperationFact> operationFacts() { return kFacts; }

const OperationFact& operationFact(OperationKind kind) { return kFacts[static_cast<std::size_t>(kind)]; }

std::string shapeText(const Shape& shape) {
    std::string text = "[";
    for (const std::uint64_t dim : shape.dims()) {
        text += (text.size() > 1 ? ", " : "") + std::to_string(dim);
    }
    return text + "]";
}

Operation scaleBy(double factor) {
    int exponent = 0;
    const double fraction = std::frexp(factor, &exponent);
    constexpr int kDigits = std::numeric_limits<double>::digits;
    auto mantissa = static_cast<std::int64_t>(std::ldexp(fraction, kDigits));
    for (exponent -= kDigits; mantissa != 0 && mantissa % 2 == 0; ++exponent) {
        mantissa /= 2;
    }
    return {Kind::Scale, {mantissa, mantissa == 0 ? 0 : exponent}};
}

double factorOf(const Operation& scale) {
    return std::ldexp(static_cast<double>(scale.parameters[0]), static_cast<int>(scale.parameters[1]));
}

std::optional<Operation> inverseOf(const Operation& operation, const Shape& before) {
    Operation inverse = operation;
    switch (operation.kind) {
    case Kind::Rename:
    case Kind::Reciprocal:
    case Kind::Transpose:
        return inverse;
    case Kind::Reshape:
        inverse.parameters.assign(before.dims().begin(), before.dims().end());
        return inverse;
    case Kind::PermuteRope:
    case Kind::UnpermuteRope:
        inverse.kind = operation.kind == Kind::PermuteRope ? Kind::UnpermuteRope : Kind::PermuteRope;
        return inverse;
    case Kind::Add:
        inverse.parameters[0] = -operation.parameters[0];
        return inverse;
    case Kind::NegateExponential:
    case Kind::LogarithmOfNegative:
        inverse.kind = operation.kind == Kind::NegateExponential ? Kind::LogarithmOfNegative : Kind::NegateExponential;
        return inverse;
    case Kind::RegroupRows:
    case Kind::UngroupRows:
        inverse.kind = operation.kind == Kind::RegroupRows ? Kind::UngroupRows : Kind::RegroupRows;
        return inverse;
    case Kind::Stack:
        return Operation{Kind::Unstack, {0, operation.parameters[0]}};
    default:
        return std::nullopt;
    }
}

Result<std::optional<RowSelection>> rowSelection(const Operation& operation, const Shape& before) {
    if (!selectsRows(operation.kind)) {
        return std::nullopt;
    }
    const std::uint64_t axis = parameter(operation, 0);
    const auto rows = axis < before.count() ? rowsAfter(operation, before[axis]) : std::nullopt;
    if (!rows) {
        return unfit(operation, before);
    }
    RowSelection selection{.rowWeights = 1, .sourceRows = before[axis], .rows = *rows, .count = 1};
    for (std::size_t i = 0; i < before.count(); ++i) {
        (i < axis ? selection.rowWeights : selection.count) *= i == axis ? 1 : before[i];
    }
    selection.operation = &operation;
    return selection;
}

std::uint64_t RowSelection::sourceOf(std::uint64_t row) const {
    switch (operation->kind) {
    case Kind::PermuteRope: {
        const std::uint64_t head = sourceRows / parameter(*operation, 1);
        const std::uint64_t within = row % head;
        return row / head * head + within % 2 * (head / 2) + within / 2;
    }
    case Kind::UnpermuteRope: {
        const std::uint64_t head = sourceRows / parameter(*operation, 1);
        const std::uint64_t within = row % head;
        return row / head * head + within % (head / 2) * 2 + within / (head / 2);
    }
    case Kind::SliceRows:
        return parameter(*operation, 1) + row;
    case Kind::EveryOther:
        return parameter(*operation, 1) + row * parameter(*operation, 2);
    case Kind::PickRows:
        return parameter(*operation, row + 1);
    case Kind::UngroupRows:
        return ungrouped(Grouping(*operation), row);
    default:
        return regrouped(Grouping(*operation), row);
    }
}

Result<Shape> shapeAfter(const Operation& operation, const Shape& before) {
    const auto selection = GUFO_TRY(rowSelection(operation, before));
    const auto dims = before.dims();
    switch (operation.kind) {
    case Kind::Reshape: {
        const std::vector<std::uint64_t> wanted(operation.parameters.begin(), operation.parameters.end());
        if (wanted.size() > Shape::kMaxDimensions || Shape(wanted).weights() != before.weights()) {
            return unfit(operation, before);
        }
        return Shape(wanted);
    }
    case Kind::Transpose: {
        if (before.count() < 2) {
            return unfit(operation, before);
        }
        std::vector<std::uint64_t> swapped(dims.begin(), dims.end());
        std::swap(swapped[0], swapped[1]);
        return Shape(swapped);
    }
    case Kind::Stack: {
        if (before.count() + 1 > Shape::kMaxDimensions) {
            return unfit(operation, before);
        }
        std::vector<std::uint64_t> stacked(dims.begin(), dims.end());
        if (before.count() == 1 && before[0] == 1) {
            stacked[0] = parameter(operation, 0); // numbers become a vector
        } else {
            stacked.push_back(parameter(operation, 0));
        }
        return Shape(stacked);
    }
    case Kind::Unstack: {
        if (before.count() < 2 || before[before.count() - 1] != parameter(operation, 1) ||
            parameter(operation, 0) >= parameter(operation, 1)) {
            return unfit(operation, before);
        }
        return Shape(dims.first(before.count() - 1));
    }
    case Kind::TakeParts: {
        const std::uint64_t axis = parameter(operation, 0);
        std::vector<std::uint64_t> parts(dims.begin(), dims.end());
        if (parts.size() == Shape::kMaxDimensions) {
            return unfit(operation, before);
        }
        parts[axis] = parameter(operation, 4);
        parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(axis) + 1, parameter(operation, 1));
        return Shape(parts);
    }
    default:
        return selection ? withDimension(before, parameter(operation, 0), selection->rows) : before;
    }
}

} // namespace gufo::convert
