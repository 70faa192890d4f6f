#include "ui/pages/run/run_tool_bar.h"

#include "inference/prefixes/prefix_folder.h"
#include "inference/prefixes/prefix_store.h"
#include "ui/jobs/job.h"
#include "ui/pages/run/answer_view.h"
#include "ui/theme/theme.h"
#include "ui/widgets/tool_strip.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>

#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kLegendBar = 110;

QString likely() { return ShadeLegend::tr("likely 1"); }
QString unlikely() { return ShadeLegend::tr("0.01 unlikely"); }

} // namespace

RunToolBar::RunToolBar(ChatSession* session, ConversationShelf* shelf, QWidget* parent)
    : ToolStrip(parent)
    , m_session(session)
    , m_shelf(shelf) {
    m_mode = new SegmentedControl(tr("Mode"), this);
    m_mode->setObjectName(QStringLiteral("mode"));
    m_mode->addSegment(tr("Chat"), {}, tr("Questions and answers through the model's chat template"));
    m_mode->addSegment(tr("Completion"), {}); // the tooltip depends on the engine
    m_new = new QPushButton(tr("New"), this);
    m_new->setObjectName(QStringLiteral("newConversation"));
    m_new->setIcon(themeIcon(QStringLiteral("plus")));
    m_new->setToolTip(tr("Start a new conversation"));
    m_new->setAccessibleName(tr("New"));
    m_more = makeToolButton(QStringLiteral("more"),
                            tr("Rename or delete the conversation; import one; run models side by side"), this);
    m_shade = new QCheckBox(tr("Shade by probability"), this);
    m_shade->setObjectName(QStringLiteral("shade"));
    m_copy = makeToolButton(QStringLiteral("copy"), tr("Copy the conversation as Markdown"), this);
    m_export = makeToolButton(QStringLiteral("export"), tr("Export the conversation"), this);
    m_settings = makeToolButton(QStringLiteral("sliders"), tr("Sampling and engine (Ctrl+,)"), this);
    m_settings->setCheckable(true);
    m_settings->setChecked(true);
    auto* legend = new ShadeLegend(this);
    legend->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_shadeParts = {makeSeparator(Qt::Vertical, this), legend};
    auto* row = static_cast<QHBoxLayout*>(layout());
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_mode, m_shelf, m_new, m_more, m_shadeParts.front(), m_shade, legend}) {
        row->addWidget(widget);
    }
    row->addStretch(1);
    row->addWidget(m_copy);
    row->addWidget(m_export);
    row->addWidget(m_settings);
    connect(m_new, &QPushButton::clicked, this, &RunToolBar::newRequested);
    connect(m_mode, &SegmentedControl::chosen, this,
            [this](int mode) { emit modeChosen(mode == 0 ? ChatMode::Chat : ChatMode::Completion); });
}

void RunToolBar::setFiles(ConversationFiles* files) {
    m_more->setMenu(makeMoreMenu(files));
    m_more->setPopupMode(QToolButton::InstantPopup);
    auto* exports = new QMenu(m_export);
    exports->addAction(tr("Markdown…"), files,
                       [files] { files->askWhereToExport(ConversationFiles::Format::Markdown); });
    exports->addAction(tr("JSON with tokens…"), files,
                       [files] { files->askWhereToExport(ConversationFiles::Format::Json); });
    m_export->setMenu(exports);
    m_export->setPopupMode(QToolButton::InstantPopup);
    connect(m_copy, &QToolButton::clicked, files, &ConversationFiles::copy);
}

