#include "convert/obstacles.h"

#include "model/finding_code.h"
#include "model/metadata_builder.h"
#include "model/set_fault.h"
#include "validate/validate.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace gufo::convert {
namespace {

// The result as far as it is known before it is written.
void describeResult(const ConversionPlan& plan, Model& result) {
    MetadataBuilder metadata(result);
    for (const PlannedKey& key : plan.keys) {
        metadata.add(key.key, key.value);
    }
    for (const PlannedRow& row : plan.rows) {
        TensorInfo tensor;
        tensor.name = row.target;
        tensor.typeId = row.typeId;
        tensor.shape = row.shape;
        tensor.bytes = row.bytes;
        result.tensors.push_back(tensor);
    }
    result.indexTensors();
}

// Whether the finding contradicts what the source states. What it does not state at all may be intended: people convert
// single tensors, too.
bool isContradiction(const Finding& finding, bool hasBlocks) {
    switch (finding.code) {
    case FindingCode::RequiredKeyMissing:
    case FindingCode::EmbeddingMissing:
    case FindingCode::TensorsMissing:
    case FindingCode::TensorsUnknown:
        return false;
    case FindingCode::BlocksMissing:
        return hasBlocks;
    default:
        return true;
    }
}

} // namespace

void addObstacles(ConversionPlan& plan, const Model& source) {
    if (plan.rows.empty()) { // a vocabulary needs no tensors
        return;
    }
    std::ranges::copy_if(source.findings, std::back_inserter(plan.findings), isSetFault);
    plan.obstacles = plan.findings.size();
    if (plan.obstacles != 0) { // what is missing explains the rest
        return;
    }
    Model result;
    describeResult(plan, result);
    const std::vector<Finding> errors = checkStructure(result);
    const bool hasBlocks =
        std::ranges::any_of(plan.rows, [](const PlannedRow& row) { return row.target.contains("blk."); });
    const auto isObstacle = [&](const Finding& finding) { return isContradiction(finding, hasBlocks); };
    std::ranges::copy_if(errors, std::back_inserter(plan.findings), isObstacle);
    plan.obstacles = plan.findings.size();
    std::ranges::copy_if(errors, std::back_inserter(plan.findings), std::not_fn(isObstacle));
}

} // namespace gufo::convert
