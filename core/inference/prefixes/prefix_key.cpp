#include "inference/prefixes/prefix_key.h"

#include "base/sha256.h"
#include "model/encode_value.h"

#include <algorithm>
#include <cstring>

namespace gufo::inference {
namespace {

constexpr std::size_t kSampledTensors = 64;
constexpr std::size_t kSampleBytes = 1024; // of the middle of a tensor

class Digest {
public:
    void text(std::string_view text) {
        number(text.size());
        m_sha.add(std::as_bytes(std::span(text)));
    }
    template<typename T>
    void number(T value) {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        m_sha.add(std::as_bytes(std::span(&value, 1)));
    }
    template<typename T>
    void optional(const std::optional<T>& value) {
        number(value.has_value());
        number(value.value_or(T{}));
    }
    void bytes(Bytes bytes) { m_sha.add(bytes); }
    [[nodiscard]] std::string finish() {
        const Sha256Digest digest = m_sha.finish();
        return hexText(digest);
    }

private:
    Sha256 m_sha;
};

} // namespace

std::string prefixKey(const Model& model, std::string_view engine, const SessionOptions& options) {
    Digest digest;
    digest.text(engine);
    for (const std::uint32_t value : {options.context, options.ropeContext, options.batch}) {
        digest.number(value);
    }
    digest.number(options.keys);
    digest.number(options.values);
    digest.optional(options.rope.base);
    digest.optional(options.rope.scale);
    digest.optional(options.rope.scaling);
    digest.optional(options.rope.originalContext);
    std::vector<std::byte> value;
    for (const KeyValue& entry : model.metadata) {
        const auto* array = std::get_if<ArrayView>(&entry.value);
        if (array != nullptr && array->elementType == ValueType::String) {
            continue;
        }
        value.clear();
        digest.text(entry.key);
        if (appendValue(value, entry.value, model.layout)) {
            digest.bytes(value);
        }
    }
    const std::size_t step = std::max<std::size_t>(1, model.tensors.size() / kSampledTensors);
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const TensorInfo& tensor = model.tensors[i];
        digest.text(tensor.name);
        digest.number(tensor.typeId);
        for (std::size_t d = 0; d < 4; ++d) {
            digest.number(std::uint64_t{tensor.shape[d]});
        }
        digest.number(std::uint64_t{tensor.offset});
        const auto bytes = i % step == 0 ? model.bytesOf(tensor) : Result<Bytes>(Bytes());
        if (bytes && !bytes->empty()) {
            const std::size_t length = std::min(kSampleBytes, bytes->size());
            digest.bytes(bytes->subspan((bytes->size() - length) / 2, length));
        }
    }
    return digest.finish();
}

} // namespace gufo::inference
