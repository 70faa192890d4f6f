#include "base/ascii.h"
#include "text/conversation/literal_reader.h"
#include "text/conversation/marker_text.h"
#include "text/conversation/template_probe.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace gufo::text {
namespace {

using namespace probing;

constexpr std::string_view kNumber = "4711";

// A value of an argument, and how templates write it.
struct OtherValueRow {
    std::string_view json;
    std::array<std::string_view, 2> written;
    bool isWhole = true; // otherwise its beginning
};
constexpr std::string_view kPythonList = "['gufovala']";
constexpr auto kOtherValues = std::to_array<OtherValueRow>(
    {{.json = kNumber, .written = {kNumber, kNumber}},
     {.json = "true", .written = {"true", "True"}},
     {.json = "null", .written = {"null", "None"}},
     {.json = R"(["gufovala"])", .written = {R"(["gufovala"])", kPythonList}},
     {.json = R"({"gufokeyb": "gufovala"})", .written = {R"({"gufokeyb")", "{'gufokeyb'"}, .isWhole = false}});

std::size_t commonSuffix(std::string_view a, std::string_view b) {
    std::size_t length = 0;
    while (length < std::min(a.size(), b.size()) && a[a.size() - 1 - length] == b[b.size() - 1 - length]) {
        ++length;
    }
    return length;
}

// The suffix that two texts share, without the end of another tag or word at its beginning. "<|sep|>" is such an end in
// "<|open|>tools<|sep|>".
std::string_view sharedMarker(std::string_view a, std::string_view b) {
    std::string_view shared = a.substr(a.size() - commonSuffix(a, b));
    const auto followsWord = [&](std::string_view text) {
        return text.size() > shared.size() &&
               isAsciiLetterOrDigit(static_cast<unsigned char>(text[text.size() - shared.size() - 1]));
    };
    if (const std::size_t next = shared.starts_with('<') ? shared.find('<', 1) : std::string_view::npos;
        next != std::string_view::npos && followsWord(a) && followsWord(b)) {
        shared.remove_prefix(next);
        return shared;
    }
    const bool isWhole = shared.size() == a.size() || shared.size() == b.size();
    const std::size_t tag = std::min(shared.find_first_of("<["), shared.size());
    const std::string_view before = shared.substr(0, tag);
    if (isWhole ? before.find_first_of(">]\"") == std::string_view::npos : tag == 0) {
        return shared;
    }
    if (tag != shared.size()) {
        return shared.substr(tag);
    }
    const std::size_t space = isWhole ? std::string_view::npos : shared.find_first_of(" \t\r\n");
    return space != std::string_view::npos ? shared.substr(space) : shared;
}

class CallDerivation {
public:
    CallDerivation(TemplateProbe& probe, const AnswerFormat& format)
        : m_probe(probe)
        , m_format(format) {}

    std::optional<CallFormat> derive(const std::string& one, const std::optional<std::string>& two,
                                     const CallVariant& variant) {
        std::string_view text = two ? std::string_view(*two) : std::string_view(one);
        // What an old answer without a thought has before its calls is not part of them.
        for (const std::string& part : emptyParts()) {
            const std::size_t space = spaceAt(text, 0);
            if (!part.empty() && text.substr(space).starts_with(part)) {
                text.remove_prefix(space + part.size());
            }
        }
        if (auto json = jsonFormat(text, two.has_value())) {
            return json;
        }
        return headedFormat(text, two.has_value(), variant);
    }

private:
    [[nodiscard]] std::vector<std::string> emptyParts() const {
        std::vector<std::string> parts = emptyThoughts(m_format);
        parts.emplace_back(m_format.contentOpen);
        parts.emplace_back(m_format.contentClose);
        return parts;
    }
    // The parts of a text with one or two calls that are no calls themselves.
    struct Surroundings {
        std::string_view before;  // the first call
        std::string_view between; // the calls; only if there are two
        std::string_view after;   // the last call
    };
    // Fills in what encloses the calls of a list.
    void setMarkers(CallFormat& format, const Surroundings& around, bool two) const {
        std::string_view after = around.after;
        for (const std::string& end : {m_format.afterAnswer, m_format.beforeQuestion}) {
            const std::string_view text = withoutSpace(end);
            const std::size_t at = text.empty() ? std::string_view::npos : after.find(text.substr(0, text.find('\n')));
            after = after.substr(0, at);
        }
        if (!two) {
            format.open = withoutSpace(around.before);
            format.close = withoutSpace(after);
            return;
        }
        const std::string_view open = sharedMarker(around.before, around.between);
        format.open = withoutSpace(open);
        format.sectionOpen = withoutSpace(around.before.substr(0, around.before.size() - open.size()));
        const std::string_view closing = around.between.substr(0, around.between.size() - open.size());
        std::size_t close = commonPrefix(closing, after);
        close = close == after.size() || close == closing.size() ? close : outsideTag(closing, close);
        format.close = withoutSpace(closing.substr(0, close));
        format.sectionClose = withoutSpace(after.substr(close));
    }

