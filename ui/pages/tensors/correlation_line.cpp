#include "ui/pages/tensors/correlation_line.h"

#include "model/tensor_role.h"
#include "tensor/decode.h"
#include "ui/document/fetching.h"
#include "ui/messages/figure_text.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::size_t kMostPartners = 24;

} // namespace

std::vector<TensorIndex> correlationPartners(const Model& model, TensorIndex tensor,
                                             const std::vector<TensorIndex>& selected) {
    const TensorInfo& info = model.tensor(tensor);
    std::vector<TensorIndex> partners;
    const auto add = [&](TensorIndex other) {
        const TensorInfo& candidate = model.tensor(other);
        if (other != tensor && partners.size() < kMostPartners && candidate.shape == info.shape &&
            isDecodable(candidate.typeId) && !candidate.bytesDerived && candidate.complete() &&
            bytesToFetch(model, candidate) == 0 && std::ranges::find(partners, other) == partners.end()) {
            partners.push_back(other);
        }
    };
    std::ranges::for_each(selected, add);
    const TensorName name = parseTensorName(info.name);
    if (!name.block) {
        return partners;
    }
    std::optional<TensorIndex> next;
    std::optional<TensorIndex> previous;
    std::vector<TensorIndex> ofBlock;
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const TensorIndex other{i};
        if (model.tensor(other).shape != info.shape) {
            continue; // cheaper than taking names apart
        }
        const TensorName otherName = parseTensorName(model.tensor(other).name);
        if (!otherName.block || otherName.prefix != name.prefix) {
            continue;
        }
        if (*otherName.block == *name.block) {
            ofBlock.push_back(other);
        } else if (otherName.role == name.role && otherName.suffix == name.suffix && otherName.expert == name.expert) {
            if (*otherName.block == *name.block + 1) {
                next = other;
            } else if (*otherName.block + 1 == *name.block) {
                previous = other;
            }
        }
    }
    for (const std::optional<TensorIndex>& neighbour : {next, previous}) {
        if (neighbour) {
            add(*neighbour);
        }
    }
    std::ranges::for_each(ofBlock, add);
    return partners;
}

CorrelationLine::CorrelationLine(QWidget* parent)
    : QWidget(parent)
    , m_button(new QPushButton(tr("Correlate with"), this))
    , m_text(themedLabel({}, TextStyle::Table, Token::Text, this))
    , m_progress(new JobBar(this)) {
    m_button->setObjectName(QStringLiteral("correlate"));
    m_button->setProperty("small", true);
    m_button->setToolTip(
        tr("Pearson's correlation of all pairs of weights with those of another tensor of this shape; tensors that are "
           "selected in the list come first"));
    m_button->setMenu(&m_menu);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 8, 0);
    layout->setSpacing(10);
    layout->addWidget(themedLabel(tr("Correlation"), TextStyle::Section, Token::Text, this));
    layout->addWidget(m_button);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_progress);
    connect(&m_menu, &QMenu::aboutToShow, this, &CorrelationLine::fill);
    connect(m_progress, &JobBar::cancelled, this, [this] { m_job.cancel(); });
    reset();
}

void CorrelationLine::reset() {
    m_job.cancel();
    m_progress->cancel();
    m_model.reset();
    m_text->clear();
    hide();
}

void CorrelationLine::setTensor(std::shared_ptr<const Model> model, TensorIndex tensor) {
    reset();
    m_model = std::move(model);
    m_tensor = tensor;
    showState();
}

void CorrelationLine::follow(std::shared_ptr<const Model> model, TensorIndex tensor) {
    if (m_model != nullptr) { // otherwise its weights cannot be read
        m_model = std::move(model);
        m_tensor = tensor;
        showState();
    }
}

void CorrelationLine::showState() {
    const TensorInfo& info = m_model->tensor(m_tensor);
    // Any tensor of the same shape may be selected later.
    const auto hasShape = [&](const TensorInfo& other) { return &other != &info && other.shape == info.shape; };
    setVisible(info.complete() && info.weights() > 1 && std::ranges::any_of(m_model->tensors, hasShape));
}

void CorrelationLine::fill() {
    m_menu.clear();
    const std::vector<TensorIndex> selected = m_selection ? m_selection() : std::vector<TensorIndex>();
    for (const TensorIndex other : correlationPartners(*m_model, m_tensor, selected)) {
        QString name = displayText(m_model->tensor(other).name);
        m_menu.addAction(name.replace(u'&', QStringLiteral("&&")), this, [this, other] { correlate(other); });
    }
    if (m_menu.isEmpty()) {
        m_menu.addAction(tr("Select another tensor of this shape in the list"))->setEnabled(false);
    }
}

void CorrelationLine::correlate(TensorIndex other) {
    m_text->clear();
    const QString name = displayText(m_model->tensor(other).name);
    m_job.start<Correlation>(
        [model = m_model, tensor = m_tensor, other](const JobContext& context) {
            return correlateTensors(*model, tensor, *model, other, context);
        },
        [this, name](Result<Correlation> result) {
            if (!result) {
                emit failed(result.error());
                return;
            }
            m_text->setText(result->pearson
                                ? tr("%1: r = %2 (independent weights: ± %3)")
                                      .arg(name, formatFixed(*result->pearson, 6), formatReal(*result->expected, 2))
                                : tr("%1: no correlation, because all weights of a tensor are equal").arg(name));
        });
    m_progress->watch(m_job.job(), tr("Correlating"));
}

} // namespace gufo::ui

#include "moc_correlation_line.cpp"
