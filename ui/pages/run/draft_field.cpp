#include "ui/pages/run/draft_field.h"

#include "document/open_model.h"
#include "inference/drafting/drafters.h"
#include "inference/engine_table.h"
#include "model/kept_description.h"
#include "text/tokenizer/vocabulary.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/model_text.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/widgets/text_color.h"

#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

struct Loaded {
    std::shared_ptr<inference::Drafter> drafter{};
    QString difference{}; // of the vocabularies, if there is no drafter
};

// Keeps a save from unmapping the model that drafts.
class HeldDrafter final : public inference::Drafter {
public:
    HeldDrafter(const Model& model, std::unique_ptr<inference::Drafter> drafter)
        : m_drafter(std::move(drafter)) {
        for (const ModelFile& file : model.files) {
            if (file.source != nullptr) {
                m_mappings.push_back(file.source->hold());
            }
        }
    }
    [[nodiscard]] Result<std::vector<TokenId>> propose(std::span<const TokenId> text, std::size_t maximum,
                                                       const JobContext& job) override {
        return m_drafter->propose(text, maximum, job);
    }

private:
    std::vector<std::shared_ptr<const void>> m_mappings; // outlive the drafter
    std::unique_ptr<inference::Drafter> m_drafter;
};

Result<Loaded> loadDrafter(const std::filesystem::path& path, const inference::ResponderFacts& facts,
                           const JobContext& job) {
    auto model = GUFO_TRY(openModel(path, job));
    [[maybe_unused]] const bool all = GUFO_TRY(keepDescription(*model));
    const auto vocabulary = GUFO_TRY(text::Vocabulary::read(model->metadata, {.stop = job.stop}));
    // Models of one family often pad their vocabularies to different sizes.
    if (const auto difference = text::findDifference(facts.tokenizer->vocabulary(), vocabulary);
        difference && difference->token) {
        return Loaded{.drafter = nullptr, .difference = vocabularyDifferenceText(*difference)};
    }
    auto loaded = GUFO_TRY(inference::engineWith(inference::Feature::AllLogits)->load(model));
    auto session = GUFO_TRY(loaded->startSession({.context = facts.options.context, .threads = facts.options.threads}));
    auto drafter = std::make_unique<inference::DraftModel>(std::move(loaded), std::move(session));
    return Loaded{.drafter = std::make_shared<HeldDrafter>(*model, std::move(drafter)), .difference = {}};
}

void release(std::shared_ptr<inference::Drafter>& drafter) {
    if (drafter != nullptr) {
        destroyElsewhere(std::exchange(drafter, nullptr));
    }
}

} // namespace

DraftField::DraftField(QWidget* parent)
    : QWidget(parent)
    , m_choice(new QComboBox(this))
    , m_state(themedLabel({}, TextStyle::Table, Token::Muted, this)) {
    m_choice->addItem(tr("none"));
    m_choice->addItem(tr("from earlier text"));
    m_choice->addItem(tr("by another model…"));
    m_choice->addItem(tr("by the model's MTP block"));
    m_choice->setAccessibleName(tr("Drafts"));
    m_choice->setProperty("small", true);
    m_state->setWordWrap(true);
    m_state->setTextFormat(Qt::PlainText);
    m_state->hide();
    auto* label = themedLabel(tr("Drafts"), TextStyle::Table, Token::Muted, this);
    label->setBuddy(m_choice);
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addStretch();
    row->addWidget(m_choice);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(row);
    layout->addWidget(m_state);
    connect(m_choice, &QComboBox::activated, this, &DraftField::choose);
    showOwnBlock();
}

DraftField::~DraftField() { release(m_drafter); }

void DraftField::setEngine(const inference::EngineCapabilities& engine) {
    const bool offered = inference::offers(engine, inference::Feature::AllLogits);
    m_choice->setEnabled(offered && m_facts.has_value());
    m_choice->setToolTip(
        !offered ? featureMissingTip(inference::Feature::AllLogits)
        : m_facts
            ? tr("Several tokens are drafted and then verified together (speculative decoding). The text stays the "
                 "same; it is generated faster where drafts are accepted: in code, lists and quotations, or "
                 "with a smaller model of the same vocabulary.")
            : tr("Available when the model is loaded"));
}

void DraftField::setFacts(const inference::ResponderFacts* facts) {
    const bool had = m_facts.has_value();
    m_facts = facts != nullptr ? std::optional(*facts) : std::nullopt;
    showOwnBlock();
    if (facts == nullptr && had && m_choice->currentIndex() != Lookup) {
        m_choice->setCurrentIndex(None);
        choose(None);
    }
}

void DraftField::showOwnBlock() {
    const bool possible = m_facts && m_facts->mtpDrafts;
    const QString reason = m_facts && !possible ? mtpDraftsMissingTip(m_facts->mtpDrafts.error()) : QString();
    if (auto* items = qobject_cast<QStandardItemModel*>(m_choice->model())) {
        items->item(OwnBlock)->setEnabled(possible);
    }
    m_choice->setItemData(
        OwnBlock,
        possible ? tr("A block of the model that was trained for it predicts further tokens (multi-token prediction)")
                 : reason,
        Qt::ToolTipRole);
}

void DraftField::choose(int index) {
    m_job.cancel();
    m_state->hide();
    if (index == OtherModel) {
        askForModel();
        return;
    }
    m_choice->setItemText(OtherModel, tr("by another model…"));
    take(index == Lookup ? std::make_shared<inference::PromptLookup>() : nullptr);
}

void DraftField::take(std::shared_ptr<inference::Drafter> drafter) {
    release(m_drafter);
    m_drafter = std::move(drafter);
    emit changed();
}

void DraftField::chooseNone(const QString& reason) {
    m_choice->setCurrentIndex(None);
    take(nullptr);
    setTextColor(m_state, Token::ErrorText);
    m_state->setText(reason);
    m_state->setVisible(!reason.isEmpty());
}

void DraftField::askForModel() {
    auto* dialog =
        new QFileDialog(this, tr("Open a smaller model of the same vocabulary"), QString(), openModelFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    rememberFolder(*dialog, FolderFor::Imports);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { load(fromQtPath(path)); });
    connect(dialog, &QFileDialog::rejected, this, [this] { chooseNone({}); });
    dialog->open();
}

void DraftField::load(const std::filesystem::path& path) {
    if (!m_facts || m_facts->tokenizer == nullptr) {
        return;
    }
    m_choice->setCurrentIndex(OtherModel);
    setTextColor(m_state, Token::Muted);
    m_state->setText(tr("Loading %1 …").arg(fileNameText(path)));
    m_state->show();
    m_job.start<Loaded>([path, facts = *m_facts](const JobContext& job) { return loadDrafter(path, facts, job); },
                        [this, path](Result<Loaded> loaded) {
                            if (!m_facts) {
                                return; // the model was unloaded in the meantime
                            }
                            if (!loaded) {
                                chooseNone(
                                    tr("%1 cannot draft: %2.").arg(fileNameText(path), errorReason(loaded.error())));
                            } else if (loaded->drafter == nullptr) {
                                chooseNone(tr("%1 cannot draft, because its vocabulary is another one: %2.")
                                               .arg(fileNameText(path), loaded->difference));
                            } else {
                                m_state->hide();
                                m_choice->setItemText(OtherModel, fileNameText(path));
                                take(std::move(loaded->drafter));
                            }
                        });
}

} // namespace gufo::ui

#include "moc_draft_field.cpp"
