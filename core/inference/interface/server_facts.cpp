#include "inference/interface/server_facts.h"

#include "model/token.h"
#include "text/template/chat_templates.h"

namespace gufo::inference {
namespace {

Agreement agree(std::uint64_t a, std::uint64_t b) {
    return a == 0 || b == 0 ? Agreement::Unknown : a == b ? Agreement::Same : Agreement::Different;
}

std::string_view fileName(std::string_view path) {
    return path.substr(path.find_last_of("/\\") + 1); // the server may run on Windows
}

std::uint64_t vocabularyOf(const Metadata& metadata) {
    const ArrayView* tokens = metadata.array(kTokensKey);
    return tokens != nullptr ? tokens->length : 0;
}

} // namespace

Agreement ServerMatch::model() const {
    if (tensorBytes == Agreement::Different || weights == Agreement::Different || vocabulary == Agreement::Different) {
        return Agreement::Different;
    }
    const bool isSame = tensorBytes == Agreement::Same && vocabulary == Agreement::Same;
    return isSame ? Agreement::Same : Agreement::Unknown;
}

ServerMatch matchOf(const ServerFacts& facts, const Model& model) {
    const Model::Totals totals = model.totals();
    const auto templates = text::chatTemplates(model.metadata);
    const std::string_view fileTemplate = templates.empty() ? std::string_view() : templates.front().source;
    ServerMatch match{.tensorBytes = agree(facts.tensorBytes, totals.tensorBytes),
                      .weights = agree(facts.weights, totals.weights),
                      .vocabulary = agree(facts.vocabulary, vocabularyOf(model.metadata))};
    if (!facts.path.empty()) {
        match.path = fileName(facts.path) == model.path().filename().string() ? Agreement::Same : Agreement::Different;
    }
    if (!facts.chatTemplate.empty() && !fileTemplate.empty()) {
        match.chatTemplate = facts.chatTemplate == fileTemplate ? Agreement::Same : Agreement::Different;
    }
    return match;
}

} // namespace gufo::inference
