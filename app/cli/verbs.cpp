#include "cli/verb.h"

#include <algorithm>
#include <array>

namespace gufo::cli {
namespace {

constexpr auto kVerbs = std::to_array<const Verb*>({
    &infoVerb,    &getVerb,        &validateVerb,   &dumpVerb,    &bytesVerb,   &statsVerb,  &setVerb,
    &compareVerb, &memoryVerb,     &quantizeVerb,   &planVerb,    &imatrixVerb, &renderVerb, &generateVerb,
    &chatVerb,    &perplexityVerb, &blameVerb,      &inspectVerb, &evalVerb,    &embedVerb,  &rerankVerb,
    &benchVerb,   &tokenizeVerb,   &detokenizeVerb, &applyVerb,   &convertVerb, &splitVerb,  &mergeVerb,
    &recoverVerb, &downloadVerb,   &verifyVerb,     &hashVerb,    &cardVerb,    &fitsVerb,   &auditVerb,
    &exportVerb,  &reportVerb,
});

} // namespace

std::span<const Verb* const> verbs() { return kVerbs; }

const Verb* findVerb(std::string_view name) {
    const auto* const* row =
        std::ranges::find(kVerbs, name, [](const Verb* verb) { return std::string_view(verb->name); });
    return row != kVerbs.end() ? *row : nullptr;
}

} // namespace gufo::cli
