#include "ui/pages/repository/repository_model.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/report/fitting.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table_text.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace gufo::ui {

namespace {

constexpr std::string_view kTemplateKey = "tokenizer.chat_template";
constexpr std::size_t kTypesShown = 3;
constexpr double kPercent = 100;

QString typesText(const Model& model, std::uint64_t tensorBytes) {
    QStringList texts;
    const auto shares = model.typeShares();
    for (const Model::TypeShare& share : shares) {
        if (texts.size() == kTypesShown) {
            texts << QStringLiteral("…");
            break;
        }
        const double part = tensorBytes == 0 ? 0 : static_cast<double>(share.bytes) / static_cast<double>(tensorBytes);
        const auto percent = static_cast<int>(std::lround(part * kPercent));
        texts << QString::fromStdString(share.name) + (shares.size() == 1 ? QString()
                                                       : percent == 0     ? QStringLiteral(" <1 %")
                                                                          : QStringLiteral(" %1 %").arg(percent));
    }
    return texts.join(QStringLiteral(", "));
}

} // namespace

HeaderFacts headerFacts(const std::shared_ptr<const Model>& read) {
    const Model& model = *read;
    const Model::Totals totals = model.totals();
    HeaderFacts facts{.architecture = displayText(model.metadata.architecture()),
                      .weights = totals.weights,
                      .bitsPerWeight = totals.bitsPerWeight,
                      .types = typesText(model, totals.tensorBytes),
                      .memory = memoryToRun(read),
                      .chatTemplate = {}};
    if (const auto text = model.metadata.string(kTemplateKey)) {
        facts.chatTemplate = *text;
    }
    return facts;
}

namespace {

QString kindText(hub::FileRole role) {
    switch (role) {
    case hub::FileRole::Model:
        return RepositoryModel::tr("Model");
    case hub::FileRole::Projector:
        return RepositoryModel::tr("Projector", "of images or sounds");
    case hub::FileRole::Draft:
        return RepositoryModel::tr("Draft model");
    case hub::FileRole::Adapter:
        return RepositoryModel::tr("Adapter");
    case hub::FileRole::Importance:
        break;
    }
    return RepositoryModel::tr("Importance matrix");
}

bool isNumber(int column) {
    return column == RepositoryModel::SizeColumn || column == RepositoryModel::BitsColumn ||
           column == RepositoryModel::MemoryColumn;
}

} // namespace

void RepositoryModel::setRepository(const hub::Repository& repository, std::uint64_t freeMemory) {
    beginResetModel();
    m_rows.clear();
    for (hub::ModelFiles& files : hub::modelsIn(repository)) {
        m_rows.push_back({.files = std::move(files), .problem = {}});
    }
    m_freeMemory = freeMemory;
    m_baseTemplate.reset();
    m_usualTemplate.clear();
    endResetModel();
}

void RepositoryModel::setBaseTemplate(std::optional<std::string> baseTemplate) {
    m_baseTemplate = std::move(baseTemplate);
    if (!m_rows.empty()) {
        emit dataChanged(index(0, TemplateColumn), index(rowCount() - 1, TemplateColumn));
    }
}

void RepositoryModel::setFacts(std::size_t row, HeaderFacts facts) {
    m_rows[row].facts = std::move(facts);
    m_rows[row].problem.clear();
    findUsualTemplate();
    rowChanged(row);
}

void RepositoryModel::setProblem(std::size_t row, const Error& error) {
    m_rows[row].problem = errorReason(error);
    rowChanged(row);
}

void RepositoryModel::rowChanged(std::size_t row) {
    emit dataChanged(index(static_cast<int>(row), 0), index(static_cast<int>(row), ColumnCount - 1));
}

// All rows compare their template with it, so the whole column changes.
void RepositoryModel::findUsualTemplate() {
    std::map<std::string_view, int> counts;
    for (const Row& row : m_rows) {
        if (row.facts && !row.facts->chatTemplate.empty()) {
            ++counts[row.facts->chatTemplate];
        }
    }
    const auto maximum = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
    std::string usual = maximum != counts.end() ? std::string(maximum->first) : std::string();
    if (usual != m_usualTemplate) {
        m_usualTemplate = std::move(usual);
        emit dataChanged(index(0, TemplateColumn), index(rowCount() - 1, TemplateColumn));
    }
}

bool RepositoryModel::isPending(int row) const {
    const Row& one = m_rows[static_cast<std::size_t>(row)];
    return !one.facts && one.problem.isEmpty();
}

int RepositoryModel::fittingCount() const {
    return static_cast<int>(std::ranges::count_if(m_rows, [this](const Row& row) { return fits(row) == true; }));
}

