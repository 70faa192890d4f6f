// The layout of the panel that loads a model.
#include "inference/engine/compute/team.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/pages/run/load_panel.h"
#include "ui/theme/style.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QThread>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kWidth = 480;
constexpr int kMinMargin = 24;
constexpr int kLowHeight = 520; // of the room for the panel
constexpr int kLabelWidth = 104;

} // namespace

LoadPanel::LoadPanel(QWidget* parent, std::span<const inference::Engine> engines)
    : QWidget(parent)
    , m_engines(engines)
    , m_title(themedLabel(tr("Run this model"), TextStyle::PageTitle, Token::Text, this))
    , m_intro(themedLabel(tr("It runs on this machine, directly from the file; nothing is sent anywhere."),
                          TextStyle::Table, Token::Muted, this))
    , m_controls(new QWidget(this))
    , m_engineRow(new QWidget(m_controls))
    , m_engine(new QComboBox(m_engineRow))
    , m_offReasons(engines.size())
    , m_server(new ServerPanel(kLabelWidth, m_controls))
    , m_localControls(new QWidget(m_controls))
    , m_context(new ContextField(kLabelWidth, m_localControls))
    , m_cacheRow(new QWidget(m_localControls))
    , m_valuesLabel(themedLabel(tr("V cache"), TextStyle::Table, Token::Text, m_cacheRow))
    , m_keys(new QComboBox(m_cacheRow))
    , m_values(new QComboBox(m_cacheRow))
    , m_rope(new RopeField(kLabelWidth, m_localControls))
    , m_threadsRow(new QWidget(m_localControls))
    , m_threads(new CountBox(m_threadsRow))
    , m_offload(new OffloadField(kLabelWidth, m_localControls))
    , m_figureBox(new QWidget(m_localControls))
    , m_mark(new QLabel(this))
    , m_verdict(themedLabel(QString(), TextStyle::Table, Token::Muted, this))
    , m_load(new QPushButton(tr("Load"), this))
    , m_download(new QPushButton(themeIcon(QStringLiteral("download"), Token::OnAccent), tr("Download…"), this)) {
    m_threads->setObjectName(QStringLiteral("threadsField"));
    m_rope->setObjectName(QStringLiteral("ropeField"));
    m_values->setObjectName(QStringLiteral("valuesCombo"));
    m_keys->setObjectName(QStringLiteral("keysCombo"));
    m_offload->setObjectName(QStringLiteral("offloadField"));
    m_engine->setObjectName(QStringLiteral("engineCombo"));
    for (QComboBox* box : {m_keys, m_values}) {
        for (const KvCacheType type : kvCacheTypes()) {
            box->addItem(latin1(kvCacheTypeName(type)), static_cast<int>(type));
        }
        box->setCurrentIndex(box->findData(static_cast<int>(KvCacheType::F16)));
        box->setFixedWidth(76);
        box->setToolTip(
            tr("How the KV cache is stored: f16 is the default, q8_0 takes half of that, q4_0 a quarter; f32 is "
               "exact. "
               "Keys are more sensitive to low precision than values"));
        connect(box, &QComboBox::currentIndexChanged, this, &LoadPanel::estimateSoon);
    }
    m_keys->setAccessibleName(tr("Type of the K cache"));
    m_values->setAccessibleName(tr("Type of the V cache"));
    m_threads->setRange(1, std::max(1, QThread::idealThreadCount()));
    m_threads->setValue(static_cast<int>(inference::physicalCores()));
    m_threads->setFixedWidth(64);
    m_threads->setAccessibleName(tr("Threads"));
    m_threads->setToolTip(
        tr("The number of physical cores is usually best: more threads compete for memory bandwidth"));

    const auto label = [this](const QString& text) {
        QLabel* made = themedLabel(text, TextStyle::Table, Token::Text, m_controls);
        made->setFixedWidth(kLabelWidth);
        return made;
    };
    for (const inference::Engine& engine : m_engines) {
        m_engine->addItem(engineName(engine.id), latin1(engine.id));
    }
    m_engine->setSizeAdjustPolicy(QComboBox::AdjustToContents); // versions become known later
    m_engine->setAccessibleName(tr("Engine"));
    m_engine->setToolTip(tr("What runs the model"));
    m_server->hide();
    m_offload->hide();
    m_engineRow->setVisible(m_engines.size() > 1);
    auto* engineRow = new QHBoxLayout(m_engineRow);
    engineRow->setContentsMargins(0, 0, 0, 10);
    engineRow->setSpacing(8);
    engineRow->addWidget(label(tr("Engine")));
    engineRow->addWidget(m_engine);
    engineRow->addStretch();
    auto* cacheRow = new QHBoxLayout(m_cacheRow);
    cacheRow->setContentsMargins(0, 0, 0, 0);
    cacheRow->setSpacing(8);
    cacheRow->addWidget(label(tr("K cache")));
    cacheRow->addWidget(m_keys);
    cacheRow->addSpacing(12);
    cacheRow->addWidget(m_valuesLabel);
    cacheRow->addWidget(m_values);
    cacheRow->addStretch();
    auto* threadsRow = new QHBoxLayout(m_threadsRow);
    threadsRow->setContentsMargins(0, 0, 0, 0);
    threadsRow->setSpacing(8);
    threadsRow->addWidget(label(tr("Threads")));
    threadsRow->addWidget(m_threads);
    threadsRow->addWidget(
        themedLabel(tr("of %1").arg(QThread::idealThreadCount()), TextStyle::Table, Token::Muted, m_controls));
    threadsRow->addStretch();
    auto* controls = new QVBoxLayout(m_controls);
    controls->setContentsMargins(0, 0, 0, 0);
    controls->setSpacing(0);
    controls->addWidget(m_engineRow);
    controls->addWidget(m_server);
    controls->addWidget(m_localControls);
    auto* local = new QVBoxLayout(m_localControls);
    local->setContentsMargins(0, 0, 0, 0);
    local->setSpacing(0);
    local->addWidget(m_context);
    local->addSpacing(10);
    local->addWidget(m_cacheRow);
    local->addSpacing(6);
    local->addWidget(m_rope);
    local->addSpacing(6);
    local->addWidget(m_threadsRow);
    local->addSpacing(6);
    local->addWidget(m_offload);
    local->addSpacing(14);
    local->addWidget(m_figureBox);
    auto* figures = new QVBoxLayout(m_figureBox);
    figures->setContentsMargins(0, 0, 0, 0);
    figures->setSpacing(0);
    const auto figure = [&](Figure which, const QString& name, const QString& detail, bool strong) {
        auto* widget = new QWidget(m_figureBox);
        auto* row = new QHBoxLayout(widget);
        row->setContentsMargins(0, 3, 0, 3);
        const TextStyle style = strong ? TextStyle::Section : TextStyle::Table;
        row->addWidget(themedLabel(name, style, Token::Text, widget));
        QLabel* details = themedLabel(detail, TextStyle::Table, Token::Muted, widget);
        row->addWidget(details, 1);
        QLabel* bytes = themedLabel({}, style, Token::Text, widget);
        row->addWidget(bytes);
        figures->addWidget(widget);
        m_figures[which] = {widget, details, bytes};
    };
    figure(Weights, tr("Weights"), tr("mapped from the file"), false);
    figure(Cache, tr("KV cache"), {}, false);
    figure(State, tr("Recurrent state"), tr("independent of the context"), false);
    figure(Scratch, tr("Buffers"), tr("activations, norms, logits"), false);
    figures->addWidget(makeSeparator(Qt::Horizontal, m_figureBox));
    figure(InAll, tr("Total"), {}, true);
    figure(Free, tr("Free memory"), {}, false);

    m_verdict->setWordWrap(true);
    m_mark->setFixedSize(16, 18);
    auto* verdict = new QHBoxLayout;
    verdict->addWidget(m_mark, 0, Qt::AlignTop);
    verdict->addWidget(m_verdict, 1);
    m_load->setProperty(kPrimaryProperty, true);
    m_load->setEnabled(false);
    m_download->setProperty(kPrimaryProperty, true);
    m_download->hide();
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_load);
    buttons->addWidget(m_download);
    buttons->addStretch();

    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(10);
    layout->addStretch(2);
    layout->addWidget(m_title);
    layout->addWidget(m_intro);
    layout->addSpacing(8);
    layout->addWidget(m_controls);
    layout->addLayout(verdict);
    layout->addSpacing(4);
    layout->addLayout(buttons);
    layout->addStretch(3);

    connect(m_engine, &QComboBox::currentIndexChanged, this, [this] {
        emit engineChanged();
        estimateSoon();
    });
    connect(m_server, &ServerPanel::changed, this, [this] {
        if (engine().remote) {
            estimateSoon();
        }
    });
    connect(m_context, &ContextField::changed, this, &LoadPanel::estimateSoon);
    connect(m_rope, &RopeField::changed, this, &LoadPanel::estimateSoon);
    connect(m_threads, &QSpinBox::valueChanged, this, &LoadPanel::estimateSoon);
    connect(m_offload, &OffloadField::changed, this, &LoadPanel::estimateSoon);
    connect(m_load, &QPushButton::clicked, this, [this] {
        if (m_loading) {
            emit cancelRequested();
        } else {
            emit loadRequested();
        }
    });
    connect(m_download, &QPushButton::clicked, this, &LoadPanel::downloadRequested);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_download->setIcon(themeIcon(QStringLiteral("download"), Token::OnAccent));
        estimateSoon();
    });
}

void LoadPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int side = std::max(kMinMargin, (width() - kWidth) / 2);
    // In the lowest window, the button remains visible.
    const bool isLow = parentWidget() != nullptr && parentWidget()->height() < kLowHeight;
    layout()->setContentsMargins(side, isLow ? 4 : 16, side, isLow ? 4 : 16);
    layout()->setSpacing(isLow ? 5 : 10);
}

// Without the margins, which depend on the width: a scroll area would never make the panel narrower again.
QSize LoadPanel::minimumSizeHint() const {
    const QSize minimum = QWidget::minimumSizeHint();
    const QMargins margins = layout()->contentsMargins();
    return {minimum.width() - margins.left() - margins.right() + 2 * kMinMargin, minimum.height()};
}

} // namespace gufo::ui
