#include "ui/messages/engine_text.h"

#include "base/detail.h"
#include "formats/container/container.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/detail_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

namespace gufo::ui {

// ---- engines -------------------------------------------------------------------------------------------------------

namespace {

class EngineWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::Engines)
};

// In the order of inference::Feature.
constexpr std::array<const char*, inference::kFeatureCount> kMissing{
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not report token probabilities"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not report candidate tokens"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine cannot continue from another token"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine cannot continue a partial answer"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine accepts conversations only"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine applies its own chat template"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not support grammars"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not support JSON schemas"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine accepts text, not single tokens"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not support context shifting"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not forecast its memory use"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not report the probabilities of all tokens"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not compute embeddings"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine cannot save its state"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine has no chat template of its own"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not report probabilities after the samplers"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine only supports temperature, top-p, frequency and presence "
                                           "penalties, and a seed"),
    QT_TRANSLATE_NOOP("gufo::ui::Engines", "this engine does not report the probabilities of a given text's tokens"),
};

} // namespace

QString engineName(std::string_view id) {
    return id == "gufo"       ? EngineWords::tr("Gufo")
           : id == "libllama" ? QStringLiteral("libllama")
           : id == "server"   ? EngineWords::tr("A server")
                              : QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size()));
}

QString featureMissing(inference::Feature feature) {
    return EngineWords::tr(kMissing[static_cast<std::size_t>(feature)]);
}

QString featureMissingTip(inference::Feature feature) {
    QString text = featureMissing(feature);
    text[0] = text[0].toUpper();
    return text;
}

QString mtpDraftsMissingTip(const Error& error) {
    QString text = mtpDraftsMissing(error);
    text[0] = text[0].toUpper();
    return text;
}

QString mtpDraftsMissing(const Error& error) {
    switch (error.code) {
    case ErrorCode::NotSupported:
        return EngineWords::tr("this engine cannot draft with a block of the model");
    case ErrorCode::NoSuchKey:
        return EngineWords::tr("the model has no block that predicts further tokens (multi-token prediction)");
    default:
        return error.place.kind == Place::Kind::Tensor
                   ? EngineWords::tr("the model's block that predicts further tokens cannot be used: %1: %2")
                         .arg(displayText(error.place.name), errorReason(error))
                   : EngineWords::tr("the model's block that predicts further tokens cannot be used: %1")
                         .arg(errorReason(error));
    }
}

QString serverText(const inference::ServerFacts& facts) {
    QString text = facts.dialect == inference::ServerDialect::LlamaServer
                       ? QStringLiteral("llama-server")
                       : EngineWords::tr("a server with OpenAI's interface");
    if (!facts.build.empty()) {
        text += u' ' + displayText(facts.build);
    }
    if (facts.context != 0) {
        text += EngineWords::tr(", context of %n tokens", nullptr, numerus(facts.context));
    }
    if (facts.vision) {
        text += EngineWords::tr(", sees pictures");
    }
    if (facts.audio) {
        text += EngineWords::tr(", hears audio");
    }
    return text;
}

Argument serverMatchDetail(const inference::ServerMatch& match) {
    using inference::Agreement;
    const Agreement model = match.model();
    Argument which = model == Agreement::Same        ? Detail::ServerRunsThis
                     : model == Agreement::Different ? Detail::ServerRunsOther
                                                     : Detail::ServerModelUnknown;
    return match.chatTemplate == Agreement::Different ? Argument(Detail::ServerTemplateDiffers, {std::move(which)})
                                                      : which;
}

QString serverMatchText(const inference::ServerMatch& match) { return argumentText(serverMatchDetail(match)); }

QString typedSpecialsText(std::span<const std::string> texts) {
    constexpr std::size_t kNamed = 3;
    QStringList names;
    for (const std::string& text : texts.first(std::min(kNamed, texts.size()))) {
        names << displayText(text);
    }
    const QString list = names.join(QStringLiteral(", "));
    return texts.size() <= kNamed
               ? list
               : EngineWords::tr("%1 and %n others", nullptr, numerus(texts.size() - kNamed)).arg(list);
}