    // The brackets of lists are not part of the markers: models omit and add them.
    static void dropBrackets(std::string& open, std::string& close) {
        while (!open.empty() && (open.back() == '[' || open.back() == ',')) {
            open = withoutSpace(open.substr(0, open.size() - 1));
        }
        const std::size_t begin = close.find_first_not_of("],");
        if (close.starts_with(']') || close.starts_with(',')) {
            close =
                withoutSpace(begin == std::string::npos ? std::string_view() : std::string_view(close).substr(begin));
        }
    }

    std::optional<CallFormat> jsonFormat(std::string_view text, bool two) const {
        const auto objectAround = [&](std::size_t index,
                                      std::size_t from) -> std::optional<std::pair<std::size_t, std::size_t>> {
            for (std::size_t at = text.find('{', from); at != std::string_view::npos; at = text.find('{', at + 1)) {
                const std::size_t length = balancedLength(text.substr(at));
                const std::string_view object = text.substr(at, length);
                if (length != 0 && holds(object, kProbeNames[index]) && holds(object, kProbeValues[index]) &&
                    !holds(object, kProbeNames[1 - index]) &&
                    !QJsonDocument::fromJson(QByteArray(object.data(), static_cast<qsizetype>(length))).isNull()) {
                    return std::pair(at, at + length);
                }
            }
            return std::nullopt;
        };
        const auto first = objectAround(0, 0);
        const auto second = two && first ? objectAround(1, first->second) : std::nullopt;
        if (!first || (two && !second)) {
            return std::nullopt;
        }
        CallFormat format{.style = CallStyle::Json};
        const auto& last = second ? second : first;
        setMarkers(format,
                   {.before = text.substr(0, first->first),
                    .between = second ? between(text, first->second, second->first) : std::string_view(),
                    .after = text.substr(last->second)},
                   two);
        dropBrackets(format.sectionOpen, format.sectionClose);
        dropBrackets(format.open, format.close);
        const std::string_view object = text.substr(first->first, first->second - first->first);
        const QJsonObject members =
            QJsonDocument::fromJson(QByteArray(object.data(), static_cast<qsizetype>(object.size()))).object();
        return nameMembers(format, members, true) ? std::optional(std::move(format)) : std::nullopt;
    }

    // Finds which members are the name, the arguments and the id.
    static bool nameMembers(CallFormat& format, const QJsonObject& object, bool outer) {
        for (auto member = object.begin(); member != object.end(); ++member) {
            const std::string key = member.key().toStdString();
            const std::string text = member.value().toString().toStdString();
            if (text == kProbeNames[0]) {
                format.nameKey = key;
            } else if (text == kProbeIds[0]) {
                format.idKey = key;
            } else if (key == kProbeNames[0]) {
                format.argumentsKey.clear(); // {NAME: {…}}
                return true;
            } else if (member.value().toObject().contains(qtString(kProbeKeys[0])) || holds(text, kProbeKeys[0])) {
                format.argumentsKey = key;
            } else if (outer && member.value().isObject()) {
                format.wrapperKey = key;
                if (nameMembers(format, member.value().toObject(), false)) {
                    return true;
                }
                format.wrapperKey.clear();
            }
        }
        return !format.nameKey.empty() && !format.argumentsKey.empty();
    }

