#include "convert/dense_modules.h"

#include "formats/container/container.h"
#include "formats/sets/folder_files.h"
#include "model/metadata_builder.h"

#include <algorithm>
#include <array>

namespace gufo::convert {
namespace {

constexpr std::size_t kMaxModules = 16;
// As in the folder of the model itself, the first that is there.
constexpr auto kWeights = std::to_array<std::string_view>({"model.safetensors", "pytorch_model.bin"});

struct DenseModule {
    std::string path; // "2_Dense"
    std::shared_ptr<const Model> weights;
    bool isProduct = false; // without a bias or an activation
};

Result<std::shared_ptr<const Model>> readWeights(const SourceFolder& source, const std::string& path,
                                                 const JobContext& job) {
    Result<std::shared_ptr<const ByteSource>> file;
    for (const std::string_view name : kWeights) {
        file = openInSubfolder(source.folder(), path, name);
        if (file || file.error().code != ErrorCode::FileNotFound) {
            break;
        }
    }
    return file ? readModel(*std::move(file), job) : std::unexpected(std::move(file).error());
}

// The activation is PyTorch's hyperbolic tangent if none is stated.
Result<bool> hasActivation(const SourceFolder& source, const std::string& path) {
    const auto config = GUFO_TRY(source.json(path + "/config.json"));
    const JsonValue* activation = config ? config->find("activation_function") : nullptr;
    return activation == nullptr || !activation->text.ends_with(".Identity");
}

Result<std::vector<DenseModule>> denseModules(const SourceFolder& source, const JobContext& job) {
    const auto list = GUFO_TRY(source.json("modules.json"));
    std::vector<DenseModule> modules;
    for (const JsonValue& entry : list ? list->elements : std::vector<JsonValue>()) {
        const JsonValue* type = entry.find("type");
        const JsonValue* path = entry.find("path");
        if (type == nullptr || path == nullptr || !type->text.ends_with(".Dense") || modules.size() == kMaxModules) {
            continue;
        }
        auto weights = readWeights(source, path->text, job);
        const auto activation = weights ? hasActivation(source, path->text) : Result<bool>(true);
        if (!weights || !activation) {
            return std::unexpected(weights ? activation.error() : std::move(weights).error());
        }
        const auto& tensors = (*weights)->tensors;
        const bool alone =
            tensors.size() == 1 && tensors.front().name == "linear.weight" && tensors.front().shape.count() == 2;
        modules.push_back({path->text, *std::move(weights), alone && !*activation});
    }
    return modules;
}

// Whether the modules are the two layers that engines have.
bool areTwoProducts(const std::vector<DenseModule>& modules) {
    constexpr std::size_t kLayers = 2;
    if (modules.size() != kLayers || !std::ranges::all_of(modules, &DenseModule::isProduct)) {
        return false;
    }
    const Shape& first = modules[0].weights->tensors.front().shape;
    const Shape& second = modules[1].weights->tensors.front().shape;
    return first[1] == second[0] && first[0] == second[1];
}

} // namespace

Result<std::shared_ptr<const Model>> withDenseModules(const SourceFolder& source, const JobContext& job) {
    const auto modules = GUFO_TRY(denseModules(source, job));
    if (modules.empty()) {
        return source.model();
    }
    const bool areKnown = areTwoProducts(modules);
    auto joined = std::make_shared<Model>(*source.model());
    MetadataBuilder names(*joined);
    for (std::size_t i = 0; i < modules.size(); ++i) {
        const Model& part = *modules[i].weights;
        const auto firstFile = static_cast<std::uint32_t>(joined->files.size());
        joined->files.insert(joined->files.end(), part.files.begin(), part.files.end());
        joined->companions.insert(joined->companions.end(), part.companions.begin(), part.companions.end());
        joined->owned.insert(joined->owned.end(), part.owned.begin(), part.owned.end());
        joined->findings.insert(joined->findings.end(), part.findings.begin(), part.findings.end());
        for (TensorInfo tensor : part.tensors) {
            tensor.file = FileIndex(firstFile + tensor.file.value);
            tensor.name =
                areKnown ? (i == 0 ? kFirstDense : kSecondDense)
                         : names.keep(std::string(kDenseModules) + modules[i].path + "." + std::string(tensor.name));
            joined->tensors.push_back(std::move(tensor));
        }
    }
    joined->indexTensors();
    return joined;
}

} // namespace gufo::convert
