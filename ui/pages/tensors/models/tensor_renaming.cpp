#include "ui/pages/tensors/models/tensor_renaming.h"

#include "base/utf8.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace gufo::ui {

std::vector<TensorRenaming> renameTensors(const Model& model, const std::vector<TensorIndex>& tensors,
                                          const QRegularExpression& expression, const QString& replacement) {
    std::vector<TensorRenaming> renamings;
    for (const TensorIndex tensor : tensors) {
        const std::string_view name = model.tensor(tensor).name;
        if (!isValidUtf8(name)) {
            continue;
        }
        std::string renamed = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))
                                  .replace(expression, replacement)
                                  .toStdString();
        if (renamed != name) {
            renamings.push_back({.tensor = tensor, .newName = std::move(renamed)});
        }
    }
    return renamings;
}

void checkRenamings(const Model& model, std::vector<TensorRenaming>& renamings) {
    std::unordered_set<std::uint32_t> leaving;
    std::unordered_map<std::string_view, int> arriving;
    for (const TensorRenaming& renaming : renamings) {
        leaving.insert(renaming.tensor.value);
        ++arriving[renaming.newName];
    }
    for (TensorRenaming& renaming : renamings) {
        const auto holder = model.findTensor(renaming.newName);
        renaming.conflict = renaming.newName.empty()                     ? TensorRenaming::Conflict::Empty
                            : renaming.newName.size() > kMaxTensorName   ? TensorRenaming::Conflict::TooLong
                            : holder && !leaving.contains(holder->value) ? TensorRenaming::Conflict::Taken
                            : arriving[renaming.newName] > 1             ? TensorRenaming::Conflict::Twice
                                                                         : TensorRenaming::Conflict::None;
    }
}

std::vector<Change> changesOfRenaming(const Model& model, const std::vector<TensorRenaming>& renamings) {
    struct Pending {
        std::string name;
        std::string newName;
    };
    std::unordered_map<std::string, Pending> pending; // by current name
    for (const TensorRenaming& renaming : renamings) {
        std::string name(model.tensor(renaming.tensor).name);
        pending.emplace(name, Pending{name, renaming.newName});
    }
    std::vector<Change> changes;
    std::size_t spare = 0;
    for (const TensorRenaming& renaming : renamings) {
        // The tensor that holds the name is renamed first, and so on. If that is a cycle, its first tensor gets a
        // temporary name.
        std::vector<std::string> chain;
        std::string at(model.tensor(renaming.tensor).name);
        while (pending.contains(at) && std::ranges::find(chain, at) == chain.end()) {
            chain.push_back(at);
            at = pending.at(at).newName;
        }
        if (!chain.empty() && at == chain.front()) {
            std::string aside;
            do {
                aside = "renaming." + std::to_string(spare++);
            } while (model.findTensor(aside));
            changes.emplace_back(RenameTensor{.name = at, .newName = aside});
            pending.at(at).name = aside;
        }
        for (auto name = chain.rbegin(); name != chain.rend(); ++name) {
            const Pending moved = pending.at(*name);
            changes.emplace_back(RenameTensor{.name = moved.name, .newName = moved.newName});
            pending.erase(*name);
        }
    }
    return changes;
}

RenamingModel::RenamingModel(std::shared_ptr<const Model> model, QObject* parent)
    : QAbstractTableModel(parent)
    , m_model(std::move(model)) {}

void RenamingModel::setRenamings(std::vector<TensorRenaming> renamings) {
    beginResetModel();
    m_renamings = std::move(renamings);
    checkRenamings(*m_model, m_renamings);
    std::ranges::stable_partition(
        m_renamings, [](const TensorRenaming& row) { return row.conflict != TensorRenaming::Conflict::None; });
    endResetModel();
}

std::size_t RenamingModel::conflicts() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        m_renamings, [](const TensorRenaming& row) { return row.conflict != TensorRenaming::Conflict::None; }));
}

int RenamingModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_renamings.size());
}

int RenamingModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int{ColumnCount}; }

QString RenamingModel::problemText(const TensorRenaming& renaming) const {
    switch (renaming.conflict) {
    case TensorRenaming::Conflict::Empty:
        return tr("the name would be empty");
    case TensorRenaming::Conflict::TooLong:
        return tr("%1 bytes; runtimes allow %2", nullptr, numerus(renaming.newName.size()))
            .arg(renaming.newName.size())
            .arg(kMaxTensorName);
    case TensorRenaming::Conflict::Taken:
        return tr("another tensor has this name");
    case TensorRenaming::Conflict::Twice:
        return tr("several tensors would get this name");
    case TensorRenaming::Conflict::None:
        break;
    }
    return {};
}

QVariant RenamingModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const TensorRenaming& row = m_renamings[static_cast<std::size_t>(index.row())];
    const auto text = [&] {
        return index.column() == Before  ? displayText(m_model->tensor(row.tensor).name)
               : index.column() == After ? displayText(row.newName)
                                         : problemText(row);
    };
    switch (role) {
    case Qt::DisplayRole:
        return text();
    case Qt::ToolTipRole:
        return plainToolTip(text());
    case Qt::FontRole:
        return index.column() == Problem ? QVariant() : QVariant(themeFont(TextStyle::Mono));
    case Qt::ForegroundRole:
        return index.column() == Problem ? QVariant(themeColor(Token::ErrorText)) : QVariant();
    default:
        return {};
    }
}

QVariant RenamingModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    }
    const QStringList titles{tr("Name"), tr("New name"), tr("Conflict")};
    return role == Qt::DisplayRole ? QVariant(titles[section]) : QVariant();
}

} // namespace gufo::ui

#include "moc_tensor_renaming.cpp"
