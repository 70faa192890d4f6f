// Parses the runs of Markdown. Emphasis follows the delimiter rules of
// https://spec.commonmark.org/0.31.2/#phase-2-inline-structure.
#include "ui/run/markdown.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace gufo::ui {
namespace {

constexpr qsizetype kMaxParsed = 20'000; // a longer paragraph is shown unparsed
constexpr QChar kLineBreak(0x2028);

struct EntityRow {
    const char* name;
    char16_t character;
};
constexpr auto kEntities = std::to_array<EntityRow>({
    {"amp", u'&'},
    {"lt", u'<'},
    {"gt", u'>'},
    {"quot", u'"'},
    {"apos", u'\''},
    {"nbsp", u'\u00A0'},
    {"copy", u'\u00A9'},
    {"hellip", u'\u2026'},
    {"mdash", u'\u2014'},
    {"ndash", u'\u2013'},
    {"times", u'\u00D7'},
    {"deg", u'\u00B0'},
    {"rarr", u'\u2192'},
    {"larr", u'\u2190'},
    {"middot", u'\u00B7'},
});

bool isPunctuation(QChar c) { return c.isPunct() || c.isSymbol(); }

// A piece of text, or a run of delimiters that may become emphasis.
struct Node {
    qsizetype begin; // in the text
    qsizetype end;
    QString replaced{}; // replaces the text unless it is empty
    std::uint8_t style = 0;
    QString target{};
    bool isDelimiter = false;
    bool opens = false;
    bool closes = false;
    QChar mark{};
    qsizetype length = 0; // original number of delimiters
    bool isBracket = false;
    bool isPicture = false;
    bool isActive = true;

    [[nodiscard]] qsizetype count() const { return end - begin; }
};

class InlineParser {
public:
    InlineParser(const QString& text, const std::vector<qsizetype>& at)
        : m_text(text)
        , m_at(at) {}

    MarkdownRuns parse() {
        while (m_i < m_text.size()) {
            const QChar c = m_text[m_i];
            const bool done = (c == u'\\' && escape()) || (c == u'`' && codeSpan()) || (c == u'\n' && lineBreak()) ||
                              (c == u'&' && entity()) || (c == u'<' && angle()) || (c == u'h' && bareLink()) ||
                              ((c == u'*' || c == u'_' || c == u'~') && delimiters(c)) ||
                              ((c == u'[' || c == u'!') && openBracket()) || (c == u']' && closeBracket());
            if (!done) {
                ++m_i;
            }
        }
        flush();
        emphasise(0);
        return runs();
    }

private:
    [[nodiscard]] QChar charAt(qsizetype i) const { return i >= 0 && i < m_text.size() ? m_text[i] : QChar(u' '); }

    void flush() {
        if (m_begun < m_i) {
            m_nodes.push_back({.begin = m_begun, .end = m_i});
        }
        m_begun = m_i;
    }
    // Makes [m_i, end) a node.
    Node& take(qsizetype end) {
        flush();
        m_nodes.push_back({.begin = m_i, .end = end});
        m_i = m_begun = end;
        return m_nodes.back();
    }
    void skip(qsizetype end) {
        flush();
        m_i = m_begun = end;
    }

    bool escape() {
        const QChar next = charAt(m_i + 1);
        if (next == u'\n') {
            skip(m_i + 1);
            return true;
        }
        if (m_i + 1 >= m_text.size() || next.unicode() > 127 || !isPunctuation(next)) {
            return false;
        }
        skip(m_i + 1);
        take(m_i + 1);
        return true;
    }

    bool lineBreak() {
        qsizetype end = m_i;
        while (end > m_begun && m_text[end - 1] == u' ') {
            --end;
        }
        const qsizetype at = std::exchange(m_i, end);
        flush();
        m_i = m_begun = at;
        take(at + 1).replaced = kLineBreak;
        return true;
    }

