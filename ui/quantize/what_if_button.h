// The "What if…" button beside a tensor: for this tensor, all of its role, or all that are selected.
#pragma once

#include "model/model.h"

#include <QMenu>
#include <QPushButton>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace gufo::ui {

class WhatIfButton : public QPushButton {
    Q_OBJECT

public:
    explicit WhatIfButton(QWidget* parent = nullptr);

    void setTensor(std::shared_ptr<const Model> model, std::optional<TensorIndex> tensor);
    // `selection` is called when the menu opens.
    void setSelection(std::function<std::vector<TensorIndex>()> selection) { m_selection = std::move(selection); }

private:
    void fill();
    void open(const std::vector<TensorIndex>& tensors, const QString& subject);
    [[nodiscard]] std::vector<TensorIndex> ofRole() const;

    std::shared_ptr<const Model> m_model;
    std::optional<TensorIndex> m_tensor{};
    std::function<std::vector<TensorIndex>()> m_selection;
    QMenu m_menu;
};

// The tensors that can be studied: their values can be decoded and the data is complete.
[[nodiscard]] std::vector<TensorIndex> encodableTensors(const Model& model, const std::vector<TensorIndex>& tensors);

} // namespace gufo::ui
