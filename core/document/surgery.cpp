#include "document/surgery.h"

#include "base/detail.h"
#include "model/architectures.h"
#include "model/hyper_parameters.h"
#include "model/key_catalogue.h"
#include "model/value_text.h"
#include "validate/validate.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>

namespace gufo {
namespace {

using Changes = std::vector<Change>;

constexpr std::string_view kPredicting = "nextn_predict_layers";

std::unexpected<Error> refused(Detail detail, Arguments args = {}) {
    return fail(ErrorCode::InvalidArgument, {}, {Argument(detail, std::move(args))});
}

// ---- names

struct BlockName {
    std::uint64_t block = 0;
    std::string_view rest; // ".attn_q.weight"
};

std::optional<BlockName> blockOf(std::string_view name) {
    constexpr std::string_view kPrefix = "blk.";
    if (!name.starts_with(kPrefix)) {
        return std::nullopt;
    }
    BlockName found;
    const char* begin = name.data() + kPrefix.size();
    const auto [end, error] = std::from_chars(begin, name.data() + name.size(), found.block);
    found.rest = name.substr(static_cast<std::size_t>(end - name.data()));
    return error == std::errc() && found.rest.starts_with('.') ? std::optional(found) : std::nullopt;
}

std::string nameIn(std::uint64_t block, std::string_view rest) {
    return "blk." + std::to_string(block) + std::string(rest);
}

// ---- keys

// Keeps the integer type that the key has.
void setCount(const Model& model, std::string_view suffix, std::uint64_t count, Changes& changes) {
    const std::string key = model.metadata.architectureKey(suffix);
    const Value* value = model.metadata.find(key);
    std::string text;
    const auto converted = convertValue(Value(count), value != nullptr ? typeOf(*value) : ValueType::UInt32, text);
    if (converted && asUInt(*converted) == count && (value == nullptr || asUInt(*value) != count)) {
        changes.emplace_back(SetKey{key, OwnedValue(*converted)});
    }
}

// The elements of an array, one for each block, in the order of `order`; nothing for other values.
std::optional<OwnedValue> reordered(const KeyValue& entry, const Model& model, std::uint64_t blocks,
                                    std::span<const std::uint64_t> order) {
    const ArrayView* array = asArray(entry.value);
    const KeyFact* fact = describeKey(entry.key, model.metadata.architecture());
    const std::uint32_t size = array != nullptr ? valueTypeFact(array->elementType).bytes : 0;
    if (array == nullptr || fact == nullptr || !fact->scalarOrArray || array->length != blocks || size == 0 ||
        array->bytes.size() != blocks * size) {
        return std::nullopt;
    }
    std::vector<std::byte> bytes;
    for (const std::uint64_t block : order) {
        const Bytes element = array->bytes.subspan(block * size, size);
        bytes.insert(bytes.end(), element.begin(), element.end());
    }
    return OwnedValue::array(array->elementType, order.size(), std::move(bytes), array->layout);
}

// A key from which the kind of a block follows by its number, so that blocks cannot change places.
std::optional<std::string> periodicKey(const Model& model) {
    const HyperParameters parameters(model.metadata);
    constexpr auto kPeriods = std::to_array<std::string_view>(
        {"full_attention_interval", "interleave_moe_layer_step", "attention.shared_kv_layers", "attn_layer_period"});
    for (const std::string_view suffix : kPeriods) {
        if (parameters.uint(suffix).value_or(0) > 1) {
            return model.metadata.architectureKey(suffix);
        }
    }
    const std::string window = "attention.sliding_window";
    const Value* pattern = parameters.find(window + "_pattern");
    const ArchitectureFact* fact = findArchitecture(model.metadata.architecture());
    const bool byArchitecture = pattern == nullptr && fact != nullptr && fact->windowPeriod > 1 &&
                                (parameters.uint(window).value_or(0) != 0 || fact->window != 0);
    const bool byNumber = pattern != nullptr && asArray(*pattern) == nullptr && asUInt(*pattern).value_or(0) > 1;
    return byArchitecture || byNumber ? std::optional(model.metadata.architectureKey(window + "_pattern"))
                                      : std::nullopt;
}

Result<std::uint64_t> blockCountOf(const Model& model) {
    const auto blocks = HyperParameters(model.metadata).uint("block_count");
    if (!blocks || *blocks == 0 || *blocks > kMaxBlocks) {
        return std::unexpected(unusableHyperParameter(model.metadata, "block_count"));
    }
    return *blocks;
}

std::uint64_t predictingBlocks(const Model& model) {
    return HyperParameters(model.metadata).uint(kPredicting).value_or(0);
}

// Whether the block's tensors are there and predict further tokens.
bool hasPrediction(const Model& model, std::uint64_t block) {
    const std::string prefix = nameIn(block, ".nextn.");
    return std::ranges::any_of(model.tensors,
                               [&](const TensorInfo& tensor) { return tensor.name.starts_with(prefix); });
}

// The blocks that predict further tokens: the last ones.
Result<BlockRange> predictionOf(const Model& model) {
    const std::uint64_t blocks = GUFO_TRY(blockCountOf(model));
    const std::uint64_t predicting = predictingBlocks(model);
    if (predicting == 0 || predicting >= blocks || !hasPrediction(model, blocks - predicting)) {
        return refused(Detail::NoPredictionBlocks);
    }
    return BlockRange{blocks - predicting, blocks - 1};
}

// The keys that follow when the model has the blocks of `order`.
Changes keysFor(const Model& model, std::uint64_t blocks, std::span<const std::uint64_t> order) {
    Changes changes;
    setCount(model, "block_count", order.size(), changes);
    for (const KeyValue& entry : model.metadata) {
        if (auto value = reordered(entry, model, blocks, order)) {
            changes.emplace_back(SetKey{std::string(entry.key), *std::move(value)});
        }
    }
    const std::uint64_t dense = HyperParameters(model.metadata).uint("leading_dense_block_count").value_or(0);
    if (dense != 0) {
        setCount(model, "leading_dense_block_count",
                 static_cast<std::uint64_t>(
                     std::ranges::count_if(order, [&](std::uint64_t block) { return block < dense; })),
                 changes);
    }
    const std::uint64_t predicting = predictingBlocks(model);
    if (predicting != 0 && predicting < blocks) {
        const auto left = static_cast<std::uint64_t>(
            std::ranges::count_if(order, [&](std::uint64_t block) { return block >= blocks - predicting; }));
        if (left == 0) {
            changes.emplace_back(DeleteKey{model.metadata.architectureKey(kPredicting)});
        } else {
            setCount(model, kPredicting, left, changes);
        }
    }
    return changes;
}

// Deletes, renames and copies tensors so that block i is the one that was `order[i]`.
void addTensors(const std::shared_ptr<const Model>& model, std::span<const std::uint64_t> order, Changes& changes) {
    constexpr std::uint64_t kDropped = ~std::uint64_t{0};
    std::vector<std::uint64_t> place(order.empty() ? 0 : std::ranges::max(order) + 1, kDropped);
    for (std::uint64_t i = order.size(); i-- > 0;) {
        place[order[i]] = i; // the first one
    }
    struct Renaming {
        std::uint64_t from;
        std::uint64_t to;
        std::string_view rest;
    };
    std::vector<Renaming> renamings;
    std::vector<Change> copies;
    for (const TensorInfo& tensor : model->tensors) {
        const auto block = blockOf(tensor.name);
        if (!block) {
            continue;
        }
        if (block->block >= place.size() || place[block->block] == kDropped) {
            changes.emplace_back(DeleteTensor{std::string(tensor.name)});
            continue;
        }
        renamings.push_back({block->block, place[block->block], block->rest});
        for (std::uint64_t i = place[block->block] + 1; i < order.size(); ++i) {
            if (order[i] == block->block) {
                copies.emplace_back(
                    ImportTensor{.from = model, .name = std::string(tensor.name), .newName = nameIn(i, block->rest)});
            }
        }
    }
    // No name is taken before it is free: blocks that move down begin with the lowest, others with the highest.
    std::ranges::sort(renamings, {}, [](const Renaming& each) { return std::pair(each.from, each.rest); });
    const auto rename = [&](const Renaming& each) {
        changes.emplace_back(RenameTensor{nameIn(each.from, each.rest), nameIn(each.to, each.rest)});
    };
    for (const Renaming& each : renamings) {
        if (each.to < each.from) {
            rename(each);
        }
    }
    for (auto each = renamings.rbegin(); each != renamings.rend(); ++each) {
        if (each->to > each->from) {
            rename(*each);
        }
    }
    std::ranges::move(copies, std::back_inserter(changes));
}

Result<> checkRanges(std::span<const BlockRange> ranges, std::uint64_t blocks) {
    for (const BlockRange& range : ranges) {
        if (range.first > range.last || range.last >= blocks) {
            return refused(Detail::NoSuchBlock, {std::max(range.first, range.last), blocks});
        }
    }
    return {};
}

bool isIn(std::span<const BlockRange> ranges, std::uint64_t block) {
    return std::ranges::any_of(ranges,
                               [&](const BlockRange& range) { return block >= range.first && block <= range.last; });
}

constexpr std::string_view kArchitecture = "general.architecture";

// The names of keys that a change is about.
void addNames(const Change& change, std::set<std::string, std::less<>>& names) {
    if (const auto* set = std::get_if<SetKey>(&change)) {
        names.insert(set->key);
    } else if (const auto* removed = std::get_if<DeleteKey>(&change)) {
        names.insert(removed->key);
    } else if (const auto* renamed = std::get_if<RenameKey>(&change)) {
        names.insert(renamed->key);
        names.insert(renamed->newKey);
    }
}

} // namespace

std::optional<std::vector<BlockRange>> parseBlockRanges(std::string_view text) {
    std::vector<BlockRange> ranges;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(','));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        BlockRange range;
        const char* end = word.data() + word.size();
        auto [at, error] = std::from_chars(word.data(), end, range.first);
        range.last = range.first;
        if (error == std::errc() && at != end && *at == '-') {
            const auto parsed = std::from_chars(at + 1, end, range.last);
            at = parsed.ptr;
            error = parsed.ec;
        }
        if (error != std::errc() || at != end || range.last < range.first) {
            return std::nullopt;
        }
        ranges.push_back(range);
    }
    return ranges.empty() ? std::nullopt : std::optional(std::move(ranges));
}

