// Parses the names of tensors. The header is tensor_role.h.
#include "model/tensor_role.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace gufo {
namespace {

// Prefixes of blocks in models with several parts. If one prefix begins with another, the longer one comes first.
constexpr auto kPrefixes = std::to_array<std::string_view>(
    {"v.deepstack.", "v.sam.", "v.", "mm.a.", "mm.", "a.", "enc.", "dec.", "posnet.", "convnext.", "resampler."});
constexpr auto kBlockWords = std::to_array<std::string_view>({"blk.", "layers."});
constexpr auto kSuffixes = std::to_array<std::string_view>(
    {"weight", "bias", "scale", "scales", "input_scale", "lora_a", "lora_b", "in_sum", "in_sum2", "counts",
     // of quantised checkpoints
     "biases", "qweight", "qzeros", "g_idx", "weight_packed", "weight_scale", "weight_scale_inv", "weight_scale_2",
     "weight_shape", "weight_zero_point", "SCB", "absmax", "quant_map", "nested_absmax", "nested_quant_map"});
// Roles whose experts are separate tensors in old files and in other containers.
constexpr auto kNumberedExperts = std::to_array<std::string_view>(
    {"ffn_gate", "ffn_up", "ffn_down", "ffn_gate_exps", "ffn_up_exps", "ffn_down_exps"});
// In other containers: the endings of the component before the number of a block, and the components around a whole
// model.
constexpr auto kBlockEndings = std::to_array<std::string_view>({"layers", "layer", "blocks", "block"});
constexpr auto kWrappers = std::to_array<std::string_view>(
    {"base_model.", "language_model.", "model.", "transformer.", "backbone.", "gpt_neox.", "bert.", "roberta."});

// Parses `text` as a number without sign or leading zeros.
std::optional<std::uint32_t> number(std::string_view text) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool plain = !text.empty() && (text.size() == 1 || text[0] != '0');
    return plain && error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// Takes a number from the front: "7.rest" gives 7 and leaves "rest".
std::optional<std::uint32_t> takeNumber(std::string_view& text) {
    const std::size_t dot = text.find('.');
    const auto value = number(text.substr(0, dot));
    if (value) {
        text.remove_prefix(dot == std::string_view::npos ? text.size() : dot + 1);
    }
    return value;
}

// Removes the suffix (".weight", ".weight.lora_a" …) and returns its last word. A number after it belongs to it:
// ".weight.1" is the second of two patch embeddings.
std::string_view takeSuffix(std::string_view& text) {
    std::string_view suffix;
    const auto lastDot = text.rfind('.');
    if (lastDot != std::string_view::npos && number(text.substr(lastDot + 1))) {
        const auto before = text.substr(0, lastDot);
        const auto dot = before.rfind('.');
        if (dot != std::string_view::npos && std::ranges::count(kSuffixes, before.substr(dot + 1)) != 0) {
            suffix = text.substr(dot + 1);
            text = text.substr(0, dot);
        }
    }
    for (;;) {
        const std::size_t dot = text.rfind('.');
        const std::string_view word = dot == std::string_view::npos ? text : text.substr(dot + 1);
        if (std::ranges::find(kSuffixes, word) == kSuffixes.end()) {
            return suffix;
        }
        suffix = suffix.empty() ? word : suffix;
        text = dot == std::string_view::npos ? std::string_view() : text.substr(0, dot);
    }
}

// Parses a role that contains a number: "ffn_gate.7" (an expert), "model.mlp.2" or "conv1d.0.norm" (a layer).
bool parseNumbered(std::string_view role, TensorName& result) {
    std::string_view tail = role;
    while (!tail.empty()) {
        const std::string_view head = role.substr(0, role.size() - tail.size());
        std::string_view rest = tail;
        if (const auto value = takeNumber(rest); value && !head.empty()) {
            std::array<char, 32> buffer{};
            const std::string_view first = head.substr(0, head.size() - 1);
            const std::string_view second = rest.empty() ? rest : role.substr(role.size() - rest.size() - 1);
            if (first.size() + second.size() > buffer.size()) {
                return false;
            }
            char* end = std::ranges::copy(first, buffer.data()).out;
            end = std::ranges::copy(second, end).out;
            const std::string_view name(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
            const RoleFact* fact = findRole(name, true);
            if (fact == nullptr ||
                (result.block && std::ranges::find(kNumberedExperts, fact->name) == kNumberedExperts.end())) {
                return false;
            }
            (result.block ? result.expert : result.block) = value;
            result.fact = fact;
            return true;
        }
        const std::size_t dot = tail.find('.');
        tail.remove_prefix(dot == std::string_view::npos ? tail.size() : dot + 1);
    }
    return false;
}

bool isBlockWord(std::string_view word) {
    return word == "h" || std::ranges::any_of(kBlockEndings, [&](std::string_view end) { return word.ends_with(end); });
}

std::string_view withoutWrappers(std::string_view name) {
    for (bool again = true; again;) {
        again = false;
        for (const std::string_view wrapper : kWrappers) {
            if (name.starts_with(wrapper)) {
                name.remove_prefix(wrapper.size());
                again = true;
            }
        }
    }
    return name;
}

// Parses a name of another container, "model.layers.3.self_attn.q_proj.weight", in which no block or role was found.
void parseForeign(std::string_view name, TensorName& result) {
    name = withoutWrappers(name);
    std::size_t word = 0; // where the component before the number begins
    for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', word)) {
        std::string_view rest = name.substr(dot + 1);
        if (isBlockWord(name.substr(word, dot - word)) && !rest.empty()) {
            if (const auto block = takeNumber(rest); block && !rest.empty()) {
                result.prefix = name.substr(0, word);
                result.block = block;
                name = rest;
                break;
            }
        }
        word = dot + 1;
    }
    std::string_view role = name;
    const std::string_view suffix = takeSuffix(role);
    const RoleFact* fact = findRole(role, result.block.has_value());
    if (fact == nullptr && !result.block) {
        return; // as it is
    }
    result.role = role.empty() ? name : role;
    result.suffix = role.empty() ? std::string_view() : suffix;
    result.fact = fact;
    if (fact == nullptr) {
        parseNumbered(result.role, result);
    }
}

} // namespace

TensorName parseTensorName(std::string_view name) {
    TensorName result;
    std::string_view rest = name;
    for (const std::string_view prefix : kPrefixes) {
        if (rest.starts_with(prefix)) {
            result.prefix = prefix;
            rest.remove_prefix(prefix.size());
            break;
        }
    }
    const auto* word =
        std::ranges::find_if(kBlockWords, [&](std::string_view candidate) { return rest.starts_with(candidate); });
    std::string_view afterBlock = rest.substr(word != kBlockWords.end() ? word->size() : 0);
    if (word != kBlockWords.end() || !result.prefix.empty()) {
        result.block = takeNumber(afterBlock);
        rest = result.block ? afterBlock : rest;
    }
    result.role = rest;
    result.suffix = takeSuffix(result.role);
    if (result.role.empty() && result.prefix == "mm." && result.block) {
        result.role = "mm";
    }
    result.fact = findRole(result.role, result.block.has_value());
    if (result.fact == nullptr) {
        parseNumbered(result.role, result);
    }
    if (result.fact == nullptr && !result.block) {
        parseForeign(name, result);
    }
    if (result.fact != nullptr) {
        result.role = result.fact->name;
    }
    return result;
}

} // namespace gufo
