#include "hub/resolve.h"

#include "base/detail.h"

namespace gufo::hub {

Result<ResolvedModel> resolveModel(net::Client& client, std::string_view text, const JobContext& job) {
    const auto name = parseShortName(text);
    if (!name) {
        const std::string shown = net::shownAddress(text);
        if (isRemote(text) && !net::isAddress(text)) {
            const Argument scheme(text.substr(0, text.find("://")));
            return std::unexpected(Error{ErrorCode::AddressRefused, shown, {}, {{Detail::SchemeRefused, {scheme}}}, 0});
        }
        const std::string fileName = decodedPath(std::string_view(shown).substr(shown.rfind('/') + 1));
        if (!net::isAddress(text) || fileName.contains('/') || !isSafePath(fileName)) {
            return std::unexpected(Error{ErrorCode::AddressRefused, shown, {}, {Detail::AddressMalformed}, 0});
        }
        const RepositoryFile file{.path = fileName, .url = std::string(text)};
        return ResolvedModel{.model = {.name = file.path, .files = {file}}};
    }
    auto repository = listRepository(client, *name, job);
    auto model = GUFO_TRY(repository ? chooseModel(*repository, *name) : std::unexpected(repository.error()));
    if (const auto missing = firstMissing(model)) {
        Argument why(Detail::RemoteShardsMissing, {model.missing, missing->number, missing->count});
        return std::unexpected(Error{ErrorCode::NotSupported, shownName(*name), {}, {std::move(why)}, 0});
    }
    return ResolvedModel{.repository = *std::move(repository), .model = std::move(model)};
}

} // namespace gufo::hub