Result<Changes> rearrangeBlocks(const std::shared_ptr<const Model>& model, std::span<const BlockRange> drop,
                                std::span<const BlockRange> duplicate) {
    const std::uint64_t blocks = GUFO_TRY(blockCountOf(*model));
    GUFO_TRY(checkRanges(drop, blocks));
    GUFO_TRY(checkRanges(duplicate, blocks));
    std::vector<std::uint64_t> order;
    for (std::uint64_t block = 0; block < blocks; ++block) {
        if (!isIn(drop, block)) {
            order.push_back(block);
        }
        for (const BlockRange& range : duplicate) {
            for (std::uint64_t copy = range.first; block == range.last && copy <= range.last; ++copy) {
                order.push_back(copy);
            }
        }
    }
    if (order.empty() || order.size() > kMaxBlocks) {
        return refused(Detail::NoBlockLeft);
    }
    // Blocks at the end that are left out move no other.
    const bool othersStay = std::ranges::equal(order, std::views::iota(std::uint64_t{0}, order.size()));
    if (const auto key = periodicKey(*model); key && !othersStay) {
        return refused(Detail::BlocksInPeriods, {*key});
    }
    // Copies of blocks that predict further tokens would predict from others.
    const std::uint64_t predicting = predictingBlocks(*model);
    if (predicting != 0 && predicting < blocks &&
        std::ranges::any_of(duplicate, [&](const BlockRange& range) { return range.last >= blocks - predicting; })) {
        return refused(Detail::NoSuchBlock, {blocks - predicting, blocks - predicting});
    }
    Changes changes = keysFor(*model, blocks, order);
    addTensors(model, order, changes);
    return changes;
}

