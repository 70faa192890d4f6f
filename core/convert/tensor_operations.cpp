#include "convert/tensor_operations.h"

#include "base/detail.h"
#include "convert/vocabulary/vocabulary_files.h"

namespace gufo::convert {
namespace {

using Kind = OperationKind;

std::int64_t rowAxis(const SourceTensor& tensor) { return tensor.part.shape.count() < 2 ? 0 : 1; }
std::int64_t rowsOf(const SourceTensor& tensor) {
    return static_cast<std::int64_t>(tensor.part.shape[static_cast<std::size_t>(rowAxis(tensor))]);
}

Operations missing(std::string_view setting) {
    return fail(ErrorCode::NotSupported, {}, {Argument(Detail::SettingMissing, {setting})});
}

Operations permute(const SourceTensor& tensor, std::uint64_t heads) {
    if (heads == 0) {
        return missing("num_attention_heads");
    }
    return std::vector{Operation{Kind::PermuteRope, {rowAxis(tensor), static_cast<std::int64_t>(heads)}}};
}

std::vector<Operation> rows(const SourceTensor& tensor, std::int64_t first, std::int64_t count) {
    return {{Kind::SliceRows, {rowAxis(tensor), first, count}}};
}

std::vector<Operation> reshape(std::span<const std::uint64_t> dims) {
    return {{Kind::Reshape, {dims.begin(), dims.end()}}};
}

Operations everyOther(const SourceTensor& tensor, std::int64_t first) {
    std::vector<Operation> operations;
    if (!tensor.repacked()) {
        operations.push_back({Kind::Transpose});
    }
    operations.push_back({Kind::EveryOther, {1, first, 2}});
    return operations;
}

// The sizes of Qwen3-Next's linear attention for each key head.
struct DeltaNet {
    std::int64_t groups;
    std::int64_t key;
    std::int64_t value; // of all value heads of a key head
    [[nodiscard]] std::int64_t rows() const { return 2 * key + 2 * value; }
};
std::optional<DeltaNet> deltaNetOf(const ModelFacts& facts) {
    const std::uint64_t keyHeads = facts.number({"linear_num_key_heads"});
    const std::uint64_t valueHeads = facts.number({"linear_num_value_heads"});
    if (keyHeads == 0 || valueHeads % keyHeads != 0) {
        return std::nullopt;
    }
    return DeltaNet{static_cast<std::int64_t>(keyHeads),
                    static_cast<std::int64_t>(facts.number({"linear_key_head_dim"})),
                    static_cast<std::int64_t>(facts.number({"linear_value_head_dim"}) * (valueHeads / keyHeads))};
}

// The value heads of Qwen3.5's linear attention.
struct ValueHeads {
    std::int64_t keyHeads;
    std::int64_t each; // value heads of a key head
    std::int64_t width;
    std::int64_t keyRows; // of all queries and keys

