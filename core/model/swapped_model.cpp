#include "model/swapped_model.h"

#include "base/detail.h"
#include "model/set_fault.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace gufo {
namespace {

std::string dimensionsText(const Shape& shape) {
    std::string text;
    for (const std::uint64_t dim : shape.dims()) {
        text += (text.empty() ? "" : " × ") + std::to_string(dim);
    }
    return text;
}

// Ones at the end of a shape mean nothing.
bool sameShape(const Shape& a, const Shape& b) {
    for (std::size_t i = 0; i < Shape::kMaxDimensions; ++i) {
        if (a[i] != b[i]) {
            return false;
        }
    }
    return true;
}

std::unexpected<Error> refusal(ErrorCode code, const Model& of, std::string_view tensor, Arguments args) {
    return std::unexpected(
        Error{code, of.path(), tensor.empty() ? Place() : Place::tensor(std::string(tensor)), std::move(args), 0});
}

// The tensor of `from` that takes the place of `tensor`.
Result<const TensorInfo*> partnerOf(const Model& base, const TensorInfo& tensor, const Model& from) {
    const auto index = from.findTensor(tensor.name);
    if (auto complete = checkSet(from); !complete) {
        return std::unexpected(std::move(complete).error().in(from.path()));
    }
    if (!index) {
        return refusal(ErrorCode::NoSuchTensor, from, {}, {std::string(tensor.name)});
    }
    const TensorInfo& partner = from.tensor(*index);
    if (!sameShape(tensor.shape, partner.shape)) {
        return refusal(ErrorCode::WrongShape, from, tensor.name,
                       {dimensionsText(partner.shape), dimensionsText(tensor.shape)});
    }
    if (base.byteOrder != from.byteOrder) {
        return refusal(ErrorCode::InvalidArgument, from, {}, {Detail::OtherByteOrder});
    }
    if (!partner.complete() || from.sourceOf(partner) == nullptr) {
        return refusal(ErrorCode::InvalidArgument, from, tensor.name, {Detail::TensorDataIncomplete});
    }
    return &partner;
}

// Adds the files of other models to a model, each once.
class AddedFiles {
public:
    explicit AddedFiles(Model& model)
        : m_model(model) {}

    FileIndex indexOf(const std::shared_ptr<const Model>& from, FileIndex file) {
        const auto [known, added] = m_files.try_emplace({from.get(), file.value}, m_model.files.size());
        if (added) {
            if (m_owners.emplace(from.get(), true).second) {
                m_model.owned.push_back(from);
            }
            add(from->files[file.value]);
        }
        return FileIndex(known->second);
    }
    void add(ModelFile file) {
        m_model.files.push_back(std::move(file));
        ++m_model.importedFiles;
    }

private:
    Model& m_model;
    std::map<std::pair<const Model*, std::uint32_t>, std::size_t> m_files;
    std::map<const Model*, bool> m_owners;
};

using Chosen = std::map<std::uint64_t, const TensorSwap*>; // by matrix

// Gives the tensor, which may be from another file already, single matrices from further files.
Result<> mix(const Model& base, TensorInfo& tensor, const Chosen& chosen, AddedFiles& added, Model& model) {
    const std::uint64_t count = matricesOf(tensor);
    std::vector<MixedStack::Matrix> matrices(count);
    std::vector<std::shared_ptr<const Model>> owners;
    for (const auto& [matrix, swap] : chosen) {
        const TensorInfo* const partner = GUFO_TRY(partnerOf(base, tensor, *swap->from));
        if (count < 2 || matrix >= count || partner->strides != nullptr || tensor.strides != nullptr ||
            partner->bytesDerived || partner->type() == nullptr) {
            return refusal(ErrorCode::NotSupported, *swap->from, tensor.name, {partner->typeName()});
        }
        const auto bytes = GUFO_TRY(swap->from->bytesOf(*partner));
        const std::uint64_t size = bytes.size() / count;
        matrices[matrix] = {.typeId = partner->typeId, .bytes = bytes.subspan(matrix * size, size)};
        if (std::ranges::find(owners, swap->from) == owners.end()) {
            owners.push_back(swap->from);
        }
    }
    ModelFile file = model.files[tensor.file.value];
    if (file.source == nullptr) {
        return refusal(ErrorCode::FileNotFound, base, tensor.name, {});
    }
    file.source = std::make_shared<MixedStack>(std::move(file.source), std::move(matrices), std::move(owners));
    tensor.file = FileIndex(model.files.size());
    added.add(std::move(file));
    return {};
}

} // namespace

