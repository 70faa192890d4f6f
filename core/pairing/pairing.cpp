#include "pairing/pairing.h"

#include "adapter/adapter.h"
#include "base/detail.h"
#include "base/try.h"
#include "document/open_model.h"
#include "model/set_fault.h"
#include "text/tokenizer/vocabulary.h"

#include <algorithm>
#include <array>
#include <ranges>

namespace gufo {
namespace {

using Code = PairReasonCode;

struct ReasonRow {
    std::string_view name;
    PairVerdict verdict;
};
constexpr auto kReasons = std::to_array<ReasonRow>({
#define GUFO_PAIR(code, name, verdict, args, words, remedy) {name, PairVerdict::verdict},
#include "base/checked.h"
#include "pairing/pair_reasons.inc"

#include <optional>
#include <string>
#include <string_view>
#undef GUFO_PAIR
});
constexpr auto kKindNames =
    std::to_array<std::string_view>({"none", "adapter", "projector", "imatrix", "draft", "mtp"});
constexpr auto kVerdictNames = std::to_array<std::string_view>({"yes", "limited", "no"});

using Reasons = std::vector<PairReason>;

std::string fileName(const Model& model) { return model.path().filename().native(); }

// ---- sets and vocabularies ------------------------------------------------------------------------------------------

void judgeSet(const Model& model, Reasons& reasons) {
    if (auto complete = checkSet(model); !complete) {
        reasons.push_back({Code::PartMissing, {fileName(model)}, std::move(complete.error())});
    }
}

void judgeEmbeddingRows(const Model& model, const text::Vocabulary& vocabulary, Reasons& reasons) {
    const auto table = model.findTensor("token_embd.weight");
    if (table && model.tensor(*table).shape[1] < vocabulary.size()) {
        reasons.push_back({Code::EmbeddingRows, {fileName(model), vocabulary.size(), model.tensor(*table).shape[1]}});
    }
}

bool hasToken(const text::Vocabulary& vocabulary, std::string_view text) {
    for (std::size_t id = 0; id < vocabulary.size(); ++id) {
        if (vocabulary.text(TokenId{id}) == text) {
            return true;
        }
    }
    return false;
}

// ---- adapters -------------------------------------------------------------------------------------------------------

Reasons judgeAdapter(const Model& base, const std::shared_ptr<const Model>& adapter) {
    auto fit = fitAdapter(base, adapter);
    if (!fit) {
        return {{Code::AdapterRefused, {}, std::move(fit.error())}};
    }
    const std::size_t matrices = fit->adapter.tensors.size() + fit->unfit.size();
    if (matrices == 0) {
        return {{Code::AdapterChangesNothing}};
    }
    if (!fit->unfit.empty()) {
        UnfitTensor& first = fit->unfit.front();
        return {{Code::AdapterPartlyFits, {fit->unfit.size(), matrices, first.name}, std::move(first.why)}};
    }
    const std::uint64_t rank = std::ranges::max(fit->adapter.tensors, {}, &AdaptedTensor::rank).rank;
    return {{Code::AdapterFits, {matrices, rank}}};
}

// ---- projectors -----------------------------------------------------------------------------------------------------

// What a projector (general.architecture "clip") writes into a text model: the width of its embeddings, the models that
// its type belongs to, and the tokens that stand around a picture. Sources: the tensors that the published converters
// write, and llama.cpp's libmtmd, which places the tokens.
struct ProjectorRow {
    std::string_view type;            // clip.projector_type, or clip.vision.projector_type
    std::string_view tensors;         // alternative names of the output projection; the first that the file has is used
    std::size_t dimension;            // of the matrix that is the width, fastest dimension first
    std::string_view architectures{}; // separated by commas; empty: several families use the type
    std::string_view tokens{};        // before and after a picture, separated by spaces
};

constexpr std::string_view kVisionTokens = "<|vision_start|> <|vision_end|>";
constexpr std::string_view kImageTokens = "<|image_start|> <|image_end|>";
constexpr std::string_view kMediaTokens = "<|media_start|> <|media_end|>";

constexpr auto kProjectors = std::to_array<ProjectorRow>({
    {"gemma3", "mm.input_projection.weight", 0, "gemma3", "<start_of_image> <end_of_image>"}, // stored transposed
    {"gemma4uv", "mm.input_projection.weight", 1, "gemma4", "<|image> <image|>"},
    {"gemma4v", "mm.input_projection.weight", 1, "gemma4", "<|image> <image|>"},
    {"glm4v", "mm.down.weight", 1, "glm4,glm4moe,chatglm", "<|begin_of_image|> <|end_of_image|>"},
    {"idefics3", "mm.model.fc.weight", 1, {}, "<fake_token_around_image>"},
    {"internvl", "mm.model.mlp.3.weight", 1, {}, "<img> </img>"},
    {"kimivl", "mm.2.weight", 1, "deepseek2", kMediaTokens},
    {"lfm2", "mm.2.weight", 1, "lfm2,lfm2moe", kImageTokens},
    {"lightonocr", "mm.2.weight,mm.1.weight", 1},
    {"llama4", "mm.model.fc.weight", 1, "llama4", kImageTokens},
    {"mlp", "mm.2.weight,mm.0.weight", 1},
    {"pixtral", "mm.2.weight,mm.1.weight", 1, {}, "[IMG_END]"},
    {"qwen2.5vl_merger", "mm.2.weight", 1, "qwen2vl", kVisionTokens},
    {"qwen2vl_merger", "mm.2.weight", 1, "qwen2vl", kVisionTokens},
    {"qwen3vl_merger", "mm.2.weight", 1, "qwen3vl,qwen3vlmoe,qwen35,qwen35moe", kVisionTokens},
    {"resampler", "resampler.query", 0, {}, "<image> </image>"},
});

// The number of blocks of the encoder whose states enter deeper blocks of the model ("v.deepstack.N.fc2.weight").
std::uint64_t deepstackBlocks(const Model& projector) {
    return static_cast<std::uint64_t>(std::ranges::count_if(projector.tensors, [](const TensorInfo& tensor) {
        return tensor.name.starts_with("v.deepstack.") && tensor.name.ends_with(".fc2.weight");
    }));
}

// The type that the file states; empty if it states none.
std::string_view projectorType(const Model& projector) {
    for (const char* key : {"clip.projector_type", "clip.vision.projector_type"}) {
        if (const auto type = projector.metadata.string(key); type && !type->empty()) {
            return *type == "qwen2.5o" ? "qwen2.5vl_merger" : *type;
        }
    }
    return {};
}

// Null for a type that is not in the table.
const ProjectorRow* findProjector(std::string_view type) {
    const auto* const row = std::ranges::find(kProjectors, type, &ProjectorRow::type);
    return row != kProjectors.end() ? row : nullptr;
}

// The number of elements that the projector writes for a token, including elements for deeper blocks of the model
// (deepstack). Nothing if the type is unknown or the matrix is missing.
std::optional<std::uint64_t> projectorWidth(const Model& projector) {
    const ProjectorRow* row = findProjector(projectorType(projector));
    if (row == nullptr) {
        return std::nullopt;
    }
    for (const auto& name : row->tensors | std::views::split(',')) {
        if (const auto index = projector.findTensor(std::string_view(name))) {
            return checkedMultiply(projector.tensor(*index).shape[row->dimension], 1 + deepstackBlocks(projector));
        }
    }
    return std::nullopt;
}

// The number of elements that a model reads for a token of a picture.
std::optional<std::uint64_t> pictureWidth(const Model& model) {
    const auto width = model.metadata.uint(model.metadata.architectureKey("embedding_length"));
    if (!width) {
        return std::nullopt;
    }
    const std::uint64_t deeper = model.metadata.uint(model.metadata.architectureKey("n_deepstack_layers")).value_or(0);
    const auto parts = checkedAdd(deeper, 1);
    return parts ? checkedMultiply(*width, *parts) : std::nullopt;
}

bool isListed(std::string_view list, std::string_view name) {
    return std::ranges::any_of(list | std::views::split(','),
                               [&](const auto& each) { return std::string_view(each) == name; });
}

// The list with a space behind each comma.
std::string spaced(std::string_view list) {
    std::string text;
    for (const char c : list) {
        text.append(c == ',' ? ", " : std::string(1, c));
    }
    return text;
}

Reasons judgeProjector(const Model& model, const Model& projector, const JobContext& job) {
    Reasons reasons;
    const std::string_view type = projectorType(projector);
    const ProjectorRow* row = findProjector(type);
    const auto written = projectorWidth(projector);
    const auto read = pictureWidth(model);
    if (!written || !read) {
        reasons.push_back({Code::ProjectorWidthUnknown, {type}});
    } else if (*written != *read) {
        reasons.push_back({Code::ProjectorWidth, {*written, *read}});
    }
    const std::string_view architecture = model.metadata.architecture();
    if (row != nullptr && !row->architectures.empty() && !isListed(row->architectures, architecture)) {
        reasons.push_back({Code::ProjectorOfAnotherFamily, {type, spaced(row->architectures), architecture}});
    }
    // A model without a vocabulary is shown as such by its own findings.
    const auto vocabulary = text::Vocabulary::read(model.metadata, job);
    if (row != nullptr && vocabulary) {
        for (const auto& token : row->tokens | std::views::split(' ')) {
            if (const std::string_view text(token); !text.empty() && !hasToken(*vocabulary, text)) {
                reasons.push_back({Code::ProjectorToken, {text}});
            }
        }
    }
    if (reasons.empty()) {
        reasons.push_back({Code::ProjectorFits, {type, *written}});
    }
    return reasons;
}

// ---- drafts ---------------------------------------------------------------------------------------------------------

Reasons judgeMtp(const Model& model, const Model& blocks) {
    const std::string_view architecture = model.metadata.architecture();
    if (blocks.metadata.architecture() != architecture) {
        return {{Code::MtpArchitecture, {blocks.metadata.architecture(), architecture}}};
    }
    const std::string width = model.metadata.architectureKey("embedding_length");
    const std::uint64_t expected = model.metadata.uint(width).value_or(0);
    const std::uint64_t found = blocks.metadata.uint(width).value_or(0);
    if (found != expected) {
        return {{Code::MtpWidth, {found, expected}}};
    }
    return {
        {Code::MtpFits, {blocks.metadata.uint(blocks.metadata.architectureKey("nextn_predict_layers")).value_or(0)}}};
}

void judgeSpecialTokens(const Model& target, const Model& draft, Reasons& reasons) {
    for (const char* key : {"tokenizer.ggml.bos_token_id", "tokenizer.ggml.eos_token_id"}) {
        const auto first = target.metadata.uint(key);
        const auto second = draft.metadata.uint(key);
        if (first && second && *first != *second) {
            reasons.push_back({Code::DraftSpecialToken, {std::string_view(key), *first, *second}});
        }
    }
}

Result<Reasons> judgeDraft(const Model& target, const Model& draft, const JobContext& job) {
    Reasons reasons;
    const auto vocabulary = text::Vocabulary::read(target.metadata, job);
    const auto other = text::Vocabulary::read(draft.metadata, job);
    for (const auto& [read, model] : {std::pair(&vocabulary, &target), std::pair(&other, &draft)}) {
        if (*read) {
            judgeEmbeddingRows(*model, **read, reasons);
        } else if (read->error().code == ErrorCode::Cancelled) {
            return std::unexpected(read->error());
        } else {
            reasons.push_back({Code::DraftVocabularyMissing, {fileName(*model)}});
        }
    }
    if (!vocabulary || !other) {
        return reasons;
    }
    if (const auto difference = text::findDifference(*vocabulary, *other)) {
        if (difference->token) {
            reasons.push_back({Code::DraftToken, {difference->token->value, difference->text, difference->otherText}});
        } else {
            reasons.push_back({Code::DraftSizes, {difference->size, difference->otherSize}});
        }
    }
    judgeSpecialTokens(target, draft, reasons);
    if (draft.totals().weights > target.totals().weights / 4 * 3) {
        reasons.push_back({Code::DraftNotSmaller});
    }
    if (std::ranges::none_of(reasons, [](const PairReason& each) { return each.code == Code::DraftToken; })) {
        reasons.insert(reasons.begin(), {Code::DraftFits, {std::min(vocabulary->size(), other->size())}});
    }
    return reasons;
}

// ---- importance matrices --------------------------------------------------------------------------------------------

void listEntries(Code code, const std::vector<std::string>& names, Reasons& reasons) {
    if (!names.empty()) {
        reasons.push_back({code, {names.size(), names.front()}});
    }
}

} // namespace

std::string_view pairKindName(PairKind kind) { return kKindNames.at(static_cast<std::size_t>(kind)); }
std::string_view pairVerdictName(PairVerdict verdict) { return kVerdictNames.at(static_cast<std::size_t>(verdict)); }
std::string_view pairReasonName(PairReasonCode code) { return kReasons.at(static_cast<std::size_t>(code)).name; }
PairVerdict PairReason::verdict() const { return kReasons.at(static_cast<std::size_t>(code)).verdict; }
PairVerdict Pairing::verdict() const { return std::ranges::max(reasons | std::views::transform(&PairReason::verdict)); }

Pairing unrelated(FileKind first, FileKind second) {
    return {.kind = PairKind::Unrelated,
            .reasons = {{Code::NoPair, {fileKindName(first), fileKindName(second)}}},
            .isSecondModel = second == FileKind::Model && first != FileKind::Model};
}

Result<Pairing> checkImatrixPairing(const Imatrix& imatrix, const Model& model, const JobContext& job) {
    Pairing pairing{.kind = PairKind::Imatrix, .reasons = {}};
    const auto partners = imatrixPartners(imatrix, model, job);
    if (!partners) {
        if (partners.error().code == ErrorCode::Cancelled) {
            return std::unexpected(partners.error());
        }
        pairing.reasons.push_back({Code::ImatrixUnreadable, {}, partners.error()});
        return pairing;
    }
    if (partners->withoutTensor.size() + partners->otherShape.size() == imatrix.entries()) {
        pairing.reasons.push_back({Code::ImatrixFitsNothing});
        return pairing;
    }
    listEntries(Code::ImatrixOtherShape, partners->otherShape, pairing.reasons);
    listEntries(Code::ImatrixWithoutEntry, partners->withoutEntry, pairing.reasons);
    listEntries(Code::ImatrixWithoutTensor, partners->withoutTensor, pairing.reasons);
    listEntries(Code::ImatrixWithoutValues, partners->withoutValues, pairing.reasons);
    if (pairing.reasons.empty()) {
        pairing.reasons.push_back({Code::ImatrixFits, {imatrix.entries()}});
    }
    return pairing;
}

Result<Pairing> checkPairing(const std::shared_ptr<const Model>& first, const std::shared_ptr<const Model>& second,
                             const JobContext& job) {
    // The file that is no model comes second.
    const bool isFirstModel = fileKind(*first) == FileKind::Model;
    const auto& model = isFirstModel ? first : second;
    const auto& other = isFirstModel ? second : first;
    const FileKind kind = fileKind(*other);
    if (fileKind(*model) != FileKind::Model || kind == FileKind::Vocabulary) {
        return unrelated(fileKind(*first), fileKind(*second));
    }
    Pairing pairing;
    switch (kind) {
    case FileKind::Adapter:
        pairing = {PairKind::Adapter, judgeAdapter(*model, other)};
        break;
    case FileKind::Projector:
        pairing = {PairKind::Projector, judgeProjector(*model, *other, job)};
        break;
    case FileKind::Imatrix: {
        auto imatrix = Imatrix::read(other->files.front().source, job);
        if (imatrix) {
            pairing = GUFO_TRY(checkImatrixPairing(*imatrix, *model, job));
        } else {
            pairing = {PairKind::Imatrix, {{Code::ImatrixUnreadable, {}, std::move(imatrix.error())}}};
        }
        break;
    }
    case FileKind::Model:
    case FileKind::Vocabulary:
        if (holdsOnlyMtp(*model) != holdsOnlyMtp(*other)) {
            const bool isOther = holdsOnlyMtp(*other);
            pairing = {PairKind::Mtp, judgeMtp(isOther ? *model : *other, isOther ? *other : *model), !isOther};
        } else {
            const bool isOtherLarger = other->totals().weights > model->totals().weights;
            pairing = {PairKind::Draft,
                       GUFO_TRY(judgeDraft(isOtherLarger ? *other : *model, isOtherLarger ? *model : *other, job)),
                       isOtherLarger};
        }
        break;
    }
    pairing.isSecondModel = isFirstModel ? pairing.isSecondModel : true;
    judgeSet(*first, pairing.reasons);
    judgeSet(*second, pairing.reasons);
    for (const auto& each : {first, second}) {
        for (const ModelFile& file : each->files) {
            if (file.source == nullptr) {
                continue;
            }
            if (auto damage = file.source->damage()) {
                return std::unexpected(*std::move(damage));
            }
        }
    }
    GUFO_TRY(job.check());
    return pairing;
}

Result<PairFile> openPairFile(const hub::ModelPlace& place, const JobContext& job) {
    auto model = openModel(place, job);
    if (model) {
        return PairFile{.model = *std::move(model), .imatrix = nullptr};
    }
    if (const auto* path = place.localPath(); path != nullptr && model.error().code == ErrorCode::NotAModel) {
        if (auto imatrix = Imatrix::open(*path, job)) {
            return PairFile{.model = nullptr, .imatrix = *std::move(imatrix)};
        }
    }
    return std::unexpected(std::move(model.error()).in(place.keptText()));
}

Result<Pairing> checkPairing(const PairFile& first, const PairFile& second, const JobContext& job) {
    if (first.model && second.model) {
        return checkPairing(first.model, second.model, job);
    }
    const Imatrix* imatrix = first.imatrix ? first.imatrix.get() : second.imatrix.get();
    const Model* model = first.model ? first.model.get() : second.model.get();
    if (model == nullptr) {
        return unrelated(FileKind::Imatrix, FileKind::Imatrix);
    }
    Pairing pairing = GUFO_TRY(checkImatrixPairing(*imatrix, *model, job));
    pairing.isSecondModel = first.imatrix != nullptr;
    return pairing;
}

} // namespace gufo
