#include "ui/pages/inside/inside_page.h"

#include "inference/engine/gufo_engine.h"
#include "inference/prompts/prompt_tokens.h"
#include "ui/document/fetching.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/inside/inside_partner.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/widgets/keep_focus.h"
#include "ui/widgets/splitter_sizes.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kInputWidth = 280;
constexpr int kMinInput = 200;
constexpr int kMinResults = 260;
constexpr int kFieldHeight = 92;
constexpr std::size_t kCandidates = 6;
constexpr qsizetype kMaxCharacters = 200'000; // of the field, whose layout would block the window

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
    , m_exports(nullptr)
    , m_whole(new QStackedWidget(this))
    , m_unable(new EmptyState(m_whole))
    , m_splitter(new QSplitter(Qt::Horizontal, m_whole))
    , m_field(nullptr)
    , m_read(nullptr)
    , m_conversation(nullptr)
    , m_partner(nullptr)
    , m_tokens(nullptr)
    , m_bar(nullptr)
    , m_message(nullptr)
    , m_results(new QStackedWidget)
    , m_empty(new EmptyState(m_results))
    , m_attention(new AttentionView(m_results))
    , m_lens(new LensView(m_results))
    , m_experts(new ExpertsView(m_results))
    , m_sizes(new SizesView(m_results)) {
    m_splitter->addWidget(makeInput());
    m_splitter->addWidget(m_results);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->setStretchFactor(1, 1);
    m_inputWidth = new KeptWidth(m_splitter, 0, kInputWidth);
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
    m_export = new QPushButton(tr("Export"), strip);
    m_export->setIcon(themeIcon(QStringLiteral("export")));
    m_exports = new QMenu(m_export);
    m_exports->addAction(tr("NumPy array…"), this, [this] { askWhereToExport(false); });
    m_exports->addAction(tr("CSV…"), this, [this] { askWhereToExport(true); });
    const auto pictures = [this](QCustomPlot& plot, const QString& name, const QString& stem) {
        auto* menu = new PictureMenu(plot);
        menu->button()->hide(); // its menu is a part of the page's
        menu->menu()->setTitle(name);
        menu->setPlot(plot, stem, [this, &plot] { return frameOf(plot); });
        connect(menu, &PictureMenu::message, this, [this](const QString& text) { say(text, false); });
        m_exports->addMenu(menu->menu());
        return menu;
    };
    m_pictures = {pictures(*m_attention->overview(), tr("Picture of the heads"), tr("heads")),
                  pictures(*m_attention->headMap(), tr("Picture of the head"), tr("attention")),
                  pictures(*m_experts->load(), tr("Picture of the load"), tr("experts")),
                  pictures(*m_sizes->plot(), tr("Picture of the sizes"), tr("sizes")),
                  pictures(*m_sizes->ratios(), tr("Picture of the ratios"), tr("ratios"))};
    m_export->setMenu(m_exports);
    connect(m_exports, &QMenu::aboutToShow, this, [this] {
        const bool attention = view() == InsideView::Attention;
        const bool overview = m_attention->shownMap() == m_attention->overview();
        const std::array shown{attention && overview, attention && !overview && m_attention->map() != nullptr,
                               view() == InsideView::Experts && m_experts->hasExperts(), view() == InsideView::Norms,
                               view() == InsideView::Norms && side() == Side::Difference};
        for (std::size_t i = 0; i < shown.size(); ++i) {
            m_pictures[i]->menu()->menuAction()->setVisible(shown[i]);
        }
    });
    auto* row = qobject_cast<QHBoxLayout*>(strip->layout());
    row->addWidget(m_views);
    row->addWidget(m_sides);
    row->addStretch();
    row->addWidget(m_export);
    return strip;
}

