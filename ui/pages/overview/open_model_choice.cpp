#include "ui/pages/overview/open_model_choice.h"

#include "model/file_kind.h"
#include "ui/document/model_document.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"

#include <algorithm>

namespace gufo::ui {

OpenModelChoice::OpenModelChoice(const QString& accessibleName, QWidget* parent)
    : QComboBox(parent) {
    setAccessibleName(accessibleName);
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    list();
}

void OpenModelChoice::list(const std::shared_ptr<const Model>& further) {
    const auto before = chosen();
    clear();
    m_models.clear();
    addItem(tr("no model"));
    const auto add = [this](const std::shared_ptr<const Model>& model) {
        m_models.push_back(model);
        addItem(displayText(model->path().filename().native()));
    };
    for (const ModelDocument* document : openDocuments()) {
        const auto& model = document->current();
        if (model != nullptr && fileKind(*model) == FileKind::Model) {
            add(model);
        }
    }
    if (further != nullptr) {
        add(further);
    }
    choose(before);
}

void OpenModelChoice::choose(const std::shared_ptr<const Model>& model) {
    const auto found = std::ranges::find(m_models, model);
    setCurrentIndex(found != m_models.end() ? static_cast<int>(found - m_models.begin()) + 1 : 0);
}

std::shared_ptr<const Model> OpenModelChoice::chosen() const {
    const int row = currentIndex();
    return row > 0 ? m_models[static_cast<std::size_t>(row - 1)] : nullptr;
}

} // namespace gufo::ui

#include "moc_open_model_choice.cpp"
