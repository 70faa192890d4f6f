#include "gguf/writer.h"

#include "base/checked.h"
#include "gguf/reader.h"
#include "model/array_index.h"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

namespace gufo::gguf {
namespace {

constexpr std::string_view kAlignmentKey = "general.alignment";
constexpr std::uint64_t kLargestFile = std::numeric_limits<std::int64_t>::max();

template<Scalar T>
void append(std::vector<std::byte>& out, T value, ByteOrder order) {
    out.resize(out.size() + sizeof value);
    store(out.data() + out.size() - sizeof value, value, order);
}

void append(std::vector<std::byte>& out, std::string_view text) {
    const auto* from = reinterpret_cast<const std::byte*>(text.data());
    out.insert(out.end(), from, from + text.size());
}

void appendLength(std::vector<std::byte>& out, std::uint64_t length, ValueLayout layout) {
    if (layout.lengths == ValueLayout::Lengths::U32) {
        append(out, static_cast<std::uint32_t>(length), layout.order);
    } else {
        append(out, length, layout.order);
    }
}

void appendString(std::vector<std::byte>& out, std::string_view text, ValueLayout layout) {
    appendLength(out, text.size(), layout);
    append(out, text);
}

bool appendValue(std::vector<std::byte>& out, const Value& value, ValueLayout layout);

// False if the array's bytes end before its elements do.
bool appendArray(std::vector<std::byte>& out, const ArrayView& array, ValueLayout layout) {
    const auto type = static_cast<std::uint32_t>(array.elementType);
    if (layout.arrayHead == ValueLayout::ArrayHead::TypeFirst) {
        append(out, type, layout.order);
        appendLength(out, array.length, layout);
    } else {
        appendLength(out, array.length, layout);
        append(out, type, layout.order);
    }
    const bool sameBytes = array.layout == layout || valueTypeInfo(array.elementType).bytes == 1;
    if (sameBytes) {
        out.insert(out.end(), array.bytes.begin(), array.bytes.end());
        return true;
    }
    Bytes rest = array.bytes;
    for (std::uint64_t i = 0; i < array.length; ++i) {
        const auto element = valueAt(array.elementType, rest, array.layout);
        if (!element || !appendValue(out, element->value, layout)) {
            return false;
        }
        rest = rest.subspan(element->bytes);
    }
    return true;
}

bool appendValue(std::vector<std::byte>& out, const Value& value, ValueLayout layout) {
    return std::visit(
        [&]<typename T>(const T& v) {
            if constexpr (std::is_same_v<T, std::string_view>) {
                appendString(out, v, layout);
            } else if constexpr (std::is_same_v<T, ArrayView>) {
                return appendArray(out, v, layout);
            } else if constexpr (std::is_same_v<T, BoolValue>) {
                append(out, v.raw, layout.order);
            } else {
                append(out, v, layout.order);
            }
            return true;
        },
        value);
}

std::unexpected<Error> invalid(Place place, std::string what) {
    return fail(ErrorCode::InvalidArgument, std::move(place), {std::move(what)});
}

} // namespace

void ArrayBuilder::add(const Value& element) {
    appendValue(m_bytes, element, m_layout);
    ++m_length;
}

Result<> Writer::add(std::string_view key, const Value& value) {
    const Place place = Place::key(std::string(key));
    if (key.empty()) {
        return invalid(place, "a key has no name");
    }
    if (m_keys.contains(std::string(key))) {
        return invalid(place, "two keys have the same name");
    }
    if (key == kAlignmentKey) {
        const auto* alignment = std::get_if<std::uint32_t>(&value);
        if (alignment == nullptr || *alignment < 8 || (*alignment & (*alignment - 1)) != 0) {
            return invalid(place, "the alignment must be a u32, a power of two and at least 8");
        }
        m_alignment = *alignment;
    }
    const std::size_t before = m_keyValues.size();
    appendString(m_keyValues, key, m_layout);
    append(m_keyValues, static_cast<std::uint32_t>(typeOf(value)), m_layout.order);
    if (!appendValue(m_keyValues, value, m_layout)) {
        m_keyValues.resize(before);
        return invalid(place, "the array is damaged");
    }
    m_keys.emplace(key);
    return {};
}

Result<> Writer::addTensor(std::string_view name, std::uint32_t typeId, const Shape& shape, std::uint64_t bytes) {
    const Place place = Place::tensor(std::string(name));
    if (name.empty()) {
        return invalid(place, "a tensor has no name");
    }
    // An alignment set later is at most 2^31.
    constexpr std::uint64_t kLargestPadding = std::uint64_t{1} << 31U;
    const auto grown = checkedAdd(m_dataBytes, bytes);
    if (!grown || *grown > kLargestFile - kLargestPadding * (m_tensors.size() + 2)) {
        return invalid(place, "the file would be too large");
    }
    if (!m_names.emplace(name).second) {
        return invalid(place, "two tensors have the same name");
    }
    m_dataBytes = *grown;
    m_tensors.push_back({std::string(name), typeId, shape, bytes});
    return {};
}

std::uint64_t Writer::padded(std::uint64_t bytes) const {
    return (bytes + m_alignment - 1) / m_alignment * m_alignment;
}

std::vector<std::uint64_t> Writer::offsets() const {
    std::vector<std::uint64_t> offsets;
    std::uint64_t end = 0;
    for (const Tensor& tensor : m_tensors) {
        offsets.push_back(end);
        end += padded(tensor.bytes);
    }
    return offsets;
}

std::vector<std::byte> Writer::header() const {
    std::vector<std::byte> out;
    append(out, "GGUF");
    append(out, kMaxVersion, m_layout.order);
    appendLength(out, m_tensors.size(), m_layout);
    appendLength(out, m_keys.size(), m_layout);
    out.insert(out.end(), m_keyValues.begin(), m_keyValues.end());
    const std::vector<std::uint64_t> places = offsets();
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
        const Tensor& tensor = m_tensors[i];
        appendString(out, tensor.name, m_layout);
        append(out, static_cast<std::uint32_t>(tensor.shape.count()), m_layout.order);
        for (const std::uint64_t dim : tensor.shape.dims()) {
            append(out, dim, m_layout.order);
        }
        append(out, tensor.typeId, m_layout.order);
        append(out, places[i], m_layout.order);
    }
    if (!m_tensors.empty()) {
        out.resize(padded(out.size()));
    }
    return out;
}

std::uint64_t Writer::fileBytes() const {
    std::uint64_t bytes = header().size();
    for (const Tensor& tensor : m_tensors) {
        bytes += padded(tensor.bytes);
    }
    return bytes;
}

Result<> Writer::write(const Sink& sink, const TensorData& data, const JobContext& job) const {
    job.start(fileBytes());
    const auto pass = [&](Bytes bytes) -> Result<> {
        if (job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        job.advance(bytes.size());
        return sink(bytes);
    };
    if (auto written = pass(header()); !written) {
        return written;
    }
    const std::vector<std::byte> zeros(m_alignment);
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
        const Tensor& tensor = m_tensors[i];
        std::uint64_t given = 0;
        const auto count = [&](Bytes bytes) -> Result<> {
            given += bytes.size();
            if (given > tensor.bytes) {
                return invalid(Place::tensor(tensor.name), "more bytes than announced");
            }
            return pass(bytes);
        };
        if (auto written = data(i, count); !written) {
            return written;
        }
        if (given != tensor.bytes) {
            return invalid(Place::tensor(tensor.name), "fewer bytes than announced");
        }
        if (auto written = pass(Bytes(zeros).first(padded(given) - given)); !written) {
            return written;
        }
    }
    return {};
}

} // namespace gufo::gguf
