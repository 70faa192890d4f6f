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
    constexpr auto kPrefixes = std::to_array<std::string_view>({"base_model.model.", "base_model."});
    for (const Marker& marker : kMarkers) {
        const std::size_t at = name.rfind(marker.text);
        if (at == name.npos) {
            continue;
        }
        const std::string_view rest = name.substr(at + marker.text.size());
        if (!rest.empty() && (rest.front() != '.' || std::ranges::count(rest, '.') > 2)) {
            continue;
        }
        std::string_view module = name.substr(0, at);
        const auto prefix = std::ranges::find_if(kPrefixes, [&](std::string_view p) { return module.starts_with(p); });
        module.remove_prefix(prefix != kPrefixes.end() ? prefix->size() : 0);
        return FactorName{module, marker.isA, marker.isTable};
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

Result<std::vector<AdapterModule>> adapterModules(const Model& adapter) {
    NameList others;
    std::vector<Draft> drafts;
    std::map<std::string, std::size_t, std::less<>> known;
    for (std::size_t i = 0; i < adapter.tensors.size(); ++i) {
        const TensorInfo& tensor = adapter.tensors[i];
        const auto name = parseName(tensor.name);
        if (!name) {
            others.add(tensor.name);
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
    if (drafts.empty()) {
        return fail(ErrorCode::NotSupported, {}, {Detail::NotAnAdapter});
    }
    std::vector<AdapterModule> modules;
    for (Draft& draft : drafts) {
        if (!draft.a || !draft.b) {
            return fail(ErrorCode::NotSupported, Place::tensor(draft.name),
                        {Argument(Detail::PartMissing, {std::string(draft.a ? "lora_B" : "lora_A")})});
        }
        modules.push_back({.name = std::move(draft.name), .a = *draft.a, .b = *draft.b, .isTable = draft.isTable});
    }
    return modules;
}

} // namespace gufo::convert
