#include "convert/source_structure.h"

#include "convert/adapter_plan.h"
#include "convert/description.h"
#include "convert/legacy_plan.h"
#include "convert/plan.h"
#include "inference/structure/model_structure.h"
#include "model/metadata_builder.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace gufo::convert {
namespace {

using inference::GraphPart;
using inference::ModelStructure;
using inference::StructureBlock;
using inference::StructurePart;
using inference::StructureStack;

// Tensors that a conversion leaves out, and that are drawn nevertheless: another encoder, or blocks that predict
// further tokens.
constexpr auto kDrawnReasons = std::to_array<std::string_view>({"other_modality", "draft_layers", "dense_layer"});

// A source as its conversion would be.
struct ConvertedHeader {
    std::shared_ptr<Model> model;
    std::vector<std::vector<TensorIndex>> sources; // by tensor of `model`: its tensors in the source, if any
    std::vector<TensorIndex> besides;              // of `model`: left out by a conversion, but drawn
    std::vector<TensorIndex> leftOver;             // of the source: without a tensor of `model`
};

// The keys of a model and what they view, without its tensors.
std::shared_ptr<Model> withoutTensors(const Model& model) {
    auto result = std::make_shared<Model>();
    result->container = model.container;
    result->files = model.files;
    result->companions = model.companions;
    result->owned = model.owned;
    result->metadata = model.metadata;
    result->openedFile = model.openedFile;
    result->openedAs = model.openedAs;
    return result;
}

class HeaderMaker {
public:
    HeaderMaker(const Model& source, const Model& described)
        : m_source(source)
        , m_used(source.tensors.size())
        , m_header{.model = withoutTensors(described), .sources = {}, .besides = {}, .leftOver = {}}
        , m_names(*m_header.model) {}

    ConvertedHeader make(const ConversionPlan& plan, bool withKeys) {
        for (std::size_t i = 0; withKeys && i < plan.keys.size(); ++i) {
            if (!plan.keys[i].key.starts_with("tokenizer.")) {
                m_names.add(plan.keys[i].key, plan.keys[i].value);
            }
        }
        for (const PlannedRow& row : plan.rows) {
            addRow(row);
        }
        std::unordered_map<std::string_view, std::string_view> reasons;
        for (const UnusedTensor& unused : plan.unused) {
            reasons.emplace(unused.name, unused.reason);
        }
        for (std::size_t i = 0; i < m_used.size(); ++i) {
            const auto reason = reasons.find(m_source.tensors[i].name);
            if (!m_used[i]) {
                addUnplaced(TensorIndex(i), reason != reasons.end() ? std::optional(reason->second) : std::nullopt);
            }
        }
        m_header.model->indexTensors();
        return std::move(m_header);
    }

private:
    void addRow(const PlannedRow& row) {
        std::vector<TensorIndex> sources;
        const auto use = [&](TensorIndex tensor) {
            if (tensor.value < m_used.size()) { // parts in other folders are not shown
                m_used[tensor.value] = true;
                sources.push_back(tensor);
            }
        };
        for (const SourcePart& part : row.parts) {
            use(part.weight);
            for (const auto& companion : part.companions) {
                if (companion) {
                    use(*companion);
                }
            }
        }
        add(m_names.keep(row.target), row.shape, std::move(sources));
    }

    void addUnplaced(TensorIndex index, std::optional<std::string_view> reason) {
        if (reason && std::ranges::find(kDrawnReasons, *reason) == kDrawnReasons.end()) {
            m_header.leftOver.push_back(index);
            return;
        }
        if (reason) {
            m_header.besides.emplace_back(m_header.sources.size());
        }
        const TensorInfo& tensor = m_source.tensor(index);
        add(tensor.name, tensor.shape, {index});
    }

    void add(std::string_view name, const Shape& shape, std::vector<TensorIndex> sources) {
        TensorInfo tensor;
        tensor.name = name;
        tensor.typeId = static_cast<std::uint32_t>(TensorType::F32);
        tensor.shape = shape;
        tensor.bytes = gufo::tensorBytes(tensorTypeFact(TensorType::F32), shape);
        m_header.model->tensors.push_back(tensor);
        m_header.sources.push_back(std::move(sources));
    }