QWidget* InsidePage::makeInput() {
    auto* input = new QWidget(m_splitter);
    input->setMinimumWidth(kMinInput);
    m_field = new QPlainTextEdit(input);
    m_field->setAccessibleName(tr("Text that the model reads"));
    m_field->setPlaceholderText(tr("A text that the model reads"));
    m_field->setTabChangesFocus(true);
    m_field->setFixedHeight(kFieldHeight);
    m_read = new QPushButton(tr("Look inside"), input);
    m_read->setProperty("primary", true);
    m_read->setToolTip(tr("Read the text and show what happens at its last token (Ctrl+Return)"));
    m_conversation = new QPushButton(tr("Conversation"), input);
    m_conversation->setToolTip(tr("Show the conversation of the page Run, token by token, as the model read it"));
    m_partner = new InsidePartner(input);
    m_tokens = new TokenText(input);
    m_bar = new JobBar(input);
    m_message = themedLabel({}, TextStyle::Table, Token::Muted, input);
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    m_message->hide();
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_conversation);
    buttons->addStretch();
    buttons->addWidget(m_read);
    auto* layout = new QVBoxLayout(input);
    layout->setContentsMargins(12, 12, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(m_field);
    layout->addLayout(buttons);
    layout->addWidget(m_partner);
    layout->addWidget(makeSeparator(Qt::Horizontal, input));
    layout->addWidget(m_tokens, 1);
    layout->addWidget(m_bar);
    layout->addWidget(m_message);
    return input;
}

void InsidePage::connectParts() {
    connect(m_read, &QPushButton::clicked, this, &InsidePage::read);
    connect(m_conversation, &QPushButton::clicked, this, &InsidePage::conversationRequested);
    connect(m_field, &QPlainTextEdit::textChanged, this, &InsidePage::showRunnable);
    for (const int key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto* shortcut = new QShortcut(QKeySequence(Qt::CTRL | key), m_field);
        shortcut->setContext(Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, this, &InsidePage::read);
    }
    connect(m_tokens, &TokenText::chosen, this, &InsidePage::look);
    connect(m_views, &SegmentedControl::chosen, this, [this](int index) { showView(static_cast<InsideView>(index)); });
    connect(m_attention, &AttentionView::headChosen, this, &InsidePage::lookAtHead);
    connect(m_sides, &SegmentedControl::chosen, this, [this](int index) { showSide(static_cast<Side>(index)); });
    connect(m_partner, &InsidePartner::changed, this, &InsidePage::takePartner);
    connect(m_partner, &InsidePartner::checking, this, [this](Job* job) {
        m_job.cancel();
        say({}, false);
        m_bar->watch(job, tr("Opening the other model"));
        connect(job, &Job::finished, this, &InsidePage::showRunnable);
        showRunnable();
    });
    connect(m_partner, &InsidePartner::refused, this, [this](const QString& reason) {
        say(tr("The models cannot be compared: %1.").arg(reason), true);
        showRunnable();
    });
    connect(m_bar, &JobBar::cancelled, this, [this] {
        m_job.cancel();
        m_partner->cancel();
        say(tr("Cancelled."), false);
        showRunnable();
    });
}

void InsidePage::setModel(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    m_partner->setModel(m_model);
    if (isOnServer(*m_model)) {
        showUnable(tr("The weights are on %1").arg(serverOf(*m_model)),
                   tr("To look inside a run, all of them are needed: download the model first."));
    } else if (inference::onlyEmbeds(*m_model)) {
        showUnable(tr("This model generates no text"),
                   tr("Its vectors are shown on the page Embed. Attention, the logit lens, experts and sizes are shown "
                      "for models that predict the next token."));
    } else if (m_model->metadata.find("tokenizer.ggml.model") == nullptr) {
        showUnable(tr("This model has no tokenizer"),
                   tr("Texts become tokens by way of it. gufo-cli inspect --tokens accepts token ids instead."));
    }
    showRunnable();
}

void InsidePage::activate() {
    if (!m_checked && m_able) { // what Gufo's own engine cannot run, it cannot look into
        m_checked = true;
        m_check.start<inference::InsideShape>(
            [model = model()](const JobContext&) { return inference::insideShape(*model); },
            [this](const Result<inference::InsideShape>& shape) {
                if (!shape) {
                    showUnable(
                        tr("Gufo's own engine cannot run this model"),
                        tr("The page shows what happens inside that engine: %1.").arg(errorReason(shape.error())));
                }
            });
    }
    showStatus();
}

