#include "ui/pages/embed/embed_page.h"

#include "inference/engine/gufo_engine.h"
#include "ui/document/fetching.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/widgets/splitter_sizes.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

using inference::Pooling;

constexpr int kInputWidth = 256;
constexpr int kMinInput = 210;

// Keys of the saved state. They differ from the keys of RunPage, because both pages share a row of the page table.
const QString kInputSize = QStringLiteral("embedInputWidth");
const QString kVectorSizes = QStringLiteral("embedVectors");
const QString kPlot = QStringLiteral("embedPlot");
const QString kOfModel = QStringLiteral("model");

struct ExportRow {
    const char* action;
    const char* filter;
    const char* suffix;
};
// By EmbedExport.
constexpr std::array<ExportRow, 4> kExports{{
    {QT_TRANSLATE_NOOP("gufo::ui::EmbedPage", "Vectors as NumPy array…"),
     QT_TRANSLATE_NOOP("gufo::ui::EmbedPage", "NumPy array (*.npy)"), "npy"},
    {QT_TRANSLATE_NOOP("gufo::ui::EmbedPage", "Vectors as CSV…"),
     QT_TRANSLATE_NOOP("gufo::ui::EmbedPage", "Comma-separated values (*.csv)"), "csv"},
    {QT_TRANSLATE_NOOP("gufo::ui::EmbedPage", "Similarities as CSV…"),
     QT_TRANSLATE_NOOP("gufo::ui::EmbedPage", "Comma-separated values (*.csv)"), "csv"},
    {QT_TRANSLATE_NOOP("gufo::ui::EmbedPage", "Ranking as CSV…"),
     QT_TRANSLATE_NOOP("gufo::ui::EmbedPage", "Comma-separated values (*.csv)"), "csv"},
}};

} // namespace

EmbedPage::EmbedPage(QWidget* parent, const inference::Engine* engine)
    : Page(parent)
    , m_engine(engine)
    , m_mode(nullptr)
    , m_poolingLabel(nullptr)
    , m_pooling(nullptr)
    , m_export(nullptr)
    , m_whole(new QStackedWidget(this))
    , m_splitter(new QSplitter(Qt::Horizontal, m_whole))
    , m_input(new InputPanel(m_splitter))
    , m_results(new QStackedWidget(m_splitter))
    , m_empty(new EmptyState(m_results))
    , m_unable(new EmptyState(m_whole))
    , m_vectors(new VectorView(m_results))
    , m_ranking(nullptr)
    , m_rankingModel(new ScoredLinesModel(this)) {
    m_ranking = makeScoredTable(m_rankingModel, tr("Ranking"), m_results);
    m_ranking->setObjectName(QStringLiteral("rankingTable"));
    m_input->setMinimumWidth(kMinInput);
    m_splitter->addWidget(m_input);
    m_splitter->addWidget(m_results);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(1, 1);
    m_inputWidth = new KeptWidth(m_splitter, 0, kInputWidth);
    m_results->addWidget(m_empty);
    m_results->addWidget(m_vectors);
    m_results->addWidget(m_ranking);
    m_whole->addWidget(m_splitter);
    m_whole->addWidget(m_unable);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(m_whole, 1);

    for (PictureMenu* pictures : {&m_vectors->mapPictures(), &m_vectors->projectionPictures()}) {
        connect(pictures, &PictureMenu::message, this, [this](const QString& text) {
            m_input->say(text, false);
            emit exported();
        });
    }
    connect(m_mode, &SegmentedControl::chosen, this, &EmbedPage::showMode);
    connect(m_input, &InputPanel::runRequested, this, &EmbedPage::run);
    connect(m_input->jobBar(), &JobBar::cancelled, this, [this] {
        m_input->setBusy(false);
        m_job.cancel();
        m_input->say(tr("Cancelled."), false);
    });
    showMode();
    showExports();
}

QWidget* EmbedPage::makeToolBar() {
    auto* strip = new ToolStrip(this);
    m_mode = new SegmentedControl(tr("Vectors or ranking"), strip);
    m_mode->setObjectName(QStringLiteral("modeControl"));
    m_mode->addSegment(tr("Ranking"), {}, tr("How well each text answers a query"));
    m_mode->addSegment(tr("Vectors"), {}, tr("A vector for each text, and how similar they are"));
    m_poolingLabel = themedLabel(tr("Pooling"), TextStyle::Table, Token::Muted, strip);
    m_pooling = new QComboBox(strip);
    m_pooling->setObjectName(QStringLiteral("poolingCombo"));
    m_pooling->setAccessibleName(tr("Pooling"));
    m_pooling->setToolTip(tr("How the states of a text's tokens become one vector"));
    m_poolingLabel->setBuddy(m_pooling);
    m_pooling->addItem(tr("mean of all tokens"), static_cast<int>(Pooling::Mean));
    m_pooling->addItem(tr("first token"), static_cast<int>(Pooling::First));
    m_pooling->addItem(tr("last token"), static_cast<int>(Pooling::Last));
    m_export = new QPushButton(tr("Export"), strip);
    m_export->setObjectName(QStringLiteral("exportButton"));
    m_export->setIcon(themeIcon(QStringLiteral("export")));
    auto* menu = new QMenu(m_export);
    for (std::size_t i = 0; i < kExports.size(); ++i) {
        m_exports[i] =
            menu->addAction(tr(kExports[i].action), this, [this, i] { askWhereToExport(static_cast<EmbedExport>(i)); });
    }
    m_pictures = {menu->addMenu(m_vectors->mapPictures().menu()),
                  menu->addMenu(m_vectors->projectionPictures().menu())};
    m_export->setMenu(menu);
    auto* row = qobject_cast<QHBoxLayout*>(strip->layout());
    row->addWidget(m_mode);
    row->addWidget(m_poolingLabel);
    row->addWidget(m_pooling);
    row->addStretch();
    row->addWidget(m_export);
    return strip;
}