    bool codeSpan() {
        qsizetype length = 0;
        while (charAt(m_i + length) == u'`') {
            ++length;
        }
        for (qsizetype i = m_i + length; i < m_text.size();) {
            if (m_text[i] != u'`') {
                ++i;
                continue;
            }
            const qsizetype begin = i;
            while (charAt(i) == u'`' && i < m_text.size()) {
                ++i;
            }
            if (i - begin != length) {
                continue;
            }
            qsizetype from = m_i + length;
            qsizetype to = begin;
            const QStringView inner = QStringView(m_text).mid(from, to - from);
            if (inner.size() > 2 && inner.front() == u' ' && inner.back() == u' ' && !inner.trimmed().isEmpty()) {
                ++from;
                --to;
            }
            skip(from);
            Node& node = take(to);
            node.style = MarkdownRun::Code;
            node.replaced = m_text.mid(from, to - from).replace(u'\n', u' ');
            skip(i);
            return true;
        }
        m_i += length; // no closing delimiter: shown as it is
        return true;
    }

    bool entity() {
        const qsizetype end = m_text.indexOf(u';', m_i);
        if (end < 0 || end - m_i > 10 || end - m_i < 2) {
            return false;
        }
        const QString name = m_text.mid(m_i + 1, end - m_i - 1);
        QString replaced;
        if (name.startsWith(u'#')) {
            const bool hex = name.size() > 1 && name[1].toLower() == u'x';
            bool ok = false;
            const uint code = name.mid(hex ? 2 : 1).toUInt(&ok, hex ? 16 : 10);
            if (!ok || code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
                return false;
            }
            const char32_t character = code;
            replaced = QString::fromUcs4(&character, 1);
        } else {
            for (const EntityRow& each : kEntities) {
                if (name == QLatin1String(each.name)) {
                    replaced = QChar(each.character);
                }
            }
        }
        if (replaced.isEmpty()) {
            return false;
        }
        take(end + 1).replaced = replaced;
        return true;
    }

    // Parses <https://…> and <br>; any other HTML is text.
    bool angle() {
        const qsizetype end = m_text.indexOf(u'>', m_i);
        if (end < 0) {
            return false;
        }
        const QStringView inner = QStringView(m_text).mid(m_i + 1, end - m_i - 1);
        if (inner == u"br" || inner == u"br/" || inner == u"br /") {
            take(end + 1).replaced = kLineBreak;
            return true;
        }
        if (!(inner.startsWith(u"http://") || inner.startsWith(u"https://") || inner.startsWith(u"mailto:")) ||
            inner.contains(u' ') || inner.contains(u'\n')) {
            return false;
        }
        skip(m_i + 1);
        Node& node = take(end);
        node.style = MarkdownRun::Link;
        node.target = inner.toString();
        skip(end + 1);
        return true;
    }

    bool bareLink() {
        const QStringView rest = QStringView(m_text).mid(m_i);
        if (!(rest.startsWith(u"http://") || rest.startsWith(u"https://")) || charAt(m_i - 1).isLetterOrNumber()) {
            return false;
        }
        qsizetype length = 0;
        int open = 0;
        for (; length < rest.size(); ++length) {
            const QChar c = rest[length];
            if (c.isSpace() || c == u'<' || c == u'>' || c == u'"' || c == u'`' || c == u']' || c == u'*') {
                break;
            }
            open += c == u'(' ? 1 : 0;
            if (c == u')' && --open < 0) {
                break;
            }
        }
        while (length > 0 && QStringView(u".,;:!?'").contains(rest[length - 1])) {
            --length;
        }
        if (length <= rest.indexOf(u'/') + 2) {
            return false;
        }
        Node& node = take(m_i + length);
        node.style = MarkdownRun::Link;
        node.target = m_text.mid(node.begin, length);
        return true;
    }

    bool delimiters(QChar mark) {
        qsizetype length = 0;
        while (m_i + length < m_text.size() && m_text[m_i + length] == mark) {
            ++length;
        }
        if (mark == u'~' && length != 2) {
            m_i += length;
            return true;
        }
        const QChar before = charAt(m_i - 1);
        const QChar after = charAt(m_i + length);
        const bool left = !after.isSpace() && (!isPunctuation(after) || before.isSpace() || isPunctuation(before));
        const bool right = !before.isSpace() && (!isPunctuation(before) || after.isSpace() || isPunctuation(after));
        Node& node = take(m_i + length);
        node.isDelimiter = true;
        node.mark = mark;
        node.length = length;
        node.opens = left && (mark != u'_' || !right || isPunctuation(before));
        node.closes = right && (mark != u'_' || !left || isPunctuation(after));
        return true;
    }

