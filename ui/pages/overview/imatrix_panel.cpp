#include "ui/pages/overview/imatrix_panel.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kTallRow = 10;
constexpr int kLowRow = 3;
constexpr std::size_t kFewRows = 40;
constexpr std::size_t kNameBytes = 120;
constexpr std::size_t kMaxExperts = 4'096;

constexpr int kWidths[] = {250, 110, 70, 220};
constexpr std::size_t kShownDatasets = 4;
constexpr std::size_t kNameBytes = 200;

QString datasetsText(const std::vector<std::string>& datasets) {
    QStringList names;
    for (std::size_t i = 0; i < std::min(kShownDatasets, datasets.size()); ++i) {
        names << headText(datasets[i], kNameBytes);
    }
    if (datasets.size() > kShownDatasets) {
        names << QStringLiteral("…");
    }
    return names.join(QStringLiteral(", "));
}

} // namespace

ExpertMap::ExpertMap(QWidget* parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        drawImage();
        update();
    });
}

void ExpertMap::setEntries(const std::vector<ImatrixRow>& entries) {
    m_entries.clear();
    m_experts = 0;
    std::uint64_t unused = 0;
    for (const ImatrixRow& entry : entries) {
        if (entry.counts.size() > 1 && entry.counts.size() <= kMaxExperts && m_entries.size() < kMaxRows) {
            m_entries.push_back(entry);
            m_experts = std::max(m_experts, entry.counts.size());
            unused += entry.counts.size() - entry.used();
        }
    }
    setAccessibleName(tr("Map of how often experts were used; %n were never used", nullptr, numerus(unused)));
    drawImage();
    updateGeometry();
    update();
}

// The colour of an expert says how often it was used, compared with the expert of its tensor that was used most.
void ExpertMap::drawImage() {
    m_image = QImage(static_cast<int>(m_experts), rows(), QImage::Format_RGB32);
    m_image.fill(themeColor(Token::Base));
    const QColor never = themeColor(Token::WarningMark);
    for (std::size_t row = 0; row < m_entries.size(); ++row) {
        const std::vector<double>& counts = m_entries[row].counts;
        const double maximum = *std::ranges::max_element(counts);
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const QColor color = counts[i] > 0 ? colorMapAt(ColorMap::Viridis, counts[i] / maximum) : never;
            m_image.setPixelColor(static_cast<int>(i), static_cast<int>(row), color);
        }
    }
}

int ExpertMap::rowHeight() const { return m_entries.size() <= kFewRows ? kTallRow : kLowRow; }

QSize ExpertMap::sizeHint() const { return {480, rowHeight() * rows()}; }

void ExpertMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.drawImage(rect(), m_image);
    if (rowHeight() == kTallRow) {
        painter.setPen(themeColor(Token::Base));
        for (int row = 1; row < rows(); ++row) {
            painter.drawLine(0, row * height() / rows(), width(), row * height() / rows());
        }
    }
}

std::optional<ExpertMap::Cell> ExpertMap::cellAt(QPoint at) const {
    if (isEmpty() || !rect().contains(at)) {
        return std::nullopt;
    }
    const auto row = static_cast<std::size_t>(at.y()) * m_entries.size() / static_cast<std::size_t>(height());
    const auto expert = static_cast<std::size_t>(at.x()) * m_experts / static_cast<std::size_t>(width());
    return row < m_entries.size() && expert < m_entries[row].counts.size() ? std::optional(Cell{row, expert})
                                                                           : std::nullopt;
}

QString ExpertMap::describe(QPoint at) const {
    const auto cell = cellAt(at);
    if (!cell) {
        return {};
    }
    const ImatrixRow& entry = m_entries[cell->row];
    const double count = entry.counts[cell->expert];
    const QString name = tr("%1, expert %2").arg(headText(entry.tensor, kNameBytes), formatCount(cell->expert));
    return count > 0 ? tr("%1: %2 rows, %3 % of the tensor's")
                           .arg(name, formatReal(count, 12), formatReal(100 * count / entry.rows(), 3))
                     : tr("%1: no token was routed to it").arg(name);
}

bool ExpertMap::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), describe(help->pos()).toHtmlEscaped(), this);
        return true;
    }
    return QWidget::event(event);
}

