// The Tensors page: a list on the left, the selected tensor on the right.
#pragma once

#include "ui/shell/page.h"

#include <QSplitter>

namespace gufo {
struct TouchedParts;
}

namespace gufo::ui {

class KeptWidth;
class TensorDetail;
class TensorEdits;
class TensorList;

class TensorsPage : public Page {
    Q_OBJECT

public:
    explicit TensorsPage(QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString iconName() const override;
    [[nodiscard]] QString badge() const override;
    void setModel(std::shared_ptr<const Model> model) override;
    void setDocument(ModelDocument* document) override;
    bool goTo(const Place& place) override;
    void activate() override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] QString copyText(CopyFormat format) const override;
    [[nodiscard]] QWidget* filterField() const override;

    [[nodiscard]] TensorList& list() { return *m_list; }
    [[nodiscard]] TensorDetail& detail() { return *m_detail; }
    [[nodiscard]] TensorEdits* edits() { return m_edits; } // null without a document

private:
    void follow(const TouchedParts& touched);

    std::shared_ptr<const Model> m_model;
    QSplitter* m_splitter;
    KeptWidth* m_listWidth;
    TensorList* m_list;
    TensorDetail* m_detail;
    ModelDocument* m_document = nullptr;
    TensorEdits* m_edits = nullptr;
    bool m_saved = false; // the next snapshot is read from the file to which this one was written
    bool m_activated = false;
};

} // namespace gufo::ui
