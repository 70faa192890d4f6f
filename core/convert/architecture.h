// The architectures that can be converted, one row each (architecture_table.cpp): the classes of Hugging Face that they
// cover, the target of each tensor and the operations on it, and the keys that only they have. Common tables contain
// the rules that most models share.
#pragma once

#include "convert/model_facts.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace gufo::convert {

// Returns the operations on a tensor. Errors: NotSupported (Detail::SettingMissing).
using MakeOperations = Result<std::vector<Operation>> (*)(const ModelFacts& facts, const SourceTensor& tensor);

// Maps the tensors of a name to tensors of the result. Names are given without their suffix (".weight", ".bias",
// ".scale"), which stays. "{b}" stands for the number of a block, "{d}" for the number of the first drafting block, and
// "{e}" for the number of an expert, or of a head whose tensors are stacked. A source that begins with "=" is a whole
// name, and so is its target. Prefixes such as "model." are left out.
struct TensorPattern {
    std::string_view source;
    std::string_view target; // empty: the tensor is not needed
    MakeOperations operations = nullptr;
    std::string_view unused{}; // why it is not needed
};

struct FoundValue {
    OwnedValue value;
    std::string from;
};
using ComputeValue = std::optional<FoundValue> (*)(const ModelFacts& facts);

// A key of the result. Its value is computed, or taken from the first setting that the configuration has. If neither
// gives a value, `otherwise` is written; if that is empty, too, the key is left out.
struct KeyRule {
    std::string_view key; // after the name of the architecture and a dot: "context_length"
    ValueType type;
    SettingNames names{};
    ComputeValue compute = nullptr;
    double otherwise = std::numeric_limits<double>::quiet_NaN();
};

// A table that begins with the rows of another.
template<typename Row, std::size_t First, std::size_t Others>
[[nodiscard]] consteval std::array<Row, First + Others> joinedRows(const std::array<Row, First>& first,
                                                                   const std::array<Row, Others>& others) {
    std::array<Row, First + Others> all{};
    std::ranges::copy(others, std::ranges::copy(first, all.begin()).out);
    return all;
}

struct Architecture {
    std::string_view name; // of GGUF
    std::span<const std::string_view> classes;
    std::span<const TensorPattern> tensors;        // come before the common ones
    std::span<const KeyRule> keys{};               // come before the common ones
    std::span<const std::string_view> otherKeys{}; // common keys that it lacks
    bool commonTensors = true;
    bool fileType = true; // whether general.file_type is written
    // Keys in the order of the official converter, where that differs from the order of the tables: separated by
    // commas, after the name of the architecture or whole. The others follow.
    std::string_view order{};
    bool zeroBiases = false;  // biases are left out, and must be zero
    bool draftBlocks = false; // the layers of mtp.* become blocks after the others
    // The prompt template that presents a query and a text to a reranker; empty for other models.
    std::string_view rankingTemplate{};
};

[[nodiscard]] std::span<const Architecture> architectures();
// Null if there is none.
[[nodiscard]] const Architecture* findArchitecture(std::string_view modelClass);
// The class that `model_type` of a configuration without `architectures` means.
struct ModelType {
    std::string_view type;
    std::string_view modelClass;
    std::string_view embeddingClass{}; // of a sentence transformer, if it is another
};
[[nodiscard]] std::span<const ModelType> modelTypes();
// Empty if the type is unknown.
[[nodiscard]] std::string_view classOfType(std::string_view modelType, bool isSentenceTransformer);
// Finds the architecture of a source by the class of its text model, by the class of the whole model, or by the
// settings of Mistral's own format. Errors: NotSupported (Detail::NoModelClass, ClassNotSupported).
[[nodiscard]] Result<const Architecture*> architectureOf(const ModelFacts& facts);
// The names of tensors in the original LLaMA, which files from before GGUF use.
[[nodiscard]] const Architecture& metaArchitecture();
// Models in Mistral's own format: models with latent attention are deepseek2; the others have the names of the original
// LLaMA, and the older ones of them are llama.
[[nodiscard]] const Architecture& mistralArchitecture(const ModelFacts& facts);
// Qwen3's rerankers have the class of language models. They are recognised by the name of the folder, or by a name in
// the configuration or in the model card.
[[nodiscard]] bool isReranker(const ModelFacts& facts);
[[nodiscard]] const Architecture& rerankerArchitecture(const ModelFacts& facts);
// The names of all classes, sorted, separated by commas.
[[nodiscard]] std::string supportedClasses();

// Names and settings that most decoders share.
[[nodiscard]] std::span<const TensorPattern> commonTensors();
[[nodiscard]] std::span<const KeyRule> commonKeys();

// A target of a tensor. A tensor may have several targets, each of which receives a part of it.
struct Placement {
    std::string target;
    const TensorPattern* pattern = nullptr;
    std::optional<std::uint64_t> block{};
    std::optional<std::uint64_t> expert{};
};
// `blocks` is the number of blocks before the drafting blocks.
[[nodiscard]] std::vector<Placement> placementsOf(const Architecture& architecture, std::string_view name,
                                                  std::uint64_t blocks);
// Why a tensor that has no placement is not needed; empty if that is not known.
[[nodiscard]] std::string_view reasonForDropping(std::string_view name);

// A tensor that the configuration describes and no file of the source contains.
struct ComputedTensor {
    std::string target;
    std::vector<float> values;
    std::string from;
};
[[nodiscard]] std::vector<ComputedTensor> computedTensors(const ModelFacts& facts);

// The keys of the architecture, without the keys of the file and of the vocabulary; `fileType` is placed among them.
[[nodiscard]] std::vector<PlannedKey> architectureKeys(const Architecture& architecture, const ModelFacts& facts,
                                                       std::optional<PlannedKey> fileType = {});
// Moves the keys that Architecture::order lists to the front of `keys`, in its order.
void putInOrder(const Architecture& architecture, std::span<PlannedKey> keys);

} // namespace gufo::convert
