// The JSON of a format of answers, by the tables of its members.
#include "base/detail.h"
#include "text/conversation/answer_format.h"
#include "text/conversation/marker_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>

namespace gufo::text {
namespace {

QString qtText(const std::string& text) { return QString::fromStdString(text); }

constexpr std::array<const char*, 4> kStyleNames{"json", "named_json", "tagged", "literals"};
static_assert(kStyleNames.size() == static_cast<std::size_t>(CallStyle::Literals) + 1);
constexpr std::array<const char*, 3> kPartNames{"marker", "name", "id"};
static_assert(kPartNames.size() == static_cast<std::size_t>(CallHeadPart::Kind::Id) + 1);

// The members that are texts, for writing and reading.
struct CallTextRow {
    const char* key;
    std::string CallFormat::* text;
};
constexpr auto kCallTexts = std::to_array<CallTextRow>({
    {"section_open", &CallFormat::sectionOpen},
    {"section_close", &CallFormat::sectionClose},
    {"open", &CallFormat::open},
    {"close", &CallFormat::close},
    {"name_key", &CallFormat::nameKey},
    {"arguments_key", &CallFormat::argumentsKey},
    {"id_key", &CallFormat::idKey},
    {"wrapper_key", &CallFormat::wrapperKey},
    {"key_open", &CallFormat::keyOpen},
    {"value_close", &CallFormat::valueClose},
    {"arguments_open", &CallFormat::argumentsOpen},
    {"arguments_close", &CallFormat::argumentsClose},
    {"assign", &CallFormat::assign},
    {"quote", &CallFormat::quote},
});
struct FormatTextRow {
    const char* key;
    std::string AnswerFormat::* text;
};
constexpr auto kFormatTexts = std::to_array<FormatTextRow>({
    {"thought_member", &AnswerFormat::thoughtMember},
    {"header", &AnswerFormat::header},
    {"content_open", &AnswerFormat::contentOpen},
    {"content_close", &AnswerFormat::contentClose},
    {"before_question", &AnswerFormat::beforeQuestion},
    {"after_answer", &AnswerFormat::afterAnswer},
    {"before_result", &AnswerFormat::beforeResult},
    {"after_calls", &AnswerFormat::afterCalls},
});
struct CallFlagRow {
    const char* key;
    bool CallFormat::* flag;
};
constexpr auto kCallFlags = std::to_array<CallFlagRow>({{"numbered", &CallFormat::numbered},
                                                        {"escapes", &CallFormat::escapes},
                                                        {"python", &CallFormat::python},
                                                        {"known", &CallFormat::isKnown}});

QJsonObject callObject(const CallFormat& call) {
    QJsonObject object{{QStringLiteral("style"), QLatin1String(kStyleNames[static_cast<std::size_t>(call.style)])}};
    for (const CallTextRow& row : kCallTexts) {
        if (!(call.*row.text).empty()) {
            object.insert(QLatin1String(row.key), qtText(call.*row.text));
        }
    }
    for (const CallFlagRow& row : kCallFlags) {
        if (call.*row.flag) {
            object.insert(QLatin1String(row.key), true);
        }
    }
    QJsonArray head;
    for (const CallHeadPart& part : call.head) {
        head.append(
            QJsonObject{{QStringLiteral("part"), QLatin1String(kPartNames[static_cast<std::size_t>(part.kind)])},
                        {QStringLiteral("marker"), qtText(part.marker)}});
    }
    QJsonArray openings;
    for (const ValueOpening& opening : call.valueOpen) {
        QJsonObject each{{QStringLiteral("marker"), qtText(opening.marker)}};
        if (opening.isString) {
            each.insert(QStringLiteral("string"), *opening.isString);
        }
        openings.append(each);
    }
    if (!head.isEmpty()) {
        object.insert(QStringLiteral("head"), head);
    }
    if (!openings.isEmpty()) {
        object.insert(QStringLiteral("value_open"), openings);
    }
    return object;
}

template<std::size_t N>
std::optional<std::size_t> indexIn(const std::array<const char*, N>& names, const QString& name) {
    const auto found = std::ranges::find_if(names, [&](const char* each) { return name == QLatin1String(each); });
    return found != names.end() ? std::optional<std::size_t>(found - names.begin()) : std::nullopt;
}

std::optional<CallFormat> callOf(const QJsonObject& object) {
    CallFormat call;
    const auto style = indexIn(kStyleNames, object[QStringLiteral("style")].toString());
    if (!style) {
        return std::nullopt;
    }
    call.style = static_cast<CallStyle>(*style);
    for (const CallTextRow& row : kCallTexts) {
        call.*row.text = object[QLatin1String(row.key)].toString().toStdString();
    }
    for (const CallFlagRow& row : kCallFlags) {
        call.*row.flag = object[QLatin1String(row.key)].toBool();
    }
    for (const QJsonValue& each : object[QStringLiteral("head")].toArray()) {
        const auto kind = indexIn(kPartNames, each[QStringLiteral("part")].toString());
        if (!kind) {
            return std::nullopt;
        }
        call.head.push_back({.kind = static_cast<CallHeadPart::Kind>(*kind),
                             .marker = each[QStringLiteral("marker")].toString().toStdString()});
    }
    for (const QJsonValue& each : object[QStringLiteral("value_open")].toArray()) {
        const QJsonValue isString = each[QStringLiteral("string")];
        call.valueOpen.push_back({.marker = each[QStringLiteral("marker")].toString().toStdString(),
                                  .isString = isString.isBool() ? std::optional(isString.toBool()) : std::nullopt});
    }
    return call;
}

// Whether the markers without which nothing could be told apart are there.
bool isUsable(const CallFormat& call) {
    const auto isBlank = [](const std::string& marker) { return withoutSpace(marker).empty(); };
    switch (call.style) {
    case CallStyle::Json:
    case CallStyle::NamedJson:
        return true;
    case CallStyle::Tagged:
        return !isBlank(call.keyOpen) && !isBlank(call.valueClose) && !call.valueOpen.empty() &&
               std::ranges::none_of(call.valueOpen, isBlank, &ValueOpening::marker);
    case CallStyle::Literals:
        return !isBlank(call.argumentsOpen) && !isBlank(call.argumentsClose) && !isBlank(call.assign);
    }
    return false;
}

} // namespace

std::string CallFormat::texts() const {
    std::string all;
    for (const CallTextRow& row : kCallTexts) {
        all += this->*row.text + '\n';
    }
    for (const CallHeadPart& part : head) {
        all += part.marker + '\n';
    }
    for (const ValueOpening& opening : valueOpen) {
        all += opening.marker + '\n';
    }
    return all;
}

std::string answerFormatJson(const AnswerFormat& format) {
    QJsonArray thoughts;
    for (const ThoughtFormat& thought : format.thoughts) {
        thoughts.append(QJsonObject{{QStringLiteral("open"), qtText(thought.open)},
                                    {QStringLiteral("close"), qtText(thought.close)},
                                    {QStringLiteral("closing"), qtText(thought.closing)}});
    }
    QJsonArray calls;
    for (const CallFormat& call : format.calls) {
        calls.append(callObject(call));
    }
    QJsonObject object{{QStringLiteral("thoughts"), thoughts},
                       {QStringLiteral("own_thoughts"), static_cast<qint64>(format.ownThoughts)},
                       {QStringLiteral("calls"), calls},
                       {QStringLiteral("own_calls"), static_cast<qint64>(format.ownCalls)},
                       {QStringLiteral("channels"), format.channels},
                       {QStringLiteral("knows_tools"), format.knowsTools},
                       {QStringLiteral("empty_text"), format.emptyText},
                       {QStringLiteral("answers_in_thought"), format.answersInThought}};
    for (const FormatTextRow& row : kFormatTexts) {
        object.insert(QLatin1String(row.key), qtText(format.*row.text));
    }
    return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

Result<AnswerFormat> readAnswerFormat(std::string_view json) {
    const auto document = QJsonDocument::fromJson(QByteArray(json.data(), static_cast<qsizetype>(json.size())));
    const auto refuse = [] { return fail(ErrorCode::BadSyntax, {}, {Detail::Value}); };
    if (!document.isObject()) {
        return refuse();
    }
    const QJsonObject object = document.object();
    AnswerFormat format;
    for (const QJsonValue& each : object[QStringLiteral("thoughts")].toArray()) {
        format.thoughts.push_back({.open = each[QStringLiteral("open")].toString().toStdString(),
                                   .close = each[QStringLiteral("close")].toString().toStdString(),
                                   .closing = each[QStringLiteral("closing")].toString().toStdString()});
    }
    const auto lacksMarker = [](const ThoughtFormat& thought) {
        return withoutSpace(thought.open).empty() || withoutSpace(thought.close).empty();
    };
    if (std::ranges::any_of(format.thoughts, lacksMarker)) {
        return refuse();
    }
    format.ownThoughts = static_cast<std::size_t>(
        std::clamp<qint64>(object[QStringLiteral("own_thoughts")].toInteger(), 0, std::ssize(format.thoughts)));
    for (const QJsonValue& each : object[QStringLiteral("calls")].toArray()) {
        auto call = callOf(each.toObject());
        if (!call || !isUsable(*call)) {
            return refuse();
        }
        format.calls.push_back(*std::move(call));
    }
    format.channels = object[QStringLiteral("channels")].toBool();
    format.ownCalls = static_cast<std::size_t>(
        std::clamp<qint64>(object[QStringLiteral("own_calls")].toInteger(), 0, std::ssize(format.calls)));
    format.knowsTools = object[QStringLiteral("knows_tools")].toBool();
    format.emptyText = object[QStringLiteral("empty_text")].toBool();
    format.answersInThought = object[QStringLiteral("answers_in_thought")].toBool();
    for (const FormatTextRow& row : kFormatTexts) {
        format.*row.text = object[QLatin1String(row.key)].toString().toStdString();
    }
    if (format.thoughtMember.empty()) {
        format.thoughtMember = AnswerFormat().thoughtMember;
    }
    format.header = withoutSpace(format.header);
    format.contentOpen = withoutSpace(format.contentOpen);
    format.contentClose = withoutSpace(format.contentClose);
    return format;
}

} // namespace gufo::text