std::optional<bool> RepositoryModel::fits(const Row& row) const {
    if (!row.facts || !row.facts->memory || m_freeMemory == 0) {
        return std::nullopt;
    }
    return *row.facts->memory <= m_freeMemory;
}

QString RepositoryModel::templateText(const Row& row) const {
    if (!row.facts || row.files.role != hub::FileRole::Model) {
        return {};
    }
    const std::string& shown = row.facts->chatTemplate;
    if (shown.empty()) {
        return tr("none", "template");
    }
    if (m_baseTemplate) {
        return shown == *m_baseTemplate ? tr("as the base model") : tr("not the base model's");
    }
    return shown == m_usualTemplate ? tr("as most files") : tr("another one", "template");
}

std::string RepositoryModel::chatTemplateAt(int row) const {
    const Row& one = m_rows[static_cast<std::size_t>(row)];
    return one.facts ? one.facts->chatTemplate : std::string();
}

int RepositoryModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RepositoryModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString RepositoryModel::text(const Row& row, int column) const {
    switch (column) {
    case NameColumn: {
        const QString name = displayText(row.files.name);
        return row.files.files.size() > 1 ? tr("%1 (%n files)", nullptr, numerus(row.files.files.size())).arg(name)
                                          : name;
    }
    case KindColumn:
        return kindText(row.files.role);
    case TypesColumn:
        if (!row.problem.isEmpty()) {
            return row.problem;
        }
        return row.facts ? row.facts->types : displayText(row.files.quantisation);
    case SizeColumn:
        return formatBytes(row.files.bytes);
    case BitsColumn:
        return row.facts && row.facts->bitsPerWeight ? formatBitsPerWeight(*row.facts->bitsPerWeight) : QString();
    case MemoryColumn:
        return row.facts && row.facts->memory ? formatBytes(*row.facts->memory) : QString();
    case FitsColumn: {
        const auto known = fits(row);
        return !known ? QString() : *known ? tr("fits") : tr("too large");
    }
    default:
        return templateText(row);
    }
}

QVariant RepositoryModel::sortKey(const Row& row, int column) const {
    switch (column) {
    case SizeColumn:
        return static_cast<qulonglong>(row.files.bytes);
    case BitsColumn:
        return row.facts ? row.facts->bitsPerWeight.value_or(0) : 0.0;
    case MemoryColumn:
        return static_cast<qulonglong>(row.facts ? row.facts->memory.value_or(0) : 0);
    default:
        return text(row, column);
    }
}

QVariant RepositoryModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(row, column);
    case Qt::ToolTipRole:
        if (column == NameColumn && row.files.missing > 0) {
            return tr("%n shards are missing in the repository.", nullptr, static_cast<int>(row.files.missing));
        }
        return column == NameColumn || column == TypesColumn ? QVariant(text(row, column)) : QVariant();
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignVCenter | (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ForegroundRole:
        if (column == FitsColumn) {
            return themeColor(fits(row) == true ? Token::Good : Token::WarningText);
        }
        if (column == TypesColumn && !row.problem.isEmpty()) {
            return themeColor(Token::ErrorText);
        }
        return column == NameColumn || isNumber(column) ? QVariant() : QVariant(themeColor(Token::Muted));
    case SortRole:
        return sortKey(row, column);
    case FitsRole:
        return fits(row) == true;
    case kExactRole:
        return column == SizeColumn ? QVariant(static_cast<qulonglong>(row.files.bytes)) : QVariant();
    default:
        return {};
    }
}

QVariant RepositoryModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return static_cast<int>(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    }
    if (role == Qt::ToolTipRole && (section == MemoryColumn || section == FitsColumn)) {
        return tr("To run the model with its trained context, but at most 4,096 tokens");
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    const std::array<QString, ColumnCount> titles{tr("File"),        tr("Kind"),   tr("Types"), tr("Size"),
                                                  tr("Bits/weight"), tr("Memory"), tr("Here"),  tr("Chat template")};
    return titles[static_cast<std::size_t>(section)];
}

RepositoryFilter::RepositoryFilter(QObject* parent)
    : QSortFilterProxyModel(parent) {
    setFilterCaseSensitivity(Qt::CaseInsensitive);
    setFilterKeyColumn(-1);
    setSortRole(RepositoryModel::SortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
}

void RepositoryFilter::setOnlyFitting(bool only) {
    m_onlyFitting = only;
    invalidateFilter();
}

bool RepositoryFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    if (m_onlyFitting && !sourceModel()->index(row, 0, parent).data(RepositoryModel::FitsRole).toBool()) {
        return false;
    }
    return QSortFilterProxyModel::filterAcceptsRow(row, parent);
}

} // namespace gufo::ui

#include "moc_repository_model.cpp"
