#include "ui/pages/tokenizer/tokenizer_page.h"

#include "convert/description.h"
#include "formats/container/container.h"
#include "model/token.h"
#include "ui/document/model_document.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/model_text.h"
#include "ui/pages/tokenizer/nearest_tokens.h"
#include "ui/theme/theme.h"
#include "ui/widgets/folded_buttons.h"
#include "ui/widgets/splitter_sizes.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace gufo::ui {
namespace {

enum Table { Tokens, Merges, Map };
constexpr std::size_t kFewestMapped = 3; // selected tokens; fewer make no picture
constexpr int kDetailsWidth = 340;
constexpr int kPlaygroundHeight = 210;

} // namespace

TokenizerPage::TokenizerPage(QWidget* parent)
    : Page(parent)
    , m_table(new SegmentedControl(tr("Table"), this))
    , m_filter(new FilterField(tr("Search tokens"), this))
    , m_in(new QComboBox(this))
    , m_type(new QComboBox(this))
    , m_id(new QLineEdit(this))
    , m_special(new QPushButton(tr("Special tokens"), this))
    , m_add(new QPushButton(tr("Add tokens…"), this))
    , m_bar(new JobBar(this))
    , m_problem(themedLabel({}, TextStyle::Table, Token::ErrorText, this))
    , m_content(new QStackedWidget(this))
    , m_tools(makeToolBar())
    , m_splitter(new QSplitter(Qt::Horizontal, m_content))
    , m_left(new QSplitter(Qt::Vertical, m_splitter))
    , m_tables(new QStackedWidget(m_left))
    , m_tokenTable(new WindowedTable(tr("Tokens"), m_tables))
    , m_mergeTable(new WindowedTable(tr("Merge rules"), m_tables))
    , m_map(new EmbeddingMap(m_tables))
    , m_playground(new Playground(m_left))
    , m_tokens(new TokenModel(this))
    , m_merges(new MergeModel(this))
    , m_details(new TokenDetails)
    , m_empty(new EmptyState(m_content)) {
    m_mergeTable->setObjectName(QStringLiteral("mergeTable"));
    m_tokenTable->setObjectName(QStringLiteral("tokenTable"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_tokenTable->setModel(m_tokens);
    m_tokenTable->setItemName(tr("tokens"));
    setUpEditing();
    m_mergeTable->setModel(m_merges);
    m_mergeTable->setItemName(tr("merge rules"));
    constexpr int kTokenWidths[] = {60, 180, 150, 112, 70, 170};
    m_tokenTable->setColumnWidths(kTokenWidths, static_cast<int>(TokenColumn::Token));
    m_tokenTable->view()->horizontalHeader()->setSectionResizeMode(static_cast<int>(TokenColumn::Bytes),
                                                                   QHeaderView::Stretch);
    constexpr int kMergeWidths[] = {84, 130, 130, 160, 84};
    m_mergeTable->setColumnWidths(kMergeWidths, MergeModel::Result);
    m_tables->addWidget(m_tokenTable);
    m_tables->addWidget(m_mergeTable);
    m_tables->addWidget(m_map);
    m_left->setMinimumWidth(400);
    m_left->setChildrenCollapsible(false);
    m_left->setStretchFactor(0, 1);
    m_left->setStretchFactor(1, 0);
    m_left->setSizes({520, kPlaygroundHeight});
    auto* scroll = new QScrollArea(m_splitter);
    scroll->setWidget(m_details);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus); // its controls have the focus, and are scrolled into view
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(260);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);
    m_detailsWidth = new KeptWidth(m_splitter, 1, kDetailsWidth);
    m_content->addWidget(m_splitter);
    m_content->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_tools);
    layout->addWidget(m_content, 1);

    QHeaderView* header = m_tokenTable->view()->horizontalHeader();
    header->setSortIndicator(0, Qt::AscendingOrder);
    header->setSortIndicatorShown(true);
    header->setSectionsClickable(true);
    connect(header, &QHeaderView::sortIndicatorChanged, this, &TokenizerPage::search);
    connect(m_tokenTable, &WindowedTable::currentItemChanged, this, [this] {
        m_details->setToken(m_tokenTable->currentItem());
        m_map->choose(m_tokenTable->currentItem());
    });
    connect(m_map, &EmbeddingMap::picked, this, &TokenizerPage::showToken);
    connect(m_mergeTable, &WindowedTable::currentItemChanged, this, [this] {
        const auto rank = m_mergeTable->currentItem();
        m_details->setToken(rank ? m_merges->resultId(*rank) : std::nullopt);
    });
    connect(m_mergeTable->view(), &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
        if (const auto id = m_merges->resultId(m_merges->itemOf(index))) {
            showToken(*id);
        }
    });
    connect(m_details->nearest(), &NearestTokens::tokenRequested, this, [this](quint64 id) {
        if (m_vocabulary && id < m_vocabulary->size()) {
            showToken(id);
        }
    });
    connect(m_details, &TokenDetails::tokenRequested, this, &TokenizerPage::showToken);
    connect(m_playground, &Playground::tokenRequested, this, [this](quint64 id) {
        if (m_vocabulary && id < m_vocabulary->size()) {
            showToken(id);
        }
    });
}

