#include "ui/pages/run/sampler_panel.h"

#include "inference/grammar/grammar.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/figure_text.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/growing_edit.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QInputDialog>
#include <QRegularExpressionValidator>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include <cmath>

namespace gufo::ui {
namespace {

using Settings = inference::SamplerSettings;

constexpr int kSamplerLabelWidth = 110;
constexpr int kFieldWidth = 60;
constexpr int kRowSpacing = 6;
constexpr int kDefaultMaximum = 1024;
constexpr int kMaxTokens = 1'000'000;
constexpr int kSliderSteps = 200;

enum Special { SavePreset = -1, DeletePreset = -2, Changed = -3 }; // data of entries that are not presets

} // namespace

FoldedGroup::FoldedGroup(const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_head(new QToolButton(this))
    , m_note(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_body(new QWidget(this)) {
    m_head->setText(title);
    m_head->setAutoRaise(true);
    m_head->setCheckable(true);
    m_head->setProperty(kFoldProperty, true);
    m_head->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_head->setIconSize({12, 12});
    m_head->setFont(themeFont(TextStyle::Table));
    m_head->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_content = new QVBoxLayout(m_body);
    m_content->setContentsMargins(0, 4, 0, 6);
    m_content->setSpacing(kRowSpacing);
    auto* head = new QHBoxLayout;
    head->addWidget(m_head);
    head->addStretch();
    head->addWidget(m_note);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_body);
    const auto fold = [this](bool open) {
        m_body->setVisible(open);
        m_head->setIcon(
            themeIcon(open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), Token::Muted));
    };
    connect(m_head, &QToolButton::toggled, this, fold);
    fold(false);
}

void FoldedGroup::setNote(const QString& note, Token token) {
    m_note->setText(note);
    setTextColor(m_note, token);
}

SamplerPanel::SamplerPanel(QWidget* parent)
    : QWidget(parent)
    , m_presets(new QComboBox(this))
    , m_seed(new QLineEdit(this))
    , m_fixed(new QCheckBox(tr("Fixed"), this))
    , m_maximum(new CountBox(this))
    , m_rare(new FoldedGroup(tr("DRY, XTC, typical, mirostat"), this))
    , m_grammarGroup(new FoldedGroup(tr("Grammar and JSON schema"), this))
    , m_grammar(new GrammarField(this))
    , m_biasGroup(new FoldedGroup(tr("Logit bias"), this))
    , m_bias(new BiasField(this))
    , m_stopsGroup(new FoldedGroup(tr("Stop strings"), this))
    , m_stops(new QPlainTextEdit(this))
    , m_ignoreEnd(new QCheckBox(tr("Ignore end of text"), this)) {
    m_grammar->setObjectName(QStringLiteral("grammarField"));
    m_stops->setObjectName(QStringLiteral("stopsField"));
    m_fixed->setObjectName(QStringLiteral("fixedBox"));
    m_seed->setObjectName(QStringLiteral("seedField"));
    m_presets->setAccessibleName(tr("Preset"));
    m_presets->setToolTip(tr("Predefined settings; you can save your own"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kRowSpacing);
    for (const SamplerRow& row : samplerRows()) {
        addRow(row, row.isRare ? m_rare->content() : layout, !row.isRare);
    }

    m_seed->setText(QStringLiteral("0"));
    m_seed->setAccessibleName(tr("Seed"));
    m_seed->setToolTip(tr("The random seed: the same seed, settings and text give the same answer"));
    m_seed->setValidator(new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[0-9]{1,20}")), m_seed));
    m_fixed->setToolTip(tr("Use this seed for every answer; otherwise each answer gets a new one"));
    auto* seed = new QHBoxLayout;
    QLabel* seedLabel = themedLabel(tr("Seed"), TextStyle::Table, Token::Text, this);
    seedLabel->setFixedWidth(kSamplerLabelWidth);
    seed->addWidget(seedLabel);
    seed->addWidget(m_fixed);
    seed->addStretch();
    layout->addLayout(seed);
    setTabOrder(m_fixed, m_seed);
    layout->addWidget(m_seed); // a row of its own, because a seed has up to 20 digits

    m_maximum->setRange(0, kMaxTokens);
    m_maximum->setSpecialValueText(tr("no limit"));
    m_maximum->setValue(kDefaultMaximum);
    m_maximum->setSingleStep(64);
    m_maximum->setGroupSeparatorShown(true);
    m_maximum->setLocale(figureLocale());
    m_maximum->setAccessibleName(tr("Maximum answer length in tokens"));
    m_maximum->setToolTip(tr("An answer stops after this many tokens and can be continued. 0: no limit"));
    auto* maximum = new QHBoxLayout;
    QLabel* lengthLabel = themedLabel(tr("Maximum length"), TextStyle::Table, Token::Text, this);
    lengthLabel->setFixedWidth(kSamplerLabelWidth);
    maximum->addWidget(lengthLabel);
    maximum->addWidget(m_maximum, 1);
    maximum->addWidget(themedLabel(tr("tokens"), TextStyle::Table, Token::Muted, this));
    layout->addLayout(maximum);

    layout->addWidget(m_rare);
    m_grammarGroup->content()->addWidget(m_grammar);
    layout->addWidget(m_grammarGroup);
    connect(m_grammar, &GrammarField::changed, this, &SamplerPanel::onChanged);
    m_biasGroup->content()->addWidget(m_bias);
    layout->addWidget(m_biasGroup);
    connect(m_bias, &BiasField::changed, this, &SamplerPanel::onChanged);
    m_stops->setFixedHeight(62);
    m_stops->setTabChangesFocus(true);
    m_stops->setFont(themeFont(TextStyle::Mono));
    m_stops->setAccessibleName(tr("Stop strings, one per line"));
    m_stops->setPlaceholderText(tr("One per line; \\n is a line break"));
    m_stops->setToolTip(
        tr("An answer ends before the first of these texts. The template's own end marker need not be listed"));
    m_ignoreEnd->setObjectName(QStringLiteral("ignoreEnd"));
    m_ignoreEnd->setToolTip(tr("The tokens that end an answer are never sampled"));
    m_stopsGroup->content()->addWidget(m_stops);
    m_stopsGroup->content()->addWidget(m_ignoreEnd);
    layout->addWidget(m_stopsGroup);

    connect(m_presets, &QComboBox::activated, this, &SamplerPanel::takePreset);
    connect(m_seed, &QLineEdit::textEdited, this, [this] {
        m_fixed->setChecked(true);
        onChanged();
    });
    connect(m_fixed, &QCheckBox::toggled, this, &SamplerPanel::onChanged);
    connect(m_maximum, &QSpinBox::valueChanged, this, &SamplerPanel::onChanged);
    connect(m_stops, &QPlainTextEdit::textChanged, this, &SamplerPanel::onChanged);
    connect(m_ignoreEnd, &QCheckBox::toggled, this, [this](bool on) {
        m_sampler.ignoreEnd = on;
        onChanged();
    });
    showValues();
}

void SamplerPanel::addRow(const SamplerRow& row, QVBoxLayout* layout, bool withSlider) {
    QWidget* parent = layout->parentWidget() != nullptr ? layout->parentWidget() : this;
    auto* box = new RealBox(parent);
    box->setObjectName(QLatin1String(row.name));
    box->setRange(row.minimum, row.maximum);
    box->setDecimals(row.decimals);
    box->setSingleStep(row.step);
    box->setLocale(figureLocale());
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setAlignment(Qt::AlignRight);
    box->setFixedWidth(kFieldWidth);
    box->setKeyboardTracking(false);
    box->setAccessibleName(tr(row.label));
    box->setToolTip(tr(row.toolTip));
    QLabel* label = themedLabel(tr(row.label), TextStyle::Table, Token::Text, parent);
    label->setToolTip(tr(row.toolTip));
    label->setMinimumWidth(kSamplerLabelWidth);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(label, withSlider ? 0 : 1);
    QSlider* slider = nullptr;
    if (withSlider) {
        label->setFixedWidth(kSamplerLabelWidth);
        slider = new QSlider(Qt::Horizontal, parent);
        slider->setRange(0, kSliderSteps);
        slider->setAccessibleName(tr(row.label));
        slider->setToolTip(tr(row.toolTip));
        line->addWidget(slider, 1);
        setTabOrder(slider, box);
    }
    line->addWidget(box);
    layout->addLayout(line);
    const Shown shown{&row, box, slider};
    m_shown.push_back(shown);
    connect(box, &QDoubleSpinBox::valueChanged, this, [this, shown](double value) {
        set(shown, value);
        showValues();
        onChanged();
    });
    if (slider != nullptr) {
        connect(slider, &QSlider::valueChanged, this, [this, shown](int position) {
            const double minimum = minimumOf(*shown.row);
            const double value = minimum + (shown.row->sliderMaximum - minimum) * position / kSliderSteps;
            set(shown, std::round(value / shown.row->step) * shown.row->step);
            showValues();
            onChanged();
        });
    }
}

void SamplerPanel::set(const Shown& shown, double value) {
    if (shown.row->real != nullptr) {
        m_sampler.*shown.row->real = value;
    } else {
        m_sampler.*shown.row->whole = static_cast<std::uint32_t>(std::lround(value));
    }
}

void SamplerPanel::showValues() {
    for (const Shown& shown : m_shown) {
        const SamplerRow& row = *shown.row;
        const double value = row.real != nullptr ? m_sampler.*row.real : static_cast<double>(m_sampler.*row.whole);
        const QSignalBlocker quietBox(shown.box);
        shown.box->setValue(value);
        if (shown.slider != nullptr) {
            const QSignalBlocker quietSlider(shown.slider);
            const double minimum = minimumOf(row);
            shown.slider->setValue(
                static_cast<int>(std::lround((value - minimum) / (row.sliderMaximum - minimum) * kSliderSteps)));
        }
    }
    const QSignalBlocker quiet(m_ignoreEnd);
    m_ignoreEnd->setChecked(m_sampler.ignoreEnd);
    showNotes();
}

void SamplerPanel::showNotes() {
    int on = 0;
    on += m_sampler.dryMultiplier != 0 ? 1 : 0;
    on += m_sampler.xtcProbability > 0 ? 1 : 0;
    on += m_sampler.typicalP < 1 ? 1 : 0;
    on += m_sampler.topNSigma > 0 ? 1 : 0;
    on += m_sampler.mirostat != 0 ? 1 : 0;
    on += m_sampler.frequencyPenalty != 0 ? 1 : 0;
    on += m_sampler.temperatureRange != 0 ? 1 : 0;
    m_rare->setNote(on > 0 ? tr("%1 on").arg(on) : QString());
    const bool isWrong = !grammarProblem().isEmpty();
    m_grammarGroup->setNote(isWrong                         ? tr("error")
                            : settings().grammar != nullptr ? tr("on")
                                                            : QString(),
                            isWrong ? Token::ErrorText : Token::Muted);
    const bool isWrongBias = !biasProblem().isEmpty();
    m_biasGroup->setNote(isWrongBias                 ? tr("error")
                         : !m_bias->text().isEmpty() ? tr("on")
                                                     : QString(),
                         isWrongBias ? Token::ErrorText : Token::Muted);
    const std::size_t stops = settings().generation.stops.size();
    m_stopsGroup->setNote(stops > 0 ? QString::number(stops) : QString());
}

void SamplerPanel::setModel(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    fillPresets();
    if (!m_restored && !m_known.empty()) {
        setSampler(m_known.front().settings);
    }
    onChanged();
}

void SamplerPanel::fillPresets() {
    m_known = samplerPresets(m_model->metadata);
    m_presets->clear();
    for (std::size_t i = 0; i < m_known.size(); ++i) {
        m_presets->addItem(m_known[i].name, static_cast<int>(i));
    }
    m_presets->insertSeparator(m_presets->count());
    m_presets->addItem(tr("Save as…"), SavePreset);
    m_presets->addItem(tr("Delete this preset"), DeletePreset);
    m_presets->addItem(tr("Changed"), Changed); // shown only if no preset matches
}

void SamplerPanel::takePreset(int index) {
    const int which = m_presets->itemData(index).toInt();
    if (which >= 0) {
        setSampler(m_known[static_cast<std::size_t>(which)].settings);
    } else if (which == SavePreset) {
        auto* dialog = new QInputDialog(this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setWindowTitle(tr("Save the settings"));
        dialog->setLabelText(tr("Name of the preset:"));
        connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
            if (!name.trimmed().isEmpty()) {
                keepUserPreset(name.trimmed(), m_sampler);
                fillPresets();
            }
            onChanged();
        });
        dialog->open();
    } else if (which == DeletePreset) {
        for (const SamplerPreset& preset : m_known) {
            if (preset.isUserPreset && saveSampler(preset.settings) == saveSampler(m_sampler)) {
                deleteUserPreset(preset.name);
                break;
            }
        }
        fillPresets();
    }
    onChanged();
}

void SamplerPanel::setSampler(const Settings& settings) {
    m_sampler = settings;
    showValues();
    onChanged();
}

void SamplerPanel::onChanged() {
    showNotes();
    // Finds the preset that matches the settings.
    int shown = m_presets->findData(Changed);
    bool isUserPreset = false;
    for (std::size_t i = m_known.size(); i-- > 0;) {
        if (saveSampler(m_known[i].settings) == saveSampler(m_sampler)) {
            shown = m_presets->findData(static_cast<int>(i));
            isUserPreset = m_known[i].isUserPreset;
        }
    }
    const QSignalBlocker quiet(m_presets);
    m_presets->setCurrentIndex(shown);
    if (auto* items = qobject_cast<QStandardItemModel*>(m_presets->model());
        items != nullptr && m_presets->count() > 0) {
        items->item(m_presets->findData(DeletePreset))->setEnabled(isUserPreset);
        items->item(m_presets->findData(Changed))->setEnabled(false);
    }
    emit changed();
}

void SamplerPanel::setEngine(const inference::EngineCapabilities& engine) {
    if (engine == m_engine) {
        return;
    }
    m_engine = engine;
    m_grammar->setEngine(m_engine);
    m_bias->setEngine(m_engine);
    m_grammarGroup->head()->setToolTip(m_grammar->toolTip());
    onChanged();
}

ChatSettings SamplerPanel::settings() const {
    ChatSettings settings{.seedIsFixed = m_fixed->isChecked()};
    settings.grammar = m_grammar->isEnabledTo(this) ? m_grammar->grammar() : nullptr;
    settings.generation.sampler = m_sampler;
    settings.generation.sampler.bias = m_bias->biases();
    settings.generation.sampler.seed = m_seed->text().toULongLong();
    settings.generation.maxTokens = static_cast<std::uint32_t>(m_maximum->value());
    for (QString stop : rawText(*m_stops).split(u'\n')) {
        if (!stop.isEmpty()) {
            settings.generation.stops.push_back(
                stop.replace(QStringLiteral("\\n"), QStringLiteral("\n")).toStdString());
        }
    }
    return settings;
}

void SamplerPanel::showSeed(std::uint64_t seed) {
    if (!m_fixed->isChecked()) {
        m_seed->setText(QString::number(seed));
    }
}

QDoubleSpinBox* SamplerPanel::field(const char* name) const { return findChild<QDoubleSpinBox*>(QLatin1String(name)); }

// The minimum of the slider: the value that disables the sampler.
double SamplerPanel::minimumOf(const SamplerRow& row) {
    return row.real == &Settings::repeatPenalty ? 1 : std::max(0.0, row.minimum);
}

QString SamplerPanel::grammarProblem() const {
    return m_grammar->isEnabledTo(this) && m_grammar->isOffered() ? m_grammar->problem() : QString();
}

QString SamplerPanel::cutText(int cut) const {
    const auto with = [](const QString& name, double value, int decimals) {
        return name + u' ' + formatFixed(value, decimals);
    };
    switch (static_cast<inference::Cut>(cut)) {
    case inference::Cut::None:
        return {};
    case inference::Cut::Forbidden:
        return m_bias->biases().empty() ? tr("end of text ignored")
               : m_sampler.ignoreEnd    ? tr("the logit bias, or end of text ignored")
                                        : tr("the logit bias");
    case inference::Cut::Constraint:
        return tr("the grammar");
    case inference::Cut::TopNSigma:
        return with(tr("top-n-sigma"), m_sampler.topNSigma, 1);
    case inference::Cut::TopK:
        return with(tr("top-k"), m_sampler.topK, 0);
    case inference::Cut::Typical:
        return with(tr("typical"), m_sampler.typicalP, 2);
    case inference::Cut::TopP:
        return with(tr("top-p"), m_sampler.topP, 2);
    case inference::Cut::MinP:
        return with(tr("min-p"), m_sampler.minP, 2);
    case inference::Cut::Xtc:
        return tr("XTC");
    case inference::Cut::Mirostat:
        return tr("Mirostat");
    case inference::Cut::Greedy:
        return tr("temperature 0");
    }
    return {};
}

QJsonObject SamplerPanel::saveState() const {
    return {{QStringLiteral("sampler"), saveSampler(m_sampler)},
            {QStringLiteral("seed"), m_seed->text()},
            {QStringLiteral("fixed"), m_fixed->isChecked()},
            {QStringLiteral("most"), m_maximum->value()},
            {QStringLiteral("stops"), rawText(*m_stops)},
            {QStringLiteral("bias"), m_bias->text()},
            {QStringLiteral("biasOpen"), m_biasGroup->isOpen()},
            {QStringLiteral("grammar"), m_grammar->saveState()},
            {QStringLiteral("grammarOpen"), m_grammarGroup->isOpen()},
            {QStringLiteral("rareOpen"), m_rare->isOpen()},
            {QStringLiteral("stopsOpen"), m_stopsGroup->isOpen()}};
}

void SamplerPanel::restoreState(const QJsonObject& state) {
    if (state.isEmpty()) {
        return;
    }
    m_restored = true;
    m_sampler = restoreSampler(state[QStringLiteral("sampler")].toObject());
    m_seed->setText(state[QStringLiteral("seed")].toString(QStringLiteral("0")));
    m_fixed->setChecked(state[QStringLiteral("fixed")].toBool());
    m_maximum->setValue(state[QStringLiteral("most")].toInt(kDefaultMaximum));
    m_stops->setPlainText(state[QStringLiteral("stops")].toString());
    m_bias->setText(state[QStringLiteral("bias")].toString());
    m_biasGroup->setOpen(state[QStringLiteral("biasOpen")].toBool());
    m_grammar->restoreState(state[QStringLiteral("grammar")].toObject());
    m_grammarGroup->setOpen(state[QStringLiteral("grammarOpen")].toBool());
    m_rare->setOpen(state[QStringLiteral("rareOpen")].toBool());
    m_stopsGroup->setOpen(state[QStringLiteral("stopsOpen")].toBool());
    showValues();
}

} // namespace gufo::ui

#include "moc_sampler_panel.cpp"
