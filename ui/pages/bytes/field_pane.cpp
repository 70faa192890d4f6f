#include "ui/pages/bytes/field_pane.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/field_text.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/bytes/field_model.h"
#include "ui/widgets/rows_table.h"
#include "ui/widgets/text_color.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kMinDetail = 220;
constexpr std::size_t kShownFields = 1'000;
constexpr std::size_t kShownShares = 24;
// Columns of the fields.
constexpr int kCellPadding = 14;
constexpr int kLeastField = 110;
constexpr int kMostField = 230;
constexpr int kLeastOwner = 96;
constexpr int kMostOwner = 170;
constexpr int kLeastType = 44;
constexpr int kMostType = 90;

class FieldWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::BytesPage)
};

// Whether the field belongs to a key; otherwise `of` is a tensor, an entry or nothing.
bool isOfKey(FieldRole role) {
    switch (role) {
    case FieldRole::KeyLength:
    case FieldRole::Key:
    case FieldRole::ValueLength:
    case FieldRole::ValueType:
    case FieldRole::StoredValue:
    case FieldRole::ElementType:
    case FieldRole::ElementCount:
    case FieldRole::ElementLength:
    case FieldRole::Element:
    case FieldRole::Hyperparameter:
        return true;
    default:
        return false;
    }
}

// The tensor that a field is a part of; a field of its blocks is named after the tensor and the part.
std::string_view tensorOf(const Model& model, std::string_view of) {
    const std::string_view tensor = of.substr(0, of.rfind('/'));
    return !model.findTensor(of) && model.findTensor(tensor) ? tensor : of;
}

QString rangeText(ByteRange range) {
    return FieldWords::tr("%1 to %2").arg(formatCount(range.offset), formatCount(range.offset + range.length - 1));
}

} // namespace

FieldPane::FieldPane(ByteWindow* window, HexView* view, QWidget* parent)
    : QWidget(parent)
    , m_window(window)
    , m_view(view)
    , m_fields(new FieldModel(this))
    , m_heading(themedLabel({}, TextStyle::Section, Token::Text, this))
    , m_meaning(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_link(new QPushButton(this))
    , m_table(makeRowsTable(FieldWords::tr("Fields that are shown"), m_fields, 22, this)) {
    setMinimumWidth(kMinDetail);
    for (QLabel* label : {m_heading, m_meaning}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        label->setFocusPolicy(Qt::NoFocus);
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    }
    m_link->setObjectName(QStringLiteral("link"));
    m_link->setProperty("small", true);
    m_link->hide();
    connect(m_link, &QPushButton::clicked, this, &FieldPane::goBack);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setMinimumSectionSize(40);
    m_table->setTextElideMode(Qt::ElideMiddle); // the ends of names tell them apart
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_heading);
    layout->addWidget(m_meaning);
    layout->addWidget(m_link, 0, Qt::AlignLeft);
    layout->addWidget(m_table, 1);
    connect(m_view, &HexView::cursorMoved, this, &FieldPane::showField);
    connect(m_view, &HexView::scrolled, this, &FieldPane::showFields);
    connect(m_window, &ByteWindow::changed, this, &FieldPane::showFields);
    connect(m_table, &QTableView::clicked, this,
            [this](const QModelIndex& index) { m_view->select(m_fields->field(index.row()).range); });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        m_view->select(m_fields->field(index.row()).range);
        m_view->setFocus();
    });
}

void FieldPane::showFields() {
    std::vector<ByteField> fields;
    for (const ByteField* field : m_window->fieldsIn(m_view->shown())) {
        if (fields.size() == kShownFields) {
            break;
        }
        fields.push_back(*field);
    }
    m_fields->setFields(std::move(fields), m_window->size());
    fitColumns();
    showField();
}