Result<Changes> stripMtp(const std::shared_ptr<const Model>& model) {
    const BlockRange range = GUFO_TRY(predictionOf(*model));
    return rearrangeBlocks(model, std::array{range}, {});
}

Result<Changes> extractMtp(const Model& model) {
    const BlockRange range = GUFO_TRY(predictionOf(model));
    Changes changes;
    for (const TensorInfo& tensor : model.tensors) {
        const auto block = blockOf(tensor.name);
        if (!block || block->block < range.first) {
            changes.emplace_back(DeleteTensor{std::string(tensor.name)});
        }
    }
    return changes;
}

Result<Changes> graftMtp(const Model& model, const std::shared_ptr<const Model>& donor) {
    const BlockRange range = GUFO_TRY(predictionOf(*donor));
    const std::uint64_t blocks = GUFO_TRY(blockCountOf(model));
    const std::string_view architecture = model.metadata.architecture();
    if (donor->metadata.architecture() != architecture) {
        return refused(Detail::OtherArchitecture, {donor->metadata.architecture(), architecture});
    }
    const auto width = [](const Model& each) {
        return HyperParameters(each.metadata).uint("embedding_length").value_or(0);
    };
    if (width(*donor) != width(model)) {
        return refused(Detail::OtherWidth, {width(*donor), width(model)});
    }
    // Some converters count the blocks, but leave their tensors out.
    const std::uint64_t predicting = predictingBlocks(model);
    const std::uint64_t first = predicting != 0 && predicting < blocks ? blocks - predicting : blocks;
    if (hasPrediction(model, first)) {
        return refused(Detail::HasPredictionBlocks);
    }
    const std::uint64_t added = range.last - range.first + 1;
    Changes changes;
    setCount(model, "block_count", first + added, changes);
    setCount(model, kPredicting, added, changes);
    for (const KeyValue& entry : model.metadata) {
        std::vector<std::uint64_t> own(first);
        std::iota(own.begin(), own.end(), std::uint64_t{0});
        const auto before = reordered(entry, model, blocks, own);
        if (!before) {
            continue;
        }
        std::vector<std::uint64_t> last(added);
        std::iota(last.begin(), last.end(), range.first);
        const KeyValue* theirs = nullptr;
        for (const KeyValue& each : donor->metadata) {
            theirs = each.key == entry.key ? &each : theirs;
        }
        const auto after = theirs != nullptr ? reordered(*theirs, *donor, range.last + 1, last) : std::nullopt;
        const ArrayView* head = asArray(before->value());
        const ArrayView* tail = after ? asArray(after->value()) : nullptr;
        if (tail == nullptr || tail->elementType != head->elementType || tail->layout != head->layout) {
            return refused(Detail::NoValuesForBlocks, {entry.key});
        }
        std::vector<std::byte> bytes(head->bytes.begin(), head->bytes.end());
        bytes.insert(bytes.end(), tail->bytes.begin(), tail->bytes.end());
        changes.emplace_back(SetKey{std::string(entry.key), OwnedValue::array(head->elementType, first + added,
                                                                              std::move(bytes), head->layout)});
    }
    for (const TensorInfo& tensor : donor->tensors) {
        const auto block = blockOf(tensor.name);
        if (block && block->block >= range.first && block->block <= range.last) {
            changes.emplace_back(ImportTensor{.from = donor,
                                              .name = std::string(tensor.name),
                                              .newName = nameIn(first + block->block - range.first, block->rest)});
        }
    }
    return changes;
}

