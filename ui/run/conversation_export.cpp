#include "text/conversation/conversation.h"
#include "ui/run/conversation_exchange.h"
#include "ui/run/sampler_presets.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace gufo::ui {
namespace {

QJsonArray jsonList(const std::string& json) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(json)).array();
}

// What is needed to generate the answer again, with the samplers that are on: "seed 7, temperature 0.8, top_k 40".
QString samplingText(const Turn& turn) {
    if (turn.sampler.isEmpty()) {
        return {};
    }
    const inference::SamplerSettings used = restoreSampler(turn.sampler);
    QStringList parts;
    if (used.temperature > 0) {
        parts << QStringLiteral("seed %1").arg(turn.seed);
    }
    const inference::SamplerSettings off{.topK = 0, .topP = 1, .minP = 0};
    const QJsonObject idle = saveSampler(off);
    for (auto setting = turn.sampler.begin(); setting != turn.sampler.end(); ++setting) {
        const bool always = setting.key() == QLatin1String("temperature");
        if (always || (used.temperature > 0 && setting->isDouble() && *setting != idle.value(setting.key()))) {
            parts << QStringLiteral("%1 %2").arg(setting.key(), QString::number(setting->toDouble(), 'g', 6));
        }
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace

QString conversationMarkdown(const ChatTree& tree, const ExportNames& names) {
    QString text;
    if (const QString title = tree.titleText(); !title.isEmpty()) {
        text += QStringLiteral("# ") + title + QStringLiteral("\n\n");
    }
    if (tree.mode == ChatMode::Completion) { // a single text
        for (const int id : tree.path()) {
            text += tree.turn(id).text;
        }
        return text + u'\n';
    }
    const auto section = [&text](const QString& who, const QString& what) {
        text += QStringLiteral("## %1\n\n").arg(who) + what.trimmed() + QStringLiteral("\n\n");
    };
    if (!tree.system.trimmed().isEmpty()) {
        section(names.system, tree.system);
    }
    for (const int id : tree.path()) {
        const Turn& turn = tree.turn(id);
        if (turn.role != TurnRole::Assistant) {
            section(turn.role == TurnRole::User ? names.user : names.tool, turn.text);
            continue;
        }
        const Thinking thinking = findThinking(turn, tree.tools);
        QString answer;
        if (thinking.end > thinking.begin) {
            for (const QString& line : turn.text.mid(thinking.begin, thinking.end - thinking.begin).split(u'\n')) {
                answer += QStringLiteral("> ") + line + u'\n';
            }
            answer += u'\n';
        }
        section(names.model, answer + turn.text.mid(thinking.answer));
        if (const QString sampling = samplingText(turn); !sampling.isEmpty()) {
            text += QStringLiteral("<sub>`%1`</sub>\n\n").arg(sampling);
        }
    }
    return text.trimmed() + u'\n';
}

QByteArray conversationJson(const ChatTree& tree, const QString& model) {
    QJsonArray messages;
    if (!tree.system.trimmed().isEmpty() && tree.mode == ChatMode::Chat) {
        messages.append(
            QJsonObject{{QStringLiteral("role"), QStringLiteral("system")}, {QStringLiteral("content"), tree.system}});
    }
    for (const int id : tree.path()) {
        const Turn& turn = tree.turn(id);
        const text::Message said = messageOf(turn, tree.tools);
        QJsonObject message{{QStringLiteral("role"), QString::fromStdString(said.role)}};
        const QJsonArray calls = jsonList(said.toolCalls);
        if (tree.mode == ChatMode::Completion) {
            message.insert(QStringLiteral("content"), turn.text);
        } else {
            const bool callsOnly = said.content.empty() && !calls.isEmpty(); // as the APIs of servers represent it
            message.insert(QStringLiteral("content"), callsOnly ? QJsonValue() : QString::fromStdString(said.content));
            if (!said.reasoning.empty()) {
                message.insert(QStringLiteral("reasoning_content"), QString::fromStdString(said.reasoning));
            }
            if (!calls.isEmpty()) {
                message.insert(QStringLiteral("tool_calls"), calls);
            }
        }
        if (!turn.sampler.isEmpty()) {
            message.insert(QStringLiteral("seed"), QString::number(turn.seed));
            message.insert(QStringLiteral("sampler"), turn.sampler);
        }
        if (!turn.tokens.empty()) {
            QJsonArray tokens;
            int written = turn.tokens.front().begin;
            for (const TurnToken& token : turn.tokens) {
                // Tokens that make up one character share its range. The first of them gets the character, so that the
                // texts of all tokens make up the answer.
                const int begin = std::max(token.begin, written);
                written = std::max(token.end, written);
                QJsonObject each{{QStringLiteral("text"), turn.text.mid(begin, written - begin)}};
                if (token.id != kNoToken) {
                    each.insert(QStringLiteral("id"), static_cast<qint64>(token.id));
                }
                if (token.logProbability) {
                    each.insert(QStringLiteral("logprob"), static_cast<double>(*token.logProbability));
                }
                tokens.append(each);
            }
            message.insert(QStringLiteral("tokens"), tokens);
        }
        messages.append(message);
    }
    const QByteArray plain = QJsonDocument(messages).toJson(QJsonDocument::Compact);
    QJsonObject whole{{QStringLiteral("title"), tree.titleText()},
                      {QStringLiteral("model"), model},
                      {QStringLiteral("messages"), jsonList(text::linkToolCalls(plain.toStdString()))}};
    if (const QJsonArray tools = jsonList(tree.tools.toStdString()); !tools.isEmpty()) {
        whole.insert(QStringLiteral("tools"), tools);
    }
    whole.insert(QStringLiteral("tree"), tree.save());
    return QJsonDocument(whole).toJson(QJsonDocument::Indented);
}

} // namespace gufo::ui
