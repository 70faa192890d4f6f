#include "ui/pages/diagram/diagram_page.h"

#include "convert/source_structure.h"
#include "ui/document/model_document.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/structure_text.h"
#include "ui/pages/diagram/diagram_legend.h"
#include "ui/pages/diagram/diagram_partner.h"
#include "ui/pages/diagram/layer_strip.h"
#include "ui/pages/diagram/part_tensors_model.h"
#include "ui/plots/picture_menu.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/rows_table.h"
#include "ui/widgets/splitter_sizes.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr int kDetailWidth = 400;
constexpr int kMinDetail = 230;
constexpr int kMinView = 320;
constexpr std::size_t kShownContradictions = 12;

Result<std::shared_ptr<const Diagram>> diagramOf(std::shared_ptr<const Model> model, const JobContext& job) {
    auto diagram = std::make_shared<Diagram>();
    auto described = GUFO_TRY(convert::describeStructure(model, job));
    diagram->model = std::move(model);
    diagram->described = std::move(described.described);
    diagram->structure = std::move(described.structure);
    return std::shared_ptr<const Diagram>(std::move(diagram));
}

} // namespace

DiagramPage::DiagramPage(QWidget* parent)
    : Page(parent)
    , m_job(this)
    , m_whole(new QStackedWidget(this))
    , m_empty(new EmptyState(m_whole))
    , m_splitter(new QSplitter(Qt::Horizontal, m_whole))
    , m_view(new DiagramView)
    , m_strip(new LayerStrip)
    , m_legend(new DiagramLegend(this))
    , m_kindLegend(new DiagramLegend(this))
    , m_tensors(new PartTensorsModel(this)) {
    m_view->setMinimumWidth(kMinView);
    m_splitter->addWidget(m_view);
    m_splitter->addWidget(makeDetail());
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->setStretchFactor(0, 1);
    m_detailWidth = new KeptWidth(m_splitter, 1, kDetailWidth);
    m_whole->addWidget(m_splitter);
    m_whole->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    auto* above = new QVBoxLayout;
    above->setContentsMargins(12, 6, 12, 6);
    above->addWidget(m_legend);
    layout->addLayout(above);
    layout->addWidget(makeSeparator(Qt::Horizontal, this));
    layout->addWidget(m_whole, 1);
    layout->addWidget(makeSeparator(Qt::Horizontal, this));
    auto* below = new QVBoxLayout;
    below->setContentsMargins(12, 4, 12, 6);
    below->setSpacing(4);
    below->addWidget(m_strip);
    below->addWidget(m_kindLegend);
    layout->addLayout(below);
    setFocusProxy(m_view);

    connect(m_view, &DiagramView::selectionChanged, this, &DiagramPage::showSelection);
    connect(m_view, &DiagramView::unfoldedChanged, this, [this] {
        if (m_diagram != nullptr) {
            m_strip->setCurrent(m_view->unfolded());
        }
    });
    connect(m_view, &DiagramView::openRequested, this, &DiagramPage::showTensor);
    connect(m_strip, &LayerStrip::chosen, this, [this](DiagramBlock block) { m_view->unfold(block); });
    connect(m_table, &QTableView::activated, this,
            [this](const QModelIndex& index) { showTensor(m_tensors->tensor(index.row())); });
}

