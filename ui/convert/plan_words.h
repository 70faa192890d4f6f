// Words for what a conversion does to tensors and why it leaves some out.
#pragma once

#include "convert/operation.h"

#include <QString>
#include <QStringList>

#include <string_view>

namespace gufo::ui {

// "permute the halves of 8 heads".
[[nodiscard]] QString operationText(const convert::Operation& operation);
// The operations in order. A change of the name is listed only if it is the only one.
[[nodiscard]] QString operationsText(const std::vector<convert::Operation>& operations);
// The words for a reason of core; the reason itself if there are none.
[[nodiscard]] QString droppedText(std::string_view reason);

} // namespace gufo::ui