void InsidePage::showUnable(const QString& title, const QString& explanation) {
    m_able = false;
    m_unable->setTexts(title, explanation);
    m_whole->setCurrentIndex(1);
    showRunnable();
}

QString InsidePage::emptyText() const {
    return m_able ? m_results->currentIndex() == 0 ? m_empty->accessibleName() : QString() : m_unable->accessibleName();
}

void InsidePage::showEmpty() {
    switch (view()) {
    case InsideView::Attention:
        m_empty->setTexts(
            tr("Where does the model look?"),
            tr("Enter a text, or take the conversation of Run, and choose a token. Each head of each block "
               "looks back at earlier tokens; their weights add up to 1, and shade the text."));
        break;
    case InsideView::Lens:
        m_empty->setTexts(
            tr("When does it know the answer?"),
            tr("The logit lens applies the output of the model to the state after each block, and so shows "
               "what it would answer if it ended there."));
        break;
    case InsideView::Experts:
        m_empty->setTexts(
            tr("Which experts compute?"),
            tr("A mixture of experts sends each token to some of its feed-forward networks. The page shows "
               "which these are in each block, and how the text loads them."));
        break;
    case InsideView::Norms:
        m_empty->setTexts(
            tr("How large are its states?"),
            tr("Each block adds to a stream of numbers. A single channel that becomes much larger than the "
               "others is what makes a model hard to quantise."));
        break;
    }
    m_results->setCurrentIndex(0);
}

void InsidePage::showRunnable() {
    const bool able = m_able && m_model != nullptr;
    setEnabledKeepingFocus(*m_read, able && !m_field->document()->isEmpty() && !isBusy(), *m_field);
    m_conversation->setEnabled(able && !isBusy());
    m_partner->setEnabled(able && !isBusy() && !m_partner->isBusy());
    m_export->setEnabled(m_inside != nullptr);
    m_export->setToolTip(m_inside != nullptr ? QString() : tr("There is nothing to export yet"));
}

void InsidePage::showView(InsideView view) {
    m_views->setCurrent(static_cast<int>(view));
    if (m_inside == nullptr) {
        showEmpty();
    } else {
        m_results->setCurrentIndex(1 + static_cast<int>(view));
    }
    shade();
}

void InsidePage::say(const QString& text, bool isError) {
    setTextColor(m_message, isError ? Token::ErrorText : Token::Muted);
    m_message->setText(text);
    m_message->setVisible(!text.isEmpty());
}

void InsidePage::watch(const QString& what) {
    say({}, false);
    m_bar->watch(m_job.job(), what);
    // A save cancels the jobs of all pages.
    connect(m_job.job(), &Job::finished, this, [this, job = m_job.job()] {
        if (job == m_job.job()) {
            m_job.cancel();
        }
        showRunnable();
    });
    showRunnable();
}

void InsidePage::read() {
    const QString text = m_field->toPlainText();
    if (!m_read->isEnabled()) {
        return;
    }
    if (text.size() > kMaxCharacters) {
        say(tr("The text has more than %1 characters.").arg(formatCount(kMaxCharacters)), true);
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
        [this, chosen](Result<ReadText> text) { takeText(std::move(text), chosen); });
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
    m_inside = nullptr;
    m_other = nullptr;
    m_sides->hide();
    showEmpty();
    m_tokens->setTokens(texts);
    if (m_ids.size() > kMaxTokens) {
        say(tr("The text has %1 tokens; the inside of a run is shown for up to %2.")
                .arg(formatCount(m_ids.size()), formatCount(kMaxTokens)),
            true);
        return;
    }
    const std::size_t token = std::min(chosen.value_or(m_ids.size() - 1), m_ids.size() - 1);
    m_tokens->setCurrent(token);
    look(token);
}