    // Formats in which the name precedes the arguments.
    std::optional<CallFormat> headedFormat(std::string_view text, bool two, const CallVariant& variant) {
        struct Places {
            std::size_t id;
            std::size_t name;
            std::size_t nameEnd;
            std::size_t key;
            std::size_t value;
        };
        std::vector<Places> places;
        for (std::size_t i = 0; i < (two ? 2U : 1U); ++i) {
            const std::size_t from = places.empty() ? 0 : places.back().value;
            const std::size_t name = text.find(kProbeNames[i], from);
            const std::size_t key = name == std::string_view::npos ? name : text.find(kProbeKeys[0], name);
            const std::size_t value = key == std::string_view::npos ? key : text.find(kProbeValues[i], key);
            if (value == std::string_view::npos) {
                return std::nullopt;
            }
            std::size_t id = text.find(kProbeIds[i], from);
            id = id < key ? id : std::string_view::npos;
            places.push_back(
                {.id = id, .name = name, .nameEnd = name + kProbeNames[i].size(), .key = key, .value = value});
        }
        const Places& first = places.front();
        const Places& last = places.back();
        const std::size_t valueEnd = first.value + kProbeValues[0].size();
        CallFormat format{.style = CallStyle::NamedJson};
        // Arguments as JSON?
        const std::size_t brace = text.rfind('{', first.key);
        const std::size_t object =
            brace != std::string_view::npos && brace >= first.nameEnd ? balancedLength(text.substr(brace)) : 0;
        const bool isJson =
            object != 0 && brace + object >= valueEnd &&
            !QJsonDocument::fromJson(QByteArray(text.data() + brace, static_cast<qsizetype>(object))).isNull();
        const auto headEnd = [&](const Places& call) { return isJson ? text.rfind('{', call.key) : call.key; };
        const auto callEnd = [&](const Places& call, std::size_t index) {
            const std::size_t begin = text.rfind('{', call.key);
            return isJson ? begin + balancedLength(text.substr(begin)) : call.value + kProbeValues[index].size();
        };
        const auto callBegin = [&](const Places& call) { return std::min(call.id, call.name); };
        Surroundings around{.before = text.substr(0, callBegin(first)),
                            .between = two ? between(text, callEnd(first, 0), callBegin(last)) : std::string_view(),
                            .after = text.substr(callEnd(last, two ? 1 : 0))};
        // The markers of the arguments are not among the markers of the call.
        std::string_view afterName = between(text, first.nameEnd, headEnd(first));
        if (!isJson && !argumentMarkers(format, afterName, around, variant)) {
            return std::nullopt;
        }
        if (isJson) {
            std::string_view number = afterName;
            if (variant.numberedIds || (number.starts_with(":0"))) {
                format.numbered = number.starts_with(":0");
                afterName.remove_prefix(format.numbered ? 2 : 0);
            }
        }
        setMarkers(format, around, two);
        if (format.style == CallStyle::Literals) {
            dropBrackets(format.sectionOpen, format.sectionClose);
            dropBrackets(format.open, format.close);
        }
        const bool mayCount = two && first.id == std::string_view::npos && !format.numbered;
        const std::size_t count =
            mayCount ? countIn(afterName, between(text, last.nameEnd, headEnd(last))) : std::string_view::npos;
        if (count != std::string_view::npos) {
            makeCountedHead(format, afterName, count);
        } else {
            makeHead(format, text, first.id, first.name, first.nameEnd, afterName);
        }
        return format;
    }

    // The place of a digit in which the texts after two names differ: the template counts its calls.
    static std::size_t countIn(std::string_view first, std::string_view second) {
        const std::size_t at = commonPrefix(first, second);
        const auto isDigit = [](std::string_view text, std::size_t place) {
            return place < text.size() && isAsciiDigit(static_cast<unsigned char>(text[place]));
        };
        const bool isCount = isDigit(first, at) && isDigit(second, at) && !isDigit(first, at + 1) &&
                             !isDigit(second, at + 1) && (at == 0 || !isDigit(first, at - 1));
        return isCount ? at : std::string_view::npos;
    }

    // The number is the id of its call.
    static void makeCountedHead(CallFormat& format, std::string_view afterName, std::size_t count) {
        using PartKind = CallHeadPart::Kind;
        format.head = {{.marker = format.open},
                       {.kind = PartKind::Name},
                       {.marker = std::string(withoutSpace(afterName.substr(0, count)))},
                       {.kind = PartKind::Id},
                       {.marker = std::string(withoutSpace(afterName.substr(count + 1)))}};
        std::erase_if(format.head,
                      [](const CallHeadPart& part) { return part.kind == PartKind::Marker && part.marker.empty(); });
    }

