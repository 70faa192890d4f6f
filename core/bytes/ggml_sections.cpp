// The fields of files from before GGUF. Their layout depends on the family of the model, which the reader finds. The
// header of a file that cannot be read is walked as each family wrote it, and the family that gets farthest is shown.
#include "base/checked.h"
#include "bytes/map_section.h"
#include "formats/ggml/families.h"
#include "formats/ggml/reader.h"

#include <algorithm>
#include <cmath>

namespace gufo {
namespace {

constexpr std::uint64_t kMagicBytes = 4;
constexpr std::uint64_t kNumber = 4;

Result<> expandMagic(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(context.file.view(section.range));
    sink.add({.range = {0, kMagicBytes},
              .role = FieldRole::Magic,
              .type = "str",
              .value = shownText(bytes.first(kMagicBytes))});
    if (section.range.length > kMagicBytes) {
        sink.add({.range = {kMagicBytes, 4},
                  .role = FieldRole::Version,
                  .type = "u32",
                  .value = std::uint64_t{load<std::uint32_t>(bytes.data() + kMagicBytes)}});
    }
    return {};
}

Result<> expandNumber(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(context.file.view(section.range));
    ByteField field{.range = section.range, .role = FieldRole::Hyperparameter, .of = section.of, .type = section.type};
    if (section.range.length == 4) {
        if (section.type == "f32") {
            field.value = double{load<float>(bytes.data())};
        } else {
            field.value = std::uint64_t{load<std::uint32_t>(bytes.data())};
        }
    }
    sink.add(std::move(field));
    return {};
}

// u32 dimensions, u32 length of the name, u32 type, the dimensions, the name.
Result<> expandTensorRecord(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(context.file.view(section.range));
    std::uint64_t at = 0;
    const auto number = [&](FieldRole role, std::optional<std::uint64_t> element = {}) -> std::uint32_t {
        if (bytes.size() - at < 4) {
            return 0;
        }
        const auto value = load<std::uint32_t>(bytes.data() + at);
        sink.add({.range = {section.range.offset + at, 4},
                  .role = role,
                  .of = section.of,
                  .element = element,
                  .type = "u32",
                  .value = std::uint64_t{value}});
        at += 4;
        return value;
    };
    const std::uint32_t dimensions = number(FieldRole::DimensionCount);
    const std::uint64_t nameBytes = number(FieldRole::NameLength);
    number(FieldRole::TensorType);
    for (std::uint32_t i = 0; i < dimensions && bytes.size() - at >= 4; ++i) {
        number(FieldRole::Dimension, i);
    }
    const std::uint64_t name = std::min<std::uint64_t>(nameBytes, bytes.size() - at);
    sink.add({.range = {section.range.offset + at, name},
              .role = FieldRole::Name,
              .of = section.of,
              .type = "str",
              .value = shownText(bytes.subspan(at, name))});
    return {};
}

// u32 length, text and, in some families, the score of each token. The tokens before the window are passed without
// their texts: a vocabulary of 250,000 tokens takes a millisecond.
template<bool kScores>
Result<> expandVocabulary(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(context.file.view(section.range));
    const ByteRange window = sink.window();
    const auto add = [&](std::uint64_t at, std::uint64_t length, FieldRole role, std::uint64_t id, const char* type,
                         auto&& value) {
        const ByteRange range{section.range.offset + at, length};
        if (sink.wants(range)) {
            sink.add({.range = range, .role = role, .element = id, .type = type, .value = value()});
        }
    };
    std::uint64_t at = 0;
    for (std::uint64_t id = 0; bytes.size() - at >= kNumber && !sink.full(); ++id) {
        if (section.range.offset + at >= window.offset + window.length) {
            break;
        }
        const std::uint64_t length = load<std::uint32_t>(bytes.data() + at);
        add(at, kNumber, FieldRole::TokenLength, id, "u32", [&] { return length; });
        at += kNumber;
        if (length > bytes.size() - at) {
            break;
        }
        add(at, length, FieldRole::TokenText, id, "str", [&] { return shownText(bytes.subspan(at, length)); });
        at += length;
        if (kScores && bytes.size() - at >= kNumber) {
            add(at, kNumber, FieldRole::TokenScore, id, "f32", [&] { return double{load<float>(bytes.data() + at)}; });
            at += kNumber;
        }
    }
    return {};
}

// The filters of a spectrogram.
Result<> expandFilters(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(context.file.view(section.range));
    const std::uint64_t wanted = sink.window().offset - std::min(sink.window().offset, section.range.offset);
    for (std::uint64_t i = wanted / kNumber; (i + 1) * kNumber <= bytes.size() && !sink.full(); ++i) {
        const ByteRange range{section.range.offset + i * kNumber, kNumber};
        if (!sink.wants(range)) {
            break;
        }
        sink.add({.range = range,
                  .role = FieldRole::Element,
                  .of = section.of,
                  .element = i,
                  .type = "f32",
                  .value = double{load<float>(bytes.data() + i * kNumber)}});
    }
    return {};
}

// The header of a file as a family wrote it: hyper-parameters, filters and vocabulary.
struct Header {
    std::vector<MapSection> list;
    std::uint64_t end = 0; // or where it is damaged
    bool isWhole = false;
};

class HeaderWalk {
public:
    HeaderWalk(Bytes bytes, std::uint64_t start, const ggml::Family& family, const JobContext& job)
        : m_bytes(bytes)
        , m_family(family)
        , m_job(job)
        , m_at(start) {}

