#include "ui/compare/file_chips.h"

#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/native_path.h"
#include "ui/theme/series_paint.h"
#include "ui/theme/style_shapes.h"
#include "ui/widgets/elided_label.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace gufo::ui {
namespace {

constexpr int kHeight = 26;
constexpr int kPadding = 9;
constexpr int kSquare = 9;
constexpr int kSquareGap = 7;
constexpr int kFactsGap = 8;
constexpr int kArrow = 16;
constexpr int kMinLabel = 34;
constexpr int kNarrowPadding = 4; // at the right of a chip without an arrow
constexpr int kRowGap = 6;        // between chips and between rows

} // namespace

FileChip::FileChip(QWidget* parent)
    : QAbstractButton(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void FileChip::setFile(const QString& label, const QString& facts, int series, const QString& problem) {
    setText(label);
    m_short = label;
    m_facts = problem.isEmpty() ? facts : tr("cannot be read");
    m_series = series;
    m_broken = !problem.isEmpty();
    setAccessibleName(QStringLiteral("%1, %2").arg(label, problem.isEmpty() ? facts : problem));
    updateGeometry();
    update();
}

void FileChip::setShortLabel(const QString& label) {
    m_short = label;
    update();
}

int FileChip::widthOfName() const {
    return 2 * kPadding + kSquare + kSquareGap + QFontMetrics(themeFont(TextStyle::Table)).horizontalAdvance(m_short) +
           kArrow + 2;
}

QSize FileChip::sizeHint() const {
    const QFontMetrics table(themeFont(TextStyle::Table));
    const QFontMetrics axis(themeFont(TextStyle::Axis));
    return {2 * kPadding + kSquare + kSquareGap + table.horizontalAdvance(text()) + kFactsGap +
                axis.horizontalAdvance(m_facts) + kArrow + 2,
            kHeight};
}

QSize FileChip::minimumSizeHint() const { return {2 * kPadding + kSquare + kSquareGap + kMinLabel + kArrow, kHeight}; }

void FileChip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(themeColor(hasFocus() ? Token::Accent : Token::StrongLine));
    painter.setBrush(themeColor(m_broken                   ? Token::ErrorFill
                                : underMouse() || isDown() ? Token::ButtonHover
                                                           : Token::Button));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QRect square(kPadding, (height() - kSquare) / 2, kSquare, kSquare);
    if (m_broken) {
        drawIcon(&painter, square.adjusted(-2, -2, 2, 2), QStringLiteral("error"), Token::ErrorText, 13);
    } else {
        paintSeriesMark(painter, QRectF(square).center(), kSquare, m_series);
    }
    const int left = square.right() + 1 + kSquareGap;
    painter.setFont(themeFont(TextStyle::Table));
    painter.setPen(themeColor(Token::Text));
    // A name matters more than the arrow: in small windows, "Q5_K_M" and "Q4_K_M" would both be "Q…M".
    const bool hasArrow = painter.fontMetrics().horizontalAdvance(m_short) <= width() - left - kPadding - kArrow;
    const int room = width() - left - (hasArrow ? kPadding + kArrow : kNarrowPadding);
    const bool fits = painter.fontMetrics().horizontalAdvance(text()) <= room;
    const QString label = painter.fontMetrics().elidedText(fits ? text() : m_short, Qt::ElideMiddle, room);
    painter.drawText(QRect(left, 0, room, height()), Qt::AlignVCenter | Qt::TextSingleLine, label);
    const int used = painter.fontMetrics().horizontalAdvance(label) + kFactsGap;
    painter.setFont(themeFont(TextStyle::Axis));
    painter.setPen(themeColor(m_broken ? Token::ErrorText : Token::Muted));
    // Facts that do not fit are left out, the last ones first.
    const auto isWide = [&](const QString& facts) {
        return painter.fontMetrics().horizontalAdvance(facts) > room - used;
    };
    QString facts = m_facts;
    while (isWide(facts) && facts.contains(QLatin1String(", "))) {
        facts.truncate(facts.lastIndexOf(QLatin1String(", ")));
    }
    if (!isWide(facts)) {
        painter.drawText(QRect(left + used, 0, room - used, height()), Qt::AlignVCenter | Qt::TextSingleLine, facts);
    }
    if (hasArrow) {
        drawIcon(&painter, QRect(width() - kPadding - 9, 0, 12, height()), QStringLiteral("chevron-down"), Token::Muted,
                 12);
    }
}

