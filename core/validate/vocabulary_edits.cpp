#include "validate/vocabulary_edits.h"

#include "base/detail.h"
#include "base/utf8.h"
#include "model/array_index.h"
#include "model/encode_value.h"
#include "model/hyper_parameters.h"
#include "model/tensor_role.h"
#include "model/token.h"
#include "model/value_text.h"
#include "tensor/encode.h"
#include "text/template/chat_templates.h"
#include "text/template/template_markers.h"
#include "validate/token_texts.h"

#include <algorithm>
#include <array>
#include <set>

namespace gufo {
namespace {

constexpr std::string_view kMerges = "tokenizer.ggml.merges";
constexpr std::string_view kWholeTokenizer = "tokenizer.huggingface.json";
// Converters give it to added tokens, so that no text is merged to them.
constexpr float kScoreOfAdded = -1000;

using Changes = std::vector<Change>;

std::unexpected<Error> refuse(Place place, Argument why) {
    return fail(ErrorCode::InvalidArgument, std::move(place), {std::move(why)});
}

bool namesTokens(std::string_view key) {
    return key.ends_with("_token_id") || key.ends_with("_token_ids") || key == "tokenizer.ggml.suppress_tokens";
}

// A model with a list of tokens, and the tensors with a row for each.
struct Vocabulary {
    const Model& model;
    TokenTexts texts;
    std::vector<const TensorInfo*> tensors;

    [[nodiscard]] static Result<Vocabulary> of(const Model& model) {
        Vocabulary vocabulary{.model = model, .texts = TokenTexts(model.metadata, {}), .tensors = {}};
        if (vocabulary.texts.empty()) {
            return fail(ErrorCode::NoSuchKey, Place::key(std::string(kTokensKey)), {std::string(kTokensKey)});
        }
        for (const TensorInfo& tensor : model.tensors) {
            const auto dimension = dimensionOfTokens(parseTensorName(tensor.name));
            if (!dimension) {
                continue;
            }
            const std::uint64_t rows = tensor.shape[*dimension];
            if (rows != vocabulary.texts.size()) {
                return refuse(Place::tensor(std::string(tensor.name)),
                              {Detail::RowsNotTokens, {rows, vocabulary.texts.size()}});
            }
            vocabulary.tensors.push_back(&tensor);
        }
        return vocabulary;
    }

    // Sets {arch}.vocab_size, if there is one.
    void setSize(std::uint64_t size, Changes& changes) const {
        const std::string key = model.metadata.architectureKey("vocab_size");
        const Value* value = model.metadata.find(key);
        const auto number = value != nullptr ? integerAs(typeOf(*value), size) : std::nullopt;
        if (number) {
            changes.emplace_back(SetKey{key, *number});
        }
    }
};

Result<> checkNewTokens(const Vocabulary& vocabulary, std::span<const NewToken> tokens) {
    const Place place = Place::key(std::string(kTokensKey));
    std::set<std::string_view> texts;
    for (const NewToken& token : tokens) {
        if (token.text.empty()) {
            return refuse(place, Detail::TokenEmpty);
        }
        if (!isValidUtf8(token.text)) {
            return refuse(place, Detail::TokenNotUtf8);
        }
        const auto same = vocabulary.texts.find(token.text);
        if (same || !texts.insert(token.text).second) {
            return refuse(place, {Detail::TokenExists, {token.text, same.value_or(vocabulary.texts.size())}});
        }
        if (token.copied && *token.copied >= vocabulary.texts.size()) {
            return fail(ErrorCode::NoSuchToken, Place::token(*token.copied), {vocabulary.texts.size()});
        }
    }
    return {};
}

TokenType typeOfNew(const NewToken& token) {
    const TokenType usual = usualTokenType(token.text);
    return token.type.value_or(usual == TokenType::Normal ? TokenType::UserDefined : usual);
}

// Appends a value for each new token to a list of the file; without one, runtimes assume what they need.
template<typename ValueOf>
Result<> extendList(const Vocabulary& vocabulary, std::string_view key, std::span<const NewToken> tokens,
                    const ValueOf& valueOf, Changes& changes) {
    const ArrayView* list = vocabulary.model.metadata.array(key);
    if (list == nullptr) {
        return {};
    }
    if (list->length != vocabulary.texts.size()) {
        return refuse(Place::key(std::string(key)), {Detail::ListNotTokens, {list->length, vocabulary.texts.size()}});
    }
    ArrayBuilder added(list->elementType, list->layout);
    for (const NewToken& token : tokens) {
        std::string text;
        const auto value = convertValue(valueOf(token), list->elementType, text);
        if (!value) {
            return refuse(Place::key(std::string(key)), {Detail::ListTypeOfTokens});
        }
        added.add(*value);
    }
    changes.emplace_back(InsertElements{{std::string(key)}, list->length, OwnedValue(Value(added.view()))});
    return {};
}

// Without a list of types, runtimes take every token for text.
void addTypes(const Vocabulary& vocabulary, std::span<const NewToken> tokens, Changes& changes) {
    const auto isText = [](const NewToken& token) { return typeOfNew(token) == TokenType::Normal; };
    if (vocabulary.model.metadata.find(kTokenTypesKey) != nullptr || std::ranges::all_of(tokens, isText)) {
        return;
    }
    ArrayBuilder types(ValueType::Int32);
    for (std::uint64_t id = 0; id < vocabulary.texts.size(); ++id) {
        types.add(Value(static_cast<std::int32_t>(TokenType::Normal)));
    }
    for (const NewToken& token : tokens) {
        types.add(Value(static_cast<std::int32_t>(typeOfNew(token))));
    }
    changes.emplace_back(SetKey{std::string(kTokenTypesKey), OwnedValue(Value(types.view()))});
}

// The new id of each token; nothing for removed ones.
class Renumbering {
public:
    Renumbering(std::uint64_t size, std::span<const std::uint64_t> removed)
        : m_size(size)
        , m_removed(removed) {}

