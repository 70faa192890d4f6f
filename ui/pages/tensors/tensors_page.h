// The Tensors page: a list on the left, the chosen tensor on the right.
#pragma once

#include "ui/pages/page.h"

#include <QSplitter>

namespace gufo::ui {

class TensorDetail;
class TensorList;

class TensorsPage : public Page {
    Q_OBJECT

public:
    explicit TensorsPage(QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString iconName() const override;
    [[nodiscard]] QString badge() const override;
    void setModel(std::shared_ptr<const Model> model) override;
    bool goTo(const Place& place) override;
    void activate() override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] QString copyText(CopyFormat format) const override;
    [[nodiscard]] QWidget* filterField() const override;

    [[nodiscard]] TensorList& list() { return *m_list; }
    [[nodiscard]] TensorDetail& detail() { return *m_detail; }

private:
    std::shared_ptr<const Model> m_model;
    QSplitter* m_splitter;
    TensorList* m_list;
    TensorDetail* m_detail;
    bool m_activated = false;
};

} // namespace gufo::ui
