#include "model/file_type.h"
#include "model/finding_code.h"
#include "validate/checks.h"

#include <algorithm>
#include <array>
#include <unordered_map>

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
    const TensorTypeInfo* type = findTensorType(typeId);
    return type != nullptr && tensor.shape[0] % type->blockSize == 0;
}

// Checks the dimensions of tensors by role.
class Shapes {
public:
    Shapes(const CheckContext& context, FindingList& findings)
        : m_context(context)
        , m_findings(findings)
        , m_width(context.parameters.uint("embedding_length").value_or(0))
        , m_experts(context.parameters.uint("expert_count").value_or(0)) {}

    void check(std::size_t i) {
        const TensorInfo& tensor = m_context.model.tensors[i];
        const TensorName& name = m_context.names[i];
        if (name.fact == nullptr || (name.suffix != "weight" && name.suffix != "bias") || !name.prefix.empty()) {
            return;
        }
        const bool weight = name.suffix == "weight";
        const std::string_view role = name.role;
        if (role == "attn_norm" || role == "ffn_norm" || role == "output_norm" || role == "token_embd_norm") {
            dimension(tensor, 0, {m_width});
        }
        if (!weight) {
            return;
        }
        if (role == "token_embd") {
            dimension(tensor, 0, {m_width});
            vocabularyRows(tensor);
        } else if (role == "output") {
            dimension(tensor, 0, {m_width});
            vocabularyRows(tensor);
        } else if (role == "ffn_gate_inp" && name.block) {
            dimension(tensor, 0, {m_width});
            dimension(tensor, 1, {m_experts});
        } else if (name.fact->experts && tensor.shape.count() == 3 && !role.ends_with("chexps")) {
            dimension(tensor, 2, {m_experts});
        } else if (name.block) {
            attention(tensor, role, *name.block);
            feedForward(tensor, role, *name.block);
        }
    }

private:
    // A zero among the expected lengths stands for one that the file does not state.
    void dimension(const TensorInfo& tensor, std::size_t index, std::initializer_list<std::uint64_t> expected) {
        const bool known = std::ranges::find(expected, 0U) == expected.end();
        if (known && std::ranges::find(expected, tensor.shape[index]) == expected.end()) {
            m_findings.add(
                FindingCode::TensorShape, Place::tensor(std::string(tensor.name)),
                {std::to_string(index), std::to_string(*expected.begin()), std::to_string(tensor.shape[index])});
        }
    }

    void vocabularyRows(const TensorInfo& tensor) {
        const ArrayView* tokens = m_context.metadata.array("tokenizer.ggml.tokens");
        if (tokens != nullptr && tokens->length != 0 && tensor.shape[1] != tokens->length) {
            m_findings.add(FindingCode::VocabularySize, Place::tensor(std::string(tensor.name)),
                           {std::to_string(tensor.shape[1]), std::to_string(tokens->length)});
        }
    }

    void attention(const TensorInfo& tensor, std::string_view role, std::uint64_t block) {
        const HyperParameters& parameters = m_context.parameters;
        const std::uint64_t heads = parameters.uintAt("attention.head_count", block).value_or(0);
        const std::uint64_t shared = parameters.uintAt("attention.head_count_kv", block).value_or(heads);
        if (heads == 0 || m_width == 0 || isOfItsOwnShape()) {
            return;
        }
        const std::uint64_t key = parameters.uint("attention.key_length").value_or(m_width / heads);
        const std::uint64_t value = parameters.uint("attention.value_length").value_or(m_width / heads);
        const std::uint64_t windowKey = parameters.uint("attention.key_length_swa").value_or(key);
        const std::uint64_t windowValue = parameters.uint("attention.value_length_swa").value_or(value);
        const std::uint64_t latentKey = parameters.uint("attention.key_length_mla").value_or(key);
        const std::uint64_t latentValue = parameters.uint("attention.value_length_mla").value_or(value);
        if (role == "attn_q") {
            // The matrix may also contain a gate of the output.
            dimension(tensor, 1, {heads * key, 2 * heads * key, heads * windowKey, heads * latentKey});
        } else if (role == "attn_k" && shared != 0) {
            dimension(tensor, 1, {shared * key, shared * windowKey});
        } else if (role == "attn_v" && shared != 0) {
            dimension(tensor, 1, {shared * value, shared * windowValue});
        } else if (role == "attn_qkv" && shared != 0) {
            dimension(tensor, 1, {heads * key + shared * (key + value)});
        } else if (role == "attn_output") {
            dimension(tensor, 0, {heads * value, heads * windowValue, heads * latentValue});
            dimension(tensor, 1, {m_width});
        }
    }

