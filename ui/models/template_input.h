// The input for trying out a template: messages, tools and further variables, and their conversion to JSON.
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
    QString toolCalls{};    // a JSON list; empty: none
    bool emptyText = false; // of a message that only calls tools: its content is "" instead of null
    QString reasoning{};    // empty: none
    int images = 0;         // number of placeholders before the content
    bool operator==(const ChatMessage&) const = default;
};

struct ChatVariable {
    QString name;
    QString json;
    bool operator==(const ChatVariable&) const = default;
};

struct Conversation {
    QList<ChatMessage> messages;
    QString tools{}; // a JSON list; empty: none
    QList<ChatVariable> variables{};
    bool generationPrompt = true;
    bool operator==(const Conversation&) const = default;

    // The variable "messages". Tool calls are inserted verbatim, so that 1.0 stays 1.0.
    [[nodiscard]] QString messagesJson() const;

    [[nodiscard]] QJsonObject save() const;
    [[nodiscard]] static Conversation restore(const QJsonObject& state);
};

struct ConversationPreset {
    QString name; // translated
    Conversation conversation;
};
// The first preset is shown by a new page.
[[nodiscard]] QList<ConversationPreset> conversationPresets();

// The roles offered for a message. A template may know others.
[[nodiscard]] QStringList chatRoles();

// A text as a quoted JSON string.
[[nodiscard]] QString jsonString(const QString& text);

} // namespace gufo::ui
