#include "ui/saving/review_detail.h"

#include "model/array_index.h"
#include "text/line_diff.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/save_text.h"
#include "ui/widgets/table_text.h"

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::size_t kMaxReported = 2'000; // lines of one text in a report

void add(FoldedDiff& diff, FoldedLine::Kind kind, const QString& text) { diff.add(kind, text.toStdString()); }

// A text without a counterpart, as lines of one kind.
FoldedDiff whole(std::string_view text, FoldedLine::Kind kind) {
    FoldedDiff diff;
    for (const std::string_view line : text::splitLines(text)) {
        diff.add(kind, line);
    }
    return diff;
}

// Words for values of one key.
struct ValueWords {
    std::string_view key;
    std::string_view architecture;

    [[nodiscard]] QString element(std::uint64_t index, const Value& value) const {
        return QStringLiteral("[%1] %2").arg(index).arg(valueInLine(key, value, architecture, 200));
    }
    [[nodiscard]] QString withType(const Value& value) const {
        return formatValueType(value) + QLatin1Char(' ') + valueInLine(key, value, architecture, 400);
    }
};

class Walk {
public:
    explicit Walk(const ArrayView& array)
        : m_array(array)
        , m_left(array.bytes) {}
    std::optional<Value> next() {
        const auto value =
            m_done < m_array.length ? valueAt(m_array.elementType, m_left, m_array.layout) : std::nullopt;
        if (!value) {
            return {};
        }
        ++m_done;
        m_left = m_left.subspan(static_cast<std::size_t>(value->bytes));
        return value->value;
    }

private:
    const ArrayView& m_array;
    Bytes m_left;
    std::uint64_t m_done = 0;
};

Result<FoldedDiff> elements(const ArrayView& before, const ArrayView& after, const ValueWords& words,
                            const JobContext& job) {
    FoldedDiff diff;
    Walk a(before);
    Walk b(after);
    std::size_t shown = 0;
    for (std::uint64_t i = 0; i < std::max(before.length, after.length); ++i) {
        if (i % 1024 == 0) {
            GUFO_TRY(job.check());
        }
        const auto x = a.next();
        const auto y = b.next();
        if ((!x && !y) || (x && y && OwnedValue::sameValue(*x, *y))) {
            continue;
        }
        if (shown == kMaxDetailElements) {
            diff.cut = true;
            break;
        }
        ++shown;
        if (x) {
            add(diff, FoldedLine::Kind::Removed, words.element(i, *x));
        }
        if (y) {
            add(diff, FoldedLine::Kind::Added, words.element(i, *y));
        }
    }
    return diff;
}

QString oneLine(const QString& name, const QString& text) {
    return text.isEmpty() ? name : name.isEmpty() ? text : QStringLiteral("%1: %2").arg(name, text);
}

} // namespace

