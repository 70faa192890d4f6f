// The conversations with one model file, each a file of its own in the person's state folder. Functions for jobs.
#pragma once

#include "ui/run/chat_tree.h"

#include <QDateTime>

#include <filesystem>
#include <vector>

namespace gufo::ui {

struct StoredConversation {
    QString id; // its file's name, without ending
    QString title;
    QDateTime changed;
};

// Where those with a model are, below the folder of all: the name says nothing of the model's path.
[[nodiscard]] std::filesystem::path conversationFolder(const std::filesystem::path& all,
                                                       const std::filesystem::path& model);

// The latest first. What cannot be read is left out; at most kMostConversations are looked at.
inline constexpr std::size_t kMostConversations = 500;
[[nodiscard]] std::vector<StoredConversation> listConversations(const std::filesystem::path& folder);

// Errors: those of reading; LimitExceeded above 256 MiB; BadSyntax, InvalidArgument: no conversation.
[[nodiscard]] Result<ChatTree> readConversation(const std::filesystem::path& folder, const QString& id);
// The file appears whole or not at all; only the person may read it. Errors: those of writing.
[[nodiscard]] Result<> writeConversation(const std::filesystem::path& folder, const QString& id, const ChatTree& tree);
[[nodiscard]] Result<> deleteConversation(const std::filesystem::path& folder, const QString& id);

[[nodiscard]] QString newConversationId();

} // namespace gufo::ui