QWidget* TokenizerPage::makeToolBar() {
    auto* bar = new ToolStrip(this);
    m_table->addSegment(tr("Tokens"));
    m_table->addSegment(tr("Merges"), {}, tr("Merge rules in rank order"));
    m_table->addSegment(tr("Map"), {},
                        tr("The embeddings of tokens in the plane of their first two principal components"));
    m_filter->setMinimumWidth(120);
    m_filter->setMaximumWidth(260);
    m_in->addItem(tr("in text"), static_cast<int>(TokenQuery::In::Text));
    m_in->addItem(tr("in bytes"), static_cast<int>(TokenQuery::In::Bytes));
    m_in->setAccessibleName(tr("Search in"));
    m_in->setToolTip(tr("Text as stored or as decoded, or hexadecimal bytes: E2 96 81"));
    m_type->setAccessibleName(tr("Type of token"));
    m_type->addItem(tr("All types"));
    m_id->setPlaceholderText(tr("Go to id"));
    m_id->setAccessibleName(tr("Go to id"));
    m_id->setMaximumWidth(90);
    m_special->setToolTip(tr("Go to one of the file's special tokens"));
    m_special->setMenu(new QMenu(m_special));
    m_problem->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* layout = static_cast<QHBoxLayout*>(bar->layout());
    layout->addWidget(m_table);
    layout->addWidget(m_filter, 2);
    layout->addWidget(m_in);
    layout->addWidget(m_type);
    layout->addWidget(m_id);
    layout->addWidget(m_special);
    layout->addWidget(m_problem, 1);
    layout->addWidget(m_bar, 1);
    layout->addWidget(m_add);
    new FoldedButtons(bar, {m_add});
    m_add->setIcon(themeIcon(QStringLiteral("plus")));
    m_add->hide();
    connect(m_add, &QPushButton::clicked, this, &TokenizerPage::addTokens);
    connect(m_table, &SegmentedControl::chosen, this, &TokenizerPage::showTables);
    connect(m_filter, &FilterField::filterChanged, this, &TokenizerPage::search);
    connect(m_filter, &FilterField::leftDownwards, this, [this] {
        if (m_table->current() == Map) {
            m_map->plot().setFocus();
        } else {
            (m_table->current() == Tokens ? m_tokenTable : m_mergeTable)->view()->setFocus();
        }
    });
    connect(m_in, &QComboBox::currentIndexChanged, this, &TokenizerPage::search);
    connect(m_type, &QComboBox::currentIndexChanged, this, &TokenizerPage::search);
    connect(m_id, &QLineEdit::returnPressed, this, &TokenizerPage::goToId);
    connect(m_bar, &JobBar::cancelled, this, [this] {
        if (!m_search.isRunning()) {
            return; // loading was cancelled; keeps the shown vocabulary
        }
        showAll();
    });
    return bar;
}

void TokenizerPage::setModel(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    m_weights = m_model;
    m_map->reset();
    m_started = false;
    m_isBeside = false;
    m_playground->setModel(m_model);
    showState();
}

// Shows the vocabulary, or why there is none.
void TokenizerPage::showState() {
    const ArrayView* tokens = m_model->metadata.array(kTokensKey);
    const bool there = tokens != nullptr && tokens->elementType == ValueType::String && tokens->length != 0;
    m_tools->setVisible(there);
    m_content->setCurrentWidget(there ? static_cast<QWidget*>(m_splitter) : m_empty);
    if (tokens != nullptr && !there) {
        m_empty->setTexts(tr("The vocabulary cannot be read"),
                          tr("tokenizer.ggml.tokens is %1, not a list of strings.")
                              .arg(formatValueType(*m_model->metadata.find(kTokensKey))));
    } else {
        m_empty->setTexts(
            tr("No vocabulary in this file"),
            tr("It has no tokenizer.ggml.tokens. Adapters, projectors and shards after the first usually have none."));
    }
}

