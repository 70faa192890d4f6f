#include "ui/quantize/what_if_model.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"

#include <cmath>
#include <limits>

namespace gufo::ui {
namespace {

struct ColumnWords {
    const char* title;
    const char* meaning;
};
constexpr std::array<ColumnWords, kWhatIfColumns> kColumns{{
    {QT_TRANSLATE_NOOP("gufo::ui::WhatIfModel", "Type"), ""},
    {QT_TRANSLATE_NOOP("gufo::ui::WhatIfModel", "Bits/weight"), ""},
    {QT_TRANSLATE_NOOP("gufo::ui::WhatIfModel", "Size"), ""},
    {QT_TRANSLATE_NOOP("gufo::ui::WhatIfModel", "File"),
     QT_TRANSLATE_NOOP("gufo::ui::WhatIfModel", "The change of the file size")},
    {QT_TRANSLATE_NOOP("gufo::ui::WhatIfModel", "SQNR dB"),
     QT_TRANSLATE_NOOP("gufo::ui::WhatIfModel", "Signal to quantisation noise, −10·log10 NMSE: more is better")},
    {QT_TRANSLATE_NOOP("gufo::ui::WhatIfModel", "NMSE"),
     QT_TRANSLATE_NOOP("gufo::ui::WhatIfModel", "Squared error as a share of the squared weights: less is better")},
    {QT_TRANSLATE_NOOP("gufo::ui::WhatIfModel", "RMSE"),
     QT_TRANSLATE_NOOP("gufo::ui::WhatIfModel", "Root of the mean squared error: less is better")},
    {QT_TRANSLATE_NOOP("gufo::ui::WhatIfModel", "Weighted dB"),
     QT_TRANSLATE_NOOP("gufo::ui::WhatIfModel",
                       "SQNR with errors weighted by the importance matrix, quantised without using it")},
    {QT_TRANSLATE_NOOP("gufo::ui::WhatIfModel", "With imatrix"),
     QT_TRANSLATE_NOOP("gufo::ui::WhatIfModel",
                       "SQNR with errors weighted by the importance matrix, quantised with it")},
}};

std::optional<double> decibels(const std::optional<double>& nmse) {
    return nmse && *nmse > 0 ? std::optional(-10 * std::log10(*nmse)) : std::nullopt;
}

QString dash() { return QString(QChar(0x2014)); }

} // namespace

void WhatIfModel::setResult(WhatIf result, std::optional<std::uint32_t> present) {
    const bool same = result.types.size() == m_result.types.size();
    if (!same) {
        beginResetModel();
    }
    m_result = std::move(result);
    m_present = present;
    if (!same) {
        endResetModel();
    } else if (!m_result.types.empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, kWhatIfColumns - 1));
    }
}

void WhatIfModel::clear() {
    beginResetModel();
    m_result = {};
    m_present.reset();
    endResetModel();
}

std::optional<std::uint32_t> WhatIfModel::typeAt(int row) const {
    return row >= 0 && row < rowCount() ? std::optional(m_result.types[static_cast<std::size_t>(row)].typeId)
                                        : std::nullopt;
}

int WhatIfModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_result.types.size());
}

int WhatIfModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kWhatIfColumns; }

std::optional<double> WhatIfModel::figure(const WhatIfType& type, WhatIfColumn column) const {
    const bool known = type.tensorsThatFit > 0 && !type.failure;
    const PairFigures figures = known ? type.loss.figures() : PairFigures();
    switch (column) {
    case WhatIfColumn::Type:
    case WhatIfColumn::BitsPerWeight:
        return type.bitsPerWeight();
    case WhatIfColumn::Size:
        return static_cast<double>(type.bytes);
    case WhatIfColumn::Change:
        return static_cast<double>(type.bytes) - static_cast<double>(m_result.bytes);
    case WhatIfColumn::Sqnr:
        return figures.nmse == 0.0 ? std::numeric_limits<double>::infinity() : figures.sqnrDb;
    case WhatIfColumn::Nmse:
        return figures.nmse;
    case WhatIfColumn::Rmse:
        return figures.rmse;
    case WhatIfColumn::WeightedWithout:
        return known ? decibels(type.loss.weightedNmse()) : std::nullopt;
    case WhatIfColumn::WeightedWith:
        return known && type.withImatrix ? decibels(type.withImatrix->weightedNmse()) : std::nullopt;
    }
    return {};
}

QString WhatIfModel::text(const WhatIfType& type, WhatIfColumn column) const {
    const auto value = figure(type, column);
    switch (column) {
    case WhatIfColumn::Type:
        return QString::fromLatin1(findTensorType(type.typeId)->name.data());
    case WhatIfColumn::BitsPerWeight:
        return formatBitsPerWeight(*value);
    case WhatIfColumn::Size:
        return formatBytes(type.bytes);
    case WhatIfColumn::Change: {
        const QString size = formatBytes(static_cast<std::uint64_t>(std::abs(*value)));
        return *value == 0 ? tr("same") : (*value < 0 ? QChar(0x2212) : QLatin1Char('+')) + size;
    }
    case WhatIfColumn::Sqnr:
    case WhatIfColumn::WeightedWithout:
    case WhatIfColumn::WeightedWith:
        return !value ? dash() : std::isinf(*value) ? tr("exact") : formatFixed(*value, 1);
    case WhatIfColumn::Nmse:
    case WhatIfColumn::Rmse:
        return !value ? dash() : *value == 0 ? QStringLiteral("0") : formatReal(*value, 3);
    }
    return {};
}

QString WhatIfModel::toolTip(const WhatIfType& type) const {
    if (type.failure) {
        return errorReason(*type.failure);
    }
    if (type.tensorsThatFit == 0) {
        return tr("Rows of these tensors are not whole blocks of %n weights.", nullptr,
                  numerus(findTensorType(type.typeId)->blockSize));
    }
    return type.typeId == m_present ? tr("Current type") : QString();
}

QVariant WhatIfModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const WhatIfType& type = m_result.types[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<WhatIfColumn>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return text(type, column);
    case kSortRole:
        return figure(type, column).value_or(std::numeric_limits<double>::quiet_NaN());
    case Qt::ToolTipRole:
        return toolTip(type);
    case Qt::FontRole: {
        QFont font = themeFont(column == WhatIfColumn::Type ? TextStyle::Mono : TextStyle::Table);
        font.setBold(type.typeId == m_present);
        return font;
    }
    case Qt::ForegroundRole:
        return themeColor(type.failure ? Token::ErrorText : type.tensorsThatFit == 0 ? Token::Faint : Token::Text);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((column == WhatIfColumn::Type ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant WhatIfModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kWhatIfColumns) {
        return {};
    }
    const ColumnWords& words = kColumns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return tr(words.title);
    case Qt::ToolTipRole:
        return *words.meaning == '\0' ? QString() : tr(words.meaning);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
        return {};
    }
}

} // namespace gufo::ui

#include "moc_what_if_model.cpp"
