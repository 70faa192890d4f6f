// Finds a text in the turns that are shown of a conversation, and in all stored conversations of a folder.
//
// Threads: functions without state.
#pragma once

#include "base/job_context.h"
#include "ui/run/chat_tree.h"

#include <filesystem>

namespace gufo::ui {

struct TurnMatch {
    int turn = 0;
    qsizetype begin = 0; // in Turn::text
    qsizetype length = 0;
    bool operator==(const TurnMatch&) const = default;
};

// In reading order, without regard to case; none for an empty text. At most kMaxMatches.
inline constexpr std::size_t kMaxMatches = 10'000;
[[nodiscard]] std::vector<TurnMatch> findInConversation(const ChatTree& tree, const QString& text);

// A line of text around a match.
[[nodiscard]] QString snippetOf(const ChatTree& tree, const TurnMatch& match);

struct ConversationHit {
    QString id;
    QString title;
    QString snippet; // around the first match
    std::size_t matches = 0;
};
// The most recent conversations come first. Those that cannot be read are omitted. Errors: Cancelled.
[[nodiscard]] Result<std::vector<ConversationHit>> findInConversations(const std::filesystem::path& folder,
                                                                       const QString& text, const JobContext& job);

} // namespace gufo::ui