void TokenizerPage::activate() {
    if (!m_model) {
        return;
    }
    emit statusChanged(QString(), modelStatus(*m_model));
    if (!m_started && m_content->currentWidget() == m_splitter) {
        m_started = true;
        load();
        m_playground->activate();
    } else if (!m_started && !capabilitiesOf(*m_model).has(Capability::Run)) {
        m_started = true;
        readFilesBeside();
    }
}

void TokenizerPage::readFilesBeside() {
    m_job.start<std::shared_ptr<const Model>>(
        [model = m_model](const JobContext& job) { return convert::describeVocabulary(model, job); },
        [this, asked = m_model](Result<std::shared_ptr<const Model>> described) {
            if (m_model != asked || (described && *described == asked)) {
                return; // the page shows another model, or there is no vocabulary
            }
            if (!described) {
                m_empty->setTexts(tr("The vocabulary cannot be read"), errorLine(described.error()));
                return;
            }
            m_isBeside = true;
            m_model = *std::move(described);
            m_tokens->setDocument(nullptr);
            followEditable();
            m_playground->setModel(m_model);
            showState();
            load();
            m_playground->activate();
        });
    m_bar->watch(m_job.job(), tr("Reading the vocabulary"));
}

void TokenizerPage::load() {
    m_job.cancel();
    const bool changed = m_document != nullptr && !m_isBeside && m_document->document().isModified();
    m_job.start<Loaded>(
        [model = m_model,
         base = changed ? m_document->document().base() : nullptr](const JobContext& job) -> Result<Loaded> {
            auto now = GUFO_TRY(TokenArrays::load(model, job));
            Loaded loaded{std::move(now), nullptr};
            if (base) {
                loaded.before = GUFO_TRY(TokenArrays::load(base, job));
            }
            return loaded;
        },
        [this](Result<Loaded> loaded) {
            if (loaded) {
                showVocabulary(std::move(*loaded));
            } else {
                m_problem->setText(errorReason(loaded.error()));
            }
        });
    m_bar->watch(m_job.job(), tr("Reading the vocabulary"));
}

void TokenizerPage::showVocabulary(Loaded loaded) {
    const bool first = m_vocabulary == nullptr;
    const bool otherLength = !first && m_vocabulary->size() != loaded.now->size();
    m_vocabulary = std::move(loaded.now);
    m_links.reset();
    if (first) {
        m_tokens->setVocabulary(m_vocabulary);
        m_merges->setVocabulary(m_vocabulary);
    }
    m_tokens->setFrozen(false);
    m_tokens->follow(m_vocabulary, std::move(loaded.before));
    m_merges->follow(m_vocabulary);
    offerTables();
    QTableView* view = m_tokenTable->view();
    view->setColumnHidden(static_cast<int>(TokenColumn::Type), !m_vocabulary->hasTypes());
    view->setColumnHidden(static_cast<int>(TokenColumn::Score), !m_vocabulary->hasScores());
    view->setColumnHidden(static_cast<int>(TokenColumn::Merge), m_vocabulary->mergeCount() == 0);
    m_details->setVocabulary(m_vocabulary, nullptr);
    m_details->nearest()->setModel(m_weights, m_vocabulary);
    setSpecials();
    if (first || otherLength) {
        search(); // the text may have changed, and the results have other ids now
    }
    if (const auto wanted = std::exchange(m_wanted, std::nullopt)) {
        showToken(*wanted);
    }
    emit this->loaded();
    link();
}

void TokenizerPage::link() {
    m_job.start<std::shared_ptr<const TokenLinks>>(
        [vocabulary = m_vocabulary](const JobContext& job) { return TokenLinks::build(vocabulary, job); },
        [this](Result<std::shared_ptr<const TokenLinks>> links) {
            if (links) {
                m_links = std::move(*links);
                m_tokens->setLinks(m_links);
                m_merges->setLinks(m_links);
                m_details->setVocabulary(m_vocabulary, m_links);
                setTypes();
                emit linked();
            }
        });
    m_bar->watch(m_job.job(), tr("Linking tokens and merges"));
}

