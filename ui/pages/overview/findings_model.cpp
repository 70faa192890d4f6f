#include "ui/pages/overview/findings_model.h"

#include "ui/messages/error_text.h"
#include "ui/messages/finding_text.h"
#include "ui/messages/format.h"
#include "ui/messages/key_text.h"

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::string_view kDeepScan = "weights_finite"; // its name in Validation::checksNotRun

} // namespace

void FindingsModel::setValidation(std::shared_ptr<const Validation> validation, std::uint64_t readBytes,
                                  std::shared_ptr<const Fixes> fixes) {
    beginResetModel();
    m_validation = std::move(validation);
    m_fixes = std::move(fixes);
    m_readBytes = readBytes;
    endResetModel();
}

const Place* FindingsModel::place(const QModelIndex& index) const {
    return index.isValid() && !isNotRun(index) ? &m_validation->findings[static_cast<std::size_t>(index.row())].place
                                               : nullptr;
}

bool FindingsModel::isNotRun(const QModelIndex& index) const {
    return index.isValid() && m_validation && static_cast<std::size_t>(index.row()) >= m_validation->findings.size();
}

const std::vector<Change>* FindingsModel::fix(const QModelIndex& index) const {
    const auto row = static_cast<std::size_t>(index.row());
    return index.isValid() && m_fixes && row < m_fixes->size() && !(*m_fixes)[row].empty() ? &(*m_fixes)[row] : nullptr;
}

std::size_t FindingsModel::fixCount() const {
    return m_fixes ? static_cast<std::size_t>(
                         std::ranges::count_if(*m_fixes, [](const auto& changes) { return !changes.empty(); }))
                   : 0;
}

std::uint64_t FindingsModel::count(Severity severity) const {
    return m_validation ? static_cast<std::uint64_t>(std::ranges::count(m_validation->findings, severity,
                                                                        [](const Finding& f) { return f.severity(); }))
                        : 0;
}

QString FindingsModel::countsText() const {
    if (!m_validation) {
        return {};
    }
    QStringList parts;
    const auto add = [&parts](std::uint64_t n, const QString& one, const QString& many) {
        if (n != 0) {
            parts << (n == 1 ? one : many.arg(formatCount(n)));
        }
    };
    add(count(Severity::Error), tr("1 error"), tr("%1 errors"));
    add(count(Severity::Warning), tr("1 warning"), tr("%1 warnings"));
    add(count(Severity::Note), tr("1 note"), tr("%1 notes"));
    add(m_validation->checksPassed, tr("1 check passed"), tr("%1 checks passed"));
    return parts.join(QStringLiteral(", "));
}

// Other checks that were not run do not apply to the file; this one does not either where there are no weights.
bool FindingsModel::deepScanIsLeft() const {
    return m_validation && m_readBytes != 0 &&
           std::ranges::find(m_validation->checksNotRun, kDeepScan) != m_validation->checksNotRun.end();
}

int FindingsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_validation
               ? 0
               : static_cast<int>(m_validation->findings.size()) + (deepScanIsLeft() ? 1 : 0);
}

QVariant FindingsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    if (isNotRun(index)) {
        return notRunData(role);
    }
    const Finding& finding = m_validation->findings[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return findingTitle(finding);
    case MarkRole:
        return static_cast<int>(markOf(finding.severity()));
    case MessageRole:
        return findingMessage(finding);
    case HintRole:
        return findingHint(finding);
    case PlaceTextRole:
        return placeText(finding.place);
    case CodeRole:
        return latin1(finding.name());
    case FixTextRole:
        return fix(index) != nullptr ? fixLabel(finding.code) : QString();
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1: %2. %3 %4")
            .arg(markName(markOf(finding.severity())), findingTitle(finding), findingMessage(finding),
                 placeText(finding.place));
    default:
        return {};
    }
}

QVariant FindingsModel::notRunData(int role) const {
    const QString title = tr("Not run: NaN and infinity scan");
    const QString message = tr("Reads %1 of weights.").arg(formatBytes(m_readBytes));
    switch (role) {
    case Qt::DisplayRole:
        return title;
    case MarkRole:
        return static_cast<int>(Mark::NotRun);
    case MessageRole:
        return message;
    case HintRole:
    case PlaceTextRole:
    case FixTextRole:
        return QString();
    case CodeRole:
        return latin1(kDeepScan);
    case Qt::AccessibleTextRole:
        return title + QStringLiteral(". ") + message;
    default:
        return {};
    }
}

} // namespace gufo::ui
