#include "ui/pages/overview/adapter_panel.h"

#include "document/open_model.h"
#include "model/tensor_role.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_color.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace gufo::ui {
namespace {

constexpr std::string_view kFactorA = ".lora_a";
constexpr std::string_view kFactorB = ".lora_b";

std::optional<std::uint32_t> blockOf(const std::string& name) { return parseTensorName(name).block; }

constexpr int kWidths[] = {250, 90, 90, 90, 120};

} // namespace

Result<AdapterFigures> measureAdapter(const Model& base, std::shared_ptr<const Model> adapter, const JobContext& job) {
    auto fit = GUFO_TRY(fitAdapter(base, std::move(adapter)));
    AdapterFigures figures{.unfit = std::move(fit.unfit)};
    const std::vector<AdapterUse> uses = {{.adapter = std::move(fit.adapter), .strength = 1}};
    const auto changed = GUFO_TRY(measureChanges(base, uses, job));
    for (const ChangedTensor& tensor : changed) {
        const AdapterChange& change = tensor.changes.front();
        figures.tensors.push_back({.name = std::string(base.tensor(tensor.tensor).name),
                                   .rank = change.rank,
                                   .change = change.norm,
                                   .weights = tensor.weightNorm});
    }
    return figures;
}

std::optional<double> AdapterModel::Line::relative() const {
    return measured && weights2 > 0 ? std::optional(std::sqrt(change2 / weights2)) : std::nullopt;
}

void AdapterModel::setAdapter(const Model& adapter) {
    beginResetModel();
    m_pairs.clear();
    for (const TensorInfo& tensor : adapter.tensors) {
        if (tensor.name.ends_with(kFactorB)) {
            m_pairs.push_back({std::string(tensor.name.substr(0, tensor.name.size() - kFactorB.size())),
                               tensor.shape.count() == 0 ? 0 : tensor.shape[0]});
        } else if (!tensor.name.ends_with(kFactorA)) {
            m_pairs.push_back({std::string(tensor.name), 0});
        }
    }
    m_figures.reset();
    rebuild();
    endResetModel();
}

void AdapterModel::setFigures(std::optional<AdapterFigures> figures) {
    beginResetModel();
    m_figures = std::move(figures);
    rebuild();
    endResetModel();
}

void AdapterModel::showLayers(bool layers) {
    beginResetModel();
    m_layers = layers;
    rebuild();
    endResetModel();
}

std::size_t AdapterModel::matrices() const {
    return static_cast<std::size_t>(std::ranges::count_if(m_pairs, [](const Pair& pair) { return pair.rank != 0; }));
}

std::vector<std::uint64_t> AdapterModel::ranks() const {
    std::set<std::uint64_t> ranks;
    for (const Pair& pair : m_pairs) {
        if (pair.rank != 0) {
            ranks.insert(pair.rank);
        }
    }
    return {ranks.begin(), ranks.end()};
}

void AdapterModel::rebuild() {
    m_lines.clear();
    if (!m_figures) {
        for (const Pair& pair : m_pairs) {
            m_lines.push_back({.name = pair.name, .block = blockOf(pair.name), .rank = pair.rank});
        }
    } else {
        for (const AdapterFigures::Tensor& tensor : m_figures->tensors) {
            m_lines.push_back({.name = tensor.name,
                               .block = blockOf(tensor.name),
                               .rank = tensor.rank,
                               .measured = true,
                               .change2 = tensor.change * tensor.change,
                               .weights2 = tensor.weights * tensor.weights});
        }
        for (const UnfitTensor& tensor : m_figures->unfit) {
            const auto pair = std::ranges::find(m_pairs, tensor.name, &Pair::name);
            m_lines.push_back({.name = tensor.name,
                               .block = blockOf(tensor.name),
                               .rank = pair != m_pairs.end() ? pair->rank : 0,
                               .problem = tensor.why,
                               .problems = 1});
        }
    }
    if (m_layers) {
        std::map<std::uint64_t, Line> layers;
        for (const Line& line : m_lines) {
            auto [at, isNew] = layers.try_emplace(orderOf(line.block), Line{.block = line.block, .matrices = 0});
            Line& layer = at->second;
            ++layer.matrices;
            layer.rank = std::max(layer.rank, line.rank);
            layer.measured = layer.measured || line.measured;
            layer.change2 += line.change2;
            layer.weights2 += line.weights2;
            layer.problems += line.problems;
        }
        m_lines.clear();
        for (auto& [order, layer] : layers) {
            m_lines.push_back(std::move(layer));
        }
    }
    arrange(m_lines.size());
}