void TokenizerPage::setTypes() {
    const QSignalBlocker quiet(m_type);
    m_type->setVisible(m_vocabulary->hasTypes());
    const QVariant chosen = m_type->currentData();
    m_type->clear();
    m_type->addItem(tr("All types"));
    for (std::int64_t type = 1; type <= kTokenTypes; ++type) {
        if (const std::uint64_t count = m_links->typeCounts()[static_cast<std::size_t>(type)]; count != 0) {
            m_type->addItem(QStringLiteral("%1 (%2)").arg(tokenTypeName(type), formatCount(count)),
                            QVariant::fromValue<qint64>(type));
        }
    }
    m_type->setCurrentIndex(std::max(0, chosen.isValid() ? m_type->findData(chosen) : 0));
}

void TokenizerPage::setSpecials() {
    QMenu* menu = m_special->menu();
    menu->clear();
    for (const TokenArrays::Special& special : m_vocabulary->specials()) {
        const bool there = special.id < m_vocabulary->size();
        const QString text = there ? headText(m_vocabulary->text(special.id), 40) : tr("not in the vocabulary");
        QAction* action = menu->addAction(QStringLiteral("%1  %2  %3")
                                              .arg(special.name)
                                              .arg(special.id)
                                              .arg(text)
                                              .replace(u'&', QStringLiteral("&&")));
        action->setEnabled(there);
        connect(action, &QAction::triggered, this, [this, id = special.id] { showToken(id); });
    }
    m_special->setEnabled(!menu->isEmpty());
}

// What there is to choose: merge rules, and a map if the file has embeddings.
void TokenizerPage::offerTables() {
    const bool merges = m_vocabulary->mergeCount() != 0;
    const bool map = embeddingTable(*m_weights).has_value();
    m_table->setVisible(merges || map);
    m_table->segment(Merges)->setVisible(merges);
    m_table->segment(Map)->setVisible(map);
    if (m_tables->currentWidget() == m_map) {
        showMap();
    }
}

void TokenizerPage::showTables(int table) {
    m_tables->setCurrentIndex(table);
    m_playground->setVisible(table != Map); // a map needs the height
    m_in->setEnabled(table != Merges);
    m_type->setEnabled(table != Merges);
    search();
}

// The selected tokens, or those that a search found, or the first ones, which are the most frequent of most
// vocabularies.
EmbeddingMap::Tokens TokenizerPage::tokensOfMap() const {
    EmbeddingMap::Tokens tokens;
    tokens.ids = selectedTokens();
    if (tokens.ids.size() >= kFewestMapped) {
        tokens.what = tr("%1 of %n selected tokens", nullptr, numerus(tokens.ids.size()))
                          .arg(formatCount(std::min(tokens.ids.size(), EmbeddingMap::kMostTokens)));
        return tokens;
    }
    if (const Matches* matches = m_tokens->window().matches()) {
        tokens.ids = matches->items;
        tokens.what = tr("%1 of %n tokens that the search found", nullptr, numerus(matches->found))
                          .arg(formatCount(std::min(tokens.ids.size(), EmbeddingMap::kMostTokens)));
        return tokens;
    }
    tokens.ids.resize(std::min<std::uint64_t>(m_vocabulary->size(), EmbeddingMap::kMostTokens));
    std::iota(tokens.ids.begin(), tokens.ids.end(), std::uint64_t{0});
    tokens.what = tr("The first %1 of %n tokens. A search, or a selection in the table, chooses others.", nullptr,
                     numerus(m_vocabulary->size()))
                      .arg(formatCount(tokens.ids.size()));
    return tokens;
}

void TokenizerPage::showMap() {
    m_map->showTokens(m_weights, m_vocabulary, tokensOfMap());
    m_map->choose(m_tokenTable->currentItem());
}

TokenQuery TokenizerPage::query() const {
    TokenQuery query;
    query.in = static_cast<TokenQuery::In>(m_in->currentData().toInt());
    query.text = m_filter->text();
    if (const QVariant type = m_type->currentData(); type.isValid()) {
        query.type = type.toLongLong();
    }
    const QHeaderView* header = m_tokenTable->view()->horizontalHeader();
    query.sortBy = static_cast<TokenColumn>(header->sortIndicatorSection());
    query.order = header->sortIndicatorOrder();
    return query;
}