QString InsidePage::whyNoMap(std::size_t tokens) const {
    return tokens > kMapTokens
               ? tr("It is made for up to %1 tokens; gufo-cli inspect makes longer ones.").arg(formatCount(kMapTokens))
               : tr("The block has no attention.");
}

InsidePage::Looked InsidePage::lookedOf(inference::Inside inside) {
    Looked looked;
    if (inside.attention) {
        looked.map = std::make_shared<const inference::AttentionMap>(*std::move(inside.attention));
        inside.attention.reset();
    }
    looked.inside = std::make_shared<const inference::Inside>(std::move(inside));
    return looked;
}

// Records no experts of a model that has none. If a model does not have the head that the request names, the map is
// that of the first head which both have.
Result<InsidePage::Look> InsidePage::lookAt(const std::shared_ptr<const Model>& model,
                                            const std::shared_ptr<const Model>& other, std::span<const TokenId> tokens,
                                            const inference::InsideRequest& request, const JobContext& job) {
    inference::InsideSubject a{.model = model, .request = request};
    const auto shape = GUFO_TRY(inference::insideShape(*model));
    a.request.experts = request.experts && shape.experts != 0;
    std::vector<std::uint32_t> heads = shape.heads;
    inference::InsideSubject b{.model = other, .request = request};
    if (other != nullptr) {
        const auto otherShape = GUFO_TRY(inference::insideShape(*other));
        b.request.experts = request.experts && otherShape.experts != 0;
        for (std::size_t block = 0; block < heads.size(); ++block) {
            heads[block] = std::min(heads[block], otherShape.heads[block]);
        }
    }
    if (const auto asked = request.attention;
        asked && !(asked->block < heads.size() && *asked->head < heads[asked->block])) {
        a.request.attention.reset();
        const auto first = std::ranges::find_if(heads, [](std::uint32_t count) { return count != 0; });
        if (first != heads.end()) {
            a.request.attention =
                inference::InsideRequest::Heads{.block = static_cast<std::size_t>(first - heads.begin()), .head = 0};
        }
    }
    b.request.attention = a.request.attention;
    if (other == nullptr) {
        return Look{.a = lookedOf(GUFO_TRY(inference::lookInside(model, tokens, a.request, {}, job)))};
    }
    auto both = GUFO_TRY(inference::lookInsideBoth(a, b, tokens, {}, job));
    return Look{.a = lookedOf(std::move(both[0])), .b = lookedOf(std::move(both[1]))};
}

void InsidePage::look(std::size_t token) {
    inference::InsideRequest request{
        .from = token, .lastRows = true, .candidates = kCandidates, .experts = true, .sizes = true};
    if (token < kMapTokens) {
        request.attention = inference::InsideRequest::Heads{.block = m_attention->block(), .head = m_attention->head()};
    }
    m_job.start<Look>([model = model(), other = m_partner->partner(),
                       tokens = std::vector(m_ids.begin(), m_ids.begin() + static_cast<std::ptrdiff_t>(token) + 1),
                       request](const JobContext& job) { return lookAt(model, other, tokens, request, job); },
                      [this, token](Result<Look> result) { takeLook(std::move(result), token); });
    watch(tr("Evaluating %n tokens", nullptr, static_cast<int>(token) + 1));
}

void InsidePage::takeLook(Result<Look> look, std::size_t token) {
    showRunnable();
    if (!look) {
        say(errorReason(look.error()), true);
        return;
    }
    m_looked = token;
    m_inside = std::move(look->a.inside);
    m_other = std::move(look->b.inside);
    m_map = std::move(look->a.map);
    m_otherMap = std::move(look->b.map);
    m_sides->setVisible(m_other != nullptr);
    showInside();
    if (m_map != nullptr) {
        m_attention->choose(m_map->block, m_map->firstHead);
    }
    showView(view());
    showRunnable();
    showStatus();
}