    static void makeHead(CallFormat& format, std::string_view text, std::size_t id, std::size_t name,
                         std::size_t nameEnd, std::string_view afterName) {
        using PartKind = CallHeadPart::Kind;
        format.head.push_back({.marker = format.open});
        const auto add = [&](std::string_view marker) {
            if (const std::string_view trimmed = withoutSpace(marker); !trimmed.empty()) {
                format.head.push_back({.marker = std::string(trimmed)});
            }
        };
        if (id == std::string_view::npos) {
            format.head.push_back({.kind = PartKind::Name});
            add(afterName);
        } else if (id < name) {
            format.head.push_back({.kind = PartKind::Id});
            add(between(text, id + kProbeIds[0].size(), name));
            format.head.push_back({.kind = PartKind::Name});
            add(afterName);
        } else {
            format.head.push_back({.kind = PartKind::Name});
            add(between(text, nameEnd, id));
            format.head.push_back({.kind = PartKind::Id});
            add(afterName.substr(std::min(afterName.size(), id + kProbeIds[0].size() - nameEnd)));
        }
    }

    // Tells arguments between markers from a list of literals. Removes their markers from `afterName` and from the
    // surroundings of the calls.
    bool argumentMarkers(CallFormat& format, std::string_view& afterName, Surroundings& around,
                         const CallVariant& variant) {
        const std::string pairs = R"({")" + std::string(kProbeKeys[0]) + R"(": ")" + std::string(kProbeValues[0]) +
                                  R"(", ")" + std::string(kProbeKeys[1]) + R"(": ")" + std::string(kProbeValues[1]) +
                                  "\"}";
        const auto both = m_probe.calls(1, pairs, variant);
        if (!both) {
            return false;
        }
        const std::size_t valueEnd = both->find(kProbeValues[0]) + kProbeValues[0].size();
        const std::size_t nextKey = both->find(kProbeKeys[1], valueEnd);
        const std::size_t nextValue = both->find(kProbeValues[1], nextKey);
        if (nextKey == std::string::npos || nextValue == std::string::npos) {
            return false;
        }
        const std::string_view separator = between(*both, valueEnd, nextKey);
        const std::size_t keyEnd = nextKey + kProbeKeys[1].size();
        const std::string_view assign = between(*both, keyEnd, nextValue);
        const std::size_t comma = separator.find(',');
        const std::string_view quote = withoutSpace(separator.substr(0, std::min(comma, separator.size())));
        // In a list of literals, what follows a value before the comma also precedes the value.
        const bool isList = comma != std::string_view::npos && withoutSpace(assign).ends_with(quote) &&
                            !holds(separator, "</") && assign.size() > quote.size();
        return isList ? literalMarkers(format, afterName, around, quote, assign)
                      : taggedMarkers(format, afterName, around, separator, assign, variant);
    }

    bool literalMarkers(CallFormat& format, std::string_view& afterName, Surroundings& around, std::string_view quote,
                        std::string_view assign) {
        format.style = CallStyle::Literals;
        format.quote = quote;
        format.assign = withoutSpace(assign.substr(0, assign.rfind(quote)));
        format.argumentsOpen = withoutSpace(afterName);
        // A key in quotes has them before and after it.
        if (!quote.empty() && format.argumentsOpen.ends_with(quote)) {
            format.argumentsOpen =
                withoutSpace(format.argumentsOpen.substr(0, format.argumentsOpen.size() - quote.size()));
            format.assign =
                withoutSpace(format.assign.substr(std::min(format.assign.find(quote), format.assign.size())));
            format.assign =
                withoutSpace(format.assign.starts_with(quote) ? format.assign.substr(quote.size()) : format.assign);
        }
        if (format.assign.empty() || format.argumentsOpen.empty()) {
            return false;
        }
        afterName = {};
        const char open = format.argumentsOpen.back();
        format.argumentsClose = open == '(' ? ")" : open == '{' ? "}" : open == '[' ? "]" : "";
        if (format.argumentsClose.empty()) {
            return false;
        }
        for (std::string_view* const part : {&around.between, &around.after}) {
            const std::size_t close = part->find(format.argumentsClose);
            *part = close == std::string_view::npos ? *part : part->substr(close + format.argumentsClose.size());
        }
        format.escapes = escapesStrings();
        return true;
    }