std::optional<Error> MixedStack::damage() const {
    if (auto own = m_stack->damage()) {
        return own;
    }
    for (const auto& owner : m_owners) {
        for (const ModelFile& file : owner->files) {
            if (auto damage = file.source != nullptr ? file.source->damage() : std::nullopt) {
                return damage;
            }
        }
    }
    return std::nullopt;
}

std::shared_ptr<const void> MixedStack::hold() const {
    auto holds = std::make_shared<std::vector<std::shared_ptr<const void>>>();
    holds->push_back(m_stack->hold());
    for (const auto& owner : m_owners) {
        for (const ModelFile& file : owner->files) {
            holds->push_back(file.source != nullptr ? file.source->hold() : nullptr);
        }
    }
    return holds;
}

std::uint64_t matricesOf(const TensorInfo& tensor) {
    const std::uint64_t rows = tensor.shape.rows().value_or(0);
    return tensor.shape[1] != 0 ? rows / tensor.shape[1] : 0;
}

Result<std::shared_ptr<const Model>> swapTensors(const std::shared_ptr<const Model>& base,
                                                 std::span<const TensorSwap> swaps) {
    auto model = std::make_shared<Model>(*base);
    model->owned.push_back(base);
    AddedFiles added(*model);
    std::map<std::uint32_t, const TensorSwap*> whole;
    std::map<std::uint32_t, Chosen> single;
    for (const TensorSwap& swap : swaps) {
        if (swap.matrix) {
            single[swap.tensor.value].try_emplace(*swap.matrix, &swap);
        } else {
            whole.try_emplace(swap.tensor.value, &swap);
        }
    }
    for (const auto& [index, swap] : whole) {
        TensorInfo& tensor = model->tensors[index];
        const TensorInfo* const partner = GUFO_TRY(partnerOf(*base, tensor, *swap->from));
        const std::string_view name = tensor.name;
        tensor = *partner;
        tensor.name = name;
        tensor.file = added.indexOf(swap->from, partner->file);
    }
    for (const auto& [index, chosen] : single) {
        GUFO_TRY(mix(*base, model->tensors[index], chosen, added, *model));
    }
    return model;
}

Result<> checkSwappable(const Model& base, const Model& other) {
    for (const Model* model : {&base, &other}) {
        if (auto complete = checkSet(*model); !complete) {
            return std::unexpected(std::move(complete).error().in(model->path()));
        }
    }
    if (base.metadata.architecture() != other.metadata.architecture()) {
        return refusal(ErrorCode::InvalidArgument, other, {},
                       {Argument(Detail::ArchitecturesDiffer, {std::string(base.metadata.architecture()),
                                                               std::string(other.metadata.architecture())})});
    }
    if (base.byteOrder != other.byteOrder) {
        return refusal(ErrorCode::InvalidArgument, other, {}, {Detail::OtherByteOrder});
    }
    for (const auto& [one, two] : {std::pair(&base, &other), std::pair(&other, &base)}) {
        constexpr std::size_t kMostNames = 3;
        std::string names;
        std::size_t missing = 0;
        for (const TensorInfo& tensor : one->tensors) {
            if (!two->findTensor(tensor.name) && ++missing <= kMostNames) {
                names += (names.empty() ? "" : ", ") + std::string(tensor.name);
            }
        }
        if (missing != 0) {
            return refusal(ErrorCode::NoSuchTensor, *two, {}, {names + (missing > kMostNames ? ", …" : "")});
        }
    }
    for (const TensorInfo& tensor : base.tensors) {
        const TensorInfo& partner = other.tensor(*other.findTensor(tensor.name));
        if (!sameShape(tensor.shape, partner.shape)) {
            return refusal(ErrorCode::WrongShape, other, tensor.name,
                           {dimensionsText(partner.shape), dimensionsText(tensor.shape)});
        }
    }
    return {};
}

} // namespace gufo
