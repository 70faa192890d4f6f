#include "cli/assignment.h"

#include "base/ascii.h"
#include "base/detail.h"
#include "cli/console.h"
#include "cli/similar_name.h"
#include "document/value_json.h"
#include "formats/container/container.h"
#include "model/file_type.h"
#include "model/key_catalogue.h"
#include "model/value_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/problem_text.h"

#include <algorithm>
#include <array>

namespace gufo::cli {
namespace {

using Token = JsonReader::Token;

QString typeText(WantedType type) {
    const auto name = [](ValueType t) {
        const std::string_view text = valueTypeFact(t).name;
        return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
    };
    return type.type == ValueType::Array ? QStringLiteral("arr[%1]").arg(name(type.elementType)) : name(type.type);
}

std::optional<WantedType> typeOfExisting(const Model& model, const std::string& key) {
    const Value* value = model.metadata.find(key);
    const KeyFact* fact = describeKey(key, model.metadata.architecture());
    if (value == nullptr || (fact != nullptr && !acceptsType(*fact, *value))) {
        return std::nullopt;
    }
    const ArrayView* array = asArray(*value);
    return WantedType{typeOf(*value), array != nullptr ? array->elementType : ValueType::String};
}

std::optional<WantedType> typeOfCatalogue(const Model& model, const std::string& key, std::string_view text) {
    const KeyFact* fact = describeKey(key, model.metadata.architecture());
    if (fact == nullptr) {
        return std::nullopt;
    }
    const bool list = fact->scalarOrArray && text.starts_with('[');
    return WantedType{list ? ValueType::Array : fact->type, fact->elementType};
}

std::optional<ValueType> numberType(std::string_view literal) {
    for (const ValueType type :
         {ValueType::Int32, ValueType::UInt32, ValueType::Int64, ValueType::UInt64, ValueType::Float32}) {
        if (parseValue(type, literal)) {
            return type;
        }
    }
    return std::nullopt;
}

// The narrowest type that holds both.
std::optional<ValueType> commonType(std::optional<ValueType> a, std::optional<ValueType> b) {
    constexpr auto kOrder = std::to_array<ValueType>(
        {ValueType::Int32, ValueType::UInt32, ValueType::Int64, ValueType::UInt64, ValueType::Float32});
    const auto* left = a ? std::ranges::find(kOrder, *a) : kOrder.end();
    const auto* right = b ? std::ranges::find(kOrder, *b) : kOrder.end();
    if (left == kOrder.end() || right == kOrder.end()) {
        return a == b ? a : std::nullopt;
    }
    return std::max(*left, *right, [&](ValueType x, ValueType y) {
        return std::ranges::find(kOrder, x) < std::ranges::find(kOrder, y);
    });
}

// The common type of a list's elements. Empty if the text is not a list, or the list is empty or mixes kinds.
std::optional<ValueType> elementTypeOf(std::string_view text) {
    JsonReader json(text);
    const auto start = json.next();
    if (!start || *start != Token::ArrayStart) {
        return std::nullopt;
    }
    std::optional<ValueType> common;
    bool first = true;
    while (true) {
        const auto token = json.next();
        if (!token || *token == Token::ArrayEnd) {
            return token ? common : std::nullopt;
        }
        std::optional<ValueType> type;
        if (*token == Token::String) {
            type = ValueType::String;
        } else if (*token == Token::True || *token == Token::False) {
            type = ValueType::Bool;
        } else if (*token == Token::Number) {
            type = numberType(json.text());
        }
        common = first ? type : commonType(common, type);
        first = false;
        if (!common) {
            return std::nullopt;
        }
    }
}

WantedType inferredType(std::string_view text) {
    if (const auto element = elementTypeOf(text)) {
        return {ValueType::Array, *element};
    }
    if (text == "true" || text == "false") {
        return {ValueType::Bool};
    }
    const bool number = !text.empty() && std::string_view("+-.0123456789").find(text[0]) != std::string_view::npos;
    const auto type = number ? numberType(text) : std::nullopt;
    return {type.value_or(ValueType::String)};
}

// Looks up the number that a name stands for ("Q4_K_M" is 15), for keys whose values have names.
std::optional<std::int64_t> namedNumber(const Model& model, const std::string& key, std::string_view text) {
    for (const EnumName& name : enumNames(key, model.metadata.architecture())) {
        if (equalIgnoringCase(name.name, text)) {
            return name.value;
        }
    }
    const FileTypeFact* fileType = key == "general.file_type" ? findFileType(text) : nullptr;
    return fileType != nullptr ? std::optional<std::int64_t>(fileType->value) : std::nullopt;
}

std::expected<OwnedValue, QString> parseJson(WantedType type, const std::string& text) {
    JsonReader json(text);
    // A nested array states its element type itself.
    const bool nested = type.type == ValueType::Array && type.elementType == ValueType::Array && !text.starts_with('[');
    auto value = readBareValue(json, type.type, nested ? std::nullopt : std::optional(type.elementType));
    const auto end = value ? json.expect(Token::End, Detail::EndOfText) : Result<>();
    if (!value || !end) {
        const Error& error = value ? end.error() : value.error();
        return std::unexpected(
            Cli::tr("the value is not valid JSON of type %1: %2").arg(typeText(type), ui::errorReason(error)));
    }
    return *std::move(value);
}

std::expected<OwnedValue, QString> parseScalar(const Model& model, const std::string& key, const std::string& text,
                                               ValueType type) {
    if (valueTypeFact(type).integer) {
        if (const auto number = namedNumber(model, key, text)) {
            std::string unused;
            const auto value = convertValue(Value(*number), type, unused);
            if (value) {
                return OwnedValue(*value);
            }
        }
    }
    if (ui::isTokenIdKey(key) && text == "-1" && valueTypeFact(type).name.starts_with('u')) {
        return std::unexpected(
            Cli::tr("−1 is no token id; for a model without such a token, use --delete %1").arg(ui::displayText(key)));
    }
    const auto value = parseValue(type, text);
    return value ? std::expected<OwnedValue, QString>(OwnedValue(*value))
                 : std::unexpected(ui::valueProblemText(value.error(), type));
}

} // namespace

std::expected<WantedType, QString> parseType(const std::string& text) {
    const std::string_view view = text;
    const bool array = view.starts_with("arr[") && view.ends_with(']');
    const ValueTypeFact* info = findValueType(array ? view.substr(4, view.size() - 5) : view);
    if (info == nullptr || (!array && info->type == ValueType::Array)) {
        return std::unexpected(Cli::tr("\"%1\" is not a type; the types are u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 bool "
                                       "str, and arr[…] of these")
                                   .arg(ui::displayText(text)));
    }
    return array ? WantedType{ValueType::Array, info->type} : WantedType{info->type};
}

std::expected<Assignment, QString> splitAssignment(const std::string& text, bool atLast) {
    const std::size_t at = atLast ? text.rfind('=') : text.find('=');
    if (at == std::string::npos || at == 0) {
        return std::unexpected(Cli::tr("\"%1\" should be NAME=VALUE").arg(ui::displayText(text)));
    }
    return Assignment{text.substr(0, at), text.substr(at + 1)};
}

std::expected<OwnedValue, QString> parseFor(const Model& model, const std::string& key, const std::string& text,
                                            std::optional<WantedType> wanted, TextKind kind) {
    if (!wanted && !capabilitiesOf(model).has(Capability::TypedValues)) {
        wanted = WantedType();
    }
    if (!wanted) {
        wanted = typeOfExisting(model, key);
    }
    if (!wanted) {
        wanted = typeOfCatalogue(model, key, text);
    }
    const WantedType type = wanted ? *wanted : kind == TextKind::File ? WantedType() : inferredType(text);
    const bool asJson = kind == TextKind::Json || type.type == ValueType::Array;
    auto value = asJson ? parseJson(type, text) : parseScalar(model, key, text, type.type);
    return value ? std::move(value)
                 : std::unexpected(QStringLiteral("%1: %2").arg(ui::displayText(key), value.error()));
}

std::expected<Change, QString> assignmentChange(const Model& model, const Assignment& assignment,
                                                std::optional<WantedType> wanted, TextKind kind) {
    const std::string& name = assignment.name;
    const std::size_t bracket = name.rfind('[');
    if (model.metadata.find(name) == nullptr && bracket != std::string::npos && name.ends_with(']')) {
        const std::string key = name.substr(0, bracket);
        const auto refuse = [&](const QString& why) {
            return std::unexpected(QStringLiteral("%1: %2").arg(ui::displayText(name), why));
        };
        const ArrayView* array = model.metadata.array(key);
        if (array == nullptr) {
            const QString meant = didYouMean(similarKey(key, model));
            return refuse(Cli::tr("the model has no array %1").arg(ui::displayText(key)) +
                          (meant.isEmpty() ? QString() : QStringLiteral(". ") + meant));
        }
        const std::string_view position = std::string_view(name).substr(bracket + 1, name.size() - bracket - 2);
        const auto index = parseValue(ValueType::UInt64, position);
        if (!index) {
            return refuse(
                Cli::tr("\"%1\" is not a position; elements are numbered from 0").arg(ui::displayText(position)));
        }
        auto value = array->elementType == ValueType::Array || kind == TextKind::Json
                         ? parseJson({array->elementType, ValueType::Array}, assignment.value)
                         : parseScalar(model, key, assignment.value, array->elementType);
        if (!value) {
            return refuse(value.error());
        }
        return SetElement{{key}, std::get<std::uint64_t>(*index), *std::move(value)};
    }
    auto value = GUFO_TRY(parseFor(model, name, assignment.value, wanted, kind));
    return std::expected<Change, QString>(SetKey{.key = name, .value = std::move(value)});
}

} // namespace gufo::cli
