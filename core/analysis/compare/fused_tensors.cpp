#include "analysis/compare/fused_tensors.h"

#include "base/checked.h"
#include "model/hyper_parameters.h"

#include <algorithm>
#include <array>
#include <span>

namespace gufo {
namespace {

// The number of rows of a part.
enum class Rows : std::uint8_t {
    Queries,      // attention.head_count × key length
    Keys,         // attention.head_count_kv × key length
    Values,       // attention.head_count_kv × value length
    LinearKeys,   // ssm.group_count × ssm.state_size
    LinearValues, // ssm.inner_size
    Share,        // the same number for every part
};

struct PartFact {
    std::string_view role;
    Rows rows;
};
constexpr auto kAttention =
    std::to_array<PartFact>({{"attn_q", Rows::Queries}, {"attn_k", Rows::Keys}, {"attn_v", Rows::Values}});
constexpr auto kLinearAttention = std::to_array<PartFact>(
    {{"attn_q", Rows::LinearKeys}, {"attn_k", Rows::LinearKeys}, {"attn_v", Rows::LinearValues}});
constexpr auto kThirds =
    std::to_array<PartFact>({{"attn_q", Rows::Share}, {"attn_k", Rows::Share}, {"attn_v", Rows::Share}});
constexpr auto kGateUp = std::to_array<PartFact>({{"ffn_gate", Rows::Share}, {"ffn_up", Rows::Share}});
constexpr auto kGateUpExperts = std::to_array<PartFact>({{"ffn_gate_exps", Rows::Share}, {"ffn_up_exps", Rows::Share}});

struct FusedFact {
    std::string_view role;
    std::string_view prefix;        // "v." …; empty for the language model
    std::string_view architectures; // comma-separated; empty: all that no earlier row names
    std::span<const PartFact> parts;
    std::string_view wholeRows; // the hyper-parameter that must equal the rows of each part; empty: not checked
};
// The order is that in which llama.cpp's graphs split the matrices; its converters reorder interleaved heads. The first
// half of a gated pair is the one that passes through the activation.
constexpr auto kFused = std::to_array<FusedFact>({
    {"attn_qkv", "", "qwen3next,qwen35,qwen35moe", kLinearAttention, ""},
    {"attn_qkv", "", "", kAttention, ""},
    {"attn_qkv", "v.", "", kThirds, ""},
    {"attn_qkv", "a.", "", kThirds, ""},
    {"ffn_up", "", "phi3,chatglm,glm4,plamo2,plamo3,modern-bert,jina-bert-v2", kGateUp, "feed_forward_length"},
    {"ffn_gate_up_exps", "", "", kGateUpExperts, ""},
});

bool names(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        const std::size_t comma = list.find(',');
        if (list.substr(0, comma) == word) {
            return true;
        }
        list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    }
    return false;
}

class RowCounts {
public:
    RowCounts(const Model& model, std::uint64_t block)
        : m_parameters(model.metadata)
        , m_block(block) {}

    [[nodiscard]] std::optional<std::uint64_t> operator()(Rows rows) const {
        switch (rows) {
        case Rows::Queries:
            return product(heads(), length("attention.key_length"));
        case Rows::Keys:
            return product(sharedHeads(), length("attention.key_length"));
        case Rows::Values:
            return product(sharedHeads(), length("attention.value_length"));
        case Rows::LinearKeys:
            return product(m_parameters.uint("ssm.group_count"), m_parameters.uint("ssm.state_size"));
        case Rows::LinearValues:
            return m_parameters.uint("ssm.inner_size");
        case Rows::Share:
            break;
        }
        return std::nullopt;
    }
    [[nodiscard]] std::optional<std::uint64_t> named(std::string_view suffix) const {
        return m_parameters.uintAt(suffix, m_block);
    }

private:
    using Count = std::optional<std::uint64_t>;

    static Count product(Count a, Count b) { return a && b ? checkedMultiply(*a, *b) : std::nullopt; }
    [[nodiscard]] Count heads() const { return named("attention.head_count"); }
    [[nodiscard]] Count sharedHeads() const {
        const Count shared = named("attention.head_count_kv");
        return shared ? shared : heads();
    }
    [[nodiscard]] Count length(std::string_view suffix) const {
        if (const Count given = m_parameters.uint(suffix)) {
            return given;
        }
        const Count width = m_parameters.uint("embedding_length");
        const Count count = heads();
        return width && count.value_or(0) != 0 ? Count(*width / *count) : std::nullopt;
    }

    HyperParameters m_parameters;
    std::uint64_t m_block;
};

const FusedFact* findFused(const TensorName& name, std::string_view architecture) {
    for (const FusedFact& fact : kFused) {
        if (fact.role == name.role && fact.prefix == name.prefix &&
            (fact.architectures.empty() || names(fact.architectures, architecture))) {
            return &fact;
        }
    }
    return nullptr;
}

} // namespace

std::vector<FusedPart> fusedParts(const Model& model, const TensorName& name, std::uint64_t rows) {
    const FusedFact* fact = findFused(name, model.metadata.architecture());
    if (fact == nullptr || rows == 0 || (name.suffix != "weight" && name.suffix != "bias")) {
        return {};
    }
    const RowCounts count(model, name.block.value_or(0));
    std::vector<FusedPart> parts;
    std::uint64_t next = 0;
    for (const PartFact& part : fact->parts) {
        const std::uint64_t share = rows % fact->parts.size() == 0 ? rows / fact->parts.size() : 0;
        const std::uint64_t partRows = part.rows == Rows::Share ? share : count(part.rows).value_or(0);
        if (partRows == 0 || partRows > rows - next ||
            (!fact->wholeRows.empty() && count.named(fact->wholeRows) != partRows)) {
            return {};
        }
        parts.push_back({part.role, next, partRows});
        next += partRows;
    }
    return next == rows ? parts : std::vector<FusedPart>();
}

} // namespace gufo
