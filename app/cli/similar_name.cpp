#include "cli/similar_name.h"

#include "base/ascii.h"
#include "cli/console.h"
#include "model/file_type.h"
#include "model/key_catalogue.h"
#include "model/model.h"
#include "tensor/tensor_type.h"
#include "ui/messages/figure_text.h"

#include <algorithm>
#include <array>
#include <vector>

namespace gufo::cli {
namespace {

constexpr std::size_t kLongest = 120; // bytes; nobody types a longer name

// One slip in short names, and one more for every five bytes.
std::size_t mostSlips(std::size_t length) { return length < 3 ? 0 : std::min<std::size_t>(1 + length / 5, 4); }

// The number of slips between two texts, or `limit` + 1 if there are more.
std::size_t slipsBetween(std::string_view a, std::string_view b, std::size_t limit) {
    const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
    if (difference > limit) {
        return limit + 1;
    }
    // The last three rows of the table of distances. Only cells near the diagonal can be within the limit.
    std::array<std::array<std::size_t, kLongest + 2>, 3> rows{};
    for (std::size_t j = 0; j <= std::min(b.size(), limit + 1); ++j) {
        rows[0][j] = j;
    }
    const auto same = [&](std::size_t i, std::size_t j) { return asciiLower(a[i]) == asciiLower(b[j]); };
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto& row = rows[i % 3];
        const auto& before = rows[(i + 2) % 3];
        const auto& twoBefore = rows[(i + 1) % 3];
        const std::size_t first = i > limit ? i - limit : 1;
        const std::size_t last = std::min(b.size(), i + limit);
        row[first - 1] = first == 1 ? i : limit + 1;
        row[last + 1] = limit + 1;
        std::size_t least = row[first - 1];
        for (std::size_t j = first; j <= last; ++j) {
            row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (same(i - 1, j - 1) ? 0 : 1)});
            if (i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1)) {
                row[j] = std::min(row[j], twoBefore[j - 2] + 1);
            }
            least = std::min(least, row[j]);
        }
        if (least > limit + 1) { // an exchange can still skip a row
            return limit + 1;
        }
    }
    return std::min(rows[a.size() % 3][b.size()], limit + 1);
}

// Whether `typed` is the name without its first or its last component.
bool isPartOf(std::string_view typed, std::string_view name) {
    return name.size() > typed.size() + 1 && ((name.starts_with(typed) && name[typed.size()] == '.') ||
                                              (name.ends_with(typed) && name[name.size() - typed.size() - 1] == '.'));
}

} // namespace

std::string_view similarName(std::string_view typed, std::span<const std::string_view> names) {
    if (typed.empty() || typed.size() > kLongest || std::ranges::find(names, typed) != names.end()) {
        return {};
    }
    const auto whole = std::ranges::find_if(names, [&](std::string_view name) { return isPartOf(typed, name); });
    if (whole != names.end()) {
        return *whole;
    }
    std::string_view nearest;
    std::size_t fewest = mostSlips(typed.size()) + 1;
    for (const std::string_view name : names) {
        if (name.empty() || name.size() > kLongest || fewest == 0) {
            continue;
        }
        const std::size_t slips = slipsBetween(typed, name, fewest - 1);
        if (slips < fewest) {
            fewest = slips;
            nearest = name;
        }
    }
    return nearest;
}

std::string_view similarKey(std::string_view typed, const Model& model) {
    std::vector<std::string_view> names;
    names.reserve(model.metadata.size());
    std::ranges::transform(model.metadata, std::back_inserter(names), &KeyValue::key);
    return similarName(typed, names);
}

std::string similarPossibleKey(std::string_view typed, const Model& model) {
    constexpr std::string_view kArchitecture = "{arch}";
    std::vector<std::string> keys;
    std::ranges::transform(model.metadata, std::back_inserter(keys),
                           [](const KeyValue& entry) { return std::string(entry.key); });
    for (const KeyFact& fact : keyFacts()) {
        std::string key(fact.key);
        if (key.starts_with(kArchitecture)) {
            key.replace(0, kArchitecture.size(), model.metadata.architecture());
        }
        if (key.find('{') == std::string::npos) { // neither numbers nor words are open
            keys.push_back(std::move(key));
        }
    }
    const std::vector<std::string_view> names(keys.begin(), keys.end());
    return std::string(similarName(typed, names));
}

std::string_view similarTensor(std::string_view typed, const Model& model) {
    std::vector<std::string_view> names;
    names.reserve(model.tensors.size());
    std::ranges::transform(model.tensors, std::back_inserter(names), &TensorInfo::name);
    if (const std::string_view name = similarName(typed, names); !name.empty()) {
        return name;
    }
    // Most names end with .weight, which is easily left out.
    constexpr std::string_view kSuffix = ".weight";
    std::vector<std::string_view> stems;
    for (const std::string_view name : names) {
        if (name.ends_with(kSuffix)) {
            stems.push_back(name.substr(0, name.size() - kSuffix.size()));
        }
    }
    const std::string_view stem = similarName(typed, stems);
    return stem.empty() ? stem : std::string_view(stem.data(), stem.size() + kSuffix.size());
}

QString didYouMean(std::string_view name) {
    return name.empty() ? QString() : Cli::tr("Did you mean %1?").arg(ui::displayText(name));
}

std::expected<const Recipe*, QString> recipeNamed(const std::string& name, QStringList others) {
    if (const Recipe* recipe = findRecipe(name)) {
        return recipe;
    }
    std::vector<std::string_view> names;
    for (const Recipe& recipe : recipes()) {
        names.push_back(recipe.name);
        others << ui::displayText(recipe.name);
    }
    const bool isRead = findFileType(name) != nullptr || findTensorType(name) != nullptr;
    const QString meant = didYouMean(isRead ? std::string_view() : similarName(name, names));
    const QString problem = isRead
                                ? Cli::tr("models of type %1 can be read, but not written").arg(ui::displayText(name))
                                : Cli::tr("there is no quantisation type \"%1\"").arg(ui::displayText(name));
    return std::unexpected(
        Cli::tr("%1; the types that can be written are %2").arg(problem, others.join(QStringLiteral(", "))) +
        (meant.isEmpty() ? QString() : QStringLiteral(". ") + meant));
}

} // namespace gufo::cli
