#include "ui/report/diagram_layout.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/structure_text.h"

#include <QCoreApplication>
#include <QTextBoundaryFinder>

#include <algorithm>

namespace gufo::ui {
namespace {

using inference::GraphPart;
using inference::GraphSection;
using inference::StructureBlock;
using inference::StructurePart;
using inference::StructureRun;
using inference::StructureStack;

constexpr qreal kMargin = 16;
constexpr qreal kSpine = 36; // x of the stream
constexpr qreal kLeft = 72;  // of boxes beside the stream
constexpr qreal kGap = 14;
constexpr qreal kPadding = 10;
constexpr qreal kNorm = 146;       // width
constexpr qreal kNarrowNorm = 108; // where there is little room
constexpr qreal kRoomy = 640;      // width of a layout
constexpr qreal kRow = 26;
constexpr qreal kColorBar = 6; // at the bottom of a part
constexpr qreal kRunTitle = 24;
constexpr int kMostLines = 4;

class DiagramWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::DiagramLayout)
};

// Lines are broken where Unicode allows it, and inside a word only if the word is longer than a line.
QStringList wrapped(const QString& text, const TextMeasure& measure, qreal width) {
    QStringList lines;
    QTextBoundaryFinder breaks(QTextBoundaryFinder::Line, text);
    qsizetype start = 0;
    qsizetype fits = 0; // the end of what is known to fit
    while (start < text.size()) {
        const qsizetype next = breaks.toNextBoundary();
        const qsizetype end = next < 0 ? text.size() : next;
        if (measure.width(text.sliced(start, end - start).trimmed()) <= width) {
            fits = end;
            if (end < text.size()) {
                continue;
            }
        }
        if (fits < text.size() && (lines.size() + 1 == kMostLines || fits == start)) {
            // The last line says that there is more, and so does a word without an end.
            lines << elidedTo(text.sliced(start), width, measure);
            break;
        }
        lines << text.sliced(start, fits - start).trimmed();
        start = fits;
        breaks.setPosition(start);
    }
    return lines;
}

class LayoutMaker {
public:
    LayoutMaker(const inference::ModelStructure& structure, std::optional<DiagramBlock> unfolded,
                const TextMeasure& measure, qreal width)
        : m_structure(structure)
        , m_unfolded(unfolded)
        , m_width(std::max(width, DiagramLayout::kNarrowest) - 2 * kMargin)
        , m_norm(m_width < kRoomy ? kNarrowNorm : kNorm)
        , m_measure(measure)
        , m_lineHeight(measure.lineHeight) {}

    DiagramLayout make() {
        m_y = kMargin;
        for (std::size_t i = 0; i < m_structure.stacks.size(); ++i) {
            addStack(i);
        }
        m_layout.size = {kMargin + m_width + kMargin, m_y + kMargin};
        return std::move(m_layout);
    }

private:
    void addStack(std::size_t index);
    void addRun(std::size_t stack, const StructureRun& run);
    void addRow(std::size_t stack, const StructureRun& run, std::size_t block, std::size_t length);
    void addBranches(const StructureBlock& block, DiagramBlock where);
    void addBranch(const std::vector<const StructurePart*>& parts, DiagramBlock where, bool adds);
    void addPart(const StructurePart& part, QRectF rect, std::optional<DiagramBlock> block);
    void addNote(const QString& text);
    [[nodiscard]] qreal heightOf(const StructurePart& part, qreal width) const;
    void addLine(QPointF from, QPointF to, bool arrow = false) { m_layout.lines.push_back({QLineF(from, to), arrow}); }

    const inference::ModelStructure& m_structure;
    std::optional<DiagramBlock> m_unfolded;
    qreal m_width; // of a stack
    qreal m_norm;  // of the box of a norm
    const TextMeasure& m_measure;
    qreal m_lineHeight;
    DiagramLayout m_layout;
    qreal m_y = 0;
    std::size_t m_rows = 0;
};

qreal LayoutMaker::heightOf(const StructurePart& part, qreal width) const {
    const QStringList lines = wrapped(partFactsText(part), m_measure, width - 2 * kPadding);
    return 2 * kPadding - 4 + m_lineHeight * static_cast<qreal>(1 + lines.size()) + kColorBar;
}

void LayoutMaker::addPart(const StructurePart& part, QRectF rect, std::optional<DiagramBlock> block) {
    m_layout.items.push_back({.kind = DiagramItem::Kind::Part,
                              .rect = rect,
                              .title = partTitle(part, block.has_value()),
                              .lines = wrapped(partFactsText(part), m_measure, rect.width() - 2 * kPadding),
                              .part = &part,
                              .block = block,
                              .warns = part.contradicted});
}

