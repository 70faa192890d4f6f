#include "formats/ggml/reader.h"

#include "base/detail.h"
#include "formats/detection/file_start.h"
#include "formats/ggml/stored_types.h"
#include "formats/ggml/vocabulary_keys.h"
#include "formats/gguf/read/name_findings.h"
#include "model/finding_code.h"
#include "model/finding_list.h"

#include <algorithm>
#include <bit>

namespace gufo::ggml {
namespace {

constexpr std::uint64_t kNumberBytes = 4; // of the magic number and of the version
constexpr std::uint32_t kFileTypesOfALayout = 1000;

const Format* formatOf(Bytes bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto row =
        std::ranges::find_if(formats(), [&](const Format& format) { return text.starts_with(format.magic); });
    return row != formats().end() ? &*row : nullptr;
}

// Tries all families of a version. An exact interpretation wins, or else the one that explains the most tensors.
Result<Interpretation> bestInterpretation(Bytes bytes, std::uint64_t start, const Version& version,
                                          const JobContext& job) {
    std::optional<Interpretation> best;
    for (const Family& family : version.families) {
        auto found = interpret(bytes, start, version, family, job);
        if (!found && (version.families.size() == 1 || found.error().code == ErrorCode::Cancelled)) {
            return found;
        }
        if (found && found->exact(bytes.size())) {
            return found;
        }
        if (found && !found->tensors.empty() && (!best || found->tensors.size() > best->tensors.size())) {
            best = *std::move(found);
        }
    }
    if (!best) {
        return fail(ErrorCode::Malformed, Place::atOffset(start), {Detail::NoGgmlFamily});
    }
    return *std::move(best);
}

class ModelBuilder {
public:
    ModelBuilder(Model& model, const Interpretation& file)
        : m_model(model)
        , m_file(file)
        , m_metadata(model) {}

    void build(const Version& version) {
        addHyperParameters();
        addVocabulary(m_metadata, m_file);
        m_model.tensors = m_file.tensors;
        if (version.families.size() > 1) {
            m_findings.add(FindingCode::GgmlFamily, {}, {m_file.family->name});
        }
        checkFileType();
        checkTensors();
        m_model.findings = std::move(m_findings).take();
    }

private:
    void addHyperParameters();
    void checkFileType();
    void checkTensors();

    Model& m_model;
    const Interpretation& m_file;
    MetadataBuilder m_metadata;
    FindingList m_findings;
};

void ModelBuilder::addHyperParameters() {
    m_metadata.addText(std::string(kFamilyKey), std::string(m_file.family->name));
    for (std::size_t i = 0; i < m_file.hyperParameters.size(); ++i) {
        const HyperParameter& parameter = m_file.family->hyperParameters[i];
        const auto [bits, offset] = m_file.hyperParameters[i];
        const bool isFloat = parameter.kind == HyperParameter::Kind::Float;
        m_model.metadata.add({.key = parameter.name,
                              .value = isFloat ? Value(std::bit_cast<float>(bits)) : Value(bits),
                              .file = {},
                              .offset = offset,
                              .bytes = sizeof bits});
    }
    if (!m_file.filters.values.empty()) {
        const auto& filters = m_file.filters;
        m_metadata.add("filters.n_mel", OwnedValue(filters.mels));
        m_metadata.add("filters.n_fft", OwnedValue(filters.frequencies));
        m_model.metadata.add({.key = "filters.data",
                              .value = ArrayView{.elementType = ValueType::Float32,
                                                 .length = filters.values.size() / sizeof(float),
                                                 .bytes = filters.values,
                                                 .layout = {}},
                              .file = {},
                              .offset = filters.offset,
                              .bytes = filters.values.size()});
    }
}

void ModelBuilder::checkFileType() {
    for (const std::string_view key : {std::string_view("ftype"), std::string_view("data_type")}) {
        const auto value = m_model.metadata.uint(key);
        if (value && !isKnownFileType(static_cast<std::uint32_t>(*value % kFileTypesOfALayout))) {
            m_findings.add(FindingCode::UnknownValue, Place::key(std::string(key)), {*value});
        }
    }
}

void ModelBuilder::checkTensors() {
    for (const TensorIndex duplicate : m_model.indexTensors()) {
        const std::string name(m_model.tensor(duplicate).name);
        m_findings.add(FindingCode::DuplicateTensorName, Place::tensor(name), {name});
    }
    for (const TensorInfo& tensor : m_model.tensors) {
        gguf::addTensorNameFindings(tensor.name, m_findings);
        if (!tensor.complete()) {
            const std::uint64_t missing = *tensor.bytes - tensor.bytesPresent;
            m_findings.add(FindingCode::TensorPastEnd, Place::tensor(std::string(tensor.name)), {missing});
        }
    }
    if (m_file.broken) {
        const std::uint64_t left = m_model.files[0].source->size() - m_file.end;
        m_findings.add(FindingCode::TensorRecordBroken, Place::atOffset(m_file.end), {left});
    }
}

Result<std::shared_ptr<const Model>> readFormat(const std::shared_ptr<const ByteSource>& file, Bytes bytes,
                                                const JobContext& job) {
    const Format* format = formatOf(bytes);
    if (format == nullptr) {
        return std::unexpected(notAModel(bytes.first(std::min<std::size_t>(bytes.size(), 16)), file->path()));
    }
    std::uint64_t start = kNumberBytes;
    std::uint32_t number = 0;
    if (format->versioned) {
        if (bytes.size() < start + kNumberBytes) {
            return fail(ErrorCode::Truncated, Place::atOffset(start),
                        {Detail::Header, kNumberBytes, bytes.size() - start});
        }
        number = load<std::uint32_t>(bytes.data() + start);
        start += kNumberBytes;
    }
    const Version* version = findVersion(format->container, number);
    if (version == nullptr) {
        return fail(ErrorCode::UnsupportedVersion, Place::atOffset(kNumberBytes), {number});
    }
    const auto found = GUFO_TRY(bestInterpretation(bytes, start, *version, job));
    auto model = std::make_shared<Model>();
    model->container = format->container;
    model->version = number;
    model->files.push_back({.source = file,
                            .path = file->path(),
                            .headerBytes = found.headerBytes,
                            .dataOffset = found.headerBytes,
                            .alignment = found.family->padding});
    ModelBuilder(*model, found).build(*version);
    return model;
}

} // namespace

Result<std::shared_ptr<const Model>> read(std::shared_ptr<const ByteSource> file, const JobContext& job) {
    const auto bytes = file->view({0, file->size()});
    auto model = bytes ? readFormat(file, *bytes, job) : std::unexpected(bytes.error());
    if (const auto damage = file->damage()) { // before any other error, because what was parsed may have been zeros
        return std::unexpected(*damage);
    }
    return model ? std::move(model) : std::unexpected(std::move(model).error().in(file->path()));
}

} // namespace gufo::ggml
