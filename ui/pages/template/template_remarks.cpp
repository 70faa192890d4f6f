#include "ui/pages/template/template_remarks.h"

#include "model/finding_code.h"
#include "text/audit/template_findings.h"
#include "text/template/template_markers.h"
#include "validate/fixes.h"
#include "validate/validate.h"

#include <algorithm>

namespace gufo::ui {
namespace {

// The place of a finding in the template.
text::SourceRange placeOf(const Finding& finding, std::string_view source) {
    const auto first = [](const std::vector<text::SourceRange>& ranges) {
        return ranges.empty() ? text::SourceRange() : ranges.front();
    };
    if (finding.code == FindingCode::TemplateLiteralNewline) {
        return first(text::literalNewlines(source));
    }
    const bool isTyped = finding.code == FindingCode::ControlTokenTypedNormal; // its first argument is a number
    if (finding.code == FindingCode::TemplateTokenUnknown || isTyped) {
        const auto markers = text::printedMarkers(source);
        const auto marker = std::ranges::find_if(markers, [&](const text::SourceRange& range) {
            return source.substr(range.offset, range.length) == finding.args[isTyped ? 1 : 0].text();
        });
        return marker != markers.end() ? *marker : text::joinedMarkerStart(source);
    }
    return {.offset = 0, .length = finding.code == FindingCode::TemplateQuoted ? std::size_t{1} : 0};
}

} // namespace

std::vector<TemplateRemark> templateRemarks(const Model& model, std::string_view key, const JobContext& job) {
    const std::string_view source = model.metadata.string(key).value_or(std::string_view());
    std::vector<TemplateRemark> remarks;
    for (Finding& finding : checkTemplate(model, key, job, text::checkChatTemplates)) {
        if (job.stopRequested()) {
            return {};
        }
        const text::SourceRange place = placeOf(finding, source);
        auto fix = fixFor(finding, model);
        remarks.push_back({.finding = std::move(finding),
                           .begin = place.offset,
                           .end = place.offset + place.length,
                           .fix = std::move(fix)});
    }
    return remarks;
}

} // namespace gufo::ui
