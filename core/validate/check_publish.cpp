// The checks of validate(publish): what readers of a model's page on a hub miss or cannot use.
#include "base/ascii.h"
#include "model/array_index.h"
#include "model/file_naming.h"
#include "model/finding_code.h"
#include "model/hub_values.h"
#include "validate/checks.h"

#include <algorithm>

namespace gufo {
namespace {

// Whether most weights have fewer bits than 16.
bool mostAreQuantised(const CheckContext& context) {
    const auto dominant = dominantType(context);
    return dominant && dominant->type->kind == TensorTypeKind::Quantised;
}

// Whether the key names a page: "general.url", "general.base_model.0.repo_url", "general.license.link".
bool namesPage(std::string_view key) {
    return key.starts_with("general.") && (key.ends_with("url") || key.ends_with(".link"));
}

} // namespace

Result<CheckOutcome> checkTitle(const CheckContext& context, FindingList& findings) {
    if (context.metadata.string("general.name").value_or(std::string_view()).empty()) {
        findings.add(FindingCode::TitleMissing, Place::key("general.name"));
    }
    return CheckOutcome::Ran;
}

Result<CheckOutcome> checkLicence(const CheckContext& context, FindingList& findings) {
    const std::string key = "general.license";
    const auto stated = context.metadata.string(key);
    if (!stated || stated->empty()) {
        findings.add(FindingCode::LicenceMissing, Place::key(key));
        return CheckOutcome::Ran;
    }
    const auto known = hubLicence(*stated);
    if (!known) {
        findings.add(FindingCode::LicenceUnknown, Place::key(key), {*stated});
    } else if (!isLicenceIdentifier(*stated)) {
        findings.add(FindingCode::LicenceSpelling, Place::key(key), {*stated, *known});
    }
    const bool ofItsOwn = !known || *known == "other";
    if (ofItsOwn && !context.metadata.string(key + ".link") && !context.metadata.string(key + ".name")) {
        findings.add(FindingCode::LicenceUnexplained, Place::key(key + ".link"), {*stated});
    }
    return CheckOutcome::Ran;
}

Result<CheckOutcome> checkLinks(const CheckContext& context, FindingList& findings) {
    CheckOutcome outcome = CheckOutcome::NotApplicable;
    for (const KeyValue& entry : context.metadata) {
        const auto text = asString(entry.value);
        // The text of a licence may be a file beside the model.
        const bool isFile = entry.key == "general.license.link" && text && text->find('/') == std::string_view::npos;
        if (!text || !namesPage(entry.key) || isFile) {
            continue;
        }
        outcome = CheckOutcome::Ran;
        if (!isLink(*text)) {
            findings.add(FindingCode::LinkBroken, Place::key(std::string(entry.key)), {*text});
        }
    }
    return outcome;
}

Result<CheckOutcome> checkBaseModels(const CheckContext& context, FindingList& findings) {
    const std::string group = "general.base_model.";
    const auto stated = context.metadata.uint(group + "count");
    constexpr std::uint64_t kMaxBases = 50;
    std::uint64_t listed = 0;
    for (; listed < kMaxBases; ++listed) {
        const std::string base = group + std::to_string(listed);
        const auto name = context.metadata.string(base + ".name");
        if (!name && !context.metadata.string(base + ".repo_url")) {
            break;
        }
        if (!context.metadata.string(base + ".repo_url")) {
            findings.add(FindingCode::BaseModelUnlinked, Place::key(base + ".repo_url"), {*name});
        }
    }
    if (stated.value_or(0) != listed) {
        findings.add(FindingCode::BaseModelCount, Place::key(group + "count"), {stated.value_or(0), listed});
    } else if (listed == 0 && mostAreQuantised(context)) {
        findings.add(FindingCode::BaseModelMissing, Place::key(group + "count"));
    }
    return CheckOutcome::Ran;
}

Result<CheckOutcome> checkLanguages(const CheckContext& context, FindingList& findings) {
    const std::string key = "general.languages";
    const ArrayView* languages = context.metadata.array(key);
    if (languages == nullptr || languages->length == 0) {
        findings.add(FindingCode::LanguagesMissing, Place::key(key));
        return CheckOutcome::Ran;
    }
    forEachElement(*languages, [&](std::uint64_t i, const Value& element) {
        const auto text = asString(element);
        if (text && !isLanguage(*text)) {
            findings.add(FindingCode::LanguageUnknown, Place::key(key, i), {*text});
        }
        return text.has_value();
    });
    return CheckOutcome::Ran;
}

Result<CheckOutcome> checkSuggestedName(const CheckContext& context, FindingList& findings) {
    const auto suggested = suggestedFileName(context.model);
    const std::string name = context.model.files.empty() ? std::string() : context.model.path().filename().native();
    if (!suggested || name.empty()) {
        return CheckOutcome::NotApplicable;
    }
    if (name != *suggested && !context.naming.conforms) {
        findings.add(FindingCode::FileNameSuggested, Place::fileName(name), {name, *suggested});
    }
    return CheckOutcome::Ran;
}

Result<CheckOutcome> checkImatrixNamed(const CheckContext& context, FindingList& findings) {
    bool named = false;
    for (const std::string key : {"quantize.imatrix.file", "quantize.imatrix.dataset"}) {
        const auto text = context.metadata.string(key);
        named = named || text.has_value();
        if (text && text->find_first_of("/\\") != std::string_view::npos && !isLink(*text)) {
            findings.add(FindingCode::ImatrixPath, Place::key(key), {*text});
        }
    }
    const auto dominant = dominantType(context);
    constexpr double kFewBits = 4; // types with fewer bits are hardly used without an importance matrix
    if (!named && dominant && dominant->type->kind == TensorTypeKind::Quantised &&
        dominant->type->bitsPerWeight() < kFewBits) {
        findings.add(FindingCode::ImatrixUnnamed, Place::key("quantize.imatrix.file"),
                     {std::string(dominant->type->name)});
    }
    return named || mostAreQuantised(context) ? CheckOutcome::Ran : CheckOutcome::NotApplicable;
}

Result<CheckOutcome> checkSampling(const CheckContext& context, FindingList& findings) {
    if (!context.metadata.string("tokenizer.chat_template")) {
        return CheckOutcome::NotApplicable; // nobody chats with it
    }
    const bool any = std::ranges::any_of(
        context.metadata, [](const KeyValue& entry) { return entry.key.starts_with("general.sampling."); });
    if (!any) {
        findings.add(FindingCode::SamplingMissing, Place::key("general.sampling.temp"));
    }
    return CheckOutcome::Ran;
}

} // namespace gufo
