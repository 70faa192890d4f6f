#include "ui/models/template_input.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace gufo::ui {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::Conversation)
};

constexpr const char* kWeatherTool = R"([
  {
    "type": "function",
    "function": {
      "name": "get_weather",
      "description": "Forecast for a city.",
      "parameters": {
        "type": "object",
        "properties": {
          "city": {"type": "string", "description": "Name of the city"}
        },
        "required": ["city"]
      }
    }
  }
])";
constexpr const char* kWeatherCall =
    R"([{"type": "function", "function": {"name": "get_weather", "arguments": {"city": "Trento"}}}])";

QString contentJson(const ChatMessage& message) {
    if (message.images > 0) {
        QStringList parts;
        for (int i = 0; i < message.images; ++i) {
            parts.append(QStringLiteral(R"({"type": "image"})"));
        }
        parts.append(QStringLiteral(R"({"type": "text", "text": %1})").arg(jsonString(message.content)));
        return QLatin1Char('[') + parts.join(QStringLiteral(", ")) + QLatin1Char(']');
    }
    // APIs of servers give null to a message that only calls tools. Some templates fail on it.
    const bool callsOnly = message.content.isEmpty() && !message.toolCalls.trimmed().isEmpty();
    return callsOnly && !message.emptyText ? QStringLiteral("null") : jsonString(message.content);
}

QString messageJson(const ChatMessage& message) {
    QString json = QStringLiteral("{\"role\": ") + jsonString(message.role) + QStringLiteral(", \"content\": ") +
                   contentJson(message);
    if (!message.reasoning.isEmpty()) {
        json += QStringLiteral(", \"reasoning_content\": ") + jsonString(message.reasoning);
    }
    if (const QString calls = message.toolCalls.trimmed(); !calls.isEmpty()) {
        json += QStringLiteral(", \"tool_calls\": ") + calls;
    }
    return json + QLatin1Char('}');
}

} // namespace

QString jsonString(const QString& text) {
    const QByteArray json = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return QString::fromUtf8(json.mid(1, json.size() - 2));
}

QString Conversation::messagesJson() const {
    QStringList parts;
    for (const ChatMessage& message : messages) {
        parts.append(messageJson(message));
    }
    return QLatin1Char('[') + parts.join(QStringLiteral(", ")) + QLatin1Char(']');
}

QJsonObject Conversation::save() const {
    QJsonArray list;
    for (const ChatMessage& message : messages) {
        list.append(QJsonObject{{QStringLiteral("role"), message.role},
                                {QStringLiteral("content"), message.content},
                                {QStringLiteral("toolCalls"), message.toolCalls},
                                {QStringLiteral("emptyText"), message.emptyText},
                                {QStringLiteral("reasoning"), message.reasoning},
                                {QStringLiteral("images"), message.images}});
    }
    QJsonArray named;
    for (const ChatVariable& variable : variables) {
        named.append(QJsonArray{variable.name, variable.json});
    }
    return {{QStringLiteral("messages"), list},
            {QStringLiteral("tools"), tools},
            {QStringLiteral("variables"), named},
            {QStringLiteral("generationPrompt"), generationPrompt}};
}

Conversation Conversation::restore(const QJsonObject& state) {
    Conversation conversation;
    for (const QJsonValue& each : state[QStringLiteral("messages")].toArray()) {
        conversation.messages.append({.role = each[QStringLiteral("role")].toString(),
                                      .content = each[QStringLiteral("content")].toString(),
                                      .toolCalls = each[QStringLiteral("toolCalls")].toString(),
                                      .emptyText = each[QStringLiteral("emptyText")].toBool(),
                                      .reasoning = each[QStringLiteral("reasoning")].toString(),
                                      .images = qBound(0, each[QStringLiteral("images")].toInt(), 99)});
    }
    conversation.tools = state[QStringLiteral("tools")].toString();
    for (const QJsonValue& each : state[QStringLiteral("variables")].toArray()) {
        conversation.variables.append({each[0].toString(), each[1].toString()});
    }
    conversation.generationPrompt = state[QStringLiteral("generationPrompt")].toBool(true);
    return conversation;
}

QStringList chatRoles() {
    return {QStringLiteral("system"), QStringLiteral("user"), QStringLiteral("assistant"), QStringLiteral("tool")};
}

QList<ConversationPreset> conversationPresets() {
    const auto system = [](const QString& text) {
        return ChatMessage{.role = QStringLiteral("system"), .content = text};
    };
    const auto user = [](const QString& text) { return ChatMessage{.role = QStringLiteral("user"), .content = text}; };
    const auto assistant = [](const QString& text) {
        return ChatMessage{.role = QStringLiteral("assistant"), .content = text};
    };
    const ChatMessage shortAnswers = system(Words::tr("Answer in one sentence."));
    const ChatMessage owl = user(Words::tr("What is an owl?"));
    const ChatMessage owlAnswer = assistant(Words::tr("A bird of the night."));
    const ChatMessage frost = user(Words::tr("Will it freeze in Trento tonight?"));
    ChatMessage call = assistant({});
    call.toolCalls = QLatin1String(kWeatherCall);
    ChatMessage callWithText = call;
    callWithText.emptyText = true;
    const ChatMessage result{.role = QStringLiteral("tool"), .content = QStringLiteral(R"({"min_c": -3, "max_c": 6})")};
    ChatMessage thought = assistant(Words::tr("4"));
    thought.reasoning = Words::tr("Two and two make four.");
    ChatMessage picture = user(Words::tr("What is in this picture?"));
    picture.images = 1;
    const QString tools = QLatin1String(kWeatherTool);
    return {
        {Words::tr("Several messages"), {.messages = {owl, owlAnswer, user(Words::tr("Which one is the largest?"))}}},
        {Words::tr("One question"), {.messages = {owl}}},
        {Words::tr("System message"), {.messages = {shortAnswers, owl}}},
        {Words::tr("Tools"), {.messages = {shortAnswers, frost}, .tools = tools}},
        {Words::tr("Tool call"), {.messages = {shortAnswers, frost, call, result}, .tools = tools}},
        {Words::tr("Tool call with empty text"),
         {.messages = {shortAnswers, frost, callWithText, result}, .tools = tools}},
        {Words::tr("Thinking"),
         {.messages = {user(Words::tr("2 + 2?")), thought, user(Words::tr("And 3 + 3?"))},
          .variables = {{QStringLiteral("enable_thinking"), QStringLiteral("true")}}}},
        {Words::tr("Picture"), {.messages = {picture}}},
        {Words::tr("Finished conversation"), {.messages = {owl, owlAnswer}, .generationPrompt = false}},
        {Words::tr("No messages"), {.messages = {}}},
    };
}

} // namespace gufo::ui
