// Parses Markdown as models write it into blocks and runs that record their position in the source text, so that tokens
// can be located in the formatted text. Supports CommonMark with GitHub's tables, strikethrough, task lists and bare
// links; line breaks are kept. HTML is shown as text and images as links: nothing in a model's answer is loaded or run.
//
// Threads: a pure function; any thread. Lengths and positions are UTF-16 units.
#pragma once

#include <QString>

#include <cstdint>
#include <vector>

namespace gufo::ui {

struct MarkdownRun {
    enum Style : std::uint8_t { Bold = 1, Italic = 2, Strike = 4, Code = 8, Link = 16, Picture = 32 };
    QString text;
    qsizetype source =
        0; // start of the range in the answer that it represents, as long as `text` unless it is an entity
    qsizetype sourceLength = 0;
    std::uint8_t style = 0;
    QString target{}; // of a link or image
    bool operator==(const MarkdownRun&) const = default;
};
using MarkdownRuns = std::vector<MarkdownRun>;

struct MarkdownBlock {
    enum class Kind : std::uint8_t { Paragraph, Heading, CodeLine, Rule, Table };
    Kind kind = Kind::Paragraph;
    int level = 0;    // of a heading, 1 to 6
    int indent = 0;   // number of enclosing lists
    int quote = 0;    // number of enclosing quotations
    QString marker{}; // of a list item, before its first block: "•", "3.", "☑"
    MarkdownRuns runs{};
    bool first = true;  // of a code block's lines; the first line of an empty code block has no runs
    QString language{}; // of a code block, on its first line
    std::vector<std::vector<MarkdownRuns>> rows{}; // of a table, starting with the header; all have the header's length
    std::vector<Qt::Alignment> alignments{};
    bool operator==(const MarkdownBlock&) const = default;
};

[[nodiscard]] std::vector<MarkdownBlock> parseMarkdown(const QString& text);

// Makes every line a paragraph, without parsing: for the user's messages and for completions.
[[nodiscard]] std::vector<MarkdownBlock> plainBlocks(const QString& text);

// Parses the runs of one range of text. `at` gives the position of each character in the answer.
[[nodiscard]] MarkdownRuns parseInlines(const QString& text, const std::vector<qsizetype>& at);

} // namespace gufo::ui
