// The right side of the Metadata page: the array or the long text that is selected. It hides itself for other values,
// and until it is asked for again after the user has closed it.
#pragma once

#include "ui/pages/metadata/array_pane.h"
#include "ui/pages/metadata/models/metadata_model.h"
#include "ui/pages/metadata/text_pane.h"

#include <QStackedWidget>

namespace gufo::ui {

class ModelDocument;

class ValuePane : public QStackedWidget {
    Q_OBJECT

public:
    ValuePane(MetadataModel* keys, QWidget* parent);
    ~ValuePane() override;
    void setModel(std::shared_ptr<const Model> model) { m_array->setModel(std::move(model)); }
    void setDocument(ModelDocument* document);
    // After an edit.
    void follow(std::shared_ptr<const Model> model, const TouchedParts& touched) {
        m_array->follow(std::move(model), touched);
    }
    // Updates whether the text may be edited, and why not.
    void followEditable();
    // Shows the value of a row. `asked` shows it even if the user has closed the pane.
    void showRow(const QModelIndex& row, bool asked);
    void showElement(const std::string& key, std::optional<std::uint64_t> index);
    // Returns false if the text is not shown.
    bool focusText();
    [[nodiscard]] bool showsArray() const { return isVisible() && currentWidget() == m_array; }
    [[nodiscard]] QString copyText(CopyFormat format) const { return m_array->copyText(format); } // of the array

signals:
    void closed(); // by the user
    void copyRequested();
    void said(const QString& message); // a result, or why something was not done

private:
    void close();
    void open(QWidget* pane);
    void fillText(const QModelIndex& row, const KeyValue& entry);

    MetadataModel* m_keys;
    ModelDocument* m_document = nullptr; // null if the model cannot be edited
    ArrayPane* m_array;
    TextPane* m_text;
    bool m_isClosed = false; // by the user
};

} // namespace gufo::ui
