#include "adapter/adapter.h"

#include "base/detail.h"
#include "model/file_kind.h"
#include "model/tensor_role.h"

#include <algorithm>

namespace gufo {
namespace {

constexpr std::string_view kSuffixA = ".lora_a";
constexpr std::string_view kSuffixB = ".lora_b";
constexpr std::string_view kTable = "token_embd.weight";

std::string text(const Shape& shape) {
    std::string out = "[";
    for (const std::uint64_t dim : shape.dims()) {
        out += (out.size() > 1 ? ", " : "") + std::to_string(dim);
    }
    return out + "]";
}

std::string_view targetOf(std::string_view factor) { return factor.substr(0, factor.size() - kSuffixA.size()); }

bool isFactor(std::string_view name) { return name.ends_with(kSuffixA) || name.ends_with(kSuffixB); }

Result<> checkKind(const Model& base, const Model& adapter) {
    const std::string_view type = adapter.metadata.string("adapter.type").value_or("lora");
    if (fileKind(adapter) != FileKind::Adapter || type != "lora") {
        return fail(ErrorCode::NotSupported, {}, {Detail::NotAnAdapter});
    }
    if (adapter.metadata.architecture() != base.metadata.architecture()) {
        return fail(ErrorCode::NotSupported, {},
                    {Argument(Detail::AdapterArchitecture, {std::string(adapter.metadata.architecture()),
                                                            std::string(base.metadata.architecture())})});
    }
    return {};
}

// The same difference in all tensors with an entry for each token has one cause, which can be mended.
std::unexpected<Error> otherVocabulary(std::string_view name, std::uint64_t tokens, std::uint64_t wanted) {
    return fail(ErrorCode::NotSupported, Place::tensor(std::string(name)),
                {Argument(Detail::AdapterVocabulary, {tokens, wanted})});
}

Result<ReplacedTensor> replacedBy(const Model& base, const Model& adapter, const TensorInfo& replacing) {
    const std::string name(replacing.name);
    const auto tensor = base.findTensor(name);
    if (!tensor) {
        return fail(ErrorCode::NoSuchTensor, Place::tensor(name), {name});
    }
    const Shape& wanted = base.tensor(*tensor).shape;
    const auto tokens = dimensionOfTokens(parseTensorName(name));
    if (tokens && replacing.shape[*tokens] != wanted[*tokens] && replacing.shape[1 - *tokens] == wanted[1 - *tokens]) {
        return otherVocabulary(name, replacing.shape[*tokens], wanted[*tokens]);
    }
    if (replacing.shape != wanted) {
        return fail(ErrorCode::WrongShape, Place::tensor(name), {text(replacing.shape), text(wanted)});
    }
    return ReplacedTensor{.tensor = *tensor, .by = *adapter.findTensor(name)};
}

// Whether the factors have the shapes that the base's matrix requires.
Result<> checkShapes(const TensorInfo& tensor, const TensorInfo& a, const TensorInfo& b, bool isTable) {
    const std::uint64_t rank = isTable ? a.shape[0] : a.shape[1];
    std::vector<std::uint64_t> wantedA = {tensor.shape[0], rank};
    std::vector<std::uint64_t> wantedB = {rank, tensor.shape[1]};
    if (isTable) {
        wantedA = {rank, tensor.shape[1]};
        wantedB = {rank, tensor.shape[0]};
    }
    for (std::size_t i = 2; i < tensor.shape.count(); ++i) {
        wantedA.push_back(tensor.shape[i]);
        wantedB.push_back(tensor.shape[i]);
    }
    const auto check = [](const TensorInfo& factor, std::span<const std::uint64_t> wanted) -> Result<> {
        if (factor.shape == Shape(wanted)) {
            return {};
        }
        return fail(ErrorCode::WrongShape, Place::tensor(std::string(factor.name)),
                    {text(factor.shape), text(Shape(wanted))});
    };
    const std::uint64_t tokens = isTable ? a.shape[1] : b.shape[1];
    if (dimensionOfTokens(parseTensorName(tensor.name)) == 1 && tensor.shape.count() == 2 &&
        tokens != tensor.shape[1]) {
        return otherVocabulary(tensor.name, tokens, tensor.shape[1]);
    }
    auto fits = check(a, wantedA);
    return fits ? check(b, wantedB) : fits;
}

// Returns the tensor of the base model that a factor A changes; nothing for a factor B whose A exists, because the pair
// is found by its A.
Result<std::optional<AdaptedTensor>> adaptedBy(const Model& base, const Model& adapter, const TensorInfo& factor) {
    const std::string name(targetOf(factor.name));
    const bool isA = factor.name.ends_with(kSuffixA);
    const std::string otherName = name + std::string(isA ? kSuffixB : kSuffixA);
    const auto other = adapter.findTensor(otherName);
    if (!other) {
        return fail(ErrorCode::NotSupported, Place::tensor(std::string(factor.name)),
                    {Argument(Detail::PartMissing, {otherName})});
    }
    if (!isA) {
        return std::nullopt;
    }
    const auto tensor = base.findTensor(name);
    if (!tensor) {
        return fail(ErrorCode::NoSuchTensor, Place::tensor(std::string(factor.name)), {name});
    }
    const bool isTable = name == kTable;
    const TensorInfo& b = adapter.tensor(*other);
    GUFO_TRY(checkShapes(base.tensor(*tensor), factor, b, isTable));
    const std::uint64_t rank = b.shape[0];
    if (rank == 0) {
        return fail(ErrorCode::WrongShape, Place::tensor(otherName), {text(b.shape), text(b.shape)});
    }
    return AdaptedTensor{
        .tensor = *tensor, .a = *adapter.findTensor(factor.name), .b = *other, .rank = rank, .isTable = isTable};
}

Result<AdapterFit> fit(const Model& base, std::shared_ptr<const Model> adapter) {
    GUFO_TRY(checkKind(base, *adapter));
    AdapterFit result{.adapter = {.alpha = adapter->metadata.number("adapter.lora.alpha").value_or(0)}};
    if (!std::isfinite(result.adapter.alpha)) {
        return fail(ErrorCode::InvalidArgument, Place::key("adapter.lora.alpha"), {Detail::NotAnAdapter});
    }
    for (const TensorInfo& factor : adapter->tensors) {
        if (!isFactor(factor.name)) {
            if (const auto replaced = replacedBy(base, *adapter, factor)) {
                result.adapter.replaced.push_back(*replaced);
            } else {
                result.unfit.push_back({std::string(factor.name), replaced.error()});
            }
            continue;
        }
        auto adapted = adaptedBy(base, *adapter, factor);
        if (!adapted) {
            result.unfit.push_back({std::string(targetOf(factor.name)), std::move(adapted).error()});
        } else if (*adapted) {
            result.adapter.tensors.push_back(**adapted);
        }
    }
    std::ranges::sort(result.adapter.tensors, {}, [](const AdaptedTensor& t) { return t.tensor.value; });
    std::ranges::sort(result.adapter.replaced, {}, [](const ReplacedTensor& t) { return t.tensor.value; });
    result.adapter.model = std::move(adapter);
    return result;
}

// Of a list in the base model's order; null if it is not in it.
template<typename Change>
const Change* changeOf(const std::vector<Change>& changes, TensorIndex tensor) {
    const auto at = std::ranges::lower_bound(changes, tensor.value, {}, [](const Change& c) { return c.tensor.value; });
    return at != changes.end() && at->tensor.value == tensor.value ? &*at : nullptr;
}

} // namespace

const AdaptedTensor* Adapter::productOf(TensorIndex tensor) const { return changeOf(tensors, tensor); }

const ReplacedTensor* Adapter::replacementOf(TensorIndex tensor) const { return changeOf(replaced, tensor); }

Result<AdapterFit> fitAdapter(const Model& base, std::shared_ptr<const Model> adapter) {
    const std::filesystem::path path = adapter->path();
    auto result = fit(base, std::move(adapter));
    return result ? std::move(result) : std::unexpected(std::move(result).error().in(path));
}

Result<Adapter> matchAdapter(const Model& base, std::shared_ptr<const Model> adapter) {
    const std::filesystem::path path = adapter->path();
    auto result = GUFO_TRY(fitAdapter(base, std::move(adapter)));
    if (!result.unfit.empty()) {
        return std::unexpected(std::move(result.unfit.front().why).in(path));
    }
    if (result.adapter.tensors.empty() && result.adapter.replaced.empty()) {
        return std::unexpected(Error{ErrorCode::NotSupported, path, {}, {Detail::NotAnAdapter}, 0});
    }
    return std::move(result.adapter);
}

} // namespace gufo