// The comparison ends at once; it begins when both models have read the text.
void InsidePage::takePartner() {
    const bool compares = m_partner->partner() != nullptr;
    m_sides->hide();
    m_sides->setCurrent(static_cast<int>(compares ? Side::Difference : Side::A));
    say({}, false);
    if (m_inside == nullptr) {
        showRunnable();
        return;
    }
    m_job.cancel();
    m_other = nullptr;
    m_otherMap = nullptr;
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
    if (m_inside != nullptr) {
        showInside();
        shade();
    }
}

void InsidePage::showInside() {
    const bool differs = side() == Side::Difference && m_other != nullptr;
    const auto& shown = side() != Side::A && m_other != nullptr ? m_other : m_inside;
    QStringList texts;
    for (std::size_t i = 0; i <= m_looked; ++i) {
        texts << m_tokens->textOf(i);
    }
    m_attention->setInside(shown, std::move(texts), differs ? m_inside : nullptr);
    showMap();
    const auto name = [this](TokenId id) { return nameOf(id); };
    const TokenId token = m_ids[m_looked];
    if (differs) {
        const InsidePair pair{.a = *m_inside, .b = *m_other};
        m_lens->setPair(pair, name, token);
        m_experts->setPair(pair, nameOf(token));
        m_sizes->setPair(pair, m_looked);
    } else {
        m_lens->setInside(*shown, name, token);
        m_experts->setInside(*shown, nameOf(token));
        m_sizes->setInside(*shown, m_looked);
    }
}

InsidePage::Map InsidePage::shownMap() const {
    if (m_other == nullptr || side() == Side::A) {
        return m_map;
    }
    return side() == Side::B || m_map == nullptr || m_otherMap == nullptr
               ? m_otherMap
               : std::make_shared<const inference::AttentionMap>(*m_otherMap - *m_map);
}

void InsidePage::showMap() { m_attention->setMap(shownMap(), whyNoMap(m_looked + 1)); }

// The weights of the head at the chosen token are there already; its map is computed only for the head that is shown.
void InsidePage::lookAtHead() {
    shade();
    const std::size_t block = m_attention->block();
    const std::size_t head = m_attention->head();
    const auto has = [&](const inference::Inside* inside) { return inside == nullptr || head < inside->heads[block]; };
    if (m_inside == nullptr || m_looked + 1 > kMapTokens || !has(m_inside.get()) || !has(m_other.get())) {
        m_job.cancel();
        m_map = nullptr;
        m_otherMap = nullptr;
        showMap();
        return;
    }
    m_job.start<Look>(
        [model = model(), other = m_other != nullptr ? m_partner->partner() : nullptr,
         tokens = std::vector(m_ids.begin(), m_ids.begin() + static_cast<std::ptrdiff_t>(m_looked) + 1), block,
         head](const JobContext& job) {
            return lookAt(model, other, tokens,
                          {.attention = inference::InsideRequest::Heads{.block = block, .head = head}}, job);
        },
        [this](Result<Look> look) {
            showRunnable();
            if (look) {
                m_map = std::move(look->a.map);
                m_otherMap = std::move(look->b.map);
                showMap();
            } else {
                say(errorReason(look.error()), true);
            }
        });
    watch(tr("Evaluating for this head"));
}

void InsidePage::shade() {
    m_tokens->setWeights(m_inside != nullptr && view() == InsideView::Attention ? m_attention->weights()
                                                                                : std::vector<float>(),
                         m_attention->showsDifference());
}

QString InsidePage::nameOf(TokenId token) const {
    return displayText(m_tokenizer->bytesOf(token)).replace(u' ', QChar(0x2423));
}

void InsidePage::showStatus() {
    if (m_inside == nullptr) {
        emit statusChanged({}, {});
        return;
    }
    emit statusChanged(tr("Token %1 of a text of %n tokens, %2 of %3 used", nullptr, static_cast<int>(m_ids.size()))
                           .arg(formatCount(m_looked),
                                formatBytes(m_inside->bytes + (m_other != nullptr ? m_other->bytes : 0)),
                                formatBytes(inference::kInsideBytes)),
                       {});
}

