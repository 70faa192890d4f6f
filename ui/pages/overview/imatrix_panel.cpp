#include "ui/pages/overview/imatrix_panel.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

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
