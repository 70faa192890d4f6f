#include "model/type_argument.h"

#include "base/detail.h"

namespace gufo {

Argument typeArgument(const Value& value) {
    const ArrayView* array = asArray(value);
    return array != nullptr ? arrayTypeArgument(array->elementType) : Argument(valueTypeInfo(typeOf(value)).name);
}

Argument arrayTypeArgument(ValueType element) { return {Detail::ArrayOf, {valueTypeInfo(element).name}}; }

} // namespace gufo
