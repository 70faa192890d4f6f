#include "ui/run/chat_tree.h"

#include "base/detail.h"
#include "text/conversation/answer_parser.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace gufo::ui {
namespace {

constexpr int kVersion = 1;
constexpr qsizetype kTitleLength = 40;
constexpr std::array<const char*, 3> kRoles{"user", "assistant", "tool"}; // in the order of TurnRole

constexpr std::array<const char*, 10> kEnds{
    "",        "end_token", "stop_text",      "most_tokens", "context_full", "nothing_allowed",
    "stopped", "failed",    "content_filter", "refusal"};

// Rounds to what colours and labels need, which keeps the files small.
double rounded(float value) { return std::round(static_cast<double>(value) * 1e5) / 1e5; }

// Tokens without an id are stored as −1.
QJsonValue saveId(std::uint32_t id) { return id == kNoToken ? qint64{-1} : static_cast<qint64>(id); }

std::uint32_t restoreId(const QJsonValue& value) {
    const qint64 id = value.toInteger();
    return id < 0 ? kNoToken : static_cast<std::uint32_t>(id);
}

QJsonArray saveToken(const TurnToken& token) {
    QJsonArray candidates;
    for (const TurnCandidate& candidate : token.candidates) {
        QJsonArray saved{saveId(candidate.id), rounded(candidate.probability), candidate.cut};
        if (candidate.id == kNoToken) {
            saved.append(candidate.text);
        }
        candidates.append(saved);
    }
    return {saveId(token.id),
            token.begin,
            token.end,
            token.logProbability ? QJsonValue(rounded(*token.logProbability)) : QJsonValue(),
            rounded(token.entropy),
            token.kept,
            candidates,
            token.afterSamplers};
}

// Most turns of a conversation have the same format, which is read once.
class SavedFormats {
public:
    std::shared_ptr<const text::AnswerFormat> read(const QString& json) {
        if (json.isEmpty()) {
            return nullptr;
        }
        if (json != m_json || m_format == nullptr) {
            auto format = text::readAnswerFormat(json.toStdString());
            m_json = json;
            m_format = format ? std::make_shared<const text::AnswerFormat>(*std::move(format)) : nullptr;
        }
        return m_format;
    }

private:
    QString m_json;
    std::shared_ptr<const text::AnswerFormat> m_format;
};

TurnToken restoreToken(const QJsonArray& array, qsizetype length) {
    TurnToken token{.id = restoreId(array[0]),
                    .begin = array[1].toInt(),
                    .end = array[2].toInt(),
                    .entropy = static_cast<float>(array[4].toDouble()),
                    .kept = array[5].toInt(),
                    .afterSamplers = array[7].toBool()};
    if (array[3].isDouble()) {
        token.logProbability = static_cast<float>(array[3].toDouble());
    }
    token.begin = static_cast<int>(std::clamp<qsizetype>(token.begin, 0, length));
    token.end = static_cast<int>(std::clamp<qsizetype>(token.end, token.begin, length));
    for (const QJsonValue& each : array[6].toArray()) {
        token.candidates.push_back({.id = restoreId(each[0]),
                                    .probability = static_cast<float>(each[1].toDouble()),
                                    .cut = each[2].toInt(),
                                    .text = each[3].toString()});
    }
    return token;
}

} // namespace

std::optional<double> Turn::meanProbability() const {
    if (tokens.empty()) {
        return std::nullopt;
    }
    double sum = 0;
    for (const TurnToken& token : tokens) {
        if (!token.logProbability) {
            return std::nullopt;
        }
        sum += *token.logProbability;
    }
    return std::exp(sum / static_cast<double>(tokens.size()));
}

int Turn::tokenAt(qsizetype place) const {
    const auto after = std::ranges::upper_bound(tokens, place, {}, &TurnToken::begin);
    for (auto token = after; token != tokens.begin();) {
        --token;
        if (place < token->end) {
            return static_cast<int>(token - tokens.begin());
        }
        if (token->begin != token->end) {
            break;
        }
    }
    return -1;
}

QString ChatTree::titleText() const {
    if (!title.isEmpty()) {
        return title;
    }
    for (const auto& [id, turn] : m_turns) {
        const QString text = turn.text.simplified();
        if ((turn.role == TurnRole::User || mode == ChatMode::Completion) && !text.isEmpty()) {
            return text.size() <= kTitleLength ? text : text.left(kTitleLength - 1) + QChar(0x2026);
        }
    }
    return {};
}

