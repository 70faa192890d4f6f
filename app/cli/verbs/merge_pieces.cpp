#include "cli/verbs/merge_pieces.h"

#include "cli/cancellation.h"
#include "cli/model_access.h"
#include "cli/progress_line.h"
#include "cli/save_report.h"
#include "document/open_model.h"
#include "formats/sets/file_pieces.h"
#include "ui/messages/figure_text.h"

#include <algorithm>

namespace gufo::cli {
namespace {

// Whether the pieces that are there are the beginning of a model whose end is missing: only some names state how many
// pieces there are. What is no model is joined all the same.
bool lacksEnd(const std::filesystem::path& piece) {
    const auto model = openModel(piece);
    return model ? std::ranges::any_of((*model)->tensors, [](const TensorInfo& tensor) { return !tensor.complete(); })
                 : model.error().code == ErrorCode::Truncated;
}

} // namespace

std::optional<int> mergePieces(const Invocation& invocation, Console& console) {
    const auto set = piecesOfFile(invocation.file());
    if (!set) {
        return console.fail(set.error(), invocation.file());
    }
    if (!*set) {
        return std::nullopt;
    }
    if (lacksEnd(invocation.file())) {
        return console.fail(
            Error{.code = ErrorCode::PieceMissing,
                  .file = invocation.file(),
                  .place = {},
                  .args = {(*set)->next.empty() ? (*set)->pieces.back().filename().native() : (*set)->next,
                           (*set)->whole.filename().native()}});
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
