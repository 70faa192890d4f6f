#include "analysis/compare/match_tensors.h"

#include "analysis/compare/match_content.h"
#include "base/checked.h"
#include "base/detail.h"
#include "model/hyper_parameters.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <tuple>

namespace gufo {
namespace {

// Whether the shapes are equal, ignoring trailing dimensions of size 1.
bool sameShape(const Shape& a, const Shape& b) {
    for (std::size_t i = 0; i < Shape::kMaxDimensions; ++i) {
        if (a[i] != b[i]) {
            return false;
        }
    }
    return true;
}

// Whether the tensor is the first one of its name.
bool isFirst(const Model& model, std::size_t index) {
    return model.findTensor(model.tensors[index].name) == TensorIndex(index);
}

const RoleFact* roleFact(std::string_view role, bool perBlock) {
    const auto facts = roleFacts();
    const auto found =
        std::ranges::find_if(facts, [&](const RoleFact& f) { return f.name == role && f.perBlock == perBlock; });
    return found != facts.end() ? &*found : nullptr;
}

// The number of equal slices of a tensor of all experts; 1 for other tensors.
std::uint64_t expertSlices(const TensorName& name, const TensorInfo& tensor) {
    if (name.fact == nullptr || !name.fact->experts || tensor.shape.count() < 2 || tensor.weights() == 0) {
        return 1;
    }
    return tensor.shape[tensor.shape.count() - 1];
}

class Matcher {
public:
    Matcher(std::span<const std::shared_ptr<const Model>> models, std::size_t reference) {
        m_result.models.assign(models.begin(), models.end());
        m_result.reference = reference;
    }

    Result<TensorMatches> run(const JobContext& job) {
        if (!addRowsOf(m_result.reference, job)) {
            return fail(ErrorCode::Cancelled);
        }
        const std::size_t referenceRows = m_result.rows.size();
        for (std::size_t model = 0; model < m_result.models.size(); ++model) {
            if (model != m_result.reference && !addRowsOf(model, job)) {
                return fail(ErrorCode::Cancelled);
            }
        }
        matchRenamed(referenceRows);
        if (!matchContent(referenceRows, job)) {
            return fail(ErrorCode::Cancelled);
        }
        placeExtras(referenceRows);
        return std::move(m_result);
    }

private:
    [[nodiscard]] const Model& model(std::size_t i) const { return *m_result.models[i]; }

    [[nodiscard]] bool hasBefore(std::string_view name, std::size_t owner) const {
        if (owner == m_result.reference) {
            return false;
        }
        for (std::size_t i = 0; i < owner; ++i) {
            if (model(i).findTensor(name)) {
                return true;
            }
        }
        return model(m_result.reference).findTensor(name).has_value();
    }

    bool addRowsOf(std::size_t owner, const JobContext& job) {
        const Model& from = model(owner);
        for (std::size_t i = 0; i < from.tensors.size(); ++i) {
            if (i % 256 == 0 && job.stopRequested()) {
                return false;
            }
            if (isFirst(from, i) && !hasBefore(from.tensors[i].name, owner)) {
                addTensor(owner, TensorIndex(i));
            }
        }
        return true;
    }

