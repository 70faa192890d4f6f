#include "inference/engine/binding/refusal.h"
#include "inference/engine/binding/shape_reader.h"
#include "model/block_memory.h"
#include "model/file_kind.h"
#include "model/hyper_parameters.h"
#include "model/memory_estimate.h"
#include "tensor/decode.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <ranges>
#include <string>
#include <utility>

namespace gufo::inference {
namespace {

// 95 % of normally distributed gates are smaller. Files state it, but engines use the constant.
constexpr double kUsualSparsity = 1.6448533535;

// Of distances that share a bias: each direction has at least one bucket of a single distance, and one that grows.
constexpr std::uint32_t kFewestBuckets = 4;
constexpr std::uint32_t kMaxBuckets = 256;

} // namespace

Result<ModelShape> ShapeReader::read() {
    if (const FileKind kind = fileKind(m_model); kind != FileKind::Model) {
        return fail(ErrorCode::NotRunnable, {}, {std::string(fileKindName(kind))});
    }
    m_shape.architecture = findGraphTraits(m_model.metadata.architecture());
    if (m_shape.architecture == nullptr) {
        cannot("general.architecture", m_model.metadata.architecture());
        for (const TensorInfo& tensor : m_model.tensors) {
            if (!isDecodable(tensor.typeId) || tensor.bytesDerived) {
                m_refusal.add(ErrorCode::NotRunnable, {}, tensor.typeName());
            }
        }
        return std::unexpected(m_refusal.take());
    }
    for (const auto each : std::views::split(m_shape.architecture->required, ',')) {
        if (const std::string_view suffix(each.begin(), each.end());
            !suffix.empty() && m_parameters.find(suffix) == nullptr) {
            refuse(suffix);
        }
    }
    readCommon();
    m_shape.architecture->kind->readShape(*this);
    if (m_refusal) {
        return std::unexpected(m_refusal.take());
    }
    return std::move(m_shape);
}

void ShapeReader::readTransformer() {
    readAttention();
    readRope();
    readTemperature();
    readExperts();
    if (const RecurrentKind* const recurrent = m_shape.architecture->recurrence.kind;
        recurrent != nullptr && !m_refusal) {
        m_shape.recurrence = recurrent->readShape(*this);
    }
}

void ShapeReader::readCommon() {
    const GraphTraits& row = *m_shape.architecture;
    m_shape.embedding = length("embedding_length");
    const auto context = m_parameters.uint("context_length");
    if (!context && m_parameters.find("context_length") != nullptr) {
        refuse("context_length");
    }
    m_shape.trainedContext = static_cast<std::uint32_t>(std::min<std::uint64_t>(context.value_or(0), kMaxContext));
    // Files of phimoe, which has layer norms, state the epsilon of RMS norms.
    const std::array<std::string_view, 2> epsilons{"attention.layer_norm_rms_epsilon", "attention.layer_norm_epsilon"};
    const std::size_t expected = row.norm.kind == NormKind::Rms ? 0 : 1;
    m_shape.epsilon =
        number(epsilons[m_parameters.find(epsilons[expected]) != nullptr ? expected : 1 - expected], 1e-5);
    m_shape.logitCap = number("final_logit_softcapping", row.output.logitCap);
    m_shape.causal = flag("attention.causal", !row.encoder);
    const ArchitectureFact* fact = findArchitecture(row.name);
    const bool chunked = fact != nullptr && fact->chunked;
    if (!m_shape.causal && (row.kind != &kTransformer || row.attention.kind->latent || row.recurrence.kind != nullptr ||
                            row.stream.kind != nullptr || row.attention.sharedCaches || chunked)) {
        cannot(m_model.metadata.architectureKey("attention.causal"), "false");
    }
    readActivation();
    readPooling();
    const std::uint32_t count = length("block_count");
    if (count > kMaxBlocks) {
        refuse("block_count");
    } else if (!m_refusal) {
        readBlocks(count);
        readScales();
    }
}

void ShapeReader::readScales() {
    const GraphTraits& row = *m_shape.architecture;
    const double depth = std::sqrt(static_cast<double>(std::max<std::size_t>(m_shape.blocks.size(), 1)));
    const double width = m_shape.embedding;
    switch (row.stream.scales) {
    case Scales::LogitScale:
        m_shape.embeddingFactor = row.stream.scaledEmbedding ? std::sqrt(width) : 1;
        m_shape.logitFactor = number("logit_scale", 1);
        break;
    case Scales::Granite:
        m_shape.embeddingFactor = factor("embedding_scale", 1);
        m_shape.branchFactor = factor("residual_scale", 1);
        m_shape.logitFactor = 1 / number("logit_scale", 1);
        break;
    case Scales::MiniCpm:
        m_shape.embeddingFactor = factor("embedding_scale", 12);
        m_shape.branchFactor = factor("residual_scale", 1.4 / depth);
        m_shape.logitFactor = 1 / factor("logit_scale", 256 / width);
        break;
    case Scales::MiniCpm3:
        m_shape.embeddingFactor = 12;
        m_shape.branchFactor = 1.4 / depth;
        m_shape.logitFactor = 256 / width;
        break;
    }
    if (!std::isfinite(m_shape.logitFactor)) {
        refuse("logit_scale");
    }
}

void ShapeReader::readBlocks(std::uint32_t count) {
    const Blocks blocks(m_model, m_parameters, count);
    const BlockValues heads = m_parameters.blockValues("attention.head_count");
    const BlockValues kvHeads = m_parameters.blockValues("attention.head_count_kv");
    const BlockValues feedForward = m_parameters.blockValues("feed_forward_length");
    std::map<std::string_view, BlockValues> windows;
    for (const char* key : {"attention.sliding_window_pattern", "attention.sliding_window", "attention.chunk_size"}) {
        windows.emplace(key, m_parameters.blockValues(key));
    }
    const std::uint32_t predicting = optional("nextn_predict_layers", 0);
    if (predicting >= count) {
        return refuse("nextn_predict_layers");
    }
    m_shape.declaredBlocks = count;
    const std::uint32_t evaluated = count - predicting; // no predicting block is recurrent
    count = m_withPredicting ? count : evaluated;
    const ArchitectureFact* known = findArchitecture(m_shape.architecture->name);
    const GraphTraits& row = *m_shape.architecture;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t headCount = heads.at(i).value_or(0);
        const std::uint64_t kvCount = kvHeads.at(i).value_or(headCount);
        const std::uint64_t width = feedForward.at(i).value_or(0) / row.feedForward.lengthFactor;
        const bool mixes = row.recurrence.parts != BlockParts::MixOrFeed || width == 0;
        const bool recurrent = mixes && i < evaluated && row.recurrence.kind != nullptr && isRecurrent(i, kvCount);
        const bool attends =
            mixes && (!recurrent || row.recurrence.blocks == RecurrentBlocks::Beside) && row.kind->attends;
        if (attends && (headCount == 0 || headCount > kLargestLength)) {
            return refuse("attention.head_count");
        }
        if (attends && (kvCount == 0 || headCount % kvCount != 0 || kvHeads.lacks(i))) {
            return refuse("attention.head_count_kv");
        }
        for (const auto& [key, values] : windows) {
            if (attends && values.lacks(i)) {
                return refuse(key);
            }
        }
        const std::uint64_t window = attends ? blocks.window(i) : 0;
        if (width > kLargestLength || feedForward.lacks(i)) {
            return refuse("feed_forward_length");
        }
        m_shape.blocks.push_back({.heads = attends ? static_cast<std::uint32_t>(headCount) : 0,
                                  .kvHeads = attends ? static_cast<std::uint32_t>(kvCount) : 0,
                                  .window = static_cast<std::uint32_t>(std::min<std::uint64_t>(window, kMaxContext)),
                                  .feedForward = static_cast<std::uint32_t>(width),
                                  .causal = m_shape.causal,
                                  .chunked = known != nullptr && known->chunked,
                                  .source = i,
                                  .sparsity = i < row.feedForward.sparseBlocks ? kUsualSparsity : 0,
                                  .recurrent = recurrent,
                                  .feeds = row.recurrence.parts == BlockParts::MixAndFeed || !mixes});
    }
    readRotatedBlocks(blocks);
    readSources();
    readXielu();
}