QWidget* DiagramPage::makeToolBar() {
    auto* strip = new ToolStrip(this);
    m_measure = new QComboBox(strip);
    m_measure->setAccessibleName(tr("Colour"));
    m_measure->setToolTip(tr("What the colours of parts and blocks show"));
    m_measure->addItem(tr("Type"));
    m_measure->addItem(tr("Bits per weight"));
    m_measure->addItem(tr("Size"));
    m_measure->addItem(tr("Error"));
    m_measure->addItem(tr("Importance"));
    m_measure->setItemData(static_cast<int>(DiagramMeasure::Error),
                           tr("How far the weights are from those of another model"), Qt::ToolTipRole);
    m_measure->setItemData(static_cast<int>(DiagramMeasure::Coverage),
                           tr("For which matrices an importance matrix has values"), Qt::ToolTipRole);
    QLabel* label = themedLabel(tr("Colour"), TextStyle::Table, Token::Muted, strip);
    label->setBuddy(m_measure);
    m_partner = new DiagramPartner(strip);
    m_partner->hide();
    connect(m_measure, &QComboBox::currentIndexChanged, this, &DiagramPage::showMeasure);
    connect(m_partner, &DiagramPartner::measured, this, &DiagramPage::showMeasure);
    connect(m_partner, &DiagramPartner::failed, this,
            [this](const Error& error) { emit statusChanged(errorLine(error), {}); });
    connect(&Theme::instance(), &Theme::changed, this, &DiagramPage::showLegend);
    QToolButton* smaller = makeToolButton(QStringLiteral("minus"), tr("Zoom out"), strip);
    QToolButton* larger = makeToolButton(QStringLiteral("plus"), tr("Zoom in"), strip);
    QToolButton* fit = makeToolButton(QStringLiteral("expand"), tr("Fit the width"), strip);
    constexpr double kStep = 1.25;
    connect(smaller, &QToolButton::clicked, this, [this] { m_view->setZoom(m_view->zoom() / kStep); });
    connect(larger, &QToolButton::clicked, this, [this] { m_view->setZoom(m_view->zoom() * kStep); });
    connect(fit, &QToolButton::clicked, m_view, &DiagramView::fitWidth);
    m_exports = new PictureMenu(*this);
    m_exports->setPicture([this] { return picture(); }, tr("diagram"));
    m_exports->addText(tr("&Description as text…"), QStringLiteral(".txt"), tr("Text (*.txt)"),
                       [this] { return copyText(CopyFormat::Text); });
    connect(m_exports, &PictureMenu::message, this, [this](const QString& text) { emit statusChanged(text, {}); });
    m_exports->button()->setEnabled(false);
    auto* row = qobject_cast<QHBoxLayout*>(strip->layout());
    row->addWidget(label);
    row->addWidget(m_measure);
    row->addWidget(m_partner);
    row->addStretch(1);
    row->addWidget(smaller);
    row->addWidget(larger);
    row->addWidget(fit);
    row->addWidget(m_exports->button());
    return strip;
}

QWidget* DiagramPage::makeDetail() {
    auto* detail = new QWidget(m_splitter);
    detail->setMinimumWidth(kMinDetail);
    m_heading = themedLabel({}, TextStyle::Section, Token::Text, detail);
    m_heading->setWordWrap(true);
    m_facts = themedLabel({}, TextStyle::Table, Token::Muted, detail);
    m_facts->setWordWrap(true);
    m_facts->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    for (QLabel* label : {m_heading, m_facts}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        label->setFocusPolicy(Qt::NoFocus);
    }
    m_factsArea = new QScrollArea(detail);
    m_factsArea->setFrameShape(QFrame::NoFrame);
    m_factsArea->setWidgetResizable(true);
    m_factsArea->setFocusPolicy(Qt::NoFocus);
    m_factsArea->setWidget(m_facts);
    m_table = makeRowsTable(tr("Tensors of the part"), m_tensors, 22, detail);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->horizontalHeader()->setSectionResizeMode(PartTensorsModel::Name, QHeaderView::Stretch);
    m_table->horizontalHeader()->setMinimumSectionSize(40);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setToolTip(tr("Return or a double click shows the tensor on the page Tensors"));
    auto* layout = new QVBoxLayout(detail);
    layout->setContentsMargins(16, 12, 12, 8);
    layout->setSpacing(8);
    layout->addWidget(m_heading);
    layout->addWidget(m_factsArea);
    layout->addWidget(m_table, 1);
    m_detail = detail;
    m_detail->installEventFilter(this);
    return detail;
}

bool DiagramPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_detail && event->type() == QEvent::Resize) {
        fitDetail();
    }
    return Page::eventFilter(watched, event);
}