QString AdapterModel::text(std::size_t at, int column) const {
    const Line& line = m_lines[at];
    switch (column) {
    case Name:
        if (!line.name.empty()) {
            return displayText(line.name);
        }
        return line.block ? tr("block %1, %n matrices", nullptr, numerus(line.matrices)).arg(formatCount(*line.block))
                          : tr("outside of blocks, %n matrices", nullptr, numerus(line.matrices));
    case Rank:
        return line.rank != 0 ? formatCount(line.rank) : tr("replaced");
    case Change:
        return line.measured ? formatReal(std::sqrt(line.change2)) : QString();
    case Weights:
        return line.measured ? formatReal(std::sqrt(line.weights2)) : QString();
    case Relative:
        return line.relative() ? QStringLiteral("%1 %").arg(formatReal(100 * *line.relative(), 3)) : QString();
    default:
        break;
    }
    if (!m_figures) {
        return {};
    }
    if (line.problem) {
        return errorReason(*line.problem);
    }
    return line.problems == 0 ? tr("fits") : tr("%n matrices do not fit", nullptr, numerus(line.problems));
}

QString AdapterModel::toolTip(std::size_t line, int column) const {
    return isFigure(column) ? QString() : plainToolTip(text(line, column));
}

bool AdapterModel::isWarning(std::size_t line, int column) const {
    return column == State && m_lines[line].problems != 0;
}

QString AdapterModel::titleToolTip(int column) const {
    switch (column) {
    case Change:
        return tr("Frobenius norm of what is added to the weights: alpha / rank × B·A, or the difference of the tensor "
                  "that replaces them");
    case Weights:
        return tr("Frobenius norm of the base model's weights");
    case Relative:
        return tr("Norm of the change, relative to that of the weights");
    default:
        return {};
    }
}

QString AdapterModel::title(int column) const {
    switch (column) {
    case Name:
        return m_layers ? tr("Layer") : tr("Matrix");
    case Rank:
        return m_layers ? tr("Largest rank") : tr("Rank");
    case Change:
        return tr("Change");
    case Weights:
        return tr("Weights");
    case Relative:
        return tr("Change / weights");
    case State:
        return tr("In the base");
    default:
        return {};
    }
}

MatrixTableModel::Place AdapterModel::placeOf(std::size_t line) const {
    return {orderOf(m_lines[line].block), m_lines[line].name};
}

double AdapterModel::figure(std::size_t at, int column) const {
    const Line& line = m_lines[at];
    switch (column) {
    case Rank:
        return static_cast<double>(line.rank);
    case Change:
        return line.measured ? line.change2 : -1.0;
    case Weights:
        return line.measured ? line.weights2 : -1.0;
    case Relative:
        return line.relative().value_or(-1);
    case State:
        return static_cast<double>(line.problems);
    default:
        return 0.0;
    }
}

AdapterPanel::AdapterPanel(QWidget* parent)
    : QWidget(parent)
    , m_summary(themedLabel({}, TextStyle::Body, Token::Text, this))
    , m_choice(new OpenModelChoice(tr("Base model"), this))
    , m_file(new QPushButton(tr("File…"), this))
    , m_fit(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_bar(new JobBar(this))
    , m_rows(new SegmentedControl(tr("Rows of the table"), this))
    , m_table(new AdapterModel(this))
    , m_view(makeMatrixTable(tr("What the adapter changes"), m_table, kWidths, this)) {
    m_fit->setObjectName(QStringLiteral("fit"));
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_file->setToolTip(tr("Choose a base model that is not open"));
    m_fit->setWordWrap(true);
    m_rows->addSegment(tr("Matrices"));
    m_rows->addSegment(tr("Layers"));
    auto* base = new QHBoxLayout;
    base->setSpacing(8);
    base->addWidget(themedLabel(tr("Base model"), TextStyle::Body, Token::Text, this));
    base->addWidget(m_choice);
    base->addWidget(m_file);
    base->addWidget(m_bar);
    base->addStretch();
    base->addWidget(m_rows);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(themedLabel(tr("What it changes"), TextStyle::Section, Token::Text, this));
    layout->addWidget(m_summary);
    layout->addLayout(base);
    layout->addWidget(m_fit);
    layout->addWidget(m_view, 1);
    connect(m_choice, &QComboBox::activated, this, [this] {
        m_asked = true;
        measure();
    });
    connect(m_file, &QPushButton::clicked, this, &AdapterPanel::askForFile);
    connect(m_rows, &SegmentedControl::chosen, this, [this](int index) { m_table->showLayers(index == 1); });
    connect(m_bar, &JobBar::cancelled, this, [this] { forget(tr("Cancelled.")); });
    listModels();
}

void AdapterPanel::setModel(std::shared_ptr<const Model> adapter) {
    m_model = std::move(adapter);
    m_choice->choose(nullptr);
    m_table->setAdapter(*m_model);
    writeSummary();
    listModels();
}

void AdapterPanel::writeSummary() {
    QStringList ranks;
    for (const std::uint64_t rank : m_table->ranks()) {
        ranks << formatCount(rank);
    }
    const auto alpha = m_model->metadata.number("adapter.lora.alpha");
    QStringList sentences;
    if (m_table->matrices() != 0) {
        sentences << tr("%n matrices of rank %1.", nullptr, numerus(m_table->matrices()))
                         .arg(ranks.join(QStringLiteral(", ")));
    }
    if (m_table->replaced() != 0) {
        sentences << tr("%n tensors take the place of the base model's.", nullptr, numerus(m_table->replaced()));
    }
    sentences << (alpha ? tr("Alpha %1: each product is multiplied by alpha / rank.").arg(formatReal(*alpha))
                        : tr("The file states no alpha, so the products are not scaled."));
    if (const auto name = m_model->metadata.string("general.base_model.0.name")) {
        sentences << tr("Made for %1.").arg(headText(*name, 100));
    }
    m_summary->setText(sentences.join(u' '));
}

// Models may have been opened or closed in other tabs meanwhile.
void AdapterPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    listModels();
}

