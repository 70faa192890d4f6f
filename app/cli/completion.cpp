#include "cli/completion.h"

#include "cli/help.h"
#include "cli/verb.h"
#include "document/open_model.h"
#include "model/model.h"
#include "model/value.h"
#include "quantize/recipe.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>

namespace gufo::cli {
namespace {

// What the words stand for that name arguments in the table of verbs.
enum class Kind : std::uint8_t { File, Key, Tensor, Type, ValueType, Free };

struct KindRow {
    std::string_view word;
    Kind kind;
    Kind afterEquals = Kind::Free; // of "REGEX=TYPE"; otherwise nothing follows the "="
};

// Words that are not listed name files, or are texts, which may be in files.
constexpr auto kKinds = std::to_array<KindRow>({
    {"KEY", Kind::Key},
    {"KEY=VALUE", Kind::Key},
    {"KEY=PATH", Kind::Key, Kind::File},
    {"TENSOR", Kind::Tensor},
    {"OLD=NEW", Kind::Tensor},
    {"REGEX=TYPE", Kind::Tensor, Kind::Type},
    {"TYPE", Kind::Type},
    {"T", Kind::ValueType},
    {"METHOD", Kind::Free},
    {"N", Kind::Free},
    {"X", Kind::Free},
    {"SIZE", Kind::Free},
    {"OFFSET", Kind::Free},
    {"IDS", Kind::Free},
    {"QUERY", Kind::Free},
    {"ADDRESS", Kind::Free},
});

// "KEY" for "[KEY|KEY[N]…]".
std::string_view nameOf(std::string_view word) {
    word.remove_prefix(std::min(word.find_first_not_of('['), word.size()));
    return word.substr(0, std::min({word.find('|'), word.find('['), word.find(']'), word.find("…")}));
}

KindRow kindOf(std::string_view word) {
    const auto* const row = std::ranges::find(kKinds, nameOf(word), &KindRow::word);
    return row != kKinds.end() ? *row : KindRow{word, Kind::File};
}

std::vector<std::string_view> splitAtSpaces(std::string_view text) {
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const std::size_t length = std::min(text.find(' '), text.size());
        if (length > 0) {
            words.push_back(text.substr(0, length));
        }
        text.remove_prefix(std::min(length + 1, text.size()));
    }
    return words;
}

struct Positional {
    std::string_view word;
    bool repeats;
};

// The positional arguments in the synopsis of a verb, where options are in brackets or have dashes.
std::vector<Positional> positionalOf(const Verb& verb) {
    std::vector<Positional> found;
    bool isValue = false; // the word belongs to the option before it
    int depth = 0;        // of the brackets around options
    for (const std::string_view word : splitAtSpaces(verb.arguments)) {
        const auto brackets = static_cast<int>(std::ranges::count(word, '[') - std::ranges::count(word, ']'));
        if (depth > 0 || word.starts_with("[-")) {
            depth += brackets;
        } else if (word.starts_with('-')) {
            isValue = true;
        } else if (isValue) {
            isValue = false;
        } else if (word != "…" && word != "|") {
            found.push_back({word, word.contains("…")});
        }
    }
    return found;
}

struct Typed {
    std::string_view current;           // being typed
    const OptionFact* option = nullptr; // whose value is being typed
    std::string_view file;              // the first positional argument
    std::size_t positional = 0;         // the number of positional arguments before the current word
};

const OptionFact* optionNamed(const std::vector<OptionFact>& options, std::string_view typed) {
    const std::string_view name = typed.substr(std::min(typed.find_first_not_of('-'), typed.size()));
    const auto found = std::ranges::find_if(options, [&](const OptionFact& option) {
        const QStringList names = QString::fromLatin1(option.names).split(QLatin1Char(','));
        return names.contains(QLatin1String(name.data(), static_cast<qsizetype>(name.size())));
    });
    return found != options.end() ? &*found : nullptr;
}

Typed understand(const std::vector<std::string>& words, const std::vector<OptionFact>& options) {
    Typed typed;
    for (std::size_t i = 1; i + 1 < words.size(); ++i) {
        if (words[i].starts_with('-') && words[i].size() > 1) {
            const OptionFact* option = optionNamed(options, words[i]);
            if (option != nullptr && *option->value != '\0') {
                ++i; // its value
                typed.option = i + 1 == words.size() ? option : nullptr;
            }
            continue;
        }
        if (typed.positional == 0) {
            typed.file = words[i];
        }
        ++typed.positional;
    }
    typed.current = words.back();
    return typed;
}

class Candidates {
public:
    explicit Candidates(Typed typed)
        : m_typed(typed) {}

