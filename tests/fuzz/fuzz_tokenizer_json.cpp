// Reads a tokenizer.json, recognises its pre-tokenizer and drafts a vocabulary from it; also reads the same bytes as
// the other lists of tokens.
#include "convert/vocabulary/ranked_tokens.h"
#include "draft_checks.h"

using namespace gufo;
using namespace gufo::convert;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    TokenTable placed;
    if (const auto tekken = readTekken(text, {})) {
        (void)placeRanked(placed, tekken->tokens, tekken->special.size());
        (void)mergesOfRanks(tekken->tokens, {});
    } else if (const auto ranked = readRankedLines(text)) {
        (void)placeRanked(placed, *ranked, 0);
        (void)mergesOfRanks(*ranked, {});
    }
    (void)readVocabJson(text);
    (void)readMergesText(text);

    auto tokenizer = readTokenizerJson(text);
    if (!tokenizer) {
        return 0;
    }
    VocabularyFiles files;
    files.tokenizer = *std::move(tokenizer);
    for (const std::optional<std::uint64_t> rows : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(7)}) {
        FindingList findings;
        const DraftContext context{files, rows, "llama", findings};
        const auto draft = draftOfTokenizerJson(context);
        test::checkDraft(draft, context);
        if (draft) {
            KeyList keys;
            addNormalizerKeys(keys, files.tokenizer->normalizer, draft->model == "bert");
        }
    }
    return 0;
}