ImatrixPanel::ImatrixPanel(QWidget* parent)
    : QWidget(parent)
    , m_summary(themedLabel({}, TextStyle::Body, Token::Text, this))
    , m_experts(new QWidget(this))
    , m_map(new ExpertMap(m_experts))
    , m_choice(new OpenModelChoice(tr("Model that the matrix is compared with"), this))
    , m_fit(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_table(new ImatrixModel(this))
    , m_view(makeMatrixTable(tr("Entries of the importance matrix"), m_table, kWidths, this)) {
    m_fit->setObjectName(QStringLiteral("partners"));
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_fit->setWordWrap(true);
    auto* experts = new QVBoxLayout(m_experts);
    experts->setContentsMargins(0, 0, 0, 0);
    experts->setSpacing(8);
    experts->addWidget(themedLabel(tr("Use of experts"), TextStyle::Section, Token::Text, m_experts));
    experts->addWidget(m_map);
    m_experts->hide();
    auto* partners = new QHBoxLayout;
    partners->setSpacing(8);
    partners->addWidget(themedLabel(tr("Compare with"), TextStyle::Body, Token::Text, this));
    partners->addWidget(m_choice);
    partners->addWidget(m_fit, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(themedLabel(tr("Coverage"), TextStyle::Section, Token::Text, this));
    layout->addWidget(m_summary);
    layout->addWidget(m_experts);
    layout->addLayout(partners);
    layout->addWidget(m_view, 1);
    connect(m_choice, &QComboBox::activated, this, &ImatrixPanel::compare);
    listModels();
}

void ImatrixPanel::setModel(std::shared_ptr<const Model> imatrix) {
    m_model = std::move(imatrix);
    m_imatrix.reset();
    listModels();
    m_reading.cancel();
    m_summary->setText(tr("Reading the entries…"));
    m_reading.start<Contents>(
        [model = m_model](const JobContext& context) -> Result<Contents> {
            auto opened = GUFO_TRY(Imatrix::open(model->path(), {.stop = context.stop}));
            auto entries = GUFO_TRY(imatrixCoverage(*opened, context));
            return Contents{std::move(opened), std::move(entries)};
        },
        [this](Result<Contents> contents) {
            if (contents) {
                showContents(std::move(*contents));
            } else {
                m_summary->setText(errorLine(contents.error()));
            }
            emit read();
        });
}

void ImatrixPanel::showContents(Contents contents) {
    m_imatrix = std::move(contents.imatrix);
    std::uint64_t experts = 0;
    std::uint64_t unused = 0;
    for (const ImatrixRow& entry : contents.entries) {
        experts += entry.counts.size() > 1 ? entry.counts.size() : 0;
        unused += entry.counts.size() - entry.used();
    }
    QStringList sentences;
    const QString entries = tr("%n entries", nullptr, numerus(contents.entries.size()));
    if (const auto chunks = m_imatrix->chunks()) {
        sentences << tr("%1 from %n chunks of text.", nullptr, numerus(*chunks)).arg(entries);
    } else {
        sentences << tr("%1; the file does not state how much text was read.").arg(entries);
    }
    if (!m_imatrix->datasets().empty()) {
        sentences << tr("%n data sets: %1.", nullptr, numerus(m_imatrix->datasets().size()))
                         .arg(datasetsText(m_imatrix->datasets()));
    }
    if (experts != 0) {
        sentences << (unused == 0 ? tr("All %n expert matrices were used.", nullptr, numerus(experts))
                                  : tr("No token was routed to %n of %1 expert matrices.", nullptr, numerus(unused))
                                        .arg(formatCount(experts)));
    }
    m_summary->setText(sentences.join(u' '));
    m_table->setEntries(std::move(contents.entries));
    m_map->setEntries(m_table->entries());
    m_experts->setVisible(!m_map->isEmpty());
    compare();
}

// Models may have been opened or closed in other tabs meanwhile.
void ImatrixPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    listModels();
}

void ImatrixPanel::listModels() {
    m_choice->list();
    if (m_choice->chosen() == nullptr) {
        compare(); // with none
    }
}

void ImatrixPanel::compare() {
    m_comparing.cancel();
    const auto model = m_choice->chosen();
    m_fit->setText(m_choice->models().empty()
                       ? tr("Open the model in another tab to see which of its matrices have no entry.")
                       : QString());
    if (m_imatrix == nullptr || model == nullptr) {
        m_table->setPartners(std::nullopt);
        emit compared();
        return;
    }
    m_comparing.start<ImatrixPartners>(
        [imatrix = m_imatrix, model](const JobContext& context) { return imatrixPartners(*imatrix, *model, context); },
        [this](Result<ImatrixPartners> partners) {
            if (!partners) {
                m_fit->setText(errorLine(partners.error()));
            } else {
                writePartners(*partners);
                m_table->setPartners(std::move(*partners));
            }
            emit compared();
        });
}

void ImatrixPanel::writePartners(const ImatrixPartners& partners) {
    QStringList texts;
    const auto count = [](const std::vector<std::string>& names) { return numerus(names.size()); };
    if (!partners.withoutEntry.empty()) {
        texts << tr("%n matrices of the model have no entry.", nullptr, count(partners.withoutEntry));
    }
    if (!partners.withoutTensor.empty()) {
        texts << tr("%n entries are for tensors that the model does not have.", nullptr, count(partners.withoutTensor));
    }
    if (!partners.otherShape.empty()) {
        texts << tr("%n entries are for tensors of another shape.", nullptr, count(partners.otherShape));
    }
    if (!partners.withoutValues.empty()) {
        texts << tr("%n entries have no values other than 0.", nullptr, count(partners.withoutValues));
    }
    m_fit->setText(texts.isEmpty() ? tr("Every matrix that is usually quantised has an entry.") : texts.join(u' '));
}

QString ImatrixPanel::copyText(CopyFormat format) const { return viewText(*m_view, format); }

} // namespace gufo::ui

#include "moc_imatrix_panel.cpp"
