#include "ui/compare/differences/template_diff_page.h"

#include "base/ascii.h"
#include "text/conversation/battery.h"
#include "text/line_diff.h"
#include "ui/compare/differences/wrapped_line_delegate.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/problem_text.h"
#include "ui/widgets/rows_table.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kLineHeight = 18;
constexpr int kNumberWidth = 44;
constexpr std::size_t kMaxWords = 5'000; // of a line whose words are compared
constexpr int kRendered = 1;             // the segment

std::string_view templateOf(const Comparison& comparison, const MetadataRow& row, std::size_t file) {
    const auto index = row.cells[file].index;
    if (!index) {
        return {};
    }
    return asString(comparison.files()[file].model->metadata[*index].value).value_or(std::string_view());
}

// Identifiers, runs of white space, and single other characters.
std::vector<std::string_view> wordsOf(std::string_view line) {
    const auto kindOf = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return isAsciiLetter(c) || isAsciiDigit(c) || c == '_' || byte >= 0x80 ? 1 : c == ' ' || c == '\t' ? 2 : 0;
    };
    std::vector<std::string_view> words;
    for (std::size_t i = 0; i < line.size();) {
        const int kind = kindOf(line[i]);
        std::size_t end = i + 1;
        while (kind != 0 && end < line.size() && kindOf(line[end]) == kind) {
            ++end;
        }
        words.push_back(line.substr(i, end - i));
        i = end;
    }
    return words;
}

void mark(std::vector<TextRange>& marks, QString& shown, std::string_view word, bool isChanged) {
    const QString text = displayText(word);
    const auto begin = static_cast<int>(shown.size());
    const auto length = static_cast<int>(text.size());
    shown += text;
    if (!isChanged) {
        return;
    }
    if (!marks.empty() && marks.back().begin + marks.back().length == begin) {
        marks.back().length += length;
    } else {
        marks.push_back({begin, length});
    }
}

void markWords(std::string_view before, std::string_view after, SideBySideLine& line) {
    const auto old = wordsOf(before);
    const auto now = wordsOf(after);
    if (std::max(old.size(), now.size()) > kMaxWords) {
        return;
    }
    line.beforeText.clear();
    line.afterText.clear();
    for (const text::DiffLine& word : text::diffLines(old, now)) {
        if (word.kind != text::DiffLine::Kind::Added) {
            mark(line.beforeMarks, line.beforeText, old[word.before], word.kind != text::DiffLine::Kind::Same);
        }
        if (word.kind != text::DiffLine::Kind::Removed) {
            mark(line.afterMarks, line.afterText, now[word.after], word.kind != text::DiffLine::Kind::Same);
        }
    }
}

struct TemplateOf {
    std::shared_ptr<const Model> model; // whose special tokens the template uses
    std::string source;                 // of the template; empty if the file has none
};

class RenderedWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::RenderedTemplates)
};

std::vector<text::BatteryRendering> renderOne(text::TemplateRenderer& renderer, const TemplateOf& chosen,
                                              const std::stop_token& stop) {
    return chosen.source.empty() ? std::vector<text::BatteryRendering>()
                                 : text::renderBattery(chosen.model->metadata, chosen.source, renderer, stop);
}

void appendRendering(std::string& text, const QString& title, const text::BatteryRendering& rendering) {
    text += (title + u'\n').toStdString();
    text += rendering.text ? *rendering.text
            : rendering.problem
                ? RenderedWords::tr("Not rendered: %1").arg(templateProblemText(*rendering.problem)).toStdString()
                : std::string();
    text += "\n\n";
}

// Starts the helper process (text/template/template_renderer.h) and waits for it, so it must not be called on the UI
// thread. After a stop request the result is worth nothing.
RenderedTemplates renderBoth(const TemplateOf& before, const TemplateOf& after, const std::stop_token& stop) {
    text::TemplateRenderer renderer;
    const auto first = renderOne(renderer, before, stop);
    const auto second = renderOne(renderer, after, stop);
    RenderedTemplates both;
    both.conversations = std::min(first.size(), second.size());
    for (std::size_t i = 0; i < both.conversations; ++i) {
        const bool same = first[i].sameAs(second[i]);
        both.different += same ? 0 : 1;
        both.refused += same && !first[i].text ? 1 : 0;
    }
    for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
        const bool isShown = i >= both.conversations || both.different == 0 || !first[i].sameAs(second[i]);
        const auto& any = i < first.size() ? first[i] : second[i];
        const QString title =
            QStringLiteral("── %1 ──").arg(QCoreApplication::translate("Battery", any.conversation->title));
        if (isShown && i < first.size()) {
            appendRendering(both.before, title, first[i]);
        }
        if (isShown && i < second.size()) {
            appendRendering(both.after, title, second[i]);
        }
    }
    return both;
}

} // namespace