    const Model& m_source;
    std::vector<bool> m_used; // by tensor of the source
    ConvertedHeader m_header;
    MetadataBuilder m_names;
};

// Nothing if the source cannot be converted.
std::optional<ConvertedHeader> convertedHeader(const std::shared_ptr<const Model>& model, const Model& described,
                                               const JobContext& job) {
    if (model->tensors.empty()) {
        return std::nullopt;
    }
    if (isLegacy(*model)) {
        const auto plan = planLegacy(model);
        return plan ? std::optional(HeaderMaker(*model, *model).make(*plan, true)) : std::nullopt;
    }
    const auto source = SourceFolder::whole(folderOf(*model), model, job);
    if (!source || isAdapter(*source)) {
        return std::nullopt;
    }
    const auto plan = sketchConversion(*source, job);
    return plan ? std::optional(HeaderMaker(*model, described).make(*plan, false)) : std::nullopt;
}

// Replaces the tensors of a conversion in a structure by the tensors of its source.
class TensorExchange {
public:
    TensorExchange(const Model& source, const ConvertedHeader& header, ModelStructure& structure)
        : m_source(source)
        , m_header(header)
        , m_structure(structure) {}

    void exchange() {
        for (StructureStack& stack : m_structure.stacks) {
            exchange(stack.begin);
            for (StructureBlock& block : stack.blocks) {
                exchange(block.parts);
            }
            exchange(stack.end);
        }
        for (inference::Contradiction& each : m_structure.contradictions) {
            if (each.tensor) {
                const auto& sources = m_header.sources[each.tensor->value];
                each.tensor = sources.empty() ? std::nullopt : std::optional(sources.front());
            }
        }
        if (!m_structure.stacks.empty()) {
            for (const TensorIndex tensor : m_header.leftOver) {
                addLeftOver(tensor);
            }
        }
    }

private:
    // A source tensor that is split into several is listed in the first part that needs it.
    void exchange(std::vector<StructurePart>& parts) {
        for (StructurePart& part : parts) {
            for (const TensorIndex made : std::exchange(part.tensors, {})) {
                for (const TensorIndex tensor : m_header.sources[made.value]) {
                    if (m_placed.insert(tensor.value).second) {
                        part.tensors.push_back(tensor);
                    }
                }
            }
        }
    }

    // Masks, positions and other tensors without values of their own are in the box to which their names point.
    void addLeftOver(TensorIndex tensor) {
        const TensorName name = parseTensorName(m_source.tensor(tensor).name);
        const GraphPart wanted = inference::partOfRole(name, {});
        StructureStack& stack = m_structure.stacks.back();
        const auto addTo = [&](std::vector<StructurePart>& parts) {
            const auto found = std::ranges::find(parts, wanted, &StructurePart::part);
            if (found == parts.end()) {
                return false;
            }
            found->tensors.push_back(tensor);
            return true;
        };
        if (name.block) {
            const auto block = std::ranges::find(stack.blocks, *name.block, &StructureBlock::number);
            if (block != stack.blocks.end() && addTo(block->parts)) {
                return;
            }
        } else if (addTo(stack.begin) || addTo(stack.end)) {
            return;
        }
        if (stack.end.empty() || stack.end.back().part != GraphPart::Other) {
            stack.end.push_back({.part = GraphPart::Other});
        }
        stack.end.back().tensors.push_back(tensor);
    }

    const Model& m_source;
    const ConvertedHeader& m_header;
    ModelStructure& m_structure;
    std::set<std::uint32_t> m_placed; // tensors of the source
};

} // namespace

Result<SourceStructure> describeStructure(const std::shared_ptr<const Model>& model, const JobContext& job) {
    const std::shared_ptr<const Model> described = describe(model);
    if (described != model) {
        if (auto header = convertedHeader(model, *described, job)) {
            auto structure = GUFO_TRY(inference::structureOf(*header->model, job, header->besides));
            TensorExchange(*model, *header, structure).exchange();
            return SourceStructure{header->model, std::move(structure)};
        }
    }
    auto structure = GUFO_TRY(inference::structureOf(*described, job));
    return SourceStructure{described, std::move(structure)};
}

} // namespace gufo::convert
