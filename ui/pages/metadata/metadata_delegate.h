// Paints and edits the Value column of the metadata: the value, the token of a token id as a chip, and the previous
// value if it was changed.
#pragma once

#include "ui/widgets/value_delegate.h"

namespace gufo::ui {

class MetadataDelegate : public ValueDelegate {
    Q_OBJECT

public:
    using ValueDelegate::ValueDelegate;

protected:
    int paintBeside(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                    int left) const override;
};

} // namespace gufo::ui
