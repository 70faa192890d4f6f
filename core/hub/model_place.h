// Where a model lies: in a file or a folder on this computer, at an address, or under its name on a hub. Text becomes a
// ModelPlace where it enters the program (command line, field, link, settings), and is never asked again what it is:
// localPath(), url() and hubName() say so, and whoever takes a std::filesystem::path takes no address.
//
// Only the names that errors and models carry for display (Error::file, Model::path()) hold addresses in paths.
//
// Threads: all functions are thread-safe as long as no thread changes the environment.
#pragma once

#include "hub/model_name.h"

#include <compare>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace gufo::hub {

// The address of a file. It may have any scheme; opening it fails unless that is https or http.
struct Url {
    std::string text;
    auto operator<=>(const Url&) const = default;
};

// A model, or a whole repository, on a hub.
struct HubName {
    ModelName name;
    std::string text; // as it was written: "hf.co/owner/repo", or the address of a page or a file of the hub
    auto operator<=>(const HubName&) const = default;

    [[nodiscard]] static HubName of(ModelName name); // written as users type it
    // Whether it means a repository rather than one model in it.
    [[nodiscard]] bool isRepository() const;
    // Whether the text is the address of a GGUF file, so that the hub need not be asked for one.
    [[nodiscard]] bool isFileAddress() const;
};

class ModelPlace {
public:
    ModelPlace() = default; // an empty path
    // Implicit, because a path on this computer is the most usual place.
    ModelPlace(std::filesystem::path path) // NOLINT(google-explicit-constructor)
        : m_where(std::move(path)) {}
    ModelPlace(HubName name) // NOLINT(google-explicit-constructor)
        : m_where(std::move(name)) {}
    ModelPlace(Url url) // NOLINT(google-explicit-constructor)
        : m_where(std::move(url)) {}

    // An argument of a command line or a place that was kept: names on hubs are those that parseModelName() accepts,
    // and what is neither a name nor an address is a path.
    [[nodiscard]] static ModelPlace parse(std::string_view text);
    // What was typed where only models on servers are expected: "owner/repo" is a name, too. Nothing for other texts
    // than names and addresses that begin with https:// or http://.
    [[nodiscard]] static std::optional<ModelPlace> parseTyped(std::string_view text);
    // A link that was dropped: the name of a model on a hub, or the address of a file that has the suffix of a
    // container.
    [[nodiscard]] static std::optional<ModelPlace> parseLink(std::string_view link);

    // Exactly one of these is not null.
    [[nodiscard]] const std::filesystem::path* localPath() const {
        return std::get_if<std::filesystem::path>(&m_where);
    }
    [[nodiscard]] const Url* url() const { return std::get_if<Url>(&m_where); }
    [[nodiscard]] const HubName* hubName() const { return std::get_if<HubName>(&m_where); }

    [[nodiscard]] bool isLocal() const { return localPath() != nullptr; }
    [[nodiscard]] bool isRepository() const { return hubName() != nullptr && hubName()->isRepository(); }

    // As it was written. It may contain a signature or a password, so it is neither shown nor kept.
    [[nodiscard]] std::string text() const;
    // Without what may be secret: for the screen and for settings. parse() reads it.
    [[nodiscard]] std::string keptText() const;
    [[nodiscard]] ModelPlace kept() const { return isLocal() ? *this : parse(keptText()); }
    // The last part of the path or address: "model.gguf", "repo:Q8_0".
    [[nodiscard]] std::string fileName() const;
    // The address that is contacted first: the file's or the hub's. Empty for a path.
    [[nodiscard]] std::string contactedAddress() const;

    auto operator<=>(const ModelPlace&) const = default;

private:
    std::variant<std::filesystem::path, Url, HubName> m_where;
};

} // namespace gufo::hub
