#include "formats/ggml/reader.h"

#include "base/detail.h"
#include "formats/detection/file_start.h"
#include "formats/ggml/families.h"
#include "formats/ggml/interpretation.h"
#include "formats/gguf/read/reader_limits.h"
#include "model/finding_code.h"
#include "model/finding_list.h"
#include "model/metadata_builder.h"
#include "model/token.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>

namespace gufo::ggml {
namespace {

// The vocabulary of a file from before GGUF as the keys tokenizer.ggml.*.
using Token = Interpretation::Token;

constexpr std::string_view kUnknownText = " \xE2\x81\x87 "; // U+2047, as SentencePiece decodes the unknown token
constexpr std::size_t kFirstByteToken = 3;

template<typename T>
OwnedValue numbers(ValueType type, const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
        store(bytes.data() + i * sizeof(T), values[i]);
    }
    return OwnedValue::array(type, values.size(), std::move(bytes));
}

struct Piece {
    std::string text;
    TokenType type = TokenType::Normal;
};

std::string hexByte(std::size_t byte) {
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "<0x%02X>", static_cast<unsigned>(byte & 0xFFU));
    return text.data();
}

Piece pieceOf(std::size_t id, std::string_view stored) {
    constexpr std::array<std::string_view, kFirstByteToken> kFixed{"<unk>", "<s>", "</s>"};
    if (id == 0 && (stored.empty() || stored == kUnknownText || stored == kFixed[0])) {
        return {std::string(kFixed[0]), TokenType::Unknown};
    }
    if (id < kFirstByteToken && (stored.empty() || stored == kFixed[id])) {
        return {std::string(kFixed[id]), TokenType::Control};
    }
    const std::size_t byte = id - kFirstByteToken;
    if (id >= kFirstByteToken && byte <= 0xFF && stored.size() == 1 && stored[0] == static_cast<char>(byte)) {
        return {hexByte(byte), TokenType::Byte};
    }
    if (stored.empty()) {
        return {{}, TokenType::Control};
    }
    Piece piece;
    for (const char c : stored) {
        if (c == ' ') {
            piece.text += kSpaceText;
        } else {
            piece.text += c;
        }
    }
    return piece;
}

void addPieces(MetadataBuilder& metadata, const Interpretation& file) {
    std::vector<std::string> texts;
    std::vector<std::int32_t> types;
    std::vector<float> scores;
    for (const Token& token : file.tokens) {
        Piece piece = pieceOf(texts.size(), token.text);
        texts.push_back(std::move(piece.text));
        types.push_back(static_cast<std::int32_t>(piece.type));
        scores.push_back(token.score);
    }
    metadata.addText("tokenizer.ggml.model", "llama");
    metadata.add("tokenizer.ggml.tokens", OwnedValue::strings(texts));
    if (file.family->scores) {
        metadata.add("tokenizer.ggml.scores", numbers(ValueType::Float32, scores));
    }
    metadata.add("tokenizer.ggml.token_type", numbers(ValueType::Int32, types));
    constexpr auto kRoles = std::to_array({"unknown", "bos", "eos"});
    for (std::size_t id = 0; id < kRoles.size() && id < texts.size(); ++id) {
        metadata.add("tokenizer.ggml." + std::string(kRoles[id]) + "_token_id",
                     OwnedValue(static_cast<std::uint32_t>(id)));
    }
}

void addByteLevel(MetadataBuilder& metadata, const Interpretation& file) {
    std::vector<std::string> texts;
    for (const Token& token : file.tokens) {
        std::string text;
        for (const char c : token.text) {
            text += writtenByte(static_cast<unsigned char>(c));
        }
        texts.push_back(std::move(text));
    }
    metadata.addText("tokenizer.ggml.model", "gpt2");
    metadata.add("tokenizer.ggml.tokens", OwnedValue::strings(texts));
}

// Adds nothing if there is no vocabulary. LLaMA's pieces get their usual spelling: U+2581 instead of spaces, "<0x0A>"
// for bytes, and the names of the first three tokens, whose roles were fixed. Byte-level vocabularies get the spelling
// of GPT-2; the files lack their merges.
void addVocabulary(MetadataBuilder& metadata, const Interpretation& file) {
    switch (file.family->vocabulary) {
    case VocabularyForm::None:
        break;
    case VocabularyForm::SentencePiece:
        addPieces(metadata, file);
        break;
    case VocabularyForm::ByteLevel:
        addByteLevel(metadata, file);
        break;
    }
}

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