    // Adds one row, or one for each expert and part.
    void addTensor(std::size_t owner, TensorIndex index) {
        const TensorInfo& tensor = model(owner).tensor(index);
        const TensorName name = parseTensorName(tensor.name);
        TensorMatch row = wholeRow(owner, index, name);
        const bool comparable = std::ranges::none_of(
            row.cells, [](const TensorMatch::Cell& cell) { return cell.status == MatchStatus::Reshaped; });
        const TensorPart whole = row.cells[owner].part;
        const std::uint64_t experts = comparable ? expertSlices(name, tensor) : 1;
        // fusedParts() counts the rows of a matrix or the elements of a bias.
        const bool vector = name.suffix == "bias" && whole.rows == experts;
        const std::uint64_t unitRows = vector ? whole.columns : whole.rows / experts;
        const auto parts = comparable ? fusedParts(model(owner), name, unitRows) : std::vector<FusedPart>();
        const std::uint64_t partCount = std::max<std::size_t>(parts.size(), 1);
        if (experts * partCount <= 1 || experts > kMaxExpandedRows ||
            m_result.rows.size() + experts * partCount > kMaxExpandedRows) {
            m_result.rows.push_back(std::move(row));
            return;
        }
        for (std::uint64_t expert = 0; expert < experts; ++expert) {
            for (std::uint64_t p = 0; p < partCount; ++p) {
                TensorMatch piece = row;
                if (experts > 1) {
                    piece.slice = true;
                    piece.expert = static_cast<std::uint32_t>(expert);
                }
                if (!parts.empty()) {
                    piece.part = true;
                    piece.role = parts[p].role;
                    piece.fact = roleFact(piece.role, name.block.has_value());
                }
                const std::uint64_t unit = whole.weights() / experts;
                const std::uint64_t width = vector ? 1 : whole.columns; // weights per row, as counted by the part
                for (TensorMatch::Cell& cell : piece.cells) {
                    if (cell.status != MatchStatus::Missing) {
                        cell.part.firstWeight = expert * unit + (parts.empty() ? 0 : parts[p].firstRow * width);
                        const std::uint64_t rows = parts.empty() ? unitRows : parts[p].rows;
                        cell.part.columns = vector ? rows : whole.columns;
                        cell.part.rows = vector ? 1 : rows;
                    }
                }
                m_result.rows.push_back(std::move(piece));
            }
        }
    }

    [[nodiscard]] TensorMatch wholeRow(std::size_t owner, TensorIndex index, const TensorName& name) const {
        const TensorInfo& tensor = model(owner).tensor(index);
        TensorMatch row{.name = tensor.name,
                        .role = name.role,
                        .fact = name.fact,
                        .prefix = name.prefix,
                        .suffix = name.suffix,
                        .block = name.block,
                        .expert = name.expert};
        row.cells.resize(m_result.models.size());
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const auto found = i == owner ? std::optional(index) : model(i).findTensor(tensor.name);
            if (!found || (owner != m_result.reference && i == m_result.reference)) {
                continue;
            }
            TensorMatch::Cell& cell = row.cells[i];
            cell.part = wholeTensor(model(i), *found);
            cell.status = !sameShape(model(i).tensor(*found).shape, tensor.shape) ? MatchStatus::Reshaped
                          : owner == m_result.reference                           ? MatchStatus::Present
                                                                                  : MatchStatus::Extra;
        }
        return row;
    }

    // The meaning of a row, independent of its spelling. A name outside the convention means only itself.
    using Meaning = std::tuple<std::string_view, std::optional<std::uint32_t>, std::string_view,
                               std::optional<std::uint32_t>, std::string_view, std::uint64_t, std::uint64_t>;
    static Meaning meaning(const TensorMatch& row, const TensorPart& part) {
        std::string_view role = row.role;
        constexpr std::array<std::array<std::string_view, 2>, 3> kNumbered{
            {{"ffn_gate", "ffn_gate_exps"}, {"ffn_up", "ffn_up_exps"}, {"ffn_down", "ffn_down_exps"}}};
        for (const auto& [single, all] : kNumbered) {
            role = row.expert && role == single ? all : role;
        }
        return {row.prefix, row.block, role, row.expert, row.suffix, part.columns, part.rows};
    }

    // Moves cells of rows that the reference lacks to rows of the same meaning that it has.
    void matchRenamed(std::size_t referenceRows) {
        auto& rows = m_result.rows;
        std::map<Meaning, std::size_t> wanted;
        for (std::size_t i = 0; i < referenceRows; ++i) {
            const bool lacking = std::ranges::any_of(
                rows[i].cells, [](const TensorMatch::Cell& cell) { return cell.status == MatchStatus::Missing; });
            if (lacking) {
                wanted.emplace(meaning(rows[i], rows[i].cells[m_result.reference].part), i);
            }
        }
        for (std::size_t i = referenceRows; i < rows.size(); ++i) {
            for (std::size_t m = 0; m < m_result.models.size(); ++m) {
                TensorMatch::Cell& cell = rows[i].cells[m];
                if (cell.status != MatchStatus::Extra) {
                    continue;
                }
                const auto found = wanted.find(meaning(rows[i], cell.part));
                if (found != wanted.end() && !rows[found->second].has(m)) {
                    rows[found->second].cells[m] = {.status = MatchStatus::Renamed, .part = cell.part};
                    cell = {};
                }
            }
        }
        dropEmpty(referenceRows);
    }