QMenu* RunToolBar::makeMoreMenu(ConversationFiles* files) {
    auto* more = new QMenu(m_more);
    more->addAction(tr("Rename…"), m_shelf, &ConversationShelf::rename);
    more->addAction(tr("Delete"), m_shelf, &ConversationShelf::remove);
    more->addSeparator();
    more->addAction(tr("Import…"), files, &ConversationFiles::askWhatToImport);
    more->addSeparator();
    QAction* keeps = more->addAction(tr("Cache evaluated prompts on disk"), this, &RunToolBar::keepPrompts);
    keeps->setCheckable(true);
    keeps->setToolTip(tr("What the engine has computed from conversations is then kept in your cache folder, up "
                         "to 4 GiB, so that it need not read them again when a model is loaded later. It is "
                         "deleted with its conversation, or when this is switched off."));
    more->setToolTipsVisible(true);
    connect(more, &QMenu::aboutToShow, this, [this, more, keeps] {
        keeps->setChecked(keepsPrompts()); // another window may have changed it
        // The window's action belongs where users look for it.
        for (QAction* action : window()->actions()) {
            if (action->objectName() == QStringLiteral("sideBySide") && !more->actions().contains(action)) {
                more->addSeparator();
                more->addAction(action);
            }
        }
    });
    return more;
}

void RunToolBar::keepPrompts(bool keeps) {
    inference::PrefixStore& store = *inference::PrefixStore::shared();
    const std::filesystem::path before = store.folder();
    store.setFolder(keeps ? inference::userPrefixFolder() : std::filesystem::path());
    if (!keeps && !before.empty()) {
        fileWriter().start([before] { inference::removeAllPrefixes(before); });
    }
}

bool RunToolBar::keepsPrompts() { return !inference::PrefixStore::shared()->folder().empty(); }

void RunToolBar::showState(const QString& noCompletion, const QString& noShades) {
    const bool isFree = !m_session->isBusy();
    m_mode->setCurrent(m_session->tree().mode == ChatMode::Completion ? 1 : 0);
    m_mode->segment(0)->setEnabled(isFree);
    m_mode->segment(1)->setEnabled(isFree && noCompletion.isEmpty());
    m_mode->segment(1)->setToolTip(noCompletion.isEmpty() ? tr("The model continues a text without a template")
                                                          : noCompletion);
    m_shade->setEnabled(noShades.isEmpty());
    m_shade->setToolTip(noShades.isEmpty()
                            ? tr("Shade each token by its probability. Point at a token, or select it with the arrow "
                                 "keys, to see the alternatives")
                            : noShades);
    for (QWidget* widget : {m_copy, m_export}) {
        widget->setEnabled(!m_session->tree().isEmpty());
    }
    for (QWidget* widget : std::initializer_list<QWidget*>{m_new, m_shelf, m_more}) {
        widget->setEnabled(isFree);
    }
}

void RunToolBar::fit(int width) {
    constexpr int kTight = 640;
    const bool tight = width < kTight;
    m_new->setText(tight ? QString() : tr("New"));
    m_shade->setVisible(!tight);
    for (QWidget* part : m_shadeParts) {
        part->setVisible(!tight);
    }
}

ShadeLegend::ShadeLegend(QWidget* parent)
    : QWidget(parent) {
    setAccessibleName(tr("Shades: from none for likely tokens to the strongest for a probability of 0.01 or less"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize ShadeLegend::sizeHint() const {
    const QFontMetrics metrics(themeFont(TextStyle::Axis));
    return {metrics.horizontalAdvance(likely()) + metrics.horizontalAdvance(unlikely()) + kLegendBar + 16, 20};
}

void ShadeLegend::paintEvent(QPaintEvent*) {
    if (width() < sizeHint().width()) {
        return; // no room
    }
    QPainter painter(this);
    painter.setFont(themeFont(TextStyle::Axis));
    painter.setPen(themeColor(Token::Muted));
    const int left = painter.fontMetrics().horizontalAdvance(likely()) + 8;
    painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft, likely());
    painter.drawText(QRect(left + kLegendBar + 8, 0, width(), height()), Qt::AlignVCenter | Qt::AlignLeft, unlikely());
    for (int x = 0; x < kLegendBar; ++x) { // the logarithm of the probability, from 1 to 0.01
        const double logProbability = -std::log(100.0) * x / (kLegendBar - 1);
        painter.fillRect(left + x, 4, 1, height() - 8, shadeOf(logProbability));
    }
    painter.setPen(themeColor(Token::Line));
    painter.drawRect(left, 4, kLegendBar - 1, height() - 9);
}

} // namespace gufo::ui

#include "moc_run_tool_bar.cpp"
