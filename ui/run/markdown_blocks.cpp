// Parses the blocks of Markdown: https://spec.commonmark.org/0.31.2/ and GitHub's tables.
#include "ui/run/markdown.h"

#include <algorithm>
#include <optional>

namespace gufo::ui {
namespace {

using Block = MarkdownBlock;
using Kind = MarkdownBlock::Kind;

constexpr int kMaxNested = 12; // deeper nesting is shown as text

struct Line {
    qsizetype at; // position in the answer
    QStringView text;

    [[nodiscard]] bool isBlank() const { return text.trimmed().isEmpty(); }
    [[nodiscard]] int indent() const { // in columns; a tab advances to the next multiple of four
        int columns = 0;
        for (const QChar c : text) {
            if (c == u' ') {
                ++columns;
            } else if (c == u'\t') {
                columns += 4 - columns % 4;
            } else {
                break;
            }
        }
        return columns;
    }
    // The line without white space up to the given column.
    [[nodiscard]] Line without(int columns) const {
        int column = 0;
        qsizetype n = 0;
        while (n < text.size() && column < columns && (text[n] == u' ' || text[n] == u'\t')) {
            column += text[n] == u'\t' ? 4 - column % 4 : 1;
            ++n;
        }
        return from(n);
    }
    [[nodiscard]] Line from(qsizetype n) const { return {at + n, text.mid(n)}; }
    [[nodiscard]] Line trimmed() const {
        qsizetype n = 0;
        while (n < text.size() && text[n].isSpace()) {
            ++n;
        }
        return {at + n, text.mid(n).trimmed()};
    }
};
using Lines = std::vector<Line>;

struct Fence {
    QChar mark;
    qsizetype length;
    int indent;
    QString language;
};

qsizetype countOf(QStringView text, QChar mark) {
    qsizetype n = 0;
    while (n < text.size() && text[n] == mark) {
        ++n;
    }
    return n;
}

std::optional<Fence> fenceAt(const Line& line) {
    const QStringView text = line.text.trimmed();
    if (line.indent() > 3 || text.isEmpty() || (text[0] != u'`' && text[0] != u'~')) {
        return std::nullopt;
    }
    const qsizetype length = countOf(text, text[0]);
    const QStringView info = text.mid(length).trimmed();
    if (length < 3 || (text[0] == u'`' && info.contains(u'`'))) {
        return std::nullopt;
    }
    return Fence{text[0], length, line.indent(), info.toString().section(u' ', 0, 0)};
}

bool endsFence(const Line& line, const Fence& fence) {
    const QStringView text = line.text.trimmed();
    return line.indent() <= 3 && !text.isEmpty() && countOf(text, fence.mark) == text.size() &&
           text.size() >= fence.length;
}

int headingAt(const Line& line) {
    const QStringView text = line.text.trimmed();
    const qsizetype level = countOf(text, u'#');
    const bool is = line.indent() <= 3 && level >= 1 && level <= 6 && (level == text.size() || text[level].isSpace());
    return is ? static_cast<int>(level) : 0;
}

bool isRule(const Line& line) {
    QChar mark;
    int count = 0;
    for (const QChar c : line.text) {
        if (c.isSpace()) {
            continue;
        }
        if ((c != u'*' && c != u'-' && c != u'_') || (count > 0 && c != mark)) {
            return false;
        }
        mark = c;
        ++count;
    }
    return count >= 3 && line.indent() <= 3;
}

bool isQuote(const Line& line) { return line.indent() <= 3 && line.text.trimmed().startsWith(u'>'); }

struct Item {
    QChar mark; // "-", "*", "+", "." or ")"
    int number = 0;
    int content = 0;    // column at which its text begins
    qsizetype skip = 0; // characters before its text
    bool isEmpty = false;
    [[nodiscard]] bool isOrdered() const { return mark == u'.' || mark == u')'; }
};

std::optional<Item> itemAt(const Line& line) {
    const int indent = line.indent();
    const qsizetype begin =
        std::find_if(line.text.begin(), line.text.end(), [](QChar c) { return !c.isSpace(); }) - line.text.begin();
    const QStringView text = line.text.mid(begin);
    if (indent > 3 || text.isEmpty()) {
        return std::nullopt;
    }
    Item item;
    qsizetype width = 1;
    if (text[0] == u'-' || text[0] == u'*' || text[0] == u'+') {
        item.mark = text[0];
    } else {
        qsizetype digits = 0;
        while (digits < text.size() && digits < 9 && text[digits] >= u'0' && text[digits] <= u'9') {
            ++digits;
        }
        if (digits == 0 || digits >= text.size() || (text[digits] != u'.' && text[digits] != u')')) {
            return std::nullopt;
        }
        item.number = text.left(digits).toInt();
        item.mark = text[digits];
        width = digits + 1;
    }
    const QStringView rest = text.mid(width);
    item.isEmpty = rest.trimmed().isEmpty();
    if (!rest.isEmpty() && !rest[0].isSpace()) {
        return std::nullopt;
    }
    qsizetype spaces = 0;
    while (spaces < rest.size() && rest[spaces] == u' ') {
        ++spaces;
    }
    if (spaces == 0 || spaces > 4 || item.isEmpty) {
        spaces = 1;
    }
    item.content = indent + static_cast<int>(width + spaces);
    item.skip = std::min(begin + width + spaces, line.text.size());
    return item;
}

// Whether a line ends the preceding paragraph.
bool interrupts(const Line& line) {
    if (fenceAt(line) || headingAt(line) != 0 || isRule(line) || isQuote(line)) {
        return true;
    }
    const auto item = itemAt(line);
    return item && !item->isEmpty && (!item->isOrdered() || item->number == 1);
}

// Splits a table row into cells, without the bars at its ends. An escaped bar is text.
std::vector<Line> cellsOf(const Line& whole) {
    Line line = whole.trimmed();
    if (line.text.startsWith(u'|')) {
        line = line.from(1);
    }
    if (line.text.endsWith(u'|') && !line.text.endsWith(u"\\|")) {
        line.text.chop(1);
    }
    std::vector<Line> cells;
    qsizetype begin = 0;
    bool inCode = false;
    for (qsizetype i = 0; i <= line.text.size(); ++i) {
        if (i < line.text.size() && line.text[i] == u'`') {
            inCode = !inCode;
        }
        const bool bar =
            i < line.text.size() && line.text[i] == u'|' && !inCode && (i == 0 || line.text[i - 1] != u'\\');
        if (bar || i == line.text.size()) {
            cells.push_back(Line{line.at + begin, line.text.mid(begin, i - begin)}.trimmed());
            begin = i + 1;
        }
    }
    return cells;
}

std::optional<std::vector<Qt::Alignment>> delimiterRow(const Line& line) {
    if (!line.text.contains(u'-') || !(line.text.contains(u'|') || line.text.contains(u':'))) {
        return std::nullopt;
    }
    std::vector<Qt::Alignment> alignments;
    for (const Line& cell : cellsOf(line)) {
        QStringView text = cell.text;
        const bool left = text.startsWith(u':');
        const bool right = text.size() > 1 && text.endsWith(u':');
        text = text.mid(left ? 1 : 0);
        text.chop(right ? 1 : 0);
        if (text.isEmpty() || countOf(text, u'-') != text.size()) {
            return std::nullopt;
        }
        alignments.emplace_back(left && right ? Qt::AlignHCenter : right ? Qt::AlignRight : Qt::AlignLeft);
    }
    return alignments;
}

class BlockParser {
public:
    std::vector<Block> blocks;

