#include "model/array_builder.h"

#include "model/encode_value.h"

namespace gufo {

void ArrayBuilder::add(const Value& element) {
    if (appendValue(m_bytes, element, m_layout)) {
        ++m_length;
    }
}

} // namespace gufo
