// Stores the conversations with a model, each in its own file in the user's state folder. The functions are for jobs.
#pragma once

#include "ui/run/chat_tree.h"

#include <QDateTime>

#include <filesystem>
#include <vector>

namespace gufo::ui {

struct StoredConversation {
    QString id; // the file's name without extension
    QString title;
    QDateTime changed;
};

// The folder of a model's conversations below the folder of all. Its name does not reveal the model's path.
[[nodiscard]] std::filesystem::path conversationFolder(const std::filesystem::path& all,
                                                       const std::filesystem::path& model);

// The most recent come first. Unreadable files are omitted, and at most kMaxConversations are examined.
inline constexpr std::size_t kMaxConversations = 500;
[[nodiscard]] std::vector<StoredConversation> listConversations(const std::filesystem::path& folder);

// Errors: ReadFailed and others; LimitExceeded above 256 MiB; BadSyntax or InvalidArgument if the file is not a
// conversation.
[[nodiscard]] Result<ChatTree> readConversation(const std::filesystem::path& folder, const QString& id);
// The file appears whole or not at all, and only the user may read it. Errors: WriteFailed and others of writing.
[[nodiscard]] Result<> writeConversation(const std::filesystem::path& folder, const QString& id, const ChatTree& tree);
[[nodiscard]] Result<> deleteConversation(const std::filesystem::path& folder, const QString& id);

[[nodiscard]] QString newConversationId();

} // namespace gufo::ui
