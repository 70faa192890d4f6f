#include "ui/tools/plan_check.h"

#include "base/detail.h"
#include "document/open_model.h"
#include "inference/interface/memory_needs.h"
#include "inference/measuring/speed.h"
#include "model/swapped_model.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/native_path.h"
#include "ui/tools/measured_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::uint32_t kCheckedWindow = 512;
constexpr inference::SpeedTask kSpeedTask{.before = 0, .prompt = 32, .generated = 16};

class CheckWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::PlanCheck)
};

// A file that takes part, and its model in memory or on the disk.
struct Candidate {
    SizedFile file;
    std::shared_ptr<const Model> model;
};

Result<Candidate> planned(const PlanCheckRequest& request, const JobContext& job) {
    const RecipeOutcome& plan = *request.plan;
    Candidate candidate{.file = {.kind = SizedFile::Kind::Plan,
                                 .name = CheckWords::tr("plan"),
                                 .bytes = plan.file.fileBytes,
                                 .expected = plan.nats},
                        .model = nullptr};
    candidate.model =
        request.written.empty()
            ? GUFO_TRY(plannedInMemory(request.model, plan.file.tensors(), plan.request.imatrix.get(), job))
            : GUFO_TRY(openModel(request.written, job));
    return candidate;
}

// Mixes are made in memory as long as there is enough of it.
Result<std::vector<Candidate>> mixesBeside(const PlanCheckRequest& request, const JobContext& job) {
    std::vector<Candidate> candidates;
    const QuantizeRequest& asked = request.plan->request;
    const auto presets = GUFO_TRY(presetFiles(*request.model, asked, job));
    const std::uint64_t available = inference::machineMemory().available;
    std::uint64_t free = available > 0 ? available / 2 : ~std::uint64_t{0}; // not known: nothing is left out
    for (const PresetFile& preset : presetsBeside(presets, request.plan->file.fileBytes)) {
        Candidate candidate{.file = {.kind = SizedFile::Kind::Mix,
                                     .name = QString::fromUtf8(preset.recipe->name),
                                     .bytes = preset.file.fileBytes,
                                     .expected = expectedLoss(*request.costs, preset.file)},
                            .model = nullptr};
        if (preset.file.tensorBytes > free) {
            candidate.file.whyNot = CheckWords::tr("There is not enough free memory for its weights.");
        } else {
            free -= preset.file.tensorBytes;
            candidate.model = GUFO_TRY(plannedInMemory(request.model, preset.file.tensors(), asked.imatrix.get(), job));
        }
        candidates.push_back(std::move(candidate));
    }
    return candidates;
}

// The other files that have the tensors of this model.
Result<std::vector<Candidate>> otherFiles(const PlanCheckRequest& request, const JobContext& job) {
    std::vector<Candidate> candidates;
    for (const std::filesystem::path& path : request.others) {
        auto model = openModel(path, job);
        if (!model && model.error().code == ErrorCode::Cancelled) {
            return std::unexpected(std::move(model.error()));
        }
        if (model && checkSwappable(*request.model, **model) && path != request.model->path() &&
            path != request.written) {
            candidates.push_back({.file = {.kind = SizedFile::Kind::File,
                                           .name = fileNameText(path),
                                           .bytes = (*model)->totals().fileBytes},
                                  .model = std::move(*model)});
        }
    }
    return candidates;
}

Result<double> speedOf(inference::Session& session, const Model& model, const JobContext& job) {
    session.truncate(0);
    const auto speed = GUFO_TRY(inference::measureSpeed(session, model, kSpeedTask, job));
    session.truncate(0);
    return speed.generationTps;
}

} // namespace

std::optional<double> expectedLoss(const CostTable& costs, const QuantizePlan& file) {
    double nats = 0;
    for (const TensorCosts& tensor : costs.tensors) {
        const auto type =
            std::ranges::find(tensor.types, file.tensors()[tensor.tensor.value].typeId, &TypeCost::typeId);
        if (type == tensor.types.end()) {
            return {};
        }
        nats += type->nats;
    }
    return nats;
}

Result<std::vector<SizedFile>> sizedMixes(const Model& model, const CostTable& costs, const QuantizeRequest& request,
                                          const JobContext& job) {
    std::vector<SizedFile> mixes;
    for (const PresetFile& preset : GUFO_TRY(presetFiles(model, request, job))) {
        mixes.push_back({.kind = SizedFile::Kind::Mix,
                         .name = QString::fromUtf8(preset.recipe->name),
                         .bytes = preset.file.fileBytes,
                         .expected = expectedLoss(costs, preset.file)});
    }
    return mixes;
}

Result<std::vector<SizedFile>> checkPlan(const PlanCheckRequest& request, const JobContext& job) {
    const JobContext silent = job.silent();
    const auto tokenizer = GUFO_TRY(text::makeTokenizer(*request.model, silent));
    const auto tokens = GUFO_TRY(tokensOfFile(request.text, *tokenizer, silent));
    inference::PerplexitySettings settings{.window = kCheckedWindow, .bos = tokens.bos};
    const inference::SessionOptions options{.context = settings.window, .logitRows = settings.window};
    auto original = GUFO_TRY(MeasuredModel::load(request.model, options, silent));
    settings.window = std::min(settings.window, original.session().context());
    if (tokens.ids.size() < settings.window) {
        return std::unexpected(
            Error{ErrorCode::InvalidArgument,
                  request.text,
                  {},
                  {Argument(Detail::WindowTooLong, {std::uint64_t{tokens.ids.size()}, settings.window})},
                  0});
    }
    std::vector<Candidate> candidates;
    candidates.push_back(GUFO_TRY(planned(request, silent)));
    for (auto more : {&mixesBeside, &otherFiles}) {
        std::ranges::move(GUFO_TRY(more(request, silent)), std::back_inserter(candidates));
    }
    std::vector<std::unique_ptr<MeasuredModel>> running;
    std::vector<inference::Session*> sessions;
    std::vector<std::size_t> measured; // indices of the candidates that run
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (candidates[i].model == nullptr) {
            continue;
        }
        auto loaded = MeasuredModel::load(candidates[i].model, options, silent);
        if (!loaded && (i == 0 || loaded.error().code == ErrorCode::Cancelled)) {
            return std::unexpected(std::move(loaded.error()));
        }
        if (!loaded) {
            candidates[i].file.whyNot = errorLine(loaded.error());
            continue;
        }
        running.push_back(std::make_unique<MeasuredModel>(std::move(*loaded)));
        sessions.push_back(&running.back()->session());
        measured.push_back(i);
    }
    const auto results = GUFO_TRY(inference::perplexities(original.session(), sessions, tokens.ids, settings, job));
    for (std::size_t k = 0; k < measured.size(); ++k) {
        Candidate& candidate = candidates[measured[k]];
        candidate.file.measured = results[k].divergence;
        if (settings.window > kSpeedTask.prompt + kSpeedTask.generated) {
            candidate.file.tokensPerSecond = GUFO_TRY(speedOf(*sessions[k], *candidate.model, silent));
        }
        GUFO_TRY(running[k]->damage());
    }
    GUFO_TRY(original.damage());
    std::vector<SizedFile> files;
    for (Candidate& candidate : candidates) {
        files.push_back(std::move(candidate.file));
    }
    return files;
}

} // namespace gufo::ui
