// The documents of all tabs of this process, so that one model can take something from another. UI thread.
#pragma once

#include <QList>

namespace gufo::ui {

class ModelDocument;

// Known from now on until it is destroyed.
void registerDocument(ModelDocument* document);
[[nodiscard]] QList<ModelDocument*> openDocuments(); // in the order in which they were opened

} // namespace gufo::ui