    // Whether the template escapes a quotation mark and a line break in a string.
    bool escapesStrings() {
        const std::string pairs =
            R"({")" + std::string(kProbeKeys[0]) + R"(": ")" + std::string(kProbeValues[0]) + R"(\n\"\\"})";
        for (const CallVariant& variant : kCallVariants) {
            if (const auto text = m_probe.calls(1, pairs, variant)) {
                const std::size_t at = text->find(kProbeValues[0]);
                return at != std::string::npos && text->substr(at + kProbeValues[0].size()).starts_with("\\n");
            }
        }
        return false;
    }

    bool taggedMarkers(CallFormat& format, std::string_view& afterName, Surroundings& around,
                       std::string_view separator, std::string_view assign, const CallVariant& variant) {
        format.style = CallStyle::Tagged;
        std::string_view keyOpen = sharedMarker(afterName, separator);
        // What also follows the last argument closes a value.
        const std::size_t closing = outsideTag(separator, commonPrefix(separator, around.after));
        if (separator.size() - keyOpen.size() < closing && afterName.ends_with(separator.substr(closing))) {
            keyOpen = separator.substr(closing);
        }
        const std::string_view valueClose = separator.substr(0, separator.size() - keyOpen.size());
        if (withoutSpace(keyOpen).empty() || withoutSpace(valueClose).empty() || withoutSpace(assign).empty()) {
            return false;
        }
        format.keyOpen = withoutSpace(keyOpen);
        // White space after the marker belongs to what follows.
        const std::size_t closeEnd = valueClose.find_last_not_of(" \t\r\n") + 1;
        format.valueClose = valueClose.substr(0, closeEnd);
        afterName.remove_suffix(keyOpen.size());
        format.valueOpen.push_back({.marker = std::string(leadingSpaceRemoved(assign))});
        for (const OtherValueRow& each : kOtherValues) {
            addOpening(format, each, assign, variant);
        }
        for (std::string_view* const part : {&around.between, &around.after}) {
            if (part->starts_with(format.valueClose)) {
                part->remove_prefix(format.valueClose.size());
            }
        }
        return true;
    }

    // Other values may have other markers, and lists may be written as in Python.
    void addOpening(CallFormat& format, const OtherValueRow& value, std::string_view assign,
                    const CallVariant& variant) {
        const std::string arguments = R"({")" + std::string(kProbeKeys[0]) + R"(": )" + std::string(value.json) + '}';
        const auto text = m_probe.calls(1, arguments, variant);
        const std::size_t key = text ? text->find(kProbeKeys[0]) : std::string::npos;
        if (key == std::string::npos) {
            return;
        }
        const std::size_t begin = key + kProbeKeys[0].size();
        const std::string close = value.isWhole ? format.valueClose : std::string(); // its name may precede a value
        const std::size_t at = std::min(text->find(std::string(value.written[0]) + close, begin),
                                        text->find(std::string(value.written[1]) + close, begin));
        if (at == std::string::npos) {
            return;
        }
        format.python = format.python || std::string_view(*text).substr(at).starts_with(kPythonList);
        const std::string_view other = between(*text, begin, at);
        const std::string marker(leadingSpaceRemoved(other));
        if (other.empty() || other == assign ||
            std::ranges::find(format.valueOpen, marker, &ValueOpening::marker) != format.valueOpen.end()) {
            return;
        }
        if (value.json == kNumber) {
            format.valueOpen.front().isString = true;
        }
        format.valueOpen.push_back({.marker = marker, .isString = false});
    }

    static std::string_view leadingSpaceRemoved(std::string_view text) { return text.substr(spaceAt(text, 0)); }

    TemplateProbe& m_probe;
    const AnswerFormat& m_format;
};

} // namespace

std::optional<CallFormat> deriveCallFormat(TemplateProbe& probe, const AnswerFormat& format, const std::string& one,
                                           const std::optional<std::string>& two, const CallVariant& variant) {
    return CallDerivation(probe, format).derive(one, two, variant);
}

} // namespace gufo::text
