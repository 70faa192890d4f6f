#include "formats/onnx/reader.h"

#include "base/detail.h"
#include "base/protobuf_reader.h"
#include "formats/detection/file_start.h"
#include "formats/detection/signatures.h"
#include "formats/onnx/initialisers.h"
#include "model/finding_code.h"
#include "model/finding_list.h"
#include "model/metadata_builder.h"

#include <charconv>
#include <limits>

namespace gufo::onnx {
namespace {

using Field = ProtobufReader::Field;
using Wire = ProtobufReader::Wire;

constexpr std::size_t kMaxKeys = 16'384;
constexpr std::size_t kMaxListed = 10'000; // names of inputs and outputs
constexpr std::size_t kFieldsPerStopCheck = 4'096;

std::optional<std::uint64_t> numberOf(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

class Reader {
public:
    Reader(Model& model, FindingList& findings, Bytes bytes, const JobContext& job, const SourceOpener& openFile)
        : m_model(model)
        , m_bytes(bytes)
        , m_job(job)
        , m_metadata(model)
        , m_initialisers(model, findings, bytes, openFile) {}

    Result<> read();

private:
    // Calls `use` for each field of a message, which returns Result<>.
    template<typename Use>
    Result<> eachField(ByteRange message, Use&& use);
    Result<> readModelField(const Field& field);
    Result<> readOperatorSet(ByteRange message);
    Result<> readGraph(ByteRange message);
    Result<> readInitialiser(ByteRange message);
    Result<> readExternal(ByteRange message, Initialiser& initialiser);
    Result<std::pair<std::string_view, std::string_view>> readPair(ByteRange message);
    Result<std::string_view> nameIn(ByteRange message);

    [[nodiscard]] std::string_view textOf(ByteRange range) const {
        return {reinterpret_cast<const char*>(m_bytes.data() + range.offset), range.length};
    }
    void addText(const std::string& key, ByteRange text) {
        if (text.length != 0 && m_model.metadata.size() < kMaxKeys) {
            m_metadata.addView(key, textOf(text));
        }
    }
    void addNumber(const std::string& key, std::uint64_t value) {
        if (m_model.metadata.size() < kMaxKeys) {
            m_metadata.add(key, OwnedValue(static_cast<std::int64_t>(value)));
        }
    }

    Model& m_model;
    Bytes m_bytes;
    const JobContext& m_job;
    MetadataBuilder m_metadata;
    Initialisers m_initialisers;
    std::size_t m_fields = 0;
    bool m_hasGraph = false;
};

template<typename Use>
Result<> Reader::eachField(ByteRange message, Use&& use) {
    ProtobufReader reader(m_bytes, message);
    while (true) {
        if (++m_fields % kFieldsPerStopCheck == 0 && m_job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const auto field = GUFO_TRY(reader.next());
        if (!field) {
            return {};
        }
        GUFO_TRY(use(*field));
    }
}

Result<> Reader::read() {
    const auto fields = eachField({0, m_bytes.size()}, [&](const Field& field) { return readModelField(field); });
    if (fields && !m_hasGraph) {
        return fail(ErrorCode::Malformed, Place::atOffset(0), {Detail::NoGraph});
    }
    m_initialisers.finish();
    return fields;
}

Result<> Reader::readModelField(const Field& field) {
    if (field.is(1, Wire::Varint)) {
        addNumber("ir_version", field.value);
    } else if (field.is(2, Wire::Delimited)) {
        addText("producer_name", field.bytes);
    } else if (field.is(3, Wire::Delimited)) {
        addText("producer_version", field.bytes);
    } else if (field.is(4, Wire::Delimited)) {
        addText("domain", field.bytes);
    } else if (field.is(5, Wire::Varint)) {
        addNumber("model_version", field.value);
    } else if (field.is(6, Wire::Delimited)) {
        addText("doc_string", field.bytes);
    } else if (field.is(7, Wire::Delimited)) {
        m_hasGraph = true;
        return readGraph(field.bytes);
    } else if (field.is(8, Wire::Delimited)) {
        return readOperatorSet(field.bytes);
    } else if (field.is(14, Wire::Delimited)) {
        const auto pair = GUFO_TRY(readPair(field.bytes));
        if (m_model.metadata.size() < kMaxKeys) {
            m_metadata.addView("metadata_props." + std::string(pair.first), pair.second);
        }
    }
    return {};
}

Result<> Reader::readOperatorSet(ByteRange message) {
    std::string_view domain;
    std::uint64_t version = 0;
    auto read = eachField(message, [&](const Field& field) -> Result<> {
        if (field.is(1, Wire::Delimited)) {
            domain = textOf(field.bytes);
        } else if (field.is(2, Wire::Varint)) {
            version = field.value;
        }
        return {};
    });
    if (read) {
        addNumber("opset_import." + std::string(domain.empty() ? "ai.onnx" : domain), version);
    }
    return read;
}

Result<std::pair<std::string_view, std::string_view>> Reader::readPair(ByteRange message) {
    std::pair<std::string_view, std::string_view> pair;
    GUFO_TRY(eachField(message, [&](const Field& field) -> Result<> {
        if (field.is(1, Wire::Delimited)) {
            pair.first = textOf(field.bytes);
        } else if (field.is(2, Wire::Delimited)) {
            pair.second = textOf(field.bytes);
        }
        return {};
    }));
    return pair;
}

// The name of an input or output, the first field of a ValueInfoProto.
Result<std::string_view> Reader::nameIn(ByteRange message) {
    const auto pair = GUFO_TRY(readPair(message)); // its second field is the type, a message that is skipped
    return pair.first;
}

Result<> Reader::readGraph(ByteRange message) {
    std::uint64_t nodes = 0;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    const auto read = eachField(message, [&](const Field& field) -> Result<> {
        if (field.wire != Wire::Delimited) {
            return {};
        }
        switch (field.number) {
        case 1:
            ++nodes;
            return {};
        case 2:
            addText("graph.name", field.bytes);
            return {};
        case 5:
            return readInitialiser(field.bytes);
        case 10:
            addText("graph.doc_string", field.bytes);
            return {};
        case 11:
        case 12: {
            const auto name = GUFO_TRY(nameIn(field.bytes));
            std::vector<std::string>& names = field.number == 11 ? inputs : outputs;
            if (names.size() < kMaxListed) {
                names.emplace_back(name);
            }
            return {};
        }
        default:
            return {};
        }
    });
    addNumber("graph.nodes", nodes);
    for (const auto& [key, names] : {std::pair("graph.inputs", &inputs), std::pair("graph.outputs", &outputs)}) {
        if (!names->empty() && m_model.metadata.size() < kMaxKeys) {
            m_metadata.add(key, OwnedValue::strings(*names));
        }
    }
    return read;
}

Result<> Reader::readInitialiser(ByteRange message) {
    Initialiser initialiser{.record = message.offset};
    const auto addDim = [&](std::uint64_t dim) -> Result<> {
        initialiser.dims.push_back(dim);
        return initialiser.dims.size() <= Shape::kMaxDimensions
                   ? Result<>()
                   : fail(ErrorCode::TooManyDimensions, Place::atOffset(message.offset),
                          {initialiser.dims.size(), Shape::kMaxDimensions});
    };
    const auto read = eachField(message, [&](const Field& field) -> Result<> {
        if (field.is(1, Wire::Varint)) {
            return addDim(field.value);
        }
        if (field.is(1, Wire::Delimited)) {
            ProtobufReader packed(m_bytes, field.bytes);
            while (true) {
                const auto dim = GUFO_TRY(packed.nextPacked());
                if (!dim) {
                    return {};
                }
                GUFO_TRY(addDim(*dim));
            }
        }
        if (field.is(2, Wire::Varint)) {
            initialiser.type = field.value;
        } else if (field.is(8, Wire::Delimited)) {
            initialiser.name = textOf(field.bytes);
        } else if (field.is(9, Wire::Delimited)) {
            initialiser.raw = field.bytes;
        } else if (field.is(13, Wire::Delimited)) {
            return readExternal(field.bytes, initialiser);
        } else if (field.is(14, Wire::Varint)) {
            initialiser.external = field.value == 1;
        } else if (field.wire == Wire::Delimited) {
            initialiser.lists[field.number] = field.bytes;
        }
        return {};
    });
    return read ? m_initialisers.add(initialiser) : read;
}

Result<> Reader::readExternal(ByteRange message, Initialiser& initialiser) {
    const auto pair = GUFO_TRY(readPair(message));
    if (pair.first == "location") {
        initialiser.location = pair.second;
    } else if (pair.first == "offset") {
        initialiser.offset = numberOf(pair.second).value_or(std::numeric_limits<std::uint64_t>::max());
    } else if (pair.first == "length") {
        initialiser.length = numberOf(pair.second);
    }
    return {};
}

} // namespace

Result<std::shared_ptr<const Model>> read(std::shared_ptr<const ByteSource> file, const JobContext& job,
                                          const SourceOpener& openFile) {
    const auto start = GUFO_TRY(startOf(*file));
    if (!signature::isOnnx(start)) { // a file of another format that is named like a model
        return std::unexpected(notAModel(std::as_bytes(std::span(start.bytes)), file->path()));
    }
    const auto bytes = GUFO_TRY(file->view({0, file->size()}));
    auto model = std::make_shared<Model>();
    model->container = kContainer;
    model->files.push_back({.source = file, .path = file->path(), .alignment = 0});
    FindingList findings;
    auto read = Reader(*model, findings, bytes, job, openFile).read();
    if (const auto damage = file->damage()) { // before any other error, because what was parsed may have been zeros
        return std::unexpected(*damage);
    }
    if (!read) {
        return std::unexpected(std::move(read).error().in(file->path()));
    }
    for (const TensorIndex duplicate : model->indexTensors()) {
        const std::string name(model->tensor(duplicate).name);
        findings.add(FindingCode::DuplicateTensorName, Place::tensor(name), {name});
    }
    model->findings = std::move(findings).take();
    return model;
}

} // namespace gufo::onnx
