#include "cli/swapped_weights.h"

#include "base/try.h"
#include "cli/text_input.h"
#include "document/open_model.h"
#include "model/set_fault.h"
#include "model/swapped_model.h"
#include "model/tensor_role.h"
#include "text/tokenizer/vocabulary.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/model_text.h"

#include <algorithm>
#include <map>

namespace gufo::cli {
namespace {

struct Split {
    QRegularExpression pattern;
    std::string text;
    std::string file;
};

// Divides "REGEX=FILE" at the first = before which there is a whole regular expression. The = of "(?=…)" is not.
std::optional<Split> splitRule(const std::string& typed) {
    for (std::size_t at = typed.find('='); at != std::string::npos; at = typed.find('=', at + 1)) {
        const std::string text = typed.substr(0, at);
        const QRegularExpression pattern(fromNative(text));
        if (!text.empty() && pattern.isValid() && at + 1 < typed.size()) {
            return Split{.pattern = pattern, .text = text, .file = typed.substr(at + 1)};
        }
    }
    return std::nullopt;
}

bool hasExperts(const TensorInfo& tensor) {
    const TensorName name = parseTensorName(tensor.name);
    return name.fact != nullptr && name.fact->experts && matricesOf(tensor) > 1;
}

} // namespace

Expected<void> checkSameVocabulary(const Model& model, const Model& other, const std::filesystem::path& path,
                                   const Cancellation& cancellation, Console& console) {
    const auto first = text::Vocabulary::read(model.metadata, {.stop = cancellation.token()});
    const auto second = text::Vocabulary::read(other.metadata, {.stop = cancellation.token()});
    if (!first || !second) { // models without a tokenizer can be run on token ids
        return {};
    }
    if (const auto difference = text::findDifference(*first, *second)) {
        return std::unexpected(
            console.fail(Cli::tr("%1: %2; the models must have the same vocabulary")
                             .arg(ui::displayText(path.string()), ui::vocabularyDifferenceText(*difference))));
    }
    return {};
}

Expected<WeightSwaps> WeightSwaps::of(const Invocation& invocation, const inference::Engine& engine, const char* verb,
                                      Console& console) {
    WeightSwaps swaps;
    const std::vector<std::string> typed = invocation.values("with");
    if (typed.empty()) {
        return swaps;
    }
    if (!engine.capabilities.swapsWeights) {
        QStringList able;
        for (const inference::Engine& each : inference::engines()) {
            if (each.capabilities.swapsWeights) {
                able << ui::displayText(each.id);
            }
        }
        return std::unexpected(
            console.fail(Cli::tr("%1: the engine \"%2\" cannot take tensors from several files (--with), only: %3")
                             .arg(QLatin1String(verb), ui::displayText(engine.id), able.join(QStringLiteral(", ")))));
    }
    if (invocation.keepsPrompts()) {
        return std::unexpected(
            console.fail(Cli::tr("%1: --with and --keep-prompts cannot be combined").arg(QLatin1String(verb))));
    }
    std::map<std::string, std::shared_ptr<const Model>> opened;
    for (const std::string& rule : typed) {
        auto split = splitRule(rule);
        if (!split) {
            return std::unexpected(
                console.fail(Cli::tr("%1: --with takes REGEX=FILE with a regular expression, not \"%2\"")
                                 .arg(QLatin1String(verb), ui::displayText(rule))));
        }
        std::shared_ptr<const Model>& model = opened[split->file];
        if (model == nullptr) {
            auto read = openModel(hub::ModelPlace::parse(split->file));
            if (!read) {
                return std::unexpected(console.fail(std::move(read.error()), split->file));
            }
            if (auto complete = checkSet(**read); !complete) {
                return std::unexpected(console.fail(std::move(complete).error(), split->file));
            }
            model = std::move(*read);
        }
        swaps.m_rules.push_back(
            {.pattern = split->pattern, .text = std::move(split->text), .from = model, .path = std::move(split->file)});
    }
    return swaps;
}

Expected<std::shared_ptr<const Model>> WeightSwaps::applyTo(std::shared_ptr<const Model> model,
                                                            Console& console) const {
    if (empty()) {
        return model;
    }
    const Cancellation cancellation;
    for (const Rule& rule : m_rules) {
        if (rule.from->metadata.architecture() != model->metadata.architecture()) {
            return std::unexpected(console.fail(
                Cli::tr("%1: the file has the architecture \"%2\", but the model has \"%3\"")
                    .arg(ui::displayText(rule.path.string()), ui::displayText(rule.from->metadata.architecture()),
                         ui::displayText(model->metadata.architecture()))));
        }
        GUFO_TRY(checkSameVocabulary(*model, *rule.from, rule.path, cancellation, console));
    }
    std::vector<TensorSwap> swaps;
    std::vector<bool> matches(m_rules.size());
    const auto ruleFor = [&](const std::string& name) -> const Rule* {
        const Rule* first = nullptr;
        for (std::size_t i = 0; i < m_rules.size(); ++i) {
            if (m_rules[i].pattern.match(fromNative(name)).hasMatch()) {
                matches[i] = true;
                first = first != nullptr ? first : &m_rules[i];
            }
        }
        return first;
    };
    for (std::size_t i = 0; i < model->tensors.size(); ++i) {
        const TensorInfo& tensor = model->tensors[i];
        const std::string name(tensor.name);
        const Rule* const whole = ruleFor(name);
        if (whole != nullptr) {
            swaps.push_back({.tensor = TensorIndex(i), .from = whole->from});
        }
        for (std::uint64_t expert = 0; hasExperts(tensor) && expert < matricesOf(tensor); ++expert) {
            // The first match counts: a rule for all experts that comes before rules for single experts leaves these
            // unused.
            const Rule* const one = ruleFor(name + '[' + std::to_string(expert) + ']');
            if (one != nullptr && (whole == nullptr || one < whole)) {
                swaps.push_back({.tensor = TensorIndex(i), .from = one->from, .matrix = expert});
            }
        }
    }
    for (std::size_t i = 0; i < m_rules.size(); ++i) {
        if (!matches[i]) {
            return std::unexpected(
                console.fail(Cli::tr("--with: no tensor matches \"%1\"").arg(ui::displayText(m_rules[i].text))));
        }
    }
    auto swapped = swapTensors(model, swaps);
    if (!swapped) {
        return std::unexpected(console.fail(std::move(swapped.error()), model->path()));
    }
    return std::move(*swapped);
}

} // namespace gufo::cli
