#include "ui/pages/inside/inside_page.h"

#include "inference/engine/gufo_engine.h"
#include "inference/prompts/prompt_tokens.h"
#include "ui/document/fetching.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/inside/empty_texts.h"
#include "ui/shell/native_path.h"
#include "ui/widgets/splitter_sizes.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kReadingWidth = 280;
constexpr int kMinResults = 260;
constexpr std::size_t kCandidates = 6;

const QString kWidth = QStringLiteral("inputWidth");
const QString kView = QStringLiteral("view");
const QString kMeasure = QStringLiteral("measure");
const QString kOfModel = QStringLiteral("model");
const QString kText = QStringLiteral("text");

} // namespace

InsidePage::InsidePage(QWidget* parent)
    : Page(parent)
    , m_job(this)
    , m_check(this)
    , m_views(nullptr)
    , m_sides(nullptr)
    , m_export(nullptr)
    , m_whole(new QStackedWidget(this))
    , m_unable(new EmptyState(m_whole))
    , m_splitter(new QSplitter(Qt::Horizontal, m_whole))
    , m_reading(new ReadingPanel)
    , m_results(new QStackedWidget)
    , m_empty(new EmptyState(m_results))
    , m_attention(new AttentionView(m_results))
    , m_lens(new LensView(m_results))
    , m_experts(new ExpertsView(m_results))
    , m_sizes(new SizesView(m_results)) {
    m_splitter->addWidget(m_reading);
    m_splitter->addWidget(m_results);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->setStretchFactor(1, 1);
    m_readingWidth = new KeptWidth(m_splitter, 0, kReadingWidth);
    m_results->setMinimumWidth(kMinResults);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_empty, m_attention, m_lens, m_experts, m_sizes}) {
        m_results->addWidget(widget);
    }
    m_whole->addWidget(m_splitter);
    m_whole->addWidget(m_unable);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(m_whole, 1);
    connectParts();
    showEmpty();
    showRunnable();
}

QWidget* InsidePage::makeToolBar() {
    auto* strip = new ToolStrip(this);
    m_views = new SegmentedControl(tr("What is shown"), strip);
    m_views->addSegment(tr("Attention"), {}, tr("To which earlier tokens each head looks"));
    m_views->addSegment(tr("Lens"), {}, tr("What the model would answer after each block"));
    m_views->addSegment(tr("Experts"), {}, tr("Which experts compute the token"));
    m_views->addSegment(tr("Sizes"), {}, tr("How large the states are, and what each block adds"));
    m_sides = new SegmentedControl(tr("Which model is shown"), strip);
    m_sides->addSegment(QStringLiteral("A"), {}, tr("This model"));
    m_sides->addSegment(QStringLiteral("B"), {}, tr("The other model"));
    m_sides->addSegment(QStringLiteral("B − A"), {}, tr("How the other model differs from this one"));
    m_sides->hide();
    m_export = new InsideExport([this] { return InsideExport::Shown{m_look, side(), view()}; }, strip);
    const auto picture = [this](QCustomPlot& plot, const QString& name, const QString& fileName,
                                std::function<bool()> isShown) {
        m_export->addPicture(plot, name, fileName, std::move(isShown), [this, &plot] { return frameOf(plot); });
    };
    const auto showsPart = [this](InsideMap* map) {
        return view() == InsideView::Attention && m_attention->shownMap() == map &&
               (map == m_attention->overview() || m_attention->map() != nullptr);
    };
    picture(*m_attention->overview(), tr("Picture of the heads"), tr("heads"),
            [this, showsPart] { return showsPart(m_attention->overview()); });
    picture(*m_attention->headMap(), tr("Picture of the head"), tr("attention"),
            [this, showsPart] { return showsPart(m_attention->headMap()); });
    picture(*m_experts->load(), tr("Picture of the load"), tr("experts"),
            [this] { return view() == InsideView::Experts && m_experts->hasExperts(); });
    picture(*m_sizes->plot(), tr("Picture of the sizes"), tr("sizes"), [this] { return view() == InsideView::Norms; });
    picture(*m_sizes->ratios(), tr("Picture of the ratios"), tr("ratios"),
            [this] { return view() == InsideView::Norms && side() == Side::Difference; });
    auto* row = qobject_cast<QHBoxLayout*>(strip->layout());
    row->addWidget(m_views);
    row->addWidget(m_sides);
    row->addStretch();
    row->addWidget(m_export);
    return strip;
}

