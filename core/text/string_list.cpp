#include "text/string_list.h"

#include "base/detail.h"
#include "model/array_index.h"
#include "model/value_text.h"

namespace gufo::text {

Result<StringList> StringList::read(const Metadata& metadata, std::string_view key, const JobContext& job) {
    const std::string name(key);
    const Value* value = metadata.find(key);
    if (value == nullptr) {
        return fail(ErrorCode::NoSuchKey, {}, {name});
    }
    const ArrayView* array = asArray(*value);
    if (array == nullptr || array->elementType != ValueType::String) {
        return fail(ErrorCode::WrongValueType, Place::key(name),
                    {arrayTypeArgument(ValueType::String), typeArgument(*value)});
    }
    if (array->length > kMaxStrings) {
        return fail(ErrorCode::LimitExceeded, Place::key(name), {Detail::Elements, array->length, kMaxStrings});
    }
    StringList list;
    Bytes rest = array->bytes;
    for (std::uint64_t i = 0; i < array->length; ++i) {
        constexpr std::uint64_t kStringsPerStopCheck = 16'384;
        if (i % kStringsPerStopCheck == 0 && job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const auto element = valueAt(ValueType::String, rest, array->layout);
        if (!element) {
            return fail(ErrorCode::Truncated, Place::key(name),
                        {Detail::Array, array->layout.lengthBytes(), rest.size()});
        }
        const auto text = std::get<std::string_view>(element->value);
        if (text.size() > kMaxStringBytes) {
            return fail(ErrorCode::LimitExceeded, Place::key(name, i), {Detail::Bytes, text.size(), kMaxStringBytes});
        }
        if (list.m_bytes.size() + text.size() > kMaxBytes) {
            return fail(ErrorCode::LimitExceeded, Place::key(name), {Detail::Bytes, array->bytes.size(), kMaxBytes});
        }
        list.m_bytes += text;
        list.m_ends.push_back(static_cast<std::uint32_t>(list.m_bytes.size()));
        rest = rest.subspan(element->bytes);
    }
    return list;
}

} // namespace gufo::text