    [[nodiscard]] std::optional<std::uint64_t> operator()(std::uint64_t id) const {
        const auto at = std::ranges::lower_bound(m_removed, id);
        return at != m_removed.end() && *at == id
                   ? std::nullopt
                   : std::optional(id - static_cast<std::uint64_t>(at - m_removed.begin()));
    }
    [[nodiscard]] std::uint64_t left() const { return m_size - m_removed.size(); }
    [[nodiscard]] std::vector<RowRange> kept() const {
        std::vector<RowRange> ranges;
        std::uint64_t next = 0;
        for (const std::uint64_t id : m_removed) {
            if (id > next) {
                ranges.push_back({next, id - next});
            }
            next = id + 1;
        }
        if (next < m_size) {
            ranges.push_back({next, m_size - next});
        }
        return ranges;
    }
    // The same in descending order, so that each can be removed from a list without moving the others.
    [[nodiscard]] std::vector<RowRange> gone() const {
        std::vector<RowRange> ranges;
        for (const std::uint64_t id : m_removed) {
            if (!ranges.empty() && ranges.back().first + ranges.back().count == id) {
                ++ranges.back().count;
            } else {
                ranges.push_back({id, 1});
            }
        }
        std::ranges::reverse(ranges);
        return ranges;
    }

private:
    std::uint64_t m_size;
    std::span<const std::uint64_t> m_removed; // ascending
};

// Whether a text stands for a byte, without which some texts could not be written: "<0x0A>", or one character of
// byte-level BPE.
bool isByte(const Vocabulary& vocabulary, std::uint64_t id) {
    const std::string_view text = vocabulary.texts.tokens()[id];
    if (vocabulary.texts.is(id, TokenType::Byte)) {
        return true;
    }
    if (vocabulary.model.metadata.string("tokenizer.ggml.model").value_or("") != "gpt2") {
        return false;
    }
    bool any = false;
    for (unsigned byte = 0; byte < 256; ++byte) {
        any = any || writtenByte(static_cast<unsigned char>(byte)) == text;
    }
    return any;
}

// Calls use(key, id) for each id that a key names.
template<typename Use>
void forEachNamed(const Metadata& metadata, const Use& use) {
    for (const KeyValue& entry : metadata) {
        if (!namesTokens(entry.key)) {
            continue;
        }
        const ArrayView* array = asArray(entry.value);
        for (std::uint64_t i = 0; array != nullptr && valueTypeFact(array->elementType).integer && i < array->length;
             ++i) {
            if (const auto id = uintElement(*array, i)) {
                use(entry.key, *id, std::optional(i));
            }
        }
        if (const auto id = array == nullptr ? asUInt(entry.value) : std::nullopt) {
            use(entry.key, *id, std::optional<std::uint64_t>());
        }
    }
}

Result<> checkRemoved(const Vocabulary& vocabulary, std::span<const std::uint64_t> ids) {
    const auto isRemoved = [&](std::uint64_t id) { return std::ranges::binary_search(ids, id); };
    if (ids.back() >= vocabulary.texts.size()) {
        return fail(ErrorCode::NoSuchToken, Place::token(ids.back()), {vocabulary.texts.size()});
    }
    if (ids.size() == vocabulary.texts.size()) {
        return refuse(Place::key(std::string(kTokensKey)), Detail::NoTokenLeft);
    }
    Result<> result;
    forEachNamed(vocabulary.model.metadata,
                 [&](std::string_view key, std::uint64_t id, const std::optional<std::uint64_t>&) {
                     if (result && isRemoved(id)) {
                         result = refuse(Place::token(id), {Detail::TokenNamedByKey, {std::string(key)}});
                     }
                 });
    GUFO_TRY(result);
    for (const std::uint64_t id : ids) {
        if (isByte(vocabulary, id)) {
            return refuse(Place::token(id), Detail::TokenOfByte);
        }
    }
    for (const text::ChatTemplate& each : text::chatTemplates(vocabulary.model.metadata)) {
        for (const text::SourceRange& marker : text::printedMarkers(each.source)) {
            const auto id = vocabulary.texts.find(each.source.substr(marker.offset, marker.length));
            if (id && isRemoved(*id)) {
                return refuse(Place::token(*id), Detail::TokenPrinted);
            }
        }
    }
    return {};
}

// Removes the merges that join removed tokens or give one.
void trimMerges(const Vocabulary& vocabulary, std::span<const std::uint64_t> ids, Changes& changes) {
    const ArrayView* merges = vocabulary.model.metadata.array(kMerges);
    if (merges == nullptr) {
        return;
    }
    std::set<std::string_view> gone;
    for (const std::uint64_t id : ids) {
        gone.insert(vocabulary.texts.tokens()[id]);
    }
    ArrayBuilder kept(merges->elementType, merges->layout);
    bool any = false;
    std::string joined;
    forEachText(*merges, [&](std::uint64_t, std::string_view merge) {
        const std::size_t space = merge.find(' ', 1); // from 1, because a token may begin with a space
        bool needed = false;
        if (space != std::string_view::npos) {
            joined.assign(merge.substr(0, space)).append(merge.substr(space + 1));
            needed = gone.contains(merge.substr(0, space)) || gone.contains(merge.substr(space + 1)) ||
                     gone.contains(joined);
        }
        any = any || needed;
        if (!needed) {
            kept.add(Value(merge));
        }
        return true;
    });
    if (any) {
        changes.emplace_back(SetKey{std::string(kMerges), OwnedValue(Value(kept.view()))});
    }
}

void renumberKeys(const Vocabulary& vocabulary, const Renumbering& newId, Changes& changes) {
    forEachNamed(vocabulary.model.metadata,
                 [&](std::string_view key, std::uint64_t id, const std::optional<std::uint64_t>& index) {
                     const auto changed = id < vocabulary.texts.size() ? newId(id) : std::nullopt;
                     if (!changed || *changed == id) {
                         return; // an id that no token has is another finding
                     }
                     const Value* value = vocabulary.model.metadata.find(key);
                     const ArrayView* array = asArray(*value);
                     const auto number = integerAs(array != nullptr ? array->elementType : typeOf(*value), *changed);
                     if (index) {
                         changes.emplace_back(SetElement{{std::string(key)}, *index, *number});
                     } else {
                         changes.emplace_back(SetKey{std::string(key), *number});
                     }
                 });
}

} // namespace

TokenType usualTokenType(std::string_view token) {
    constexpr std::string_view kDigits = "0123456789ABCDEFabcdef";
    const bool isByte = token.size() == 6 && token.starts_with("<0x") && token.ends_with('>') &&
                        token.substr(3, 2).find_first_not_of(kDigits) == std::string_view::npos;
    return isByte ? TokenType::Byte : text::isMarker(token) ? TokenType::Control : TokenType::Normal;
}

Result<std::vector<Change>> extendVocabulary(const Model& model, std::span<const NewToken> tokens) {
    const Vocabulary vocabulary = GUFO_TRY(Vocabulary::of(model));
    Changes changes;
    if (tokens.empty()) {
        return changes;
    }
    GUFO_TRY(checkNewTokens(vocabulary, tokens));
    const std::string_view kind = model.metadata.string("tokenizer.ggml.model").value_or("");
    const float score = kind == "llama" || kind == "t5" ? kScoreOfAdded : 0.0F;
    GUFO_TRY(extendList(
        vocabulary, kTokensKey, tokens, [](const NewToken& token) { return Value(std::string_view(token.text)); },
        changes));
    GUFO_TRY(extendList(vocabulary, kTokenScoresKey, tokens, [&](const NewToken&) { return Value(score); }, changes));
    GUFO_TRY(extendList(
        vocabulary, kTokenTypesKey, tokens,
        [](const NewToken& token) { return Value(static_cast<std::int32_t>(typeOfNew(token))); }, changes));
    addTypes(vocabulary, tokens, changes);
    vocabulary.setSize(vocabulary.texts.size() + tokens.size(), changes);
    ResizeRows rows{.name = {}, .kept = {{0, vocabulary.texts.size()}}, .added = {}};
    std::ranges::transform(tokens, std::back_inserter(rows.added), &NewToken::copied);
    for (const TensorInfo* tensor : vocabulary.tensors) {
        rows.name = tensor->name;
        changes.emplace_back(rows);
    }
    return changes;
}

bool canAddMeanRows(const Model& model) {
    const auto vocabulary = Vocabulary::of(model);
    return vocabulary && std::ranges::all_of(vocabulary->tensors, [&](const TensorInfo* tensor) {
               const ByteSource* source = model.sourceOf(*tensor);
               return isEncodable(tensor->typeId) && tensor->complete() && source != nullptr &&
                      tensor->offset <= source->size() && *tensor->bytes <= source->size() - tensor->offset;
           });
}

Result<std::vector<Change>> trimVocabulary(const Model& model, std::vector<std::uint64_t> ids) {
    const Vocabulary vocabulary = GUFO_TRY(Vocabulary::of(model));
    Changes changes;
    std::ranges::sort(ids);
    ids.erase(std::ranges::unique(ids).begin(), ids.end());
    if (ids.empty()) {
        return changes;
    }
    GUFO_TRY(checkRemoved(vocabulary, ids));
    const Renumbering newId(vocabulary.texts.size(), ids);
    for (const std::string_view key : {kTokensKey, kTokenScoresKey, kTokenTypesKey}) {
        const ArrayView* list = model.metadata.array(key);
        if (list != nullptr && list->length != vocabulary.texts.size()) {
            return refuse(Place::key(std::string(key)),
                          {Detail::ListNotTokens, {list->length, vocabulary.texts.size()}});
        }
        for (const RowRange& range : list != nullptr ? newId.gone() : std::vector<RowRange>()) {
            changes.emplace_back(RemoveElements{{std::string(key)}, range.first, range.count});
        }
    }
    trimMerges(vocabulary, ids, changes);
    renumberKeys(vocabulary, newId, changes);
    // It states the ids of all tokens once more.
    if (const auto whole = model.metadata.indexOf(kWholeTokenizer)) {
        changes.emplace_back(DeleteKey{std::string(model.metadata[*whole].key)});
    }
    vocabulary.setSize(newId.left(), changes);
    for (const TensorInfo* tensor : vocabulary.tensors) {
        changes.emplace_back(ResizeRows{.name = std::string(tensor->name), .kept = newId.kept(), .added = {}});
    }
    return changes;
}

std::vector<std::uint64_t> unusedTokens(const Model& model) {
    const auto vocabulary = Vocabulary::of(model);
    if (!vocabulary) {
        return {};
    }
    std::vector<std::uint64_t> ids = spareTokens(vocabulary->texts, model.metadata, vocabulary->texts.size());
    std::erase_if(ids, [&](std::uint64_t id) { return !checkRemoved(*vocabulary, std::span(&id, 1)); });
    return ids;
}

} // namespace gufo
