#include "inference/process/process_model.h"

#include "base/detail.h"
#include "inference/engine/compute/team.h"
#include "inference/engine/gufo_engine.h"
#include "inference/interface/embedder.h"
#include "inference/process/process_session.h"
#include "model/set_fault.h"
#include "tensor/tensor_type.h"
#include "text/helper_program.h"

#include <QFile>

#include <algorithm>
#include <array>
#include <cmath>

namespace gufo::inference {
namespace {

constexpr std::uint32_t kDefaultContext = 4096;
constexpr std::uint32_t kMinOutputs = 32; // rows of logits for which drafts are evaluated together

channel::RopeMethod methodOf(const std::optional<RopeScaling>& scaling) {
    if (!scaling) {
        return channel::RopeMethod::OfFile;
    }
    switch (*scaling) {
    case RopeScaling::None:
        return channel::RopeMethod::None;
    case RopeScaling::Linear:
        return channel::RopeMethod::Linear;
    case RopeScaling::Yarn:
        return channel::RopeMethod::Yarn;
    case RopeScaling::LongRope: // cannot be requested
        break;
    }
    return channel::RopeMethod::OfFile;
}

// Errors: the errors of loadInProcess().
Result<> checkFiles(const Model& model) {
    const auto refuse = [](const std::filesystem::path& path) {
        return std::unexpected(Error{ErrorCode::NotRunnable, path, {}, {Detail::EngineNeedsLocalFile}, 0});
    };
    constexpr std::string_view kMagic = "GGUF";
    for (std::size_t i = 0; i < model.shardCount(); ++i) {
        const ModelFile& file = model.files[i];
        if (file.source == nullptr) {
            return std::unexpected(Error{ErrorCode::FileNotFound, file.path, {}, {}, 0});
        }
        const auto start = file.source->view({.offset = 0, .length = kMagic.size()});
        if (!file.source->identity() || !start || !std::ranges::equal(*start, std::as_bytes(std::span(kMagic)))) {
            return refuse(file.path);
        }
    }
    return model.importedFiles == 0 ? Result<>() : refuse(model.path());
}

class ProcessModel final : public LoadedModel {
public:
    ProcessModel(std::shared_ptr<const Model> model, std::filesystem::path program)
        : m_model(std::move(model))
        , m_program(std::move(program)) {
        const auto trained = m_model->metadata.uint(m_model->metadata.architectureKey("context_length"));
        m_trained = static_cast<std::uint32_t>(std::min<std::uint64_t>(trained.value_or(0), channel::kMaxContext));
    }

    [[nodiscard]] const std::shared_ptr<const Model>& model() const override { return m_model; }
    [[nodiscard]] std::uint32_t trainedContext() const override { return m_trained; }
    [[nodiscard]] std::span<const std::string> leftOut() const override { return {}; }

private:
    [[nodiscard]] channel::Load requestOf(const SessionOptions& options) const;
    [[nodiscard]] Result<std::unique_ptr<Session>> start(const SessionOptions& options,
                                                         const JobContext& job) const override;

    std::shared_ptr<const Model> m_model;
    std::filesystem::path m_program;
    std::uint32_t m_trained = 0;
};

channel::Load ProcessModel::requestOf(const SessionOptions& options) const {
    channel::Load load;
    for (std::size_t i = 0; i < m_model->shardCount(); ++i) {
        load.files.push_back(std::filesystem::absolute(m_model->files[i].path).string());
    }
    load.context = options.context;
    if (load.context == 0) {
        load.context = m_trained != 0 ? std::min(m_trained, kDefaultContext) : kDefaultContext;
    }
    load.batch = std::clamp(options.batch, 1U, load.context);
    load.threads = options.threads != 0 ? options.threads : physicalCores();
    load.outputs = std::min(std::max(options.logitRows, kMinOutputs), load.batch);
    load.gpuLayers = options.offload.layers;
    load.machines = options.offload.machines;
    load.keys = static_cast<std::uint32_t>(kvTensorType(options.keys));
    load.values = static_cast<std::uint32_t>(kvTensorType(options.values));
    load.rope = methodOf(options.rope.scaling);
    load.ropeBase = options.rope.base.value_or(0);
    load.ropeScale = options.rope.scale.value_or(0);
    load.ropeContext = options.rope.originalContext.value_or(0);
    return load;
}

Result<std::unique_ptr<Session>> ProcessModel::start(const SessionOptions& options, const JobContext& job) const {
    auto process = GUFO_TRY(EngineProcess::start(m_program, job));
    const channel::Load load = requestOf(options);
    const std::uint64_t bytes = m_model->totals().fileBytes;
    job.start(bytes);
    std::uint64_t loadedBytes = 0;
    const auto reply = GUFO_TRY(process->ask(
        load,
        [&](channel::Reply& part) {
            const auto* loading = std::get_if<channel::Loading>(&part);
            if (loading == nullptr) {
                return false;
            }
            const double share = std::isfinite(loading->share) ? std::clamp(loading->share, 0.0F, 1.0F) : 0.0F;
            const auto reached = std::max(loadedBytes, static_cast<std::uint64_t>(share * static_cast<double>(bytes)));
            job.advance(reached - loadedBytes);
            loadedBytes = reached;
            return true;
        },
        job));
    if (const auto* failed = std::get_if<channel::Failed>(&reply)) {
        return std::unexpected(errorOf(*failed));
    }
    const auto* loaded = std::get_if<channel::Loaded>(&reply);
    if (loaded == nullptr || loaded->vocabulary == 0 || loaded->vocabulary > channel::kMaxVocabulary ||
        loaded->context == 0 || loaded->context > load.context) {
        return std::unexpected(process->endForBrokenProtocol());
    }
    return std::make_unique<ProcessSession>(std::move(process), *loaded);
}

std::filesystem::path libllamaProgram() {
    return QFile::encodeName(text::helperProgram(QStringLiteral("gufo-llama-helper"))).toStdString();
}

} // namespace

Result<std::shared_ptr<const LoadedModel>> loadInProcess(std::shared_ptr<const Model> model,
                                                         std::filesystem::path program) {
    if (onlyEmbeds(*model)) {
        return fail(ErrorCode::NotRunnable, Place::key("general.architecture"),
                    {"general.architecture = " + std::string(model->metadata.architecture())});
    }
    GUFO_TRY(checkSet(*model));
    GUFO_TRY(checkFiles(*model));
    return std::make_shared<const ProcessModel>(std::move(model), std::move(program));
}

Result<std::string> versionOfProcess(const std::filesystem::path& program, const JobContext& job) {
    const auto process = GUFO_TRY(EngineProcess::start(program, job));
    return process->version();
}

bool isProcessGone(const Error& error) {
    constexpr std::array kEnds = {Detail::EngineKilled, Detail::EngineExited, Detail::EngineSilent, Detail::EngineStuck,
                                  Detail::EngineProtocolBroken};
    const auto why = error.args.empty() ? std::nullopt : error.args[0].detail();
    return error.code == ErrorCode::NotRunnable && why && std::ranges::find(kEnds, *why) != kEnds.end();
}

Result<std::string> versionOfLibllama(const JobContext& job) { return versionOfProcess(libllamaProgram(), job); }

Result<std::shared_ptr<const LoadedModel>> loadWithLibllama(std::shared_ptr<const Model> model) {
    return loadInProcess(std::move(model), libllamaProgram());
}

} // namespace gufo::inference