void EmbedPage::setModel(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    const bool ranks = inference::hasRankingHead(*m_model);
    m_mode->setVisible(ranks);
    m_mode->setCurrent(ranks ? 0 : 1);
    const Pooling stated = inference::poolingOf(*m_model);
    const int index = m_pooling->findData(static_cast<int>(stated == Pooling::Rank ? Pooling::Mean : stated));
    m_pooling->setCurrentIndex(index);
    if (stated != Pooling::Rank) {
        m_pooling->setItemText(index, tr("%1 (as the file says)").arg(m_pooling->itemText(index)));
    }
    const bool hasTokenizer = m_model->metadata.find("tokenizer.ggml.model") != nullptr;
    const bool isRemote = isOnServer(*m_model);
    if (isRemote) {
        m_unable->setTexts(tr("The weights are on %1").arg(serverOf(*m_model)),
                           tr("Making vectors needs all of them: download the model first."));
    } else if (!hasTokenizer) {
        m_unable->setTexts(tr("This model has no tokenizer"),
                           tr("Texts become vectors by way of tokens, and the file does not say which tokens the model "
                              "knows. gufo-cli embed accepts token ids instead of texts."));
    } else if (m_engine == nullptr) {
        m_unable->setTexts(tr("No engine computes embeddings"), featureMissingTip(inference::Feature::Embeddings));
    }
    const bool isAble = hasTokenizer && m_engine != nullptr && !isRemote;
    m_whole->setCurrentIndex(isAble ? 0 : 1);
    for (QWidget* widget : {static_cast<QWidget*>(m_pooling), static_cast<QWidget*>(m_export)}) {
        widget->setEnabled(isAble);
    }
    showMode();
}

bool EmbedPage::wantsRanking() const { return m_mode->current() == 0 && m_model != nullptr; }

void EmbedPage::showMode() {
    const bool ranks = wantsRanking();
    m_input->setRanking(ranks);
    m_pooling->setVisible(!ranks);
    m_poolingLabel->setVisible(!ranks);
    if (m_result == nullptr || m_result->ranks() != ranks) {
        showEmpty();
    } else {
        m_results->setCurrentIndex(ranks ? 2 : 1);
    }
    showExports();
}

void EmbedPage::showEmpty() {
    if (wantsRanking()) {
        m_empty->setTexts(tr("Which text answers best?"),
                          tr("Enter a query and the texts to choose from, one in each line. The model reads the query "
                             "with each of them and gives a score."));
    } else {
        QString explanation =
            tr("Enter texts, one in each line, or open a text file. Each becomes a vector; the page shows "
               "how similar they are, and where they lie in the plane. Up to %1 lines are used.")
                .arg(formatCount(kMaxLines));
        if (m_model != nullptr && inference::leavesOutDecoder(*m_model)) {
            explanation += QStringLiteral("\n\n") + decoderLeftOutText();
        }
        m_empty->setTexts(tr("How alike are your texts?"), explanation);
    }
    m_results->setCurrentIndex(0);
}

void EmbedPage::activate() { showStatus(); }

void EmbedPage::run() {
    if (m_engine == nullptr || m_model == nullptr || isBusy() || m_whole->currentIndex() != 0) {
        return;
    }
    m_input->say({}, false);
    m_input->setBusy(true);
    const inference::LineRequest request{
        .query = m_input->query().toStdString(),
        .pooling = wantsRanking() ? Pooling::Rank : static_cast<Pooling>(m_pooling->currentData().toInt())};
    m_job.start<std::shared_ptr<const EmbedResult>>(
        [engine = m_engine, model = m_document != nullptr ? m_document->current() : m_model, text = m_input->text(),
         request](const JobContext& job) {
            auto lines = std::make_shared<const TextLines>(linesOf(*text));
            inference::LineRequest wanted = request;
            wanted.texts = lines->texts;
            return embedTextLines(*engine, model, std::move(lines), wanted, job);
        },
        [this](Result<std::shared_ptr<const EmbedResult>> result) { showResult(std::move(result)); },
        [this] { m_input->setBusy(false); });
    m_input->jobBar()->watch(m_job.job(), wantsRanking() ? tr("Ranking") : tr("Embedding"));
}

