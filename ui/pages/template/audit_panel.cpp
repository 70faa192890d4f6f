#include "ui/pages/template/audit_panel.h"

#include "text/line_diff.h"
#include "text/template/template_markers.h"
#include "text/tokenizer/tokenizer.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"
#include "ui/messages/template_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/marks.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStyledItemDelegate>
#include <QTextBlock>

#include <algorithm>
#include <iterator>
#include <span>

namespace gufo::ui {
namespace {

constexpr int kRowHeight = 40;
constexpr int kMarkSize = 16;

Mark markFor(const AuditModel::Row& row) {
    if (row.remark) {
        return markOf(row.remark->finding.severity());
    }
    switch (row.finding->kind()) {
    case text::AuditKind::Threat:
    case text::AuditKind::Error:
        return Mark::Error;
    case text::AuditKind::Warning:
        return Mark::Warning;
    case text::AuditKind::Note:
        break;
    }
    return Mark::Note;
}

QString titleOf(const AuditModel::Row& row) {
    return row.remark ? findingTitle(row.remark->finding) : auditTitle(row.finding->code);
}

QString messageOf(const AuditModel::Row& row) {
    return row.remark ? findingMessage(row.remark->finding) : auditMessage(*row.finding);
}

QString placeOf(const AuditModel::Row& row) {
    const QString kind = row.finding && row.finding->kind() == text::AuditKind::Threat ? AuditPanel::tr("Threat")
                                                                                       : markName(markFor(row));
    return row.line > 0 ? AuditPanel::tr("%1, line %2").arg(kind).arg(row.line) : kind;
}

// A severity mark, the title, and below it the kind and the line.
class AuditDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {200, std::max(kRowHeight, 2 * option.fontMetrics.height() + 8)};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const auto* row = static_cast<const AuditModel*>(index.model())->row(index);
        if (row == nullptr) {
            return;
        }
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if ((option.state & QStyle::State_Selected) != 0) {
            painter->fillRect(option.rect, themeColor(Token::Selection));
        }
        const QRect mark(option.rect.left() + 10, option.rect.center().y() - kMarkSize / 2, kMarkSize, kMarkSize);
        paintMark(*painter, mark, markFor(*row));
        const QRect area = option.rect.adjusted(36, 3, -8, -3);
        const auto line = [&](const QRect& where, const QFont& font, Token color, const QString& text) {
            painter->setFont(font);
            painter->setPen(themeColor(color));
            painter->drawText(where, Qt::AlignVCenter | Qt::AlignLeft,
                              QFontMetrics(font).elidedText(text, Qt::ElideRight, where.width()));
        };
        const int half = area.height() / 2;
        line(QRect(area.left(), area.top(), area.width(), half), themeFont(TextStyle::Table), Token::Text,
             titleOf(*row));
        line(QRect(area.left(), area.top() + half, area.width(), half), themeFont(TextStyle::Axis), Token::Muted,
             placeOf(*row));
        painter->restore();
    }
};

// What a conversation of a witness consists of, in one line: "system: …; user: …".
QString saidIn(const text::AuditSide& side) {
    constexpr qsizetype kShown = 60;
    QStringList messages;
    for (const QJsonValue& each : QJsonDocument::fromJson(QByteArray::fromStdString(side.messages)).array()) {
        const QString content = each[QStringLiteral("content")].toString().simplified();
        const QString shown = content.size() > kShown ? content.left(kShown) + QStringLiteral("…") : content;
        messages << each[QStringLiteral("role")].toString() + QStringLiteral(": ") + shown;
    }
    return messages.join(QStringLiteral("\n"));
}

// A word, or a character that is not a part of one; whole lines in long texts, which are compared in less detail.
struct Piece {
    std::string text;
    int begin = 0;
    int end = 0;
};

std::vector<Piece> piecesOf(const QString& text) {
    constexpr qsizetype kMostInWords = 16 * 1024; // characters, which are compared within some milliseconds
    const bool words = text.size() <= kMostInWords;
    std::vector<Piece> pieces;
    for (qsizetype begin = 0, end = 0; begin < text.size(); begin = end) {
        if (words) {
            while (end < text.size() && (text[end].isLetterOrNumber() || text[end].isSurrogate())) {
                ++end;
            }
            end = std::max(end, begin + 1);
        } else {
            const qsizetype newline = text.indexOf(u'\n', begin);
            end = newline < 0 ? text.size() : newline + 1;
        }
        pieces.push_back({.text = text.mid(begin, end - begin).toStdString(),
                          .begin = static_cast<int>(begin),
                          .end = static_cast<int>(end)});
    }
    return pieces;
}