bool ShapeReader::isRecurrent(std::uint32_t block, std::uint64_t kvHeads) {
    switch (m_shape.architecture->recurrence.blocks) {
    case RecurrentBlocks::All:
    case RecurrentBlocks::Beside:
        return true;
    case RecurrentBlocks::WithoutKvHeads:
        return kvHeads == 0;
    case RecurrentBlocks::ByInterval:
        break;
    }
    constexpr std::string_view kLayers = "attention.recurrent_layers";
    if (m_parameters.find(kLayers) != nullptr) {
        const auto flag = m_parameters.uintAt(kLayers, block);
        if (!flag) {
            refuse(kLayers);
        }
        return flag.value_or(0) != 0;
    }
    constexpr std::string_view kInterval = "full_attention_interval";
    const std::uint64_t interval = optional(kInterval, 4);
    if (interval == 0) {
        refuse(kInterval);
        return false;
    }
    return (block + 1) % interval != 0;
}

void ShapeReader::readRotatedBlocks(const Blocks& blocks) {
    const GraphTraits& row = *m_shape.architecture;
    const std::size_t count = m_shape.blocks.size();
    const bool finetuned = !row.rope.onlyIfFinetuned || flag("rope.scaling.finetuned", true);
    const bool any = finetuned && (row.rope.onlyWithBlocks == 0 || row.rope.onlyWithBlocks == count);
    const bool windows = std::ranges::any_of(m_shape.blocks, [](const BlockShape& each) { return each.window != 0; });
    for (std::size_t i = 0; i < count; ++i) {
        bool& rotates = m_shape.blocks[i].rotates;
        rotates = any && row.rope.kind != RopeKind::None;
        switch (row.rope.blocks) {
        case RotatedBlocks::All:
            break;
        case RotatedBlocks::ThreeOfFour:
            rotates = rotates && i % 4 != 3;
            break;
        case RotatedBlocks::Windowed:
            rotates = rotates && blocks.inPattern(i);
            break;
        case RotatedBlocks::WindowsFirst:
            rotates = rotates && (!windows || blocks.inPattern(i));
            break;
        }
    }
}

