#include "ui/quantize/what_if_button.h"

#include "model/tensor_role.h"
#include "tensor/decode.h"
#include "ui/document/fetching.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/quantize/imatrix_field.h"
#include "ui/quantize/quantize_dialog.h"
#include "ui/quantize/what_if_dialog.h"

namespace gufo::ui {
namespace {

QString menuText(std::string_view name) { return displayText(name).replace(QLatin1Char('&'), QStringLiteral("&&")); }

} // namespace

std::vector<TensorIndex> encodableTensors(const Model& model, const std::vector<TensorIndex>& tensors) {
    std::vector<TensorIndex> result;
    for (const TensorIndex index : tensors) {
        const TensorInfo& tensor = model.tensor(index);
        if (isDecodable(tensor.typeId) && !tensor.bytesDerived && tensor.complete() && tensor.weights() > 0 &&
            model.sourceOf(tensor) != nullptr && bytesToFetch(model, tensor) == 0) {
            result.push_back(index);
        }
    }
    return result;
}

WhatIfButton::WhatIfButton(QWidget* parent)
    : QPushButton(tr("What If"), parent) {
    setToolTip(tr("The size and error of this tensor as other types"));
    setMenu(&m_menu);
    connect(&m_menu, &QMenu::aboutToShow, this, &WhatIfButton::fill);
}

void WhatIfButton::setTensor(std::shared_ptr<const Model> model, std::optional<TensorIndex> tensor) {
    m_model = std::move(model);
    m_tensor = tensor;
    const bool possible = tensor && !encodableTensors(*m_model, {*tensor}).empty();
    setVisible(tensor.has_value());
    setEnabled(possible);
}

std::vector<TensorIndex> WhatIfButton::ofRole() const {
    const TensorName selected = parseTensorName(m_model->tensor(*m_tensor).name);
    std::vector<TensorIndex> tensors;
    for (std::size_t i = 0; i < m_model->tensors.size(); ++i) {
        const TensorName name = parseTensorName(m_model->tensors[i].name);
        if (name.role == selected.role && name.prefix == selected.prefix && name.suffix == selected.suffix) {
            tensors.emplace_back(i);
        }
    }
    return encodableTensors(*m_model, tensors);
}

void WhatIfButton::fill() {
    m_menu.clear();
    if (!m_tensor) {
        return;
    }
    const std::string_view name = m_model->tensor(*m_tensor).name;
    connect(m_menu.addAction(tr("&This tensor")), &QAction::triggered, this,
            [this, name] { open({*m_tensor}, displayText(name)); });
    const auto role = ofRole();
    if (role.size() > 1) {
        const std::string_view roleName = parseTensorName(name).role;
        const QString subject = tr("%1, all %n tensors", nullptr, numerus(role.size())).arg(displayText(roleName));
        connect(m_menu.addAction(
                    tr("All %n tensors of the &role %1", nullptr, numerus(role.size())).arg(menuText(roleName))),
                &QAction::triggered, this, [this, role, subject] { open(role, subject); });
    }
    const auto selected = m_selection ? encodableTensors(*m_model, m_selection()) : std::vector<TensorIndex>();
    if (selected.size() > 1) {
        const QString subject = tr("%n selected tensors", nullptr, numerus(selected.size()));
        connect(m_menu.addAction(tr("The %1 &selected tensors").arg(selected.size())), &QAction::triggered, this,
                [this, selected, subject] { open(selected, subject); });
    }
}

void WhatIfButton::open(const std::vector<TensorIndex>& tensors, const QString& subject) {
    auto* dialog = new WhatIfDialog(m_model, tensors, subject, window());
    connect(dialog, &WhatIfDialog::quantiseRequested, dialog,
            [model = m_model, window = window(), dialog](const std::vector<TensorIndex>& chosen, quint32 typeId) {
                auto* quantise = new QuantizeDialog(model, window);
                quantise->addOverride(chosen, typeId);
                quantise->setImatrix(dialog->imatrix().imatrix());
                quantise->show();
            });
    dialog->show();
}

} // namespace gufo::ui

#include "moc_what_if_button.cpp"
