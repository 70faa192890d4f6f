#include "ui/pages/tokenizer/nearest_tokens.h"

#include "analysis/nearest_rows.h"
#include "model/tensor_role.h"
#include "tensor/decode.h"
#include "ui/document/fetching.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr std::size_t kNearest = 12;
constexpr std::size_t kNearestBytes = 60;
constexpr int kNearestRow = 22;

QTableWidgetItem* nearestCell(const QString& text, Qt::Alignment alignment) {
    auto* item = new QTableWidgetItem(text);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    item->setTextAlignment(alignment | Qt::AlignVCenter);
    return item;
}

} // namespace

std::optional<TensorIndex> embeddingTable(const Model& model) {
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const TensorInfo& info = model.tensor(TensorIndex{i});
        if (info.shape.count() != 2 || info.weights() == 0) {
            continue;
        }
        const TensorName name = parseTensorName(info.name);
        if (name.role == "token_embd" && !name.block && name.prefix.empty() && name.suffix == "weight" &&
            isDecodable(info.typeId) && !info.bytesDerived && info.complete()) {
            return TensorIndex{i};
        }
    }
    return {};
}

NearestTokens::NearestTokens(QWidget* parent)
    : QWidget(parent)
    , m_find(new QPushButton(this))
    , m_problem(themedLabel({}, TextStyle::Table, Token::ErrorText, this))
    , m_list(new QTableWidget(this))
    , m_progress(new JobBar(this)) {
    m_find->setObjectName(QStringLiteral("findNearest"));
    m_find->setProperty("small", true);
    m_problem->setWordWrap(true);
    m_list->setObjectName(QStringLiteral("nearestTokens"));
    m_list->setAccessibleName(tr("Nearest tokens"));
    m_list->setColumnCount(3);
    m_list->setHorizontalHeaderLabels({tr("Token"), tr("Id"), tr("Cosine")});
    m_list->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_list->horizontalHeader()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    m_list->horizontalHeader()->setHighlightSections(false);
    m_list->verticalHeader()->hide();
    m_list->ensurePolished();
    m_list->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_list->verticalHeader()->setMinimumSectionSize(kNearestRow);
    m_list->verticalHeader()->setDefaultSectionSize(kNearestRow);
    m_list->setShowGrid(false);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setTabKeyNavigation(false);
    m_list->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->setToolTip(tr("A double click goes to the token"));
    m_list->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(themedLabel(tr("Nearest tokens"), TextStyle::Section, Token::Text, this));
    head->addStretch();
    head->addWidget(m_find);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addWidget(m_progress);
    layout->addWidget(m_problem);
    layout->addWidget(m_list);
    connect(m_find, &QPushButton::clicked, this, &NearestTokens::find);
    connect(m_list, &QTableWidget::cellActivated, this,
            [this](int row, int) { emit tokenRequested(m_found[static_cast<std::size_t>(row)].index); });
    connect(m_progress, &JobBar::cancelled, this, [this] {
        m_job.cancel();
        showState();
    });
    showState();
}

void NearestTokens::setModel(std::shared_ptr<const Model> weights, std::shared_ptr<const TokenArrays> vocabulary) {
    m_job.cancel();
    m_progress->cancel();
    m_table = weights != nullptr && vocabulary != nullptr ? embeddingTable(*weights) : std::nullopt;
    m_weights = std::move(weights);
    m_vocabulary = std::move(vocabulary);
    m_found.clear();
    showState();
}

void NearestTokens::setToken(std::optional<std::uint64_t> token) {
    if (m_token == token) {
        return;
    }
    m_job.cancel();
    m_progress->cancel();
    m_token = token;
    m_found.clear();
    showState();
}

void NearestTokens::showState() {
    const bool there = m_table && m_token && *m_token < m_weights->tensor(*m_table).shape[1];
    setVisible(there);
    m_problem->clear();
    m_problem->hide();
    m_list->setVisible(!m_found.empty());
    m_find->setVisible(m_found.empty());
    m_find->setEnabled(!m_job.isRunning());
    if (!there) {
        return;
    }
    const std::uint64_t bytes = bytesToFetch(*m_weights, m_weights->tensor(*m_table));
    m_find->setText(bytes > 0 ? tr("Fetch %1").arg(formatBytes(bytes)) : tr("Find"));
    m_find->setToolTip(
        bytes > 0
            ? tr("Fetch all embeddings from %1, and compare them with that of this token").arg(serverOf(*m_weights))
            : tr("Compare all embeddings with that of this token by the cosine"));
}

void NearestTokens::find() {
    m_job.start<std::vector<Neighbour>>(
        [weights = m_weights, table = *m_table, token = *m_token](const JobContext& job) {
            return nearestRows(*weights, table, token, kNearest, job);
        },
        [this](Result<std::vector<Neighbour>> found) {
            if (found) {
                take(*std::move(found));
            } else {
                showState();
                m_problem->setText(errorLine(found.error()));
                m_problem->show();
            }
            emit finished();
        });
    m_find->setEnabled(false);
    m_progress->watch(m_job.job(), tr("Comparing embeddings"));
}

void NearestTokens::take(std::vector<Neighbour> found) {
    m_found = std::move(found);
    m_list->setRowCount(static_cast<int>(m_found.size()));
    for (std::size_t i = 0; i < m_found.size(); ++i) {
        const std::uint64_t id = m_found[i].index;
        // The table may have rows beyond the vocabulary.
        const QString text =
            id < m_vocabulary->size() ? headText(m_vocabulary->text(id), kNearestBytes) : tr("not in the vocabulary");
        const int row = static_cast<int>(i);
        m_list->setItem(row, 0, nearestCell(text, Qt::AlignLeft));
        m_list->setItem(row, 1, nearestCell(formatCount(id), Qt::AlignRight));
        m_list->setItem(row, 2, nearestCell(formatFixed(static_cast<double>(m_found[i].cosine), 4), Qt::AlignRight));
    }
    m_list->setFixedHeight(m_list->horizontalHeader()->sizeHint().height() +
                           kNearestRow * static_cast<int>(m_found.size()) + 2);
    showState();
    if (m_found.empty()) {
        m_problem->setText(tr("Its embedding is zero, or all others are."));
        m_problem->show();
    }
}

} // namespace gufo::ui

#include "moc_nearest_tokens.cpp"
