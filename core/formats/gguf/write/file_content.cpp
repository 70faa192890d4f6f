#include "formats/gguf/write/file_content.h"

#include "base/checked.h"
#include "base/detail.h"
#include "formats/gguf/read/reader.h"
#include "model/encode_value.h"

#include <limits>

namespace gufo::gguf {
namespace {

constexpr std::string_view kReservedMark = "gufo:was";
static_assert(kReservedMark.size() + sizeof(std::uint64_t) == kReservedMarkBytes);
constexpr std::uint64_t kTypeBytes = 4; // size of a value's or tensor's type and of the number of dimensions

void appendReserved(std::vector<std::byte>& out, std::uint64_t reserved, std::uint64_t unreservedOffset,
                    ValueLayout layout) {
    appendString(out, kReservedKey, layout);
    appendNumber(out, static_cast<std::uint32_t>(ValueType::Array), layout.order);
    appendNumber(out, static_cast<std::uint32_t>(ValueType::UInt8), layout.order);
    appendLength(out, reserved, layout);
    const std::size_t start = out.size();
    if (unreservedOffset != 0) {
        appendBytes(out, kReservedMark);
        appendNumber(out, unreservedOffset, ByteOrder::Little);
    }
    out.resize(start + reserved);
}

} // namespace

void FileContent::layOut() {
    m_bareBytes = 8 + 2 * layout.lengthBytes();
    for (const ContentKey& entry : keys) {
        m_bareBytes +=
            layout.lengthBytes() + entry.key.size() + kTypeBytes + encodedSize(entry.value, layout).value_or(0);
    }
    m_dataBytes = 0;
    for (ContentTensor& tensor : tensors) {
        m_bareBytes += layout.lengthBytes() + tensor.name.size() + kTypeBytes +
                       tensor.shape.count() * layout.lengthBytes() + kTypeBytes + sizeof(std::uint64_t);
        tensor.offset = m_dataBytes;
        // A sum that overflows 64 bits saturates, and the caller refuses it.
        constexpr std::uint64_t kTooMuch = std::numeric_limits<std::uint64_t>::max();
        const auto end = checkedAdd(m_dataBytes, tensor.bytes);
        m_dataBytes = end ? checkedAlign(*end, alignment).value_or(kTooMuch) : kTooMuch;
    }
}

std::uint64_t FileContent::dataOffset(std::uint64_t headerBytes) const {
    return tensors.empty() ? headerBytes : *checkedAlign(headerBytes, alignment);
}

std::uint64_t FileContent::reservedOverhead() const {
    return layout.lengthBytes() + kReservedKey.size() + kTypeBytes + layout.arrayHeadBytes();
}

Result<std::vector<std::byte>> FileContent::header(std::optional<std::uint64_t> reserved,
                                                   std::uint64_t unreservedOffset) const {
    const std::uint64_t bytes = m_bareBytes + (reserved ? reservedOverhead() + *reserved : 0);
    std::vector<std::byte> out;
    out.reserve(dataOffset(bytes));
    appendBytes(out, "GGUF");
    appendNumber(out, version, layout.order);
    appendLength(out, tensors.size(), layout);
    appendLength(out, keys.size() + (reserved ? 1 : 0), layout);
    const std::size_t position = std::min(reservedPosition.value_or(keys.size()), keys.size());
    for (std::size_t i = 0; i <= keys.size(); ++i) {
        if (reserved && i == position) {
            appendReserved(out, *reserved, unreservedOffset, layout);
        }
        if (i == keys.size()) {
            break;
        }
        appendString(out, keys[i].key, layout);
        appendNumber(out, static_cast<std::uint32_t>(typeOf(keys[i].value)), layout.order);
        if (!appendValue(out, keys[i].value, layout)) {
            return fail(ErrorCode::InvalidArgument, Place::key(std::string(keys[i].key)), {Detail::ArrayDamaged});
        }
    }
    for (const ContentTensor& tensor : tensors) {
        appendString(out, tensor.name, layout);
        appendNumber(out, static_cast<std::uint32_t>(tensor.shape.count()), layout.order);
        for (const std::uint64_t dim : tensor.shape.dims()) {
            appendLength(out, dim, layout);
        }
        appendNumber(out, tensor.typeId, layout.order);
        appendNumber(out, tensor.offset, layout.order);
    }
    out.resize(dataOffset(out.size()));
    return out;
}

std::optional<std::uint64_t> unreservedOffsetIn(const ArrayView& reserved) {
    if (valueTypeFact(reserved.elementType).bytes != 1 || reserved.bytes.size() < kReservedMarkBytes) {
        return std::nullopt;
    }
    const std::string_view mark(reinterpret_cast<const char*>(reserved.bytes.data()), kReservedMark.size());
    return mark == kReservedMark ? std::optional(load<std::uint64_t>(reserved.bytes.data() + mark.size()))
                                 : std::nullopt;
}

} // namespace gufo::gguf
