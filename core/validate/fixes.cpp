#include "validate/fixes.h"

#include "model/array_index.h"
#include "model/encode_value.h"
#include "model/file_type.h"
#include "model/value_text.h"
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

// A whole number as the type; nothing where it does not fit.
std::optional<OwnedValue> integerAs(ValueType type, std::uint64_t number) {
    std::string text;
    const auto value = convertValue(Value(number), type, text);
    return value && type != ValueType::String ? std::optional(OwnedValue(*value)) : std::nullopt;
}

Changes deleteKey(const Finding& finding, const Model&) { return {DeleteKey{finding.place.name}}; }

// All but the first, which counts.
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

// What is read as true becomes 1.
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

// Exactly, or not at all. Text becomes a number, but no number text.
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

// The file type whose tensors are mostly those of the file; of a family of mixes the middle one.
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

// The type that a token without one should get: that of text, unless it looks as if it controlled something.
TokenType usualType(std::string_view token) { return looksLikeMarkup(token) ? TokenType::Control : TokenType::Normal; }

std::optional<OwnedValue> typeValue(const ArrayView& types, TokenType type) {
    return valueTypeInfo(types.elementType).integer ? integerAs(types.elementType, static_cast<std::uint64_t>(type))
                                                    : std::nullopt;
}

// As long as the list of tokens: cut, or filled with what runtimes take where there is no list at all.
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

Changes typeToken(const Finding& finding, const Model& model) {
    const ArrayView* tokens = model.metadata.array(kTokens);
    const std::uint64_t id = finding.place.index.value_or(0);
    TokenType type = TokenType::Normal;
    if (tokens != nullptr) {
        forEachText(*tokens, [&](std::uint64_t i, std::string_view text) {
            type = i == id ? usualType(text) : type;
            return i < id;
        });
    }
    return setTokenType(model, id, type);
}

Changes makeAllControl(const Finding&, const Model& model) {
    const TokenTexts vocabulary(model.metadata, {});
    Changes changes;
    for (std::uint64_t id = 0; id < vocabulary.size(); ++id) {
        if (vocabulary.is(id, TokenType::Normal) && looksLikeMarkup(vocabulary.tokens()[id])) {
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

// The edit that text/template_findings.h has tried; args 3 to 5: offset and length in bytes, replacement.
Changes repairTemplate(const Finding& finding, const Model& model) {
    constexpr std::size_t kOffset = 3;
    const Value* value = model.metadata.find(finding.place.name);
    const auto text = value != nullptr ? asString(*value) : std::nullopt;
    if (!text || finding.args.size() < kOffset + 3) {
        return {};
    }
    const auto offset = sizeIn(finding.args[kOffset]);
    const auto length = sizeIn(finding.args[kOffset + 1]);
    if (!offset || !length || *offset > text->size() || *length > text->size() - *offset) {
        return {};
    }
    std::string repaired(*text);
    repaired.replace(*offset, *length, finding.args[kOffset + 2]);
    return {SetKey{finding.place.name, owned(std::string_view(repaired))}};
}

struct Fix {
    FindingCode code;
    Changes (*make)(const Finding&, const Model&);
};
constexpr auto kFixes = std::to_array<Fix>({
    {FindingCode::EmptyKey, deleteKey},
    {FindingCode::DuplicateKey, deleteRepeats},
    {FindingCode::BoolNotZeroOrOne, normaliseBooleans},
    {FindingCode::AlignmentWrongType, setUsualAlignment},
    {FindingCode::AlignmentZero, setUsualAlignment},
    {FindingCode::AlignmentNotPowerOfTwo, setUsualAlignment},
    {FindingCode::AlignmentNotMultipleOf8, setUsualAlignment},
    {FindingCode::AlignmentHuge, setUsualAlignment},
    {FindingCode::TrailingBytes, dropTrailingBytes},
    {FindingCode::DraftVersion1, setNewestVersion},
    {FindingCode::ValueTypeBeforeItsVersion, setNewestVersion},
    {FindingCode::BigEndianBeforeV3, setNewestVersion},
    {FindingCode::TokenIdUnusable, deleteKey},
    {FindingCode::WrongValueType, convertType},
    {FindingCode::UnusualValueType, convertType},
    {FindingCode::KeyAlias, renameToStandard},
    {FindingCode::QuantisationVersionMissing, setQuantisationVersion},
    {FindingCode::FileTypeContradicts, setFileType},
    {FindingCode::VocabularySizeKey, setVocabularySize},
    {FindingCode::TokenArrayLength, matchTokens},
    {FindingCode::SpecialTokenNotControl, makeControl},
    {FindingCode::TokenTypeUnknown, typeToken},
    {FindingCode::ControlTokenTypedNormal, makeAllControl},
    {FindingCode::TemplateBroken, repairTemplate},
    {FindingCode::SplitKeysLeft, removeSplitKeys},
});

} // namespace

std::vector<Change> fixFor(const Finding& finding, const Model& model) {
    const auto* fix = std::ranges::find(kFixes, finding.code, &Fix::code);
    return fix != kFixes.end() ? fix->make(finding, model) : Changes();
}

std::vector<FindingCode> fixableCodes() {
    std::vector<FindingCode> codes;
    std::ranges::transform(kFixes, std::back_inserter(codes), &Fix::code);
    return codes;
}

} // namespace gufo