std::vector<SideBySideLine> sideBySide(std::string_view before, std::string_view after) {
    const auto a = text::splitLines(before);
    const auto b = text::splitLines(after);
    std::vector<SideBySideLine> lines;
    const auto diff = text::diffLines(a, b);
    for (std::size_t i = 0; i < diff.size();) {
        if (diff[i].kind == text::DiffLine::Kind::Same) {
            lines.push_back({.kind = SideBySideLine::Kind::Same,
                             .before = static_cast<int>(diff[i].before),
                             .after = static_cast<int>(diff[i].after),
                             .beforeText = displayText(a[diff[i].before]),
                             .afterText = displayText(b[diff[i].after])});
            ++i;
            continue;
        }
        // Pairs the removed and added lines of one change.
        std::vector<std::size_t> removed;
        std::vector<std::size_t> added;
        for (; i < diff.size() && diff[i].kind != text::DiffLine::Kind::Same; ++i) {
            const bool gone = diff[i].kind == text::DiffLine::Kind::Removed;
            (gone ? removed : added).push_back(gone ? diff[i].before : diff[i].after);
        }
        for (std::size_t k = 0; k < std::max(removed.size(), added.size()); ++k) {
            SideBySideLine line;
            line.kind = k >= added.size()     ? SideBySideLine::Kind::Removed
                        : k >= removed.size() ? SideBySideLine::Kind::Added
                                              : SideBySideLine::Kind::Changed;
            if (k < removed.size()) {
                line.before = static_cast<int>(removed[k]);
                line.beforeText = displayText(a[removed[k]]);
            }
            if (k < added.size()) {
                line.after = static_cast<int>(added[k]);
                line.afterText = displayText(b[added[k]]);
            }
            if (line.kind == SideBySideLine::Kind::Changed) {
                markWords(a[removed[k]], b[added[k]], line);
            }
            lines.push_back(std::move(line));
        }
    }
    return lines;
}

void SideBySideModel::setLines(std::vector<SideBySideLine> lines) {
    beginResetModel();
    m_lines = std::move(lines);
    endResetModel();
}

void SideBySideModel::setTitles(const QString& before, const QString& after) {
    m_before = before;
    m_after = after;
    emit headerDataChanged(Qt::Horizontal, 0, kColumns - 1);
}

int SideBySideModel::nextChange(int row, bool backwards) const {
    const auto changed = [this](int at) {
        return at >= 0 && at < rowCount() && m_lines[static_cast<std::size_t>(at)].kind != SideBySideLine::Kind::Same;
    };
    const int step = backwards ? -1 : 1;
    for (int at = row + step; at >= 0 && at < rowCount(); at += step) {
        if (changed(at) && !changed(at - 1) && at != row) {
            return at;
        }
    }
    return -1;
}

int SideBySideModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int SideBySideModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant SideBySideModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const SideBySideLine& line = m_lines[static_cast<std::size_t>(index.row())];
    const bool left = index.column() <= kBefore;
    const bool number = index.column() == kBeforeNumber || index.column() == kAfterNumber;
    const int at = left ? line.before : line.after;
    switch (role) {
    case Qt::DisplayRole:
        return at < 0 ? QString() : number ? QString::number(at + 1) : left ? line.beforeText : line.afterText;
    case Qt::ToolTipRole:
        return number ? QVariant() : QVariant((left ? line.beforeText : line.afterText).toHtmlEscaped());
    case Qt::FontRole:
        return themeFont(TextStyle::Mono);
    case Qt::TextAlignmentRole:
        return QVariant((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop); // beside the first of wrapped lines
    case Qt::ForegroundRole:
        return number ? QVariant(themeColor(Token::Faint)) : QVariant();
    case Qt::BackgroundRole:
        return line.kind == SideBySideLine::Kind::Same ? QVariant()
               : at < 0                                ? QVariant(themeColor(Token::AlternateRow))
               : left                                  ? QVariant(themeColor(Token::ErrorFill))
                                                       : QVariant(themeColor(Token::UserDefinedChip));
    case Qt::AccessibleDescriptionRole:
        return line.kind == SideBySideLine::Kind::Same      ? QString()
               : line.kind == SideBySideLine::Kind::Changed ? tr("changed")
               : line.kind == SideBySideLine::Kind::Added   ? tr("added")
                                                            : tr("removed");
    default:
        return {};
    }
}

QVariant SideBySideModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    }
    return role != Qt::DisplayRole ? QVariant()
           : section == kBefore    ? m_before
           : section == kAfter     ? m_after
                                   : QString();
}