FileChips::FileChips(Comparison& comparison, QWidget* parent)
    : QWidget(parent)
    , m_comparison(comparison) {
    setAccessibleName(tr("Files compared"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kRowGap);
    for (QHBoxLayout*& row : m_layouts) {
        row = new QHBoxLayout;
        row->setSpacing(kRowGap);
        column->addLayout(row);
    }
    connect(&comparison, &Comparison::filesChanged, this, &FileChips::refill);
    refill();
}

void FileChips::refill() {
    for (FileChip* chip : m_chips) { // deferred, because one of them may be the caller
        m_layouts[0]->removeWidget(chip);
        m_layouts[1]->removeWidget(chip);
        chip->hide();
        chip->deleteLater();
    }
    m_chips.clear();
    const auto add = [this](const hub::ModelPlace& place, bool readable) {
        auto* chip = new FileChip(this);
        m_chips.push_back(chip);
        connect(chip, &QAbstractButton::clicked, this,
                [this, chip, place, readable] { showMenu(chip, place, readable); });
        return chip;
    };
    for (std::size_t i = 0; i < m_comparison.files().size(); ++i) {
        const ComparedFile& file = m_comparison.files()[i];
        QStringList facts{formatBytes(file.totals.fileBytes)};
        if (file.totals.bitsPerWeight) {
            facts << formatBitsPerWeight(*file.totals.bitsPerWeight);
        }
        if (i == m_comparison.reference()) {
            facts << tr("reference");
        }
        FileChip* chip = add(file.place, true);
        chip->setFile(file.label, facts.join(QStringLiteral(", ")), file.series, {});
        QStringList lines{pathText(file.place), facts.join(QStringLiteral(", "))};
        if (file.totals.bitsPerWeight) {
            lines[1] = tr("%1, %2 bits/weight")
                           .arg(formatBytes(file.totals.fileBytes), formatBitsPerWeight(*file.totals.bitsPerWeight));
        }
        chip->setToolTip(plainToolTip(lines.join(u'\n')));
    }
    for (const UnreadableFile& file : m_comparison.unreadable()) {
        FileChip* chip = add(file.place, false);
        chip->setFile(modelNameText(file.place), {}, -1, errorReason(file.error));
        chip->setToolTip(plainToolTip(QStringLiteral("%1\n%2").arg(pathText(file.place), errorReason(file.error))));
    }
    QStringList names;
    for (const FileChip* chip : m_chips) {
        names.append(chip->text());
    }
    const QStringList distinct = distinctParts(names);
    for (std::size_t i = 0; i < m_chips.size(); ++i) {
        m_chips[i]->setShortLabel(distinct[static_cast<qsizetype>(i)]);
    }
    arrange();
}

QSize FileChips::minimumSizeHint() const {
    const int inRow = static_cast<int>(m_chips.size() + 1) / 2;
    const int chip = m_chips.empty() ? 0 : m_chips.front()->minimumSizeHint().width();
    return {std::max(1, inRow) * (chip + kRowGap) - kRowGap, m_rows * (kHeight + kRowGap) - kRowGap};
}

void FileChips::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void FileChips::arrange() {
    int needed = -kRowGap;
    for (const FileChip* chip : m_chips) {
        needed += chip->widthOfName() + kRowGap;
    }
    const int rows = needed > width() && m_chips.size() > 1 ? 2 : 1;
    const std::size_t inFirst = rows == 1 ? m_chips.size() : (m_chips.size() + 1) / 2;
    const auto wanted = [&](std::size_t i) { return m_layouts[i < inFirst ? 0 : 1]; };
    bool isArranged = true;
    for (std::size_t i = 0; i < m_chips.size(); ++i) {
        isArranged = isArranged && wanted(i)->indexOf(m_chips[i]) >= 0;
    }
    for (std::size_t i = 0; i < m_chips.size() && !isArranged; ++i) { // all again, in the order of the files
        m_layouts[0]->removeWidget(m_chips[i]);
        m_layouts[1]->removeWidget(m_chips[i]);
        wanted(i)->addWidget(m_chips[i]);
    }
    if (std::exchange(m_rows, rows) != rows) {
        updateGeometry();
        emit rowsChanged(rows);
    }
}

QStringList distinctParts(const QStringList& names) {
    constexpr qsizetype kShortest = 4; // of a part that is left out
    if (names.size() < 2) {
        return names;
    }
    qsizetype begin = names.front().size();
    qsizetype end = begin;
    for (const QString& name : names) {
        qsizetype same = 0;
        while (same < std::min(begin, name.size()) && name[same] == names.front()[same]) {
            ++same;
        }
        begin = std::min(same, std::max<qsizetype>(0, name.size() - 1)); // something of each name stays
        same = 0;
        while (same < std::min(end, name.size()) &&
               name[name.size() - 1 - same] == names.front()[names.front().size() - 1 - same]) {
            ++same;
        }
        end = same;
    }
    begin = begin < kShortest ? 0 : begin;
    QStringList parts;
    for (const QString& name : names) {
        // The beginning and the end may overlap in a short name.
        const qsizetype last = end < kShortest ? 0 : std::min(end, std::max<qsizetype>(0, name.size() - begin - 1));
        const QString middle = name.mid(begin, name.size() - begin - last);
        parts.append((begin > 0 ? QStringLiteral("…") : QString()) + middle +
                     (last > 0 ? QStringLiteral("…") : QString()));
    }
    return parts;
}

void FileChips::showMenu(FileChip* chip, const hub::ModelPlace& file, bool readable) {
    auto* menu = new QMenu(chip);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (readable) {
        QAction* reference = menu->addAction(tr("Make &Reference"), this, [this, file] { emit referenceChosen(file); });
        reference->setEnabled(m_comparison.referencePlace() != file);
        menu->addAction(tr("&Open in a Tab"), this, [this, file] { emit openRequested(file); });
    }
    menu->addAction(tr("Copy File &Path"), this, [file] { QGuiApplication::clipboard()->setText(copiedText(file)); });
    menu->addSeparator();
    QAction* remove = menu->addAction(tr("Remo&ve"), this, [this, file] { emit removed(file); });
    remove->setEnabled(m_comparison.places().size() > 1);
    menu->popup(chip->mapToGlobal(QPoint(0, chip->height() + 2)));
}

} // namespace gufo::ui

#include "moc_file_chips.cpp"
