// The size and error of tensors as other types: a row per type, filled as the figures arrive.
#pragma once

#include "quantize/what_if.h"

#include <QAbstractTableModel>

namespace gufo::ui {

enum class WhatIfColumn { Type, BitsPerWeight, Size, Change, Sqnr, Nmse, Rmse, WeightedWithout, WeightedWith };
inline constexpr int kWhatIfColumns = 9;

class WhatIfModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    // `present` is the current type of the tensors, if they all have the same.
    void setResult(WhatIf result, std::optional<std::uint32_t> present);
    void clear();
    [[nodiscard]] const WhatIf& result() const { return m_result; }
    [[nodiscard]] std::optional<std::uint32_t> typeAt(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    // The sort key; missing figures sort last.
    static constexpr int kSortRole = Qt::UserRole;

private:
    [[nodiscard]] std::optional<double> figure(const WhatIfType& type, WhatIfColumn column) const;
    [[nodiscard]] QString text(const WhatIfType& type, WhatIfColumn column) const;
    [[nodiscard]] QString toolTip(const WhatIfType& type) const;

    WhatIf m_result;
    std::optional<std::uint32_t> m_present{};
};

} // namespace gufo::ui
