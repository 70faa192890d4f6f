#include "inference/process/libllama.h"

#include "inference/process/process_model.h"
#include "inference/session/session_responder.h"
#include "text/helper_program.h"

#include <QFile>

namespace gufo::inference {
namespace {

std::filesystem::path program() {
    return QFile::encodeName(text::helperProgram(QStringLiteral("gufo-llama-helper"))).toStdString();
}

} // namespace

Result<std::string> versionOfLibllama(const JobContext& job) { return versionOfProcess(program(), job); }

Result<std::shared_ptr<const LoadedModel>> loadWithLibllama(std::shared_ptr<const Model> model) {
    return loadInProcess(std::move(model), program());
}

Result<std::unique_ptr<Responder>> openLibllama(const std::shared_ptr<const Model>& model,
                                                const SessionOptions& options, const JobContext& job) {
    auto loaded = GUFO_TRY(loadWithLibllama(model));
    SessionOptions withoutPrefixes = options;
    withoutPrefixes.prefixes = nullptr; // the states of this engine are large, and only the same library can use them
    return openSessionResponder(kLibllamaCapabilities, std::move(loaded), withoutPrefixes, job);
}

} // namespace gufo::inference