Result<FoldedDiff> reviewDetail(const ReviewModel::State& state, const Difference& difference, const JobContext& job) {
    const std::optional<Value>& before = difference.before;
    const std::optional<Value>& after = difference.after;
    FoldedDiff diff;
    if (difference.renamed) {
        add(diff, FoldedLine::Kind::Removed, displayText(difference.oldName));
        add(diff, FoldedLine::Kind::Added, displayText(difference.name));
    }
    const auto textBefore = before ? asString(*before) : std::nullopt;
    const auto textAfter = after ? asString(*after) : std::nullopt;
    const bool valueDiffers = difference.added || difference.deleted || difference.changed;
    if (difference.subject == Difference::Subject::Key && valueDiffers) {
        const ValueWords words{difference.name, state.current->metadata.architecture()};
        if ((textBefore || !before) && (textAfter || !after)) {
            auto texts = textBefore && textAfter ? foldedDiff(*textBefore, *textAfter, 3, job)
                         : textBefore            ? whole(*textBefore, FoldedLine::Kind::Removed)
                                                 : whole(textAfter.value_or(""), FoldedLine::Kind::Added);
            if (texts && texts->lines.empty()) {
                add(*texts, FoldedLine::Kind::Removed, ReviewModel::tr("(other line endings)"));
                add(*texts, FoldedLine::Kind::Added, ReviewModel::tr("(other line endings)"));
            }
            if (texts) {
                texts->lines.insert(texts->lines.begin(), diff.lines.begin(), diff.lines.end());
            }
            return texts;
        }
        const ArrayView* a = before ? asArray(*before) : nullptr;
        const ArrayView* b = after ? asArray(*after) : nullptr;
        if (a != nullptr && b != nullptr && a->elementType == b->elementType) {
            return elements(*a, *b, words, job);
        }
        if (before) {
            add(diff, FoldedLine::Kind::Removed, words.withType(*before));
        }
        if (after) {
            add(diff, FoldedLine::Kind::Added, words.withType(*after));
        }
        return diff;
    }
    if (difference.subject != Difference::Subject::Key && !difference.renamed) {
        ReviewModel one; // provides the words for one difference
        one.setState({.base = state.base, .current = state.current, .target = state.target, .rows = {difference}});
        const QString name = difference.subject == Difference::Subject::Tensor ? differenceName(difference) : QString();
        if (!difference.added) {
            add(diff, FoldedLine::Kind::Removed, oneLine(name, one.before(0)));
        }
        if (!difference.deleted) {
            add(diff, FoldedLine::Kind::Added, oneLine(name, one.after(0)));
        }
    }
    return diff;
}

Result<QString> reviewReport(const ReviewModel::State& state, bool markdown, const JobContext& job) {
    ReviewModel model;
    model.setState(state);
    QList<QStringList> rows;
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < ReviewModel::RevertColumn; ++column) {
            cells << model.index(row, column).data().toString();
        }
        rows << cells;
    }
    QStringList header;
    for (int column = 0; column < ReviewModel::RevertColumn; ++column) {
        header << model.headerData(column, Qt::Horizontal).toString();
    }
    QString text = tableText(markdown ? CopyFormat::Markdown : CopyFormat::Text, header, rows);
    for (const Difference& difference : state.rows) {
        const auto several = [](const std::optional<Value>& value) {
            const auto string = value ? asString(*value) : std::nullopt;
            return string && string->find('\n') != std::string_view::npos;
        };
        if ((!several(difference.before) && !several(difference.after)) || !difference.changed) {
            continue;
        }
        const auto diff = GUFO_TRY(reviewDetail(state, difference, job));
        // Uses a fence that is longer than any in the text.
        QString fence = QStringLiteral("```");
        for (const FoldedLine& line : diff.lines) {
            while (QString::fromStdString(line.text).contains(fence)) {
                fence += QLatin1Char('`');
            }
        }
        text += markdown ? QStringLiteral("\n\n### %1\n\n%2diff\n").arg(differenceName(difference), fence)
                         : QStringLiteral("\n\n%1\n").arg(differenceName(difference));
        std::size_t written = 0;
        for (const FoldedLine& line : diff.lines) {
            if (++written > kMaxReported) {
                text += QStringLiteral("@@ … @@\n");
                break;
            }
            switch (line.kind) {
            case FoldedLine::Kind::Skipped:
                text += QStringLiteral("@@ %1 @@\n").arg(formatCount(line.skipped));
                break;
            case FoldedLine::Kind::Same:
                text += QLatin1Char(' ');
                break;
            case FoldedLine::Kind::Removed:
                text += QLatin1Char('-');
                break;
            case FoldedLine::Kind::Added:
                text += QLatin1Char('+');
                break;
            }
            if (line.kind != FoldedLine::Kind::Skipped) {
                text += displayText(line.text) + QLatin1Char('\n');
            }
        }
        if (markdown) {
            text += fence;
        }
    }
    return text.endsWith(u'\n') ? text : text + QLatin1Char('\n');
}

} // namespace gufo::ui