    Header walk() {
        m_header.isWhole = readParameters() && (!m_family.melFilters || readFilters()) &&
                           (m_family.vocabulary == ggml::VocabularyForm::None || readVocabulary());
        m_header.end = m_at;
        return std::move(m_header);
    }

private:
    // A number at the current place; nothing if it is cut off or below the smallest that is possible.
    std::optional<std::uint32_t> number(std::string_view name, std::int64_t smallest, bool isFloat = false) {
        if (m_bytes.size() - m_at < kNumber) {
            return std::nullopt;
        }
        const auto bits = load<std::uint32_t>(m_bytes.data() + m_at);
        const bool isPossible =
            isFloat ? std::isfinite(load<float>(m_bytes.data() + m_at)) : static_cast<std::int32_t>(bits) >= smallest;
        if (!isPossible) {
            return std::nullopt;
        }
        m_header.list.push_back({.range = {m_at, kNumber},
                                 .expand = expandNumber,
                                 .role = FieldRole::Hyperparameter,
                                 .of = std::string(name),
                                 .type = isFloat ? "f32" : "u32"});
        m_at += kNumber;
        return bits;
    }

    bool readParameters() {
        using Kind = ggml::HyperParameter::Kind;
        for (const ggml::HyperParameter& parameter : m_family.hyperParameters) {
            const auto value =
                number(parameter.name, parameter.kind == Kind::Count ? 1 : 0, parameter.kind == Kind::Float);
            if (!value) {
                return false;
            }
            m_tokens = parameter.name == "n_vocab" ? *value : m_tokens;
        }
        return true;
    }

    bool readFilters() {
        const auto mels = number("filters.n_mel", 1);
        const auto frequencies = mels ? number("filters.n_fft", 1) : mels;
        if (!frequencies) {
            return false;
        }
        const std::uint64_t values = std::uint64_t{*mels} * *frequencies; // both are below 2^31
        if (values > (m_bytes.size() - m_at) / kNumber) {
            return false;
        }
        m_header.list.push_back(
            {.range = {m_at, values * kNumber}, .expand = expandFilters, .role = FieldRole::Key, .of = "filters.data"});
        m_at += values * kNumber;
        return true;
    }

