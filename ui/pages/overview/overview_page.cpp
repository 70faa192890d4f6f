#include "ui/pages/overview/overview_page.h"

#include "base/output_file.h"
#include "formats/container/container.h"
#include "inference/measuring/line_vectors.h"
#include "model/file_kind.h"
#include "model/finding_code.h"
#include "model/token.h"
#include "ui/convert/planned_conversion.h"
#include "ui/document/fetching.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/link_question.h"
#include "ui/widgets/ruled_table.h"
#include "ui/widgets/splitter_sizes.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QResizeEvent>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kMargin = 20;
constexpr int kSection = 28;
constexpr int kHeadingGap = 16;
constexpr int kRightWidth = 372;
constexpr int kNarrowBelow = 1000;
constexpr int kFollowChangesMs = 250; // after the last edit

template<typename Area = QScrollArea>
Area* scrollArea(QWidget* parent) {
    auto* area = new Area(parent);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->viewport()->setAutoFillBackground(false);
    return area;
}

// Scrolls where there is less room than its parts need, instead of squeezing them; lists among them scroll by
// themselves before that.
class RightColumn : public QWidget {
public:
    using QWidget::QWidget;
    [[nodiscard]] int heightForWidth(int width) const override {
        return layout() != nullptr ? layout()->totalMinimumHeightForWidth(width) : QWidget::heightForWidth(width);
    }
};

// Is never narrower than its column, because it scrolls up and down only.
class RightArea : public QScrollArea {
public:
    using QScrollArea::QScrollArea;
    [[nodiscard]] QSize minimumSizeHint() const override {
        const int column = widget() != nullptr ? widget()->minimumSizeHint().width() : 0;
        return {column + verticalScrollBar()->sizeHint().width(), QScrollArea::minimumSizeHint().height()};
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == widget() && event->type() == QEvent::LayoutRequest) {
            updateGeometry();
        }
        return QScrollArea::eventFilter(watched, event);
    }
};

} // namespace

OverviewPage::OverviewPage(QWidget* parent)
    : Page(parent)
    , m_heading(new QWidget(this))
    , m_title(themedLabel({}, TextStyle::PageTitle, Token::Text, m_heading))
    , m_path(themedLabel({}, TextStyle::Mono, Token::Muted, m_heading))
    , m_facts(new FactStrip(this))
    , m_left(new QWidget(this))
    , m_bar(new TypeBar(m_left))
    , m_mapSection(new QWidget(m_left))
    , m_legend(new MapLegend(m_mapSection))
    , m_map(new BlockMap(m_mapSection))
    , m_noMap(new EmptyState(m_left))
    , m_shapeTitle(themedLabel(tr("Shape"), TextStyle::Section, Token::Text, m_left))
    , m_shape(new RuledTable(m_left))
    , m_memory(new MemoryPanel(this))
    , m_findings(new FindingsPanel(this))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_right(new RightColumn(this))
    , m_scroll(scrollArea(this))
    , m_narrowScroll(scrollArea(this)) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_buttons = makeButtons();
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_path->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_title->setMinimumWidth(50);
    m_path->setMinimumWidth(50);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_path->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* names = new QVBoxLayout;
    names->setSpacing(3);
    names->addWidget(m_title);
    names->addWidget(m_path);
    auto* heading = new QHBoxLayout(m_heading);
    heading->setContentsMargins(0, 0, 0, 0);
    heading->setSpacing(kHeadingGap);
    heading->addLayout(names, 1);
    heading->addWidget(m_buttons, 0, Qt::AlignTop);
    m_heading->installEventFilter(this);
    m_buttons->installEventFilter(this); // there are fewer for files that cannot be run

    m_noMap->setMinimumHeight(180);
    m_shape->setAccessibleName(tr("Shape"));
    auto* mapHeading = new QHBoxLayout;
    mapHeading->addWidget(
        themedLabel(tr("Bits per weight by block and role"), TextStyle::Section, Token::Text, m_mapSection), 0,
        Qt::AlignBottom);
    mapHeading->addStretch();
    mapHeading->addWidget(m_legend, 0, Qt::AlignBottom);
    auto* map = new QVBoxLayout(m_mapSection);
    map->setContentsMargins(0, 0, 0, 0);
    map->setSpacing(8);
    map->addLayout(mapHeading);
    map->addWidget(m_map);

    auto* left = new QVBoxLayout(m_left);
    left->setContentsMargins(0, 0, 0, 0);
    left->setSpacing(8);
    left->addWidget(themedLabel(tr("Bytes by tensor type"), TextStyle::Section, Token::Text, m_left));
    left->addWidget(m_bar);
    left->addSpacing(kSection - 16);
    left->addWidget(m_mapSection);
    left->addWidget(m_noMap);
    left->addSpacing(kSection - 16);
    left->addWidget(m_shapeTitle);
    left->addWidget(m_shape);
    left->addStretch();

    m_right->setMinimumWidth(320);
    auto* right = scrollArea<RightArea>(this);
    right->setWidget(m_right);
    m_splitter->addWidget(m_scroll);
    m_splitter->addWidget(right);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);
    m_rightWidth = new KeptWidth(m_splitter, 1, kRightWidth);
    connect(m_facts, &FactStrip::linkActivated, this, [this](const QUrl& link) {
        LinkQuestion::ask(this, addressText(link), tr("The address comes from the file and has not been checked."));
    });
    connect(m_map, &BlockMap::tensorActivated, this, [this](TensorIndex tensor) {
        emit placeRequested(Place::tensor(std::string(m_model->tensor(tensor).name)));
    });
    connect(m_findings, &FindingsPanel::placeRequested, this, &OverviewPage::placeRequested);
    connect(m_findings, &FindingsPanel::checked, this, &OverviewPage::badgeChanged);
    connect(m_findings, &FindingsPanel::reported, this, [this](const QString& text) { emit statusChanged(text, {}); });
    m_summariseSoon.setSingleShot(true);
    m_summariseSoon.setInterval(kFollowChangesMs);
    connect(&m_summariseSoon, &QTimer::timeout, this, [this] {
        summariseModel();
        m_memory->setModel(m_model);
        if (m_adapter != nullptr) {
            m_adapter->setModel(m_model);
        }
    });
    arrange();
}

