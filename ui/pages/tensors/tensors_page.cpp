#include "ui/pages/tensors/tensors_page.h"

#include "ui/document/model_document.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/tensors/correlation_line.h"
#include "ui/pages/tensors/models/tensor_moves.h"
#include "ui/pages/tensors/tensor_detail.h"
#include "ui/pages/tensors/tensor_edits.h"
#include "ui/pages/tensors/tensor_list.h"
#include "ui/quantize/what_if_button.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/splitter_sizes.h"

#include <QHBoxLayout>

namespace gufo::ui {
namespace {

constexpr int kListWidth = 604;

} // namespace

TensorsPage::TensorsPage(QWidget* parent)
    : Page(parent)
    , m_splitter(new QSplitter(Qt::Horizontal))
    , m_list(new TensorList)
    , m_detail(new TensorDetail(m_list->summaries())) {
    m_splitter->addWidget(m_list);
    m_splitter->addWidget(m_detail);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_listWidth = new KeptWidth(m_splitter, 0, kListWidth);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_splitter);
    connect(m_list, &TensorList::currentChanged, m_detail, &TensorDetail::showTensor);
    connect(m_list, &TensorList::cleared, m_detail, &TensorDetail::clear);
    m_detail->whatIf().setSelection([this] { return m_list->selected(); });
    m_detail->correlation().setSelection([this] { return m_list->selected(); });
    connect(m_detail, &TensorDetail::statusChanged, this, &Page::statusChanged);
}

QString TensorsPage::title() const { return tr("Tensors"); }

QString TensorsPage::iconName() const { return QStringLiteral("tensors"); }

QString TensorsPage::badge() const { return m_model != nullptr ? formatCount(m_model->tensors.size()) : QString(); }

void TensorsPage::setModel(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    m_list->setModel(m_model, m_document);
    m_detail->setModel(m_model);
    emit badgeChanged();
}

void TensorsPage::setDocument(ModelDocument* document) {
    m_document = document;
    m_edits = new TensorEdits(m_list, document);
    connect(document, &ModelDocument::edited, this, &TensorsPage::follow);
    connect(document, &ModelDocument::rebased, this, [this] { m_saved = true; });
    connect(m_edits, &TensorEdits::said, m_list, &TensorList::say);
    connect(m_edits, &TensorEdits::bytesWanted, this, [this](TensorIndex index) {
        const TensorInfo& tensor = m_model->tensor(index);
        Place place = Place::atOffset(tensor.offset);
        place.part = tensor.file.value;
        emit placeRequested(place);
    });
    connect(m_edits, &TensorEdits::tensorWanted, this, [this](const QByteArray& name) {
        if (const auto tensor = m_model->findTensor(name.toStdString())) {
            m_list->select(*tensor);
        }
    });
}

void TensorsPage::follow(const TouchedParts& touched) {
    const bool saved = std::exchange(m_saved, false);
    if (!touched.tensors) {
        return; // only metadata changed; the current snapshot has the same tensors
    }
    const std::shared_ptr<const Model> before = std::exchange(m_model, m_document->current());
    const std::vector<TensorMove> moves = tensorMoves(*before, *m_model, saved);
    m_detail->follow(m_model, moves);
    m_list->follow(m_model, moves);
    m_edits->update();
    emit badgeChanged();
}

void TensorsPage::activate() {
    m_list->activate();
    if (!m_activated && m_model != nullptr && !m_model->tensors.empty() && !m_list->current()) {
        const auto& shown = m_list->table().tensors();
        m_list->select(shown.empty() ? TensorIndex(0) : shown.front());
    }
    m_activated = true;
}

bool TensorsPage::goTo(const Place& place) {
    const auto tensor =
        place.kind == Place::Kind::Tensor && m_model != nullptr ? m_model->findTensor(place.name) : std::nullopt;
    if (!tensor) {
        return false;
    }
    m_list->select(*tensor);
    if (place.index) {
        m_detail->showWeight(*place.index);
    }
    return true;
}

QString TensorsPage::copyText(CopyFormat format) const {
    const QWidget* focus = focusWidget();
    return focus != nullptr && m_detail->isAncestorOf(focus) ? m_detail->copyText(format) : m_list->copyText(format);
}

QWidget* TensorsPage::filterField() const { return m_list->filterField(); }

QJsonObject TensorsPage::saveState() const {
    return {{QStringLiteral("listWidth"), m_listWidth->width()},
            {QStringLiteral("list"), m_list->saveState()},
            {QStringLiteral("detail"), m_detail->saveState()}};
}

void TensorsPage::restoreState(const QJsonObject& state) {
    m_listWidth->setWidth(state[QStringLiteral("listWidth")].toInt());
    if (state.contains(QStringLiteral("list"))) {
        m_list->restoreState(state[QStringLiteral("list")].toObject());
    }
    if (state.contains(QStringLiteral("detail"))) {
        m_detail->restoreState(state[QStringLiteral("detail")].toObject());
    }
}

} // namespace gufo::ui

#include "moc_tensors_page.cpp"