PictureFrame InsidePage::frameOf(const QCustomPlot& plot) const {
    PictureFrame frame{.title = plot.accessibleName(), .lines = {}};
    if (m_inside == nullptr) {
        return frame;
    }
    frame.lines << tr("%1, token %2 “%3”")
                       .arg(m_model->files.empty() ? QString() : fileNameText(m_model->path()), formatCount(m_looked),
                            displayText(m_tokens->textOf(m_looked).toStdString()));
    if (m_other != nullptr && side() != Side::A) {
        frame.lines << (side() == Side::B ? QStringLiteral("B: ") : QStringLiteral("B − A; B: ")) + m_partner->name();
    }
    if (&plot == m_attention->overview() || &plot == m_attention->headMap()) {
        frame.lines << m_attention->summary();
    } else if (const auto* sizes = qobject_cast<const SizesPlot*>(&plot)) {
        frame.keys = sizes->keys();
    }
    return frame;
}

void InsidePage::askWhereToExport(bool csv) {
    const QString suffix = csv ? QStringLiteral(".csv") : QStringLiteral(".npy");
    const QString name =
        QString::fromUtf8(insideViewName(view()).data(), static_cast<qsizetype>(insideViewName(view()).size()));
    askExportPath(*this, tr("Export"), name + suffix,
                  {{csv ? tr("Comma-separated values (*.csv)") : tr("NumPy array (*.npy)"), suffix}}, 0,
                  [this, csv](const std::filesystem::path& path, std::size_t) { exportTo(path, csv); });
}

void InsidePage::exportTo(const std::filesystem::path& path, bool csv) {
    if (m_inside == nullptr) {
        return;
    }
    const auto withMap = [](const inference::Inside& inside, const Map& map) {
        auto whole = std::make_shared<inference::Inside>(inside);
        if (map != nullptr) {
            whole->attention = *map;
        }
        return whole;
    };
    const auto a = withMap(*m_inside, m_map);
    const auto b = m_other != nullptr && side() != Side::A ? withMap(*m_other, m_otherMap) : nullptr;
    const bool both = side() == Side::Difference && b != nullptr;
    const auto& shown = b != nullptr ? b : a;
    if (both ? !hasView(InsidePair{.a = *a, .b = *b}, view()) : !hasView(*shown, view())) {
        say(tr("There is nothing to export in this view."), true);
        emit exported();
        return;
    }
    startJob<bool>(
        this,
        [a, b, shown, both, view = view(), path, csv](const JobContext&) -> Result<bool> {
            if (both) {
                const InsidePair pair{.a = *a, .b = *b};
                GUFO_TRY(csv ? writeInsideCsv(pair, view, path) : writeInsideNpy(pair, view, path));
            } else {
                GUFO_TRY(csv ? writeInsideCsv(*shown, view, path) : writeInsideNpy(*shown, view, path));
            }
            return true;
        },
        [this, path](const Result<bool>& written) {
            say(written ? tr("Exported to %1.").arg(fileNameText(path))
                        : tr("%1 cannot be written: %2.").arg(fileNameText(path), errorReason(written.error())),
                !written);
            emit exported();
        });
}

QJsonObject InsidePage::saveState() const {
    const QString text = m_field->toPlainText();
    return {{kWidth, m_inputWidth->width()},
            {kView, m_views->current()},
            {kMeasure, m_attention->measure()->currentIndex()},
            {kOfModel, QJsonObject{{kText, text.size() <= kMaxCharacters ? text : QString()}}}};
}

void InsidePage::restoreState(const QJsonObject& state) {
    m_inputWidth->setWidth(state.value(kWidth).toInt());
    const int view = state.value(kView).toInt();
    showView(static_cast<InsideView>(std::clamp(view, 0, static_cast<int>(kInsideViews.size()) - 1)));
    m_attention->measure()->setCurrentIndex(state.value(kMeasure).toInt() == 1 ? 1 : 0);
    m_field->setPlainText(state.value(kOfModel).toObject().value(kText).toString());
}

QString InsidePage::copyText(CopyFormat format) const {
    if (m_inside == nullptr) {
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
