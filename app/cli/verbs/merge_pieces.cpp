#include "cli/verbs/merge_pieces.h"

#include "cli/cancellation.h"
#include "cli/model_access.h"
#include "cli/progress_line.h"
#include "cli/save_report.h"
#include "formats/join_pieces.h"
#include "ui/messages/figure_text.h"

namespace gufo::cli {

std::optional<int> mergePieces(const Invocation& invocation, Console& console) {
    const auto set = piecesOfFile(invocation.file());
    if (!set) {
        return console.fail(set.error(), invocation.file());
    }
    if (!*set) {
        return std::nullopt;
    }
    const std::filesystem::path out = invocation.positional()[1];
    const Cancellation cancellation;
    Result<SaveReport> report;
    {
        ProgressLine line(console, ui::displayText(out.filename().native()));
        report = joinPieces(**set, out, {.verify = invocation.isSet("verify")},
                            {.stop = cancellation.token(), .progress = line.progress()});
    }
    return report ? printSaveReport(invocation, console, *report)
                  : failedOrCancelled(report.error(), out, cancellation, console);
}

} // namespace gufo::cli
