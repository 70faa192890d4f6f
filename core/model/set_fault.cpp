#include "model/set_fault.h"

#include "base/detail.h"
#include "model/finding_code.h"

#include <algorithm>
#include <array>

namespace gufo {
namespace {

// How a finding about a part becomes the argument of the error. A part is {number, parts, file name}.
Argument missingPart(const Arguments& /*args*/, Arguments part) { return {Detail::ShardMissing, std::move(part)}; }

Argument unreadablePart(const Arguments& args, Arguments part) {
    const bool empty = args.size() > 1 && args[1].text() == errorName(ErrorCode::EmptyFile);
    return {empty ? Detail::ShardEmpty : Detail::ShardUnreadable, std::move(part)};
}

Argument outsidePart(const Arguments& /*args*/, Arguments part) { return {Detail::ShardOutside, std::move(part)}; }

Argument otherPart(const Arguments& args, Arguments part) {
    part.insert(part.end(), args.begin() + 1, args.end());
    return {Detail::ShardDiffers, std::move(part)};
}

Argument foreignPart(const Arguments& args, Arguments part) {
    part.insert(part.end(), args.begin() + 1, args.end());
    return {Detail::ShardForeign, std::move(part)};
}

Argument renamedPart(const Arguments& args, Arguments /*part*/) { return {Detail::ShardRenamed, args}; }

Argument announcedTotal(const Arguments& args, Arguments /*part*/) { return {Detail::SetTensorCount, args}; }

Argument unlistedPart(const Arguments& args, Arguments part) {
    part.push_back(args.front());
    return {Detail::ShardLacksTensor, std::move(part)};
}

struct FaultRow {
    FindingCode code;
    std::size_t fileName; // the argument of the finding that is the file name of the part
    bool lacksTensors;    // tensors may be absent because of it
    Argument (*argument)(const Arguments& args, Arguments part);
};
// The cause comes before its consequences.
constexpr auto kFaults = std::to_array<FaultRow>({
    {FindingCode::ShardMissing, 0, true, missingPart},
    {FindingCode::ShardUnreadable, 0, true, unreadablePart},
    {FindingCode::IndexLeadsOutside, 0, true, outsidePart},
    {FindingCode::ShardRenamed, 0, true, renamedPart},
    {FindingCode::ShardMismatch, 0, true, otherPart},
    {FindingCode::ShardForeign, 0, true, foreignPart},
    {FindingCode::IndexTensorMissing, 1, true, unlistedPart},
    {FindingCode::ShardTensorCount, 0, true, announcedTotal},
});

const FaultRow* rowOf(const Finding& finding) {
    const auto* found = std::ranges::find(kFaults, finding.code, &FaultRow::code);
    return found != kFaults.end() ? found : nullptr;
}

// The part with a file name, as the arguments of a detail.
Arguments partNamed(const Model& model, const std::string& fileName) {
    const auto parts = std::span(model.files).first(model.shardCount());
    const auto found = std::ranges::find_if(
        parts, [&](const ModelFile& file) { return file.path == fileName || file.path.filename() == fileName; });
    const auto number = static_cast<std::uint64_t>(found - parts.begin()) + 1;
    return {found != parts.end() ? number : 1, model.shardCount(), fileName};
}

std::string fileNameOf(const Finding& finding, const FaultRow& row) {
    return row.fileName < finding.args.size() ? finding.args[row.fileName].text() : std::string();
}

// Matrices of the formats before GGUF are cut into slices, which have the same name in each part.
bool isCutIntoSlices(const Model& model) {
    return std::ranges::find(model.findings, FindingCode::TensorsInSlices, &Finding::code) != model.findings.end();
}

// A tensor that two parts contain. Edits may have removed one of them, so the tensors are looked at.
std::optional<Argument> doubledTensor(const Model& model) {
    if (model.shardCount() < 2 || isCutIntoSlices(model)) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const TensorInfo& tensor = model.tensors[i];
        const auto first = model.findTensor(tensor.name);
        if (first && first->value != i) {
            return Argument(Detail::TensorInTwoShards, {tensor.name, std::uint64_t{model.tensor(*first).file.value} + 1,
                                                        std::uint64_t{tensor.file.value} + 1, model.shardCount()});
        }
    }
    return std::nullopt;
}

std::optional<Argument> faultOf(const Model& model) {
    for (const FaultRow& row : kFaults) {
        if (row.code == FindingCode::ShardTensorCount) { // a tensor too many explains the wrong total
            if (auto doubled = doubledTensor(model)) {
                return doubled;
            }
        }
        const auto finding = std::ranges::find(model.findings, row.code, &Finding::code);
        if (finding != model.findings.end()) {
            return row.argument(finding->args, partNamed(model, fileNameOf(*finding, row)));
        }
    }
    return std::nullopt;
}

} // namespace

Result<> checkSet(const Model& model) {
    auto fault = faultOf(model);
    return fault ? std::unexpected(Error{ErrorCode::SetIncomplete, model.path(), {}, {*std::move(fault)}, 0})
                 : Result<>();
}

bool isIncompleteSet(const Model& model) { return faultOf(model).has_value(); }

bool isSetFault(const Finding& finding) { return rowOf(finding) != nullptr; }

} // namespace gufo