// The facts get the height that they need, up to half of it, and the table the rest. Columns that would cut the names
// of tensors are left out, the least important first: tooltips have all.
void DiagramPage::fitDetail() {
    const bool hasTable = m_tensors->rowCount() != 0;
    const int width = m_factsArea->viewport()->width();
    const int needed = m_facts->text().isEmpty() ? 0 : m_facts->heightForWidth(width) + 4;
    m_factsArea->setMinimumHeight(hasTable ? std::min(needed, m_detail->height() / 2) : 0);
    m_factsArea->setMaximumHeight(hasTable ? m_factsArea->minimumHeight() : QWIDGETSIZE_MAX);
    if (!hasTable) {
        return;
    }
    constexpr int kColumnGap = 12;
    const QAbstractItemView& items = *m_table;
    int room = m_table->viewport()->width() - items.sizeHintForColumn(PartTensorsModel::Name) - kColumnGap;
    for (const int column : {PartTensorsModel::Type, PartTensorsModel::Shape, PartTensorsModel::Size}) {
        m_table->setColumnHidden(column, false);
        const int wanted =
            std::max(items.sizeHintForColumn(column), m_table->horizontalHeader()->sectionSizeHint(column)) +
            kColumnGap;
        room -= wanted;
        m_table->setColumnWidth(column, wanted);
        m_table->setColumnHidden(column, room < 0);
    }
}

QString DiagramPage::title() const { return tr("Diagram"); }

QString DiagramPage::iconName() const { return QStringLiteral("diagram"); }

void DiagramPage::setModel(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    if (m_isActive) {
        make();
    }
}

void DiagramPage::setDocument(ModelDocument* document) {
    m_document = document;
    connect(document, &ModelDocument::edited, this, [this] {
        m_model = m_document->current();
        if (m_isActive) {
            make();
        }
    });
}

void DiagramPage::setMeasure(DiagramMeasure measure) { m_measure->setCurrentIndex(static_cast<int>(measure)); }

void DiagramPage::showMeasure() {
    const auto measure = static_cast<DiagramMeasure>(m_measure->currentIndex());
    const bool hasPartner = measure == DiagramMeasure::Error || measure == DiagramMeasure::Coverage;
    if (hasPartner) {
        m_partner->setKind(measure == DiagramMeasure::Error ? DiagramFigures::Kind::Error
                                                            : DiagramFigures::Kind::Coverage);
    }
    m_partner->setVisible(hasPartner);
    m_view->setMeasure(measure);
    m_view->setFigures(hasPartner ? m_partner->figures() : nullptr);
    m_strip->update();
    showLegend();
}

void DiagramPage::showLegend() {
    const DiagramMeasure measure = m_view->colors() != nullptr ? m_view->colors()->measure() : DiagramMeasure::Type;
    std::vector<DiagramKey> keys = m_view->colors() != nullptr ? m_view->colors()->legend() : std::vector<DiagramKey>();
    if (!keys.empty()) {
        const QString label = measure == DiagramMeasure::Error      ? tr("SQNR")
                              : measure == DiagramMeasure::Coverage ? tr("covered")
                                                                    : QString();
        m_legend->setGroups({{.label = label, .keys = std::move(keys)}});
    } else if (measure == DiagramMeasure::Error) {
        m_legend->setHint(tr("Choose another file of the same model with the button above, such as its original: the "
                             "colours then show how far the weights are from each other."));
    } else if (measure == DiagramMeasure::Coverage) {
        m_legend->setHint(tr("Choose an importance matrix with the button above: the colours then show for which "
                             "matrices of the model it has values."));
    } else {
        m_legend->setGroups({});
    }
    m_kindLegend->setGroups(m_strip->keys());
}

void DiagramPage::activate() {
    if (!m_isActive && m_model != nullptr) {
        m_isActive = true;
        make();
    }
}

void DiagramPage::make() {
    m_job.start<std::shared_ptr<const Diagram>>(
        [model = m_model](const JobContext& job) { return diagramOf(model, job); },
        [this](Result<std::shared_ptr<const Diagram>> diagram) {
            if (diagram) {
                take(*std::move(diagram));
            }
        });
}

