// The parts of validate(): the functions of the checks in finding_codes.inc, and their common input.
#pragma once

#include "inference/engine/binding/binder.h"
#include "model/architectures.h"
#include "model/file_kind.h"
#include "model/file_naming.h"
#include "model/finding_list.h"
#include "model/hyper_parameters.h"
#include "model/key_catalogue.h"
#include "model/tensor_role.h"
#include "text/template/chat_templates.h"
#include "validate/token_texts.h"
#include "validate/validate.h"

#include <set>
#include <string>
#include <vector>

namespace gufo {

struct CheckContext {
    enum class Scope : std::uint8_t {
        Model,
        Structure,  // leaves `vocabulary` empty
        Keys,       // leaves `names` empty, too
        Vocabulary, // leaves only `names` empty
    };
    CheckContext(const Model& checked, const JobContext& context, Scope wanted = Scope::Model);

    Scope scope;
    const Model& model;
    const Metadata& metadata;
    JobContext job;
    FileKind kind; // many rules apply only to models
    std::string_view architectureName;
    const ArchitectureFact* architecture; // null if it is not in the catalogue
    HyperParameters parameters;
    std::uint64_t blocks; // block_count; 0 if absent, of a wrong type or absurd
    FileNaming naming;
    std::vector<const KeyFact*> facts; // of the keys, in the same order; null for unknown ones
    std::vector<TensorName> names;     // of the model's tensors, in the same order
    TokenTexts vocabulary;
    bool partsMissing; // shards are missing, which explains gaps
    // How the tensors differ from the tensors that the engine asks for, or why it cannot say; nothing if it has not
    // been asked.
    std::optional<Result<inference::BindingReport>> binding;
    std::set<std::string_view> missingTensors; // by `binding`, which holds their names
    [[nodiscard]] bool isJudged() const { return binding && binding->has_value(); }

    [[nodiscard]] std::string key(std::string_view suffix) const { return metadata.architectureKey(suffix); }
    [[nodiscard]] bool architectureIs(std::string_view name) const { return architectureName == name; }
    // Whether the tensor is a matrix of weights. These are the bulk of any model.
    [[nodiscard]] bool isMatrix(std::size_t tensor) const {
        return model.tensors[tensor].shape.count() >= 2 && names[tensor].suffix == "weight";
    }
};

enum class CheckOutcome : std::uint8_t {
    Ran,
    NotApplicable,
    NotJudged, // there is something to check, but the right value is not known
};
// Adds any number of findings. Errors: Cancelled, FileChangedWhileReading.
using CheckFunction = Result<CheckOutcome> (*)(const CheckContext&, FindingList&);

#define GUFO_CHECK(function, name, needs, models, errors)                                                              \
    Result<CheckOutcome> function(const CheckContext&, FindingList&);
#include "model/finding_codes.inc"

// Adds what the text of a chat template shows without being rendered.
void checkTemplateText(const CheckContext& context, const text::ChatTemplate& each, FindingList& findings);

// The value of CheckContext::binding.
[[nodiscard]] std::optional<Result<inference::BindingReport>> bindingOf(const CheckContext& context);

// The most common type among the weights of all matrices; nothing if no matrix has a known type.
struct DominantType {
    const TensorTypeFact* type;
    double share; // fraction of these weights
};
[[nodiscard]] std::optional<DominantType> dominantType(const CheckContext& context);
// Fraction of the weights of all matrices that have the type; 0 without matrices.
[[nodiscard]] double shareOfType(const CheckContext& context, std::uint32_t typeId);

} // namespace gufo