// ---- tensors that are left out -------------------------------------------------------------------------------------

namespace {

class LeftOutWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::LeftOut)
};

constexpr std::size_t kMaxNamed = 4;

// "blk.46" of "blk.46.attn_q.weight"; empty if the tensor is not one of a block.
std::string_view blockOf(std::string_view name) {
    constexpr std::string_view kBlock = "blk.";
    return name.starts_with(kBlock) ? name.substr(0, name.find('.', kBlock.size())) : std::string_view();
}

// A name, or a block that predicts further tokens (multi-token prediction), whose tensors together count as one.
struct LeftOutItem {
    QString text;
    std::size_t tensors = 1;
};
bool predicts(std::string_view name, std::string_view block) {
    return !block.empty() && name.substr(block.size()).starts_with(".nextn.");
}
std::vector<LeftOutItem> itemsOf(std::span<const std::string> tensors) {
    std::map<std::string_view, std::size_t> counts; // of blocks that predict further tokens
    for (const std::string& name : tensors) {
        if (const std::string_view block = blockOf(name); predicts(name, block)) {
            counts[block] = 0;
        }
    }
    const auto countOf = [&](const std::string& name) { return counts.find(blockOf(name)); };
    for (const std::string& name : tensors) {
        if (const auto count = countOf(name); count != counts.end()) {
            ++count->second;
        }
    }
    std::vector<LeftOutItem> items;
    for (const std::string& name : tensors) {
        const auto count = countOf(name);
        if (count == counts.end()) {
            items.push_back({displayText(name)});
        } else if (count->second != 0) {
            items.push_back(
                {LeftOutWords::tr("%1 (%n tensors that predict further tokens)", nullptr, numerus(count->second))
                     .arg(displayText(count->first)),
                 count->second});
            count->second = 0; // named once
        }
    }
    return items;
}

} // namespace

QString leftOutText(std::span<const std::string> all, bool drafts) {
    std::vector<std::string> tensors(all.begin(), all.end());
    const auto first = std::ranges::find_if(all, [](const std::string& name) { return predicts(name, blockOf(name)); });
    if (drafts && first != all.end()) {
        std::erase_if(tensors, [block = blockOf(*first)](const std::string& name) { return blockOf(name) == block; });
    }
    if (tensors.empty()) {
        return {};
    }
    QStringList texts;
    std::size_t rest = tensors.size();
    for (const LeftOutItem& item : itemsOf(tensors)) {
        if (texts.size() == kMaxNamed) {
            break;
        }
        texts << item.text;
        rest -= item.tensors;
    }
    const QString list = texts.join(QStringLiteral(", "));
    return rest != 0 ? LeftOutWords::tr("Ignored, because they do not affect the answers: %1 and %2 more tensors.")
                           .arg(list, formatCount(rest))
                     : LeftOutWords::tr("Ignored, because they do not affect the answers: %1.").arg(list);
}

QString decoderLeftOutText() {
    return LeftOutWords::tr("Gufo runs the encoder of this model, but not its decoder, which would generate texts.");
}

// ---- memory --------------------------------------------------------------------------------------------------------

namespace {

class MemoryWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::Memory)
};

// Whether the file itself is what keeps the model from running: no engine runs it. Otherwise, others than Gufo's may.
bool hasFault(const inference::MemoryForecast& forecast) {
    return forecast.refusal && forecast.refusal->code != ErrorCode::NotRunnable &&
           forecast.refusal->code != ErrorCode::LimitExceeded;
}

} // namespace

