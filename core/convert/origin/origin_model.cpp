#include "convert/origin/origin_model.h"

#include "formats/container/container.h"
#include "model/computed_weights.h"
#include "model/metadata_builder.h"

#include <algorithm>
#include <mutex>

namespace gufo::convert {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTypeOfFile = "general.file_type";

class PlannedWeights final : public ComputedWeights {
public:
    PlannedWeights(std::shared_ptr<const Model> source, std::shared_ptr<const ConversionPlan> plan)
        : m_source(std::move(source))
        , m_plan(std::move(plan))
        , m_size(m_source->totals().fileBytes) {
        for (const PlannedRow& row : m_plan->rows) {
            m_values.push_back(applied(*m_source, row.parts, row.operations, row.computed));
        }
    }

    std::uint64_t size() const override { return m_size; }
    Result<Bytes> view(ByteRange range) const override {
        return fail(ErrorCode::RangeOutsideFile, Place::atOffset(range.offset), {range.offset, range.length, m_size});
    }
    const fs::path& path() const override { return m_source->path(); }

    void advise(ByteRange range, Access access) const override {
        if (access == Access::Release && range.offset < m_values.size() && m_values[range.offset]) {
            (*m_values[range.offset])->release();
        }
    }

    std::optional<Error> damage() const override {
        for (const ModelFile& file : m_source->files) {
            if (auto damage = file.source != nullptr ? file.source->damage() : std::nullopt) {
                return damage;
            }
        }
        const std::scoped_lock lock(m_mutex);
        return m_failure;
    }

    Result<> check(std::uint64_t tensor) const override {
        const auto& values = m_values[tensor];
        return values ? Result<>() : std::unexpected(values.error());
    }

    Result<> weights(std::uint64_t tensor, std::uint64_t first, std::span<float> out) const override {
        auto read = (*m_values[tensor])->values(first, out);
        if (!read) {
            const std::scoped_lock lock(m_mutex);
            if (!m_failure) {
                m_failure = read.error();
            }
        }
        return read;
    }

private:
    std::shared_ptr<const Model> m_source;
    std::shared_ptr<const ConversionPlan> m_plan; // m_values refer to its operations
    std::uint64_t m_size;
    std::vector<Result<ValuesPtr>> m_values; // by row
    mutable std::mutex m_mutex;
    mutable std::optional<Error> m_failure; // the first one
};

// The size of all stored tensors of a row.
std::uint64_t storedBytes(const Model& source, const PlannedRow& row) {
    std::uint64_t bytes = 0;
    for (const SourcePart& part : row.parts) {
        const TensorInfo& weight = source.tensor(part.weight);
        bytes += weight.bytes.value_or(0);
        for (const auto& companion : part.companions) {
            bytes += companion ? source.tensor(*companion).bytes.value_or(0) : 0;
        }
    }
    return bytes;
}

TensorInfo describe(const Model& source, const PlannedRow& row, std::size_t index) {
    TensorInfo tensor;
    tensor.name = row.target;
    tensor.shape = row.shape;
    tensor.offset = tensor.declaredOffset = index;
    tensor.typeId = static_cast<std::uint32_t>(TensorType::F32);
    tensor.bytes = tensorBytes(tensorTypeFact(TensorType::F32), row.shape);
    if (!row.parts.empty()) {
        const TensorInfo& stored = source.tensor(row.parts.front().weight);
        const TensorTypeFact* type = stored.type();
        if (type != nullptr && type->kind == TensorTypeKind::Float) {
            tensor.typeId = stored.typeId;
            tensor.bytes = tensorBytes(*type, row.shape);
        } else { // the size of codes includes the size of their scales
            const bool recoded = std::ranges::any_of(row.operations, [](const Operation& operation) {
                return operationFact(operation.kind).reversal == Reversal::Recoding;
            });
            tensor.bytes = recoded ? std::optional(storedBytes(source, row)) : tensor.bytes;
        }
        tensor.ownType = !stored.ownType.empty() ? stored.ownType
                         : type != nullptr       ? std::string_view(type->name)
                                                 : std::string_view();
    }
    tensor.bytesPresent = tensor.bytes.value_or(0);
    return tensor;
}

} // namespace

std::optional<fs::path> originFolder(const Model& model) {
    std::error_code error;
    if (model.container.empty() || capabilitiesOf(model).has(Capability::Run)) {
        return std::nullopt;
    }
    const fs::path& path = model.path();
    const fs::path folder = fs::is_directory(path, error) ? path
                            : path.has_parent_path()      ? path.parent_path()
                                                          : fs::path(".");
    return fs::is_regular_file(folder / "config.json", error) ? std::optional(folder) : std::nullopt;
}

Result<std::shared_ptr<const Origin>> readOrigin(std::shared_ptr<const Model> source, const JobContext& job) {
    const fs::path path = originFolder(*source).value_or(fs::path());
    auto folder = GUFO_TRY(SourceFolder::whole(path, std::move(source), job));
    source = folder.model();
    auto planned = GUFO_TRY(planConversion(folder, {}, job));
    const auto plan = std::make_shared<const ConversionPlan>(std::move(planned));
    auto model = std::make_shared<Model>();
    model->container = source->container;
    model->version = source->version;
    model->openedAs = source->path();
    model->findings = source->findings;
    model->files.push_back(
        {.source = std::make_shared<const PlannedWeights>(source, plan), .path = source->path(), .alignment = 0});
    model->owned.push_back(plan); // names are views of it
    MetadataBuilder metadata(*model);
    for (const PlannedKey& key : plan->keys) {
        if (key.key != kTypeOfFile) {
            metadata.add(key.key, key.value);
        }
    }
    for (std::size_t i = 0; i < plan->rows.size(); ++i) {
        model->tensors.push_back(describe(*source, plan->rows[i], i));
    }
    model->indexTensors();
    return std::make_shared<const Origin>(Origin{std::move(source), plan, std::move(model)});
}

} // namespace gufo::convert