OverviewPage::~OverviewPage() = default;

// Arranges the parts side by side, or in one column that scrolls as a whole.
void OverviewPage::arrange() {
    const bool narrow = width() < kNarrowBelow;
    if (m_arranged && narrow == m_narrow) {
        return;
    }
    m_arranged = true;
    m_narrow = narrow;
    for (QWidget* part : {m_heading, static_cast<QWidget*>(m_facts), m_left, static_cast<QWidget*>(m_memory),
                          static_cast<QWidget*>(m_findings)}) {
        part->setParent(this);
    }
    delete m_scroll->takeWidget();
    delete m_narrowScroll->takeWidget();
    delete layout();
    auto* page = new QVBoxLayout(this);
    // Otherwise the layout of a page that is a window resizes it to the minimum, and is deleted here while it does.
    page->setSizeConstraint(QLayout::SetNoConstraint);
    page->setSpacing(0);
    m_splitter->setVisible(!narrow);
    m_narrowScroll->setVisible(narrow);
    if (narrow) {
        page->setContentsMargins(0, 0, 0, 0);
        auto* column = new QWidget;
        auto* layout = new QVBoxLayout(column);
        layout->setContentsMargins(kMargin, 18, kMargin, kMargin);
        layout->setSpacing(0);
        layout->addWidget(m_heading);
        layout->addSpacing(14);
        layout->addWidget(m_facts);
        layout->addSpacing(20);
        layout->addWidget(m_findings);
        layout->addSpacing(20);
        layout->addWidget(m_memory);
        layout->addSpacing(kSection);
        layout->addWidget(m_left, 1);
        m_narrowScroll->setWidget(column);
        page->addWidget(m_narrowScroll);
    } else {
        page->setContentsMargins(0, 18, 0, 0);
        auto* top = new QVBoxLayout;
        top->setContentsMargins(kMargin, 0, kMargin, 0);
        top->setSpacing(14);
        top->addWidget(m_heading);
        top->addWidget(m_facts);
        page->addLayout(top);
        auto* left = new QWidget;
        auto* leftLayout = new QVBoxLayout(left);
        leftLayout->setContentsMargins(kMargin, 20, kMargin, kMargin);
        leftLayout->addWidget(m_left);
        m_scroll->setWidget(left);
        delete m_right->layout();
        auto* rightLayout = new QVBoxLayout(m_right);
        rightLayout->setContentsMargins(kMargin, 20, kMargin, 8);
        rightLayout->setSpacing(20);
        rightLayout->addWidget(m_memory);
        rightLayout->addWidget(m_findings, 1);
        page->addWidget(m_splitter, 1);
    }
    showParts();
}

void OverviewPage::showParts() {
    for (QWidget* part : {m_heading, static_cast<QWidget*>(m_facts), m_left, static_cast<QWidget*>(m_memory),
                          static_cast<QWidget*>(m_findings)}) {
        part->setVisible(part != m_memory || (m_imatrix == nullptr && m_adapter == nullptr)); // which are not run
    }
}

