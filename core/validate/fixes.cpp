#include "validate/fixes.h"

#include "base/ascii.h"
#include "model/array_index.h"
#include "model/encode_value.h"
#include "model/file_naming.h"
#include "model/file_type.h"
#include "model/finding_code.h"
#include "model/hub_values.h"
#include "model/token.h"
#include "model/value_text.h"
#include "text/audit/template_audit.h"
#include "text/template/chat_templates.h"
#include "text/template/template_markers.h"
#include "validate/checks.h"
#include "validate/ollama_dialect.h"
#include "validate/vocabulary_edits.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace gufo {
namespace {

constexpr std::uint32_t kUsualAlignment = 32;
constexpr std::uint32_t kQuantisationVersion = 2;

using Changes = std::vector<Change>;

template<typename T>
OwnedValue owned(T value) {
    return OwnedValue(Value(value));
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

Changes translateDialect(const Finding&, const Model& model) {
    auto dialect = ollamaDialect(model);
    return dialect && dialect->unknown.empty() ? std::move(dialect->changes) : Changes();
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
    const ArrayView* tokens = model.metadata.array(kTokensKey);
    const auto number =
        value != nullptr && tokens != nullptr ? integerAs(typeOf(*value), tokens->length) : std::nullopt;
    return number ? Changes{SetKey{finding.place.name, *number}} : Changes();
}

std::optional<OwnedValue> typeValue(const ArrayView& types, TokenType type) {
    return valueTypeFact(types.elementType).integer ? integerAs(types.elementType, static_cast<std::uint64_t>(type))
                                                    : std::nullopt;
}

// Makes the array as long as the list of tokens: cuts it, or pads it with the value that runtimes assume for a missing
// array.
Changes matchTokens(const Finding& finding, const Model& model) {
    const ArrayView* array = model.metadata.array(finding.place.name);
    const ArrayView* tokens = model.metadata.array(kTokensKey);
    if (array == nullptr || tokens == nullptr) {
        return {};
    }
    if (array->length > tokens->length) {
        return {RemoveElements{{finding.place.name}, tokens->length, array->length - tokens->length}};
    }
    if (finding.place.name != kTokenTypesKey) {
        const std::uint64_t missing = tokens->length - array->length;
        const std::uint32_t size = valueTypeFact(array->elementType).bytes;
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
            const auto type = typeValue(*array, usualTokenType(text));
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
    const ArrayView* types = model.metadata.array(kTokenTypesKey);
    const auto value = types != nullptr && id < types->length ? typeValue(*types, type) : std::nullopt;
    return value ? Changes{SetElement{{std::string(kTokenTypesKey)}, id, *value}} : Changes();
}

Changes makeControl(const Finding& finding, const Model& model) {
    const auto id = model.metadata.uint(finding.place.name);
    return id ? setTokenType(model, *id, TokenType::Control) : Changes();
}

std::string_view tokenText(const Model& model, std::uint64_t id) {
    const ArrayView* tokens = model.metadata.array(kTokensKey);
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
    return setTokenType(model, id, usualTokenType(tokenText(model, id)));
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

// Applies the edit that text/audit/template_findings.h has tested. Arguments 3 to 5 are offset and length in bytes,
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

// What the audit of a template repairs without a guess.
Changes repairAudited(const Finding& finding, const Model& model) {
    constexpr std::size_t kFirstArgument = 2; // after the audit's code and the line
    const auto is = [&](text::AuditCode code) {
        return !finding.args.empty() && finding.args.front().text() == text::auditFact(code).name;
    };
    if (is(text::AuditCode::HiddenCharacters)) {
        const auto source = model.metadata.string(finding.place.name);
        const std::string visible = source ? text::withoutHiddenCharacters(*source) : std::string();
        return source && visible != *source ? setTemplate(finding, visible) : Changes();
    }
    if (is(text::AuditCode::EndNotEnding) && finding.args.size() > kFirstArgument + 1) {
        const auto id = sizeIn(finding.args[kFirstArgument + 1].text());
        const auto value = id ? integerAs(ValueType::UInt32, *id) : std::nullopt;
        return value ? Changes{SetKey{"tokenizer.ggml.eot_token_id", *value}} : Changes();
    }
    return {};
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

// The token takes the place of one that only fills a row of the embedding, or gets a row of its own.
Changes addMarker(const Finding& finding, const Model& model) {
    const TokenTexts vocabulary(model.metadata, {});
    const std::string_view marker =
        finding.args.empty() ? std::string_view() : std::string_view(finding.args[0].text());
    if (marker.empty() || vocabulary.find(marker)) {
        return {};
    }
    const std::vector<std::uint64_t> spare = spareTokens(vocabulary, model.metadata, 1);
    Changes changes = spare.empty() ? Changes() : setTokenType(model, spare.front(), TokenType::Control);
    if (!changes.empty()) {
        changes.emplace_back(SetElement{{std::string(kTokensKey)}, spare.front(), owned(marker)});
        return changes;
    }
    const NewToken token{.text = std::string(marker), .type = TokenType::Control};
    return canAddMeanRows(model) ? extendVocabulary(model, {&token, 1}).value_or(Changes()) : Changes();
}

// ---- before a model is published

Changes setText(const Finding& finding, const std::optional<std::string>& text) {
    return text && !text->empty() ? Changes{SetKey{finding.place.name, owned(std::string_view(*text))}} : Changes();
}

std::string_view textAt(const Finding& finding, const Model& model) {
    return model.metadata.string(finding.place.name).value_or(std::string_view());
}

// "Qwen3-8B-Instruct-Q4_K_M.gguf" is "Qwen3 8B Instruct".
Changes titleFromFileName(const Finding& finding, const Model& model) {
    const FileNaming naming = parseFileNaming(model.files.empty() ? std::string() : model.path().filename().native());
    std::string title = naming.baseName;
    for (const std::string& part : {naming.sizeLabel, naming.fineTune}) {
        title += part.empty() ? std::string() : ' ' + part;
    }
    std::ranges::replace(title, '-', ' ');
    return setText(finding, title);
}

Changes spellLicence(const Finding& finding, const Model& model) {
    const auto known = hubLicence(textAt(finding, model));
    return setText(finding, known ? std::optional(std::string(*known)) : std::nullopt);
}

Changes completeLink(const Finding& finding, const Model& model) {
    return setText(finding, completedLink(textAt(finding, model)));
}

Changes countBaseModels(const Finding& finding, const Model&) {
    const auto listed = finding.args.size() == 2 ? sizeIn(finding.args[1].text()) : std::nullopt;
    return listed.value_or(0) != 0 ? Changes{SetKey{finding.place.name, owned(static_cast<std::uint32_t>(*listed))}}
                                   : Changes();
}

// The page of "Night 8B" by "Owl" is likely owl/Night-8B on the Hub.
Changes linkBaseModel(const Finding& finding, const Model& model) {
    constexpr std::string_view kAddress = "repo_url";
    const std::string base = finding.place.name.substr(0, finding.place.name.size() - kAddress.size());
    const auto owner = model.metadata.string(base + "organization");
    const auto name = model.metadata.string(base + "name");
    if (!owner || !name || owner->empty() || name->empty()) {
        return {};
    }
    std::string repository = std::string(*owner) + '/' + std::string(*name);
    std::ranges::replace(repository, ' ', '-');
    return setText(finding, completedLink(repository));
}

Changes codeLanguage(const Finding& finding, const Model&) {
    const auto code = finding.args.empty() ? std::nullopt : languageCode(finding.args[0].text());
    return code && finding.place.index ? Changes{SetElement{{finding.place.name}, *finding.place.index, owned(*code)}}
                                       : Changes();
}

Changes dropFolders(const Finding& finding, const Model& model) {
    const std::string_view path = textAt(finding, model);
    return setText(finding, std::string(path.substr(path.find_last_of("/\\") + 1)));
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

// The embedding has a row for each token, so the key is wrong.
bool embeddingFitsTokens(const Finding&, const Model& model) {
    const ArrayView* tokens = model.metadata.array(kTokensKey);
    const auto embedding = model.findTensor("token_embd.weight");
    return tokens != nullptr && embedding && model.tensor(*embedding).shape[1] == tokens->length;
}

bool specialLooksLikeControl(const Finding& finding, const Model& model) {
    const auto id = model.metadata.uint(finding.place.name);
    return id && text::isMarker(tokenText(model, *id));
}

bool tokenLooksLikeByte(const Finding& finding, const Model& model) {
    return usualTokenType(tokenText(model, finding.place.index.value_or(0))) == TokenType::Byte;
}

struct FixRow {
    FindingCode code;
    Changes (*make)(const Finding&, const Model&);
    bool (*isSound)(const Finding&, const Model&);
};
constexpr auto kFixes = std::to_array<FixRow>({
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
    {FindingCode::OllamaDialect, translateDialect, never},
    {FindingCode::TitleMissing, titleFromFileName, never},
    {FindingCode::LicenceSpelling, spellLicence, always},
    {FindingCode::LinkBroken, completeLink, never},
    {FindingCode::BaseModelCount, countBaseModels, always},
    {FindingCode::BaseModelUnlinked, linkBaseModel, never},
    {FindingCode::LanguageUnknown, codeLanguage, always},
    {FindingCode::ImatrixPath, dropFolders, always},
    {FindingCode::TemplateThreat, repairAudited, always},
    {FindingCode::TemplateFault, repairAudited, always},
});

} // namespace

std::vector<Change> fixFor(const Finding& finding, const Model& model) {
    const auto* fix = std::ranges::find(kFixes, finding.code, &FixRow::code);
    return fix != kFixes.end() ? fix->make(finding, model) : Changes();
}

bool isSoundFix(const Finding& finding, const Model& model) {
    const auto* fix = std::ranges::find(kFixes, finding.code, &FixRow::code);
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
    std::ranges::transform(kFixes, std::back_inserter(codes), &FixRow::code);
    return codes;
}

} // namespace gufo
