// The check for files of Ollama's library that other programs do not understand.
#include "model/finding_code.h"
#include "validate/checks.h"
#include "validate/ollama_dialect.h"

namespace gufo {
namespace {

std::string listed(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items) {
        text += (text.empty() ? "" : ", ") + item;
    }
    return text;
}

} // namespace

Result<CheckOutcome> checkOllamaDialect(const CheckContext& context, FindingList& findings) {
    const auto dialect = ollamaDialect(context.model);
    if (!dialect) {
        return CheckOutcome::Ran;
    }
    const Place place = Place::key("general.architecture");
    if (dialect->unknown.empty()) {
        findings.add(FindingCode::OllamaDialect, place, {listed(dialect->differences)});
    } else {
        findings.add(FindingCode::OllamaDialectPart, place, {listed(dialect->differences), listed(dialect->unknown)});
    }
    return CheckOutcome::Ran;
}

} // namespace gufo
