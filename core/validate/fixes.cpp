#include "validate/fixes.h"

#include "base/ascii.h"
#include "model/array_index.h"
#include "model/encode_value.h"
#include "model/file_type.h"
#include "model/finding_code.h"
#include "model/value_text.h"
#include "text/template/chat_templates.h"
#include "text/template/template_markers.h"
#include "validate/checks.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace gufo {
namespace {

constexpr std::string_view kTokens = "tokenizer.ggml.tokens";
constexpr std::string_view kTypes = "tokenizer.ggml.token_type";
constexpr std::uint32_t kUsualAlignment = 32;
constexpr std::uint32_t kQuantisationVersion = 2;

using Changes = std::vector<Change>;

template<typename T>
OwnedValue owned(T value) {
    return OwnedValue(Value(value));
}

// Returns the integer in the given type; nothing if it does not fit.
std::optional<OwnedValue> integerAs(ValueType type, std::uint64_t number) {
    std::string text;
    const auto value = convertValue(Value(number), type, text);
    return value && type != ValueType::String ? std::optional(OwnedValue(*value)) : std::nullopt;
}

Changes deleteKey(const Finding& finding, const Model&) { return {DeleteKey{finding.place.name}}; }

// Deletes all occurrences but the first, which is the one that counts.
Changes deleteRepeats(const Finding& finding, const Model& model) {
    Changes changes;
    for (const KeyValue& entry : model.metadata) {
        if (entry.key == finding.place.name) {
            changes.emplace_back(DeleteKey{finding.place.name, 1});
        }
    }
    if (!changes.empty()) {
        changes.pop_back();
    }
    return changes;
}

// Replaces every value that is read as true with 1.
Changes normaliseBooleans(const Finding& finding, const Model& model) {
    const Value* value = model.metadata.find(finding.place.name);
    if (value != nullptr && std::holds_alternative<BoolValue>(*value)) {
        return {SetKey{finding.place.name, owned(BoolValue{1})}};
    }
    const ArrayView* array = value != nullptr ? asArray(*value) : nullptr;
    if (array == nullptr || array->elementType != ValueType::Bool) {
        return {};
    }
    std::vector<std::byte> flags(array->bytes.begin(), array->bytes.end());
    std::ranges::replace_if(flags, [](std::byte flag) { return flag > std::byte{1}; }, std::byte{1});
    return {
        SetKey{finding.place.name, OwnedValue::array(ValueType::Bool, array->length, std::move(flags), array->layout)}};
}

Changes setUsualAlignment(const Finding& finding, const Model&) {
    return {SetKey{finding.place.name, owned(kUsualAlignment)}};
}

Changes dropTrailingBytes(const Finding&, const Model&) { return {DropTrailingBytes{}}; }

Changes setNewestVersion(const Finding&, const Model&) { return {SetTarget{.version = 3}}; }

Changes setQuantisationVersion(const Finding& finding, const Model&) {
    return {SetKey{finding.place.name, owned(kQuantisationVersion)}};
}

Changes renameToStandard(const Finding& finding, const Model& model) {
    std::string standard = standardKey(finding.place.name, model.metadata.architecture());
    return standard.empty() ? Changes() : Changes{RenameKey{finding.place.name, std::move(standard)}};
}

// Converts exactly or not at all. Text may become a number, but no number becomes text.
std::optional<OwnedValue> converted(const Value& value, const KeyFact& fact) {
    std::string text;
    const ArrayView* array = asArray(value);
    if (array == nullptr) {
        const bool possible = fact.type != ValueType::Array && fact.type != ValueType::String;
        const auto result = possible ? convertValue(value, fact.type, text) : std::unexpected(ValueProblem::Inexact);
        return result ? std::optional(OwnedValue(*result)) : std::nullopt;
    }
    if ((fact.type != ValueType::Array && !fact.scalarOrArray) || fact.elementType == ValueType::String ||
        array->elementType == ValueType::Array) {
        return std::nullopt;
    }
    std::vector<std::byte> bytes;
    Bytes rest = array->bytes;
    for (std::uint64_t i = 0; i < array->length; ++i) {
        const auto element = valueAt(array->elementType, rest, array->layout);
        const auto result = element ? convertValue(element->value, fact.elementType, text)
                                    : std::unexpected(ValueProblem::NotConvertible);
        if (!result || !appendValue(bytes, *result, array->layout)) {
            return std::nullopt;
        }
        rest = rest.subspan(static_cast<std::size_t>(element->bytes));
    }
    return OwnedValue::array(fact.elementType, array->length, std::move(bytes), array->layout);
}

Changes convertType(const Finding& finding, const Model& model) {
    const Value* value = model.metadata.find(finding.place.name);
    const KeyFact* fact = describeKey(finding.place.name, model.metadata.architecture());
    const auto exact = value != nullptr && fact != nullptr ? converted(*value, *fact) : std::nullopt;
    return exact && acceptsType(*fact, exact->value()) ? Changes{SetKey{finding.place.name, *exact}} : Changes();
}

// Sets the file type whose main tensor type is the file's; of a family of mixes the medium one.
Changes setFileType(const Finding& finding, const Model& model) {
    const CheckContext context(model, {});
    const auto dominant = dominantType(context);
    const FileTypeFact* best = nullptr;
    for (const FileTypeFact& fact : fileTypes()) {
        const bool fits = dominant && !fact.removed && fact.tensorType == dominant->type->id;
        if (fits && (best == nullptr || (fact.name.ends_with("_M") && !best->name.ends_with("_M")))) {
            best = &fact;
        }
    }
    const Value* value = model.metadata.find(finding.place.name);
    const auto number = best != nullptr && value != nullptr ? integerAs(typeOf(*value), best->value) : std::nullopt;
    return number ? Changes{SetKey{finding.place.name, *number}} : Changes();
}

Changes setVocabularySize(const Finding& finding, const Model& model) {
    const Value* value = model.metadata.find(finding.place.name);
    const ArrayView* tokens = model.metadata.array(kTokens);
    const auto number =
        value != nullptr && tokens != nullptr ? integerAs(typeOf(*value), tokens->length) : std::nullopt;
    return number ? Changes{SetKey{finding.place.name, *number}} : Changes();
}

// Whether the token stands for a byte: "<0x0A>".
bool looksLikeByte(std::string_view token) {
    constexpr std::string_view kDigits = "0123456789ABCDEFabcdef";
    return token.size() == 6 && token.starts_with("<0x") && token.ends_with('>') &&
           token.substr(3, 2).find_first_not_of(kDigits) == std::string_view::npos;
}

// The default type of a token: that of text, unless it looks like a byte or a control token.
TokenType usualType(std::string_view token) {
    return looksLikeByte(token) ? TokenType::Byte : text::isMarker(token) ? TokenType::Control : TokenType::Normal;
}

std::optional<OwnedValue> typeValue(const ArrayView& types, TokenType type) {
    return valueTypeInfo(types.elementType).integer ? integerAs(types.elementType, static_cast<std::uint64_t>(type))
                                                    : std::nullopt;
}

// Makes the array as long as the list of tokens: cuts it, or pads it with the value that runtimes assume for a missing
// array.
Changes matchTokens(const Finding& finding, const Model& model) {
    const ArrayView* array = model.metadata.array(finding.place.name);
    const ArrayView* tokens = model.metadata.array(kTokens);
    if (array == nullptr || tokens == nullptr) {
        return {};
    }
    if (array->length > tokens->length) {
        return {RemoveElements{{finding.place.name}, tokens->length, array->length - tokens->length}};
    }
    if (finding.place.name != kTypes) {
        const std::uint64_t missing = tokens->length - array->length;
        const std::uint32_t size = valueTypeInfo(array->elementType).bytes;
        if (array->elementType != ValueType::Float32 || tokens->length > TokenTexts::kMaxTokens) {
            return {};
        }
        std::vector<std::byte> zeros(static_cast<std::size_t>(missing * size));
        return {InsertElements{{finding.place.name},
                               array->length,
                               OwnedValue::array(array->elementType, missing, std::move(zeros), array->layout)}};
    }
    std::vector<std::byte> types;
    std::uint64_t added = 0;
    bool fits = tokens->length <= TokenTexts::kMaxTokens;
    forEachText(*tokens, [&](std::uint64_t i, std::string_view text) {
        if (fits && i >= array->length) {
            const auto type = typeValue(*array, usualType(text));
            fits = type && appendValue(types, type->value(), array->layout);
            ++added;
        }
        return fits;
    });
    return fits && array->length + added == tokens->length
               ? Changes{InsertElements{{finding.place.name},
                                        array->length,
                                        OwnedValue::array(array->elementType, added, std::move(types), array->layout)}}
               : Changes();
}

Changes setTokenType(const Model& model, std::uint64_t id, TokenType type) {
    const ArrayView* types = model.metadata.array(kTypes);
    const auto value = types != nullptr && id < types->length ? typeValue(*types, type) : std::nullopt;
    return value ? Changes{SetElement{{std::string(kTypes)}, id, *value}} : Changes();
}

Changes makeControl(const Finding& finding, const Model& model) {
    const auto id = model.metadata.uint(finding.place.name);
    return id ? setTokenType(model, *id, TokenType::Control) : Changes();
}

std::string_view tokenText(const Model& model, std::uint64_t id) {
    const ArrayView* tokens = model.metadata.array(kTokens);
    std::string_view found;
    if (tokens != nullptr) {
        forEachText(*tokens, [&](std::uint64_t i, std::string_view text) {
            found = i == id ? text : found;
            return i < id;
        });
    }
    return found;
}

Changes typeToken(const Finding& finding, const Model& model) {
    const std::uint64_t id = finding.place.index.value_or(0);
    return setTokenType(model, id, usualType(tokenText(model, id)));
}

Changes makeAllControl(const Finding&, const Model& model) {
    const TokenTexts vocabulary(model.metadata, {});
    Changes changes;
    for (std::uint64_t id = 0; id < vocabulary.size(); ++id) {
        if (vocabulary.is(id, TokenType::Normal) && text::isMarker(vocabulary.tokens()[id])) {
            std::ranges::move(setTokenType(model, id, TokenType::Control), std::back_inserter(changes));
        }
    }
    return changes;
}

Changes removeSplitKeys(const Finding&, const Model& model) {
    Changes changes;
    for (const char* key : {"split.no", "split.count", "split.tensors.count"}) {
        if (model.metadata.find(key) != nullptr) {
            changes.emplace_back(DeleteKey{key});
        }
    }
    return changes;
}

std::optional<std::size_t> sizeIn(std::string_view text) {
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(size) : std::nullopt;
}

// Applies the edit that text/template/template_findings.h has tested. Arguments 3 to 5 are offset and length in bytes,
// and the replacement.
Changes repairTemplate(const Finding& finding, const Model& model) {
    constexpr std::size_t kOffset = 3;
    const Value* value = model.metadata.find(finding.place.name);
    const auto text = value != nullptr ? asString(*value) : std::nullopt;
    if (!text || finding.args.size() < kOffset + 3) {
        return {};
    }
    const auto offset = sizeIn(finding.args[kOffset].text());
    const auto length = sizeIn(finding.args[kOffset + 1].text());
    if (!offset || !length || *offset > text->size() || *length > text->size() - *offset) {
        return {};
    }
    std::string repaired(*text);
    repaired.replace(*offset, *length, finding.args[kOffset + 2].text());
    return {SetKey{finding.place.name, owned(std::string_view(repaired))}};
}

Changes setTemplate(const Finding& finding, const std::optional<std::string>& source) {
    return source ? Changes{SetKey{finding.place.name, owned(std::string_view(*source))}} : Changes();
}

Changes breakTemplateLines(const Finding& finding, const Model& model) {
    const auto source = model.metadata.string(finding.place.name);
    return setTemplate(finding, source ? std::optional(text::withLineBreaks(*source)) : std::nullopt);
}

Changes unquoteTemplate(const Finding& finding, const Model& model) {
    const auto source = model.metadata.string(finding.place.name);
    return setTemplate(finding, source ? text::withoutQuotes(*source) : std::nullopt);
}

// Removes the names of templates that the file does not have, the last one first.
Changes removeTemplateNames(const Finding& finding, const Model& model) {
    const ArrayView* names = model.metadata.array(finding.place.name);
    Changes changes;
    if (names != nullptr) {
        forEachText(*names, [&](std::uint64_t i, std::string_view name) {
            if (model.metadata.find(text::chatTemplateKey(name)) == nullptr) {
                changes.emplace_back(RemoveElements{{finding.place.name}, i, 1});
            }
            return true;
        });
    }
    std::ranges::reverse(changes);
    return changes;
}

// Whether vocabularies have such a token only to fill rows of the embedding: "[PAD12]", "<|reserved_special_token_3|>".
bool isSpare(const TokenTexts& vocabulary, std::uint64_t id) {
    if (vocabulary.is(id, TokenType::Unused)) {
        return true;
    }
    std::string text = asciiLowerText(vocabulary.tokens()[id]);
    std::erase_if(text, [](char c) { return c == '<' || c == '>' || c == '[' || c == ']' || c == '|'; });
    const bool isNumbered = !text.empty() && isAsciiDigit(text.back());
    constexpr auto kNames =
        std::to_array<std::string_view>({"pad", "unused", "reserved", "extra", "placeholder", "dummy", "special_"});
    return isNumbered && text.size() < vocabulary.tokens()[id].size() &&
           std::ranges::any_of(kNames, [&](std::string_view name) { return text.starts_with(name); });
}

bool isNamedByKey(const Metadata& metadata, std::uint64_t id) {
    return std::ranges::any_of(metadata, [&](const KeyValue& entry) {
        return entry.key.starts_with("tokenizer.ggml.") && entry.key.ends_with("_token_id") &&
               asUInt(entry.value) == id;
    });
}

// The token takes the place of one that only fills a row of the embedding, because a further row cannot be added.
Changes addMarker(const Finding& finding, const Model& model) {
    const TokenTexts vocabulary(model.metadata, {});
    const std::string_view marker =
        finding.args.empty() ? std::string_view() : std::string_view(finding.args[0].text());
    if (marker.empty() || vocabulary.find(marker)) {
        return {};
    }
    for (std::uint64_t id = 0; id < vocabulary.size(); ++id) {
        if (isSpare(vocabulary, id) && !isNamedByKey(model.metadata, id)) {
            Changes changes = setTokenType(model, id, TokenType::Control);
            if (changes.empty()) {
                return {};
            }
            changes.emplace_back(SetElement{{std::string(kTokens)}, id, owned(marker)});
            return changes;
        }
    }
    return {};
}

// ---- whether a repair is sound

bool always(const Finding&, const Model&) { return true; }
bool never(const Finding&, const Model&) { return false; }

bool repeatsAreEqual(const Finding& finding, const Model& model) {
    const KeyValue* first = nullptr;
    for (const KeyValue& entry : model.metadata) {
        if (entry.key == finding.place.name) {
            first = first != nullptr ? first : &entry;
            std::vector<std::byte> one;
            std::vector<std::byte> other;
            if (first->value.index() != entry.value.index() || !appendValue(one, first->value, {}) ||
                !appendValue(other, entry.value, {}) || one != other) {
                return false;
            }
        }
    }
    return true;
}

bool statesUsualAlignment(const Finding& finding, const Model& model) {
    return model.metadata.uint(finding.place.name) == kUsualAlignment;
}

// The embedding has a row for each token, so the key is what is wrong.
bool embeddingFitsTokens(const Finding&, const Model& model) {
    const ArrayView* tokens = model.metadata.array(kTokens);
    const auto embedding = model.findTensor("token_embd.weight");
    return tokens != nullptr && embedding && model.tensor(*embedding).shape[1] == tokens->length;
}

bool specialLooksLikeControl(const Finding& finding, const Model& model) {
    const auto id = model.metadata.uint(finding.place.name);
    return id && text::isMarker(tokenText(model, *id));
}

bool tokenLooksLikeByte(const Finding& finding, const Model& model) {
    return looksLikeByte(tokenText(model, finding.place.index.value_or(0)));
}

struct Fix {
    FindingCode code;
    Changes (*make)(const Finding&, const Model&);
    bool (*isSound)(const Finding&, const Model&);
};
constexpr auto kFixes = std::to_array<Fix>({
    {FindingCode::EmptyKey, deleteKey, never},
    {FindingCode::DuplicateKey, deleteRepeats, repeatsAreEqual},
    {FindingCode::BoolNotZeroOrOne, normaliseBooleans, always},
    {FindingCode::AlignmentWrongType, setUsualAlignment, statesUsualAlignment},
    {FindingCode::AlignmentZero, setUsualAlignment, always},
    {FindingCode::AlignmentNotPowerOfTwo, setUsualAlignment, always},
    {FindingCode::AlignmentNotMultipleOf8, setUsualAlignment, always},
    {FindingCode::AlignmentHuge, setUsualAlignment, always},
    {FindingCode::TrailingBytes, dropTrailingBytes, never},
    {FindingCode::DraftVersion1, setNewestVersion, always},
    {FindingCode::ValueTypeBeforeItsVersion, setNewestVersion, always},
    {FindingCode::BigEndianBeforeV3, setNewestVersion, always},
    {FindingCode::TokenIdUnusable, deleteKey, never},
    {FindingCode::WrongValueType, convertType, always},
    {FindingCode::UnusualValueType, convertType, always},
    {FindingCode::KeyAlias, renameToStandard, always},
    {FindingCode::QuantisationVersionMissing, setQuantisationVersion, always},
    {FindingCode::FileTypeContradicts, setFileType, never},
    {FindingCode::VocabularySizeKey, setVocabularySize, embeddingFitsTokens},
    {FindingCode::TokenArrayLength, matchTokens, never},
    {FindingCode::SpecialTokenNotControl, makeControl, specialLooksLikeControl},
    {FindingCode::TokenTypeUnknown, typeToken, tokenLooksLikeByte},
    {FindingCode::ControlTokenTypedNormal, makeAllControl, never},
    {FindingCode::TemplateBroken, repairTemplate, never},
    {FindingCode::TemplateTokenUnknown, addMarker, never},
    {FindingCode::TemplateLiteralNewline, breakTemplateLines, never},
    {FindingCode::TemplateQuoted, unquoteTemplate, always},
    {FindingCode::TemplateNotStored, removeTemplateNames, always},
    {FindingCode::SplitKeysLeft, removeSplitKeys, always},
});

} // namespace

std::vector<Change> fixFor(const Finding& finding, const Model& model) {
    const auto* fix = std::ranges::find(kFixes, finding.code, &Fix::code);
    return fix != kFixes.end() ? fix->make(finding, model) : Changes();
}

bool isSoundFix(const Finding& finding, const Model& model) {
    const auto* fix = std::ranges::find(kFixes, finding.code, &Fix::code);
    return fix != kFixes.end() && fix->isSound(finding, model);
}

bool isMendedByCopy(FindingCode code) {
    constexpr auto kLayout =
        std::to_array<FindingCode>({FindingCode::PaddingNotZero, FindingCode::OffsetMisaligned,
                                    FindingCode::TensorsNotPacked, FindingCode::LastTensorNotPadded});
    return std::ranges::find(kLayout, code) != kLayout.end();
}

std::vector<FindingCode> fixableCodes() {
    std::vector<FindingCode> codes;
    std::ranges::transform(kFixes, std::back_inserter(codes), &Fix::code);
    return codes;
}

} // namespace gufo