std::vector<std::string_view> textsOf(std::span<const Piece> pieces) {
    std::vector<std::string_view> texts;
    texts.reserve(pieces.size());
    std::ranges::transform(pieces, std::back_inserter(texts), &Piece::text);
    return texts;
}

} // namespace

void AuditModel::setRows(std::vector<Row> rows) {
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

const AuditModel::Row* AuditModel::row(const QModelIndex& index) const {
    const auto i = static_cast<std::size_t>(index.row());
    return index.isValid() && i < m_rows.size() ? &m_rows[i] : nullptr;
}

int AuditModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant AuditModel::data(const QModelIndex& index, int role) const {
    const Row* found = row(index);
    if (found == nullptr) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return titleOf(*found);
    case Qt::ToolTipRole:
        return plainToolTip(displayText(messageOf(*found).toStdString()));
    case Qt::AccessibleTextRole:
        return placeOf(*found) + QStringLiteral(": ") + titleOf(*found);
    default:
        return {};
    }
}

WitnessView::WitnessView(bool added, QWidget* parent)
    : QPlainTextEdit(parent)
    , m_added(added) {
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    connect(&Theme::instance(), &Theme::changed, this, &WitnessView::restyle);
    restyle();
}

void WitnessView::setTexts(const QString& text, const QString& other) {
    const std::vector<Piece> own = piecesOf(text);
    m_different.clear();
    for (const text::DiffLine& piece : text::diffLines(textsOf(piecesOf(other)), textsOf(own))) {
        if (piece.kind != text::DiffLine::Kind::Added) {
            continue;
        }
        const Piece& added = own[piece.after];
        if (!m_different.empty() && m_different.back().end == added.begin) {
            m_different.back().end = added.end;
        } else {
            m_different.push_back({.begin = added.begin, .end = added.end});
        }
    }
    setPlainText(text);
    paintDifferences();
    if (!m_different.empty()) {
        QTextCursor first(document());
        first.setPosition(m_different.front().begin);
        setTextCursor(first);
        centerCursor();
    }
}

void WitnessView::restyle() {
    setFont(themeFont(TextStyle::Mono));
    paintDifferences();
}

void WitnessView::paintDifferences() {
    QList<QTextEdit::ExtraSelection> marks;
    for (const Range& range : m_different) {
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(document());
        mark.cursor.setPosition(range.begin);
        mark.cursor.setPosition(range.end, QTextCursor::KeepAnchor);
        mark.format.setBackground(themeColor(m_added ? Token::ErrorFill : Token::UserDefinedChip));
        mark.format.setForeground(themeColor(m_added ? Token::ErrorText : Token::UserDefinedChipText));
        marks.append(mark);
    }
    setExtraSelections(marks);
}

