#include "ui/pages/metadata/metadata_edits.h"

#include "base/job_context.h"
#include "base/try.h"
#include "model/array_index.h"
#include "model/encode_value.h"
#include "model/owned_value.h"
#include "model/value_text.h"
#include "ui/document/model_document.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/problem_text.h"
#include "ui/models/key_transfer.h"
#include "ui/pages/metadata/key_dialog.h"
#include "ui/pages/metadata/metadata_files.h"
#include "ui/pages/metadata/metadata_view.h"
#include "ui/pages/metadata/models/metadata_model.h"
#include "ui/pages/metadata/token_picker.h"
#include "ui/shell/file_dialogs.h"
#include "ui/widgets/job_bar.h"

#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMenu>
#include <QString>

#include <algorithm>
#include <map>

namespace gufo::ui {
namespace {

// Converts an array to another element type. For jobs.
struct ArrayConversion {
    OwnedValue array;
    // Set if an element cannot be converted exactly; `array` is then empty.
    struct Refused {
        std::uint64_t index = 0;
        ValueProblem problem{};
    };
    std::optional<Refused> refused{};
};

// Errors: Cancelled; otherwise see ArrayIndex::build.
Result<ArrayConversion> convertArray(const ArrayView& array, ValueType elementType, const JobContext& job) {
    const auto index = GUFO_TRY(ArrayIndex::build(array, job));
    job.start(index.size());
    constexpr std::uint64_t kElementsPerReport = 1024; // elements between two reports of progress
    ArrayBuilder converted(elementType);
    std::string text;
    for (std::uint64_t i = 0; i < index.size(); ++i) {
        if (i % kElementsPerReport == 0) {
            GUFO_TRY(job.check());
            job.advance(i == 0 ? 0 : kElementsPerReport);
        }
        const auto element = convertValue(index.at(i), elementType, text);
        if (!element) {
            return ArrayConversion{.array = {}, .refused = ArrayConversion::Refused{i, element.error()}};
        }
        converted.add(*element);
    }
    return ArrayConversion{.array = OwnedValue(Value(converted.view()))};
}

constexpr std::uint64_t kMaxTextFile = std::uint64_t{64} << 20U;

QByteArray bytesOf(std::string_view text) { return {text.data(), static_cast<qsizetype>(text.size())}; }

std::size_t occurrenceOf(const Metadata& metadata, KvIndex kv) {
    std::size_t before = 0;
    for (std::size_t i = 0; i < kv.value; ++i) {
        before += metadata[KvIndex(i)].key == metadata[kv].key ? 1 : 0;
    }
    return before;
}

} // namespace

MetadataEdits::MetadataEdits(QWidget* page, MetadataView* view, MetadataModel* keys, JobBar* bar)
    : QObject(page)
    , m_page(page)
    , m_view(view)
    , m_keys(keys)
    , m_bar(bar)
    , m_add(action(tr("&Add key…"), QStringLiteral("Ins"), &MetadataEdits::addKey))
    , m_edit(action(tr("&Edit value"), QStringLiteral("F2"), &MetadataEdits::editCurrent))
    , m_rename(action(tr("Re&name…"), QStringLiteral("Shift+F2"), &MetadataEdits::renameCurrent))
    , m_pick(action(tr("C&hoose token…"), QStringLiteral("F4"), &MetadataEdits::pickForCurrent))
    , m_up(action(tr("Move &up"), QStringLiteral("Alt+Up"), &MetadataEdits::moveUp))
    , m_down(action(tr("Move &down"), QStringLiteral("Alt+Down"), &MetadataEdits::moveDown))
    , m_load(action(tr("&Load value from a file…"), {}, &MetadataEdits::loadFromFile))
    , m_revert(action(tr("Re&vert this change"), {}, &MetadataEdits::revertSelected))
    , m_delete(action(tr("De&lete"), QStringLiteral("Del"), &MetadataEdits::deleteSelected))
    , m_paste(action(tr("&Paste keys"), {}, &MetadataEdits::pasteKeys)) {
    connect(m_view, &MetadataView::revertRequested, this, &MetadataEdits::revert);
    connect(m_view, &MetadataView::copyRequested, this, &MetadataEdits::copyKeys);
    connect(m_view, &MetadataView::pasteRequested, this, &MetadataEdits::pasteKeys);
    connect(m_view, &MetadataView::dropped, this, &MetadataEdits::take);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &MetadataEdits::update);
    connect(m_keys, &MetadataModel::typeWanted, this,
            [this](const QModelIndex& index, uint type) { changeType(index, static_cast<ValueType>(type)); });
    update();
}

