// What a template is tried out with: messages, tools and further variables, and how they become JSON.
#pragma once

#include <QJsonObject>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace gufo::ui {

struct ChatMessage {
    QString role;
    QString content{};
    QString toolCalls{}; // JSON, a list; empty: none
    QString reasoning{}; // empty: none
    int images = 0;      // placeholders in front of the content
    bool operator==(const ChatMessage&) const = default;
};

struct ChatVariable {
    QString name;
    QString json;
    bool operator==(const ChatVariable&) const = default;
};

struct Conversation {
    QList<ChatMessage> messages;
    QString tools{}; // JSON, a list; empty: none
    QList<ChatVariable> variables{};
    bool generationPrompt = true;
    bool operator==(const Conversation&) const = default;

    // The variable "messages". Tool calls stand in it as they were written, so that 1.0 stays 1.0.
    [[nodiscard]] QString messagesJson() const;

    [[nodiscard]] QJsonObject save() const;
    [[nodiscard]] static Conversation restore(const QJsonObject& state);
};

struct ConversationPreset {
    QString name; // translated
    Conversation conversation;
};
// The first is what a new page shows.
[[nodiscard]] QList<ConversationPreset> conversationPresets();

// The roles that a message is offered; templates may know others.
[[nodiscard]] QStringList chatRoles();

// A text as a JSON string, with quotes.
[[nodiscard]] QString jsonString(const QString& text);

} // namespace gufo::ui
