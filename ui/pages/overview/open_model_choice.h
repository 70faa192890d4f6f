// Chooses one of the models that are open in tabs, or none of them.
#pragma once

#include "model/model.h"

#include <QComboBox>

#include <memory>
#include <vector>

namespace gufo::ui {

class OpenModelChoice : public QComboBox {
    Q_OBJECT

public:
    explicit OpenModelChoice(const QString& accessibleName, QWidget* parent = nullptr);
    // Lists the models that are open now, and `further` unless it is null. The chosen model stays chosen if it is still
    // listed; otherwise none is.
    void list(const std::shared_ptr<const Model>& further = nullptr);
    void choose(const std::shared_ptr<const Model>& model); // none if it is not listed
    [[nodiscard]] std::shared_ptr<const Model> chosen() const;
    [[nodiscard]] const std::vector<std::shared_ptr<const Model>>& models() const { return m_models; }

private:
    std::vector<std::shared_ptr<const Model>> m_models; // of the rows after "no model"
};

} // namespace gufo::ui
