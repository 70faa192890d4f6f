// The Value column of the metadata: the value, beside a token id the token as a chip, beside a changed value what it
// was; edited in place.
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
