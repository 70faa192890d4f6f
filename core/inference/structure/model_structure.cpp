#include "inference/structure/model_structure.h"

#include "base/try.h"
#include "inference/engine/binding/weights.h"
#include "inference/structure/part_facts.h"
#include "model/file_kind.h"
#include "model/hyper_parameters.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace gufo::inference {
namespace {

// No architecture has a longer pattern.
constexpr std::size_t kMaxPeriod = 32;

struct PartRow {
    std::string_view name;
    GraphSection section;
};
constexpr auto kParts = std::to_array<PartRow>({
#define GUFO_GRAPH_PART(part, name, section, words) {name, GraphSection::section},
#include "inference/engine/binding/graph_parts.inc"
#undef GUFO_GRAPH_PART
});

constexpr auto kFactNames = std::to_array<std::string_view>({
#define GUFO_STRUCTURE_FACT(fact, name, words) name,
#include "inference/structure/structure_facts.inc"
#undef GUFO_STRUCTURE_FACT
});

std::string dimsText(std::span<const std::uint64_t> dims) {
    constexpr std::uint64_t kAny = ~std::uint64_t{0}; // Binder::kAsInFile
    std::string text;
    for (const std::uint64_t dim : dims) {
        text += (text.empty() ? "" : " × ") + (dim == kAny ? "…" : std::to_string(dim));
    }
    return text;
}

// A tensor with the part that it belongs to.
struct Placed {
    TensorIndex tensor;
    GraphPart part;
    std::uint8_t order; // in the forward pass
};

struct BlockTensors {
    std::vector<Placed> tensors;
    bool hasState = false;
    bool hasKeys = false; // attends
};

struct StackTensors {
    std::map<std::uint32_t, BlockTensors> blocks;
    std::vector<Placed> loose;
};

class StructureMaker {
public:
    StructureMaker(const Model& model, const JobContext& job, std::span<const TensorIndex> besides)
        : m_model(model)
        , m_job(job)
        , m_besides(besides) {}

    Result<ModelStructure> make();

private:
    void bind();
    Result<> divide();
    void addTensor(TensorIndex index, const TensorName& name);
    void collectContradictions();
    void compareRefusedKeys();
    void compareBlockCount(std::uint64_t declared);
    void addContradiction(PartFact what, std::optional<TensorIndex> tensor);
    void makeStack(std::string_view prefix, StackTensors& tensors);
    StructureBlock makeBlock(std::uint32_t number, const BlockTensors& tensors, std::string_view prefix);
    void makeEnds(StructureStack& stack, std::vector<Placed>& loose, bool isMain);
    void mergeEnds();
    void nameKinds(StructureStack& stack);
    [[nodiscard]] std::string lookOf(const StructureBlock& block) const;
    [[nodiscard]] bool isBoundStack(std::string_view prefix) const {
        return m_traits != nullptr && prefix == m_traits->stack;
    }
    [[nodiscard]] const BlockShape* shapeOf(std::uint32_t block) const;

