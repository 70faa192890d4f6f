#include "ui/pages/tensors/slice_selector.h"

#include "ui/messages/figure_text.h"
#include "ui/pages/tensors/index_field.h"
#include "ui/theme/theme.h"
#include "ui/widgets/text_color.h"

#include <QComboBox>
#include <QHBoxLayout>

namespace gufo::ui {

SliceSelector::SliceSelector(QWidget* parent)
    : QWidget(parent)
    , m_layout(new QHBoxLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(6);
    hide();
}

void SliceSelector::setShape(const Shape& shape) {
    m_shape = shape;
    m_matrix = {};
    rebuild();
    setVisible(shape.count() > 2);
}

void SliceSelector::rebuild() {
    while (QLayoutItem* item = m_layout->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
    m_fields.fill(nullptr);
    if (m_shape.count() <= 2) {
        return;
    }
    m_layout->addWidget(themedLabel(tr("Rows"), TextStyle::Table, Token::Muted, this));
    m_rowDimension = new QComboBox(this);
    m_rowDimension->setAccessibleName(tr("Dimension of the rows"));
    m_rowDimension->setFixedHeight(22);
    for (std::size_t i = 1; i < m_shape.count(); ++i) {
        m_rowDimension->addItem(tr("dim %1 (%2)").arg(i).arg(formatCount(m_shape[i])));
    }
    m_rowDimension->setCurrentIndex(static_cast<int>(m_matrix.rowDimension) - 1);
    connect(m_rowDimension, &QComboBox::activated, this, [this](int index) {
        m_matrix.rowDimension = static_cast<std::size_t>(index) + 1;
        rebuild();
        emit changed();
    });
    m_layout->addWidget(m_rowDimension);
    for (std::size_t i = 1; i < m_shape.count(); ++i) {
        if (i == m_matrix.rowDimension) {
            continue;
        }
        m_layout->addWidget(themedLabel(tr("dim %1").arg(i), TextStyle::Table, Token::Muted, this));
        auto* field = new IndexField(tr("Index in dimension %1").arg(i), this);
        field->setFixedWidth(56);
        field->setCount(m_shape[i]);
        field->setValue(m_matrix.fixed[i]);
        connect(field, &IndexField::chosen, this, [this, i](std::uint64_t value) {
            m_matrix.fixed[i] = value;
            emit changed();
        });
        m_fields[i] = field;
        m_layout->addWidget(field);
    }
}

void SliceSelector::setFixed(const std::array<std::uint64_t, Shape::kMaxDimensions>& fixed) {
    m_matrix.fixed = fixed;
    for (std::size_t i = 1; i < m_shape.count(); ++i) {
        if (m_fields[i] != nullptr) {
            m_fields[i]->setValue(fixed[i]);
        }
    }
}

} // namespace gufo::ui

#include "moc_slice_selector.cpp"