int ChatTree::add(int parent, TurnRole role, const QString& text) {
    const int id = m_next++;
    m_turns.emplace(id, Turn{.id = id, .parent = parent, .role = role, .text = text});
    m_shown[parent] = id;
    return id;
}

std::vector<int> ChatTree::children(int parent) const {
    std::vector<int> ids;
    for (const auto& [id, turn] : m_turns) {
        if (turn.parent == parent) {
            ids.push_back(id);
        }
    }
    return ids;
}

void ChatTree::remove(int id) {
    const int parent = turn(id).parent;
    const int index = siblings(id).index;
    std::vector<int> gone{id};
    for (std::size_t i = 0; i < gone.size(); ++i) {
        const std::vector<int> below = children(gone[i]);
        gone.insert(gone.end(), below.begin(), below.end());
    }
    for (const int each : gone) {
        m_turns.erase(each);
        m_shown.erase(each);
    }
    const std::vector<int> left = children(parent);
    if (left.empty()) {
        m_shown.erase(parent);
    } else {
        m_shown[parent] = left[std::min<std::size_t>(static_cast<std::size_t>(index), left.size() - 1)];
    }
}

std::vector<int> ChatTree::path() const {
    std::vector<int> ids;
    for (auto next = m_shown.find(-1); next != m_shown.end(); next = m_shown.find(ids.back())) {
        ids.push_back(next->second);
    }
    return ids;
}

int ChatTree::leaf() const {
    const std::vector<int> ids = path();
    return ids.empty() ? -1 : ids.back();
}

QStringList ChatTree::pendingCalls() const {
    const std::vector<int> ids = path();
    qsizetype results = 0;
    for (auto id = ids.rbegin(); id != ids.rend() && !tools.isEmpty(); ++id) {
        const Turn& each = turn(*id);
        if (each.role == TurnRole::Tool) {
            ++results;
            continue;
        }
        QStringList names;
        const QByteArray calls = QByteArray::fromStdString(messageOf(each, tools).toolCalls);
        for (const QJsonValue& call : QJsonDocument::fromJson(calls).array()) {
            names << call[QStringLiteral("function")][QStringLiteral("name")].toString();
        }
        return names.mid(std::min(results, names.size()));
    }
    return {};
}

ChatTree::Siblings ChatTree::siblings(int id) const {
    const std::vector<int> all = children(turn(id).parent);
    const auto at = std::ranges::find(all, id);
    return {.index = static_cast<int>(at - all.begin()), .count = static_cast<int>(all.size())};
}

bool ChatTree::step(int id, int by) {
    const int parent = turn(id).parent;
    const std::vector<int> all = children(parent);
    const auto wanted = std::ranges::find(all, id) - all.begin() + by;
    if (wanted < 0 || wanted >= static_cast<std::ptrdiff_t>(all.size())) {
        return false;
    }
    m_shown[parent] = all[static_cast<std::size_t>(wanted)];
    return true;
}

void ChatTree::joinTurns() {
    const auto isText = [](const auto& each) {
        return each.second.parent == -1 && each.second.role == TurnRole::Assistant;
    };
    if (std::ranges::all_of(m_turns, isText)) {
        return;
    }
    const int shownLeaf = leaf();
    std::map<int, Turn> joined;
    int shown = -1;
    for (const auto& [id, last] : m_turns) {
        if (!children(id).empty()) {
            continue;
        }
        std::vector<int> ids;
        for (int at = id; at != -1; at = turn(at).parent) {
            ids.insert(ids.begin(), at);
        }
        Turn text = last; // with the facts of what was generated last
        text.id = m_next++;
        text.parent = -1;
        text.role = TurnRole::Assistant;
        text.text.clear();
        text.tokens.clear();
        for (const int part : ids) {
            const auto offset = static_cast<int>(text.text.size());
            for (TurnToken token : turn(part).tokens) {
                token.begin += offset;
                token.end += offset;
                text.tokens.push_back(std::move(token));
            }
            text.text += turn(part).text;
        }
        shown = id == shownLeaf ? text.id : shown;
        joined.emplace(text.id, std::move(text));
    }
    m_turns = std::move(joined);
    m_shown = {{-1, shown}};
}