QAction* MetadataEdits::action(const QString& text, const QString& shortcut, void (MetadataEdits::*slot)()) {
    auto* made = new QAction(text, m_view);
    made->setShortcut(QKeySequence(shortcut));
    made->setShortcutContext(Qt::WidgetShortcut);
    m_view->addAction(made);
    connect(made, &QAction::triggered, this, slot);
    return made;
}

void MetadataEdits::setDocument(ModelDocument* document) {
    m_document = document;
    update();
}

void MetadataEdits::setVocabulary(std::shared_ptr<const TokenArrays> vocabulary) {
    m_vocabulary = std::move(vocabulary);
    update();
}

void MetadataEdits::setFileOrder(bool inFileOrder) {
    m_fileOrder = inFileOrder;
    update();
}

bool MetadataEdits::editable() const { return m_document != nullptr && m_document->can(Capability::EditMetadata); }

QModelIndex MetadataEdits::current() const { return m_view->currentIndex(); }

std::vector<KvIndex> MetadataEdits::selected() const {
    std::vector<KvIndex> keys;
    for (const QModelIndex& row : m_view->selectionModel()->selectedRows()) {
        const std::vector<KvIndex> below = m_keys->keysBelow(row);
        keys.insert(keys.end(), below.begin(), below.end());
    }
    std::ranges::sort(keys);
    keys.erase(std::ranges::unique(keys).begin(), keys.end());
    return keys;
}

void MetadataEdits::update() {
    const auto kv = current().isValid() ? m_keys->kvOf(current()) : std::nullopt;
    const KeyValue* key = kv ? &m_keys->model()->metadata[*kv] : nullptr;
    const bool can = editable();
    const bool one = can && key != nullptr && m_keys->isFirst(*kv);
    const bool rows = m_view->selectionModel()->hasSelection();
    m_add->setEnabled(can);
    m_edit->setEnabled(one);
    m_rename->setEnabled(can && key != nullptr);
    m_pick->setEnabled(one && isTokenIdKey(key->key) && asUInt(key->value) && m_vocabulary != nullptr &&
                       m_vocabulary->size() != 0);
    m_up->setEnabled(can && key != nullptr && m_fileOrder && kv->value > 0);
    m_down->setEnabled(can && key != nullptr && m_fileOrder && kv->value + 1 < m_keys->model()->metadata.size());
    m_load->setEnabled(one && asString(key->value));
    m_revert->setEnabled((one || (can && m_keys->isGone(current()))) && m_keys->difference(current()) != nullptr);
    m_delete->setEnabled(can && rows);
    m_paste->setEnabled(can);
    const QString why = m_document != nullptr ? m_document->whyNot(Capability::EditMetadata) : QString();
    for (QAction* each : {m_add, m_edit, m_rename, m_pick, m_load, m_revert, m_delete, m_paste}) {
        each->setToolTip(why);
    }
    for (QAction* each : {m_up, m_down}) {
        each->setToolTip(!why.isEmpty() ? why
                         : m_fileOrder  ? QString()
                                       : tr("Keys can be moved only in the list, in file order and without a filter."));
    }
}

void MetadataEdits::addTo(QMenu& menu) const {
    menu.setToolTipsVisible(true);
    menu.addActions({m_add, m_edit});
    if (m_edit->isEnabled() && m_document->can(Capability::TypedValues)) {
        const QModelIndex type = current().siblingAtColumn(MetadataModel::Type);
        const bool array = asArray(m_keys->entry(current())->value) != nullptr;
        QMenu* types = menu.addMenu(tr("&Type"));
        for (const ValueTypeFact& info : valueTypes()) {
            if (info.type == ValueType::Array) {
                continue;
            }
            QAction* made = types->addAction(latin1(info.name) + (array ? QStringLiteral("[]") : QString()));
            made->setCheckable(true);
            made->setChecked(type.data(Qt::EditRole).toUInt() == static_cast<uint>(info.type));
            connect(made, &QAction::triggered, this,
                    [self = const_cast<MetadataEdits*>(this), type, to = info.type] { self->changeType(type, to); });
        }
    }
    menu.addActions({m_rename, m_pick, m_load, m_up, m_down});
    menu.addSeparator();
    menu.addActions({m_revert, m_delete});
    menu.addSeparator();
    menu.addAction(tr("&Copy keys"), this, [self = const_cast<MetadataEdits*>(this)] { self->copyKeys(); });
    menu.addAction(m_paste);
}