TemplateDiffPage::TemplateDiffPage(Comparison& comparison, QWidget* parent)
    : ComparePage(comparison, parent) {
    auto* strip = new ToolStrip(this);
    m_key = new QComboBox(strip);
    m_key->setAccessibleName(tr("Template"));
    m_key->setMinimumWidth(190);
    m_file = new QComboBox(strip);
    m_file->setAccessibleName(tr("File compared with the reference"));
    m_shown = new SegmentedControl(tr("What is compared"), strip);
    m_shown->addSegment(tr("Source"), {}, tr("The text of both templates"));
    m_shown->addSegment(tr("Rendered"), {},
                        tr("What both templates make of the same conversations: a question, several turns, tools, "
                           "thoughts and others"));
    m_counts = new ElidedLabel(TextStyle::Table, Token::Muted, Qt::ElideRight, strip);
    const auto add = [strip](const QString& icon, const QString& name, const QKeySequence& shortcut) {
        QToolButton* const button = makeToolButton(icon, name, strip);
        button->setShortcut(shortcut);
        button->setToolTip(QStringLiteral("%1 (%2)").arg(name, shortcut.toString(QKeySequence::NativeText)));
        return button;
    };
    m_previous = add(QStringLiteral("chevron-up"), tr("Previous change"), QKeySequence(Qt::SHIFT | Qt::Key_F8));
    m_next = add(QStringLiteral("chevron-down"), tr("Next change"), QKeySequence(Qt::Key_F8));
    auto* row = static_cast<QHBoxLayout*>(strip->layout());
    row->addWidget(themedLabel(tr("Template"), TextStyle::Table, Token::Muted, strip));
    row->addWidget(m_key);
    row->addSpacing(8);
    row->addWidget(themedLabel(tr("Against"), TextStyle::Table, Token::Muted, strip));
    row->addWidget(m_file);
    row->addSpacing(8);
    row->addWidget(m_shown);
    row->addSpacing(8);
    row->addWidget(m_counts, 1);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    m_table = makeRowsTable(tr("Lines of both templates"), &m_model, kLineHeight);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    for (const int column : {SideBySideModel::kBeforeNumber, SideBySideModel::kAfterNumber}) {
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Fixed);
        m_table->setColumnWidth(column, kNumberWidth);
    }
    m_lines = new WrappedLineDelegate(m_model, m_table);
    m_table->setItemDelegateForColumn(SideBySideModel::kBefore, m_lines);
    m_table->setItemDelegateForColumn(SideBySideModel::kAfter, m_lines);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel); // a wrapped line may be higher than the view
    m_table->viewport()->installEventFilter(this);
    m_fitSoon.setSingleShot(true);
    m_fitSoon.setInterval(0);
    connect(&m_fitSoon, &QTimer::timeout, this, &TemplateDiffPage::fitRows);
    setContent(strip, m_table);
    setFirstFocus(m_table);
    connect(&comparison, &Comparison::filesChanged, this, &TemplateDiffPage::refill);
    connect(&comparison, &Comparison::metadataCompared, this, &TemplateDiffPage::refill);
    connect(m_key, &QComboBox::activated, this, &TemplateDiffPage::update);
    connect(m_file, &QComboBox::activated, this, &TemplateDiffPage::update);
    connect(m_shown, &SegmentedControl::chosen, this, &TemplateDiffPage::update);
    connect(m_next, &QToolButton::clicked, this, [this] { step(false); });
    connect(m_previous, &QToolButton::clicked, this, [this] { step(true); });
    refill();
}

QString TemplateDiffPage::title() const { return tr("Template"); }

QString TemplateDiffPage::badge() const {
    if (!m_comparison.metadata()) {
        return {};
    }
    const auto different = std::ranges::count_if(
        m_comparison.metadata()->rows, [](const MetadataRow& row) { return row.chatTemplate && !row.same(); });
    return different == 0 ? QString() : formatCount(static_cast<std::uint64_t>(different));
}

void TemplateDiffPage::refill() {
    m_key->clear();
    m_file->clear();
    if (m_comparison.metadata()) {
        const auto& rows = m_comparison.metadata()->rows;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i].chatTemplate) {
                m_key->addItem(displayText(rows[i].key), static_cast<uint>(i));
            }
        }
        for (const std::size_t file : m_comparison.others()) {
            m_file->addItem(m_comparison.files()[file].label, static_cast<uint>(file));
        }
    }
    update();
    emit badgeChanged();
}