QJsonObject ChatTree::save() const {
    QJsonArray turns;
    for (const auto& [id, turn] : m_turns) {
        QJsonObject object{{QStringLiteral("id"), id},
                           {QStringLiteral("parent"), turn.parent},
                           {QStringLiteral("role"), QLatin1String(kRoles[static_cast<std::size_t>(turn.role)])},
                           {QStringLiteral("text"), turn.text}};
        if (turn.role == TurnRole::Assistant) {
            QJsonArray tokens;
            for (const TurnToken& token : turn.tokens) {
                tokens.append(saveToken(token));
            }
            object.insert(QStringLiteral("tokens"), tokens);
            object.insert(QStringLiteral("end"), QLatin1String(kEnds[static_cast<std::size_t>(turn.end)]));
            object.insert(QStringLiteral("tokens_per_second"), turn.tokensPerSecond);
            object.insert(QStringLiteral("seed"), QString::number(turn.seed)); // 64 bits
            if (!turn.sampler.isEmpty()) {
                object.insert(QStringLiteral("sampler"), turn.sampler);
            }
            object.insert(QStringLiteral("opening"), turn.opening);
            if (turn.format != nullptr) {
                object.insert(QStringLiteral("format"), QString::fromStdString(text::answerFormatJson(*turn.format)));
            }
            if (turn.skippedEvents != 0) {
                object.insert(QStringLiteral("skipped_events"), static_cast<qint64>(turn.skippedEvents));
            }
            if (turn.leftOutMessages + turn.leftOutTokens != 0) {
                object.insert(QStringLiteral("left_out_messages"), static_cast<qint64>(turn.leftOutMessages));
                object.insert(QStringLiteral("left_out_tokens"), static_cast<qint64>(turn.leftOutTokens));
            }
        }
        turns.append(object);
    }
    QJsonArray shown;
    for (const auto& [parent, child] : m_shown) {
        shown.append(child);
    }
    QJsonObject state{
        {QStringLiteral("version"), kVersion},
        {QStringLiteral("title"), title},
        {QStringLiteral("mode"), mode == ChatMode::Chat ? QStringLiteral("chat") : QStringLiteral("completion")},
        {QStringLiteral("system"), system},
        {QStringLiteral("tools"), tools},
        {QStringLiteral("turns"), turns},
        {QStringLiteral("shown"), shown}};
    if (thinking) {
        state.insert(QStringLiteral("thinking"), *thinking);
    }
    return state;
}

Result<ChatTree> ChatTree::restore(const QJsonObject& state) {
    const auto refuse = [](Detail why) { return fail(ErrorCode::InvalidArgument, {}, {why}); };
    if (state[QStringLiteral("version")].toInt() != kVersion) {
        return refuse(Detail::ConversationVersion);
    }
    ChatTree tree;
    SavedFormats formats;
    tree.title = state[QStringLiteral("title")].toString();
    tree.system = state[QStringLiteral("system")].toString();
    tree.tools = state[QStringLiteral("tools")].toString();
    if (const QJsonValue thinking = state[QStringLiteral("thinking")]; thinking.isBool()) {
        tree.thinking = thinking.toBool();
    }
    tree.mode =
        state[QStringLiteral("mode")].toString() == QLatin1String("completion") ? ChatMode::Completion : ChatMode::Chat;
    for (const QJsonValue& each : state[QStringLiteral("turns")].toArray()) {
        Turn turn{.id = each[QStringLiteral("id")].toInt(-1), .parent = each[QStringLiteral("parent")].toInt(-2)};
        // Parents must precede their children, so a cycle is impossible.
        if (turn.id < tree.m_next || (turn.parent != -1 && !tree.has(turn.parent))) {
            return refuse(Detail::ConversationTurns);
        }
        const auto role = std::ranges::find(kRoles, each[QStringLiteral("role")].toString().toStdString());
        turn.role = role == kRoles.end() ? TurnRole::Assistant : static_cast<TurnRole>(role - kRoles.begin());
        turn.text = each[QStringLiteral("text")].toString();
        for (const QJsonValue& token : each[QStringLiteral("tokens")].toArray()) {
            turn.tokens.push_back(restoreToken(token.toArray(), turn.text.size()));
        }
        const auto end = std::ranges::find(kEnds, each[QStringLiteral("end")].toString().toStdString());
        turn.end = end == kEnds.end() ? TurnEnd::None : static_cast<TurnEnd>(end - kEnds.begin());
        turn.tokensPerSecond = each[QStringLiteral("tokens_per_second")].toDouble();
        turn.seed = each[QStringLiteral("seed")].toString().toULongLong();
        turn.sampler = each[QStringLiteral("sampler")].toObject();
        turn.opening = each[QStringLiteral("opening")].toString();
        turn.format = formats.read(each[QStringLiteral("format")].toString());
        const auto count = [&](const char* name) {
            return static_cast<std::size_t>(std::max<qint64>(0, each[QLatin1String(name)].toInteger()));
        };
        turn.skippedEvents = count("skipped_events");
        turn.leftOutMessages = count("left_out_messages");
        turn.leftOutTokens = count("left_out_tokens");
        tree.m_next = turn.id + 1;
        tree.m_shown[turn.parent] = turn.id; // the last child, unless the file says otherwise
        tree.m_turns.emplace(turn.id, std::move(turn));
    }
    for (const QJsonValue& child : state[QStringLiteral("shown")].toArray()) {
        if (tree.has(child.toInt(-1))) {
            tree.m_shown[tree.turn(child.toInt()).parent] = child.toInt();
        }
    }
    return tree;
}

