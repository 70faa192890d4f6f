#include "ui/tools/perplexity_dialog.h"

#include "document/open_model.h"
#include "model/kept_description.h"
#include "text/tokenizer/vocabulary.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/model_text.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/native_path.h"
#include "ui/tools/file_field.h"
#include "ui/tools/measured_text.h"
#include "ui/widgets/number_box.h"

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kLeastWindow = 4;

// Opens the other model, unless its tokens mean other texts; then `refusal` says so.
Result<std::shared_ptr<const Model>> openOther(const std::filesystem::path& path, const text::Tokenizer& tokenizer,
                                               QString& refusal, const JobContext& job) {
    auto model = GUFO_TRY(openModel(path, job));
    [[maybe_unused]] const bool all = GUFO_TRY(keepDescription(*model));
    const auto vocabulary = GUFO_TRY(text::Vocabulary::read(model->metadata, job.silent()));
    if (const auto difference = text::findDifference(tokenizer.vocabulary(), vocabulary)) {
        refusal = vocabularyDifferenceText(*difference);
    }
    return model;
}

} // namespace

PerplexityDialog::PerplexityDialog(std::shared_ptr<const Model> model, QWidget* parent)
    : ToolDialog(tr("Perplexity of %1").arg(fileNameText(model->path())), tr("&Measure"), parent)
    , m_model(std::move(model))
    , m_text(new FileField(tr("text"), textFilters(), FileField::Needs::File, this))
    , m_other(new FileField(tr("other model"), openModelFilter().split(QStringLiteral(";;")),
                            FileField::Needs::FileOrNothing, this))
    , m_window(new CountBox(this)) {
    m_window->setObjectName(QStringLiteral("windowSize"));
    const inference::PerplexitySettings usual;
    m_window->setRange(kLeastWindow, 65'536);
    m_window->setValue(static_cast<int>(usual.window));
    m_window->setSuffix(tr(" tokens"));
    m_window->setToolTip(tr("Evaluated together; the second half of each window is scored"));
    addChoice(tr("&Text"), m_text);
    addChoice(tr("&Window"), m_window);
    addChoice(tr("&Compare with"), m_other);
    setSummary(tr("Perplexity says how well the model predicts the text: less is better."));
    const Measurable can = canMeasure(*m_model);
    if (!can) {
        showNotice(can.error(), Token::ErrorText);
        return;
    }
    connect(m_text, &FileField::changed, this, [this] { setReady(!m_text->path().empty()); });
}

void PerplexityDialog::start() {
    if (isWorking() || m_text->path().empty()) {
        return;
    }
    inference::PerplexitySettings settings;
    settings.window = static_cast<std::uint32_t>(m_window->value());
    Job* job = startJob<Outcome>(
        this,
        [model = m_model, text = m_text->path(), otherPath = m_other->path(),
         asked = settings](const JobContext& context) -> Result<Outcome> {
            inference::PerplexitySettings used = asked;
            Outcome outcome;
            const auto tokenizer = GUFO_TRY(text::makeTokenizer(*model, context));
            std::shared_ptr<const Model> otherModel;
            if (!otherPath.empty()) {
                otherModel = GUFO_TRY(openOther(otherPath, *tokenizer, outcome.refusal, context));
                if (!outcome.refusal.isEmpty()) {
                    return outcome;
                }
            }
            const auto tokens = GUFO_TRY(tokensOfFile(text, *tokenizer, context));
            const inference::SessionOptions options{.context = used.window, .logitRows = used.window};
            auto measured = GUFO_TRY(MeasuredModel::load(model, options, context));
            used.window = measured.session().context();
            std::optional<MeasuredModel> other;
            if (otherModel != nullptr) {
                other = GUFO_TRY(MeasuredModel::load(otherModel, options, context));
                used.window = std::min(used.window, other->session().context());
            }
            used.bos = tokens.bos;
            outcome.figures = GUFO_TRY(inference::perplexity(measured.session(), other ? &other->session() : nullptr,
                                                             tokens.ids, used, context));
            outcome.leftOut = tokens.ids.size() % used.window;
            GUFO_TRY(measured.damage());
            if (other) {
                GUFO_TRY(other->damage());
            }
            return outcome;
        },
        [this](const Result<Outcome>& outcome) {
            if (!outcome) {
                showError(outcome.error());
            } else if (!outcome->refusal.isEmpty()) {
                showNotice(tr("%1: %2. The KL divergence needs models of the same vocabulary.")
                               .arg(fileNameText(m_other->path()), outcome->refusal),
                           Token::ErrorText);
            } else {
                showOutcome(*outcome);
            }
        });
    connect(job, &Job::finished, this, [this, job] {
        if (job->isCancelled()) {
            showNotice(tr("Cancelled."));
        }
    });
    table()->hide();
    follow(job, tr("Evaluating %1").arg(fileNameText(m_text->path())),
           tr("Stop measuring %1?").arg(fileNameText(m_model->path())), tr("What was evaluated so far is discarded."));
}

void PerplexityDialog::showOutcome(const Outcome& outcome) {
    const inference::Perplexity& figures = outcome.figures;
    const auto withError = [](double value, double error, int digits) {
        return tr("%1 ± %2").arg(formatFixed(value, digits), formatFixed(error, digits));
    };
    setColumns({tr("Figure"), tr("Value")});
    addRow({tr("Perplexity"), withError(figures.value, figures.deviation, 4)});
    if (figures.divergence) {
        const inference::Divergence& divergence = *figures.divergence;
        const auto percent = [&](double value, double error) {
            return tr("%1 %").arg(withError(100 * value, 100 * error, 3));
        };
        addRow({tr("Perplexity of %1").arg(fileNameText(m_other->path())),
                withError(*figures.other, figures.otherDeviation, 4)});
        addRow({tr("Ratio of the perplexities"), withError(divergence.ratio, divergence.ratioError, 6)});
        addRow({tr("KL divergence, mean (nats)"), withError(divergence.nats.mean, divergence.nats.meanError, 6)});
        for (const double at : {50.0, 95.0, 99.0}) {
            addRow({tr("KL divergence, %1 % of the positions below (nats)").arg(at),
                    formatFixed(divergence.nats.percentile(at), 6)});
        }
        addRow({tr("KL divergence, largest (nats)"), formatFixed(divergence.nats.largest, 6)});
        addRow({tr("Change of the following token's probability, RMS"),
                percent(divergence.change.rms, divergence.change.rmsError)});
        addRow({tr("Same most likely token"), percent(divergence.topAgreement, divergence.topAgreementError)});
    }
    setSummary(tr("%n tokens of %1 were scored.", nullptr, numerus(figures.scored)).arg(fileNameText(m_text->path())));
    showNotice(outcome.leftOut == 0 ? QString()
                                    : tr("The last %n tokens of the text fill no window and were left out.", nullptr,
                                         numerus(outcome.leftOut)));
}

} // namespace gufo::ui

#include "moc_perplexity_dialog.cpp"
