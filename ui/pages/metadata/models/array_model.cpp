#include "ui/pages/metadata/models/array_model.h"

#include "model/key_catalogue.h"
#include "model/token.h"
#include "ui/document/model_document.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/value_delegate.h"

#include <map>

namespace gufo::ui {
namespace {

constexpr std::uint64_t kElementsPerStep = 1024;
constexpr std::size_t kTextBytes = 400;

std::unexpected<Error> cancelled() { return fail(ErrorCode::Cancelled); }

// Counts the values of an array of numbers with names.
Result<std::vector<OpenArray::ValueCount>> countValues(const OpenArray& array, const JobContext& job) {
    std::map<std::int64_t, std::uint64_t> counts;
    job.start(array.index.size());
    for (std::uint64_t i = 0; i < array.index.size(); ++i) {
        if (i % kElementsPerStep == 0) {
            if (job.stopRequested()) {
                return cancelled();
            }
            job.advance(i == 0 ? 0 : kElementsPerStep);
        }
        if (const auto value = asInt(array.index.at(i)); value && (counts.size() < 64 || counts.contains(*value))) {
            ++counts[*value];
        }
    }
    std::vector<OpenArray::ValueCount> list;
    for (const auto& [value, count] : counts) {
        list.push_back({value, count});
    }
    return list;
}

// Opens the array at `path` below the value of a key.
Result<ArrayIndex> indexAt(const Model& model, const std::string& key, const std::vector<std::uint64_t>& path,
                           const JobContext& job) {
    const ArrayView* view = model.metadata.array(key);
    if (view == nullptr) {
        return fail(ErrorCode::NoSuchKey, Place::key(key), {key});
    }
    auto index = GUFO_TRY(ArrayIndex::build(*view, job));
    for (const std::uint64_t i : path) {
        const gufo::Value element = i < index.size() ? index.at(i) : gufo::Value();
        const ArrayView* nested = asArray(element);
        if (nested == nullptr) {
            return fail(ErrorCode::InvalidArgument, Place::key(key, i), {std::to_string(i)});
        }
        index = GUFO_TRY(ArrayIndex::build(*nested, job));
    }
    return index;
}

// Texts in which every byte is significant.
bool isTokenText(std::string_view key) { return key == kTokensKey || key == "tokenizer.ggml.merges"; }

} // namespace

bool OpenArray::isChanged(std::uint64_t item) const {
    return before && (item >= before->size() || !OwnedValue::sameValue(index.at(item), before->at(item)));
}

QString OpenArray::title() const {
    QString text = displayText(key);
    for (const std::uint64_t i : path) {
        text += QStringLiteral("[%1]").arg(i);
    }
    return text;
}

Result<std::shared_ptr<const OpenArray>> openArray(const std::shared_ptr<const Model>& model, const std::string& key,
                                                   const std::vector<std::uint64_t>& path, const JobContext& job,
                                                   const ArrayBefore& before) {
    auto index = GUFO_TRY(indexAt(*model, key, path, job));
    auto array = std::make_shared<OpenArray>(
        OpenArray{model, key, std::string(model->metadata.architecture()), std::move(index), path, nullptr, {}});
    if (before.model && before.model->metadata.array(before.key) != nullptr) {
        auto inFile = indexAt(*before.model, before.key, path, job);
        if (inFile && inFile->array().elementType == array->index.array().elementType) {
            array->before = std::move(*inFile);
            array->beforeModel = before.model;
        } else if (!inFile && inFile.error().code == ErrorCode::Cancelled) {
            return cancelled();
        }
    }
    const ArrayView* tokens = model->metadata.array(kTokensKey);
    if (path.empty() && key != kTokensKey && tokens != nullptr && tokens->elementType == ValueType::String &&
        tokens->length == array->index.size() && key.starts_with("tokenizer.")) {
        array->vocabulary = GUFO_TRY(TokenArrays::load(model, job));
    }
    if (!enumNames(key, array->architecture).empty()) {
        array->counts = GUFO_TRY(countValues(*array, job));
    }
    return array;
}

Result<Matches> searchArray(const OpenArray& array, const ArrayQuery& query, const JobContext& job) {
    Matches matches;
    job.start(array.index.size());
    for (std::uint64_t i = 0; i < array.index.size(); ++i) {
        if (i % kElementsPerStep == 0) {
            if (job.stopRequested()) {
                return cancelled();
            }
            job.advance(i == 0 ? 0 : kElementsPerStep);
        }
        const gufo::Value value = array.index.at(i);
        if ((query.value && asInt(value) != query.value) || (query.changedOnly && !array.isChanged(i))) {
            continue;
        }
        if (!query.text.isEmpty()) {
            const auto text = asString(value);
            const bool found =
                text ? containsText(*text, query.text)
                     : elementText(array.key, value, array.architecture).contains(query.text, Qt::CaseInsensitive);
            if (!found && !(array.vocabulary && containsText(array.vocabulary->text(i), query.text))) {
                continue;
            }
        }
        ++matches.found;
        if (matches.items.size() < RowWindow::kMaxRows) {
            matches.items.push_back(i);
        }
    }
    return matches;
}

void ArrayModel::setArray(std::shared_ptr<const OpenArray> array) {
    beginResetModel();
    m_array = std::move(array);
    setItems(m_array ? m_array->index.size() : 0);
    endResetModel();
}

int ArrayModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_array && m_array->vocabulary ? int{ColumnCount} : int{TokenText};
}

