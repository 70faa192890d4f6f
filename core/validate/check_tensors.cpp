#include "model/file_type.h"
#include "model/finding_code.h"
#include "model/token.h"
#include "validate/checks.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace gufo {
namespace {

std::string percent(double share) { return std::to_string(static_cast<int>(share * 100 + 0.5)) + " %"; }

struct MatrixWeights {
    std::unordered_map<std::uint32_t, double> byType;
    double all = 0;
};

MatrixWeights matrixWeights(const CheckContext& context) {
    MatrixWeights weights;
    for (std::size_t i = 0; i < context.model.tensors.size(); ++i) {
        if (context.isMatrix(i)) {
            const TensorInfo& tensor = context.model.tensors[i];
            weights.byType[tensor.typeId] += static_cast<double>(tensor.weights());
            weights.all += static_cast<double>(tensor.weights());
        }
    }
    return weights;
}

bool isQuantised(const TensorInfo& tensor) {
    return tensor.type() != nullptr && !tensor.bytesDerived && tensor.type()->kind == TensorTypeKind::Quantised;
}

// Whether a mix could have used this type: rows that are too short for its blocks get another type.
bool couldHaveType(const TensorInfo& tensor, std::uint32_t typeId) {
    const TensorTypeFact* type = findTensorType(typeId);
    return type != nullptr && tensor.shape[0] % type->blockSize == 0;
}

bool hasRowHeaders(const TensorInfo& tensor) {
    const TensorTypeFact* type = tensor.type();
    return type != nullptr && type->rowHeaderBytes != 0;
}

} // namespace

std::optional<DominantType> dominantType(const CheckContext& context) {
    const MatrixWeights weights = matrixWeights(context);
    const auto largest = std::ranges::max_element(weights.byType, {}, [](const auto& entry) { return entry.second; });
    if (largest == weights.byType.end() || largest->second == 0 || findTensorType(largest->first) == nullptr) {
        return std::nullopt;
    }
    return DominantType{findTensorType(largest->first), largest->second / weights.all};
}

double shareOfType(const CheckContext& context, std::uint32_t typeId) {
    const MatrixWeights weights = matrixWeights(context);
    const auto entry = weights.byType.find(typeId);
    return entry != weights.byType.end() && weights.all != 0 ? entry->second / weights.all : 0;
}

Result<CheckOutcome> checkQuantisationVersion(const CheckContext& context, FindingList& findings) {
    if (context.metadata.find("general.quantization_version") == nullptr &&
        std::ranges::any_of(context.model.tensors, isQuantised)) {
        findings.add(FindingCode::QuantisationVersionMissing, Place::key("general.quantization_version"));
    }
    return CheckOutcome::Ran;
}

Result<CheckOutcome> checkFileType(const CheckContext& context, FindingList& findings) {
    const auto value = context.metadata.uint("general.file_type");
    const FileTypeFact* fileType = value ? findFileType(*value) : nullptr;
    const auto dominant = dominantType(context);
    // A program that has its own meaning for a type number may have one for this number, too.
    const bool isDialect = std::ranges::any_of(context.model.tensors, [](const TensorInfo& tensor) {
        return tensor.bytesDerived && tensor.type() != nullptr;
    });
    if (fileType == nullptr || !dominant || isDialect) {
        return CheckOutcome::NotApplicable;
    }
    if (fileType->removed) {
        findings.add(FindingCode::FileTypeRemoved, Place::key("general.file_type"), {std::string(fileType->name)});
    }
    // Most of a mix need not have its nominal type, but a good part of it does if rows permit.
    constexpr double kMinShare = 0.1;
    bool possible = false;
    for (std::size_t i = 0; i < context.model.tensors.size(); ++i) {
        possible = possible || (context.isMatrix(i) && couldHaveType(context.model.tensors[i], fileType->tensorType));
    }
    // The types of missing parts are unknown.
    if (possible && !context.partsMissing && shareOfType(context, fileType->tensorType) < kMinShare) {
        findings.add(FindingCode::FileTypeContradicts, Place::key("general.file_type"),
                     {std::string(fileType->name), std::string(dominant->type->name), percent(dominant->share)});
    }
    return CheckOutcome::Ran;
}

