#include "ui/document/revert_differences.h"

#include "document/revert.h"
#include "ui/document/model_document.h"

#include <QCoreApplication>

namespace gufo::ui {

void revertDifferences(QObject* owner, ModelDocument* document, std::vector<Difference> differences) {
    if (differences.size() <= 1) {
        if (!differences.empty()) {
            document->revert(differences.front());
        }
        return;
    }
    // The differences view values of the current model, which the job keeps alive.
    startJob<std::vector<Change>>(
        owner,
        [current = document->current(), base = document->document().base(),
         edits = document->document().deferredChanges(),
         differences = std::move(differences)](const JobContext&) -> Result<std::vector<Change>> {
            return edit::revertSeveral(base, edits(), differences);
        },
        [document, current = document->current()](Result<std::vector<Change>> changes) {
            if (changes && !changes->empty() && document->current() == current) {
                document->apply(std::move(*changes), ModelDocument::tr("Revert"));
            }
        });
}

} // namespace gufo::ui
