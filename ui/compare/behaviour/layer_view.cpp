#include "ui/compare/behaviour/layer_view.h"

#include "ui/compare/comparison_export.h"
#include "ui/messages/figure_text.h"
#include "ui/report/behaviour_words.h"
#include "ui/widgets/elided_label.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {

LayerView::LayerView(const Comparison& comparison, QWidget* parent)
    : QWidget(parent)
    , m_comparison(comparison)
    , m_file(new QComboBox(this))
    , m_figure(new QComboBox(this))
    , m_summary(new ElidedLabel(TextStyle::Axis, Token::Muted, Qt::ElideRight, this))
    , m_map(new LayerMap(this)) {
    m_file->setAccessibleName(tr("File"));
    m_figure->setAccessibleName(tr("Figure of the map"));
    m_figure->addItem(tr("Relative distance"), static_cast<int>(LayerFigure::Distance));
    m_figure->addItem(tr("1 − cosine"), static_cast<int>(LayerFigure::Angle));
    for (QComboBox* combo : {m_file, m_figure}) {
        combo->setProperty("small", true);
    }
    m_summary->setAccessibleName(tr("Where the states part"));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_file);
    row->addWidget(m_figure);
    row->addWidget(m_summary, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(row);
    column->addWidget(m_map, 1);
    connect(m_file, &QComboBox::currentIndexChanged, this, &LayerView::showChosen);
    connect(m_figure, &QComboBox::currentIndexChanged, this, &LayerView::showChosen);
    connect(m_map, &LayerMap::blockChosen, this, [this](std::size_t block) {
        if (const auto chosen = file()) {
            emit blockChosen(block, *chosen);
        }
    });
    connect(m_map, &LayerMap::menuRequested, this, &LayerView::menuRequested);
    refresh();
}

std::optional<std::size_t> LayerView::file() const {
    const QVariant chosen = m_file->currentData();
    return chosen.isValid() ? std::optional(chosen.value<std::size_t>()) : std::nullopt;
}

QString LayerView::summary() const { return m_summary->text(); }

void LayerView::refresh() {
    const auto before = file();
    {
        const QSignalBlocker quiet(m_file);
        m_file->clear();
        for (const std::size_t other : m_comparison.others()) {
            if (m_comparison.behaviour(other) != nullptr) {
                m_file->addItem(m_comparison.files()[other].label, QVariant::fromValue(other));
            }
        }
        if (before) {
            m_file->setCurrentIndex(std::max(0, m_file->findData(QVariant::fromValue(*before))));
        }
    }
    showChosen();
}

void LayerView::showChosen() {
    const auto chosen = file();
    const auto behaviour = chosen ? m_comparison.behaviour(*chosen) : nullptr;
    m_file->setVisible(m_file->count() > 1);
    const bool hasExperts = behaviour != nullptr && hasRoutes(*behaviour);
    const int experts = m_figure->findData(static_cast<int>(LayerFigure::Experts));
    if (hasExperts && experts < 0) {
        m_figure->addItem(tr("Other experts"), static_cast<int>(LayerFigure::Experts));
    } else if (!hasExperts && experts >= 0) {
        const QSignalBlocker quiet(m_figure);
        m_figure->removeItem(experts);
    }
    m_figure->setEnabled(behaviour != nullptr);
    m_map->setBehaviour(behaviour, static_cast<LayerFigure>(m_figure->currentData().toInt()));
    m_summary->setText(behaviour != nullptr ? layerWords(*behaviour).join(u' ') : QString());
}

Picture LayerView::picture() const {
    PictureFrame frame = comparisonFrame(m_comparison, m_map->accessibleName(),
                                         file() ? std::vector<std::size_t>{*file()} : std::vector<std::size_t>{},
                                         tr("Text: %1").arg(m_comparison.behaviourText()));
    frame.lines << m_summary->text();
    return {.frame = std::move(frame),
            .shown = m_map->size(),
            .heightFor = [this](int) { return m_map->height(); },
            .draw =
                [this](QPainter& painter, int width) {
                    m_map->draw(painter, {width, m_map->height()});
                }};
}

QString LayerView::csv() const {
    QList<QStringList> rows;
    const auto chosen = file();
    const auto behaviour = chosen ? m_comparison.behaviour(*chosen) : nullptr;
    for (std::size_t block = 0; behaviour != nullptr && block < behaviour->layers.size(); ++block) {
        const inference::LayerDistance& layer = behaviour->layers[block];
        for (std::size_t token = 0; token < layer.relative.size(); ++token) {
            rows << QStringList{
                QString::number(block),
                QString::number(token),
                behaviour->tokens.value(static_cast<qsizetype>(token)),
                csvNumber(layer.relative[token]),
                csvNumber(layer.cosine[token]),
                csvNumber(layer.sameExperts.empty() ? std::nullopt : std::optional(layer.sameExperts[token]))};
        }
    }
    return csvText({tr("Block"), tr("Token"), tr("Text"), tr("Relative distance"), tr("Cosine"), tr("Same experts")},
                   rows);
}

} // namespace gufo::ui

#include "moc_layer_view.cpp"