void AdapterPanel::listModels() {
    m_choice->list(m_fromFile);
    if (m_choice->chosen() != nullptr) {
        return;
    }
    const auto isBase = [this](const std::shared_ptr<const Model>& model) {
        return m_model != nullptr && model->metadata.architecture() == m_model->metadata.architecture();
    };
    if (!m_asked && std::ranges::count_if(m_choice->models(), isBase) == 1) {
        m_choice->choose(*std::ranges::find_if(m_choice->models(), isBase));
    }
    measure();
}

void AdapterPanel::askForFile() {
    auto* dialog = new QFileDialog(window(), tr("Choose the base model"), {}, openModelFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    rememberFolder(*dialog, FolderFor::Imports);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { measureBeside(fromQtPath(file)); });
    dialog->open();
}

void AdapterPanel::measureBeside(const std::filesystem::path& path) {
    start([path](const JobContext& job) { return openModel(path, job); });
}

void AdapterPanel::measure() {
    if (const auto chosen = m_choice->chosen(); chosen != nullptr && m_model != nullptr) {
        start([base = chosen](const JobContext&) -> Result<std::shared_ptr<const Model>> { return base; });
        return;
    }
    m_measuring.cancel();
    forget(tr("Choose the base model to see which matrices fit and how strongly each changes."));
}

void AdapterPanel::forget(const QString& why) {
    m_table->setFigures(std::nullopt);
    setTextColor(m_fit, Token::Muted);
    m_fit->setText(why);
    emit measured();
}

void AdapterPanel::start(std::function<Result<std::shared_ptr<const Model>>(const JobContext&)> openBase) {
    struct Beside {
        std::shared_ptr<const Model> base;
        AdapterFigures figures;
    };
    m_measuring.cancel();
    m_table->setFigures(std::nullopt);
    m_fit->setText({});
    m_measuring.start<Beside>(
        [openBase = std::move(openBase), adapter = m_model](const JobContext& job) -> Result<Beside> {
            auto base = GUFO_TRY(openBase(job));
            auto figures = GUFO_TRY(measureAdapter(*base, adapter, job));
            return Result<Beside>({std::move(base), std::move(figures)});
        },
        [this](Result<Beside> beside) {
            if (!beside) {
                forget(errorLine(beside.error()));
                setTextColor(m_fit, Token::ErrorText);
                return;
            }
            if (beside->base != m_choice->chosen()) { // it was opened from a file
                m_fromFile = beside->base;
                m_choice->list(m_fromFile);
                m_choice->choose(m_fromFile);
            }
            showFigures(std::move(beside->figures));
            emit measured();
        });
    m_bar->watch(m_measuring.job(), tr("Measuring"));
}

void AdapterPanel::showFigures(AdapterFigures figures) {
    double change2 = 0;
    double weights2 = 0;
    for (const AdapterFigures::Tensor& tensor : figures.tensors) {
        change2 += tensor.change * tensor.change;
        weights2 += tensor.weights * tensor.weights;
    }
    const std::size_t unfit = figures.unfit.size();
    QStringList sentences;
    sentences << (unfit == 0
                      ? tr("All %n matrices fit.", nullptr, numerus(figures.tensors.size()))
                      : tr("%n of %1 matrices do not fit, so the adapter cannot be applied.", nullptr, numerus(unfit))
                            .arg(formatCount(unfit + figures.tensors.size())));
    if (weights2 > 0) {
        sentences << tr("They change the weights by %1 % (norm of all changes, relative to that of the weights).")
                         .arg(formatReal(100 * std::sqrt(change2 / weights2), 3));
    }
    setTextColor(m_fit, unfit == 0 ? Token::Muted : Token::WarningText);
    m_fit->setText(sentences.join(u' '));
    m_table->setFigures(std::move(figures));
}

QString AdapterPanel::copyText(CopyFormat format) const { return viewText(*m_view, format); }

} // namespace gufo::ui

#include "moc_adapter_panel.cpp"
