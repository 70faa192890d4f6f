#include "base/ascii.h"
#include "model/file_type.h"
#include "model/finding_code.h"
#include "validate/checks.h"

#include <algorithm>

namespace gufo {
namespace {

// Returns the tensor type that is most common in the named encoding, which may be a tensor type or a file type.
std::optional<std::uint32_t> promisedType(std::string_view encoding) {
    if (const TensorTypeFact* type = findTensorType(encoding)) {
        return type->id;
    }
    if (const FileTypeFact* fact = findFileType(encoding)) {
        return fact->tensorType;
    }
    // Publishers add their own mixes: Q4_K_XL consists mostly of what Q4_K does.
    std::string text(encoding);
    std::ranges::transform(text, text.begin(), asciiLower);
    text = text == "fp16" ? "f16" : text == "fp32" ? "f32" : text;
    while (!text.empty()) {
        if (const TensorTypeFact* type = findTensorType(text)) {
            return type->id;
        }
        const std::size_t cut = text.rfind('_');
        text.resize(cut == std::string::npos ? 0 : cut);
    }
    return std::nullopt;
}

// Labels are rounded and may or may not count embeddings, so half and double still belong to the same class.
bool farFrom(double labelled, double counted) {
    constexpr double kFactor = 2;
    return counted > labelled * kFactor || counted * kFactor < labelled;
}

} // namespace

Result<CheckOutcome> checkFileName(const CheckContext& context, FindingList& findings) {
    const FileNaming& naming = context.naming;
    const std::string name = context.model.files.empty() ? std::string() : context.model.path().filename().native();
    const double weights = static_cast<double>(context.model.totals().weights);
    const bool counted = context.kind == FileKind::Model && !context.partsMissing && weights > 0;
    const auto compareSize = [&](std::string_view label, Place place) {
        const auto parameters = sizeLabelParameters(label);
        if (counted && parameters && farFrom(*parameters, weights)) {
            findings.add(FindingCode::SizeLabelFar, std::move(place),
                         {std::string(label), context.model.totals().weights});
        }
    };
    if (const auto label = context.metadata.string("general.size_label")) {
        compareSize(*label, Place::key("general.size_label"));
    }
    if (name.empty()) {
        return CheckOutcome::NotApplicable;
    }
    if (!naming.conforms && context.kind != FileKind::Imatrix) { // the convention does not cover importance matrices
        findings.add(FindingCode::FileNameUnconventional, Place::fileName(name), {name});
    }
    compareSize(naming.sizeLabel, Place::fileName(name));
    const auto promised = promisedType(naming.encoding);
    const auto dominant = dominantType(context);
    constexpr double kMinShare = 0.1;
    if (promised && dominant && context.kind == FileKind::Model && !context.partsMissing &&
        dominant->type->id != *promised && shareOfType(context, *promised) < kMinShare) {
        findings.add(FindingCode::FileNameEncoding, Place::fileName(name),
                     {naming.encoding, std::string(dominant->type->name)});
    }
    return CheckOutcome::Ran;
}

Result<CheckOutcome> checkParts(const CheckContext& context, FindingList& findings) {
    const auto count = context.metadata.uint("split.count");
    const auto number = context.metadata.uint("split.no");
    if (!count && !number) {
        return CheckOutcome::NotApplicable;
    }
    if (count && *count <= 1 && context.model.files.size() == 1) {
        findings.add(FindingCode::SplitKeysLeft, Place::key("split.count"), {*count});
    } else if (count && number && *number >= *count) {
        findings.add(FindingCode::SplitNumber, Place::key("split.no"), {*number, *count});
    }
    return CheckOutcome::Ran;
}

} // namespace gufo
