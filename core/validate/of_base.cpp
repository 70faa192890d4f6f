#include "validate/of_base.h"

#include "base/try.h"
#include "model/finding_code.h"
#include "model/finding_list.h"
#include "tensor/decode.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace gufo {
namespace {

// The most weights of a tensor that are compared, in pieces that are spread evenly over it.
constexpr std::uint64_t kMostWeights = std::uint64_t{1} << 18U;
constexpr std::uint64_t kPieceWeights = std::uint64_t{1} << 12U;

// The largest squared error, relative to the squared weights, that types of at least so many bits may make: about 2.5
// times what was measured (of_base.h), because weights with outliers lose more.
struct UsualErrorRow {
    double bits;
    double error;
};
constexpr auto kUsualErrors = std::to_array<UsualErrorRow>({
    {16, 1e-5},
    {8, 1e-4},
    {6.25, 1e-3}, // Q5_1 has 6, and Q4_1 has 5
    {5.2, 6e-3},
    {4, 0.04},
    {3, 0.1},
    {2, 0.4},
});
// Floating-point numbers of 8 bits, as some originals have, have only 2 or 3 bits of mantissa.
constexpr double kUsualErrorOfF8 = 6e-3;
// Smaller differences are rounding of numbers that are subnormal in F16.
constexpr double kLeastDifference = 0x1p-25;

// Nothing for types of so few bits that any error is usual.
std::optional<double> usualError(const TensorTypeFact& type) {
    if (type.kind == TensorTypeKind::Float && type.bitsPerWeight() == 8) {
        return kUsualErrorOfF8;
    }
    const auto* row = std::ranges::find_if(
        kUsualErrors, [&](const UsualErrorRow& usual) { return type.bitsPerWeight() >= usual.bits; });
    return row != kUsualErrors.end() ? std::optional(row->error) : std::nullopt;
}

// The relative squared error of a sample; nothing if the weights of either cannot be read or are all 0.
std::optional<double> errorOf(const StoredRows& rows, const StoredRows& base, std::uint64_t weights,
                              const JobContext& job) {
    const std::uint64_t pieces = std::max<std::uint64_t>(1, std::min(weights, kMostWeights) / kPieceWeights);
    const std::uint64_t step = weights / pieces;
    double squares = 0;
    double errors = 0;
    std::vector<float> ours;
    std::vector<float> theirs;
    for (std::uint64_t i = 0; i < pieces && !job.stopRequested(); ++i) {
        const std::uint64_t size = std::min(kPieceWeights, weights - i * step);
        ours.resize(size);
        theirs.resize(size);
        if (!decode(rows, i * step, ours) || !decode(base, i * step, theirs)) {
            return std::nullopt;
        }
        for (std::size_t at = 0; at < size; ++at) {
            const double b = static_cast<double>(theirs[at]);
            const double difference = static_cast<double>(ours[at]) - b;
            squares += b * b;
            errors += std::abs(difference) > kLeastDifference ? difference * difference : 0;
        }
    }
    return squares > 0 && std::isfinite(errors / squares) ? std::optional(errors / squares) : std::nullopt;
}

} // namespace

Result<BaseComparison> compareWithBase(const Model& model, const Model& base, const JobContext& job) {
    job.start(model.tensors.size());
    struct Worst {
        const TensorInfo* tensor = nullptr;
        double error = 0;
        double usual = 0;
    } worst;
    BaseComparison comparison;
    std::uint64_t& compared = comparison.compared;
    std::uint64_t other = 0;
    for (const TensorInfo& tensor : model.tensors) {
        GUFO_TRY(job.check());
        job.advance(1);
        const auto index = base.findTensor(tensor.name);
        const TensorTypeFact* type = tensor.type();
        const auto usual = type != nullptr ? usualError(*type) : std::nullopt;
        if (!index || !usual || tensor.weights() == 0 || !(base.tensor(*index).shape == tensor.shape)) {
            continue;
        }
        const auto ours = model.rowsOf(tensor);
        const auto theirs = base.rowsOf(base.tensor(*index));
        const auto error = ours && theirs ? errorOf(*ours, *theirs, tensor.weights(), job) : std::nullopt;
        if (!error) {
            continue;
        }
        ++compared;
        // The base may itself be quantised, and then adds its own error.
        const TensorTypeFact* baseType = base.tensor(*index).type();
        const double allowed = *usual + (baseType != nullptr ? usualError(*baseType).value_or(*usual) : *usual);
        if (*error <= allowed) {
            continue;
        }
        ++other;
        if (worst.tensor == nullptr || *error / allowed > worst.error / worst.usual) {
            worst = {&tensor, *error, allowed};
        }
    }
    if (job.stopRequested()) { // while the last sample was read
        return fail(ErrorCode::Cancelled);
    }
    for (const Model* each : {&model, &base}) {
        for (const ModelFile& file : each->files) {
            if (const auto damage = file.source != nullptr ? file.source->damage() : std::nullopt) {
                return std::unexpected(*damage);
            }
        }
    }
    if (worst.tensor != nullptr) {
        const auto rounded = [](double value) {
            std::array<char, 32> text{};
            const auto end =
                std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 2);
            return std::string(text.data(), end.ptr);
        };
        const std::string file = base.files.empty() ? std::string() : base.path().filename().native();
        FindingList findings;
        findings.add(FindingCode::NotOfBase, Place::tensor(std::string(worst.tensor->name)),
                     {file, other, compared, rounded(worst.error), worst.tensor->typeName(), rounded(worst.usual)});
        comparison.findings = std::move(findings).take();
    }
    return comparison;
}

} // namespace gufo