void LayoutMaker::addNote(const QString& text) {
    m_layout.items.push_back({.kind = DiagramItem::Kind::Note,
                              .rect = {kMargin + kLeft, m_y, m_width - kLeft, m_lineHeight},
                              .title = text});
    m_y += m_lineHeight + kGap;
}

void LayoutMaker::addStack(std::size_t index) {
    const StructureStack& stack = m_structure.stacks[index];
    if (m_structure.stacks.size() > 1) {
        m_layout.items.push_back(
            {.kind = DiagramItem::Kind::Title, .rect = {kMargin, m_y, m_width, kRunTitle}, .title = stackTitle(stack)});
        m_y += kRunTitle + 4;
    }
    const qreal x = kMargin + kSpine;
    const qreal top = m_y;
    std::optional<qreal> above; // of the parts on the stream, the bottom of the one before
    const auto addEnd = [&](const StructurePart& part) {
        // The stream runs through what makes it and what reads it.
        const bool onStream = part.part != GraphPart::RopeFactors && part.part != GraphPart::Other;
        const QRectF rect(kMargin + (onStream ? 0 : kLeft), m_y, m_width - (onStream ? 0 : kLeft),
                          heightOf(part, m_width - (onStream ? 0 : kLeft)));
        addPart(part, rect, std::nullopt);
        if (above && onStream) {
            addLine({x, *above}, {x, rect.top()}, true);
        }
        above = onStream ? rect.bottom() : above;
        m_y = rect.bottom() + kGap;
    };
    std::ranges::for_each(stack.begin, addEnd);
    const qreal streamTop = m_y;
    if (!stack.runs.empty()) {
        above.reset(); // the stream runs through the blocks
    }
    for (const StructureRun& run : stack.runs) {
        if (m_rows >= DiagramLayout::kMaxRows) {
            const std::size_t left = stack.blocks.size() - run.first;
            addNote(DiagramWords::tr("%n further blocks are not drawn", nullptr, numerus(left)));
            break;
        }
        addRun(index, run);
    }
    const qreal streamBottom = m_y;
    std::ranges::for_each(stack.end, addEnd);
    const bool begins = !stack.begin.empty();
    const bool ends = !stack.end.empty();
    if (!stack.blocks.empty()) {
        addLine({x, begins ? streamTop - kGap : top}, {x, ends ? streamBottom : streamBottom - kGap}, ends);
    }
    m_y += kGap;
}

void LayoutMaker::addRun(std::size_t stackIndex, const StructureRun& run) {
    const StructureStack& stack = m_structure.stacks[stackIndex];
    const std::size_t frame = m_layout.items.size();
    const std::uint32_t first = stack.blocks[run.first].number;
    const std::uint32_t last = stack.blocks[run.first + run.blocks() - 1].number;
    const QString numbers = first == last ? DiagramWords::tr("Block %1").arg(first)
                                          : DiagramWords::tr("Blocks %1 to %2").arg(first).arg(last);
    m_layout.items.push_back(
        {.kind = DiagramItem::Kind::Run,
         .rect = {kMargin + kLeft - kPadding, m_y, m_width - kLeft + kPadding, 0},
         // A single row says what the blocks are.
         .title = run.period == 1 ? numbers : QStringLiteral("%1\u2003%2").arg(runText(stack, run), numbers)});
    const bool titled = run.blocks() > 1;
    if (!titled) {
        m_layout.items.back().title.clear();
    }
    m_y += titled ? kRunTitle + 4 : kPadding / 2;
    const std::size_t end = run.first + run.period;
    for (std::size_t block = run.first; block < end;) {
        std::size_t next = block + 1;
        while (next < end && stack.blocks[next].kind == stack.blocks[block].kind) {
            ++next;
        }
        if (m_rows >= DiagramLayout::kMaxRows) {
            break;
        }
        addRow(stackIndex, run, block, next - block);
        block = next;
    }
    m_y += kPadding / 2;
    m_layout.items[frame].rect.setBottom(m_y);
    m_y += kGap;
}