namespace {

text::AnswerParser parserOf(const Turn& turn, const QString& tools) {
    const std::string opening = turn.opening.toStdString();
    return turn.format != nullptr ? text::AnswerParser(turn.format, opening, tools.toStdString())
                                  : text::AnswerParser(opening, !tools.isEmpty());
}

// Whether the model has ended the answer.
bool isComplete(const Turn& turn) { return turn.end == TurnEnd::EndToken || turn.end == TurnEnd::StopText; }

} // namespace

bool Turn::operator==(const Turn& other) const {
    const auto others = [](const Turn& turn) {
        return std::tie(turn.id, turn.parent, turn.role, turn.text, turn.tokens, turn.end, turn.tokensPerSecond,
                        turn.seed, turn.sampler, turn.opening, turn.leftOutMessages, turn.leftOutTokens);
    };
    const bool sameFormat =
        format == other.format || (format != nullptr && other.format != nullptr && *format == *other.format);
    return sameFormat && others(*this) == others(other);
}

text::Message messageOf(const Turn& turn, const QString& tools) {
    if (turn.role != TurnRole::Assistant) {
        return {.role = kRoles[static_cast<std::size_t>(turn.role)], .content = turn.text.toStdString()};
    }
    text::AnswerParser parser = parserOf(turn, tools);
    (void)parser.push(turn.text.toStdString());
    parser.finish(isComplete(turn));
    return parser.message();
}

AnswerParts answerParts(const Turn& turn, const QString& tools, bool growing) {
    const std::string answer = turn.text.toStdString();
    text::AnswerParser parser = parserOf(turn, tools);
    (void)parser.push(answer);
    AnswerParts parts{.isThinking = parser.isThinking()};
    std::vector<text::AnswerSpan> spans;
    if (const auto call = parser.openCall(); growing && call) {
        spans = parser.spans();
        spans.push_back(*call);
    } else {
        parser.finish(!growing && isComplete(turn));
        spans = parser.spans();
        parts.isThinking = parts.isThinking && parser.isThinking();
    }
    std::size_t bytes = 0; // positions are converted in order, so each byte is decoded once
    qsizetype units = 0;
    const auto position = [&](std::size_t at) {
        units += QString::fromUtf8(answer.data() + bytes, static_cast<qsizetype>(at - bytes)).size();
        bytes = at;
        return units;
    };
    for (const text::AnswerSpan& span : spans) {
        const qsizetype begin = position(span.begin);
        parts.parts.push_back(
            {.part = span.part, .begin = begin, .end = position(span.end), .call = QString::fromStdString(span.call)});
    }
    return parts;
}

Thinking findThinking(const Turn& turn, const QString& tools) {
    using Part = text::AnswerPiece::Part;
    const AnswerParts all = answerParts(turn, tools);
    Thinking thinking{.isOpen = all.isThinking};
    bool hasBegun = false;
    thinking.answer = turn.text.size();
    for (const AnswerPart& each : all.parts) {
        QStringView text = QStringView(turn.text).mid(each.begin, each.end - each.begin);
        const QStringView trimmed = text.trimmed();
        const qsizetype begin = each.begin + (trimmed.isEmpty() ? 0 : trimmed.data() - text.data());
        if (each.part != Part::Thought && !trimmed.isEmpty()) {
            thinking.answer = begin;
            break;
        }
        if (each.part == Part::Thought && !trimmed.isEmpty()) {
            thinking.begin = hasBegun ? thinking.begin : begin;
            thinking.end = begin + trimmed.size();
            hasBegun = true;
        }
    }
    return thinking;
}

} // namespace gufo::ui