    // The rows after the first `before`; each value head has `rows` of them.
    [[nodiscard]] std::vector<Operation> tiled(std::int64_t axis, std::int64_t before, std::int64_t rows) const {
        if (each == 1) {
            return {};
        }
        Operation regroup{Kind::RegroupRows, {axis, before, keyHeads, each * rows}};
        for (std::int64_t head = 0; head < each; ++head) {
            regroup.parameters.insert(regroup.parameters.end(), {head * rows, rows});
        }
        return {std::move(regroup)};
    }
};
Result<ValueHeads> valueHeadsOf(const ModelFacts& facts) {
    const std::uint64_t keyHeads = facts.number({"linear_num_key_heads"});
    const std::uint64_t valueHeads = facts.number({"linear_num_value_heads"});
    const std::uint64_t keyWidth = facts.number({"linear_key_head_dim"});
    const std::uint64_t width = facts.number({"linear_value_head_dim"});
    constexpr std::uint64_t kMaximum = 1U << 20U; // so that products do not overflow
    const std::string_view unusable = keyHeads == 0 || keyHeads > kMaximum ? "linear_num_key_heads"
                                      : valueHeads == 0 || valueHeads > kMaximum || valueHeads % keyHeads != 0
                                          ? "linear_num_value_heads"
                                      : keyWidth == 0 || keyWidth > kMaximum ? "linear_key_head_dim"
                                      : width == 0 || width > kMaximum       ? "linear_value_head_dim"
                                                                             : "";
    if (!unusable.empty()) {
        return fail(ErrorCode::NotSupported, {}, {Argument(Detail::SettingMissing, {unusable})});
    }
    return ValueHeads{static_cast<std::int64_t>(keyHeads), static_cast<std::int64_t>(valueHeads / keyHeads),
                      static_cast<std::int64_t>(width), static_cast<std::int64_t>(2 * keyHeads * keyWidth)};
}

Operations latent(const ModelFacts& facts, const SourceTensor& tensor, bool keys) {
    const auto nope = static_cast<std::int64_t>(facts.number({"qk_nope_head_dim"}));
    const auto values = static_cast<std::int64_t>(facts.number({"v_head_dim"}));
    if (nope == 0 || values == 0 || facts.heads() == 0) {
        return missing(nope == 0 ? "qk_nope_head_dim" : "v_head_dim");
    }
    const auto heads = static_cast<std::int64_t>(facts.heads());
    std::vector<Operation> operations = {
        {Kind::TakeParts, {rowAxis(tensor), heads, nope + values, keys ? 0 : nope, keys ? nope : values}}};
    if (keys) {
        operations.push_back({Kind::Transpose});
    }
    return operations;
}

} // namespace

Operations addOne(const ModelFacts&, const SourceTensor&) { return std::vector{Operation{Kind::Add, {1}}}; }

Operations negateExponential(const ModelFacts&, const SourceTensor&) {
    return std::vector{Operation{Kind::NegateExponential}};
}

Operations roundToTernary(const ModelFacts&, const SourceTensor& tensor) {
    const bool rounds = tensor.part.shape.count() == 2 && !tensor.recoding; // codes are ternary already
    return rounds ? std::vector{Operation{Kind::RoundToTernary}} : std::vector<Operation>();
}

Operations permuteQueries(const ModelFacts& facts, const SourceTensor& tensor) {
    return permute(tensor, facts.heads());
}

Operations permuteKeys(const ModelFacts& facts, const SourceTensor& tensor) { return permute(tensor, facts.kvHeads()); }

Operations transpose(const ModelFacts&, const SourceTensor& tensor) {
    return tensor.part.shape.count() < 2 ? std::vector<Operation>() : std::vector{Operation{Kind::Transpose}};
}

Operations squeeze(const ModelFacts&, const SourceTensor& tensor) {
    std::vector<std::uint64_t> dims;
    for (const std::uint64_t dim : tensor.part.shape.dims()) {
        if (dim != 1) {
            dims.push_back(dim);
        }
    }
    return dims.size() == tensor.part.shape.count() ? std::vector<Operation>() : reshape(dims);
}

Operations asColumn(const ModelFacts&, const SourceTensor& tensor) {
    return reshape(std::vector{std::uint64_t{1}, tensor.part.shape.weights().value_or(0)});
}

Operations negateExponentialColumn(const ModelFacts& facts, const SourceTensor& tensor) {
    auto operations = asColumn(facts, tensor);
    if (operations) {
        operations->insert(operations->begin(), {Kind::NegateExponential});
    }
    return operations;
}

Operations splitIntoGroups(const ModelFacts& facts, const SourceTensor& tensor) {
    const std::uint64_t groups = std::max<std::uint64_t>(facts.number({"n_groups"}), 1);
    return reshape(std::vector{tensor.part.shape.weights().value_or(0) / groups, groups});
}

Operations firstHalf(const ModelFacts&, const SourceTensor& tensor) { return rows(tensor, 0, rowsOf(tensor) / 2); }

Operations secondHalf(const ModelFacts&, const SourceTensor& tensor) {
    return rows(tensor, rowsOf(tensor) / 2, rowsOf(tensor) / 2);
}

Operations evenRows(const ModelFacts&, const SourceTensor& tensor) { return everyOther(tensor, 0); }

Operations oddRows(const ModelFacts&, const SourceTensor& tensor) { return everyOther(tensor, 1); }

Operations evenBiases(const ModelFacts&, const SourceTensor&) {
    return std::vector{Operation{Kind::EveryOther, {0, 0, 2}}};
}

Operations oddBiases(const ModelFacts&, const SourceTensor&) {
    return std::vector{Operation{Kind::EveryOther, {0, 1, 2}}};
}

Operations transposeUnlessRepacked(const ModelFacts&, const SourceTensor& tensor) {
    return tensor.repacked() ? std::vector<Operation>() : std::vector{Operation{Kind::Transpose}};
}

Operations regroupHeads(const ModelFacts& facts, const SourceTensor& tensor) {
    if (facts.heads() == 0) {
        return missing("num_attention_heads");
    }
    const auto heads = static_cast<std::int64_t>(facts.heads());
    const std::int64_t each = rowsOf(tensor) / heads;
    const std::int64_t width = each / 3;
    return std::vector{
        Operation{Kind::RegroupRows, {rowAxis(tensor), 0, heads, each, 0, width, width, width, 2 * width, width}}};
}

Operations regroupFalcon(const ModelFacts& facts, const SourceTensor& tensor) {
    const auto groups = static_cast<std::int64_t>(falconKvHeads(facts));
    const auto width = static_cast<std::int64_t>(facts.headWidth());
    if (facts.heads() == 0 || width == 0) {
        return missing("num_attention_heads");
    }
    const std::int64_t queries = static_cast<std::int64_t>(facts.heads()) / groups * width;
    return std::vector{Operation{
        Kind::RegroupRows,
        {rowAxis(tensor), 0, groups, queries + 2 * width, 0, queries, queries, width, queries + width, width}}};
}

std::uint64_t falconKvHeads(const ModelFacts& facts) {
    const auto several = facts.find({"new_decoder_architecture"});
    const auto one = facts.find({"multi_query"});
    if (one && one->boolean().value_or(false) && !(several && several->boolean().value_or(false))) {
        return 1;
    }
    const std::uint64_t stated = facts.number(kKvHeadNames);
    return stated != 0 ? stated : 1;
}

Operations latentKeys(const ModelFacts& facts, const SourceTensor& tensor) { return latent(facts, tensor, true); }

Operations latentValues(const ModelFacts& facts, const SourceTensor& tensor) { return latent(facts, tensor, false); }

Operations deltaNetInputs(const ModelFacts& facts, const SourceTensor& tensor) {
    const auto sizes = deltaNetOf(facts);
    if (!sizes) {
        return missing("linear_num_key_heads");
    }
    // The rows of the gate come last, so that what remains of the regrouped rows is a slice.
    const auto& [groups, key, value] = *sizes;
    return std::vector{Operation{Kind::RegroupRows,
                                 {rowAxis(tensor), 0, groups, sizes->rows(), 0, key, key, key, 2 * key, value,
                                  2 * key + value, value}},
                       Operation{Kind::SliceRows, {rowAxis(tensor), 0, groups * (2 * key + value)}}};
}

Operations deltaNetGate(const ModelFacts& facts, const SourceTensor& tensor) {
    auto operations = deltaNetInputs(facts, tensor);
    if (operations) {
        const DeltaNet sizes = *deltaNetOf(facts);
        operations->back().parameters = {rowAxis(tensor), sizes.groups * (2 * sizes.key + sizes.value),
                                         sizes.groups * sizes.value};
    }
    return operations;
}

Operations tiledHeads(const ModelFacts& facts, const SourceTensor& tensor) {
    const auto heads = GUFO_TRY(valueHeadsOf(facts));
    return Operations(heads.tiled(rowAxis(tensor), 0, 1));
}

Operations tiledValues(const ModelFacts& facts, const SourceTensor& tensor) {
    const auto heads = GUFO_TRY(valueHeadsOf(facts));
    return Operations(heads.tiled(rowAxis(tensor), 0, heads.width));
}

Operations tiledInputs(const ModelFacts& facts, const SourceTensor& tensor) {
    const auto heads = GUFO_TRY(valueHeadsOf(facts));
    return Operations(heads.tiled(rowAxis(tensor), heads.keyRows, heads.width));
}

Operations tiledConvolution(const ModelFacts& facts, const SourceTensor& tensor) {
    const auto heads = GUFO_TRY(valueHeadsOf(facts));
    auto operations = GUFO_TRY(squeeze(facts, tensor));
    const auto tiled = heads.tiled(1, heads.keyRows, heads.width);
    operations.insert(operations.end(), tiled.begin(), tiled.end());
    return operations;
}

Operations tiledColumns(const ModelFacts& facts, const SourceTensor& tensor) {
    const auto heads = GUFO_TRY(valueHeadsOf(facts));
    const auto tiled = heads.tiled(1, 0, 1);
    if (tiled.empty()) {
        return tiled;
    }
    // The columns of a head as rows of their own, which are moved as a whole.
    const auto dims = tensor.part.shape.dims();
    std::vector<std::uint64_t> split = {static_cast<std::uint64_t>(heads.width),
                                        static_cast<std::uint64_t>(heads.keyHeads * heads.each)};
    split.insert(split.end(), dims.begin() + 1, dims.end());
    return std::vector{Operation{Kind::Reshape, {split.begin(), split.end()}}, tiled.front(),
                       Operation{Kind::Reshape, {dims.begin(), dims.end()}}};
}

Operations tiledNegateExponential(const ModelFacts& facts, const SourceTensor& tensor) {
    auto operations = tiledHeads(facts, tensor);
    if (operations) {
        operations->insert(operations->begin(), {Kind::NegateExponential});
    }
    return operations;
}

Operations answerRows(const ModelFacts& facts, const SourceTensor& tensor) {
    const auto files = GUFO_TRY(readVocabularyFiles(facts.source(), {}));
    Operation operation{Kind::PickRows, {rowAxis(tensor)}};
    for (const std::string_view answer : kAnswers) {
        const auto id = idOfToken(files, answer);
        if (!id || *id >= static_cast<std::uint64_t>(rowsOf(tensor))) {
            return fail(ErrorCode::NotSupported, {}, {Argument(Detail::TokenNotInVocabulary, {answer})});
        }
        operation.parameters.push_back(static_cast<std::int64_t>(*id));
    }
    return std::vector{std::move(operation)};
}

Operations textTokens(const ModelFacts& facts, const SourceTensor& tensor) {
    const auto tokens = static_cast<std::int64_t>(facts.number({"vocab_size_per_layer_input"}));
    return tokens > 0 && tokens < rowsOf(tensor) ? rows(tensor, 0, tokens) : std::vector<Operation>();
}

std::uint64_t firstPosition(const ModelFacts& facts) {
    const auto padding = facts.find({"pad_token_id"});
    return padding ? padding->natural().value_or(0) + 1 : 0;
}

Operations withoutPaddingPositions(const ModelFacts& facts, const SourceTensor& tensor) {
    const auto first = static_cast<std::int64_t>(firstPosition(facts));
    return rows(tensor, first, rowsOf(tensor) - first);
}

} // namespace gufo::convert