void DiagramPage::take(std::shared_ptr<const Diagram> diagram) {
    const std::optional<DiagramBlock> unfolded = m_diagram != nullptr ? m_view->unfolded() : m_wanted;
    m_strip->setDiagram(nullptr, nullptr); // it refers to the colours of the view
    const std::shared_ptr<const Diagram> before = std::exchange(m_diagram, std::move(diagram));
    m_view->setDiagram(m_diagram);
    m_partner->setModel(m_diagram->model);
    showMeasure();
    m_strip->setDiagram(m_diagram, m_view->colors());
    showLegend();
    const auto& stacks = m_diagram->structure.stacks;
    if (unfolded && unfolded != m_view->unfolded() && unfolded->stack < stacks.size() &&
        unfolded->block < stacks[unfolded->stack].blocks.size()) {
        m_view->unfold(unfolded);
    }
    m_strip->setCurrent(m_view->unfolded());
    const bool empty = m_model->tensors.empty();
    m_empty->setTexts(tr("No tensors"), tr("This file has no tensors, so there is nothing to draw."));
    m_whole->setCurrentWidget(empty ? static_cast<QWidget*>(m_empty) : m_splitter);
    m_strip->setVisible(!empty);
    m_legend->setVisible(!empty);
    m_kindLegend->setVisible(!empty);
    m_exports->button()->setEnabled(!empty);
    emit ready();
}

QString DiagramPage::summary() const {
    const inference::ModelStructure& structure = m_diagram->structure;
    QStringList lines;
    for (const inference::StructureStack& stack : structure.stacks) {
        const QString text = stackText(stack);
        if (!text.isEmpty()) {
            lines << (structure.stacks.size() > 1 ? QStringLiteral("%1: %2").arg(stackTitle(stack), text) : text);
        }
    }
    if (const QString origin = originText(structure); !origin.isEmpty()) {
        lines << QString() << origin;
    }
    const auto& contradictions = structure.contradictions;
    if (!contradictions.empty()) {
        lines << QString() << tr("Keys and tensors contradict each other:");
        for (std::size_t i = 0; i < std::min(contradictions.size(), kShownContradictions); ++i) {
            lines << structureFactText(contradictions[i].what);
        }
        if (contradictions.size() > kShownContradictions) {
            lines << tr("and %n more", nullptr, numerus(contradictions.size() - kShownContradictions));
        }
    }
    return lines.join(u'\n');
}

void DiagramPage::showSelection() {
    if (m_diagram == nullptr) {
        return;
    }
    const auto selected = m_view->selected();
    std::vector<TensorIndex> tensors;
    if (!selected) {
        m_heading->setText(m_diagram->structure.architecture.empty() ? tr("Architecture")
                                                                     : displayText(m_diagram->structure.architecture));
        m_facts->setText(summary() + QStringLiteral("\n\n") + tr("Select a part or a block to see its tensors."));
    } else {
        const DiagramItem& item = m_view->layoutOfItems().items[*selected];
        m_heading->setText(item.title);
        QStringList lines;
        if (const QString figure = m_view->figureText(*selected); !figure.isEmpty()) {
            lines << figure;
        }
        const auto addFacts = [&lines](const inference::StructurePart& part) {
            for (const inference::PartFact& fact : part.facts) {
                lines << structureFactText(fact);
            }
            if (const QString formula = partFormula(part); !formula.isEmpty()) {
                lines << formula;
            }
        };
        if (item.part != nullptr) {
            addFacts(*item.part);
            tensors = item.part->tensors;
        } else if (item.block) {
            const auto& block = m_diagram->structure.stacks[item.block->stack].blocks[item.block->block];
            for (const inference::StructurePart& part : block.parts) {
                const QString facts = partFactsText(part);
                lines << (facts.isEmpty() ? partTitle(part, true)
                                          : QStringLiteral("%1: %2").arg(partTitle(part, true), facts));
                tensors.insert(tensors.end(), part.tensors.begin(), part.tensors.end());
            }
        }
        for (const inference::Contradiction& each : m_diagram->structure.contradictions) {
            if (each.tensor && std::ranges::find(tensors, *each.tensor) != tensors.end()) {
                lines << structureFactText(each.what);
            }
        }
        m_facts->setText(lines.join(u'\n'));
    }
    m_tensors->setTensors(m_diagram->model, std::move(tensors));
    m_table->setVisible(m_tensors->rowCount() != 0);
    fitDetail();
}