void TokenizerPage::search() {
    if (!m_vocabulary) {
        return;
    }
    m_search.cancel();
    m_problem->clear();
    if (m_tables->currentWidget() == m_mergeTable) {
        searchMerges();
        return;
    }
    const TokenQuery asked = query();
    if (asked.showsAll()) {
        m_tokenTable->setMatches(nullptr);
        if (m_tables->currentWidget() == m_map) {
            showMap();
        }
        emit searched();
        return;
    }
    m_search.start<Matches>([vocabulary = m_vocabulary, links = m_links, asked](
                                const JobContext& job) { return searchTokens(*vocabulary, links.get(), asked, job); },
                            [this](Result<Matches> matches) {
                                if (matches) {
                                    m_tokenTable->setMatches(std::make_shared<const Matches>(std::move(*matches)));
                                    if (m_tables->currentWidget() == m_map) {
                                        showMap();
                                    }
                                    emit searched();
                                } else {
                                    m_problem->setText(tr("Not hexadecimal"));
                                }
                            });
    m_bar->watch(m_search.job(), tr("Searching"));
}

void TokenizerPage::searchMerges() {
    if (m_filter->text().isEmpty()) {
        m_mergeTable->setMatches(nullptr);
        emit searched();
        return;
    }
    m_search.start<Matches>([vocabulary = m_vocabulary, text = m_filter->text()](
                                const JobContext& job) { return gufo::ui::searchMerges(*vocabulary, text, job); },
                            [this](Result<Matches> matches) {
                                if (matches) {
                                    m_mergeTable->setMatches(std::make_shared<const Matches>(std::move(*matches)));
                                    emit searched();
                                }
                            });
    m_bar->watch(m_search.job(), tr("Searching"));
}

// Clears search, filter and order.
void TokenizerPage::showAll() {
    const QSignalBlocker quietFilter(m_filter);
    const QSignalBlocker quietType(m_type);
    const QSignalBlocker quietHeader(m_tokenTable->view()->horizontalHeader());
    m_filter->clear();
    m_type->setCurrentIndex(0);
    m_tokenTable->view()->horizontalHeader()->setSortIndicator(0, Qt::AscendingOrder);
    m_problem->clear();
    m_tokenTable->setMatches(nullptr);
    m_mergeTable->setMatches(nullptr);
    if (m_tables->currentWidget() == m_map) {
        showMap();
    }
}

void TokenizerPage::goToId() {
    bool ok = false;
    const qulonglong id = m_id->text().remove(u',').trimmed().toULongLong(&ok);
    if (!ok || !m_vocabulary || id >= m_vocabulary->size()) {
        m_problem->setText(
            m_vocabulary ? tr("No token %1; the last is %2").arg(m_id->text(), formatCount(m_vocabulary->size() - 1))
                         : QString());
        return;
    }
    m_problem->clear();
    showToken(id);
    m_tokenTable->view()->setFocus();
}

// On the map, the token is marked there, and its details are shown; otherwise in the table.
void TokenizerPage::showToken(std::uint64_t id) {
    if (m_tables->currentWidget() != m_map) {
        m_table->setCurrent(Tokens);
        m_tables->setCurrentWidget(m_tokenTable);
    }
    m_in->setEnabled(true);
    m_type->setEnabled(true);
    if (!m_tokenTable->showItem(id)) { // a search hides it
        m_search.cancel();
        showAll();
        m_tokenTable->showItem(id);
    }
}

bool TokenizerPage::goTo(const Place& place) {
    if (place.kind != Place::Kind::Token || !place.index || !m_model || m_content->currentWidget() != m_splitter) {
        return false;
    }
    if (m_vocabulary) {
        showToken(*place.index);
    } else {
        m_wanted = place.index;
        activate();
    }
    return true;
}

QString TokenizerPage::copyText(CopyFormat format) const {
    return viewText(*(m_tables->currentWidget() == m_mergeTable ? m_mergeTable : m_tokenTable)->view(), format);
}

QJsonObject TokenizerPage::saveState() const {
    return {{QStringLiteral("splitter"), m_detailsWidth->width()},
            {QStringLiteral("playgroundSplitter"), QString::fromLatin1(m_left->saveState().toBase64())},
            {QStringLiteral("model"), QJsonObject{{QStringLiteral("playground"), m_playground->saveState()}}}};
}

void TokenizerPage::restoreState(const QJsonObject& state) {
    const auto bytes = [&](const QString& key) {
        return QByteArray::fromBase64(state.value(key).toString().toLatin1());
    };
    m_detailsWidth->setWidth(state.value(QStringLiteral("splitter")).toInt());
    m_left->restoreState(bytes(QStringLiteral("playgroundSplitter")));
    const QJsonObject stored =
        state.value(QStringLiteral("model")).toObject(); // the text belongs to this model, see page.h
    m_playground->restoreState(stored.value(QStringLiteral("playground")).toObject());
}

} // namespace gufo::ui

#include "moc_tokenizer_page.cpp"