    void parse(const Lines& lines, int indent, int quote, int depth) {
        int number = 0; // number of the current list
        QChar listMark; // null if there is no current list
        for (std::size_t i = 0; i < lines.size();) {
            const Line& line = lines[i];
            if (line.isBlank()) {
                ++i;
                continue;
            }
            const auto item = depth < kMaxNested && !isRule(line) ? itemAt(line) : std::nullopt;
            if (item) {
                number = listMark == item->mark ? number + 1 : item->number;
                listMark = item->mark;
                i = parseItem(lines, i, *item, number, indent, quote, depth);
                continue;
            }
            listMark = QChar();
            if (const auto fence = fenceAt(line)) {
                i = parseFence(lines, i, *fence, indent, quote);
            } else if (headingAt(line) != 0) {
                addHeading(line, indent, quote);
                ++i;
            } else if (isRule(line)) {
                blocks.push_back({.kind = Kind::Rule, .indent = indent, .quote = quote});
                ++i;
            } else if (isQuote(line) && depth < kMaxNested) {
                i = parseQuote(lines, i, indent, quote, depth);
            } else if (line.indent() >= 4) {
                i = parseIndentedCode(lines, i, indent, quote);
            } else if (i + 1 < lines.size() && isTable(line, lines[i + 1])) {
                i = parseTable(lines, i, indent, quote);
            } else {
                i = parseParagraph(lines, i, indent, quote);
            }
        }
    }

private:
    static MarkdownRuns verbatim(const Line& line) {
        return line.text.isEmpty() ? MarkdownRuns()
                                   : MarkdownRuns{{.text = line.text.toString(),
                                                   .source = line.at,
                                                   .sourceLength = line.text.size(),
                                                   .style = MarkdownRun::Code}};
    }