    void feedForward(const TensorInfo& tensor, std::string_view role, std::uint64_t block) {
        const std::uint64_t length = m_context.parameters.uintAt("feed_forward_length", block).value_or(0);
        if (isOfItsOwnShape()) {
            return;
        }
        if (role == "ffn_up") {
            // Gate and up may be one matrix.
            dimension(tensor, 1, {length, 2 * length});
        } else if (role == "ffn_gate") {
            dimension(tensor, 1, {length});
        } else if (role == "ffn_down") {
            dimension(tensor, 0, {length});
            dimension(tensor, 1, {m_width});
        }
    }

    // Whether the blocks of this architecture differ in ways that no key states.
    [[nodiscard]] bool isOfItsOwnShape() const {
        if (m_context.architecture == nullptr || m_context.architecture->recurrent) {
            return true;
        }
        constexpr auto kNames = std::to_array<std::string_view>(
            {"arctic", "chameleon", "cogvlm", "gemma3n", "gemma4", "grovemoe", "kimi-linear", "llama4", "mimo2",
             "modern-bert", "nomic-bert-moe", "plamo2", "qwen", "qwen35", "qwen35moe", "qwen3next", "smallthinker",
             "step35"});
        return std::ranges::find(kNames, m_context.architectureName) != kNames.end();
    }

    const CheckContext& m_context;
    FindingList& m_findings;
    std::uint64_t m_width;
    std::uint64_t m_experts;
};

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
    if (std::ranges::any_of(context.model.tensors, isQuantised) &&
        context.metadata.find("general.quantization_version") == nullptr) {
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
    if (possible && shareOfType(context, fileType->tensorType) < kMinShare) {
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
        if (context.names[i].fact == nullptr && !context.model.tensors[i].name.empty()) {
            first = unknown++ == 0 ? &context.model.tensors[i] : first;
        }
    }
    if (first != nullptr) {
        findings.add(FindingCode::TensorNamesUnusual, Place::tensor(std::string(first->name)),
                     {std::to_string(unknown)});
    }
    if (context.kind == FileKind::Model && !context.partsMissing && context.naming.sidecar.empty() &&
        std::ranges::none_of(context.names, [](const TensorName& name) { return name.role == "token_embd"; })) {
        findings.add(FindingCode::EmbeddingMissing);
    }
    return CheckOutcome::Ran;
}

Result<CheckOutcome> checkTensorShapes(const CheckContext& context, FindingList& findings) {
    if (context.kind != FileKind::Model || context.architectureIs("wavtokenizer-dec")) {
        return CheckOutcome::NotApplicable;
    }
    Shapes shapes(context, findings);
    for (std::size_t i = 0; i < context.model.tensors.size(); ++i) {
        shapes.check(i);
    }
    const auto size = context.parameters.uint("vocab_size");
    const ArrayView* tokens = context.metadata.array("tokenizer.ggml.tokens");
    if (size && tokens != nullptr && tokens->length != 0 && *size != tokens->length) {
        findings.add(FindingCode::VocabularySizeKey, Place::key(context.key("vocab_size")),
                     {std::to_string(*size), std::to_string(tokens->length)});
    }
    return CheckOutcome::Ran;
}

// Adapters need both factors of each product, importance matrices both sums and counts.
Result<CheckOutcome> checkTensorPairs(const CheckContext& context, FindingList& findings) {
    struct Pair {
        std::string_view one;
        std::string_view other;
    };
    constexpr auto kPairs =
        std::to_array<Pair>({{"lora_a", "lora_b"}, {"lora_b", "lora_a"}, {"in_sum2", "counts"}, {"counts", "in_sum2"}});
    if (context.kind != FileKind::Adapter && context.kind != FileKind::Imatrix) {
        return CheckOutcome::NotApplicable;
    }
    for (const TensorInfo& tensor : context.model.tensors) {
        for (const Pair& pair : kPairs) {
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

} // namespace gufo