// Blocks without keys and values of their own use the keys and values of the last block of the same kind that has some.
void ShapeReader::readSources() {
    const GraphTraits& row = *m_shape.architecture;
    const auto count = static_cast<std::uint32_t>(m_shape.blocks.size());
    std::uint32_t firstShared =
        row.attention.blocksWithCaches != 0 ? std::min(row.attention.blocksWithCaches, count) : count;
    if (row.attention.sharedCaches) {
        firstShared -= std::min(firstShared, optional("attention.shared_kv_layers", 0));
    }
    for (std::uint32_t i = firstShared; i < count; ++i) {
        BlockShape& block = m_shape.blocks[i];
        const auto same = [&](std::uint32_t j) {
            return (m_shape.blocks[j].window != 0) == (block.window != 0) && m_shape.blocks[j].kvHeads == block.kvHeads;
        };
        std::uint32_t source = firstShared;
        while (source > 0 && !same(source - 1)) {
            --source;
        }
        if (source == 0) {
            return refuse("attention.shared_kv_layers");
        }
        block.source = source - 1;
    }
}

// These keys have no prefix. Each is a number or has one for each block.
void ShapeReader::readXielu() {
    if (m_shape.architecture->feedForward.activation != Activation::Xielu) {
        return;
    }
    std::array<std::vector<double>, 4> columns;
    constexpr std::array<const char*, 4> kKeys{"xielu.alpha_p", "xielu.alpha_n", "xielu.beta", "xielu.eps"};
    for (std::size_t i = 0; i < kKeys.size(); ++i) {
        const Value* value = m_model.metadata.find(kKeys[i]);
        const ArrayView* array = value != nullptr ? asArray(*value) : nullptr;
        for (std::size_t block = 0; block < m_shape.blocks.size(); ++block) {
            const auto number = array != nullptr   ? block < array->length ? numberElement(*array, block) : std::nullopt
                                : value != nullptr ? asDouble(*value)
                                                   : std::nullopt;
            if (!number || !std::isfinite(*number)) {
                m_refusal.add(ErrorCode::NoSuchKey, Place::key(kKeys[i]), kKeys[i]);
                break;
            }
            columns[i].push_back(*number);
        }
    }
    if (m_refusal) {
        return;
    }
    const auto softplus = [](double x) { return x > 20 ? x : std::log1p(std::exp(x)); };
    for (std::size_t block = 0; block < m_shape.blocks.size(); ++block) {
        const double beta = columns[2][block];
        m_shape.xielu.push_back({.positive = static_cast<float>(softplus(columns[0][block])),
                                 .negative = static_cast<float>(beta + softplus(columns[1][block])),
                                 .beta = static_cast<float>(beta),
                                 .epsilon = static_cast<float>(std::min(columns[3][block], 0.0))});
    }
}