    static MarkdownRuns inlinesOf(const Lines& lines) {
        QString text;
        std::vector<qsizetype> at;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (i > 0) {
                text += u'\n';
                at.push_back(lines[i - 1].at + lines[i - 1].text.size());
            }
            text += lines[i].text;
            for (qsizetype k = 0; k < lines[i].text.size(); ++k) {
                at.push_back(lines[i].at + k);
            }
        }
        return parseInlines(text, at);
    }

    void addCodeLine(const Line& line, bool first, const QString& language, int indent, int quote) {
        blocks.push_back({.kind = Kind::CodeLine,
                          .indent = indent,
                          .quote = quote,
                          .runs = verbatim(line),
                          .first = first,
                          .language = first ? language : QString()});
    }

    std::size_t parseFence(const Lines& lines, std::size_t i, const Fence& fence, int indent, int quote) {
        bool first = true;
        for (++i; i < lines.size() && !endsFence(lines[i], fence); ++i) {
            addCodeLine(lines[i].without(fence.indent), first, fence.language, indent, quote);
            first = false;
        }
        if (first) {
            addCodeLine({0, {}}, true, fence.language, indent, quote);
        }
        return std::min(i + 1, lines.size());
    }

    std::size_t parseIndentedCode(const Lines& lines, std::size_t i, int indent, int quote) {
        std::size_t end = i;
        for (std::size_t k = i; k < lines.size() && (lines[k].isBlank() || lines[k].indent() >= 4); ++k) {
            end = lines[k].isBlank() ? end : k + 1;
        }
        for (std::size_t k = i; k < end; ++k) {
            addCodeLine(lines[k].without(4), k == i, {}, indent, quote);
        }
        return end;
    }

    void addHeading(const Line& line, int indent, int quote) {
        Line text = line.trimmed();
        const int level = headingAt(line);
        text = text.from(level).trimmed();
        const qsizetype closing = text.text.size() - countOf(text.text.toString().section(u' ', -1), u'#');
        const QStringView tail = text.text.mid(std::max<qsizetype>(0, closing));
        if (!tail.isEmpty() && countOf(tail, u'#') == tail.size() && (closing == 0 || text.text[closing - 1] == u' ')) {
            text.text = text.text.left(closing).trimmed();
        }
        blocks.push_back(
            {.kind = Kind::Heading, .level = level, .indent = indent, .quote = quote, .runs = inlinesOf({text})});
    }

    std::size_t parseQuote(const Lines& lines, std::size_t i, int indent, int quote, int depth) {
        Lines inner;
        for (; i < lines.size(); ++i) {
            if (isQuote(lines[i])) {
                Line line = lines[i].trimmed();
                line = {line.at, lines[i].text.mid(line.at - lines[i].at)}; // keeps trailing white space
                line = line.from(1);
                inner.push_back(line.text.startsWith(u' ') ? line.from(1) : line);
            } else if (!lines[i].isBlank() && !inner.back().isBlank() && !interrupts(lines[i])) {
                inner.push_back(lines[i]); // the paragraph continues
            } else {
                break;
            }
        }
        parse(inner, indent, quote + 1, depth + 1);
        return i;
    }

