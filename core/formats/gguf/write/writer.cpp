#include "formats/gguf/write/writer.h"

#include "base/checked.h"
#include "base/detail.h"
#include "base/try.h"
#include "formats/gguf/read/reader.h"
#include "model/encode_value.h"

#include <algorithm>
#include <array>
#include <limits>

namespace gufo::gguf {
namespace {

constexpr std::string_view kAlignmentKey = "general.alignment";
constexpr std::uint64_t kLargestFile = std::numeric_limits<std::int64_t>::max();

std::unexpected<Error> invalid(Place place, Detail why) {
    return fail(ErrorCode::InvalidArgument, std::move(place), {why});
}

} // namespace

Result<> Writer::add(std::string_view key, const Value& value) {
    const Place place = Place::key(std::string(key));
    if (key.empty()) {
        return invalid(place, Detail::KeyNameEmpty);
    }
    if (m_keys.contains(std::string(key))) {
        return invalid(place, Detail::DuplicateKeyName);
    }
    if (key == kAlignmentKey) {
        const auto* alignment = std::get_if<std::uint32_t>(&value);
        if (alignment == nullptr || *alignment < 8 || (*alignment & (*alignment - 1)) != 0) {
            return invalid(place, Detail::AlignmentNotU32);
        }
        m_alignment = *alignment;
    }
    const std::size_t before = m_keyValues.size();
    appendString(m_keyValues, key, m_layout);
    appendNumber(m_keyValues, static_cast<std::uint32_t>(typeOf(value)), m_layout.order);
    if (!appendValue(m_keyValues, value, m_layout)) {
        m_keyValues.resize(before);
        return invalid(place, Detail::ArrayDamaged);
    }
    m_keys.emplace(key);
    return {};
}

Result<> Writer::addTensor(std::string_view name, std::uint32_t typeId, const Shape& shape, std::uint64_t bytes) {
    const Place place = Place::tensor(std::string(name));
    if (name.empty()) {
        return invalid(place, Detail::TensorNameEmpty);
    }
    // An alignment that is set later is at most 2^31.
    constexpr std::uint64_t kLargestPadding = std::uint64_t{1} << 31U;
    const auto grown = checkedAdd(m_dataBytes, bytes);
    if (!grown || *grown > kLargestFile - kLargestPadding * (m_tensors.size() + 2)) {
        return invalid(place, Detail::FileTooLarge);
    }
    if (!m_names.emplace(name).second) {
        return invalid(place, Detail::DuplicateTensorName);
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
    appendBytes(out, "GGUF");
    appendNumber(out, kMaxVersion, m_layout.order);
    appendLength(out, m_tensors.size(), m_layout);
    appendLength(out, m_keys.size(), m_layout);
    out.insert(out.end(), m_keyValues.begin(), m_keyValues.end());
    const std::vector<std::uint64_t> places = offsets();
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
        const Tensor& tensor = m_tensors[i];
        appendString(out, tensor.name, m_layout);
        appendNumber(out, static_cast<std::uint32_t>(tensor.shape.count()), m_layout.order);
        for (const std::uint64_t dim : tensor.shape.dims()) {
            appendNumber(out, dim, m_layout.order);
        }
        appendNumber(out, tensor.typeId, m_layout.order);
        appendNumber(out, places[i], m_layout.order);
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
        GUFO_TRY(job.check());
        job.advance(bytes.size());
        return sink(bytes);
    };
    GUFO_TRY(pass(header()));
    const std::vector<std::byte> zeros(m_alignment);
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
        const Tensor& tensor = m_tensors[i];
        std::uint64_t given = 0;
        const auto count = [&](Bytes bytes) -> Result<> {
            given += bytes.size();
            if (given > tensor.bytes) {
                return invalid(Place::tensor(tensor.name), Detail::TooManyBytesGiven);
            }
            return pass(bytes);
        };
        GUFO_TRY(data(i, count));
        if (given != tensor.bytes) {
            return invalid(Place::tensor(tensor.name), Detail::TooFewBytesGiven);
        }
        GUFO_TRY(pass(Bytes(zeros).first(padded(given) - given)));
    }
    return {};
}

} // namespace gufo::gguf
