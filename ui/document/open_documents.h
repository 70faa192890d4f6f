// The documents of all tabs of this process, so that one model can take data from another. UI thread only.
#pragma once

#include <QList>

namespace gufo::ui {

class ModelDocument;

// Registers the document until it is destroyed. Every document does this when it is made, whichever pages its tab
// shows.
void registerDocument(ModelDocument* document);
[[nodiscard]] QList<ModelDocument*> openDocuments(); // in the order in which they were opened

} // namespace gufo::ui
