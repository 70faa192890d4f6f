#include "convert/adapter_tensors.h"

#include "base/detail.h"
#include "base/name_list.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>

namespace gufo::convert {
namespace {

struct FactorName {
    std::string_view module;
    bool isA = false;
    bool isTable = false;
};

constexpr auto kPeftPrefixes = std::to_array<std::string_view>({"base_model.model.", "base_model."});

std::string_view withoutPrefix(std::string_view name) {
    const auto prefix = std::ranges::find_if(kPeftPrefixes, [&](std::string_view p) { return name.starts_with(p); });
    name.remove_prefix(prefix != kPeftPrefixes.end() ? prefix->size() : 0);
    return name;
}

// "base_model.model.X.modules_to_save.default.weight" and, as newer versions write it, "base_model.model.X.weight". If
// a table has both factors and a new size, its own weights are saved as "X.base_layer.weight". Empty for other names.
std::string savedName(std::string_view name) {
    constexpr auto kLayers = std::to_array<std::string_view>({".modules_to_save.", ".base_layer."});
    constexpr auto kOthers = std::to_array<std::string_view>(
        {".lora_", ".original_module.", ".token_adapter.", ".ia3_", ".vera_", ".hada_", ".lokr_", ".oft_", ".boft_"});
    const std::size_t dot = name.rfind('.');
    const std::string_view last = dot != name.npos ? name.substr(dot + 1) : std::string_view();
    const std::string_view module = withoutPrefix(name.substr(0, dot == name.npos ? 0 : dot));
    if ((last != "weight" && last != "bias") || module.size() == dot ||
        std::ranges::any_of(kOthers, [&](std::string_view other) { return name.find(other) != name.npos; })) {
        return {};
    }
    std::string saved(module);
    for (const std::string_view layer : kLayers) {
        if (const std::size_t at = (saved + '.').find(layer); at != saved.npos) {
            saved.resize(at); // without the name of the adapter that may follow
        }
    }
    return saved + '.' + std::string(last);
}

// "base_model.model.X.lora_A.weight", also with the name of the adapter before or instead of ".weight".
std::optional<FactorName> parseName(std::string_view name) {
    struct Marker {
        std::string_view text;
        bool isA;
        bool isTable;
    };
    constexpr auto kMarkers = std::to_array<Marker>({{".lora_A", true, false},
                                                     {".lora_B", false, false},
                                                     {".lora_embedding_A", true, true},
                                                     {".lora_embedding_B", false, true}});
    for (const Marker& marker : kMarkers) {
        const std::size_t at = name.rfind(marker.text);
        if (at == name.npos) {
            continue;
        }
        const std::string_view rest = name.substr(at + marker.text.size());
        if (!rest.empty() && (rest.front() != '.' || std::ranges::count(rest, '.') > 2)) {
            continue;
        }
        return FactorName{withoutPrefix(name.substr(0, at)), marker.isA, marker.isTable};
    }
    return std::nullopt;
}

// A module while its factors are collected.
struct Draft {
    std::string name;
    std::optional<TensorIndex> a{};
    std::optional<TensorIndex> b{};
    bool isTable = false;
};

} // namespace

Result<AdapterTensors> adapterTensors(const Model& adapter) {
    NameList others;
    AdapterTensors result;
    std::vector<Draft> drafts;
    std::map<std::string, std::size_t, std::less<>> known;
    for (std::size_t i = 0; i < adapter.tensors.size(); ++i) {
        const TensorInfo& tensor = adapter.tensors[i];
        const auto name = parseName(tensor.name);
        if (!name) {
            if (std::string saved = savedName(tensor.name); !saved.empty()) {
                result.saved.push_back({std::move(saved), TensorIndex(i)});
            } else {
                others.add(tensor.name);
            }
            continue;
        }
        const auto [at, isNew] = known.try_emplace(std::string(name->module), drafts.size());
        if (isNew) {
            drafts.push_back({.name = at->first, .isTable = name->isTable});
        }
        auto& factor = name->isA ? drafts[at->second].a : drafts[at->second].b;
        if (factor || tensor.shape.count() != 2) {
            others.add(tensor.name);
        }
        factor = TensorIndex(i);
    }
    GUFO_TRY(others.refused(Detail::AdapterReplaces));
    if (drafts.empty() && result.saved.empty()) {
        return fail(ErrorCode::NotSupported, {}, {Detail::NotAnAdapter});
    }
    for (Draft& draft : drafts) {
        if (!draft.a || !draft.b) {
            return fail(ErrorCode::NotSupported, Place::tensor(draft.name),
                        {Argument(Detail::PartMissing, {std::string(draft.a ? "lora_B" : "lora_A")})});
        }
        result.modules.push_back(
            {.name = std::move(draft.name), .a = *draft.a, .b = *draft.b, .isTable = draft.isTable});
    }
    return result;
}

} // namespace gufo::convert
