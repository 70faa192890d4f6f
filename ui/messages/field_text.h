// Words about the fields of a file: what the bytes are, and what their values say.
#pragma once

#include "bytes/byte_field.h"

#include <QString>

namespace gufo::ui {

[[nodiscard]] QString fieldRoleText(FieldRole role);          // "length of the key"
[[nodiscard]] QString fieldNameText(const ByteField& field);  // "element 5"
[[nodiscard]] QString fieldText(const ByteField& field);      // "general.name: length of the key"
[[nodiscard]] QString bitShareText(const BitShare& share);    // "0x0F: code of weight 5"
[[nodiscard]] QString fieldValueText(const ByteField& field); // a number, a text in quotation marks, or the first bits

// What is wrong with bytes, in a sentence.
[[nodiscard]] QString damageText(const DamageReason& reason);

} // namespace gufo::ui
