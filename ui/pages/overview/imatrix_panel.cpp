#include "ui/pages/overview/imatrix_panel.h"

#include "model/tensor_role.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QStringList>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::size_t kShownNameBytes = 200;
constexpr std::size_t kShownChannels = 3;

QString channelText(const ImportantColumn& channel) {
    return QStringLiteral("%1 (%2 %)").arg(formatCount(channel.column), formatReal(100 * channel.share, 3));
}

QString channelsText(const ImatrixRow& entry, std::size_t maximum) {
    QStringList texts;
    for (std::size_t i = 0; i < std::min(maximum, entry.top.size()); ++i) {
        texts << channelText(entry.top[i]);
    }
    return texts.join(QStringLiteral(", "));
}

bool contains(const std::vector<std::string>& sorted, const std::string& name) {
    return std::ranges::binary_search(sorted, name);
}

constexpr int kImatrixWidths[] = {250, 110, 70, 220};
constexpr std::size_t kShownDatasets = 4;

QString datasetsText(const std::vector<std::string>& datasets) {
    QStringList names;
    for (std::size_t i = 0; i < std::min(kShownDatasets, datasets.size()); ++i) {
        names << headText(datasets[i], kShownNameBytes);
    }
    if (datasets.size() > kShownDatasets) {
        names << QStringLiteral("…");
    }
    return names.join(QStringLiteral(", "));
}

} // namespace

void ImatrixModel::setEntries(std::vector<ImatrixRow> entries) {
    beginResetModel();
    m_entries = std::move(entries);
    std::ranges::sort(m_entries, {}, [](const ImatrixRow& entry) {
        return std::pair(orderOf(parseTensorName(entry.tensor).block), entry.tensor);
    });
    rebuild();
    endResetModel();
}

void ImatrixModel::setPartners(std::optional<ImatrixPartners> partners) {
    beginResetModel();
    m_partners = std::move(partners);
    rebuild();
    endResetModel();
}

void ImatrixModel::rebuild() {
    m_lines.clear();
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const std::string& name = m_entries[i].tensor;
        const Fit fit = !m_partners                                 ? Fit::NotCompared
                        : contains(m_partners->withoutTensor, name) ? Fit::NoTensor
                        : contains(m_partners->otherShape, name)    ? Fit::OtherShape
                        : contains(m_partners->withoutValues, name) ? Fit::NoValues
                                                                    : Fit::Fits;
        m_lines.push_back({.tensor = name, .block = parseTensorName(name).block, .entry = i, .fit = fit});
    }
    if (m_partners) {
        for (const std::string& name : m_partners->withoutEntry) {
            m_lines.push_back({.tensor = name, .block = parseTensorName(name).block, .fit = Fit::NoEntry});
        }
    }
    arrange(m_lines.size());
}

const ImatrixRow* ImatrixModel::entryAt(int row) const { return entryOf(m_lines[lineAt(row)]); }

const ImatrixRow* ImatrixModel::entryOf(const Line& line) const {
    return line.entry ? &m_entries[*line.entry] : nullptr;
}

QString ImatrixModel::text(std::size_t at, int column) const {
    const Line& line = m_lines[at];
    const ImatrixRow* entry = entryOf(line);
    switch (column) {
    case Tensor:
        return headText(line.tensor, kShownNameBytes);
    case Used:
        return entry == nullptr ? QStringLiteral("—")
                                : tr("%1 of %2").arg(formatCount(entry->used()), formatCount(entry->counts.size()));
    case Rows:
        return entry == nullptr ? QStringLiteral("—") : formatReal(entry->rows(), 12);
    case Channels:
        return entry == nullptr ? QStringLiteral("—") : channelsText(*entry, kShownChannels);
    default:
        break;
    }
    switch (line.fit) {
    case Fit::NotCompared:
        return {};
    case Fit::Fits:
        return tr("fits");
    case Fit::NoEntry:
        return tr("no entry");
    case Fit::NoTensor:
        return tr("no such tensor");
    case Fit::OtherShape:
        return tr("other shape");
    case Fit::NoValues:
        return tr("no values");
    }
    return {};
}

QString ImatrixModel::toolTip(std::size_t at, int column) const {
    const Line& line = m_lines[at];
    const ImatrixRow* entry = entryOf(line);
    if (column == Channels && entry != nullptr) {
        return tr("Columns with the largest sums of squared inputs, as shares of the tensor's sum: %1")
            .arg(channelsText(*entry, ImatrixRow::kTop));
    }
    if (column == Used && entry != nullptr && entry->used() < entry->counts.size()) {
        return tr("No token was routed to %n matrices. They are quantised without importance.", nullptr,
                  numerus(entry->counts.size() - entry->used()));
    }
    if (column == Partner && line.fit == Fit::NoEntry) {
        return tr("The model has this matrix, but the file says nothing about it. It is quantised without importance.");
    }
    if (column == Partner && line.fit == Fit::NoValues) {
        return tr(
            "All values of the entry are 0, or no token was counted. The tensor is quantised without importance.");
    }
    return column == Tensor ? plainToolTip(text(at, Tensor)) : QString();
}

bool ImatrixModel::isWarning(std::size_t at, int column) const {
    const ImatrixRow* entry = entryOf(m_lines[at]);
    return (column == Partner && m_lines[at].fit != Fit::Fits) ||
           (column == Used && entry != nullptr && entry->used() < entry->counts.size());
}

QString ImatrixModel::title(int column) const {
    switch (column) {
    case Tensor:
        return tr("Tensor");
    case Used:
        return tr("Matrices used");
    case Rows:
        return tr("Rows");
    case Channels:
        return tr("Top channels");
    case Partner:
        return tr("In the model");
    default:
        return {};
    }
}

MatrixTableModel::Place ImatrixModel::placeOf(std::size_t line) const {
    return {orderOf(m_lines[line].block), m_lines[line].tensor};
}

double ImatrixModel::figure(std::size_t at, int column) const {
    const ImatrixRow* entry = entryOf(m_lines[at]);
    switch (column) {
    case Used:
        return entry == nullptr ? -1.0 : static_cast<double>(entry->used()) / static_cast<double>(entry->counts.size());
    case Rows:
        return entry == nullptr ? -1.0 : entry->rows();
    case Channels:
        return entry == nullptr || entry->top.empty() ? -1.0 : entry->top.front().share;
    case Partner:
        return static_cast<double>(m_lines[at].fit);
    default:
        return 0.0;
    }
}

ImatrixPanel::ImatrixPanel(QWidget* parent)
    : QWidget(parent)
    , m_summary(themedLabel({}, TextStyle::Body, Token::Text, this))
    , m_experts(new QWidget(this))
    , m_map(new ExpertMap(m_experts))
    , m_choice(new OpenModelChoice(tr("Model that the matrix is compared with"), this))
    , m_fit(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_table(new ImatrixModel(this))
    , m_view(makeMatrixTable(tr("Entries of the importance matrix"), m_table, kImatrixWidths, this)) {
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