// `length` equal blocks follow each other in each repetition.
void LayoutMaker::addRow(std::size_t stackIndex, const StructureRun& run, std::size_t block, std::size_t length) {
    ++m_rows;
    const StructureStack& stack = m_structure.stacks[stackIndex];
    DiagramBlock where{stackIndex, block};
    bool unfolded = false;
    if (m_unfolded && m_unfolded->stack == stackIndex && m_unfolded->block >= run.first &&
        m_unfolded->block < run.first + run.blocks()) {
        const std::size_t inPeriod = run.first + (m_unfolded->block - run.first) % run.period;
        unfolded = inPeriod >= block && inPeriod < block + length;
        where = unfolded ? *m_unfolded : where;
    }
    const StructureBlock& shown = stack.blocks[where.block];
    const std::size_t count = length * run.repeats;
    QString title = blockTitle(stack, shown);
    title = count == 1 ? DiagramWords::tr("Block %1: %2").arg(shown.number).arg(title)
                       : DiagramWords::tr("%1 × %2").arg(count).arg(title);
    if (unfolded && count > 1) {
        title += DiagramWords::tr(", block %1").arg(shown.number);
    }
    const bool warns = std::ranges::any_of(shown.parts, &StructurePart::contradicted) || shown.parts.empty();
    m_layout.items.push_back({.kind = DiagramItem::Kind::Row,
                              .rect = {kMargin + kLeft, m_y, m_width - kLeft - kPadding, kRow},
                              .title = title,
                              .block = where,
                              .count = count,
                              .unfolded = unfolded,
                              .warns = warns});
    m_y += kRow + 4;
    if (unfolded) {
        addBranches(shown, where);
    }
}

void LayoutMaker::addBranches(const StructureBlock& block, DiagramBlock where) {
    std::vector<const StructurePart*> mix;
    std::vector<const StructurePart*> cross;
    std::vector<const StructurePart*> feed;
    std::vector<const StructurePart*> beside;
    for (const StructurePart& part : block.parts) {
        switch (inference::graphSection(part.part)) {
        case GraphSection::Mix:
            mix.push_back(&part);
            break;
        case GraphSection::Cross:
            cross.push_back(&part);
            break;
        case GraphSection::Feed:
            feed.push_back(&part);
            break;
        case GraphSection::Begin:
        case GraphSection::Beside:
        case GraphSection::End:
            beside.push_back(&part);
            break;
        }
    }
    m_y += 4;
    if (block.parallel && !mix.empty() && !feed.empty()) {
        addNote(DiagramWords::tr("Both branches read the same stream"));
    }
    // Where the sum is normed, the norm is on the stream.
    const auto addNormed = [&](std::vector<const StructurePart*>& parts) {
        const auto isOfSum = [](const StructurePart* part) {
            return std::ranges::find(part->facts, inference::StructureFact::AfterSum, &inference::PartFact::fact) !=
                   part->facts.end();
        };
        const auto norm = std::ranges::find_if(parts, isOfSum);
        const StructurePart* ofSum = norm != parts.end() ? *norm : nullptr;
        std::erase(parts, ofSum);
        addBranch(parts, where, true);
        if (ofSum != nullptr) {
            const qreal width = kLeft + m_norm;
            const QRectF rect(kMargin + 4, m_y, width, heightOf(*ofSum, width));
            addPart(*ofSum, rect, where);
            m_y = rect.bottom() + kGap;
        }
    };
    addNormed(mix);
    addBranch(cross, where, true);
    addNormed(feed);
    addBranch(beside, where, false);
}

