#include "hub/model_place.h"

#include "base/ascii.h"
#include "formats/container/container.h"
#include "net/http.h"

#include <algorithm>

namespace gufo::hub {
namespace {

bool hasScheme(std::string_view text) {
    const std::string_view scheme = text.substr(0, text.find("://"));
    return scheme.size() > 1 && scheme.size() < text.size() && // one letter: a drive
           std::ranges::all_of(scheme, isAsciiLetterOrDigit);
}

std::optional<HubName> hubNameIn(std::string_view text) {
    auto name = parseModelName(text);
    return name ? std::optional(HubName{*std::move(name), std::string(text)}) : std::nullopt;
}

} // namespace

HubName HubName::of(ModelName name) {
    std::string text = shownName(name);
    return {std::move(name), std::move(text)};
}

bool HubName::isRepository() const {
    // A name on Ollama's registry means one model, and a path that has a suffix one file.
    return name.hub != net::Hub::Ollama && name.quantisation.empty() &&
           std::filesystem::path(name.path).extension().empty();
}

bool HubName::isFileAddress() const {
    return net::isAddress(text) && !name.revision.empty() && name.path.ends_with(".gguf");
}

ModelPlace ModelPlace::parse(std::string_view text) {
    if (auto name = hubNameIn(text)) {
        return *std::move(name);
    }
    return hasScheme(text) ? ModelPlace(Url{std::string(text)}) : ModelPlace(std::filesystem::path(text));
}

std::optional<ModelPlace> ModelPlace::parseTyped(std::string_view text) {
    if (auto name = hubNameIn(text)) {
        return *std::move(name);
    }
    if (net::isAddress(text)) {
        return Url{std::string(text)};
    }
    auto name = parseShortName(text);
    return name ? std::optional<ModelPlace>(HubName::of(*std::move(name))) : std::nullopt;
}

std::optional<ModelPlace> ModelPlace::parseLink(std::string_view link) {
    ModelPlace place = parse(link);
    const bool isModel =
        place.hubName() != nullptr || (net::isAddress(link) && containerByName(place.fileName()) != nullptr);
    return isModel ? std::optional(std::move(place)) : std::nullopt;
}

std::string ModelPlace::text() const {
    if (const Url* address = url()) {
        return address->text;
    }
    const HubName* name = hubName();
    return name != nullptr ? name->text : localPath()->native();
}

std::string ModelPlace::keptText() const { return isLocal() ? text() : net::shownAddress(text()); }

std::string ModelPlace::fileName() const {
    if (const auto* path = localPath()) {
        return path->filename().native();
    }
    const std::string kept = keptText();
    return decodedPath(std::string_view(kept).substr(kept.rfind('/') + 1));
}

std::string ModelPlace::contactedAddress() const {
    const HubName* name = hubName();
    return name != nullptr ? net::endpointOf(name->name.hub) : url() != nullptr ? url()->text : std::string();
}

} // namespace gufo::hub
