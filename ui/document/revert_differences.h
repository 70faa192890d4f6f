// Reverts several differences between a document and its file in one step.
#pragma once

#include "document/difference.h"

#include <vector>

class QObject;

namespace gufo::ui {

class ModelDocument;

// What has to be changed is found out by a job of `owner`, because it takes long for many tensors; nothing is reverted
// if the document is edited in the meantime. Both must live on the UI thread.
void revertDifferences(QObject* owner, ModelDocument* document, std::vector<Difference> differences);

} // namespace gufo::ui
