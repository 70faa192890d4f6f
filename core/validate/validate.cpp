#include "validate/validate.h"

#include "base/try.h"
#include "formats/container/container.h"
#include "model/architectures.h"
#include "model/finding_code.h"
#include "model/set_fault.h"
#include "text/template/template_markers.h"
#include "validate/checks.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

namespace gufo {
namespace {

// What a check needs to know of a model.
enum class Needs : std::uint8_t {
    Keys,        // nothing else, and takes little time
    TensorNames, // parsed names of tensors
    Vocabulary,  // texts of tokens
    Weights,
};
enum class Models : std::uint8_t {
    Any,
    Standard,  // with GGUF's standard keys and names
    Published, // standard ones, before they are published
};
enum class Errors : std::uint8_t {
    Report,
    Refuse, // surgery and conversions, which must not make such a model
};
struct CheckRow {
    std::string_view name;
    CheckFunction function;
    Needs needs;
    Models models;
    Errors errors;
};
constexpr auto kChecks = std::to_array<CheckRow>({
#define GUFO_CHECK(function, name, needs, models, errors)                                                              \
    {name, function, Needs::needs, Models::models, Errors::errors},
#include "model/finding_codes.inc"
#include "model/token.h"
});

// The check that adds each finding, in the order of the codes; null if none does.
constexpr auto kCheckOfFinding = [] {
    std::array<const CheckRow*, kFindingCodeCount> all{};
    const CheckRow* next = kChecks.data();
    const CheckRow* check = nullptr;
#define GUFO_CHECK(function, name, needs, models, errors) check = next++;
#define GUFO_NO_CHECK() check = nullptr;
#define GUFO_FINDING(code, name, severity, args, title, message, hint)                                                 \
    all[static_cast<std::size_t>(FindingCode::code)] = check;
#include "model/finding_codes.inc"
    return all;
}();

const CheckRow* checkOf(FindingCode code) { return kCheckOfFinding[static_cast<std::size_t>(code)]; }

constexpr std::string_view kOfBase = "of_base";                      // a check that needs another model
constexpr std::string_view kTemplateSyntax = "chat_template_syntax"; // checks that the caller provides
constexpr std::string_view kTemplateAudit = "chat_template_audit";

bool hasChatTemplate(const Metadata& metadata) {
    return std::ranges::any_of(metadata,
                               [](const KeyValue& entry) { return entry.key.starts_with("tokenizer.chat_template"); });
}

// Whether the model has GGUF's standard keys and names, or is in memory only.
bool hasStandardNames(const Model& model) {
    return containerOf(model) == nullptr || capabilitiesOf(model).has(Capability::Run);
}

// Returns the sort key of a place: the file of a shard set, then the byte offset.
std::pair<std::uint32_t, std::uint64_t> positionOf(const Model& model, const Place& place) {
    constexpr std::pair<std::uint32_t, std::uint64_t> kFront{0, 0};
    switch (place.kind) {
    case Place::Kind::Key:
    case Place::Kind::Token: {
        const auto index =
            model.metadata.indexOf(place.kind == Place::Kind::Key ? std::string_view(place.name) : kTokensKey);
        if (!index) {
            return kFront;
        }
        const KeyValue& entry = model.metadata[*index];
        return {entry.file.value, entry.offset};
    }
    case Place::Kind::Tensor: {
        const auto index = model.findTensor(place.name);
        if (!index) {
            return kFront;
        }
        const TensorInfo& tensor = model.tensor(*index);
        return {tensor.file.value, tensor.recordOffset};
    }
    case Place::Kind::File:
        return {0, place.offset.value_or(0)};
    case Place::Kind::FileName:
        break;
    }
    return kFront;
}

// Completes the findings about unknown markers by the text of the unused token whose place each marker can take. The
// text is empty for the markers that are left when all unused tokens are assigned.
void nameSpareTokens(const CheckContext& context, std::vector<Finding>& findings) {
    std::vector<Finding*> unknown;
    std::set<std::string_view> texts; // several templates may print the same one
    for (Finding& finding : findings) {
        if (finding.code == FindingCode::TemplateTokenUnknown && finding.args.size() == 2) {
            unknown.push_back(&finding);
            texts.insert(finding.args.front().text());
        }
    }
    if (unknown.empty()) {
        return;
    }
    const std::vector<std::uint64_t> spare = spareTokens(context.vocabulary, context.metadata, texts.size());
    std::map<std::string_view, std::string_view> places;
    for (const Finding* finding : unknown) {
        if (places.size() < spare.size()) {
            places.try_emplace(finding->args.front().text(), context.vocabulary.tokens()[spare[places.size()]]);
        }
    }
    for (Finding* finding : unknown) {
        const auto place = places.find(finding->args.front().text());
        std::string text(place != places.end() ? place->second : std::string_view());
        finding->args.emplace_back(std::move(text));
    }
}

void sortFindings(const Model& model, std::vector<Finding>& findings) {
    struct Sortable {
        Severity severity;
        std::pair<std::uint32_t, std::uint64_t> position;
        std::uint64_t index;
        std::size_t order;
    };
    std::vector<Sortable> keys;
    keys.reserve(findings.size());
    for (std::size_t i = 0; i < findings.size(); ++i) {
        const Finding& finding = findings[i];
        keys.push_back({finding.severity(), positionOf(model, finding.place), finding.place.index.value_or(0), i});
    }
    std::ranges::sort(keys, [](const Sortable& a, const Sortable& b) {
        return std::tuple(b.severity, a.position, a.index, a.order) <
               std::tuple(a.severity, b.position, b.index, b.order);
    });
    std::vector<Finding> sorted;
    sorted.reserve(findings.size());
    for (const Sortable& key : keys) {
        sorted.push_back(std::move(findings[key.order]));
    }
    findings = std::move(sorted);
}

} // namespace

// The reader's findings count as a check too.
Result<CheckOutcome> checkLayout(const CheckContext& context, FindingList& findings) {
    for (const Finding& finding : context.model.findings) {
        findings.add(finding);
    }
    return CheckOutcome::Ran;
}

CheckContext::CheckContext(const Model& checked, const JobContext& context, Scope wanted)
    : scope(wanted)
    , model(checked)
    , metadata(checked.metadata)
    , job(context)
    , kind(fileKind(checked))
    , architectureName(checked.metadata.architecture())
    , architecture(findArchitecture(architectureName))
    , parameters(checked.metadata)
    , blocks(parameters.uint("block_count").value_or(0))
    , naming(parseFileNaming(checked.files.empty() ? std::string() : checked.path().filename().native()))
    , vocabulary(wanted == Scope::Model || wanted == Scope::Vocabulary ? TokenTexts(checked.metadata, context)
                                                                       : TokenTexts())
    , partsMissing(std::ranges::any_of(checked.files, [](const ModelFile& file) { return file.source == nullptr; })) {
    partsMissing = partsMissing || isIncompleteSet(checked);
    if (naming.sidecar.empty() && holdsOnlyMtp(checked)) { // whatever its name is
        naming.sidecar = "mtp";
    }
    blocks = blocks <= kMaxBlocks ? blocks : 0;
    facts.reserve(metadata.size());
    for (const KeyValue& entry : metadata) {
        facts.push_back(describeKey(entry.key, architectureName));
    }
    if (scope == Scope::Keys || scope == Scope::Vocabulary) {
        return;
    }
    names.reserve(model.tensors.size());
    for (const TensorInfo& tensor : model.tensors) {
        names.push_back(parseTensorName(tensor.name));
    }
    binding = bindingOf(*this);
    if (isJudged()) {
        for (const inference::AbsentTensor& absent : (*binding)->absent) {
            if (absent.required) {
                missingTensors.insert(absent.name);
            }
        }
    }
}

Result<Validation> validate(const Model& model, const ValidateOptions& options, const JobContext& job) {
    const CheckContext context(model, job);
    const bool standard = hasStandardNames(model);
    Validation validation;
    std::vector<Finding> all;
    for (const CheckRow& check : kChecks) {
        GUFO_TRY(job.check());
        if (check.models == Models::Published && !options.publish) {
            continue;
        }
        if (check.needs == Needs::Weights && !options.deep) {
            validation.checksNotRun.push_back(check.name);
            continue;
        }
        FindingList findings;
        const auto outcome =
            GUFO_TRY(check.models == Models::Any || standard ? check.function(context, findings)
                                                             : Result<CheckOutcome>(CheckOutcome::NotApplicable));
        std::vector<Finding> found = std::move(findings).take();
        if (outcome == CheckOutcome::NotApplicable) {
            validation.checksWithoutCase.push_back(check.name);
        } else if (outcome == CheckOutcome::NotJudged) {
            validation.checksNotRun.push_back(check.name);
        } else if (found.empty()) {
            ++validation.checksPassed;
        }
        std::ranges::move(found, std::back_inserter(all));
    }
    if (!hasChatTemplate(model.metadata)) {
        validation.checksWithoutCase.push_back(kTemplateSyntax);
    } else if (auto found =
                   options.chatTemplates != nullptr ? options.chatTemplates(model.metadata, job.stop) : std::nullopt) {
        validation.checksPassed += found->empty() ? 1 : 0;
        std::ranges::move(*found, std::back_inserter(all));
    } else if (job.stopRequested()) {
        return fail(ErrorCode::Cancelled);
    } else {
        validation.checksNotRun.push_back(kTemplateSyntax);
    }
    if (options.templateAudit != nullptr && hasChatTemplate(model.metadata)) {
        if (auto found = options.templateAudit(model, job)) {
            validation.checksPassed += found->empty() ? 1 : 0;
            std::ranges::move(*found, std::back_inserter(all));
        } else if (job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        } else {
            validation.checksNotRun.push_back(kTemplateAudit);
        }
    }
    for (const ModelFile& file : model.files) {
        if (const auto damage = file.source != nullptr ? file.source->damage() : std::nullopt) {
            return std::unexpected(*damage);
        }
    }
    if (options.publish) { // FileNameSuggested says it better
        std::erase_if(all, [](const Finding& finding) { return finding.code == FindingCode::FileNameUnconventional; });
    }
    nameSpareTokens(context, all);
    sortFindings(model, all);
    validation.findings = std::move(all);
    return validation;
}

bool isOfWeights(FindingCode code) {
    const CheckRow* check = checkOf(code);
    return check != nullptr && check->needs == Needs::Weights;
}

bool isOfPublishing(FindingCode code) {
    const CheckRow* check = checkOf(code);
    return check != nullptr && check->models == Models::Published;
}

std::vector<Finding> checkStructure(const Model& model) {
    const CheckContext context(model, {}, CheckContext::Scope::Structure);
    FindingList findings;
    for (const CheckRow& check : kChecks) {
        if (check.errors == Errors::Refuse) {
            static_cast<void>(check.function(context, findings)); // cannot fail: reads no weights, is never stopped
        }
    }
    std::vector<Finding> errors = std::move(findings).take();
    std::erase_if(errors, [](const Finding& finding) { return finding.severity() != Severity::Error; });
    return errors;
}

std::vector<Finding> checkTemplate(const Model& model, std::string_view key, const JobContext& job,
                                   ChatTemplateCheck chatTemplates) {
    const auto source = model.metadata.string(key);
    if (!source) {
        return {};
    }
    const CheckContext context(model, job, CheckContext::Scope::Vocabulary);
    FindingList findings;
    checkTemplateText(context, {.name = {}, .key = key, .source = *source}, findings);
    const bool usesText = std::ranges::any_of(text::printedMarkers(*source), [&](const text::SourceRange& marker) {
        const auto id = context.vocabulary.find(source->substr(marker.offset, marker.length));
        return id && context.vocabulary.hasTypes() && context.vocabulary.is(*id, TokenType::Normal);
    });
    FindingList ofTypes;
    if (usesText && checkTokenTypes(context, ofTypes)) {
        for (Finding& finding : std::move(ofTypes).take()) {
            if (finding.code == FindingCode::ControlTokenTypedNormal) {
                findings.add(std::move(finding));
            }
        }
    }
    std::vector<Finding> all = std::move(findings).take();
    auto rendered = chatTemplates != nullptr ? chatTemplates(model.metadata, job.stop) : std::nullopt;
    for (Finding& finding : rendered ? *rendered : std::vector<Finding>()) {
        if (finding.code == FindingCode::TemplateTokenUnknown && finding.place.name == key) {
            all.push_back(std::move(finding));
        }
    }
    nameSpareTokens(context, all);
    return all;
}

std::vector<Finding> checkKeys(const Model& model) {
    const CheckContext context(model, {}, CheckContext::Scope::Keys);
    const bool standard = hasStandardNames(model);
    FindingList findings;
    for (const CheckRow& check : kChecks) {
        const bool applies = check.models == Models::Any || (check.models == Models::Standard && standard);
        if (check.needs == Needs::Keys && applies) {
            // Cannot fail: checks of keys read nothing else and are never stopped.
            static_cast<void>(check.function(context, findings));
        }
    }
    return std::move(findings).take();
}

} // namespace gufo