// The parts beside each other, norms at the ends. What works side by side is one below the other.
void LayoutMaker::addBranch(const std::vector<const StructurePart*>& parts, DiagramBlock where, bool adds) {
    if (parts.empty()) {
        return;
    }
    const auto isNorm = [](const StructurePart* part) {
        return part->part == GraphPart::MixNorm || part->part == GraphPart::FeedNorm ||
               part->part == GraphPart::MixPostNorm || part->part == GraphPart::FeedPostNorm;
    };
    const auto isPost = [](const StructurePart* part) {
        return part->part == GraphPart::MixPostNorm || part->part == GraphPart::FeedPostNorm;
    };
    std::vector<const StructurePart*> before;
    std::vector<const StructurePart*> middle;
    std::vector<const StructurePart*> after;
    for (const StructurePart* part : parts) {
        (!isNorm(part) ? middle : isPost(part) ? after : before).push_back(part);
    }
    const qreal left = kMargin + kLeft;
    const qreal right = left + m_width - kLeft - kPadding;
    const qreal beginX = left + static_cast<qreal>(before.size()) * (m_norm + kGap);
    const qreal endX = right - static_cast<qreal>(after.size()) * (m_norm + kGap);
    const qreal top = m_y;
    qreal bottom = top;
    for (const StructurePart* part : middle) {
        const QRectF rect(beginX, bottom, endX - beginX, heightOf(*part, endX - beginX));
        addPart(*part, rect, where);
        bottom = rect.bottom() + 6;
    }
    bottom = middle.empty() ? top + heightOf(*parts.front(), m_norm) : bottom - 6;
    const auto addNarrow = [&](const std::vector<const StructurePart*>& norms, qreal x) {
        for (const StructurePart* part : norms) {
            const QRectF rect(x, top, m_norm, std::max(heightOf(*part, m_norm), bottom - top));
            bottom = std::max(bottom, rect.bottom());
            addPart(*part, rect, where);
            x += m_norm + kGap;
        }
    };
    addNarrow(before, left);
    addNarrow(after, endX + kGap);
    const qreal spine = kMargin + kSpine;
    const qreal y = top + 12;
    if (adds && !middle.empty()) { // norms alone add nothing
        addLine({spine, y}, {left, y}, true);
        for (std::size_t i = 0; i < before.size(); ++i) {
            const qreal x = left + static_cast<qreal>(i) * (m_norm + kGap) + m_norm;
            addLine({x, y}, {x + kGap, y}, true);
        }
        for (std::size_t i = 0; i < after.size(); ++i) {
            const qreal x = endX + static_cast<qreal>(i) * (m_norm + kGap);
            addLine({x, y}, {x + kGap, y}, true);
        }
        // Back to the stream, below the boxes.
        const qreal back = bottom + 10;
        const qreal lastX = after.empty() ? endX - 24 : right - 24;
        addLine({lastX, bottom}, {lastX, back});
        addLine({lastX, back}, {spine + 8, back}, true);
        m_layout.items.push_back({.kind = DiagramItem::Kind::Sum, .rect = {spine - 8, back - 8, 16, 16}});
        bottom = back;
    }
    m_y = bottom + kGap;
}

} // namespace

// Widths of a wide sans-serif font, so that texts in other fonts take less room than they are given.
TextMeasure estimatedMeasure(qreal fontSize) {
    const auto width = [fontSize](const QString& text) {
        qreal em = 0;
        for (const char32_t code : text.toUcs4()) {
            constexpr char32_t kBeyondLatin = 0x250; // Cyrillic, Arabic …
            constexpr char32_t kFirstWide = 0x1100;  // Hangul, Chinese, Japanese
            constexpr QStringView kNarrow = u" .,:;'|!ijl";
            constexpr QStringView kLessNarrow = u"frt()-";
            constexpr QStringView kBroad = u"mwMW@%";
            const auto isIn = [code](QStringView letters) {
                return code <= 0xFFFF && letters.contains(QChar(static_cast<char16_t>(code)));
            };
            em += code >= kFirstWide                             ? 1.0
                  : isIn(kNarrow)                                ? 0.32
                  : isIn(kLessNarrow)                            ? 0.42
                  : isIn(kBroad)                                 ? 0.92
                  : code >= kBeyondLatin || QChar::isUpper(code) ? 0.7
                                                                 : 0.6;
        }
        return em * fontSize;
    };
    constexpr qreal kLineHeight = 1.3;
    return {.width = width, .lineHeight = kLineHeight * fontSize};
}

QString elidedTo(const QString& text, qreal width, const TextMeasure& measure) {
    constexpr qsizetype kNoLineIsLonger = 400;
    const QString head = text.left(kNoLineIsLonger);
    if (head.size() == text.size() && measure.width(text) <= width) {
        return text;
    }
    qsizetype fits = 0;
    qsizetype tooLong = head.size() + 1;
    while (tooLong - fits > 1) {
        const qsizetype middle = fits + (tooLong - fits) / 2;
        (measure.width(head.left(middle) + u'…') <= width ? fits : tooLong) = middle;
    }
    fits -= fits > 0 && head[fits - 1].isHighSurrogate() ? 1 : 0;
    return head.left(fits).trimmed() + u'…';
}

DiagramLayout layOutDiagram(const inference::ModelStructure& structure, std::optional<DiagramBlock> unfolded,
                            const TextMeasure& measure, qreal width) {
    return LayoutMaker(structure, unfolded, measure, width).make();
}

std::optional<DiagramBlock> mainBlock(const inference::ModelStructure& structure) {
    std::optional<DiagramBlock> best;
    std::size_t most = 0;
    for (std::size_t stack = 0; stack < structure.stacks.size(); ++stack) {
        for (const StructureRun& run : structure.stacks[stack].runs) {
            // Of equal runs, the first of the main stack, which is the last one.
            if (run.blocks() > most || (run.blocks() == most && best && best->stack != stack)) {
                most = run.blocks();
                best = DiagramBlock{stack, run.first};
            }
        }
    }
    return best;
}

} // namespace gufo::ui
