#include "ui/pages/overview/finding_groups.h"

#include "model/finding_code.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"

#include <QHash>

#include <algorithm>
#include <charconv>
#include <numeric>

namespace gufo::ui {
namespace {

std::uint64_t numberOf(const Finding& finding, std::size_t argument) {
    std::uint64_t value = 0;
    if (argument < finding.args.size()) {
        const std::string& text = finding.args[argument].text();
        std::from_chars(text.data(), text.data() + text.size(), value);
    }
    return value;
}

} // namespace

FindingGroups::FindingGroups(const FindingsModel* findings, QObject* parent)
    : QAbstractListModel(parent)
    , m_findings(findings) {
    connect(findings, &QAbstractItemModel::modelAboutToBeReset, this, [this] { beginResetModel(); });
    connect(findings, &QAbstractItemModel::modelReset, this, [this] {
        rebuild();
        endResetModel();
    });
    rebuild();
}

void FindingGroups::rebuild() {
    m_rows.clear();
    m_groups.clear();
    QHash<QString, std::vector<int>> byCode;
    for (int i = 0; i < m_findings->rowCount(); ++i) {
        byCode[m_findings->index(i).data(FindingsModel::CodeRole).toString()].push_back(i);
    }
    for (const int i : order()) {
        const QString code = m_findings->index(i).data(FindingsModel::CodeRole).toString();
        const std::vector<int>& same = byCode[code];
        if (same.size() < kMinimum) {
            m_rows.push_back({.finding = i});
        } else if (same.front() == i) {
            const std::size_t group = m_groups.size();
            m_groups.push_back({code, same});
            m_rows.push_back({.finding = std::nullopt, .group = group});
            for (std::size_t each = 0; m_unfolded.contains(code) && each < same.size(); ++each) {
                m_rows.push_back({.finding = same[each], .group = group, .below = true});
            }
        }
    }
}

// The order of FindingsModel, except that a finding about the whole file precedes those about its parts.
std::vector<int> FindingGroups::order() const {
    std::vector<int> rows(static_cast<std::size_t>(m_findings->rowCount()));
    std::iota(rows.begin(), rows.end(), 0);
    const Validation* validation = m_findings->validation();
    const std::size_t count = validation != nullptr ? validation->findings.size() : 0;
    const auto key = [&](int row) {
        const Finding& finding = validation->findings[static_cast<std::size_t>(row)];
        return std::pair(-static_cast<int>(finding.severity()), finding.code != FindingCode::TensorDataMissing);
    };
    std::ranges::stable_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count), {}, key);
    return rows;
}

// The number of findings, including findings that the reader counted without listing them.
std::uint64_t FindingGroups::countOf(const Group& group) const {
    std::uint64_t count = group.findings.size();
    for (const Finding& finding : m_findings->validation()->findings) {
        if (finding.code == FindingCode::FindingsOmitted && finding.args.size() > 1 &&
            group.code == QString::fromStdString(finding.args[1].text())) {
            count += numberOf(finding, 0);
        }
    }
    return count;
}

const FindingGroups::Row* FindingGroups::rowAt(const QModelIndex& index) const {
    const auto row = static_cast<std::size_t>(index.row());
    return index.isValid() && row < m_rows.size() ? &m_rows[row] : nullptr;
}

bool FindingGroups::isGroup(const QModelIndex& index) const {
    const Row* row = rowAt(index);
    return row != nullptr && !row->finding;
}

std::optional<int> FindingGroups::findingAt(const QModelIndex& index) const {
    const Row* row = rowAt(index);
    return row != nullptr ? row->finding : std::nullopt;
}

QModelIndex FindingGroups::indexOf(int finding) const {
    const auto row = std::ranges::find(m_rows, std::optional(finding), &Row::finding);
    return row != m_rows.end() ? index(static_cast<int>(row - m_rows.begin())) : QModelIndex();
}