AuditPanel::AuditPanel(QWidget* parent)
    : QWidget(parent)
    , m_verdict(themedLabel({}, TextStyle::Table, Token::Text, this))
    , m_progress(new JobBar(this))
    , m_again(new QPushButton(tr("Audit Again"), this))
    , m_model(new AuditModel(this))
    , m_list(new QListView(this))
    , m_message(themedLabel({}, TextStyle::Table, Token::Text, this))
    , m_repair(new QPushButton(this))
    , m_goTo(new QPushButton(tr("Go to Line"), this))
    , m_titleA(themedLabel({}, TextStyle::Axis, Token::Muted, this))
    , m_titleB(themedLabel({}, TextStyle::Axis, Token::Muted, this))
    , m_a(new WitnessView(false, this))
    , m_b(new WitnessView(true, this))
    , m_witness(new QWidget(this)) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_verdict->setObjectName(QStringLiteral("auditVerdict"));
    m_verdict->setTextFormat(Qt::PlainText);
    m_message->setObjectName(QStringLiteral("auditMessage"));
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_repair->setObjectName(QStringLiteral("auditRepair"));
    m_a->setAccessibleName(tr("Rendering of the first conversation"));
    m_b->setAccessibleName(tr("Rendering of the second conversation"));
    m_list->setAccessibleName(tr("Findings of the audit"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new AuditDelegate(m_list));
    m_list->setMinimumWidth(200);
    auto* close = makeToolButton(QStringLiteral("close"), tr("Close the audit"), this);
    auto* strip = new ToolStrip(this);
    auto* line = static_cast<QHBoxLayout*>(strip->layout());
    line->addWidget(themedLabel(tr("Audit"), TextStyle::Section, Token::Text, strip));
    line->addSpacing(8);
    line->addWidget(m_verdict);
    line->addWidget(m_progress, 1);
    line->addStretch(1);
    line->addWidget(m_again);
    line->addWidget(close);

    auto* views = new QHBoxLayout(m_witness);
    views->setContentsMargins(0, 0, 0, 0);
    views->setSpacing(0);
    for (const auto& [title, view] : {std::pair{m_titleA, m_a}, std::pair{m_titleB, m_b}}) {
        auto* column = new QVBoxLayout;
        title->setContentsMargins(10, 2, 10, 2);
        column->addWidget(title);
        column->addWidget(view, 1);
        views->addLayout(column, 1);
        if (view == m_a) {
            views->addWidget(makeSeparator(Qt::Vertical, m_witness));
        }
    }
    auto* details = new QWidget(this);
    auto* detailsLayout = new QVBoxLayout(details);
    detailsLayout->setContentsMargins(0, 6, 0, 0);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(10, 0, 10, 0);
    top->addWidget(m_message, 1);
    top->addWidget(m_goTo, 0, Qt::AlignTop);
    top->addWidget(m_repair, 0, Qt::AlignTop);
    detailsLayout->addLayout(top);
    detailsLayout->addWidget(m_witness, 1);
    detailsLayout->addStretch(0);
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(m_list);
    splitter->addWidget(details);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 0);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({320, 700});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(strip);
    layout->addWidget(splitter, 1);
    connect(m_again, &QAbstractButton::clicked, this, &AuditPanel::auditRequested);
    connect(close, &QAbstractButton::clicked, this, &AuditPanel::closed);
    connect(m_repair, &QAbstractButton::clicked, this, &AuditPanel::requestRepair);
    connect(m_progress, &JobBar::cancelled, this, [this] {
        m_job.cancel();
        m_again->setEnabled(true);
        m_verdict->setText(tr("The audit was cancelled."));
        emit finished();
    });
    const auto goTo = [this] {
        const AuditModel::Row* row = m_model->row(m_list->currentIndex());
        if (row != nullptr && row->line > 0) {
            emit lineRequested(row->line);
        }
    };
    connect(m_goTo, &QAbstractButton::clicked, this, goTo);
    connect(m_list, &QListView::clicked, this, goTo);
    connect(m_list, &QListView::activated, this, goTo);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &AuditPanel::showSelected);
    showSelected();
}

void AuditPanel::setEditable(bool editable) {
    m_editable = editable;
    showSelected();
}

void AuditPanel::forget() {
    m_job.cancel();
    m_progress->cancel();
    m_again->setEnabled(true);
    m_result.reset();
    m_model->setRows({});
    m_verdict->setText(tr("This template was not audited."));
    showSelected();
}

void AuditPanel::audit(const std::shared_ptr<const Model>& model, std::string key, const QString& source) {
    forget();
    m_key = std::move(key);
    m_verdict->setText(tr("Rendering conversations that differ in one thing…"));
    m_again->setEnabled(false);
    const std::string text = source.toStdString();
    Job* job = m_job.start<Audited>(
        [model, text, key = m_key](const JobContext& context) -> Result<Audited> {
            const auto tokenizer = text::makeTokenizer(*model, context); // its absence is no error
            text::TemplateRenderer renderer;
            Audited audited;
            audited.audit = GUFO_TRY(text::auditTemplate(
                model->metadata, text, renderer, {.tokenizer = tokenizer ? tokenizer->get() : nullptr}, context));
            audited.remarks = templateRemarks(*model, key, context);
            return audited;
        },
        [this, text](Result<Audited> audited) {
            m_progress->cancel();
            m_again->setEnabled(true);
            if (audited) {
                showFindings(*std::move(audited), text);
            } else {
                m_verdict->setText(errorLine(audited.error()));
            }
            emit finished();
        });
    m_progress->watch(job, {});
}