    // The same for whole tensors of the same content, whose names may mean anything.
    bool matchContent(std::size_t referenceRows, const JobContext& job) {
        auto& rows = m_result.rows;
        const std::size_t reference = m_result.reference;
        const auto isWhole = [](const TensorMatch& row) { return !row.part && !row.slice; };
        for (std::size_t m = 0; m < m_result.models.size(); ++m) {
            if (m == reference) {
                continue;
            }
            std::vector<std::size_t> lacking; // rows
            std::vector<std::size_t> extra;
            std::vector<TensorPart> lackingTensors;
            std::vector<TensorPart> extraTensors;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                if (i < referenceRows && isWhole(rows[i]) && !rows[i].has(m)) {
                    lacking.push_back(i);
                    lackingTensors.push_back(rows[i].cells[reference].part);
                } else if (i >= referenceRows && isWhole(rows[i]) && rows[i].cells[m].status == MatchStatus::Extra) {
                    extra.push_back(i);
                    extraTensors.push_back(rows[i].cells[m].part);
                }
            }
            if (lacking.empty() || extra.empty()) {
                continue;
            }
            const auto pairs = matchByContent(model(reference), lackingTensors, model(m), extraTensors, job);
            if (!pairs) {
                return false;
            }
            for (const ContentPair& pair : *pairs) {
                TensorMatch::Cell& cell = rows[extra[pair.b]].cells[m];
                rows[lacking[pair.a]].cells[m] = {.status = MatchStatus::Renamed, .part = cell.part};
                cell = {};
            }
        }
        dropEmpty(referenceRows);
        return true;
    }

    // Drops the rows that the reference lacks and all others have lost to its rows.
    void dropEmpty(std::size_t referenceRows) {
        auto& rows = m_result.rows;
        const auto empty = [](const TensorMatch& row) {
            return std::ranges::all_of(
                row.cells, [](const TensorMatch::Cell& cell) { return cell.status == MatchStatus::Missing; });
        };
        rows.erase(std::remove_if(rows.begin() + static_cast<std::ptrdiff_t>(referenceRows), rows.end(), empty),
                   rows.end());
    }

    // Places rows that the reference lacks after the rows of their block.
    void placeExtras(std::size_t referenceRows) {
        auto& rows = m_result.rows;
        using Block = std::pair<std::string_view, std::uint32_t>;
        std::map<Block, std::size_t> lastOfBlock;
        for (std::size_t i = 0; i < referenceRows; ++i) {
            if (rows[i].block) {
                lastOfBlock[{rows[i].prefix, *rows[i].block}] = i;
            }
        }
        std::vector<std::pair<std::size_t, std::size_t>> order; // anchor, own position
        for (std::size_t i = 0; i < rows.size(); ++i) {
            std::size_t anchor = i;
            if (i >= referenceRows && rows[i].block) {
                const auto found = lastOfBlock.find({rows[i].prefix, *rows[i].block});
                anchor = found != lastOfBlock.end() ? found->second : i;
            }
            order.emplace_back(anchor, i);
        }
        std::ranges::sort(order);
        std::vector<TensorMatch> sorted;
        sorted.reserve(rows.size());
        for (const auto& [anchor, i] : order) {
            sorted.push_back(std::move(rows[i]));
        }
        rows = std::move(sorted);
    }

    TensorMatches m_result;
};

} // namespace

std::string TensorMatch::label() const {
    std::string text(name);
    if (slice) {
        text += " [" + std::to_string(*expert) + "]";
    }
    if (part) {
        text.append(" ").append(role);
    }
    return text;
}