void EmbedPage::showResult(Result<std::shared_ptr<const EmbedResult>> result) {
    m_input->setBusy(false);
    if (!result) {
        m_input->say(errorReason(result.error()), true);
    } else if ((*result)->size() == 0) {
        m_input->say(tr("There is no line with text."), true);
    } else if ((*result)->vectors.problem) {
        m_input->say(lineProblemText(**result), true);
        m_input->showLine((*result)->lines->numbers[(*result)->vectors.problem->line]);
    } else {
        m_result = *result;
        const TextLines& lines = *m_result->lines;
        m_input->say(
            lines.total > lines.size()
                ? tr("The first %1 of %2 lines were used.").arg(formatCount(lines.size()), formatCount(lines.total))
                : QString(),
            false);
        if (m_result->ranks()) {
            std::vector<ScoredLinesModel::Row> rows;
            for (std::size_t i = 0; i < m_result->size(); ++i) {
                const auto first =
                    m_result->vectors.values.begin() + static_cast<std::ptrdiff_t>(i * m_result->vectors.width);
                rows.push_back(
                    {.line = i, .figures = {first, first + static_cast<std::ptrdiff_t>(m_result->vectors.width)}});
            }
            m_rankingModel->setRows(m_result->lines, m_result->scoreNames(), std::move(rows));
            setScoredColumns(*m_ranking, *m_rankingModel);
        } else {
            m_vectors->setModelName(m_model->files.empty() ? QString() : fileNameText(m_model->path()));
            m_vectors->setResult(m_result);
        }
        showMode();
        showStatus();
    }
    emit finished();
}

void EmbedPage::showExports() {
    const bool shown = m_results->currentIndex() != 0;
    const bool ranks = shown && m_result->ranks();
    m_export->setEnabled(shown);
    m_export->setToolTip(shown ? QString() : tr("There is nothing to export yet"));
    for (std::size_t i = 0; i < m_exports.size(); ++i) {
        m_exports[i]->setVisible((static_cast<EmbedExport>(i) == EmbedExport::RankingCsv) == ranks);
    }
    for (QAction* picture : m_pictures) {
        picture->setVisible(!ranks);
    }
}

void EmbedPage::showStatus() {
    if (m_result == nullptr) {
        emit statusChanged({}, {});
        return;
    }
    std::uint64_t tokens = 0;
    for (const std::uint32_t count : m_result->vectors.tokens) {
        tokens += count;
    }
    const QString texts = tr("%n texts", nullptr, static_cast<int>(m_result->size()));
    const QString read = tr("%n tokens", nullptr, static_cast<int>(tokens));
    emit statusChanged(
        m_result->ranks() ? tr("%1 ranked, %2").arg(texts, read)
                          : tr("%1, %2, vectors of %3 elements").arg(texts, read, formatCount(m_result->vectors.width)),
        {});
}

void EmbedPage::askWhereToExport(EmbedExport what) {
    const ExportRow& row = kExports[static_cast<std::size_t>(what)];
    const QString suffix = u'.' + QLatin1String(row.suffix);
    askExportPath(*this, tr("Export"),
                  (what == EmbedExport::RankingCsv ? QStringLiteral("ranking") : QStringLiteral("embeddings")) + suffix,
                  {{tr(row.filter), suffix}}, 0,
                  [this, what](const std::filesystem::path& path, std::size_t) { exportTo(what, path); });
}

void EmbedPage::exportTo(EmbedExport what, const std::filesystem::path& path) {
    if (m_result == nullptr) {
        return;
    }
    startJob<bool>(
        this,
        [result = m_result, what, path](const JobContext&) -> Result<bool> {
            GUFO_TRY(writeEmbedding(*result, what, path));
            return true;
        },
        [this, path](const Result<bool>& written) {
            m_input->say(written
                             ? tr("Exported to %1.").arg(fileNameText(path))
                             : tr("%1 cannot be written: %2.").arg(fileNameText(path), errorReason(written.error())),
                         !written);
            emit exported();
        });
}

QJsonObject EmbedPage::saveState() const {
    return {{kInputSize, m_inputWidth->width()},
            {kVectorSizes, splitterSizes(*m_vectors->splitter())},
            {kPlot, m_vectors->plotControl()->current()},
            {kOfModel, m_input->saveState()}};
}

void EmbedPage::restoreState(const QJsonObject& state) {
    m_inputWidth->setWidth(state.value(kInputSize).toInt());
    restoreSplitter(*m_vectors->splitter(), state.value(kVectorSizes).toArray());
    m_vectors->showPlot(state.value(kPlot).toInt() == 1 ? 1 : 0);
    m_input->restoreState(state.value(kOfModel).toObject());
}

QString EmbedPage::copyText(CopyFormat format) const {
    switch (m_results->currentIndex()) {
    case 1:
        return viewText(*m_vectors->table(), format);
    case 2:
        return viewText(*m_ranking, format);
    default:
        return {};
    }
}

} // namespace gufo::ui

#include "moc_embed_page.cpp"
