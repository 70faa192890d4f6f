#include "ui/saving/save_dialog.h"

#include "formats/container/model_saving.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/save_text.h"
#include "ui/widgets/text_color.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kDialogMargin = 20;
constexpr int kWidth = 640;

// In the order of the dialog. Empty: chosen automatically.
constexpr std::array<std::optional<SaveStrategy>, SaveDialog::kChoices> kStrategies{
    std::nullopt, SaveStrategy::Patch, SaveStrategy::Shift, SaveStrategy::Clone, SaveStrategy::Copy};

QString capitalised(QString text) {
    if (!text.isEmpty()) {
        text[0] = text[0].toUpper();
    }
    return text;
}

} // namespace

SaveDialog::SaveDialog(const ModelDocument& document, const SaveOptions& options, QWidget* parent)
    : QDialog(parent)
    , m_base(document.document().base())
    , m_current(document.current())
    , m_target(document.document().target())
    , m_tensorBytes(m_current->totals().tensorBytes)
    , m_verify(new QCheckBox(tr("&Verify the tensor data"), this))
    , m_reserve(new QCheckBox(tr("&Reserve 256 KiB in the header when it grows"), this))
    , m_save(new QPushButton(tr("&Save"), this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Save with options"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kDialogMargin, 16, kDialogMargin, 16);
    column->setSpacing(6);
    column->addWidget(themedLabel(tr("Strategy"), TextStyle::Section, Token::Text, this));
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        Choice& choice = m_choices[i];
        const auto strategy = kStrategies[i];
        const auto strategies = saveStrategies(*m_base);
        choice.offered = !strategy || std::ranges::find(strategies, *strategy) != strategies.end();
        choice.button = new QRadioButton(strategy ? strategyText(*strategy) : tr("Automatic"), this);
        choice.button->setChecked(strategy == options.strategy);
        choice.button->setToolTip(strategy ? capitalised(strategyDescription(*strategy))
                                           : tr("The safe strategy that writes the least"));
        choice.text = themedLabel(tr("…"), TextStyle::Table, Token::Muted, this);
        choice.text->setWordWrap(true);
        choice.text->setIndent(24);
        choice.button->setVisible(choice.offered);
        choice.text->setVisible(choice.offered);
        column->addWidget(choice.button);
        column->addWidget(choice.text);
    }
    column->addSpacing(12);
    column->addWidget(themedLabel(tr("Safety"), TextStyle::Section, Token::Text, this));
    m_verify->setChecked(options.verify);
    auto* verifyText =
        themedLabel(tr("Reads %1 before and after, and compares their SHA-256.").arg(formatBytes(m_tensorBytes)),
                    TextStyle::Table, Token::Muted, this);
    verifyText->setIndent(24);
    m_reserve->setChecked(options.reserve == Reserve::Automatic);
    auto* reserveText = themedLabel(tr("So that later changes only patch the header, in the key gufo.reserved or, in "
                                       "safetensors, as spaces. Files under %1 get none.")
                                        .arg(formatBytes(kReserveFrom)),
                                    TextStyle::Table, Token::Muted, this);
    reserveText->setWordWrap(true);
    reserveText->setIndent(24);
    column->addWidget(m_verify);
    column->addWidget(verifyText);
    column->addWidget(m_reserve);
    column->addWidget(reserveText);
    column->addSpacing(12);
    m_save->setProperty("primary", true);
    m_save->setDefault(true);
    auto* saveAs = new QPushButton(tr("Save &as…"), this);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    buttons->addWidget(saveAs);
    buttons->addWidget(m_save);
    column->addStretch(1);
    column->addLayout(buttons);
    setMinimumWidth(kWidth);
    connect(m_reserve, &QCheckBox::toggled, this, &SaveDialog::plan);
    connect(m_save, &QPushButton::clicked, this, &SaveDialog::saveRequested);
    connect(saveAs, &QPushButton::clicked, this, &SaveDialog::saveAsRequested);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    plan();
}

SaveOptions SaveDialog::options() const {
    SaveOptions options;
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        if (m_choices[i].button->isChecked()) {
            options.strategy = kStrategies[i];
        }
    }
    options.verify = m_verify->isChecked();
    options.reserve = m_reserve->isChecked() ? Reserve::Automatic : Reserve::None;
    return options;
}

// Plans each strategy separately: what it would do, or why it is impossible.
void SaveDialog::plan() {
    const int round = ++m_round;
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        if (!m_choices[i].offered) {
            continue;
        }
        SaveOptions options = this->options();
        options.strategy = kStrategies[i];
        options.allowSharedFile = true; // the user is asked when saving
        startJob<SavePlan>(
            this,
            [base = m_base, current = m_current, target = m_target, options](const JobContext&) {
                return planModelSave(*base, *current, target, options);
            },
            [this, i, round](const Result<SavePlan>& plan) {
                if (round != m_round) {
                    return;
                }
                const Choice& choice = m_choices[i];
                const Error* problem = !plan ? &plan.error() : plan->refusal ? &*plan->refusal : nullptr;
                choice.text->setText(problem != nullptr ? tr("Not possible: %1.").arg(errorReason(*problem))
                                                        : savePlanText(*plan, m_tensorBytes));
                choice.button->setAccessibleDescription(choice.text->text());
                resize(width(),
                       std::max(height(), layout()->totalHeightForWidth(width()))); // makes room for the wrapped texts
                if (i != 0) {
                    choice.button->setEnabled(problem == nullptr);
                    if (problem != nullptr && choice.button->isChecked()) {
                        m_choices.front().button->setChecked(true);
                    }
                }
            });
    }
}

} // namespace gufo::ui

#include "moc_save_dialog.cpp"
