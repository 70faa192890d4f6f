// Tensors that a run takes from other files of the same model (--with REGEX=FILE).
#pragma once

#include "cli/model_access.h"
#include "inference/engine_table.h"

#include <QRegularExpression>

#include <vector>

namespace gufo::cli {

// Whether two files have the same vocabulary, or one has none. Otherwise prints an error about the file `path` of
// `other` and returns the exit code.
[[nodiscard]] Expected<void> checkSameVocabulary(const Model& model, const Model& other,
                                                 const std::filesystem::path& path, const Cancellation& cancellation,
                                                 Console& console);

class WeightSwaps {
public:
    // Opens the files of --with. Prints errors in the name of `verb`, such as an engine that cannot combine files.
    [[nodiscard]] static Expected<WeightSwaps> of(const Invocation& invocation, const inference::Engine& engine,
                                                  const char* verb, Console& console);

    [[nodiscard]] bool empty() const { return m_rules.empty(); }
    // Returns the model with the tensors that the options name. A pattern is compared with the name of each tensor, and
    // with NAME[N] for each expert N of a stack. Errors are printed.
    [[nodiscard]] Expected<std::shared_ptr<const Model>> applyTo(std::shared_ptr<const Model> model,
                                                                 Console& console) const;

private:
    struct Rule {
        QRegularExpression pattern;
        std::string text; // of the pattern
        std::shared_ptr<const Model> from;
        std::filesystem::path path;
    };
    std::vector<Rule> m_rules;
};

} // namespace gufo::cli
