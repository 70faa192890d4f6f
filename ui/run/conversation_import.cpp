
#include "base/detail.h"
#include "ui/run/conversation_exchange.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <optional>

namespace gufo::ui {
namespace {

// The text of a message: a string, or a list of parts, some of them texts.
QString textOf(const QJsonValue& content) {
    if (!content.isArray()) {
        return content.toString();
    }
    QString text;
    for (const QJsonValue& part : content.toArray()) {
        text += part.isString() ? part.toString() : part[QStringLiteral("text")].toString();
    }
    return text;
}

QString callText(const QJsonValue& call) {
    const QJsonValue function = call[QStringLiteral("function")].isObject() ? call[QStringLiteral("function")] : call;
    QJsonValue arguments = function[QStringLiteral("arguments")];
    if (arguments.isString()) { // as the API writes them
        arguments = QJsonDocument::fromJson(arguments.toString().toUtf8()).object();
    }
    const QJsonObject written{{QStringLiteral("name"), function[QStringLiteral("name")]},
                              {QStringLiteral("arguments"), arguments}};
    return QStringLiteral("<tool_call>\n%1\n</tool_call>")
        .arg(QString::fromUtf8(QJsonDocument(written).toJson(QJsonDocument::Compact)));
}

// The text of an answer. Its content has been trimmed for the template; the pieces of its tokens, which the export of
// this program contains, still have the space that it begins with.
QString answerText(const QJsonValue& message) {
    const QString content = textOf(message[QStringLiteral("content")]);
    QString pieces;
    for (const QJsonValue& token : message[QStringLiteral("tokens")].toArray()) {
        pieces += token[QStringLiteral("text")].toString();
    }
    if (!content.isEmpty() && pieces.trimmed() == content.trimmed()) {
        return pieces;
    }
    QString text;
    if (const QString thoughts = message[QStringLiteral("reasoning_content")].toString(); !thoughts.isEmpty()) {
        text += QStringLiteral("<think>\n%1\n</think>\n\n").arg(thoughts);
    }
    text += content;
    for (const QJsonValue& call : message[QStringLiteral("tool_calls")].toArray()) {
        text += (text.isEmpty() || text.endsWith(u'\n') ? QString() : QStringLiteral("\n")) + callText(call);
    }
    return text;
}

// The tree of an export, unless its messages have been changed since. The probabilities of its tokens are left out,
// because the model may be another one.
std::optional<ChatTree> exportedTree(const QJsonObject& whole) {
    QJsonObject state = whole[QStringLiteral("tree")].toObject();
    if (state.isEmpty()) {
        return std::nullopt;
    }
    const auto messagesOf = [](const QJsonArray& all) { // without what belongs to tokens
        QJsonArray messages;
        for (const QJsonValue& each : all) {
            QJsonObject message = each.toObject();
            message.remove(QStringLiteral("tokens"));
            messages.append(message);
        }
        return messages;
    };
    QJsonArray turns;
    for (const QJsonValue& each : state[QStringLiteral("turns")].toArray()) {
        QJsonObject turn = each.toObject();
        turn.remove(QStringLiteral("tokens"));
        turns.append(turn);
    }
    state.insert(QStringLiteral("turns"), turns);
    auto tree = ChatTree::restore(state);
    if (!tree || tree->isEmpty()) {
        return std::nullopt;
    }
    const QJsonObject again = QJsonDocument::fromJson(conversationJson(*tree, {})).object();
    const bool isUnchanged = messagesOf(again[QStringLiteral("messages")].toArray()) ==
                             messagesOf(whole[QStringLiteral("messages")].toArray());
    return isUnchanged ? std::optional(std::move(*tree)) : std::nullopt;
}

} // namespace

Result<ChatTree> conversationFromJson(const QByteArray& json) {
    QJsonParseError problem{};
    const QJsonDocument document = QJsonDocument::fromJson(json, &problem);
    if (problem.error != QJsonParseError::NoError) {
        return fail(ErrorCode::BadSyntax, {}, {problem.errorString().toStdString()});
    }
    const QJsonObject whole = document.object();
    const QJsonArray messages = document.isArray() ? document.array() : whole[QStringLiteral("messages")].toArray();
    if (auto exported = exportedTree(whole)) {
        return std::move(*exported);
    }
    ChatTree tree;
    tree.title = whole[QStringLiteral("title")].toString();
    if (const QJsonArray tools = whole[QStringLiteral("tools")].toArray(); !tools.isEmpty()) {
        tree.tools = QString::fromUtf8(QJsonDocument(tools).toJson(QJsonDocument::Indented));
    }
    int last = -1;
    for (const QJsonValue& message : messages) {
        const QString role = message[QStringLiteral("role")].toString();
        if (role == QLatin1String("system") || role == QLatin1String("developer")) {
            const QString text = textOf(message[QStringLiteral("content")]);
            tree.system += tree.system.isEmpty() ? text : QStringLiteral("\n\n") + text;
        } else if (role == QLatin1String("user")) {
            last = tree.add(last, TurnRole::User, textOf(message[QStringLiteral("content")]));
        } else if (role == QLatin1String("tool") || role == QLatin1String("function")) {
            last = tree.add(last, TurnRole::Tool, textOf(message[QStringLiteral("content")]));
        } else if (role == QLatin1String("assistant")) {
            last = tree.add(last, TurnRole::Assistant, answerText(message));
            Turn& turn = tree.turn(last);
            turn.end = TurnEnd::EndToken;
            turn.seed = message[QStringLiteral("seed")].toString().toULongLong();
            turn.sampler = message[QStringLiteral("sampler")].toObject();
        } else {
            return fail(ErrorCode::InvalidArgument, {}, {Detail::ConversationTurns});
        }
    }
    if (tree.isEmpty()) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::ConversationTurns});
    }
    return tree;
}

} // namespace gufo::ui