    bool openBracket() {
        const bool picture = m_text[m_i] == u'!';
        if (picture && charAt(m_i + 1) != u'[') {
            return false;
        }
        Node& node = take(m_i + (picture ? 2 : 1));
        node.isBracket = true;
        node.isPicture = picture;
        m_brackets.push_back(m_nodes.size() - 1);
        return true;
    }

    // The (target "title") after a closing bracket. The title is ignored.
    struct Target {
        QString text;
        qsizetype end;
    };
    [[nodiscard]] std::optional<Target> targetAt(qsizetype i) const {
        if (charAt(i) != u'(') {
            return std::nullopt;
        }
        ++i;
        while (i < m_text.size() && m_text[i].isSpace()) {
            ++i;
        }
        const bool angled = charAt(i) == u'<';
        const qsizetype begin = angled ? ++i : i;
        int open = 0;
        for (; i < m_text.size(); ++i) {
            const QChar c = m_text[i];
            if (angled ? c == u'>' || c == u'\n' : c.isSpace()) {
                break;
            }
            open += !angled && c == u'(' ? 1 : 0;
            if (!angled && c == u')' && --open < 0) {
                break;
            }
        }
        Target target{.text = m_text.mid(begin, i - begin), .end = 0};
        i += angled ? 1 : 0;
        while (i < m_text.size() && m_text[i].isSpace()) {
            ++i;
        }
        if (const QChar quote = charAt(i); i < m_text.size() && (quote == u'"' || quote == u'\'')) {
            i = m_text.indexOf(quote, i + 1);
            if (i < 0) {
                return std::nullopt;
            }
            ++i;
        }
        if (i >= m_text.size() || m_text[i] != u')') {
            return std::nullopt;
        }
        target.end = i + 1;
        return target;
    }

    bool closeBracket() {
        if (m_brackets.empty()) {
            return false;
        }
        const std::size_t opener = m_brackets.back();
        m_brackets.pop_back();
        const auto target = m_nodes[opener].isActive ? targetAt(m_i + 1) : std::nullopt;
        if (!target) {
            return false;
        }
        skip(target->end);
        emphasise(opener + 1);
        const bool picture = m_nodes[opener].isPicture;
        for (std::size_t k = opener + 1; k < m_nodes.size(); ++k) {
            m_nodes[k].style |= picture ? MarkdownRun::Picture | MarkdownRun::Link : MarkdownRun::Link;
            m_nodes[k].target = target->text;
        }
        if (opener + 1 == m_nodes.size()) { // no text between the brackets
            const Node& bracket = m_nodes[opener];
            m_nodes.push_back({.begin = bracket.end,
                               .end = bracket.end,
                               .replaced = target->text,
                               .style = MarkdownRun::Link,
                               .target = target->text});
        }
        m_nodes[opener].end = m_nodes[opener].begin; // hides the bracket itself
        if (!picture) {
            for (const std::size_t before : m_brackets) { // links cannot contain links
                m_nodes[before].isActive = m_nodes[before].isPicture;
            }
        }
        return true;
    }