void InsidePage::connectParts() {
    connect(m_reading, &ReadingPanel::readWanted, this, &InsidePage::read);
    connect(m_reading, &ReadingPanel::conversationWanted, this, &InsidePage::conversationRequested);
    connect(m_reading, &ReadingPanel::textChanged, this, &InsidePage::showRunnable);
    connect(m_export, &InsideExport::message, this, &InsidePage::say);
    connect(m_export, &InsideExport::exported, this, &InsidePage::exported);
    connect(tokens(), &TokenText::chosen, this, &InsidePage::look);
    connect(m_views, &SegmentedControl::chosen, this, [this](int index) { showView(static_cast<InsideView>(index)); });
    connect(m_attention, &AttentionView::headChosen, this, &InsidePage::lookAtHead);
    connect(m_sides, &SegmentedControl::chosen, this, [this](int index) { showSide(static_cast<Side>(index)); });
    connect(partner(), &InsidePartner::changed, this, &InsidePage::takePartner);
    connect(partner(), &InsidePartner::checking, this, [this](Job* job) {
        m_job.cancel();
        say({}, false);
        jobBar()->watch(job, tr("Opening the other model"));
        connect(job, &Job::finished, this, &InsidePage::showRunnable);
        showRunnable();
    });
    connect(partner(), &InsidePartner::refused, this, [this](const QString& reason) {
        say(tr("The models cannot be compared: %1.").arg(reason), true);
        showRunnable();
    });
    connect(jobBar(), &JobBar::cancelled, this, [this] {
        m_job.cancel();
        partner()->cancel();
        say(tr("Cancelled."), false);
        showRunnable();
    });
}

void InsidePage::setModel(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    partner()->setModel(m_model);
    if (const auto obstacle = whyNothingInside(*m_model)) {
        showUnable(*obstacle);
    }
    showRunnable();
}

void InsidePage::activate() {
    if (!m_checked && m_able) { // what Gufo's own engine cannot run, it cannot look into
        m_checked = true;
        m_check.start<inference::InsideShape>(
            [model = model()](const JobContext&) { return inference::insideShape(*model); },
            [this](const Result<inference::InsideShape>& shape) {
                if (const auto obstacle =
                        shape ? whyNoTexts(*m_model) : std::optional(whyEngineRefuses(shape.error()))) {
                    showUnable(*obstacle);
                }
            });
    }
    showStatus();
}

void InsidePage::showUnable(const EmptyTexts& obstacle) {
    m_able = false;
    m_unable->setTexts(obstacle.title, obstacle.explanation);
    m_whole->setCurrentIndex(1);
    showRunnable();
}

QString InsidePage::emptyText() const {
    return m_able ? m_results->currentIndex() == 0 ? m_empty->accessibleName() : QString() : m_unable->accessibleName();
}

void InsidePage::showEmpty() {
    const EmptyTexts texts = invitationTo(view());
    m_empty->setTexts(texts.title, texts.explanation);
    m_results->setCurrentIndex(0);
}

void InsidePage::showRunnable() {
    m_reading->setAble(m_able && m_model != nullptr, isBusy());
    m_export->setPossible(inside() != nullptr);
}

void InsidePage::showView(InsideView view) {
    m_views->setCurrent(static_cast<int>(view));
    if (inside() == nullptr) {
        showEmpty();
    } else {
        m_results->setCurrentIndex(1 + static_cast<int>(view));
    }
    shade();
}

void InsidePage::say(const QString& text, bool isError) { m_reading->say(text, isError); }

void InsidePage::watch(const QString& what) {
    say({}, false);
    jobBar()->watch(m_job.job(), what);
    showRunnable();
}

void InsidePage::read() {
    const QString text = field()->toPlainText();
    if (!readButton()->isEnabled()) {
        return;
    }
    if (text.size() > ReadingPanel::kMaxCharacters) {
        say(tr("The text has more than %1 characters.").arg(formatCount(ReadingPanel::kMaxCharacters)), true);
        return;
    }
    begin(
        [text = text.toStdString()](const text::Tokenizer& tokenizer, const JobContext& job) {
            return inference::promptTokens(tokenizer, text, {}, job);
        },
        std::nullopt);
}

void InsidePage::showTokens(std::vector<TokenId> tokens, std::size_t chosen) {
    if (!m_able) {
        return;
    }
    if (tokens.empty()) {
        say(tr("There is no conversation yet, or its engine does not say which tokens it read. Chat on the page Run "
               "first, with an engine of this computer."),
            true);
        return;
    }
    begin([tokens = std::move(tokens)](const text::Tokenizer&,
                                       const JobContext&) -> Result<std::vector<TokenId>> { return tokens; },
          chosen);
}

