#include "ui/pages/metadata/value_pane.h"

#include "ui/document/model_document.h"
#include "ui/messages/figure_text.h"
#include "ui/widgets/disconnect_children.h"

#include <QCoreApplication>

namespace gufo::ui {
namespace {

class ValueWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::MetadataPage)
};

} // namespace

ValuePane::ValuePane(MetadataModel* keys, QWidget* parent)
    : QStackedWidget(parent)
    , m_keys(keys)
    , m_array(new ArrayPane(this))
    , m_text(new TextPane(this)) {
    addWidget(m_array);
    addWidget(m_text);
    hide();
    setMinimumWidth(320);
    connect(m_array, &ArrayPane::closed, this, &ValuePane::close);
    connect(m_text, &TextPane::closed, this, &ValuePane::close);
    connect(m_array, &ArrayPane::said, this, &ValuePane::said);
    connect(m_text, &TextPane::said, this, &ValuePane::said);
    connect(m_text, &TextPane::copyRequested, this, &ValuePane::copyRequested);
    connect(m_text, &TextPane::edited, this, [this](const std::string& key, const std::string& bytes) {
        m_document->apply({SetKey{.key = key, .value = OwnedValue::string(bytes)}},
                          ValueWords::tr("Edit %1").arg(displayText(key)),
                          QStringLiteral("text ") + QString::fromStdString(key));
    });
}

ValuePane::~ValuePane() { disconnectChildren(*this); }

void ValuePane::setDocument(ModelDocument* document) {
    m_document = document;
    m_array->setDocument(document);
}

void ValuePane::followEditable() {
    const Model* model = m_document != nullptr ? m_document->current().get() : m_keys->model();
    if (model == nullptr || m_text->key().empty()) {
        return;
    }
    if (const auto text = model->metadata.string(m_text->key())) {
        m_text->follow(*text, m_document == nullptr ? ValueWords::tr("Read-only")
                              : m_document->can(Capability::EditMetadata)
                                  ? QString()
                                  : m_document->whyNot(Capability::EditMetadata));
    }
}

void ValuePane::showRow(const QModelIndex& row, bool asked) {
    m_text->commit(); // first, because it may create another snapshot
    const KeyValue* entry = m_keys->entry(row);
    m_isClosed = m_isClosed && !asked;
    if (entry == nullptr || m_isClosed) {
        hide();
        return;
    }
    const auto text = asString(entry->value);
    if (asArray(entry->value) != nullptr) {
        const bool shown = isVisible() && currentWidget() == m_array && m_array->key() == entry->key;
        open(m_array);
        if (asked || !shown) { // otherwise an array nested in it may be shown
            m_array->open(std::string(entry->key));
        }
    } else if (text && MetadataModel::isLongText(*text)) {
        open(m_text);
        fillText(row, *entry);
    } else if (text && currentWidget() == m_text && m_text->key() == entry->key && isVisible()) {
        fillText(row, *entry); // the text has become short while it is being edited
    } else {
        hide();
    }
}

void ValuePane::fillText(const QModelIndex& row, const KeyValue& entry) {
    const bool first = m_keys->isFirst(*m_keys->kvOf(row));
    m_text->setText(std::string(entry.key), *asString(entry.value),
                    m_document == nullptr                        ? ValueWords::tr("Read-only")
                    : !m_document->can(Capability::EditMetadata) ? m_document->whyNot(Capability::EditMetadata)
                    : first                                      ? QString()
                            : ValueWords::tr("The file contains this key twice; this one can only be deleted."));
}

void ValuePane::showElement(const std::string& key, std::optional<std::uint64_t> index) {
    m_isClosed = false;
    open(m_array);
    m_array->open(key, {}, index);
}

bool ValuePane::focusText() {
    if (!isVisible() || currentWidget() != m_text) {
        return false;
    }
    m_text->view()->setFocus();
    return true;
}

void ValuePane::open(QWidget* pane) {
    setCurrentWidget(pane);
    show();
}

void ValuePane::close() {
    m_isClosed = true;
    hide();
    emit closed();
}

} // namespace gufo::ui

#include "moc_value_pane.cpp"