Result<> checkSurgery(const Model& before, const Model& after) {
    const auto old = checkStructure(before);
    for (const Finding& finding : checkStructure(after)) {
        const bool isOld = std::ranges::any_of(old, [&](const Finding& each) { return each.code == finding.code; });
        if (!isOld) {
            Arguments args{finding.name(), std::string_view(finding.place.name)};
            args.insert(args.end(), finding.args.begin(), finding.args.end());
            return refused(Detail::SurgeryBreaks, std::move(args));
        }
    }
    return {};
}

std::vector<Change> withArchitectureKeys(const Model& model, std::vector<Change> changes) {
    const auto setsIt = std::ranges::find_if(changes, [](const Change& change) {
        const auto* set = std::get_if<SetKey>(&change);
        return set != nullptr && set->key == kArchitecture;
    });
    const std::string before(model.metadata.architecture());
    if (setsIt == changes.end() || before.empty()) {
        return changes;
    }
    const auto text = asString(std::get<SetKey>(*setsIt).value.value());
    if (!text || text->empty() || *text == before) {
        return changes;
    }
    const std::string after(*text);
    std::set<std::string, std::less<>> named;
    std::set<std::string, std::less<>> set;
    for (const Change& change : changes) {
        addNames(change, named);
        if (const auto* value = std::get_if<SetKey>(&change)) {
            set.insert(value->key);
        }
    }
    std::vector<Change> first; // keys that get a new value, too, as with an import
    for (const KeyValue& entry : model.metadata) {
        if (!entry.key.starts_with(before + '.')) {
            continue;
        }
        std::string renamed = after + std::string(entry.key.substr(before.size()));
        if (model.metadata.find(renamed) != nullptr || named.contains(entry.key)) {
            continue;
        }
        const bool isNamed = !named.insert(renamed).second;
        if (!isNamed || set.erase(renamed) > 0) {
            (isNamed ? first : changes).emplace_back(RenameKey{std::string(entry.key), std::move(renamed)});
        }
    }
    changes.insert(changes.begin(), std::make_move_iterator(first.begin()), std::make_move_iterator(first.end()));
    return changes;
}

} // namespace gufo
