#include "ui/pages/tokenizer/embedding_map.h"

#include "analysis/nearest_rows.h"
#include "ui/document/fetching.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/pages/tokenizer/nearest_tokens.h"
#include "ui/plots/picture_menu.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::size_t kMarkedNeighbours = 8;
constexpr std::size_t kTipNeighbours = 4;
constexpr std::size_t kTokenBytes = 40;

} // namespace

struct EmbeddingMap::Drawing {
    std::vector<std::uint64_t> tokens{}; // by point
    std::vector<float> cosines{};        // of all pairs
    std::shared_ptr<const ProjectedPoints> points{};
};

EmbeddingMap::EmbeddingMap(QWidget* parent)
    : QWidget(parent)
    , m_what(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_labels(new QCheckBox(tr("Labels"), this))
    , m_fetch(new QPushButton(themeIcon(QStringLiteral("download")), {}, this))
    , m_pictures(new PictureMenu(*this))
    , m_plot(new ProjectionPlot(this))
    , m_progress(new JobBar) {
    setObjectName(QStringLiteral("embeddingMap"));
    m_plot->setAccessibleName(tr("Embeddings of tokens in the plane of their first two principal components"));
    m_what->setWordWrap(true);
    m_labels->setChecked(true);
    m_labels->setToolTip(tr("Write each token beside its point, as far as there is room"));
    m_fetch->setObjectName(QStringLiteral("fetchEmbeddings"));
    m_fetch->setProperty("small", true);
    m_pictures->setPlot(*m_plot, tr("embeddings"), [this] { return frame(); });
    m_pictures->button()->setProperty("small", true);
    m_plot->setLabelled(true);
    m_progress->putOver(*m_plot, Qt::AlignTop | Qt::AlignRight);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 8, 12, 4);
    head->setSpacing(10);
    head->addWidget(m_what, 1);
    head->addWidget(m_fetch);
    head->addWidget(m_labels);
    head->addWidget(m_pictures->button());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_plot, 1);
    connect(m_labels, &QCheckBox::toggled, m_plot, &ProjectionPlot::setLabelled);
    connect(m_fetch, &QPushButton::clicked, this, &EmbeddingMap::draw);
    connect(m_plot, &ProjectionPlot::picked, this, [this](std::size_t point) { emit picked(shown()[point]); });
    connect(m_pictures, &PictureMenu::message, m_what, &QLabel::setText);
    connect(m_progress, &JobBar::cancelled, this, [this] {
        m_job.cancel();
        m_tokens.ids.clear(); // so that showing them again draws them
        m_what->setText(tr("Cancelled"));
    });
    reset();
}

void EmbeddingMap::reset() {
    m_job.cancel();
    m_progress->cancel();
    m_weights.reset();
    m_vocabulary.reset();
    m_tokens = {};
    m_drawing.reset();
    m_plot->setPoints(nullptr);
    m_what->clear();
    m_fetch->hide();
}

const std::vector<std::uint64_t>& EmbeddingMap::shown() const {
    static const std::vector<std::uint64_t> kNone;
    return m_drawing != nullptr ? m_drawing->tokens : kNone;
}

void EmbeddingMap::showTokens(std::shared_ptr<const Model> weights, std::shared_ptr<const TokenArrays> vocabulary,
                              Tokens tokens) {
    tokens.ids.resize(std::min(tokens.ids.size(), kMostTokens));
    if (weights == m_weights && vocabulary == m_vocabulary && tokens.ids == m_tokens.ids) {
        return; // as shown
    }
    reset();
    const auto table = weights != nullptr ? embeddingTable(*weights) : std::nullopt;
    if (!table || vocabulary == nullptr) {
        m_what->setText(tr("The file has no table of token embeddings that can be read."));
        return;
    }
    m_weights = std::move(weights);
    m_vocabulary = std::move(vocabulary);
    m_tokens = std::move(tokens);
    m_what->setText(m_tokens.what);
    if (bytesToFetch(*m_weights, m_weights->tensor(*table)) > 0) {
        m_fetch->setText(tr("Fetch from %1").arg(serverOf(*m_weights)));
        m_fetch->setToolTip(tr("Fetch the embeddings of these tokens"));
        m_fetch->show();
    } else {
        draw();
    }
}