    bool readVocabulary() {
        if (m_family.repeatsCount) {
            const auto again = number("n_vocab", 1);
            if (!again) {
                return false;
            }
            m_tokens = *again;
        }
        const std::uint64_t start = m_at;
        bool isWhole = true;
        for (std::uint64_t i = 0; i < m_tokens && isWhole; ++i) {
            isWhole = m_bytes.size() - m_at >= kNumber && (i % 65'536 != 0 || !m_job.stopRequested());
            const std::uint64_t length = isWhole ? load<std::uint32_t>(m_bytes.data() + m_at) : 0;
            const std::uint64_t whole = kNumber + length + (m_family.scores ? kNumber : 0);
            isWhole = isWhole && whole <= m_bytes.size() - m_at;
            m_at += isWhole ? whole : 0;
        }
        if (m_at > start) {
            m_header.list.push_back({.range = {start, m_at - start},
                                     .expand = m_family.scores ? expandVocabulary<true> : expandVocabulary<false>});
        }
        return isWhole;
    }

    Bytes m_bytes;
    const ggml::Family& m_family;
    const JobContext& m_job;
    std::uint64_t m_at;
    std::uint64_t m_tokens = 0;
    Header m_header;
};

// The family that a reader found; null without a model.
std::optional<std::string_view> familyOf(const MapInput& input) {
    return input.model != nullptr ? input.model->metadata.string(ggml::kFamilyKey) : std::nullopt;
}

} // namespace

Sections ggmlSections(const MapInput& input) {
    Sections sections;
    if (input.bytes.size() < kMagicBytes) {
        sections.damage = input.from(0);
        return sections;
    }
    const std::string magic = shownText(input.bytes.first(kMagicBytes));
    const auto format = std::ranges::find(ggml::formats(), magic, &ggml::Format::magic);
    const bool isVersioned = format != ggml::formats().end() && format->versioned;
    const std::uint64_t afterMagic = isVersioned ? 2 * kMagicBytes : kMagicBytes;
    if (input.bytes.size() < afterMagic) {
        sections.list.push_back({.range = {0, kMagicBytes}, .expand = expandMagic});
        sections.damage = input.from(kMagicBytes);
        return sections;
    }
    sections.list.push_back({.range = {0, afterMagic}, .expand = expandMagic});
    const std::uint32_t number = isVersioned ? load<std::uint32_t>(input.bytes.data() + kMagicBytes) : 0;
    const ggml::Version* version =
        format != ggml::formats().end() ? ggml::findVersion(format->container, number) : nullptr;
    if (version == nullptr) {
        sections.list.clear();
        sections.list.push_back({.range = {0, kMagicBytes}, .expand = expandMagic});
        sections.damage = input.from(kMagicBytes);
        return sections;
    }
    const auto known = familyOf(input);
    std::optional<Header> best;
    for (const ggml::Family& family : version->families) {
        if (!known || family.name == *known) {
            Header header = HeaderWalk(input.bytes, afterMagic, family, input.job).walk();
            const auto rank = [](const Header& each) { return std::pair(each.isWhole, each.end); };
            best = !best || rank(header) > rank(*best) ? std::move(header) : std::move(best);
        }
    }
    if (best) {
        std::ranges::move(best->list, std::back_inserter(sections.list));
    }
    if (input.model == nullptr) {
        sections.damage = input.from(best ? best->end : afterMagic);
        return sections;
    }
    for (const TensorInfo& tensor : input.model->tensors) {
        if (tensor.file == input.index && tensor.recordOffset != 0) {
            const std::uint64_t records = 12 + 4 * tensor.shape.count() + tensor.name.size();
            sections.list.push_back(
                {.range = {tensor.recordOffset, std::min(records, tensor.offset - tensor.recordOffset)},
                 .expand = expandTensorRecord,
                 .role = FieldRole::TensorRecord,
                 .of = std::string(tensor.name)});
        }
    }
    addTensorData(input, sections);
    return sections;
}

} // namespace gufo
