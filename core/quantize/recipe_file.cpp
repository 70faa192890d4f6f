#include "quantize/recipe_file.h"

#include "base/detail.h"
#include "base/utf8.h"
#include "tensor/encode.h"
#include "tensor/tensor_type.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace gufo {
namespace {

constexpr std::string_view kSpaces = " \t\r";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(kSpaces);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

// The line without the spaces around it and without the byte order marks before it, which joined files have inside.
std::string_view contentOf(std::string_view line) {
    line = trimmed(line);
    while (line.starts_with(kByteOrderMark)) {
        line = trimmed(line.substr(kByteOrderMark.size()));
    }
    return line;
}

std::string oneLine(std::string_view text) {
    std::string line(text);
    std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return line;
}

// Where the comment of a line begins, or its end.
std::size_t commentOf(std::string_view line) {
    for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
        if (at == 0 || kSpaces.find(line[at - 1]) != std::string_view::npos) {
            return at;
        }
    }
    return line.size();
}

class Parser {
public:
    Result<RecipeFile> parse(std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            ++m_line;
            GUFO_TRY(parseLine(text.substr(0, end)));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        return std::move(m_recipe);
    }

private:
    [[nodiscard]] std::unexpected<Error> bad(Argument what, std::string_view line, std::string_view at) const {
        const auto column = static_cast<std::size_t>(at.data() - line.data()) + 1;
        return fail(ErrorCode::BadSyntax, {}, {std::move(what), m_line, column});
    }

    Result<> parseLine(std::string_view line) {
        if (!isValidUtf8(line)) {
            return bad(Argument(Detail::Expected, {Detail::Utf8String}), line, line);
        }
        const std::string_view content = contentOf(line);
        const std::size_t comment = commentOf(content);
        const std::string_view rule = trimmed(content.substr(0, comment));
        if (rule.empty()) {
            if (comment < content.size() && !m_hasRules) {
                addHeader(content.substr(comment + 1));
            }
            return {};
        }
        m_hasRules = true;
        const std::size_t equals = rule.rfind('=');
        if (equals == std::string_view::npos) {
            return bad(Argument(Detail::Expected, {Detail::RecipeLine}), line, rule);
        }
        const std::string_view pattern = trimmed(rule.substr(0, equals));
        const std::string_view name = trimmed(rule.substr(equals + 1));
        if (pattern.empty() || name.empty()) {
            return bad(Argument(Detail::Expected, {Detail::RecipeLine}), line, rule);
        }
        if (m_recipe.rest) {
            return bad(Detail::RecipeRestNotLast, line, rule);
        }
        const TensorTypeFact* type = findTensorType(name);
        if (type == nullptr || !isEncodable(type->id)) {
            return bad(Argument(Detail::NotWritableType, {name}), line, name);
        }
        if (pattern == "*") {
            m_recipe.rest = type->id;
        } else {
            m_recipe.rules.push_back({.pattern = std::string(pattern), .typeId = type->id, .line = m_line});
        }
        return {};
    }

    void addHeader(std::string_view comment) {
        const std::size_t colon = comment.find(':');
        const std::string_view key = trimmed(comment.substr(0, colon));
        if (colon != std::string_view::npos && !key.empty() && key.find_first_of(kSpaces) == std::string_view::npos) {
            m_recipe.header.emplace_back(key, oneLine(trimmed(comment.substr(colon + 1))));
        }
    }

    RecipeFile m_recipe;
    std::size_t m_line = 0;
    bool m_hasRules = false;
};

constexpr std::string_view kAny = ".*"; // both programs search with regular expressions; the first match counts

std::string lowerName(std::uint32_t typeId) {
    std::string name(findTensorType(typeId)->name);
    std::ranges::transform(name, name.begin(),
                           [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return name;
}

std::optional<std::string> joined(const RecipeFile& recipe, std::string_view between, std::string_view unusable) {
    std::string text;
    const auto add = [&](std::string_view pattern, std::uint32_t typeId) {
        text.append(text.empty() ? std::string_view() : between).append(pattern).append("=").append(lowerName(typeId));
    };
    for (const RecipeFile::Rule& rule : recipe.rules) {
        if (rule.pattern.find_first_of(unusable) != std::string::npos) {
            return {};
        }
        add(rule.pattern, rule.typeId);
    }
    if (recipe.rest) {
        add(kAny, *recipe.rest);
    }
    return text;
}

} // namespace

Result<RecipeFile> parseRecipeFile(std::string_view text) { return Parser().parse(text); }

std::string recipeFileText(const RecipeFile& recipe) {
    std::string text;
    for (const auto& [key, value] : recipe.header) {
        text += "# " + oneLine(key) + ": " + oneLine(value) + '\n';
    }
    for (const RecipeFile::Rule& rule : recipe.rules) {
        text += rule.pattern + " = " + std::string(findTensorType(rule.typeId)->name) + '\n';
    }
    if (recipe.rest) {
        text += "* = " + std::string(findTensorType(*recipe.rest)->name) + '\n';
    }
    return text;
}

std::optional<std::string> asTensorTypeFile(const RecipeFile& recipe) {
    auto text = joined(recipe, "\n", " \t\r\n=");
    return text ? std::optional(*text + '\n') : std::nullopt;
}

std::optional<std::string> asCustomQ(const RecipeFile& recipe) { return joined(recipe, ",", " \t\r\n=,"); }

} // namespace gufo