void EmbeddingMap::draw() {
    m_fetch->hide();
    m_job.start<std::shared_ptr<const Drawing>>(
        [weights = m_weights, vocabulary = m_vocabulary,
         ids = m_tokens.ids](const JobContext& job) -> Result<std::shared_ptr<const Drawing>> {
            const TensorIndex table = *embeddingTable(*weights);
            const Shape& shape = weights->tensor(table).shape;
            auto drawing = std::make_shared<Drawing>();
            for (const std::uint64_t id : ids) {
                if (id < shape[1]) { // a vocabulary may have more tokens than the table has rows
                    drawing->tokens.push_back(id);
                }
            }
            // Only the reading counts as progress; what follows takes as long for every model.
            const std::vector<float> values = GUFO_TRY(readRows(*weights, table, drawing->tokens, job));
            const JobContext rest = job.silent();
            const VectorSet vectors{.values = values, .width = shape[0]};
            auto points = std::make_shared<ProjectedPoints>();
            points->plane = GUFO_TRY(projectOnPlane(vectors, rest));
            drawing->cosines = GUFO_TRY(pairCosines(vectors, rest));
            for (const std::uint64_t id : drawing->tokens) {
                points->labels.push_back(headText(vocabulary->text(id), kTokenBytes));
            }
            drawing->points = std::move(points);
            return drawing;
        },
        [this](Result<std::shared_ptr<const Drawing>> drawing) {
            if (drawing) {
                take(*std::move(drawing));
            } else {
                m_tokens.ids.clear(); // so that showing them again tries again
                m_what->setText(errorLine(drawing.error()));
            }
        });
    m_progress->watch(m_job.job(), tr("Reading embeddings"));
}

void EmbeddingMap::take(std::shared_ptr<const Drawing> drawing) {
    m_drawing = std::move(drawing);
    auto points = std::make_shared<ProjectedPoints>(*m_drawing->points);
    points->tip = [shown = m_drawing](std::size_t point) {
        const auto line = [&](std::size_t at) {
            return QStringLiteral("%1  (%2)").arg(shown->points->labels[at], formatCount(shown->tokens[at]));
        };
        QStringList text{line(point)};
        for (const Neighbour& one : neighboursOf(point, shown->cosines, shown->tokens.size())) {
            if (static_cast<std::size_t>(text.size()) > kTipNeighbours || std::isnan(one.cosine)) {
                break;
            }
            text << QStringLiteral("%1  %2").arg(formatFixed(static_cast<double>(one.cosine), 3), line(one.index));
        }
        return text.join(u'\n');
    };
    m_plot->setPoints(std::move(points));
    mark();
    emit drawn();
}

void EmbeddingMap::choose(std::optional<std::uint64_t> token) {
    m_token = token;
    mark();
}

void EmbeddingMap::mark() {
    const auto at = m_token ? std::ranges::find(shown(), *m_token) : shown().end();
    if (m_drawing != nullptr) {
        m_what->setText(m_tokens.what);
    }
    if (at == shown().end()) { // it is not among the points
        m_plot->choose(std::nullopt, {});
        return;
    }
    const auto point = static_cast<std::size_t>(at - shown().begin());
    std::vector<std::size_t> marked;
    for (const Neighbour& one : neighboursOf(point, m_drawing->cosines, shown().size())) {
        if (marked.size() < kMarkedNeighbours && !std::isnan(one.cosine)) {
            marked.push_back(one.index);
        }
    }
    m_plot->choose(point, marked);
    if (!marked.empty()) {
        m_what->setText(tr("%1. Rings: the nearest to “%2” of them, by the cosine.")
                            .arg(m_tokens.what, m_drawing->points->labels[point]));
    }
}

PictureFrame EmbeddingMap::frame() const {
    PictureFrame frame{.title = m_plot->accessibleName(), .lines = {}};
    if (m_weights != nullptr) {
        frame.lines << displayPath(m_weights->path().filename()) << m_tokens.what;
    }
    const QString chosen = m_plot->chosen() ? m_drawing->points->labels[*m_plot->chosen()] : QString();
    frame.keys = m_plot->keys(tr("tokens"), chosen);
    if (chosen.isEmpty()) {
        frame.keys.resize(1);
    }
    return frame;
}

} // namespace gufo::ui

#include "moc_embedding_map.cpp"
