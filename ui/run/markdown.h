// Markdown as models write it, taken apart into blocks and runs that know where in the text they come from, so that
// tokens can be found again in what is shown. CommonMark with GitHub's tables, strikethrough, task lists and bare
// links; line ends stay line ends. HTML is text, pictures are links: nothing of a model's answer is loaded or run.
//
// Threads: a function of its argument; any. Lengths and places are UTF-16 units.
#pragma once

#include <QString>

#include <cstdint>
#include <vector>

namespace gufo::ui {

struct MarkdownRun {
    enum Style : std::uint8_t { Bold = 1, Italic = 2, Strike = 4, Code = 8, Link = 16, Picture = 32 };
    QString text;
    qsizetype source = 0; // the stretch of the answer that it stands for; as long as `text`, unless it is an entity
    qsizetype sourceLength = 0;
    std::uint8_t style = 0;
    QString target{}; // of a link or picture
    bool operator==(const MarkdownRun&) const = default;
};
using MarkdownRuns = std::vector<MarkdownRun>;

struct MarkdownBlock {
    enum class Kind : std::uint8_t { Paragraph, Heading, CodeLine, Rule, Table };
    Kind kind = Kind::Paragraph;
    int level = 0;    // of a heading, 1 to 6
    int indent = 0;   // lists around it
    int quote = 0;    // quotations around it
    QString marker{}; // of a list item, in front of its first block: "•", "3.", "☑"
    MarkdownRuns runs{};
    bool first = true;  // of a code block's lines; the first one of an empty code block has no runs
    QString language{}; // of a code block, on its first line
    std::vector<std::vector<MarkdownRuns>> rows{}; // of a table, the header first; all as long as it
    std::vector<Qt::Alignment> alignments{};
    bool operator==(const MarkdownBlock&) const = default;
};

[[nodiscard]] std::vector<MarkdownBlock> parseMarkdown(const QString& text);

// Every line as a paragraph, as it is: for what a person wrote, and for completions.
[[nodiscard]] std::vector<MarkdownBlock> plainBlocks(const QString& text);

// The runs of one stretch of text; `at`: where each of its characters stands in the answer.
[[nodiscard]] MarkdownRuns parseInlines(const QString& text, const std::vector<qsizetype>& at);

} // namespace gufo::ui
