#include "ui/compare/lock_step/lock_step_model.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table_text.h"

namespace gufo::ui {
namespace {

QString percent(double probability) {
    return formatFixed(100 * probability, probability > 0.9995 ? 0 : 1) + QStringLiteral(" %");
}

} // namespace

LockStepModel::LockStepModel(const LockStepRun& run, QObject* parent)
    : QAbstractTableModel(parent)
    , m_run(run) {
    connect(&run, &LockStepRun::stateChanged, this, &LockStepModel::reset);
    connect(&run, &LockStepRun::placesAdded, this, [this](std::size_t first) {
        beginInsertRows({}, static_cast<int>(first), static_cast<int>(m_run.places().size()) - 1);
        m_rows = static_cast<int>(m_run.places().size());
        m_firstDifference = m_run.firstDifference();
        endInsertRows();
    });
}

// Another run has other columns.
void LockStepModel::reset() {
    if (static_cast<std::size_t>(m_rows) == m_run.places().size() && m_rows != 0) {
        return;
    }
    beginResetModel();
    m_rows = static_cast<int>(m_run.places().size());
    m_firstDifference = m_run.firstDifference();
    endResetModel();
}

int LockStepModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_rows; }

int LockStepModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || m_run.files().empty() ? 0 : kOthers + 2 * (static_cast<int>(m_run.files().size()) - 1);
}

QString LockStepModel::cell(const inference::LockStepPlace& place, int column) const {
    if (column == kPosition) {
        return QString::number(place.position);
    }
    if (column == kToken) {
        return m_run.tokenText(place.token);
    }
    const inference::LockStepChoice& choice = place.choices[fileOf(column)];
    if (!choice.isKnown) {
        return QStringLiteral("–");
    }
    return isDivergence(column) ? (choice.isBound ? QStringLiteral("≥ ") : QString()) + formatReal(choice.divergence, 3)
                                : m_run.tokenText(choice.token) + QStringLiteral("  ") + percent(choice.probability);
}

QVariant LockStepModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= m_rows) {
        return {};
    }
    const auto row = static_cast<std::size_t>(index.row());
    const inference::LockStepPlace& place = m_run.places()[row];
    const int column = index.column();
    const bool isChoice = column >= kOthers && !isDivergence(column);
    const bool isKnown = column < kReference || place.choices[fileOf(column)].isKnown;
    const bool differs = isChoice && isKnown && place.choices[fileOf(column)].token != place.choices.front().token;
    switch (role) {
    case Qt::DisplayRole:
        return cell(place, column);
    case kExactRole:
        return isDivergence(column) && isKnown ? QVariant::fromValue(place.choices[fileOf(column)].divergence)
                                               : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant(column == kPosition || isDivergence(column) ? Qt::AlignRight | Qt::AlignVCenter
                                                                    : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return differs ? QVariant(themeColor(Token::WarningText))
               : column == kPosition || (column == kToken && place.given) || isChoice
                   ? QVariant(themeColor(Token::Muted))
                   : QVariant();
    case Qt::BackgroundRole:
        return differs                    ? QVariant(themeColor(Token::WarningFill))
               : m_firstDifference == row ? QVariant(themeColor(Token::ChangedRow))
                                          : QVariant();
    case Qt::FontRole: {
        QFont font = themeFont(isDivergence(column) || column == kPosition ? TextStyle::Table : TextStyle::Mono);
        font.setBold(m_firstDifference == row);
        return font;
    }
    case Qt::ToolTipRole:
        return candidates(index.row());
    case Qt::AccessibleTextRole:
        return differs ? tr("%1, differs from the reference").arg(cell(place, column)) : QVariant();
    default:
        return {};
    }
}

QVariant LockStepModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section >= columnCount()) {
        return {};
    }
    const QString label = section >= kReference ? m_run.files()[fileOf(section)].label : QString();
    if (role == Qt::TextAlignmentRole) {
        return QVariant(section == kPosition || isDivergence(section) ? Qt::AlignRight | Qt::AlignVCenter
                                                                      : Qt::AlignLeft | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole) {
        return section == kPosition ? tr("Position in the text, from 0")
               : section == kToken  ? tr("The next token: from the given text, or the reference's most likely one")
               : isDivergence(section) && m_run.files()[fileOf(section)].server
                   ? tr("KL divergence of %1 from the reference, in nats, at least: the server reports its most likely "
                        "tokens, and all others count as one")
                         .arg(label)
               : isDivergence(section) ? tr("KL divergence of %1 from the reference, in nats").arg(label)
                                       : tr("The most likely token of %1, and its probability").arg(label);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    return section == kPosition    ? QStringLiteral("#")
           : section == kToken     ? tr("Text")
           : isDivergence(section) ? tr("KL, nats")
                                   : label;
}

QString LockStepModel::candidates(int row) const {
    if (row < 0 || row >= m_rows) {
        return {};
    }
    const inference::LockStepPlace& place = m_run.places()[static_cast<std::size_t>(row)];
    QString heads;
    std::size_t maximum = 0;
    const auto gapAfter = [last = place.choices.size() - 1](std::size_t i) {
        return i < last ? QStringLiteral("<td width=14></td>") : QString();
    };
    for (std::size_t i = 0; i < place.choices.size(); ++i) {
        heads += QStringLiteral("<th colspan=2 align=left>%1</th>%2")
                     .arg(m_run.files()[i].label.toHtmlEscaped(), gapAfter(i));
        maximum = std::max(maximum, place.choices[i].candidates.size());
    }
    QString rows;
    for (std::size_t k = 0; k < maximum; ++k) {
        rows += QStringLiteral("<tr>");
        for (std::size_t i = 0; i < place.choices.size(); ++i) {
            const auto& candidates = place.choices[i].candidates;
            if (k >= candidates.size()) {
                rows += QStringLiteral("<td></td><td></td>") + gapAfter(i);
                continue;
            }
            const QString text = m_run.tokenText(candidates[k].token).toHtmlEscaped();
            rows += QStringLiteral("<td><tt>%1</tt></td><td align=right>%2</td>")
                        .arg(candidates[k].token == place.token ? QStringLiteral("<b>%1</b>").arg(text) : text,
                             percent(candidates[k].probability)) +
                    gapAfter(i);
        }
        rows += QStringLiteral("</tr>");
    }
    return QStringLiteral("<p>%1</p><table cellspacing=0 cellpadding=2><tr>%2</tr>%3</table>")
        .arg(tr("Token %1 is <tt>%2</tt>").arg(place.position).arg(m_run.tokenText(place.token).toHtmlEscaped()), heads,
             rows);
}

} // namespace gufo::ui

#include "moc_lock_step_model.cpp"