// Columns grow while the file is scrolled, but do not shrink, so that they stay where they are.
void FieldPane::fitColumns() {
    const QFontMetrics digits(themeFont(TextStyle::Mono));
    const int offset = digits.horizontalAdvance(QString::number(m_window->size())) + kCellPadding;
    m_table->setColumnWidth(
        FieldModel::Offset,
        std::max({offset, m_table->horizontalHeader()->sectionSizeHint(FieldModel::Offset),
                  static_cast<QAbstractItemView*>(m_table)->sizeHintForColumn(FieldModel::Offset)}));
    const auto grow = [this](FieldModel::Column column, int least, int most) {
        const int wanted = static_cast<QAbstractItemView*>(m_table)->sizeHintForColumn(column);
        m_table->setColumnWidth(column, std::clamp(std::max(wanted, m_table->columnWidth(column)), least, most));
    };
    grow(FieldModel::Field, kLeastField, kMostField);
    grow(FieldModel::Owner, kLeastOwner, kMostOwner);
    grow(FieldModel::Type, kLeastType, kMostType);
}

void FieldPane::showField() {
    const ByteRange chosen = m_view->selection();
    const ByteField* field = m_window->fieldAt(m_view->cursor());
    const bool several = chosen.length > 1;
    QStringList lines;
    if (chosen.length != 0) {
        lines << (several ? FieldWords::tr("Bytes %1, %2 of them").arg(rangeText(chosen), formatCount(chosen.length))
                          : FieldWords::tr("Byte %1, 0x%2")
                                .arg(formatCount(chosen.offset), QString::number(chosen.offset, 16).toUpper()));
    }
    m_heading->setText(field != nullptr ? fieldText(*field) : QString());
    m_link->setVisible(false);
    if (field != nullptr) {
        lines << FieldWords::tr("%n bytes from %1 on", nullptr, numerus(field->range.length))
                     .arg(formatCount(field->range.offset));
        if (field->damage != nullptr) {
            lines << FieldWords::tr("Damage: %1").arg(damageText(*field->damage));
        }
        if (!field->type.empty()) {
            lines << FieldWords::tr("Type: %1").arg(displayText(field->type));
        }
        if (field->bits.empty()) {
            if (const QString value = fieldValueText(*field); !value.isEmpty()) {
                lines << FieldWords::tr("Value: %1").arg(value);
            }
        }
        for (std::size_t i = 0; i < std::min(field->bits.size(), kShownShares); ++i) {
            lines << bitShareText(field->bits[i]);
        }
        if (field->bits.size() > kShownShares) {
            lines << FieldWords::tr("and %n more", nullptr, numerus(field->bits.size() - kShownShares));
        }
        const bool known = m_model != nullptr;
        const bool key = known && isOfKey(field->role) && m_model->metadata.find(field->of) != nullptr;
        const bool tensor = known && !key && m_model->findTensor(tensorOf(*m_model, field->of)).has_value();
        m_link->setText(key ? FieldWords::tr("Show the key") : FieldWords::tr("Show the tensor"));
        m_link->setVisible(key || tensor);
        const int row = m_fields->rowOf(m_view->cursor());
        if (row >= 0) {
            m_table->selectRow(row);
        }
    }
    m_meaning->setText(lines.join(u'\n'));
    if (isVisible()) {
        emit said(field != nullptr ? fieldText(*field) : QString());
    }
}

void FieldPane::goBack() {
    const ByteField* field = m_window->fieldAt(m_view->cursor());
    if (field == nullptr || m_model == nullptr) {
        return;
    }
    const bool element = field->role == FieldRole::Element || field->role == FieldRole::ElementLength;
    if (isOfKey(field->role)) {
        emit placeRequested(Place::key(field->of, element ? field->element : std::nullopt));
        return;
    }
    const bool weights = field->role == FieldRole::Weight || field->role == FieldRole::BlockNumber ||
                         field->role == FieldRole::BlockBits;
    std::optional<std::uint64_t> weight = weights ? field->element : std::nullopt;
    if (weight && !field->bits.empty() && field->bits.front().what == BitShare::What::Code) {
        *weight += field->bits.front().index;
    }
    emit placeRequested(Place::tensor(std::string(tensorOf(*m_model, field->of)), weight));
}

} // namespace gufo::ui

#include "moc_field_pane.cpp"