QString memoryVerdictText(const inference::MemoryForecast& forecast, const inference::MachineMemory& machine) {
    if (machine.total == 0) {
        return {};
    }
    const inference::MemoryNeeds& needs = forecast.needs;
    if (forecast.partial && forecast.verdict == inference::MemoryVerdict::Fits) {
        return MemoryWords::tr(
            "Parts of the model are missing from the file, so it needs more than these figures say.");
    }
    const QString free = formatBytes(machine.available);
    const auto& longest = forecast.longestContext;
    switch (forecast.verdict) {
    case inference::MemoryVerdict::Fits:
        if (hasFault(forecast)) {
            return MemoryWords::tr("Would fit into the %1 of free memory, but the model cannot be run.").arg(free);
        }
        if (!longest || (needs.context > needs.trainedContext && *longest <= needs.context)) {
            return MemoryWords::tr("Fits into the %1 of free memory.").arg(free);
        }
        return needs.trainedContext != 0 && *longest >= needs.trainedContext
                   ? MemoryWords::tr("Fits into the %1 of free memory with the full trained context of %n tokens.",
                                     nullptr, numerus(needs.trainedContext))
                         .arg(free)
                   : MemoryWords::tr("Fits into the %1 of free memory, up to a context of %n tokens.", nullptr,
                                     numerus(*longest))
                         .arg(free);
    case inference::MemoryVerdict::WeightsExceed:
        return longest && *longest < needs.context
                   ? MemoryWords::tr(
                         "Needs %1 more than the %2 of free memory: parts of the file will be read from the disk "
                         "again for every token, which is slow. A context of %n tokens would fit.",
                         nullptr, numerus(*longest))
                         .arg(formatBytes(needs.total() - machine.available), free)
                   : MemoryWords::tr(
                         "The weights do not fit into the %1 of free memory: parts of the file will be read from "
                         "the disk again for every token, which is slow.")
                         .arg(free);
    case inference::MemoryVerdict::DoesNotFit:
        break;
    }
    const QString figures = MemoryWords::tr("KV cache and buffers need %1, but only %2 are free.")
                                .arg(formatBytes(needs.anonymous()), free) +
                            u' ';
    return figures + (longest ? MemoryWords::tr("A context of %n tokens would fit.", nullptr, numerus(*longest))
                              : MemoryWords::tr("Even the shortest context does not fit; close other programs."));
}

bool memorySuffices(const inference::MemoryForecast& forecast) {
    return forecast.verdict == inference::MemoryVerdict::Fits && !forecast.partial && !hasFault(forecast);
}

QString kvGrowthText(const inference::MemoryNeeds& needs) {
    const QString bytes = formatBytes(needs.kvPerToken);
    return needs.slidingWindows ? MemoryWords::tr("%1 per token past the sliding windows").arg(bytes)
                                : MemoryWords::tr("%1 per token").arg(bytes);
}

QString memoryEstimateText(const inference::MemoryForecast& forecast) {
    if (hasFault(forecast)) {
        return MemoryWords::tr("An estimate, because the model cannot be run: %1.").arg(errorReason(*forecast.refusal));
    }
    return forecast.refusal ? MemoryWords::tr("An estimate, because Gufo's engine cannot run this model: %1.")
                                  .arg(errorReason(*forecast.refusal))
                            : QString();
}

QString memoryProblemText(const Model& model, const Error& error) {
    if (!model.tensors.empty() && !capabilitiesOf(model).has(Capability::Run)) {
        return MemoryWords::tr("The memory is estimated from the keys of GGUF, which this file does not have.");
    }
    if (error.place.kind == Place::Kind::Key) {
        return MemoryWords::tr("The memory cannot be estimated: %1.").arg(errorReason(error));
    }
    if (error.code != ErrorCode::NotSupported) {
        const QString hint = errorHint(error);
        return errorReason(error) + (hint.isEmpty() ? QString() : QStringLiteral(". ") + hint);
    }
    return model.tensors.empty() ? MemoryWords::tr("This file contains no weights.")
                                 : MemoryWords::tr("This file is not a complete model and cannot be run on its own.");
}

} // namespace gufo::ui