void ArrayModel::follow(std::shared_ptr<const OpenArray> array) {
    if (!m_array || columnCount() != (array->vocabulary ? int{ColumnCount} : int{TokenText})) {
        setArray(std::move(array));
        return;
    }
    const std::uint64_t items = array->index.size();
    followItems(items, [&] { m_array = std::move(array); });
}

bool ArrayModel::isEditable() const {
    return m_array && !m_frozen && m_document != nullptr && m_document->can(Capability::EditMetadata);
}

QString ArrayModel::text(std::uint64_t item, int column) const {
    if (column == Index) {
        return QString::number(item);
    }
    if (column == TokenText) {
        return item < m_array->vocabulary->size() ? headText(m_array->vocabulary->text(item), kTextBytes) : QString();
    }
    const gufo::Value value = m_array->index.at(item);
    const auto characters = asString(value);
    return characters ? headText(*characters, kTextBytes) : elementText(m_array->key, value, m_array->architecture);
}

QString ArrayModel::beforeText(std::uint64_t item) const {
    if (!m_array->before || item >= m_array->before->size() || !m_array->isChanged(item)) {
        return {};
    }
    return elementText(m_array->key, m_array->before->at(item), m_array->architecture);
}

QVariant ArrayModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const std::uint64_t item = itemOf(index);
    switch (role) {
    case Qt::ToolTipRole: {
        const QString before = beforeText(item);
        const QString shown = text(item, index.column());
        return plainToolTip(before.isEmpty() ? shown : shown + u'\n' + tr("Was: %1").arg(before));
    }
    case Qt::DisplayRole:
        return text(item, index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((index.column() == Index ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::FontRole:
        return index.column() == Index ? QVariant() : QVariant(themeFont(TextStyle::Mono));
    case Qt::ForegroundRole:
        return index.column() == Index ? QVariant(themeColor(Token::Muted)) : QVariant();
    case Qt::BackgroundRole:
        return m_array->isChanged(item) ? QVariant(themeColor(Token::ChangedRow)) : QVariant();
    case kChangedRole:
        return m_array->isChanged(item);
    case kAddedRole:
        return m_array->before && item >= m_array->before->size();
    case kBeforeTextRole:
        return index.column() == Value ? QVariant(beforeText(item)) : QVariant();
    case Qt::EditRole:
        return index.column() == Value ? QVariant::fromValue(OwnedValue(m_array->index.at(item))) : QVariant();
    case kValueSubjectRole:
        return index.column() == Value ? QVariant::fromValue(ValueSubject{.key = m_array->key,
                                                                          .architecture = m_array->architecture,
                                                                          .type = m_array->index.array().elementType,
                                                                          .namesToken = false,
                                                                          .escaped = isTokenText(m_array->key)})
                                       : QVariant();
    default:
        return {};
    }
}

Qt::ItemFlags ArrayModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = WindowedModel::flags(index);
    return index.column() == Value && isEditable() && m_array->index.array().elementType != ValueType::Array
               ? flags | Qt::ItemIsEditable
               : flags;
}

bool ArrayModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable)) {
        return false;
    }
    const std::uint64_t item = itemOf(index);
    return m_document->apply({SetElement{.array = path(), .index = item, .value = value.value<OwnedValue>()}},
                             tr("Set %1[%2]").arg(m_array->title()).arg(item));
}

QVariant ArrayModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue((section == Index ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    const QStringList titles{tr("Index"), tr("Value"), tr("Token")};
    return titles[section];
}

} // namespace gufo::ui

#include "moc_array_model.cpp"
