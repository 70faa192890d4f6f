#include "ui/pages/overview/findings_model.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"
#include "ui/messages/key_text.h"

#include <algorithm>

namespace gufo::ui {
namespace {

// Names in Validation::checksNotRun.
constexpr std::string_view kDeepScan = "weights_finite";
constexpr std::string_view kNeededTensors = "needed_tensors";

} // namespace

void FindingsModel::setValidation(std::shared_ptr<const Validation> validation, std::uint64_t readBytes,
                                  std::shared_ptr<const Fixes> fixes, const QString& server) {
    beginResetModel();
    m_validation = std::move(validation);
    m_fixes = std::move(fixes);
    m_readBytes = readBytes;
    m_server = server;
    endResetModel();
}

const Place* FindingsModel::place(const QModelIndex& index) const {
    return index.isValid() && !isNotRun(index) ? &m_validation->findings[static_cast<std::size_t>(index.row())].place
                                               : nullptr;
}

bool FindingsModel::isNotRun(const QModelIndex& index) const {
    return index.isValid() && m_validation && static_cast<std::size_t>(index.row()) >= m_validation->findings.size();
}

const FindingsModel::Fix* FindingsModel::fix(const QModelIndex& index) const {
    const auto row = static_cast<std::size_t>(index.row());
    return index.isValid() && m_fixes && row < m_fixes->size() && !(*m_fixes)[row].changes.empty() ? &(*m_fixes)[row]
                                                                                                   : nullptr;
}

std::size_t FindingsModel::fixCount() const {
    return m_fixes ? static_cast<std::size_t>(
                         std::ranges::count_if(*m_fixes, [](const Fix& fix) { return !fix.changes.empty(); }))
                   : 0;
}

std::size_t FindingsModel::soundFixCount() const {
    return m_fixes ? static_cast<std::size_t>(std::ranges::count_if(
                         *m_fixes, [](const Fix& fix) { return fix.sound && !fix.changes.empty(); }))
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
    if (const auto errors = count(Severity::Error); errors != 0) {
        parts << tr("%n errors", nullptr, numerus(errors));
    }
    if (const auto warnings = count(Severity::Warning); warnings != 0) {
        parts << tr("%n warnings", nullptr, numerus(warnings));
    }
    if (const auto notes = count(Severity::Note); notes != 0) {
        parts << tr("%n notes", nullptr, numerus(notes));
    }
    if (m_validation->checksPassed != 0) {
        parts << tr("%n checks passed", nullptr, numerus(m_validation->checksPassed));
    }
    if (std::ranges::find(m_validation->checksNotRun, kNeededTensors) != m_validation->checksNotRun.end()) {
        parts << tr("missing tensors not judged");
    }
    return parts.join(QStringLiteral(", "));
}

// Other checks that were not run do not apply to the file. Neither does this one if there are no weights.
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
    case HintRole: {
        const Fix* repair = fix(index);
        const QString consequence = repair != nullptr && !repair->sound ? fixConsequence(finding.code) : QString();
        return consequence.isEmpty() ? findingHint(finding)
                                     : QStringLiteral("%1 %2").arg(findingHint(finding), consequence);
    }
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
    const QString message = m_server.isEmpty()
                                ? tr("Reads %1 of weights.").arg(formatBytes(m_readBytes))
                                : tr("Fetches %1 of weights from %2.").arg(formatBytes(m_readBytes), m_server);
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

#include "moc_findings_model.cpp"
