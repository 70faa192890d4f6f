#include "ui/models/array_model.h"

#include "messages/format.h"
#include "model/key_catalogue.h"
#include "ui/models/key_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <map>

namespace gufo::ui {
namespace {

constexpr std::string_view kTokens = "tokenizer.ggml.tokens";
constexpr std::uint64_t kStep = 1024;
constexpr std::size_t kTextBytes = 400;

std::unexpected<Error> cancelled() { return fail(ErrorCode::Cancelled); }

// Counts the values of an array of numbers that have names.
Result<std::vector<OpenArray::ValueCount>> countValues(const OpenArray& array, const JobContext& job) {
    std::map<std::int64_t, std::uint64_t> counts;
    job.start(array.index.size());
    for (std::uint64_t i = 0; i < array.index.size(); ++i) {
        if (i % kStep == 0) {
            if (job.stopRequested()) {
                return cancelled();
            }
            job.advance(i == 0 ? 0 : kStep);
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

} // namespace

QString OpenArray::title() const {
    QString text = displayText(key);
    for (const std::uint64_t i : path) {
        text += QStringLiteral("[%1]").arg(i);
    }
    return text;
}

Result<std::shared_ptr<const OpenArray>> openArray(const std::shared_ptr<const Model>& model, const std::string& key,
                                                   const std::vector<std::uint64_t>& path, const JobContext& job) {
    const ArrayView* view = model->metadata.array(key);
    if (view == nullptr) {
        return fail(ErrorCode::NoSuchKey, Place::key(key), {key});
    }
    auto index = ArrayIndex::build(*view, job);
    for (const std::uint64_t i : path) {
        if (!index) {
            return std::unexpected(index.error());
        }
        const gufo::Value element = i < index->size() ? index->at(i) : gufo::Value();
        const ArrayView* nested = asArray(element);
        if (nested == nullptr) {
            return fail(ErrorCode::InvalidArgument, Place::key(key, i), {std::to_string(i)});
        }
        index = ArrayIndex::build(*nested, job);
    }
    if (!index) {
        return std::unexpected(index.error());
    }
    auto array = std::make_shared<OpenArray>(
        OpenArray{model, key, std::string(model->metadata.architecture()), std::move(*index), path, nullptr, {}});
    const ArrayView* tokens = model->metadata.array(kTokens);
    if (path.empty() && key != kTokens && tokens != nullptr && tokens->elementType == ValueType::String &&
        tokens->length == array->index.size() && key.starts_with("tokenizer.")) {
        auto vocabulary = Vocabulary::load(model, job);
        if (!vocabulary) {
            return std::unexpected(vocabulary.error());
        }
        array->vocabulary = std::move(*vocabulary);
    }
    if (!enumNames(key, array->architecture).empty()) {
        auto counts = countValues(*array, job);
        if (!counts) {
            return std::unexpected(counts.error());
        }
        array->counts = std::move(*counts);
    }
    return array;
}

Result<Matches> searchArray(const OpenArray& array, const ArrayQuery& query, const JobContext& job) {
    Matches matches;
    job.start(array.index.size());
    for (std::uint64_t i = 0; i < array.index.size(); ++i) {
        if (i % kStep == 0) {
            if (job.stopRequested()) {
                return cancelled();
            }
            job.advance(i == 0 ? 0 : kStep);
        }
        const gufo::Value value = array.index.at(i);
        if (query.value && asInt(value) != query.value) {
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

QVariant ArrayModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    switch (role) {
    case Qt::ToolTipRole:
        return plainToolTip(data(index, Qt::DisplayRole).toString());
    case Qt::DisplayRole: {
        const std::uint64_t item = itemOf(index);
        if (index.column() == Index) {
            return QString::number(item);
        }
        if (index.column() == TokenText) {
            return headText(m_array->vocabulary->text(item), kTextBytes);
        }
        const gufo::Value value = m_array->index.at(item);
        const auto text = asString(value);
        return text ? headText(*text, kTextBytes) : elementText(m_array->key, value, m_array->architecture);
    }
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((index.column() == Index ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::FontRole:
        return index.column() == Index ? QVariant() : QVariant(themeFont(TextStyle::Mono));
    case Qt::ForegroundRole:
        return index.column() == Index ? QVariant(themeColor(Token::Muted)) : QVariant();
    default:
        return {};
    }
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
