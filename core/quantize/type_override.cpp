#include "quantize/type_override.h"

#include "base/ascii.h"
#include "model/tensor_role.h"
#include "quantize/recipe.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace gufo {
namespace {

// Takes the first alternative of a list of names from the pattern, without backslashes before punctuation. Returns
// nothing for every other regular expression.
std::optional<std::string> takeName(std::string_view& pattern) {
    constexpr std::string_view kMeta = "^$()[]{}*+?";
    std::string name;
    while (!pattern.empty() && pattern.front() != '|') {
        char c = pattern.front();
        pattern.remove_prefix(1);
        if (c == '\\') {
            if (pattern.empty() || isAsciiLetterOrDigit(static_cast<unsigned char>(pattern.front()))) {
                return std::nullopt; // the end, or a class of characters
            }
            c = pattern.front();
            pattern.remove_prefix(1);
        } else if (kMeta.contains(c)) {
            return std::nullopt;
        }
        name += c;
    }
    pattern.remove_prefix(pattern.empty() ? 0 : 1);
    return name;
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (!isAsciiLetterOrDigit(static_cast<unsigned char>(c)) && c != '_' && static_cast<unsigned char>(c) < 0x80) {
            result += '\\';
        }
        result += c;
    }
    return result;
}

// The name around the number of the block, which identifies a role: {"blk.", ".attn_q.weight"}. The name alone if the
// tensor is in no block.
using Role = std::pair<std::string_view, std::optional<std::string_view>>;
Role roleOf(std::string_view name) {
    const auto block = parseTensorName(name).block;
    const std::string number = block ? '.' + std::to_string(*block) + '.' : std::string();
    const std::size_t at = block ? name.find(number) : std::string_view::npos;
    if (at == std::string_view::npos) {
        return {name, std::nullopt};
    }
    return {name.substr(0, at + 1), name.substr(at + number.size() - 1)};
}

std::string alternatives(const std::vector<std::string>& texts) {
    std::string joined;
    for (const std::string& text : texts) {
        joined += (joined.empty() ? "" : "|") + text;
    }
    return texts.size() == 1 ? joined : '(' + joined + ')';
}

} // namespace

bool namesInFull(std::string_view pattern, std::string_view tensorName) {
    const auto strip = [&](std::string_view before, std::string_view after) {
        if (pattern.size() >= before.size() + after.size() && pattern.starts_with(before) && pattern.ends_with(after)) {
            pattern = pattern.substr(before.size(), pattern.size() - before.size() - after.size());
            return true;
        }
        return false;
    };
    strip("^", "$") || strip("^", "") || strip("", "$");
    strip("(?:", ")") || strip("(", ")");
    bool found = false;
    do {
        const auto name = takeName(pattern);
        if (!name) {
            return false;
        }
        found = found || *name == tensorName;
    } while (!pattern.empty());
    return found;
}

std::vector<std::string> patternsOf(const Model& model, std::span<const TensorIndex> tensors) {
    struct Members {
        std::vector<std::string> blocks{};
        std::vector<std::string> kept{}; // full names
        std::size_t inModel = 0;         // tensors of the role that recipes do not keep
    };
    std::map<Role, Members> roles;
    std::vector<Role> order;
    for (const TensorIndex index : tensors) {
        const TensorInfo& tensor = model.tensor(index);
        const Role role = roleOf(tensor.name);
        const auto [members, isNew] = roles.try_emplace(role);
        if (isNew) {
            order.push_back(role);
        }
        if (recipeKeeps(tensor) || !role.second) {
            members->second.kept.push_back(escaped(tensor.name));
        } else {
            members->second.blocks.push_back(std::to_string(*parseTensorName(tensor.name).block));
        }
    }
    for (const TensorInfo& tensor : model.tensors) {
        const auto members = roles.find(roleOf(tensor.name));
        if (members != roles.end() && !recipeKeeps(tensor)) {
            ++members->second.inModel;
        }
    }
    std::vector<std::string> patterns;
    for (const Role& role : order) {
        const Members& members = roles.at(role);
        if (!members.blocks.empty()) {
            const bool all = members.blocks.size() == members.inModel && members.inModel > 1;
            patterns.push_back('^' + escaped(role.first) + (all ? "\\d+" : alternatives(members.blocks)) +
                               escaped(*role.second) + '$');
        }
        if (!members.kept.empty()) {
            patterns.push_back('^' + alternatives(members.kept) + '$');
        }
    }
    return patterns;
}

} // namespace gufo
