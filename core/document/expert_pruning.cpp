#include "document/expert_pruning.h"

#include "base/detail.h"
#include "model/hyper_parameters.h"
#include "model/tensor_role.h"
#include "model/value_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <set>

namespace gufo {
namespace {

std::unexpected<Error> refuse(Argument why, Place place = {}) {
    return fail(ErrorCode::InvalidArgument, std::move(place), {std::move(why)});
}

// What the keys say about experts.
struct ExpertFacts {
    std::uint64_t count = 0;
    std::uint64_t used = 0;
    std::uint64_t groups = 1;
    std::set<std::uint32_t> blocks{}; // those with experts

    [[nodiscard]] static Result<ExpertFacts> of(const Model& model) {
        const HyperParameters parameters(model.metadata);
        ExpertFacts facts{.count = parameters.uint("expert_count").value_or(0),
                          .used = parameters.uint("expert_used_count").value_or(1),
                          .groups = std::max<std::uint64_t>(1, parameters.uint("expert_group_count").value_or(1))};
        for (const TensorInfo& tensor : model.tensors) {
            const TensorName name = parseTensorName(tensor.name);
            const bool ofExperts = name.expert || (name.fact != nullptr && name.fact->experts);
            if (name.block && name.prefix.empty() && ofExperts) {
                facts.blocks.insert(*name.block);
            }
        }
        if (facts.count == 0 || facts.blocks.empty()) {
            return refuse(Detail::NoExperts);
        }
        return facts;
    }
    [[nodiscard]] Result<> check(std::uint64_t kept) const {
        const std::uint64_t least = std::max<std::uint64_t>(1, used);
        if (kept < least || kept > count) {
            return refuse({Detail::TooFewExperts, {kept, least, count}});
        }
        return {};
    }
    [[nodiscard]] bool isGrouped() const { return groups > 1 && count % groups == 0; }
    [[nodiscard]] std::uint64_t groupOf(std::uint64_t expert) const { return expert / (count / groups); }
};

// How often each expert of a block was used; empty if the matrix does not say it.
Result<std::vector<double>> usageOf(const Imatrix& imatrix, std::uint32_t block, std::uint64_t experts) {
    for (const char* role : {"ffn_down_exps", "ffn_gate_exps", "ffn_up_exps", "ffn_gate_up_exps"}) {
        auto values = imatrix.values("blk." + std::to_string(block) + "." + role + ".weight");
        if (!values) {
            Error error = std::move(values).error();
            error.file = imatrix.path();
            return std::unexpected(std::move(error));
        }
        if (!*values) {
            continue;
        }
        if ((*values)->counts.size() == experts) {
            return std::move((*values)->counts);
        }
        // The older format has one count for all: the inputs that reached an expert still show how much it was used.
        const std::vector<double>& sums = (*values)->sums;
        if (!sums.empty() && sums.size() % experts == 0 && sums.size() > experts) {
            const auto columns = static_cast<std::ptrdiff_t>(sums.size() / experts);
            std::vector<double> usage;
            for (auto at = sums.begin(); at != sums.end(); at += columns) {
                usage.push_back(std::accumulate(at, at + columns, 0.0));
            }
            return usage;
        }
    }
    return std::vector<double>();
}

std::optional<std::uint64_t> number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                                     : std::nullopt;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpaces = " \t\r";
    const std::size_t first = text.find_first_not_of(kSpaces);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

// "0,2,5-7", in ascending order. A range is read only as far as the model has experts.
std::optional<std::vector<std::uint64_t>> expertsIn(std::string_view text, std::uint64_t experts) {
    std::set<std::uint64_t> ids;
    while (true) {
        const std::size_t comma = text.find(',');
        const std::string_view part = trimmed(text.substr(0, comma));
        const std::size_t dash = part.find('-');
        const auto first = number(trimmed(part.substr(0, dash)));
        const auto last = dash == std::string_view::npos ? first : number(trimmed(part.substr(dash + 1)));
        if (!first || !last || *last < *first) {
            return std::nullopt;
        }
        for (std::uint64_t id = *first; id <= std::min(*last, std::max(*first, experts)); ++id) {
            ids.insert(id);
        }
        if (comma == std::string_view::npos) {
            return std::vector(ids.begin(), ids.end());
        }
        text.remove_prefix(comma + 1);
    }
}

std::vector<RowRange> rangesOf(const std::vector<std::uint64_t>& ids) {
    std::vector<RowRange> ranges;
    for (const std::uint64_t id : ids) {
        if (!ranges.empty() && ranges.back().first + ranges.back().count == id) {
            ++ranges.back().count;
        } else {
            ranges.push_back({id, 1});
        }
    }
    return ranges;
}

Result<> checkKept(const ExpertFacts& facts, const KeptExperts& kept) {
    const std::size_t count = kept.empty() ? 0 : kept.begin()->second.size();
    for (const std::uint32_t block : facts.blocks) {
        const auto found = kept.find(block);
        const std::vector<std::uint64_t> none;
        const std::vector<std::uint64_t>& ids = found != kept.end() ? found->second : none;
        if (!ids.empty() && ids.back() >= facts.count) {
            return refuse({Detail::NoSuchExpert, {ids.back(), block, facts.count}});
        }
        if (ids.size() != count) {
            return refuse({Detail::ExpertsUneven, {block, ids.size(), count}});
        }
        if (facts.isGrouped()) {
            std::vector<std::uint64_t> inGroup(facts.groups);
            for (const std::uint64_t id : ids) {
                ++inGroup[facts.groupOf(id)];
            }
            if (std::ranges::adjacent_find(inGroup, std::not_equal_to()) != inGroup.end()) {
                return refuse({Detail::ExpertsUngrouped, {block, facts.groups}});
            }
        }
    }
    return facts.check(count);
}

// Roles of a block that have a row or a number for each expert and are not matrices of experts themselves.
bool isOfRouter(std::string_view role) {
    constexpr auto kRoles = std::to_array<std::string_view>({"ffn_gate_inp", "exp_probs_b", "ffn_exp_probs_b"});
    return std::ranges::find(kRoles, role) != kRoles.end();
}

std::uint64_t lastDimension(const TensorInfo& tensor) {
    std::size_t last = tensor.shape.count();
    while (last > 1 && tensor.shape[last - 1] == 1) {
        --last;
    }
    return last == 0 ? 0 : tensor.shape[last - 1];
}

} // namespace

Result<KeptExperts> mostUsedExperts(const Model& model, const Imatrix& imatrix, std::optional<std::uint64_t> count) {
    const ExpertFacts facts = GUFO_TRY(ExpertFacts::of(model));
    std::map<std::uint32_t, std::vector<double>> usage;
    std::uint64_t used = facts.used;
    for (const std::uint32_t block : facts.blocks) {
        auto counts = GUFO_TRY(usageOf(imatrix, block, facts.count));
        if (counts.empty()) {
            auto error = refuse({Detail::ExpertsUncounted, {block}});
            error.error().file = imatrix.path();
            return error;
        }
        used = std::max(
            used, static_cast<std::uint64_t>(std::ranges::count_if(counts, [](double times) { return times > 0; })));
        usage.emplace(block, std::move(counts));
    }
    const std::uint64_t groups = facts.isGrouped() ? facts.groups : 1;
    const std::uint64_t size = facts.count / groups;
    std::uint64_t wanted = count.value_or(used);
    if (!count && groups > 1) {
        // So many of each group as the busiest group used.
        std::uint64_t most = 0;
        for (const auto& [block, counts] : usage) {
            for (std::uint64_t group = 0; group < groups; ++group) {
                const auto begin = counts.begin() + static_cast<std::ptrdiff_t>(group * size);
                most = std::max(
                    most, static_cast<std::uint64_t>(std::count_if(begin, begin + static_cast<std::ptrdiff_t>(size),
                                                                   [](double times) { return times > 0; })));
            }
        }
        wanted = std::max(most * groups, (facts.used + groups - 1) / groups * groups);
    }
    GUFO_TRY(facts.check(wanted));
    if (wanted % groups != 0) {
        return refuse({Detail::ExpertsUngrouped, {*facts.blocks.begin(), groups}});
    }
    KeptExperts kept;
    for (const auto& [block, counts] : usage) {
        std::vector<std::uint64_t>& ids = kept[block];
        for (std::uint64_t group = 0; group < groups; ++group) {
            std::vector<std::uint64_t> order(size);
            std::iota(order.begin(), order.end(), group * size);
            std::ranges::sort(order, {}, [&counts](std::uint64_t id) { return std::pair(-counts[id], id); });
            ids.insert(ids.end(), order.begin(), order.begin() + static_cast<std::ptrdiff_t>(wanted / groups));
        }
        std::ranges::sort(ids);
    }
    return kept;
}

bool hasExperts(const Model& model) { return ExpertFacts::of(model).has_value(); }

Result<KeptExperts> parseKeptExperts(std::string_view text, const Model& model) {
    const ExpertFacts facts = GUFO_TRY(ExpertFacts::of(model));
    KeptExperts kept;
    std::optional<std::vector<std::uint64_t>> others;
    for (std::size_t line = 1; !text.empty(); ++line) {
        const std::size_t end = text.find('\n');
        std::string_view row = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        row = trimmed(row.substr(0, row.find('#')));
        if (row.empty()) {
            continue;
        }
        const std::size_t colon = row.find(':');
        const std::string_view name = trimmed(row.substr(0, colon));
        const auto block = number(name);
        auto ids = colon != std::string_view::npos ? expertsIn(row.substr(colon + 1), facts.count) : std::nullopt;
        if (!ids || (name != "*" && (!block || *block >= kMaxBlocks))) {
            return refuse({Detail::ExpertListLine, {line}});
        }
        if (block) {
            kept[static_cast<std::uint32_t>(*block)] = *std::move(ids);
        } else {
            others = std::move(ids);
        }
    }
    for (const std::uint32_t block : facts.blocks) {
        if (!kept.contains(block)) {
            if (!others) {
                return refuse({Detail::ExpertListBlock, {block}});
            }
            kept[block] = *others;
        }
    }
    std::erase_if(kept, [&](const auto& entry) { return !facts.blocks.contains(entry.first); });
    return kept;
}

Result<std::vector<Change>> keepExperts(const Model& model, const KeptExperts& kept) {
    const ExpertFacts facts = GUFO_TRY(ExpertFacts::of(model));
    const std::string key = model.metadata.architectureKey("expert_count");
    const Value* value = model.metadata.find(key);
    if (value == nullptr) {
        return fail(ErrorCode::NoSuchKey, Place::key(key), {key});
    }
    GUFO_TRY(checkKept(facts, kept));
    const std::uint64_t count = kept.begin()->second.size();
    std::vector<Change> changes;
    if (count == facts.count) {
        return changes;
    }
    std::string text;
    const auto converted = convertValue(Value(count), typeOf(*value), text);
    if (!converted) {
        return refuse(Detail::NoExperts, Place::key(key));
    }
    changes.emplace_back(SetKey{key, OwnedValue(*converted)});
    std::vector<Change> renamings; // after all deletions, and upwards, so that each name is free
    for (const TensorInfo& tensor : model.tensors) {
        const TensorName name = parseTensorName(tensor.name);
        const auto found = name.block && name.prefix.empty() ? kept.find(*name.block) : kept.end();
        if (found == kept.end()) {
            continue;
        }
        const std::vector<std::uint64_t>& ids = found->second;
        const Place place = Place::tensor(std::string(tensor.name));
        if (name.role.find("tid2eid") != std::string_view::npos || name.role.find("chexps") != std::string_view::npos) {
            return refuse(Detail::ExpertsByNumber, place);
        }
        if (name.expert) { // each expert separately, as older files have them
            const auto at = std::ranges::lower_bound(ids, *name.expert);
            if (at == ids.end() || *at != *name.expert) {
                changes.emplace_back(DeleteTensor{std::string(tensor.name)});
            } else if (const auto newId = static_cast<std::uint64_t>(at - ids.begin()); newId != *name.expert) {
                const std::string old = "." + std::to_string(*name.expert) + ".";
                std::string renamed(tensor.name);
                renamed.replace(renamed.rfind(old), old.size(), "." + std::to_string(newId) + ".");
                renamings.emplace_back(RenameTensor{std::string(tensor.name), std::move(renamed)});
            }
            continue;
        }
        const bool ofExperts = name.fact != nullptr && name.fact->experts;
        if (!ofExperts && !isOfRouter(name.role)) {
            continue;
        }
        if (lastDimension(tensor) != facts.count) {
            return refuse({Detail::ExpertTensorShape, {lastDimension(tensor), facts.count}}, place);
        }
        changes.emplace_back(ResizeRows{.name = std::string(tensor.name), .kept = rangesOf(ids), .added = {}});
    }
    std::ranges::sort(renamings, {}, [](const Change& change) {
        const auto expert = parseTensorName(std::get<RenameTensor>(change).name).expert;
        return std::pair(expert.value_or(0), std::get<RenameTensor>(change).name);
    });
    std::ranges::move(renamings, std::back_inserter(changes));
    return changes;
}

} // namespace gufo