Result<CheckOutcome> checkTensorNames(const CheckContext& context, FindingList& findings) {
    if (context.kind == FileKind::Vocabulary) {
        return CheckOutcome::NotApplicable;
    }
    std::uint64_t unknown = 0;
    const TensorInfo* first = nullptr;
    for (std::size_t i = 0; i < context.names.size(); ++i) {
        if (context.names[i].fact == nullptr && !context.model.tensors[i].name.empty() && !context.isJudged()) {
            first = unknown++ == 0 ? &context.model.tensors[i] : first;
        }
    }
    if (first != nullptr) {
        findings.add(FindingCode::TensorNamesUnusual, Place::tensor(std::string(first->name)), {unknown});
    }
    if (context.isJudged() &&
        std::ranges::none_of(context.names, [](const TensorName& name) { return name.role == "token_embd"; })) {
        findings.add(FindingCode::EmbeddingMissing);
    }
    return CheckOutcome::Ran;
}

// The shapes of tensors are compared with the hyper-parameters by checkBinding().
Result<CheckOutcome> checkVocabularySize(const CheckContext& context, FindingList& findings) {
    const ArrayView* tokens = context.metadata.array(kTokensKey);
    if (context.kind != FileKind::Model || tokens == nullptr || tokens->length == 0) {
        return CheckOutcome::NotApplicable;
    }
    for (const char* name : {"token_embd.weight", "output.weight"}) {
        const auto index = context.isJudged() ? context.model.findTensor(name) : std::nullopt;
        const std::uint64_t rows = index ? context.model.tensor(*index).shape[1] : tokens->length;
        if (rows != tokens->length) {
            findings.add(FindingCode::VocabularySize, Place::tensor(name), {rows, tokens->length});
        }
    }
    const auto size = context.parameters.uint("vocab_size");
    if (size && *size != tokens->length) {
        findings.add(FindingCode::VocabularySizeKey, Place::key(context.key("vocab_size")), {*size, tokens->length});
    }
    return CheckOutcome::Ran;
}

// Adapters need both factors of each product, importance matrices both sums and counts.
Result<CheckOutcome> checkTensorPairs(const CheckContext& context, FindingList& findings) {
    struct PairRow {
        std::string_view one;
        std::string_view other;
    };
    constexpr auto kPairs = std::to_array<PairRow>(
        {{"lora_a", "lora_b"}, {"lora_b", "lora_a"}, {"in_sum2", "counts"}, {"counts", "in_sum2"}});
    if (context.kind != FileKind::Adapter && context.kind != FileKind::Imatrix) {
        return CheckOutcome::NotApplicable;
    }
    for (const TensorInfo& tensor : context.model.tensors) {
        for (const PairRow& pair : kPairs) {
            if (!tensor.name.ends_with("." + std::string(pair.one))) {
                continue;
            }
            const std::string other =
                std::string(tensor.name.substr(0, tensor.name.size() - pair.one.size())) + std::string(pair.other);
            if (!context.model.findTensor(other) && !context.partsMissing) {
                findings.add(FindingCode::PairIncomplete, Place::tensor(std::string(tensor.name)), {other});
            }
        }
    }
    return CheckOutcome::Ran;
}

// Finds tensors that the next one follows too early, by exactly the size of the headers of their rows.
Result<CheckOutcome> checkRowHeaders(const CheckContext& context, FindingList& findings) {
    const Model& model = context.model;
    if (std::ranges::none_of(model.tensors, hasRowHeaders)) {
        return CheckOutcome::NotApplicable;
    }
    std::vector<const TensorInfo*> placed;
    for (const TensorInfo& tensor : model.tensors) {
        placed.push_back(&tensor);
    }
    std::ranges::sort(placed, {}, [](const TensorInfo* each) { // those at one place in the order of the table
        return std::tuple(each->file.value, each->offset, each);
    });
    for (std::size_t i = 0; i + 1 < placed.size(); ++i) {
        const TensorInfo& tensor = *placed[i];
        const TensorInfo& next = *placed[i + 1];
        const auto rows = tensor.shape.rows();
        if (!hasRowHeaders(tensor) || !tensor.bytes || !rows || next.file != tensor.file) {
            continue;
        }
        const TensorTypeFact& type = *tensor.type();
        const std::uint64_t distance = next.offset - tensor.offset;
        if (distance < *tensor.bytes && distance >= *tensor.bytes - *rows * type.rowHeaderBytes) {
            findings.add(FindingCode::RowHeadersMissing, Place::tensor(std::string(tensor.name)),
                         {std::string(type.name), *tensor.bytes, distance});
        }
    }
    return CheckOutcome::Ran;
}

} // namespace gufo
