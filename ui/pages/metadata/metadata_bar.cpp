#include "ui/pages/metadata/metadata_bar.h"

#include "ui/document/model_document.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/folded_buttons.h"
#include "ui/widgets/text_color.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QSignalBlocker>

namespace gufo::ui {
namespace {

class BarWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::MetadataPage)
};

} // namespace

MetadataBar::MetadataBar(QWidget* parent)
    : ToolStrip(parent)
    , m_filter(new FilterField(BarWords::tr("Filter by key, value or meaning"), this))
    , m_type(new QComboBox(this))
    , m_layout(new SegmentedControl(BarWords::tr("Layout"), this))
    , m_undo(new QToolButton(this))
    , m_redo(new QToolButton(this))
    , m_undoLine(new QFrame(this))
    , m_addKey(new QPushButton(BarWords::tr("Add key…"), this))
    , m_import(new QPushButton(BarWords::tr("Import…"), this))
    , m_export(new QPushButton(BarWords::tr("Export…"), this))
    , m_bar(new JobBar(this))
    , m_message(themedLabel({}, TextStyle::Table, Token::Muted, this)) {
    m_filter->setMinimumWidth(150);
    m_filter->setMaximumWidth(260);
    m_filter->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_type->setAccessibleName(BarWords::tr("Type"));
    m_type->addItem(BarWords::tr("All types"));
    for (const ValueTypeFact& type : valueTypes()) {
        m_type->addItem(latin1(type.name), static_cast<uint>(type.type));
    }
    m_layout->addSegment(BarWords::tr("Tree"), QStringLiteral("tree"), BarWords::tr("Keys by segment"));
    m_layout->addSegment(BarWords::tr("List"), QStringLiteral("list"), BarWords::tr("Full keys in file order"));
    m_export->setIcon(themeIcon(QStringLiteral("export")));
    m_export->setToolTip(BarWords::tr("Write all keys and values to a JSON file"));
    m_message->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* row = static_cast<QHBoxLayout*>(layout());
    row->addWidget(m_filter, 4);
    row->addWidget(m_type);
    row->addWidget(m_layout);
    row->addWidget(m_undoLine);
    row->addWidget(m_undo);
    row->addWidget(m_redo);
    row->addWidget(m_message, 1);
    row->addWidget(m_bar, 1);
    row->addWidget(m_addKey);
    row->addWidget(m_import);
    row->addWidget(m_export);
    new FoldedButtons(this, {m_export, m_import});
    static_cast<QFrame*>(m_undoLine)->setFrameShape(QFrame::VLine);
    m_undoLine->setFixedSize(1, 20);
    m_undo->setIcon(themeIcon(QStringLiteral("undo")));
    m_redo->setIcon(themeIcon(QStringLiteral("redo")));
    for (QToolButton* button : {m_undo, m_redo}) {
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
    }
    m_undo->setAccessibleName(BarWords::tr("Undo"));
    m_redo->setAccessibleName(BarWords::tr("Redo"));
    m_addKey->setIcon(themeIcon(QStringLiteral("plus")));
    m_import->setIcon(themeIcon(QStringLiteral("import")));
    connect(m_undo, &QToolButton::clicked, this, &MetadataBar::undoRequested);
    connect(m_redo, &QToolButton::clicked, this, &MetadataBar::redoRequested);
    connect(m_addKey, &QPushButton::clicked, this, &MetadataBar::addRequested);
    connect(m_import, &QPushButton::clicked, this, &MetadataBar::importRequested);
    connect(m_export, &QPushButton::clicked, this, &MetadataBar::exportRequested);
    connect(m_filter, &FilterField::filterChanged, this, &MetadataBar::filterChanged);
    connect(m_filter, &FilterField::leftDownwards, this, &MetadataBar::filterLeft);
    connect(m_type, &QComboBox::currentIndexChanged, this, &MetadataBar::filterChanged);
    connect(m_layout, &SegmentedControl::chosen, this, &MetadataBar::filterChanged);
}

KeyQuery MetadataBar::query() const {
    KeyQuery query;
    query.layout = showsTree() ? KeyQuery::Layout::Tree : KeyQuery::Layout::List;
    query.text = m_filter->text();
    if (const QVariant type = m_type->currentData(); type.isValid()) {
        query.type = static_cast<ValueType>(type.toUInt());
    }
    return query;
}

void MetadataBar::clearFilter() {
    const QSignalBlocker quietFilter(m_filter);
    const QSignalBlocker quietType(m_type);
    m_filter->clear();
    m_type->setCurrentIndex(0);
}

void MetadataBar::followEditable(const ModelDocument* document) {
    const bool can = document != nullptr && document->can(Capability::EditMetadata);
    const QString why = document != nullptr ? document->whyNot(Capability::EditMetadata) : QString();
    for (QWidget* widget : {static_cast<QWidget*>(m_undo), static_cast<QWidget*>(m_redo), m_undoLine,
                            static_cast<QWidget*>(m_addKey), static_cast<QWidget*>(m_import)}) {
        widget->setVisible(document != nullptr);
    }
    m_addKey->setEnabled(can);
    m_addKey->setToolTip(can ? BarWords::tr("Add a key with its value (Ins)") : why);
    m_import->setEnabled(can);
    m_import->setToolTip(can ? BarWords::tr("Import keys and values from a file") : why);
    const auto step = [&](QToolButton* button, bool possible, const QString& name, const std::string& label) {
        button->setEnabled(can && possible);
        button->setToolTip(possible ? QStringLiteral("%1: %2").arg(name, QString::fromStdString(label)) : name);
    };
    if (document != nullptr) {
        const Document& edited = document->document();
        step(m_undo, edited.canUndo(), BarWords::tr("Undo"), edited.undoLabel());
        step(m_redo, edited.canRedo(), BarWords::tr("Redo"), edited.redoLabel());
    }
}

void MetadataBar::say(const QString& message) {
    m_message->setText(message);
    m_message->setToolTip(plainToolTip(message));
}

} // namespace gufo::ui

#include "moc_metadata_bar.cpp"
