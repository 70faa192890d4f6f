#include "ui/hub/known_origins.h"

#include "hub/model_name.h"
#include "ui/shell/native_path.h"
#include "ui/shell/remote_path.h"
#include "ui/shell/settings.h"

namespace gufo::ui {
namespace {

constexpr qsizetype kMaxKept = 200;

} // namespace

void rememberOrigin(const std::filesystem::path& file, const std::filesystem::path& address) {
    std::filesystem::path kept = keptPath(address);
    if (auto name = hub::parseModelName(address.native()); name && name->hub != net::Hub::Ollama) {
        name->revision.clear();
        kept = hub::shownName(*name);
    }
    QSettings settings;
    QJsonObject origins = readJson(settings, setting::kOrigins);
    if (origins.size() >= kMaxKept) {
        origins.erase(origins.begin());
    }
    origins.insert(encodePath(file), encodePath(kept));
    writeJson(settings, setting::kOrigins, origins);
}

std::filesystem::path knownOrigin(const std::filesystem::path& file) {
    return decodePath(readJson(QSettings(), setting::kOrigins).value(encodePath(file)).toString());
}

} // namespace gufo::ui