void InsidePage::begin(std::function<Result<std::vector<TokenId>>(const text::Tokenizer&, const JobContext&)> tokens,
                       std::optional<std::size_t> chosen) {
    m_job.start<ReadText>(
        [model = model(), tokenizer = m_tokenizer,
         tokens = std::move(tokens)](const JobContext& job) -> Result<ReadText> {
            ReadText text{.tokenizer = tokenizer};
            if (text.tokenizer == nullptr) {
                text.tokenizer = GUFO_TRY(text::makeTokenizer(*model, job));
            }
            text.tokens = GUFO_TRY(tokens(*text.tokenizer, job));
            return text;
        },
        [this, chosen](Result<ReadText> text) { takeText(std::move(text), chosen); }, [this] { showRunnable(); });
    watch(tr("Reading the text"));
}

void InsidePage::takeText(Result<ReadText> text, std::optional<std::size_t> chosen) {
    showRunnable();
    if (!text) {
        say(errorReason(text.error()), true);
        return;
    }
    m_tokenizer = text->tokenizer;
    m_ids = std::move(text->tokens);
    QStringList texts;
    for (const TokenId id : m_ids) {
        texts << QString::fromStdString(m_tokenizer->bytesOf(id));
    }
    m_look = {};
    m_sides->hide();
    showEmpty();
    tokens()->setTokens(texts);
    if (m_ids.size() > kMaxTokens) {
        say(tr("The text has %1 tokens; the inside of a run is shown for up to %2.")
                .arg(formatCount(m_ids.size()), formatCount(kMaxTokens)),
            true);
        return;
    }
    const std::size_t token = std::min(chosen.value_or(m_ids.size() - 1), m_ids.size() - 1);
    tokens()->setCurrent(token);
    look(token);
}

QString InsidePage::whyNoMap(std::size_t tokens) const {
    return tokens > kMapTokens
               ? tr("It is made for up to %1 tokens; gufo-cli inspect makes longer ones.").arg(formatCount(kMapTokens))
               : tr("The block has no attention.");
}

void InsidePage::look(std::size_t token) {
    inference::InsideRequest request{
        .from = token, .lastRows = true, .candidates = kCandidates, .experts = true, .sizes = true};
    if (token < kMapTokens) {
        request.attention = inference::InsideRequest::Heads{.block = m_attention->block(), .head = m_attention->head()};
    }
    m_job.start<InsideLook>(
        [model = model(), other = partner()->partner(),
         tokens = std::vector(m_ids.begin(), m_ids.begin() + static_cast<std::ptrdiff_t>(token) + 1),
         request](const JobContext& job) { return lookAt(model, other, tokens, request, job); },
        [this, token](Result<InsideLook> result) { takeLook(std::move(result), token); }, [this] { showRunnable(); });
    watch(tr("Evaluating %n tokens", nullptr, static_cast<int>(token) + 1));
}

void InsidePage::takeLook(Result<InsideLook> look, std::size_t token) {
    showRunnable();
    if (!look) {
        say(errorReason(look.error()), true);
        return;
    }
    m_looked = token;
    m_look = *std::move(look);
    m_sides->setVisible(m_look.isOfTwo());
    showInside();
    if (m_look.a.map != nullptr) {
        m_attention->choose(m_look.a.map->block, m_look.a.map->firstHead);
    }
    showView(view());
    showRunnable();
    showStatus();
}

// The comparison ends at once; it begins when both models have read the text.
void InsidePage::takePartner() {
    const bool compares = partner()->partner() != nullptr;
    m_sides->hide();
    m_sides->setCurrent(static_cast<int>(compares ? Side::Difference : Side::A));
    say({}, false);
    if (inside() == nullptr) {
        showRunnable();
        return;
    }
    m_job.cancel();
    m_look.b = {};
    m_look.difference.reset();
    showInside();
    shade();
    if (compares) {
        look(m_looked);
    }
    showRunnable();
    showStatus();
}

void InsidePage::showSide(Side side) {
    m_sides->setCurrent(static_cast<int>(side));
    if (inside() != nullptr) {
        showInside();
        shade();
    }
}

void InsidePage::showInside() {
    const bool differs = side() == Side::Difference && m_look.isOfTwo();
    const auto& shown = side() != Side::A && m_look.isOfTwo() ? m_look.b.inside : m_look.a.inside;
    QStringList texts;
    for (std::size_t i = 0; i <= m_looked; ++i) {
        texts << tokens()->textOf(i);
    }
    m_attention->setInside(shown, std::move(texts), differs ? m_look.a.inside : nullptr);
    showMap();
    const auto name = [this](TokenId id) { return nameOf(id); };
    const TokenId token = m_ids[m_looked];
    if (differs) {
        const InsidePair pair{.a = *m_look.a.inside, .b = *m_look.b.inside};
        m_lens->setPair(pair, name, token);
        m_experts->setPair(pair, nameOf(token));
        m_sizes->setPair(pair, m_looked);
    } else {
        m_lens->setInside(*shown, name, token);
        m_experts->setInside(*shown, nameOf(token));
        m_sizes->setInside(*shown, m_looked);
    }
}