    // Pairs the delimiters, starting at node `first`.
    void emphasise(std::size_t first) {
        std::vector<std::size_t> stack; // openers
        // By delimiter, length and whether it opens: the position below which no opener was found, so that none is
        // searched there again.
        std::map<std::tuple<char16_t, qsizetype, bool>, std::size_t> bottoms;
        for (std::size_t k = first; k < m_nodes.size(); ++k) {
            Node& closer = m_nodes[k];
            if (!closer.isDelimiter) {
                continue;
            }
            while (closer.closes && closer.count() > 0) {
                const auto key = std::tuple(closer.mark.unicode(), closer.length % 3, closer.opens);
                const std::size_t bottom = bottoms[key];
                std::size_t s = stack.size();
                while (s > bottom && !pairs(m_nodes[stack[s - 1]], closer)) {
                    --s;
                }
                if (s <= bottom) {
                    bottoms[key] = stack.size();
                    break;
                }
                Node& opener = m_nodes[stack[s - 1]];
                const qsizetype used = closer.mark == u'~' ? 2 : opener.count() >= 2 && closer.count() >= 2 ? 2 : 1;
                const int style = closer.mark == u'~' ? MarkdownRun::Strike
                                  : used == 2         ? MarkdownRun::Bold
                                                      : MarkdownRun::Italic;
                for (std::size_t inner = stack[s - 1] + 1; inner < k; ++inner) {
                    m_nodes[inner].style |= static_cast<std::uint8_t>(style);
                }
                opener.end -= used;
                closer.begin += used;
                stack.resize(opener.count() > 0 ? s : s - 1);
                for (auto& [which, lowest] : bottoms) {
                    lowest = std::min(lowest, stack.size());
                }
            }
            if (closer.opens && closer.count() > 0) {
                stack.push_back(k);
            }
        }
        for (std::size_t k = first; k < m_nodes.size(); ++k) {
            m_nodes[k].isDelimiter = false; // what remains is text
        }
    }

    static bool pairs(const Node& opener, const Node& closer) {
        if (opener.mark != closer.mark) {
            return false;
        }
        const bool both = opener.closes || closer.opens;
        return !both || (opener.length + closer.length) % 3 != 0 || (opener.length % 3 == 0 && closer.length % 3 == 0);
    }

    [[nodiscard]] MarkdownRuns runs() const {
        MarkdownRuns runs;
        for (const Node& node : m_nodes) {
            const QString text = node.replaced.isEmpty() ? m_text.mid(node.begin, node.count()) : node.replaced;
            if (text.isEmpty()) {
                continue;
            }
            // A run that skips characters of the answer (such as the marker of a quoted line) is split there.
            const bool asItIs = text.size() == node.count();
            for (qsizetype from = 0; from < text.size();) {
                qsizetype to = asItIs ? from + 1 : text.size();
                while (asItIs && to < text.size() && place(node.begin + to) == place(node.begin + to - 1) + 1) {
                    ++to;
                }
                const qsizetype source = place(node.begin + from);
                const qsizetype length = asItIs ? to - from : place(std::max(node.begin, node.end - 1)) + 1 - source;
                runs.push_back({.text = text.mid(from, to - from),
                                .source = source,
                                .sourceLength = node.count() == 0 ? 0 : length,
                                .style = node.style,
                                .target = node.target});
                from = to;
            }
        }
        // Merges adjacent runs with the same format.
        MarkdownRuns joined;
        for (MarkdownRun& run : runs) {
            if (!joined.empty() && joined.back().style == run.style && joined.back().target == run.target &&
                joined.back().source + joined.back().sourceLength == run.source &&
                joined.back().text.size() == joined.back().sourceLength && run.text.size() == run.sourceLength) {
                joined.back().text += run.text;
                joined.back().sourceLength += run.sourceLength;
            } else {
                joined.push_back(std::move(run));
            }
        }
        return joined;
    }

    [[nodiscard]] qsizetype place(qsizetype i) const {
        return m_at.empty()                              ? 0
               : i < static_cast<qsizetype>(m_at.size()) ? m_at[static_cast<std::size_t>(i)]
                                                         : m_at.back() + 1;
    }

    const QString& m_text;
    const std::vector<qsizetype>& m_at;
    qsizetype m_i = 0;
    qsizetype m_begun = 0; // start of the plain text that is not yet a node
    std::vector<Node> m_nodes;
    std::vector<std::size_t> m_brackets; // open brackets
};

} // namespace

MarkdownRuns parseInlines(const QString& text, const std::vector<qsizetype>& at) {
    if (text.isEmpty()) {
        return {};
    }
    if (text.size() > kMaxParsed) {
        return {{.text = QString(text).replace(u'\n', kLineBreak), .source = at.front(), .sourceLength = text.size()}};
    }
    return InlineParser(text, at).parse();
}

} // namespace gufo::ui