void AuditPanel::showFindings(Audited audited, std::string_view source) {
    std::vector<AuditModel::Row> rows;
    for (const auto* list : {&audited.audit.threats, &audited.audit.faults}) {
        for (const text::AuditFinding& finding : *list) {
            rows.push_back({.finding = finding, .line = finding.line});
        }
    }
    // What the audit and validation both find is listed once.
    for (TemplateRemark& remark : audited.remarks) {
        const int line = remark.end > remark.begin ? static_cast<int>(text::lineAt(source, remark.begin)) : 0;
        rows.push_back({.remark = std::move(remark), .line = line});
    }
    const auto rank = [](const AuditModel::Row& row) {
        return row.finding && row.finding->kind() == text::AuditKind::Threat ? -1 : 3 - static_cast<int>(markFor(row));
    };
    std::vector<AuditModel::Row> sorted;
    for (int wanted = -1; wanted <= 3; ++wanted) {
        std::ranges::copy_if(rows, std::back_inserter(sorted), [&](const auto& row) { return rank(row) == wanted; });
    }
    m_result = std::move(audited.audit);
    m_model->setRows(std::move(sorted));
    m_list->setCurrentIndex(m_model->index(0));
    showVerdict();
    showSelected();
}

void AuditPanel::showVerdict() {
    QStringList parts;
    if (!m_result->isJudged()) {
        parts << tr("Not judged: %1").arg(unjudgedText(m_result->reason));
    } else {
        const QString threats = m_result->threats.empty()
                                    ? tr("No threat found")
                                    : tr("%n threats found", nullptr, numerus(m_result->threats.size()));
        parts << (m_model->rowCount() > static_cast<int>(m_result->threats.size())
                      ? tr("%1; other remarks: %2.")
                            .arg(threats,
                                 formatCount(static_cast<std::size_t>(m_model->rowCount()) - m_result->threats.size()))
                      : threats + QLatin1Char('.'));
    }
    if (const QString family = familyText(*m_result); !family.isEmpty()) {
        parts << family;
    }
    m_verdict->setText(parts.join(QLatin1Char(' ')));
    setTextColor(m_verdict, m_result->isClean() ? Token::Text : Token::ErrorText);
}

void AuditPanel::showSelected() {
    const AuditModel::Row* row = m_model->row(m_list->currentIndex());
    m_message->setText(row != nullptr ? messageOf(*row) : QString());
    m_goTo->setVisible(row != nullptr && row->line > 0);
    const bool repairs = row != nullptr && m_editable && !repairOf(*row).empty();
    m_repair->setVisible(repairs);
    if (repairs) {
        m_repair->setText(row->remark ? fixLabel(row->remark->finding.code) : tr("Repair"));
        m_repair->setToolTip(
            plainToolTip(row->remark ? fixConsequence(row->remark->finding.code) : auditRepair(*row->finding)));
    }
    const bool hasWitness = row != nullptr && row->finding && row->finding->witness;
    m_witness->setVisible(hasWitness);
    if (!hasWitness) {
        return;
    }
    const text::AuditWitness& witness = *row->finding->witness;
    const auto titled = [](QLabel* label, const QString& title, const text::AuditSide& side) {
        label->setText(title);
        label->setToolTip(plainToolTip(saidIn(side)));
    };
    const bool byDate = witness.a.date != witness.b.date;
    titled(m_titleA,
           byDate ? witness.a.date.toString(Qt::ISODate) : tr("Rendering of a conversation of invented words"),
           witness.a);
    titled(m_titleB,
           byDate ? witness.b.date.toString(Qt::ISODate)
           : witness.forced
               ? tr("The same, if the condition in line %1 has the other outcome").arg(witness.forced->line)
               : tr("Rendering of the same with one difference"),
           witness.b);
    const auto shown = [](const std::string& rendered) { // a document counts the end of a line as one character
        return QString::fromStdString(rendered).replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
    };
    const QString a = shown(witness.a.rendered);
    const QString b = shown(witness.b.rendered);
    m_a->setTexts(a, b);
    m_b->setTexts(b, a);
}

std::vector<Change> AuditPanel::repairOf(const AuditModel::Row& row) const {
    if (row.remark) {
        return row.remark->fix;
    }
    if (row.finding->source) {
        return {SetKey{.key = m_key, .value = OwnedValue::string(*row.finding->source)}};
    }
    return row.finding->change ? std::vector<Change>{*row.finding->change} : std::vector<Change>{};
}

void AuditPanel::requestRepair() {
    if (const AuditModel::Row* row = m_model->row(m_list->currentIndex()); row != nullptr) {
        const QString label = row->remark ? fixLabel(row->remark->finding.code) : auditTitle(row->finding->code);
        const std::vector<Change> changes = repairOf(*row);
        emit repairRequested(changes, label);
    }
}

} // namespace gufo::ui

#include "moc_audit_panel.cpp"
