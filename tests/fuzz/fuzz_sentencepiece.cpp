// Reads a model file of SentencePiece and drafts a vocabulary from it, with and without the ids of fairseq.
#include "draft_checks.h"

using namespace gufo;
using namespace gufo::convert;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto pieces = readSentencePieceModel({reinterpret_cast<const char*>(data), size});
    if (!pieces) {
        return 0;
    }
    VocabularyFiles files;
    files.pieces = *std::move(pieces);
    for (const std::string_view name : {"tokenizer.model", "sentencepiece.bpe.model"}) {
        for (const auto rows : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(5)}) {
            files.piecesFile = name;
            FindingList findings;
            const DraftContext context{files, rows, "llama", findings};
            test::checkDraft(draftOfPieces(context), context);
        }
    }
    return 0;
}