std::vector<int> FindingGroups::findingsAt(const QModelIndex& index) const {
    const Row* row = rowAt(index);
    return row == nullptr ? std::vector<int>{}
           : row->finding ? std::vector{*row->finding}
                          : m_groups[row->group].findings;
}

bool FindingGroups::isUnfolded(const QModelIndex& group) const {
    return isGroup(group) && m_unfolded.contains(m_groups[rowAt(group)->group].code);
}

void FindingGroups::setUnfolded(const QModelIndex& index, bool unfolded) {
    if (!isGroup(index) || unfolded == isUnfolded(index)) {
        return;
    }
    const std::size_t number = rowAt(index)->group;
    const Group& group = m_groups[number];
    const auto below = m_rows.begin() + index.row() + 1;
    const int last = index.row() + static_cast<int>(group.findings.size());
    if (unfolded) {
        beginInsertRows({}, index.row() + 1, last);
        m_unfolded.insert(group.code);
        std::vector<Row> rows;
        for (const int finding : group.findings) {
            rows.push_back({.finding = finding, .group = number, .below = true});
        }
        m_rows.insert(below, rows.begin(), rows.end());
        endInsertRows();
    } else {
        beginRemoveRows({}, index.row() + 1, last);
        m_unfolded.erase(group.code);
        m_rows.erase(below, below + static_cast<std::ptrdiff_t>(group.findings.size()));
        endRemoveRows();
    }
    emit dataChanged(index, index);
}

int FindingGroups::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant FindingGroups::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == DepthRole) {
        return row.below ? 1 : 0;
    }
    return row.finding ? m_findings->index(*row.finding).data(role) : groupData(m_groups[row.group], role);
}

// What the findings of a group amount to together, if they can be added up; otherwise the first of them.
QString FindingGroups::total(const Group& group) const {
    const auto& findings = m_findings->validation()->findings;
    const Finding& first = findings[static_cast<std::size_t>(group.findings.front())];
    const auto sum = [&](std::size_t argument) {
        std::uint64_t all = 0;
        for (const int finding : group.findings) {
            all += numberOf(findings[static_cast<std::size_t>(finding)], argument);
        }
        return all;
    };
    switch (first.code) {
    case FindingCode::TensorPastEnd: // the reader may have counted more tensors than it lists
        if (const auto whole = std::ranges::find(findings, FindingCode::TensorDataMissing, &Finding::code);
            whole != findings.end()) {
            return findingMessage(*whole);
        }
        return tr("Together, %1 of their data lie past the end of the file.").arg(formatBytes(sum(0)));
    case FindingCode::WeightsNotFinite:
        return tr("Together, not a number: %1, infinite: %2.").arg(formatCount(sum(0)), formatCount(sum(1)));
    default:
        return tr("The first: %1").arg(findingMessage(first));
    }
}

QVariant FindingGroups::groupData(const Group& group, int role) const {
    const QModelIndex first = m_findings->index(group.findings.front());
    const bool unfolded = m_unfolded.contains(group.code);
    const QString count = formatCount(countOf(group));
    switch (role) {
    case Qt::DisplayRole:
        return QStringLiteral("%1 (%2)").arg(first.data().toString(), count);
    case FindingsModel::MessageRole:
        return total(group);
    case FindingsModel::MarkRole:
    case FindingsModel::CodeRole:
    case FindingsModel::HintRole:
        return first.data(role);
    case FindingsModel::PlaceTextRole:
        return unfolded ? tr("Show only their number") : tr("Show %1 of them").arg(formatCount(group.findings.size()));
    case FindingsModel::FixTextRole:
        return QString();
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1: %2. %3 %4")
            .arg(markName(static_cast<Mark>(first.data(FindingsModel::MarkRole).toInt())),
                 groupData(group, Qt::DisplayRole).toString(), total(group), unfolded ? tr("unfolded") : tr("folded"));
    default:
        return {};
    }
}

} // namespace gufo::ui

#include "moc_finding_groups.cpp"
