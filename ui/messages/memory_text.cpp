#include "ui/messages/memory_text.h"

#include "formats/container/container.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"

#include <QCoreApplication>

namespace gufo::ui {
namespace {

class Words {
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
        return Words::tr("Parts of the model are missing from the file, so it needs more than these figures say.");
    }
    const QString free = formatBytes(machine.available);
    const auto& longest = forecast.longestContext;
    switch (forecast.verdict) {
    case inference::MemoryVerdict::Fits:
        if (hasFault(forecast)) {
            return Words::tr("Would fit into the %1 of free memory, but the model cannot be run.").arg(free);
        }
        if (!longest || (needs.context > needs.trainedContext && *longest <= needs.context)) {
            return Words::tr("Fits into the %1 of free memory.").arg(free);
        }
        return needs.trainedContext != 0 && *longest >= needs.trainedContext
                   ? Words::tr("Fits into the %1 of free memory with the full trained context of %n tokens.", nullptr,
                               numerus(needs.trainedContext))
                         .arg(free)
                   : Words::tr("Fits into the %1 of free memory, up to a context of %n tokens.", nullptr,
                               numerus(*longest))
                         .arg(free);
    case inference::MemoryVerdict::WeightsExceed:
        return longest && *longest < needs.context
                   ? Words::tr("Needs %1 more than the %2 of free memory: parts of the file will be read from the disk "
                               "again for every token, which is slow. A context of %n tokens would fit.",
                               nullptr, numerus(*longest))
                         .arg(formatBytes(needs.total() - machine.available), free)
                   : Words::tr("The weights do not fit into the %1 of free memory: parts of the file will be read from "
                               "the disk again for every token, which is slow.")
                         .arg(free);
    case inference::MemoryVerdict::DoesNotFit:
        break;
    }
    const QString figures =
        Words::tr("KV cache and buffers need %1, but only %2 are free.").arg(formatBytes(needs.anonymous()), free) +
        u' ';
    return figures + (longest ? Words::tr("A context of %n tokens would fit.", nullptr, numerus(*longest))
                              : Words::tr("Even the shortest context does not fit; close other programs."));
}

bool memorySuffices(const inference::MemoryForecast& forecast) {
    return forecast.verdict == inference::MemoryVerdict::Fits && !forecast.partial && !hasFault(forecast);
}

QString kvGrowthText(const inference::MemoryNeeds& needs) {
    const QString bytes = formatBytes(needs.kvPerToken);
    return needs.slidingWindows ? Words::tr("%1 per token past the sliding windows").arg(bytes)
                                : Words::tr("%1 per token").arg(bytes);
}

QString memoryEstimateText(const inference::MemoryForecast& forecast) {
    if (hasFault(forecast)) {
        return Words::tr("An estimate, because the model cannot be run: %1.").arg(errorReason(*forecast.refusal));
    }
    return forecast.refusal ? Words::tr("An estimate, because Gufo's engine cannot run this model: %1.")
                                  .arg(errorReason(*forecast.refusal))
                            : QString();
}

QString memoryProblemText(const Model& model, const Error& error) {
    if (!model.tensors.empty() && !capabilitiesOf(model).has(Capability::Run)) {
        return Words::tr("The memory is estimated from the keys of GGUF, which this file does not have.");
    }
    if (error.place.kind == Place::Kind::Key) {
        return Words::tr("The memory cannot be estimated: %1.").arg(errorReason(error));
    }
    if (error.code != ErrorCode::NotSupported) {
        const QString hint = errorHint(error);
        return errorReason(error) + (hint.isEmpty() ? QString() : QStringLiteral(". ") + hint);
    }
    return model.tensors.empty() ? Words::tr("This file contains no weights.")
                                 : Words::tr("This file is not a complete model and cannot be run on its own.");
}

} // namespace gufo::ui