    std::size_t parseItem(const Lines& lines, std::size_t i, const Item& item, int number, int indent, int quote,
                          int depth) {
        Lines inner{lines[i].from(item.skip)};
        std::size_t end = i + 1;
        for (std::size_t k = i + 1; k < lines.size(); ++k) {
            if (lines[k].isBlank()) {
                if (item.isEmpty && k == i + 1) {
                    break;
                }
                inner.push_back({lines[k].at, {}});
                continue; // part of the item only if more of it follows
            }
            const bool goesOn = lines[k].indent() >= item.content ||
                                (!inner.back().isBlank() && !interrupts(lines[k]) && !itemAt(lines[k]));
            if (!goesOn) {
                break;
            }
            inner.push_back(lines[k].indent() >= item.content ? lines[k].without(item.content) : lines[k].trimmed());
            end = k + 1;
        }
        inner.resize(std::min(inner.size(), end - i));
        QString marker = item.isOrdered() ? QString::number(number) + item.mark : QString(QChar(0x2022));
        Line& head = inner.front();
        if (head.text.startsWith(u"[ ] ") || head.text.startsWith(u"[x] ") || head.text.startsWith(u"[X] ")) {
            marker = QChar(head.text[1] == u' ' ? 0x2610 : 0x2611);
            head = head.from(4);
        }
        const std::size_t first = blocks.size();
        parse(inner, indent + 1, quote, depth + 1);
        if (blocks.size() == first || !blocks[first].marker.isEmpty() || blocks[first].kind != Kind::Paragraph) {
            blocks.insert(blocks.begin() + static_cast<std::ptrdiff_t>(first),
                          Block{.indent = indent + 1, .quote = quote});
        }
        blocks[first].marker = marker;
        return end;
    }

    static bool isTable(const Line& head, const Line& below) {
        const auto columns = head.text.contains(u'|') ? delimiterRow(below) : std::nullopt;
        return columns && columns->size() == cellsOf(head).size();
    }

    std::size_t parseTable(const Lines& lines, std::size_t i, int indent, int quote) {
        Block table{.kind = Kind::Table, .indent = indent, .quote = quote, .alignments = *delimiterRow(lines[i + 1])};
        const auto addRow = [&table](const Line& line) {
            std::vector<MarkdownRuns> row;
            for (const Line& cell : cellsOf(line)) {
                row.push_back(inlinesOf({cell}));
            }
            row.resize(table.alignments.size());
            table.rows.push_back(std::move(row));
        };
        addRow(lines[i]);
        for (i += 2; i < lines.size() && !lines[i].isBlank() && !interrupts(lines[i]); ++i) {
            addRow(lines[i]);
        }
        blocks.push_back(std::move(table));
        return i;
    }

    std::size_t parseParagraph(const Lines& lines, std::size_t i, int indent, int quote) {
        Lines paragraph;
        int level = 0;
        for (; i < lines.size() && !lines[i].isBlank(); ++i) {
            const QStringView text = lines[i].text.trimmed();
            const bool underlined = !paragraph.empty() && lines[i].indent() <= 3 &&
                                    ((text[0] == u'=' && countOf(text, u'=') == text.size()) ||
                                     (text[0] == u'-' && countOf(text, u'-') == text.size()));
            if (underlined) {
                level = text[0] == u'=' ? 1 : 2;
                ++i;
                break;
            }
            if (!paragraph.empty() && interrupts(lines[i])) {
                break;
            }
            Line line = lines[i];
            qsizetype begin = 0;
            while (begin < line.text.size() && line.text[begin].isSpace()) {
                ++begin;
            }
            paragraph.push_back(line.from(begin));
        }
        paragraph.back().text = paragraph.back().trimmed().text;
        blocks.push_back({.kind = level > 0 ? Kind::Heading : Kind::Paragraph,
                          .level = level,
                          .indent = indent,
                          .quote = quote,
                          .runs = inlinesOf(paragraph)});
        return i;
    }
};

Lines linesOf(const QString& text) {
    Lines lines;
    qsizetype begin = 0;
    while (begin <= text.size()) {
        qsizetype end = text.indexOf(u'\n', begin);
        end = end < 0 ? text.size() : end;
        QStringView line = QStringView(text).mid(begin, end - begin);
        if (line.endsWith(u'\r')) {
            line.chop(1);
        }
        lines.push_back({begin, line});
        begin = end + 1;
    }
    return lines;
}

} // namespace

std::vector<MarkdownBlock> parseMarkdown(const QString& text) {
    BlockParser parser;
    parser.parse(linesOf(text), 0, 0, 0);
    return std::move(parser.blocks);
}

std::vector<MarkdownBlock> plainBlocks(const QString& text) {
    std::vector<MarkdownBlock> blocks;
    for (const Line& line : linesOf(text)) {
        MarkdownBlock block;
        if (!line.text.isEmpty()) {
            block.runs.push_back({.text = line.text.toString(), .source = line.at, .sourceLength = line.text.size()});
        }
        blocks.push_back(std::move(block));
    }
    return blocks;
}

} // namespace gufo::ui