std::size_t proposedReference(std::span<const std::shared_ptr<const Model>> models) {
    constexpr std::size_t kSampled = 2'000; // tensors of each model
    // Quantisations of one model may differ in a few tensors, such as tables of rope factors.
    constexpr double kNearly = 0.9;
    std::vector<double> common(models.size());
    for (std::size_t i = 0; i < models.size(); ++i) {
        const SharedVector<TensorInfo>& tensors = models[i]->tensors;
        const std::size_t step = tensors.size() / kSampled + 1;
        for (std::size_t t = 0; t < tensors.size(); t += step) {
            for (std::size_t j = 0; j < models.size(); ++j) {
                const auto found = j != i ? models[j]->findTensor(tensors[t].name) : std::nullopt;
                common[i] +=
                    found && models[j]->tensor(*found).shape == tensors[t].shape ? static_cast<double>(step) : 0;
            }
        }
    }
    const double most = common.empty() ? 0 : std::ranges::max(common);
    std::size_t best = 0;
    double bestBits = -1;
    for (std::size_t i = 0; i < models.size(); ++i) {
        const double bits = models[i]->totals().bitsPerWeight.value_or(0);
        if (common[i] >= kNearly * most && bits > bestBits) {
            best = i;
            bestBits = bits;
        }
    }
    return best;
}

Result<TensorMatches> matchTensors(std::span<const std::shared_ptr<const Model>> models, std::size_t reference,
                                   const JobContext& job) {
    if (models.empty() || models.size() > kMaxCompared) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::NoModels});
    }
    if (reference >= models.size()) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::NoSuchReference});
    }
    return Matcher(models, reference).run(job);
}

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

struct PartRow {
    std::string_view role;
    Rows rows;
};
constexpr auto kAttention =
    std::to_array<PartRow>({{"attn_q", Rows::Queries}, {"attn_k", Rows::Keys}, {"attn_v", Rows::Values}});
constexpr auto kLinearAttention = std::to_array<PartRow>(
    {{"attn_q", Rows::LinearKeys}, {"attn_k", Rows::LinearKeys}, {"attn_v", Rows::LinearValues}});
constexpr auto kThirds =
    std::to_array<PartRow>({{"attn_q", Rows::Share}, {"attn_k", Rows::Share}, {"attn_v", Rows::Share}});
constexpr auto kGateUp = std::to_array<PartRow>({{"ffn_gate", Rows::Share}, {"ffn_up", Rows::Share}});
constexpr auto kGateUpExperts = std::to_array<PartRow>({{"ffn_gate_exps", Rows::Share}, {"ffn_up_exps", Rows::Share}});

struct FusedRow {
    std::string_view role;
    std::string_view prefix;        // "v." …; empty for the language model
    std::string_view architectures; // comma-separated; empty: all that no earlier row names
    std::span<const PartRow> parts;
    std::string_view wholeRows; // the hyper-parameter that must equal the rows of each part; empty: not checked
};
// The order is that in which llama.cpp's graphs split the matrices; its converters reorder interleaved heads. The first
// half of a gated pair is the one that passes through the activation.
constexpr auto kFused = std::to_array<FusedRow>({
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

const FusedRow* findFused(const TensorName& name, std::string_view architecture) {
    for (const FusedRow& row : kFused) {
        if (row.role == name.role && row.prefix == name.prefix &&
            (row.architectures.empty() || names(row.architectures, architecture))) {
            return &row;
        }
    }
    return nullptr;
}

} // namespace

std::vector<FusedPart> fusedParts(const Model& model, const TensorName& name, std::uint64_t rows) {
    const FusedRow* row = findFused(name, model.metadata.architecture());
    if (row == nullptr || rows == 0 || (name.suffix != "weight" && name.suffix != "bias")) {
        return {};
    }
    const RowCounts count(model, name.block.value_or(0));
    std::vector<FusedPart> parts;
    std::uint64_t next = 0;
    for (const PartRow& part : row->parts) {
        const std::uint64_t share = rows % row->parts.size() == 0 ? rows / row->parts.size() : 0;
        const std::uint64_t partRows = part.rows == Rows::Share ? share : count(part.rows).value_or(0);
        if (partRows == 0 || partRows > rows - next ||
            (!row->wholeRows.empty() && count.named(row->wholeRows) != partRows)) {
            return {};
        }
        parts.push_back({part.role, next, partRows});
        next += partRows;
    }
    return next == rows ? parts : std::vector<FusedPart>();
}

} // namespace gufo
