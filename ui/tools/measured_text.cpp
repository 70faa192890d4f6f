#include "ui/tools/measured_text.h"

#include "base/detail.h"
#include "base/mapped_file.h"
#include "inference/engine/gufo_engine.h"
#include "inference/engine_table.h"
#include "inference/interface/embedder.h"
#include "model/file_kind.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/figure_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::uint64_t kMaxText = std::uint64_t{1} << 30U;
constexpr std::uint32_t kLeastTrained = 4; // of a model that makes sense

QString words(const char* text) { return QCoreApplication::translate("gufo::ui::MeasuredText", text); }

} // namespace

Measurable canMeasure(const Model& model) {
    if (const FileKind kind = fileKind(model); kind != FileKind::Model) {
        return std::unexpected(
            words(QT_TRANSLATE_NOOP("gufo::ui::MeasuredText", "This file has no model that can run.")));
    }
    if (inference::onlyEmbeds(model)) {
        return std::unexpected(
            words(QT_TRANSLATE_NOOP("gufo::ui::MeasuredText",
                                    "This model embeds texts and does not predict them, so this cannot be measured.")));
    }
    if (inference::engineWith(inference::Feature::AllLogits) == nullptr) {
        return std::unexpected(featureMissingTip(inference::Feature::AllLogits) + u'.');
    }
    return {};
}

Result<MeasuredModel> MeasuredModel::load(std::shared_ptr<const Model> model, inference::SessionOptions options,
                                          const JobContext& job) {
    MeasuredModel measured;
    measured.m_model = std::move(model);
    for (const ModelFile& file : measured.m_model->files) {
        if (file.source != nullptr) {
            measured.m_held.push_back(file.source->hold());
        }
    }
    const inference::Engine* engine = inference::engineWith(inference::Feature::AllLogits);
    measured.m_loaded = GUFO_TRY(engine->load(measured.m_model));
    if (const std::uint32_t trained = measured.m_loaded->trainedContext(); trained >= kLeastTrained) {
        options.context = std::min(options.context, trained);
        options.logitRows = std::min(options.logitRows, trained);
    }
    measured.m_session = GUFO_TRY(measured.m_loaded->startSession(options, job));
    return measured;
}

Result<> MeasuredModel::damage() const {
    for (const ModelFile& file : m_model->files) {
        if (const auto damage = file.source != nullptr ? file.source->damage() : std::nullopt) {
            return std::unexpected(*damage);
        }
    }
    return {};
}

Result<TextTokens> tokensOfFile(const std::filesystem::path& path, const text::Tokenizer& tokenizer,
                                const JobContext& job) {
    const auto file = GUFO_TRY(MappedFile::open(path));
    if (file->size() > kMaxText) {
        return std::unexpected(Error{ErrorCode::LimitExceeded,
                                     path,
                                     {},
                                     {Detail::Bytes, std::to_string(file->size()), std::to_string(kMaxText)},
                                     0});
    }
    const auto bytes = GUFO_TRY(file->view({0, file->size()}));
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size()); // another program may write
    if (const auto damage = file->damage()) {
        return std::unexpected(*damage);
    }
    auto encoding = GUFO_TRY(tokenizer.encode(text, {}, job));
    return TextTokens{.ids = std::move(encoding.ids),
                      .bos = tokenizer.addsBos() ? tokenizer.specials().bos : std::nullopt};
}

} // namespace gufo::ui