void ShapeReader::readAttention() {
    if (m_refusal) {
        return;
    }
    const GraphTraits& row = *m_shape.architecture;
    const auto attending = std::ranges::find_if(m_shape.blocks, &BlockShape::attends);
    if (attending == m_shape.blocks.end()) {
        return;
    }
    const std::uint32_t heads = attending->heads;
    m_shape.keyLength = optional("attention.key_length", m_shape.embedding / heads);
    m_shape.valueLength = optional("attention.value_length", m_shape.keyLength);
    m_shape.rotated = optional("rope.dimension_count", m_shape.keyLength);
    if (m_shape.keyLength == 0) {
        refuse("attention.key_length");
    }
    if (m_shape.valueLength == 0) {
        refuse("attention.value_length");
    }
    const bool rotates = row.rope.kind != RopeKind::None;
    if (m_shape.rotated > m_shape.keyLength || (rotates && m_shape.rotated % 2 != 0)) {
        refuse("rope.dimension_count");
    }
    if (row.attention.gated && m_shape.valueLength != m_shape.keyLength) {
        refuse("attention.value_length"); // there is a gate for each element of a query
    }
    if (row.attention.kind->readShape != nullptr) {
        row.attention.kind->readShape(*this);
    }
    const std::uint32_t windowKeys = optional("attention.key_length_swa", m_shape.keyLength);
    const std::uint32_t windowValues = optional("attention.value_length_swa", m_shape.valueLength);
    for (BlockShape& block : m_shape.blocks) {
        block.keyLength = block.window != 0 ? windowKeys : m_shape.keyLength;
        block.valueLength = block.window != 0 ? windowValues : m_shape.valueLength;
    }
    if (windowKeys == 0) {
        refuse("attention.key_length_swa");
    }
    if (windowValues == 0) {
        refuse("attention.value_length_swa");
    }
    const bool sameRotation = m_parameters.find("attention.key_length_swa") == nullptr;
    m_shape.windowRope.rotated = optional("rope.dimension_count_swa", sameRotation ? m_shape.rotated : windowKeys);
    if (m_shape.windowRope.rotated > windowKeys || (rotates && m_shape.windowRope.rotated % 2 != 0)) {
        refuse("rope.dimension_count_swa");
    }
    if (row.stream.kind != nullptr) {
        row.stream.kind->readShape(*this);
    }
    m_shape.layerInput =
        row.stream.layerInputs ? optional("embedding_length_per_layer_input", row.stream.kind != nullptr ? 256 : 0) : 0;
    m_shape.attentionCap = number("attn_logit_softcapping", 0);
    m_shape.clamp = number("attention.clamp_kqv", 0);
    const bool biased =
        row.attention.alibiOnlyWithBlocks == 0 || row.attention.alibiOnlyWithBlocks == m_shape.blocks.size();
    m_shape.alibi = number("attention.max_alibi_bias", biased ? row.attention.alibi : 0);
    if (row.attention.distanceBiases) {
        constexpr std::string_view kBuckets = "attention.relative_buckets_count";
        m_shape.distanceBuckets = length(kBuckets);
        if (m_shape.distanceBuckets < kFewestBuckets || m_shape.distanceBuckets > kMaxBuckets) {
            refuse(kBuckets);
        }
    }
    const bool share =
        row.attention.scale == QueryScale::HeadSizeOrShare && m_shape.blocks.size() == row.attention.largestBlocks;
    const double usual = 1 / std::sqrt(share ? m_shape.embedding / heads : m_shape.keyLength);
    switch (row.attention.scale) {
    case QueryScale::HeadSize:
    case QueryScale::HeadSizeOrShare:
        m_shape.queryFactor = factor("attention.scale", usual);
        break;
    case QueryScale::One:
        m_shape.queryFactor = 1;
        break;
    }
    m_shape.parallel = row.feedForward.residual == Residual::Parallel ||
                       (row.feedForward.residual == Residual::ParallelByKey && flag("use_parallel_residual", true));
}

Result<ModelShape> readShape(const Model& model) { return ShapeReader(model).read(); }

} // namespace gufo::inference