void DiagramPage::showTensor(TensorIndex tensor) {
    emit placeRequested(Place::tensor(std::string(m_diagram->model->tensor(tensor).name)));
}

Picture DiagramPage::picture() const {
    constexpr int kGap = 16;
    const int strip = m_strip->sizeHint().height();
    const QString name = displayText(m_model->path().filename().native());
    QStringList lines{name};
    for (const inference::StructureStack& stack : m_diagram->structure.stacks) {
        if (const QString text = stackText(stack); !text.isEmpty()) {
            lines << text;
        }
    }
    if (const DiagramFigures* figures = m_view->colors()->figures()) {
        lines << (figures->kind == DiagramFigures::Kind::Error ? tr("SQNR against %1") : tr("Covered by %1"))
                     .arg(figures->partner);
    }
    PictureFrame frame{.title = displayText(m_diagram->structure.architecture), .lines = lines};
    std::vector<DiagramKey> keys = m_view->colors()->legend();
    for (const DiagramKeyGroup& group : m_strip->keys()) {
        keys.insert(keys.end(), group.keys.begin(), group.keys.end());
    }
    for (const DiagramKey& key : keys) {
        frame.keys.push_back({key.text, [key](QPainter& painter, const QRectF& rect) {
                                  painter.fillRect(rect.adjusted(2, 1, -2, -1), key.color);
                                  if (key.struck) {
                                      painter.setPen(themeColor(Token::Text));
                                      painter.drawLine(QPointF(rect.left() + 4, rect.center().y()),
                                                       QPointF(rect.right() - 4, rect.center().y()));
                                  }
                              }});
    }
    const auto width = static_cast<int>(m_view->layoutOfItems().size.width());
    const auto height = [this, strip](int given) { return m_view->heightFor(given) + kGap + strip; };
    return {.frame = std::move(frame),
            .shown = {width, height(width)},
            .heightFor = height,
            .draw = [this](QPainter& painter, int given) {
                m_view->drawAt(painter, given);
                painter.translate(0, m_view->heightFor(given) + kGap);
                m_strip->drawAt(painter, given);
            }};
}

QString DiagramPage::copyText(CopyFormat format) const {
    if (m_diagram == nullptr) {
        return {};
    }
    if (m_table->hasFocus()) {
        return viewText(*m_table, format);
    }
    const QString text = structureText(m_diagram->structure);
    return format == CopyFormat::Markdown ? QStringLiteral("```text\n%1```\n").arg(text) : text;
}

QJsonObject DiagramPage::saveState() const {
    QJsonObject state{{QStringLiteral("detailWidth"), m_detailWidth->width()},
                      {QStringLiteral("measure"), m_measure->currentIndex()}};
    if (const auto block = m_view->unfolded()) {
        state.insert(QStringLiteral("model"),
                     QJsonObject{{QStringLiteral("stack"), static_cast<qint64>(block->stack)},
                                 {QStringLiteral("block"), static_cast<qint64>(block->block)}});
    }
    return state;
}

void DiagramPage::restoreState(const QJsonObject& state) {
    m_detailWidth->setWidth(state[QStringLiteral("detailWidth")].toInt());
    const int measure = state[QStringLiteral("measure")].toInt();
    if (measure >= 0 && measure < m_measure->count()) {
        m_measure->setCurrentIndex(measure);
    }
    const QJsonObject model = state[QStringLiteral("model")].toObject();
    if (const int block = model[QStringLiteral("block")].toInt(-1); block >= 0) {
        m_wanted = DiagramBlock{static_cast<std::size_t>(std::max(model[QStringLiteral("stack")].toInt(), 0)),
                                static_cast<std::size_t>(block)};
    }
}

} // namespace gufo::ui

#include "moc_diagram_page.cpp"
