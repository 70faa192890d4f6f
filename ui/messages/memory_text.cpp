#include "ui/messages/memory_text.h"

#include "ui/messages/error_text.h"
#include "ui/messages/format.h"

#include <QCoreApplication>

namespace gufo::ui {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::Memory)
};

} // namespace

QString memoryVerdictText(const inference::MemoryForecast& forecast, const inference::MachineMemory& machine) {
    if (machine.total == 0) {
        return {};
    }
    const inference::MemoryNeeds& needs = forecast.needs;
    const QString free = formatBytes(machine.available);
    const auto& longest = forecast.longestContext;
    switch (forecast.verdict) {
    case inference::MemoryVerdict::Fits:
        if (!longest || (needs.context > needs.trainedContext && *longest <= needs.context)) {
            return Words::tr("Fits in the %1 that are free.").arg(free);
        }
        return needs.trainedContext != 0 && *longest >= needs.trainedContext
                   ? Words::tr("Fits in the %1 that are free, with the whole trained context of %2 tokens.")
                         .arg(free, formatCount(needs.trainedContext))
                   : Words::tr("Fits in the %1 that are free, up to a context of %2 tokens.")
                         .arg(free, formatCount(*longest));
    case inference::MemoryVerdict::WeightsExceed:
        return longest && *longest < needs.context
                   ? Words::tr("%1 more than the %2 that are free: parts of the file will be read from the disk again "
                               "for every token, which is slow. A context of %3 tokens would fit.")
                         .arg(formatBytes(needs.total() - machine.available), free, formatCount(*longest))
                   : Words::tr(
                         "The weights do not fit in the %1 that are free: parts of the file will be read from the "
                         "disk again for every token, which is slow.")
                         .arg(free);
    case inference::MemoryVerdict::DoesNotFit:
        break;
    }
    const QString figures =
        Words::tr("KV cache and buffers take %1, and %2 are free.").arg(formatBytes(needs.anonymous()), free) + u' ';
    return figures + (longest ? Words::tr("A context of %1 tokens would fit.").arg(formatCount(*longest))
                              : Words::tr("No context is small enough; close other programs."));
}

QString memoryEstimateText(const inference::MemoryForecast& forecast) {
    return forecast.refusal
               ? Words::tr("An estimate, as Gufo's engine does not run it: %1.").arg(errorReason(*forecast.refusal))
               : QString();
}

QString memoryProblemText(const Model& model, const Error& error) {
    if (error.code != ErrorCode::NotSupported) {
        const QString hint = errorHint(error);
        return errorReason(error) + (hint.isEmpty() ? QString() : QStringLiteral(". ") + hint);
    }
    if (error.place.kind == Place::Kind::Key) {
        return Words::tr("No estimate: it takes %1, which the file does not state.").arg(displayText(error.place.name));
    }
    return model.tensors.empty() ? Words::tr("There are no weights in this file to run.")
                                 : Words::tr("This file is no whole model, and does not run by itself.");
}

} // namespace gufo::ui
