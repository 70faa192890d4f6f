#include "ui/pages/metadata/models/import_model.h"

#include "base/try.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <algorithm>

namespace gufo::ui {

Result<std::vector<ImportRow>> compareImport(const Model& model, std::vector<ImportedKey> keys, const JobContext& job) {
    std::vector<ImportRow> rows;
    job.start(keys.size());
    for (ImportedKey& imported : keys) {
        GUFO_TRY(job.check());
        const Value* now = model.metadata.find(imported.key);
        const auto status = now == nullptr                                        ? ImportRow::Status::New
                            : OwnedValue::sameValue(*now, imported.value.value()) ? ImportRow::Status::Same
                                                                                  : ImportRow::Status::Changed;
        rows.push_back({std::move(imported), status});
        job.advance(1);
    }
    std::ranges::stable_partition(rows, [](const ImportRow& row) { return row.status != ImportRow::Status::Same; });
    return rows;
}

ImportModel::ImportModel(std::shared_ptr<const Model> model, std::vector<ImportRow> rows, QObject* parent)
    : QAbstractTableModel(parent)
    , m_model(std::move(model))
    , m_rows(std::move(rows)) {
    for (const ImportRow& row : m_rows) {
        m_taken.push_back(row.status != ImportRow::Status::Same);
    }
}

std::size_t ImportModel::count(ImportRow::Status status) const {
    return static_cast<std::size_t>(std::ranges::count(m_rows, status, &ImportRow::status));
}

std::size_t ImportModel::taken() const { return static_cast<std::size_t>(std::ranges::count(m_taken, true)); }

void ImportModel::takeAll(bool take) {
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        m_taken[i] = take && m_rows[i].status != ImportRow::Status::Same;
    }
    if (!m_rows.empty()) {
        emit dataChanged(index(0, Key), index(rowCount() - 1, Key), {Qt::CheckStateRole});
    }
}

std::vector<Change> ImportModel::changes() const {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (m_taken[i]) {
            changes.emplace_back(SetKey{.key = m_rows[i].imported.key, .value = m_rows[i].imported.value});
        }
    }
    return changes;
}

int ImportModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ImportModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int{ColumnCount}; }

QString ImportModel::text(const ImportRow& row, int column) const {
    const std::string_view architecture = m_model->metadata.architecture();
    const Value* now = m_model->metadata.find(row.imported.key);
    const auto typed = [&](const Value& value) {
        return QStringLiteral("%1  %2").arg(formatValueType(value), valueText(row.imported.key, value, architecture));
    };
    switch (column) {
    case Key:
        return displayText(row.imported.key);
    case Status:
        return row.status == ImportRow::Status::New       ? tr("new")
               : row.status == ImportRow::Status::Changed ? tr("changed")
                                                          : tr("the same");
    case Now:
        return now != nullptr ? typed(*now) : QString();
    default:
        return typed(row.imported.value.value());
    }
}

QVariant ImportModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const auto at = static_cast<std::size_t>(index.row());
    const ImportRow& row = m_rows[at];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::ToolTipRole:
        return plainToolTip(text(row, index.column()));
    case Qt::CheckStateRole:
        return index.column() == Key ? QVariant(static_cast<int>(m_taken[at] ? Qt::Checked : Qt::Unchecked))
                                     : QVariant();
    case Qt::FontRole:
        return index.column() == Status ? QVariant() : QVariant(themeFont(TextStyle::Mono));
    case Qt::ForegroundRole:
        return row.status == ImportRow::Status::Same                              ? QVariant(themeColor(Token::Muted))
               : index.column() == Status && row.status == ImportRow::Status::New ? QVariant(themeColor(Token::Good))
                                                                                  : QVariant();
    default:
        return {};
    }
}

QVariant ImportModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    }
    const QStringList titles{tr("Key"), tr("Effect"), tr("Here"), tr("Imported")};
    return role == Qt::DisplayRole ? QVariant(titles[section]) : QVariant();
}

Qt::ItemFlags ImportModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    const bool changes =
        index.isValid() && m_rows[static_cast<std::size_t>(index.row())].status != ImportRow::Status::Same;
    return index.column() == Key && changes ? flags | Qt::ItemIsUserCheckable : flags;
}

bool ImportModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::CheckStateRole || !flags(index).testFlag(Qt::ItemIsUserCheckable)) {
        return false;
    }
    m_taken[static_cast<std::size_t>(index.row())] = value.toInt() == Qt::Checked;
    emit dataChanged(index, index, {Qt::CheckStateRole});
    return true;
}

} // namespace gufo::ui

#include "moc_import_model.cpp"
