#include "hub/resolve.h"

#include "base/detail.h"

namespace gufo::hub {

Result<ResolvedModel> resolveModel(net::Client& client, std::string_view text, const JobContext& job) {
    const auto name = parseShortName(text);
    if (!name) {
        if (!net::isAddress(text)) {
            return std::unexpected(Error{ErrorCode::AddressRefused, text, {}, {Detail::AddressMalformed}, 0});
        }
        RepositoryFile file{.path = net::shownAddress(text), .url = std::string(text)};
        file.path = std::string(file.fileName());
        return ResolvedModel{.model = {.name = file.path, .files = {file}}};
    }
    auto repository = listRepository(client, *name, job);
    auto model = repository ? chooseModel(*repository, *name) : std::unexpected(repository.error());
    if (!model) {
        return std::unexpected(std::move(model).error());
    }
    if (model->missing > 0) {
        return std::unexpected(
            Error{ErrorCode::NotSupported, shownName(*name), {}, {{Detail::RemoteShardsMissing, {model->missing}}}, 0});
    }
    return ResolvedModel{.repository = *std::move(repository), .model = *std::move(model)};
}

} // namespace gufo::hub
