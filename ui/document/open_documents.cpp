#include "ui/document/open_documents.h"

#include "ui/document/model_document.h"

#include <QPointer>

namespace gufo::ui {
namespace {

QList<QPointer<ModelDocument>>& documents() {
    static QList<QPointer<ModelDocument>> all;
    return all;
}

} // namespace

void registerDocument(ModelDocument* document) {
    documents().removeIf([](const QPointer<ModelDocument>& known) { return known.isNull(); });
    if (!documents().contains(document)) {
        documents() << document;
    }
}

QList<ModelDocument*> openDocuments() {
    QList<ModelDocument*> alive;
    for (const QPointer<ModelDocument>& document : documents()) {
        if (!document.isNull()) {
            alive << document;
        }
    }
    return alive;
}

} // namespace gufo::ui