QWidget* OverviewPage::makeButtons() {
    auto* buttons = new QWidget(m_heading);
    auto* row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    const auto add = [&](const QString& text, const QString& icon, Token color, const QString& tip) {
        auto* button = new QPushButton(text, buttons);
        button->setIcon(themeIcon(icon, color));
        button->setToolTip(tip);
        row->addWidget(button);
        return button;
    };
    const QPushButton* compare = add(tr("Compare with…"), QStringLiteral("compare"), Token::Text,
                                     tr("Compare this model with others (Ctrl+Shift+D)"));
    const QPushButton* report =
        add(tr("Report…"), QStringLiteral("export"), Token::Text, tr("Write this overview and the findings to a file"));
    m_convert = add(tr("Convert…"), QStringLiteral("export"), Token::OnAccent, QString());
    connect(m_convert, &QPushButton::clicked, this, &OverviewPage::convertRequested);
    m_chat = add(tr("Chat"), QStringLiteral("chat"), Token::OnAccent, tr("Run this model"));
    m_chat->setProperty(kPrimaryProperty, true);
    connect(compare, &QPushButton::clicked, this, &OverviewPage::compareRequested);
    connect(report, &QPushButton::clicked, this, &OverviewPage::askForReport);
    connect(m_chat, &QPushButton::clicked, this, &OverviewPage::chatRequested);
    return buttons;
}

void OverviewPage::askForReport() {
    const QString suffix = QStringLiteral(".md");
    askExportPath(*this, tr("Write a report"), modelNameText(m_model->path()) + suffix,
                  {{tr("Markdown (*.md)"), suffix}}, 0,
                  [this](const std::filesystem::path& path, std::size_t) { writeReport(path); });
}

void OverviewPage::writeReport(const std::filesystem::path& path) {
    QString findings = m_findings->copyText(CopyFormat::Markdown);
    if (!findings.isEmpty()) {
        findings = QStringLiteral("\n## %1\n\n").arg(tr("Findings")) + findings;
    }
    startJob<void>(
        this,
        [overview = m_overview, findings, path](const JobContext&) {
            const QString report = overviewText(*overview, CopyFormat::Markdown, Figures::Rounded) + findings;
            return writeWholeFile(path, report.toStdString());
        },
        [this, path](const Result<>& written) {
            emit statusChanged(written ? tr("Written: %1").arg(displayPath(path)) : errorLine(written.error()), {});
        });
}

void OverviewPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    arrange();
}

bool OverviewPage::eventFilter(QObject* watched, QEvent* event) {
    if ((watched == m_heading || watched == m_buttons) && event->type() == QEvent::Resize) {
        writeHeading();
    }
    return Page::eventFilter(watched, event);
}

// Elides long names and paths at the edge of the page, so that they do not widen the window.
void OverviewPage::writeHeading() {
    if (!m_model) {
        return;
    }
    const int room = m_heading->width() - kHeadingGap - m_buttons->sizeHint().width();
    const QString title = modelTitle(*m_model);
    const QString path = displayPath(m_model->path());
    m_title->setText(m_title->fontMetrics().elidedText(title, Qt::ElideMiddle, room));
    m_title->setToolTip(plainToolTip(title));
    m_path->setText(m_path->fontMetrics().elidedText(path, Qt::ElideMiddle, room));
    m_path->setToolTip(plainToolTip(displayText(m_model->path().native())));
}

void OverviewPage::setModel(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    m_chat->setVisible(fileKind(*m_model) == FileKind::Model &&
                       capabilitiesOf(*m_model).has(Capability::Run)); // an adapter cannot be run by itself
    showConvert();
    if (inference::isForVectors(*m_model)) {
        m_chat->setText(tr("Embed"));
        m_chat->setIcon(themeIcon(QStringLiteral("heat-map"), Token::OnAccent));
        m_chat->setToolTip(tr("Make vectors of texts"));
    }
    writeHeading();
    m_findings->setModel(m_model);
    m_memory->setModel(m_model);
    if (fileKind(*m_model) == FileKind::Imatrix && capabilitiesOf(*m_model).has(Capability::Run) &&
        !isOnServer(*m_model)) { // its panel reads all of it
        if (m_imatrix == nullptr) {
            m_imatrix = new ImatrixPanel(m_left);
            qobject_cast<QVBoxLayout*>(m_left->layout())->insertWidget(0, m_imatrix, 1);
        }
        m_imatrix->setModel(m_model);
        showParts();
    }
    if (fileKind(*m_model) == FileKind::Adapter && capabilitiesOf(*m_model).has(Capability::Run)) {
        if (m_adapter == nullptr) {
            m_adapter = new AdapterPanel(m_left);
            auto* left = qobject_cast<QVBoxLayout*>(m_left->layout());
            left->insertWidget(0, m_adapter, 1);
            left->insertSpacing(1, kSection - 16);
        }
        m_adapter->setModel(m_model);
        showParts();
    }
    summariseModel();
}

