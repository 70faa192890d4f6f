#include "convert/description.h"

#include "convert/adapter_plan.h"
#include "convert/architecture.h"
#include "convert/general_keys.h"
#include "convert/legacy_plan.h"
#include "convert/vocabulary/vocabulary_plan.h"
#include "formats/container/container.h"
#include "formats/ggml/reader.h"
#include "model/metadata_builder.h"

#include <array>
#include <optional>

namespace gufo::convert {
namespace {

namespace fs = std::filesystem;

// The hyper-parameters of files from before GGUF, whose families gave them different names.
struct LegacyKeyRow {
    std::string_view name;
    std::string_view key;
};
constexpr auto kLegacyKeys = std::to_array<LegacyKeyRow>({
    {"n_ctx", "context_length"},
    {"max_seq_len", "context_length"},
    {"n_text_ctx", "context_length"},
    {"n_embd", "embedding_length"},
    {"n_embed", "embedding_length"},
    {"d_model", "embedding_length"},
    {"n_text_state", "embedding_length"},
    {"n_layer", "block_count"},
    {"n_layers", "block_count"},
    {"n_text_layer", "block_count"},
    {"n_head", "attention.head_count"},
    {"n_heads", "attention.head_count"},
    {"n_text_head", "attention.head_count"},
    {"n_rot", "rope.dimension_count"},
    {"n_vocab", "vocab_size"},
});

// The rows of the token embedding; nothing if no tensor has its name.
std::optional<std::uint64_t> embeddingRows(const Model& model, const Architecture& architecture,
                                           const ModelFacts& facts) {
    for (const TensorInfo& tensor : model.tensors) {
        if (tensor.shape.count() != 2) {
            continue;
        }
        for (const Placement& placement : placementsOf(architecture, tensor.name, facts.blocks())) {
            if (placement.target == "token_embd.weight") {
                return tensor.shape[1];
            }
        }
    }
    return std::nullopt;
}

class Describer {
public:
    explicit Describer(std::shared_ptr<const Model> model)
        : m_source(std::move(model))
        , m_model(*m_source)
        , m_described(std::make_shared<Model>(m_model))
        , m_keys(*m_described) {}

    std::shared_ptr<const Model> describe() {
        const bool described = isLegacy(m_model) ? addLegacy() : addFolder();
        return described ? m_described : nullptr;
    }

private:
    void add(std::vector<PlannedKey> keys) {
        for (PlannedKey& key : keys) {
            m_keys.add(std::move(key.key), key.value);
        }
    }

    bool addLegacy() {
        const auto family = m_model.metadata.string(ggml::kFamilyKey);
        if (!family || m_model.container == "ggla") { // an adapter has no sizes of a model
            return false;
        }
        m_keys.addText("general.architecture", std::string(*family));
        for (const LegacyKeyRow& key : kLegacyKeys) {
            if (const auto value = m_model.metadata.uint(key.name)) {
                m_keys.add(std::string(*family) + "." + std::string(key.key),
                           OwnedValue(Value(static_cast<std::uint32_t>(*value))));
            }
        }
        return true;
    }

    bool addFolder() {
        const auto source = SourceFolder::of(folderOf(m_model), m_source);
        if (!source) {
            return false; // the configuration cannot be read, which is a finding of the reader
        }
        if (isAdapter(*source)) {
            addAdapter(*source);
            return true;
        }
        if (source->config().members.empty()) {
            return false;
        }
        const ModelFacts facts(*source);
        const auto known = architectureOf(facts);
        const auto type = source->find("model_type");
        const std::string_view typeName = type ? type->string().value_or("") : std::string_view();
        const std::string otherName(typeName.empty() ? std::string_view(facts.modelClass()) : typeName);
        if (!known && otherName.empty()) {
            return false;
        }
        const Architecture other{.name = otherName, .classes = {}, .tensors = {}};
        const Architecture& architecture = known ? **known : other;
        m_keys.addText("general.architecture", std::string(architecture.name));
        add(planGeneralKeys(*source, {}));
        add(architectureKeys(architecture, facts));
        if (const std::uint64_t tokens = facts.number({"vocab_size"}); tokens != 0 && tokens <= UINT32_MAX) {
            m_keys.add(std::string(architecture.name) + ".vocab_size",
                       OwnedValue(Value(static_cast<std::uint32_t>(tokens))));
        }
        return true;
    }

    void addAdapter(const SourceFolder& source) {
        m_keys.addText("general.type", "adapter");
        m_keys.addText("adapter.type", "lora");
        add(planGeneralKeys(source, {.kind = "adapter"}));
        if (const auto alpha = m_model.metadata.number("adapter_config.lora_alpha")) {
            m_keys.add("adapter.lora.alpha", OwnedValue(Value(static_cast<float>(*alpha))));
        }
    }

    std::shared_ptr<const Model> m_source;
    const Model& m_model; // *m_source
    std::shared_ptr<Model> m_described;
    MetadataBuilder m_keys;
};

} // namespace

fs::path folderOf(const Model& model) {
    std::error_code error;
    const fs::path& path = model.path();
    const fs::path folder = fs::is_directory(path, error) ? path : path.parent_path();
    return folder.empty() ? "." : folder;
}

std::shared_ptr<const Model> describe(std::shared_ptr<const Model> model) {
    const Container* container = containerOf(*model);
    if (container == nullptr || container->capabilities.has(Capability::Run)) {
        return model;
    }
    auto described = Describer(model).describe();
    return described != nullptr ? described : model;
}

Result<std::shared_ptr<const Model>> describeVocabulary(std::shared_ptr<const Model> model, const JobContext& job) {
    const Container* container = containerOf(*model);
    if (container == nullptr || container->capabilities.has(Capability::Run) || isLegacy(*model)) {
        return model;
    }
    const auto source = GUFO_TRY(SourceFolder::of(folderOf(*model), model));
    const ModelFacts facts(source);
    const auto architecture = architectureOf(facts);
    VocabularyOptions options;
    if (architecture) {
        options = {.architecture = std::string((*architecture)->name),
                   .embeddingRows = embeddingRows(*model, **architecture, facts),
                   .rankingTemplate = (*architecture)->rankingTemplate};
    }
    auto plan = GUFO_TRY(planVocabulary(source, options, job));
    if (plan.keys.empty()) {
        return model;
    }
    auto described = std::make_shared<Model>(*model);
    MetadataBuilder keys(*described);
    for (PlannedKey& key : plan.keys) {
        keys.add(std::move(key.key), key.value);
    }
    return described;
}

} // namespace gufo::convert