    const Model& m_model;
    const JobContext& m_job;
    std::span<const TensorIndex> m_besides;
    const GraphTraits* m_traits = nullptr;
    std::optional<ModelShape> m_shape;
    std::optional<ModelShape> m_predictor; // of blocks that predict further tokens
    BindingReport m_report;                // of a model whose tensors have GGUF's names
    bool m_bound = false;
    std::map<std::string_view, StackTensors> m_stacks;
    std::unordered_set<std::uint32_t> m_contradicted; // tensors
    ModelStructure m_result;
};

void StructureMaker::bind() {
    m_result.architecture = m_model.metadata.architecture();
    const FileKind kind = fileKind(m_model);
    m_result.isModel = kind == FileKind::Model;
    // The matrices of an adapter have the roles of the matrices that they change.
    m_traits = m_result.isModel || kind == FileKind::Adapter ? findGraphTraits(m_result.architecture) : nullptr;
    m_result.isKnown = m_result.isModel && m_traits != nullptr;
    if (!m_result.isKnown) {
        return;
    }
    auto shape = readShape(m_model);
    if (!shape) {
        m_result.refused = std::move(shape.error());
        return;
    }
    m_shape = *std::move(shape);
    if (auto predictor = readPredictorShape(m_model)) {
        m_predictor = *std::move(predictor);
    }
    // Other containers have other names, and the engine would find none of its own.
    if (m_model.findTensor("token_embd.weight")) {
        static_cast<void>(
            bindWeights(m_model, *m_shape, SmallTensors::NotViewed, &m_report)); // the report has its errors
        m_bound = true;
    }
}

void StructureMaker::addTensor(TensorIndex index, const TensorName& name) {
    const std::uint8_t order = name.fact != nullptr ? name.fact->order : 255;
    const bool inBlock = name.block && !isProjectorLayer(name);
    const GraphPart part = inBlock ? GraphPart::Other : partOfRole(name, {.traits = m_traits});
    // A projector follows the encoder that it belongs to, whatever its prefix is.
    const std::string_view prefix = part == GraphPart::Projector ? std::string_view() : name.prefix;
    const bool fits = m_stacks.contains(prefix) || m_stacks.size() < ModelStructure::kMaxStacks;
    StackTensors& stack = m_stacks[fits ? prefix : std::string_view()];
    if (inBlock && fits && (stack.blocks.contains(*name.block) || stack.blocks.size() < kMaxBlocks)) {
        BlockTensors& block = stack.blocks[*name.block];
        block.tensors.push_back({index, GraphPart::Other, order});
        if (name.fact != nullptr) {
            block.hasState = block.hasState || name.fact->group == TensorGroup::Recurrent;
            block.hasKeys = block.hasKeys || name.fact->name == "attn_q" || name.fact->name == "attn_output";
        }
        return;
    }
    stack.loose.push_back({index, part, order});
}

Result<> StructureMaker::divide() {
    m_job.start(m_model.tensors.size());
    for (std::size_t i = 0; i < m_model.tensors.size(); ++i) {
        if (i % 1024 == 0 && m_job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        m_job.advance(1);
        addTensor(TensorIndex(i), parseTensorName(m_model.tensors[i].name));
    }
    return {};
}

void StructureMaker::addContradiction(PartFact what, std::optional<TensorIndex> tensor) {
    if (tensor) {
        m_contradicted.insert(tensor->value);
    }
    if (m_result.contradictions.size() < ModelStructure::kMaxContradictions) {
        m_result.contradictions.push_back({std::move(what), tensor});
    }
}

void StructureMaker::collectContradictions() {
    if (!m_bound) {
        return;
    }
    std::unordered_set<std::string_view> named;
    for (const AbsentTensor& absent : m_report.absent) {
        if (absent.required && named.insert(absent.name).second) {
            addContradiction({StructureFact::MissingTensor, {absent.name}}, std::nullopt);
        }
    }
    for (const MisshapenTensor& each : m_report.misshapen) {
        const TensorInfo& tensor = m_model.tensor(each.tensor);
        addContradiction({StructureFact::OtherShape, {tensor.name, dimsText(tensor.shape.dims()), dimsText(each.dims)}},
                         each.tensor);
    }
    for (const TensorIndex index : m_report.unused) {
        if (std::ranges::binary_search(m_besides, index.value, {}, &TensorIndex::value)) {
            continue;
        }
        addContradiction({StructureFact::NoPlace, {m_model.tensor(index).name}}, index);
    }
    compareBlockCount(m_shape->declaredBlocks);
}

void StructureMaker::compareBlockCount(std::uint64_t declared) {
    const auto stack = m_stacks.find(m_traits->stack);
    const std::size_t present = stack != m_stacks.end() ? stack->second.blocks.size() : 0;
    if (present != declared) {
        addContradiction({StructureFact::OtherBlockCount, {declared, present}}, std::nullopt);
    }
}

// Nothing is bound by keys that cannot be used, but what some of them state can be compared with the tensors.
void StructureMaker::compareRefusedKeys() {
    const auto table = m_model.findTensor("token_embd.weight");
    if (!m_result.refused || !table) {
        return;
    }
    const HyperParameters keys(m_model.metadata);
    if (const auto blocks = keys.uint("block_count")) {
        compareBlockCount(*blocks);
    }
    const auto compareWidth = [&](TensorIndex index, std::optional<std::uint64_t> stated) {
        const TensorInfo& tensor = m_model.tensor(index);
        if (stated && tensor.shape[0] != *stated) {
            addContradiction({StructureFact::OtherWidth, {tensor.name, tensor.shape[0], *stated}}, index);
        }
    };
    compareWidth(*table, keys.uint("embedding_length"));
    const auto stack = m_stacks.find(m_traits->stack);
    if (stack == m_stacks.end()) {
        return;
    }
    const BlockValues widths = keys.blockValues("feed_forward_length");
    for (const auto& [number, block] : stack->second.blocks) {
        for (const Placed& each : block.tensors) {
            const TensorName name = parseTensorName(m_model.tensor(each.tensor).name);
            if (name.role == "ffn_down" && name.suffix == "weight") {
                compareWidth(each.tensor, widths.at(number));
            }
        }
    }
}

const BlockShape* StructureMaker::shapeOf(std::uint32_t block) const {
    if (!m_shape) {
        return nullptr;
    }
    if (block < m_shape->blocks.size()) {
        return &m_shape->blocks[block];
    }
    return m_predictor && block < m_shape->declaredBlocks ? m_predictor->blocks.data() : nullptr;
}

StructureBlock StructureMaker::makeBlock(std::uint32_t number, const BlockTensors& tensors, std::string_view prefix) {
    StructureBlock block{.number = number};
    const bool bound = isBoundStack(prefix);
    const BlockShape* shape = bound ? shapeOf(number) : nullptr;
    block.predicts = bound && m_shape && number >= m_shape->blocks.size() && number < m_shape->declaredBlocks;
    const bool onlyState = shape != nullptr && !block.predicts ? shape->recurrent && !shape->attends()
                                                               : tensors.hasState && !tensors.hasKeys;
    std::vector<Placed> placed = tensors.tensors;
    for (Placed& each : placed) {
        const auto asked = m_bound ? m_report.parts[each.tensor.value] : std::nullopt;
        each.part = asked ? *asked
                          : partOfRole(parseTensorName(m_model.tensor(each.tensor).name),
                                       {.traits = bound ? m_traits : nullptr, .onlyState = onlyState});
    }
    std::ranges::sort(placed, {},
                      [](const Placed& each) { return std::tuple(each.part, each.order, each.tensor.value); });
    for (const Placed& each : placed) {
        if (block.parts.empty() || block.parts.back().part != each.part) {
            block.parts.push_back({.part = each.part});
        }
        block.parts.back().tensors.push_back(each.tensor);
        block.parts.back().contradicted = block.parts.back().contradicted || m_contradicted.contains(each.tensor.value);
    }
    const PartFacts facts(m_model, bound && m_shape ? &*m_shape : nullptr, m_result.refused.has_value());
    for (StructurePart& part : block.parts) {
        facts.tellBlock(part, shape, number, prefix);
    }
    if (m_shape && bound) {
        const StructurePart* feedNorm = block.find(GraphPart::FeedNorm);
        const Residual residual = m_traits->feedForward.residual;
        block.parallel = residual == Residual::Parallel || (residual == Residual::ParallelByKey && m_shape->parallel) ||
                         (residual == Residual::ParallelByNorms && feedNorm == nullptr);
    }
    return block;
}

std::string StructureMaker::lookOf(const StructureBlock& block) const {
    std::string look;
    const auto add = [&](std::string_view text) {
        look += text;
        look += '\n';
    };
    for (const StructurePart& part : block.parts) {
        add(graphPartName(part.part));
        for (const PartFact& fact : part.facts) {
            add(structureFactName(fact.fact));
            // Which block it is differs, although the blocks are alike.
            for (std::size_t i = 0; i < fact.args.size() && fact.fact != StructureFact::SharedCache; ++i) {
                add(fact.args[i].text());
            }
        }
        std::string before;
        for (const TensorIndex index : part.tensors) { // experts that are stored one by one count once
            const TensorInfo& tensor = m_model.tensor(index);
            const TensorName name = parseTensorName(tensor.name);
            std::string text(name.role);
            text += '/';
            text += name.suffix;
            text += dimsText(tensor.shape.dims());
            if (text != before) {
                add(text);
                before = std::move(text);
            }
        }
        add(part.contradicted ? "!" : "");
    }
    add(block.predicts ? "predicts" : "");
    add(block.parallel ? "parallel" : "");
    return look;
}

void StructureMaker::nameKinds(StructureStack& stack) {
    std::unordered_map<std::string, std::size_t> kinds;
    for (StructureBlock& block : stack.blocks) {
        block.kind = kinds.try_emplace(lookOf(block), kinds.size()).first->second;
    }
}

void StructureMaker::makeEnds(StructureStack& stack, std::vector<Placed>& loose, bool isMain) {
    for (Placed& each : loose) {
        if (const auto asked = m_bound ? m_report.parts[each.tensor.value] : std::nullopt) {
            each.part = *asked;
        }
    }
    std::ranges::sort(loose, {},
                      [](const Placed& each) { return std::tuple(each.part, each.order, each.tensor.value); });
    StructurePart* last = nullptr;
    for (const Placed& each : loose) {
        const GraphSection section = graphSection(each.part);
        std::vector<StructurePart>& parts = section == GraphSection::Begin ? stack.begin : stack.end;
        if (last == nullptr || last->part != each.part) {
            last = &parts.emplace_back(StructurePart{.part = each.part});
        }
        last->tensors.push_back(each.tensor);
        last->contradicted = last->contradicted || m_contradicted.contains(each.tensor.value);
    }
    // A model that generates text has an output, which may be its embedding.
    const auto has = [](const std::vector<StructurePart>& parts, GraphPart part) {
        return std::ranges::find(parts, part, &StructurePart::part) != parts.end();
    };
    if (isMain && m_traits != nullptr && m_traits->encoder && m_shape && !has(stack.end, GraphPart::Head) &&
        m_shape->pooling.asked) {
        stack.end.push_back({.part = GraphPart::Head});
    }
    if (isMain && m_result.isKnown && !m_traits->encoder && has(stack.begin, GraphPart::Input) &&
        !has(stack.end, GraphPart::Output)) {
        stack.end.push_back({.part = GraphPart::Output});
    }
    std::ranges::sort(stack.end, {},
                      [](const StructurePart& part) { return std::pair(part.part == GraphPart::Other, part.part); });
    const PartFacts facts(m_model, m_shape ? &*m_shape : nullptr, m_result.refused.has_value());
    for (std::vector<StructurePart>* parts : {&stack.begin, &stack.end}) {
        for (StructurePart& part : *parts) {
            facts.tellModel(part, stack.prefix);
        }
    }
}

void StructureMaker::makeStack(std::string_view prefix, StackTensors& tensors) {
    StructureStack stack{.prefix = prefix};
    if (isBoundStack(prefix) && m_shape) { // blocks that have no tensors are shown as missing
        for (std::uint32_t i = 0; i < m_shape->declaredBlocks && tensors.blocks.size() < kMaxBlocks; ++i) {
            tensors.blocks.try_emplace(i);
        }
    }
    for (const auto& [number, block] : tensors.blocks) {
        stack.blocks.push_back(makeBlock(number, block, prefix));
    }
    nameKinds(stack);
    stack.runs = foldRuns(stack.blocks);
    makeEnds(stack, tensors.loose, prefix.empty());
    m_result.stacks.push_back(std::move(stack));
}

// What has no prefix surrounds the stacks of a model whose blocks all have one.
void StructureMaker::mergeEnds() {
    std::vector<StructureStack>& stacks = m_result.stacks;
    if (stacks.size() < 2 || !stacks.back().prefix.empty() || !stacks.back().blocks.empty()) {
        return;
    }
    StructureStack ends = std::move(stacks.back());
    stacks.pop_back();
    stacks.front().begin.insert(stacks.front().begin.begin(), std::make_move_iterator(ends.begin.begin()),
                                std::make_move_iterator(ends.begin.end()));
    stacks.back().end.insert(stacks.back().end.end(), std::make_move_iterator(ends.end.begin()),
                             std::make_move_iterator(ends.end.end()));
}

Result<ModelStructure> StructureMaker::make() {
    bind();
    GUFO_TRY(divide());
    collectContradictions();
    compareRefusedKeys();
    // Encoders come first, and the main stack reads what they make.
    for (auto& [prefix, tensors] : m_stacks) {
        if (!prefix.empty()) {
            makeStack(prefix, tensors);
        }
        GUFO_TRY(m_job.check());
    }
    if (const auto main = m_stacks.find(std::string_view()); main != m_stacks.end()) {
        makeStack(main->first, main->second);
    }
    mergeEnds();
    return std::move(m_result);
}

} // namespace

GraphSection graphSection(GraphPart part) { return kParts.at(static_cast<std::size_t>(part)).section; }

std::string_view graphPartName(GraphPart part) { return kParts.at(static_cast<std::size_t>(part)).name; }

std::string_view structureFactName(StructureFact fact) { return kFactNames.at(static_cast<std::size_t>(fact)); }

const StructurePart* StructureBlock::find(GraphPart part) const {
    const auto found = std::ranges::find(parts, part, &StructurePart::part);
    return found != parts.end() ? &*found : nullptr;
}

Result<ModelStructure> structureOf(const Model& model, const JobContext& job, std::span<const TensorIndex> besides) {
    return StructureMaker(model, job, besides).make();
}

std::vector<StructureRun> foldRuns(const std::vector<StructureBlock>& blocks) {
    std::vector<StructureRun> runs;
    for (std::size_t first = 0; first < blocks.size();) {
        StructureRun best{.first = first};
        for (std::size_t period = 1; period <= std::min(kMaxPeriod, (blocks.size() - first) / 2 + 1); ++period) {
            std::size_t same = 0; // blocks that equal the one a period before them
            while (first + period + same < blocks.size() &&
                   blocks[first + period + same].kind == blocks[first + same].kind) {
                ++same;
            }
            const StructureRun run{.first = first, .period = period, .repeats = 1 + same / period};
            if (run.repeats > 1 && run.blocks() > best.blocks()) {
                best = run;
            }
        }
        runs.push_back(best);
        first += best.blocks();
    }
    return runs;
}

} // namespace gufo::inference