void InsidePage::showMap() { m_attention->setMap(m_look.mapOf(side()), whyNoMap(m_looked + 1)); }

// The weights of the head at the chosen token are there already; its map is computed only for the head that is shown.
void InsidePage::lookAtHead() {
    shade();
    const std::size_t block = m_attention->block();
    const std::size_t head = m_attention->head();
    const auto has = [&](const inference::Inside* inside) { return inside == nullptr || head < inside->heads[block]; };
    if (inside() == nullptr || m_looked + 1 > kMapTokens || !has(inside()) || !has(other())) {
        m_job.cancel();
        showRunnable();
        m_look.takeMaps({});
        showMap();
        return;
    }
    m_job.start<InsideLook>(
        [model = model(), other = other() != nullptr ? partner()->partner() : nullptr,
         tokens = std::vector(m_ids.begin(), m_ids.begin() + static_cast<std::ptrdiff_t>(m_looked) + 1), block,
         head](const JobContext& job) {
            return lookAt(model, other, tokens,
                          {.attention = inference::InsideRequest::Heads{.block = block, .head = head}}, job);
        },
        [this](Result<InsideLook> look) {
            showRunnable();
            if (look) {
                m_look.takeMaps(*std::move(look));
                showMap();
            } else {
                say(errorReason(look.error()), true);
            }
        },
        [this] { showRunnable(); });
    watch(tr("Evaluating for this head"));
}

void InsidePage::shade() {
    tokens()->setWeights(inside() != nullptr && view() == InsideView::Attention ? m_attention->weights()
                                                                                : std::vector<float>(),
                         m_attention->showsDifference());
}

QString InsidePage::nameOf(TokenId token) const {
    return displayText(m_tokenizer->bytesOf(token)).replace(u' ', QChar(0x2423));
}

void InsidePage::showStatus() {
    if (inside() == nullptr) {
        emit statusChanged({}, {});
        return;
    }
    emit statusChanged(tr("Token %1 of a text of %n tokens, %2 of %3 used", nullptr, static_cast<int>(m_ids.size()))
                           .arg(formatCount(m_looked),
                                formatBytes(inside()->bytes + (other() != nullptr ? other()->bytes : 0)),
                                formatBytes(inference::kInsideBytes)),
                       {});
}

PictureFrame InsidePage::frameOf(const QCustomPlot& plot) const {
    PictureFrame frame{.title = plot.accessibleName(), .lines = {}};
    if (inside() == nullptr) {
        return frame;
    }
    frame.lines << tr("%1, token %2 “%3”")
                       .arg(m_model->files.empty() ? QString() : fileNameText(m_model->path()), formatCount(m_looked),
                            displayText(tokens()->textOf(m_looked).toStdString()));
    if (other() != nullptr && side() != Side::A) {
        frame.lines << (side() == Side::B ? QStringLiteral("B: ") : QStringLiteral("B − A; B: ")) + partner()->name();
    }
    if (&plot == m_attention->overview() || &plot == m_attention->headMap()) {
        frame.lines << m_attention->summary();
    } else if (const auto* sizes = qobject_cast<const SizesPlot*>(&plot)) {
        frame.keys = sizes->keys();
    }
    return frame;
}

QJsonObject InsidePage::saveState() const {
    const QString text = field()->toPlainText();
    return {{kWidth, m_readingWidth->width()},
            {kView, m_views->current()},
            {kMeasure, m_attention->measure()->currentIndex()},
            {kOfModel, QJsonObject{{kText, text.size() <= ReadingPanel::kMaxCharacters ? text : QString()}}}};
}

void InsidePage::restoreState(const QJsonObject& state) {
    m_readingWidth->setWidth(state.value(kWidth).toInt());
    const int view = state.value(kView).toInt();
    showView(static_cast<InsideView>(std::clamp(view, 0, static_cast<int>(kInsideViews.size()) - 1)));
    m_attention->measure()->setCurrentIndex(state.value(kMeasure).toInt() == 1 ? 1 : 0);
    field()->setPlainText(state.value(kOfModel).toObject().value(kText).toString());
}

QString InsidePage::copyText(CopyFormat format) const {
    if (inside() == nullptr) {
        return {};
    }
    switch (view()) {
    case InsideView::Attention:
        return m_attention->summary();
    case InsideView::Lens:
        return viewText(*m_lens->table(), format);
    case InsideView::Experts:
        return viewText(*m_experts->table(), format);
    case InsideView::Norms:
        return viewText(*m_sizes->table(), format);
    }
    return {};
}

} // namespace gufo::ui

#include "moc_inside_page.cpp"