    // Adds `word`, which is written after `before`, if it begins like the word that is being typed.
    void add(std::string_view word, std::string_view before = {}, std::string_view after = {}) {
        std::string whole = std::string(before).append(word).append(after);
        if (whole.starts_with(m_typed.current)) {
            m_found.words.push_back(std::move(whole));
        }
    }

    void addKind(std::string_view word) {
        const KindRow row = kindOf(word);
        const std::size_t equals = m_typed.current.find('=');
        const bool isPair = row.word.contains('=');
        if (isPair && equals != std::string_view::npos) {
            addNames(row.afterEquals, m_typed.current.substr(0, equals + 1), {});
        } else {
            addNames(row.kind, {}, isPair ? "=" : "");
        }
    }

    void addChoices(const QString& choices) {
        for (const QString& choice : choices.split(QStringLiteral(", "))) {
            add(choice.toStdString());
        }
    }

    Completions take() { return std::move(m_found); }

private:
    void addNames(Kind kind, std::string_view before, std::string_view after) {
        switch (kind) {
        case Kind::File:
            m_found.files = true;
            break;
        case Kind::Key:
            if (const auto model = this->model()) {
                std::ranges::for_each(model->metadata, [&](const auto& entry) { add(entry.key, before, after); });
            }
            break;
        case Kind::Tensor:
            if (const auto model = this->model()) {
                std::ranges::for_each(model->tensors, [&](const auto& one) { add(one.name, before, after); });
            }
            break;
        case Kind::Type:
            std::ranges::for_each(recipes(), [&](const Recipe& recipe) { add(recipe.name, before, after); });
            break;
        case Kind::ValueType:
            std::ranges::for_each(valueTypes(), [&](const auto& type) { add(type.name, before, after); });
            break;
        case Kind::Free:
            break;
        }
    }

    [[nodiscard]] std::shared_ptr<const Model> model() const {
        std::error_code error;
        if (!std::filesystem::exists(m_typed.file, error)) { // an address is not looked up
            return nullptr;
        }
        auto opened = openModel(std::filesystem::path(m_typed.file));
        return opened ? std::move(*opened) : nullptr;
    }

    Typed m_typed;
    Completions m_found;
};

Completions verbCompletions(const std::vector<std::string>& words) {
    Candidates candidates({.current = words.back()});
    for (const Verb* verb : verbs()) {
        candidates.add(verb->name);
    }
    if (words.size() == 1) {
        candidates.add("help");
        candidates.add("--help");
        candidates.add("--version");
    }
    return candidates.take();
}

} // namespace

Completions completionsOf(const std::vector<std::string>& words) {
    if (words.size() <= 1) {
        return verbCompletions(words.empty() ? std::vector<std::string>{{}} : words);
    }
    if (words.front() == "help") {
        if (words.size() == 2) {
            return verbCompletions(words);
        }
        Candidates topics({.current = words.back()});
        if (const Verb* verb = findVerb(words[1]); verb != nullptr && words.size() == 3) {
            std::ranges::for_each(topicsOf(*verb), [&](std::string_view topic) { topics.add(topic); });
        }
        return topics.take();
    }
    const Verb* verb = findVerb(words.front());
    if (verb == nullptr) {
        return {};
    }
    const std::vector<OptionFact> options = allOptions(*verb);
    const Typed typed = understand(words, options);
    Candidates candidates(typed);
    if (typed.option != nullptr) {
        if (typed.option->choices != nullptr) {
            candidates.addChoices(typed.option->choices());
        } else {
            candidates.addKind(typed.option->value);
        }
        return candidates.take();
    }
    if (typed.current.starts_with('-')) {
        for (const OptionFact& option : options) {
            for (const QString& name : QString::fromLatin1(option.names).split(QLatin1Char(','))) {
                candidates.add(dashed(name).toStdString());
            }
        }
        return candidates.take();
    }
    const std::vector<Positional> positional = positionalOf(*verb);
    if (typed.positional < positional.size()) {
        candidates.addKind(positional[typed.positional].word);
    } else if (!positional.empty() && positional.back().repeats) {
        candidates.addKind(positional.back().word);
    }
    return candidates.take();
}

} // namespace gufo::cli
