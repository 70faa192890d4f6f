#include "ui/run/conversation_search.h"

#include "base/try.h"
#include "ui/run/conversation_store.h"

#include <algorithm>

namespace gufo::ui {

std::vector<TurnMatch> findInConversation(const ChatTree& tree, const QString& text) {
    std::vector<TurnMatch> matches;
    if (text.isEmpty()) {
        return matches;
    }
    for (const int turn : tree.path()) {
        const QString& in = tree.turn(turn).text;
        for (qsizetype at = in.indexOf(text, 0, Qt::CaseInsensitive); at >= 0 && matches.size() < kMaxMatches;
             at = in.indexOf(text, at + text.size(), Qt::CaseInsensitive)) {
            matches.push_back({.turn = turn, .begin = at, .length = text.size()});
        }
    }
    return matches;
}

QString snippetOf(const ChatTree& tree, const TurnMatch& match) {
    constexpr qsizetype kBefore = 24;
    constexpr qsizetype kLength = 100;
    const QString& text = tree.turn(match.turn).text;
    const qsizetype begin = std::max<qsizetype>(0, match.begin - kBefore);
    const QString part = text.mid(begin, kLength).simplified();
    const QChar dots(0x2026);
    return (begin > 0 ? QString(dots) : QString()) + part + (begin + kLength < text.size() ? QString(dots) : QString());
}

Result<std::vector<ConversationHit>> findInConversations(const std::filesystem::path& folder, const QString& text,
                                                         const JobContext& job) {
    std::vector<ConversationHit> hits;
    const std::vector<StoredConversation> stored = listConversations(folder);
    job.start(stored.size());
    for (const StoredConversation& each : stored) {
        GUFO_TRY(job.check());
        job.advance(1);
        const auto tree = readConversation(folder, each.id);
        if (!tree) {
            continue;
        }
        if (const auto matches = findInConversation(*tree, text); !matches.empty()) {
            hits.push_back({.id = each.id,
                            .title = each.title,
                            .snippet = snippetOf(*tree, matches.front()),
                            .matches = matches.size()});
        }
    }
    return hits;
}

} // namespace gufo::ui
