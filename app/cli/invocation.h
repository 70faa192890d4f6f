// The arguments of one call of a verb, parsed according to the verb's row in the table.
#pragma once

#include "cli/verb.h"
#include "hub/model_place.h"

#include <QCommandLineParser>

#include <expected>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace gufo::cli {

class Invocation {
public:
    // `arguments` are the native bytes after the verb's name. The error is a sentence for the user.
    [[nodiscard]] static std::expected<Invocation, QString> parse(const Verb& verb,
                                                                  const std::vector<std::string>& arguments);

    [[nodiscard]] bool wantsHelp() const { return m_help; }
    [[nodiscard]] bool json() const { return isSet("json"); }
    // The first argument as a file on this computer, and where the model lies that it means.
    [[nodiscard]] std::filesystem::path file() const { return m_positional.front(); }
    [[nodiscard]] hub::ModelPlace place() const { return hub::ModelPlace::parse(m_positional.front()); }
    [[nodiscard]] const std::vector<std::string>& positional() const { return m_positional; } // native bytes

    [[nodiscard]] bool isDryRun() const;      // nothing is written
    [[nodiscard]] bool isResumed() const;     // the content of the output is continued
    [[nodiscard]] bool keepsPrompts() const;  // states of prompts are kept on the disk
    [[nodiscard]] bool draftsWithMtp() const; // a block of the model drafts
    [[nodiscard]] bool readsRecipe() const;   // a file says which types are written, instead of an argument

    // `name` is any of the option's names. The verb must have the option.
    [[nodiscard]] bool isSet(const char* name) const { return m_parser->isSet(QLatin1String(name)); }
    [[nodiscard]] std::optional<std::string> value(const char* name) const;
    // All values of an option that may be repeated.
    [[nodiscard]] std::vector<std::string> values(const char* name) const;
    // A whole number from `minimum` to `maximum`. Empty if the option is absent. The error is a sentence for the user.
    [[nodiscard]] std::expected<std::optional<std::uint64_t>, QString> number(const char* name, std::uint64_t minimum,
                                                                              std::uint64_t maximum) const;
    // The same for a finite number.
    [[nodiscard]] std::expected<std::optional<double>, QString>
    real(const char* name, double minimum = -std::numeric_limits<double>::infinity(),
         double maximum = std::numeric_limits<double>::infinity()) const;

private:
    std::shared_ptr<QCommandLineParser> m_parser; // a pointer, because the parser cannot be moved
    std::vector<std::string> m_positional;
    bool m_help = false;
};

} // namespace gufo::cli