void TemplateDiffPage::update() {
    m_job.cancel();
    m_model.setLines({});
    m_counts->setText({});
    const bool any = m_key->currentIndex() >= 0 && m_file->currentIndex() >= 0;
    m_key->setEnabled(any);
    m_file->setEnabled(any);
    m_shown->setEnabled(any);
    m_next->setEnabled(false);
    m_previous->setEnabled(false);
    if (!any) {
        m_nothing->setTexts(tr("No chat template"),
                            m_comparison.metadata() ? tr("None of the files has one.") : QString());
        showNothing();
        return;
    }
    const MetadataRow& row = m_comparison.metadata()->rows[m_key->currentData().toUInt()];
    const std::size_t reference = m_comparison.reference();
    const std::size_t file = m_file->currentData().toUInt();
    m_model.setTitles(m_comparison.files()[reference].label, m_comparison.files()[file].label);
    showContent();
    const TemplateOf before{m_comparison.files()[reference].model,
                            std::string(templateOf(m_comparison, row, reference))};
    const TemplateOf after{m_comparison.files()[file].model, std::string(templateOf(m_comparison, row, file))};
    struct Compared {
        std::vector<SideBySideLine> lines;
        RenderedTemplates rendered; // what was rendered, without the texts
    };
    m_job.start<Compared>(
        [before, after, rendered = m_shown->current() == kRendered](const JobContext& job) -> Result<Compared> {
            if (!rendered) {
                return Compared{.lines = sideBySide(before.source, after.source), .rendered = {}};
            }
            RenderedTemplates both = renderBoth(before, after, job.stop);
            Compared compared{.lines = sideBySide(both.before, both.after), .rendered = {}};
            compared.rendered.conversations = both.conversations;
            compared.rendered.different = both.different;
            compared.rendered.refused = both.refused;
            return compared;
        },
        [this](Result<Compared> compared) {
            if (compared) {
                showLines(std::move(compared->lines), compared->rendered);
            }
        });
}

// Says what differs. `rendered` counts no conversations if the sources are compared, or if a file has no template.
QString TemplateDiffPage::countsText(std::size_t changedLines, const RenderedTemplates& rendered) const {
    if (rendered.conversations != 0) {
        const QString all = tr("%n conversations", nullptr, numerus(rendered.conversations));
        const auto count = [](std::size_t number) { return formatCount(static_cast<std::uint64_t>(number)); };
        return rendered.different != 0 ? tr("%1 of %2 rendered differently").arg(count(rendered.different), all)
               : rendered.refused == rendered.conversations ? tr("Neither renders any of %1").arg(all)
               : rendered.refused != 0
                   ? tr("They render the same: %1 tried, %2 refused by both").arg(all, count(rendered.refused))
                   : tr("They render the same: %1 tried").arg(all);
    }
    return changedLines != 0 ? tr("%n lines differ", nullptr, numerus(changedLines)) : tr("The templates are the same");
}

void TemplateDiffPage::showLines(std::vector<SideBySideLine> lines, const RenderedTemplates& rendered) {
    std::size_t changed = 0;
    for (const SideBySideLine& line : lines) {
        changed += line.kind != SideBySideLine::Kind::Same ? 1 : 0;
    }
    m_counts->setText(countsText(changed, rendered));
    m_next->setEnabled(changed > 0);
    m_previous->setEnabled(changed > 0);
    m_model.setLines(std::move(lines));
    fitRows();
    const int first = m_model.nextChange(-1, false);
    if (first >= 0) {
        m_table->setCurrentIndex(m_model.index(first, SideBySideModel::kBefore));
        m_table->scrollTo(m_model.index(first, 0), QAbstractItemView::PositionAtCenter);
    }
}

bool TemplateDiffPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table->viewport() && event->type() == QEvent::Resize) {
        m_fitSoon.start();
    }
    return ComparePage::eventFilter(watched, event);
}

// Gives wrapped lines the rows they need. Most lines fit, which costs only a multiplication.
void TemplateDiffPage::fitRows() {
    const int width =
        std::min(m_table->columnWidth(SideBySideModel::kBefore), m_table->columnWidth(SideBySideModel::kAfter));
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const int height = std::max(kLineHeight, m_lines->heightOf(row, width));
        if (m_table->rowHeight(row) != height) {
            m_table->setRowHeight(row, height);
        }
    }
}

void TemplateDiffPage::step(bool backwards) {
    const int at = m_model.nextChange(m_table->currentIndex().row(), backwards);
    if (at >= 0) {
        m_table->setCurrentIndex(m_model.index(at, SideBySideModel::kBefore));
        m_table->scrollTo(m_model.index(at, 0), QAbstractItemView::PositionAtCenter);
    }
}

QString TemplateDiffPage::copyText(CopyFormat format) const { return viewText(*m_table, format); }

} // namespace gufo::ui

#include "moc_template_diff_page.cpp"