void MetadataEdits::editCurrent() {
    const QModelIndex value = current().siblingAtColumn(MetadataModel::Value);
    const KeyValue* key = m_keys->entry(value);
    if (key == nullptr) {
        return;
    }
    if (value.flags().testFlag(Qt::ItemIsEditable)) {
        m_view->setCurrentIndex(value);
        m_view->edit(value);
    } else if (value.flags().testFlag(Qt::ItemIsUserCheckable)) {
        m_keys->setData(value, *asBool(key->value) ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
    } else {
        emit textPaneWanted(value);
    }
}

void MetadataEdits::addKey() {
    // A new key goes beside the current one, so its name begins with the same group.
    QString prefix;
    if (const auto path = current().data(MetadataModel::PrefixRole).toByteArray(); !path.isEmpty()) {
        prefix = QString::fromUtf8(path);
        prefix = m_keys->entry(current()) != nullptr ? prefix.left(prefix.lastIndexOf(u'.') + 1) : prefix + u'.';
    }
    KeyDialog dialog(m_document->current(), prefix, m_page);
    if (dialog.exec() != QDialog::Accepted || !editable()) {
        return;
    }
    emit keyWanted(QByteArray::fromStdString(dialog.key()));
    m_document->apply({SetKey{.key = dialog.key(), .value = dialog.value()}},
                      tr("Add %1").arg(displayText(dialog.key())));
}

void MetadataEdits::renameCurrent() {
    const auto kv = m_keys->kvOf(current());
    if (!kv) {
        return;
    }
    const std::string key(m_keys->model()->metadata[*kv].key);
    const std::size_t occurrence = occurrenceOf(m_keys->model()->metadata, *kv);
    KeyDialog dialog(m_document->current(), key, m_page);
    if (dialog.exec() != QDialog::Accepted || !editable()) {
        return;
    }
    emit keyWanted(QByteArray::fromStdString(dialog.key()));
    m_document->apply({RenameKey{.key = key, .newKey = dialog.key(), .occurrence = occurrence}},
                      tr("Rename %1").arg(displayText(key)));
}

void MetadataEdits::pickForCurrent() { pickToken(current()); }

void MetadataEdits::pickToken(const QModelIndex& index) {
    const KeyValue* entry = m_keys->entry(index);
    if (entry == nullptr || m_vocabulary == nullptr || !editable()) {
        return;
    }
    const std::string key(entry->key);
    const ValueType type = typeOf(entry->value);
    TokenPicker picker(m_vocabulary, asUInt(entry->value), m_page);
    picker.setWindowTitle(tr("Token for %1").arg(displayText(key)));
    if (picker.exec() != QDialog::Accepted || !picker.token() || !editable()) {
        return;
    }
    if (const auto id = parseValue(type, std::to_string(*picker.token()))) {
        m_document->apply({SetKey{.key = key, .value = OwnedValue(*id)}}, tr("Set %1").arg(displayText(key)));
    } else {
        emit said(valueProblemText(id.error(), type));
    }
}

void MetadataEdits::changeType(const QModelIndex& index, ValueType type) {
    const KeyValue* entry = m_keys->entry(index);
    if (entry == nullptr || !editable()) {
        return;
    }
    if (asArray(entry->value) != nullptr) {
        if (asArray(entry->value)->elementType != type) {
            convertInJob(std::string(entry->key), type);
        }
        return;
    }
    std::string text;
    const std::string key(entry->key);
    if (const auto value = convertValue(entry->value, type, text)) {
        m_document->apply({SetKey{.key = key, .value = OwnedValue(*value)}},
                          tr("Change the type of %1").arg(displayText(key)));
    } else {
        emit said(tr("%1 keeps the type %2. %3")
                      .arg(displayText(key), formatValueType(entry->value), valueProblemText(value.error(), type)));
    }
}

void MetadataEdits::convertInJob(const std::string& key, ValueType type) {
    const std::shared_ptr<const Model> model = m_document->current();
    Job* job = startJob<ArrayConversion>(
        this,
        [model, key, type](const JobContext& context) {
            return convertArray(*model->metadata.array(key), type, context);
        },
        [this, model, key, type](Result<ArrayConversion> converted) {
            if (!converted) {
                emit said(errorReason(converted.error()));
            } else if (converted->refused) {
                emit said(tr("%1 is unchanged: element %2 cannot be converted. %3")
                              .arg(displayText(key), formatCount(converted->refused->index),
                                   valueProblemText(converted->refused->problem, type)));
            } else if (m_document->current() == model) { // otherwise the model was changed in the meantime
                m_document->apply({SetKey{.key = key, .value = converted->array}},
                                  tr("Change the type of %1").arg(displayText(key)));
            }
        });
    m_bar->watch(job, tr("Converting"));
}

void MetadataEdits::move(int by) {
    const auto kv = m_keys->kvOf(current());
    if (!kv || !m_fileOrder) {
        return;
    }
    const KeyValue& entry = m_keys->model()->metadata[*kv];
    const std::size_t occurrence = occurrenceOf(m_keys->model()->metadata, *kv);
    m_document->apply({MoveKey{.key = std::string(entry.key),
                               .position = kv->value + static_cast<std::size_t>(static_cast<std::ptrdiff_t>(by)),
                               .occurrence = occurrence}},
                      tr("Move %1").arg(displayText(entry.key)));
}

void MetadataEdits::revert(const QModelIndex& index) {
    if (const Difference* difference = m_keys->difference(index); difference != nullptr && editable()) {
        if (difference->renamed) {
            emit keyWanted(bytesOf(difference->oldName));
        }
        m_document->revert(Difference(*difference));
    }
}

// Reverts all changed rows of the selection in one step.
void MetadataEdits::revertSelected() {
    if (!editable()) {
        return;
    }
    std::vector<Difference> differences;
    for (const KvIndex kv : selected()) {
        const std::string_view key = m_keys->model()->metadata[kv].key;
        const Difference* difference = m_keys->isFirst(kv) ? m_document->document().differenceOfKey(key) : nullptr;
        if (difference != nullptr) {
            differences.push_back(*difference);
        }
    }
    for (const QModelIndex& row : m_view->selectionModel()->selectedRows()) {
        const Difference* difference = m_keys->isGone(row) ? m_keys->difference(row) : nullptr;
        if (difference != nullptr) {
            differences.push_back(*difference);
        }
    }
    revertDifferences(this, m_document, std::move(differences));
}

void MetadataEdits::deleteSelected() {
    std::vector<KvIndex> keys = selected();
    if (keys.empty() || !editable()) {
        return;
    }
    const Metadata& metadata = m_keys->model()->metadata;
    const QString label = keys.size() == 1 ? tr("Delete %1").arg(displayText(metadata[keys[0]].key))
                                           : tr("Delete %n keys", nullptr, numerus(keys.size()));
    // Of keys with the same name, the last is removed first, so that the numbers of the others stay valid.
    std::vector<Change> changes;
    for (auto kv = keys.rbegin(); kv != keys.rend(); ++kv) {
        changes.emplace_back(DeleteKey{.key = std::string(metadata[*kv].key),
                                       .occurrence = m_keys->isFirst(*kv) ? 0 : occurrenceOf(metadata, *kv)});
    }
    // The key after the last deleted one is selected, so that Delete can be pressed repeatedly.
    for (std::size_t kv = keys.back().value + 1; kv < metadata.size() + keys.front().value; ++kv) {
        const KvIndex next(kv < metadata.size() ? kv : metadata.size() + keys.front().value - kv - 1);
        if (!std::ranges::binary_search(keys, next)) {
            emit keyWanted(bytesOf(metadata[next].key));
            break;
        }
    }
    m_document->apply(std::move(changes), label);
}

void MetadataEdits::loadFromFile() {
    const KeyValue* entry = m_keys->entry(current());
    if (entry == nullptr) {
        return;
    }
    const QString path = QFileDialog::getOpenFileName(m_page, tr("Load %1 from a file").arg(displayText(entry->key)),
                                                      beginIn(FolderFor::Imports));
    rememberChosen(FolderFor::Imports, path);
    if (path.isEmpty()) {
        return;
    }
    Job* job = startJob<std::string>(
        this,
        [native = std::filesystem::path(QFile::encodeName(path).toStdString())](const JobContext&) {
            return readTextFile(native, kMaxTextFile);
        },
        [this, key = std::string(entry->key)](Result<std::string> text) {
            if (!text) {
                emit said(errorLine(text.error()));
            } else if (editable()) {
                m_document->apply({SetKey{.key = key, .value = OwnedValue::string(std::move(*text))}},
                                  tr("Set %1").arg(displayText(key)));
            }
        });
    m_bar->watch(job, tr("Reading"));
}

void MetadataEdits::copyKeys() {
    const std::vector<KvIndex> keys = selected();
    if (m_keys->model() != nullptr && !keys.empty()) {
        QGuiApplication::clipboard()->setMimeData(m_keys->transfer(keys).release());
    }
}

void MetadataEdits::pasteKeys() {
    const QMimeData* data = QGuiApplication::clipboard()->mimeData();
    if (carriesKeys(data)) {
        take(data);
    } else {
        emit said(tr("There are no keys on the clipboard."));
    }
}

} // namespace gufo::ui

#include "moc_metadata_edits.cpp"