// What a file would run is read before it is converted, so converting is not what the page proposes then.
void OverviewPage::showConvert() {
    const bool runsCode =
        std::ranges::find(m_model->findings, FindingCode::GlobalDangerous, &Finding::code) != m_model->findings.end();
    m_convert->setVisible(mayBeConverted(*m_model));
    m_convert->setProperty(kPrimaryProperty, !runsCode);
    m_convert->setIcon(themeIcon(QStringLiteral("export"), runsCode ? Token::Text : Token::OnAccent));
    m_convert->setToolTip(runsCode
                              ? tr("Convert the weights to GGUF. Gufo does not run the code that the findings name.")
                              : tr("Convert this model to GGUF"));
    m_convert->update();
}

void OverviewPage::setDocument(ModelDocument* document) {
    m_document = document;
    m_findings->setDocument(document);
    connect(document, &ModelDocument::edited, this, &OverviewPage::follow);
}

void OverviewPage::follow(const TouchedParts& touched) {
    m_model = m_document->current();
    writeHeading();
    m_findings->follow(m_model, touched.tensors);
    m_summariseSoon.start();
}

void OverviewPage::summariseModel() {
    m_summary.start<std::shared_ptr<const Overview>>(
        [model = m_model](const JobContext& context) { return summarise(model, context); },
        [this](Result<std::shared_ptr<const Overview>> overview) {
            if (overview) {
                showOverview(std::move(*overview));
            }
        });
}

void OverviewPage::showOverview(std::shared_ptr<const Overview> overview) {
    m_overview = std::move(overview);
    m_facts->setFacts(m_overview->facts);
    m_bar->setOverview(*m_overview);
    m_legend->setOverview(*m_overview);
    m_map->setOverview(m_overview);
    QList<QPair<QString, QString>> shape;
    for (const OverviewRow& row : m_overview->shape) {
        shape << qMakePair(row.label, row.value);
    }
    m_shape->setRows(shape);
    m_shapeTitle->setVisible(!m_overview->shape.isEmpty());
    m_shape->setVisible(!m_overview->shape.isEmpty());
    const bool blocks = !m_overview->panels.empty();
    m_mapSection->setVisible(!m_model->tensors.empty() && m_imatrix == nullptr);
    m_noMap->setVisible(!blocks && m_imatrix == nullptr);
    if (m_model->tensors.empty()) {
        const bool vocabulary = m_model->metadata.array(kTokensKey) != nullptr;
        m_noMap->setTexts(vocabulary ? tr("A vocabulary without weights") : tr("No tensors in this file"),
                          vocabulary
                              ? tr("This file contains only the vocabulary of a model. It is on the Tokenizer page.")
                              : tr("Its metadata is on the Metadata page."));
    } else {
        m_noMap->setTexts(
            tr("No blocks in this file"),
            tr("No tensor name belongs to a block, so there is no map. All tensors are on the Tensors page."));
    }
    emit summarised();
}

QString OverviewPage::badge() const {
    const std::uint64_t count =
        m_findings->findings()->count(Severity::Error) + m_findings->findings()->count(Severity::Warning);
    return count == 0 ? QString() : formatCount(count);
}

bool OverviewPage::goTo(const Place& place) {
    // The page Bytes shows a byte of the file.
    return (place.kind == Place::Kind::File && !place.offset) || place.kind == Place::Kind::FileName;
}

void OverviewPage::activate() {
    if (!m_model) {
        return;
    }
    m_findings->runChecks();
    m_memory->refresh();
}

QJsonObject OverviewPage::saveState() const {
    return {{QStringLiteral("splitter"), m_rightWidth->width()}, {QStringLiteral("memory"), m_memory->saveState()}};
}

void OverviewPage::restoreState(const QJsonObject& state) {
    m_rightWidth->setWidth(state.value(QStringLiteral("splitter")).toInt());
    m_memory->restoreState(state.value(QStringLiteral("memory")).toObject());
}

QString OverviewPage::copyText(CopyFormat format) const {
    if (m_findings->view()->hasFocus()) {
        return m_findings->copyText(format);
    }
    if (m_imatrix != nullptr && m_imatrix->view()->hasFocus()) {
        return m_imatrix->copyText(format);
    }
    if (m_adapter != nullptr && m_adapter->view()->hasFocus()) {
        return m_adapter->copyText(format);
    }
    const Figures figures = format == CopyFormat::Text ? Figures::Rounded : Figures::Full;
    return m_overview ? overviewText(*m_overview, format, figures) : QString();
}

} // namespace gufo::ui

#include "moc_overview_page.cpp"
