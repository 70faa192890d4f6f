#include "inference/prefixes/prefix_keeper.h"

#include "base/sha256.h"
#include "model/encode_value.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

namespace gufo::inference {

void PrefixKeeper::save() {
    const auto held = m_session.tokens();
    if (held.size() < kWorthKeeping || held.size() > m_pure || m_store->has(m_key, held)) {
        return;
    }
    const bool cuts = m_session.cutsAnywhere();
    if (cuts && held.size() * m_session.figures().cacheBytesPerPosition > m_store->limit()) {
        return; // it would not be kept
    }
    try {
        m_store->add({.key = m_key,
                      .conversation = m_conversation,
                      .tokens = {held.begin(), held.end()},
                      .cutsAnywhere = cuts,
                      .state = m_session.saveState()});
    } catch (const std::bad_alloc&) {
        return; // the prompt is evaluated again
    }
}

Result<> PrefixKeeper::prepare(std::span<const TokenId> prompt, std::size_t common, std::string_view conversation,
                               const JobContext& job, std::vector<Error>& refused) {
    if (m_store == nullptr || prompt.empty()) {
        return {};
    }
    const auto held = m_session.tokens();
    const auto differs = std::ranges::mismatch(prompt, held).in1;
    const std::size_t last = prompt.size() - 1;
    std::size_t kept = std::min(last, static_cast<std::size_t>(differs - prompt.begin()));
    const bool cuts = m_session.cutsAnywhere();
    if (cuts && held.size() - kept >= kWorthKeeping) {
        save();
    }
    kept = m_session.truncate(kept);
    if (kept <= m_pure) {
        m_pure = SIZE_MAX;
    }
    while (const auto found = m_store->find(m_key, prompt, kept + kWorthKeeping, refused)) {
        if (m_session.restoreState(found->state) && std::ranges::equal(m_session.tokens(), found->tokens)) {
            kept = m_session.truncate(found->usableFor(prompt));
            m_pure = SIZE_MAX;
            break;
        }
        m_store->drop(found); // it belongs to another version of the program
    }
    m_conversation = conversation;
    if (cuts) {
        return {};
    }
    for (const std::size_t place : std::array{std::min(common, last), last}) {
        if (place < kept + kWorthKeeping) {
            continue;
        }
        GUFO_TRY(m_session.evaluate(prompt.subspan(kept, place - kept), Logits::None, job));
        kept = place;
        save();
    }
    return {};
}

void PrefixKeeper::release() {
    if (m_store != nullptr) {
        save();
        (void)m_store->flush(m_key); // nothing can report this error any more; a missing state is evaluated again
    }
}

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
