#include "formats/container/container.h"

#include "base/ascii.h"
#include "model/set_fault.h"

#include <algorithm>

namespace gufo {
namespace {

const Container* firstWhere(auto&& wanted) {
    const std::span<const Container> rows = containers();
    const auto row = std::ranges::find_if(rows, wanted);
    return row != rows.end() ? &*row : nullptr;
}

bool endsWithIgnoringCase(std::string_view name, std::string_view suffix) {
    return name.size() > suffix.size() && equalIgnoringCase(name.substr(name.size() - suffix.size()), suffix);
}

} // namespace

bool Container::recognises(const FileStart& start) const {
    return matches != nullptr ? matches(start) : start.hasAt(magicOffset, magic);
}

const Container* findContainer(std::string_view id) {
    return firstWhere([&](const Container& container) { return container.id == id; });
}

const Container* detectContainer(const ByteSource& file) {
    const auto start = startOf(file);
    return start ? firstWhere([&](const Container& container) { return container.recognises(*start); }) : nullptr;
}

const Container* containerByName(const std::filesystem::path& fileName) {
    return firstWhere(
        [&](const Container& container) { return container.readable() && !suffixIn(fileName, container).empty(); });
}

std::string_view suffixIn(const std::filesystem::path& fileName, const Container& container) {
    const auto found = std::ranges::find_if(
        container.suffixes, [&](std::string_view suffix) { return endsWithIgnoringCase(fileName.native(), suffix); });
    return found != container.suffixes.end() ? *found : std::string_view();
}

const Container* containerOf(const Model& model) {
    return model.container.empty() ? nullptr : findContainer(model.container);
}

std::string_view containerName(const Model& model) {
    const Container* container = containerOf(model);
    return container != nullptr ? container->name : std::string_view();
}

std::string_view containerFormat(const Model& model) {
    const Container* container = containerOf(model);
    return container != nullptr ? container->format : std::string_view();
}

Capabilities capabilitiesOf(const Model& model) {
    const Container* container = containerOf(model);
    if (container == nullptr) {
        return {};
    }
    const Capabilities all = container->capabilities;
    if (model.shardCount() == 1 && model.openedAs.empty()) {
        return all;
    }
    return container->ofSet != nullptr ? container->ofSet(model, all) : all.readOnly();
}

Result<> requireCapability(const Model& model, Capability capability) {
    if (capabilitiesOf(model).has(capability)) {
        return {};
    }
    // An incomplete set is read-only, although its container is not.
    const Container* container = containerOf(model);
    if (container != nullptr && container->capabilities.has(capability)) {
        GUFO_TRY(checkSet(model));
    }
    // What stands for the file, such as a manifest of Ollama, may be the reason.
    const ByteSource* companion = model.companions.empty() ? nullptr : model.companions.back().get();
    const Container* reason =
        companion != nullptr && companion->path() == model.openedAs ? detectContainer(*companion) : nullptr;
    return std::unexpected(Error{ErrorCode::FormatReadOnly,
                                 model.path(),
                                 {},
                                 {std::string(reason != nullptr ? reason->id : model.container)},
                                 0});
}

Error refusalOf(const ByteSource& file) {
    const auto start = startOf(file);
    const Container* container = detectContainer(file);
    if (const auto damage = file.damage()) { // before any other error, because the bytes that were recognised may have
                                             // been zeros
        return *damage;
    }
    if (!start) {
        return start.error();
    }
    if (container == nullptr) {
        return notAModel(std::as_bytes(std::span(start->bytes)), start->path);
    }
    return container->refuse != nullptr ? container->refuse(*start)
                                        : Error{ErrorCode::OtherFormat, start->path, {}, {container->id}, 0};
}

Result<std::shared_ptr<const Model>> readModel(std::shared_ptr<const ByteSource> file, const JobContext& job) {
    const Container* container = detectContainer(*file);
    if (container == nullptr) {
        container = containerByName(file->path().filename()); // its reader reports the error in the file
    }
    return container != nullptr && container->readable() ? container->read(std::move(file), job)
                                                         : std::unexpected(refusalOf(*file));
}

} // namespace gufo
