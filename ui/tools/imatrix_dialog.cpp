#include "ui/tools/imatrix_dialog.h"

#include "base/detail.h"
#include "inference/measuring/importance.h"
#include "quantize/write_model.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/tools/file_field.h"
#include "ui/tools/measured_text.h"
#include "ui/widgets/number_box.h"

#include <QFileDialog>

#include <algorithm>
#include <atomic>

namespace gufo::ui {
namespace {

// What an unfinished file of the same measurement has; nothing if there is no such file.
std::optional<ImatrixContents> begunIn(const std::filesystem::path& path, std::uint64_t origin) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        return std::nullopt;
    }
    auto stored = readStoredImatrix(path);
    return stored && stored->origin == origin ? std::optional(std::move(stored->contents)) : std::nullopt;
}

} // namespace

ImatrixDialog::ImatrixDialog(std::shared_ptr<const Model> model, QWidget* parent)
    : ToolDialog(tr("Importance Matrix of %1").arg(fileNameText(model->path())), tr("&Measure…"), parent)
    , m_model(std::move(model))
    , m_text(new FileField(tr("text"), textFilters(), FileField::Needs::File, this))
    , m_chunk(new CountBox(this))
    , m_maximum(new CountBox(this)) {
    const inference::ImportanceSettings usual;
    m_text->setToolTip(tr("A text like those that the quantised model will read and write"));
    m_chunk->setRange(2, 65'536);
    m_chunk->setValue(static_cast<int>(usual.chunk));
    m_chunk->setSuffix(tr(" tokens"));
    m_maximum->setRange(0, 1'000'000'000);
    m_maximum->setSpecialValueText(tr("all of the text"));
    m_maximum->setSuffix(tr(" chunks"));
    addChoice(tr("&Text"), m_text);
    addChoice(tr("&Chunk"), m_chunk);
    addChoice(tr("&At most"), m_maximum);
    setSummary(tr("Sums the squared inputs of each matrix while the model reads the text."));
    const Measurable can = canMeasure(*m_model);
    if (!can) {
        showNotice(can.error(), Token::ErrorText);
        return;
    }
    connect(m_text, &FileField::changed, this, [this] { setReady(!m_text->path().empty()); });
}

void ImatrixDialog::start() {
    auto* dialog = new QFileDialog(this, tr("Write the importance matrix"), {}, tr("Importance matrices (*.gguf)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(
        QFileDialog::DontConfirmOverwrite); // write() replaces no file, except an unfinished one of its own
    dialog->setDefaultSuffix(QStringLiteral("gguf"));
    rememberFolder(*dialog, FolderFor::Exports);
    dialog->selectFile(modelNameText(m_model->path()) + QStringLiteral("-imatrix.gguf"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { write(fromQtPath(file)); });
    dialog->open();
}

void ImatrixDialog::write(const std::filesystem::path& path) {
    if (isWorking() || m_text->path().empty()) {
        return;
    }
    inference::ImportanceSettings settings{.maximum = static_cast<std::uint64_t>(m_maximum->value())};
    settings.chunk = static_cast<std::uint32_t>(m_chunk->value());
    settings.datasets = {m_text->path().filename().native()};
    // A cancelled job delivers no result.
    const auto kept = std::make_shared<std::atomic<std::uint64_t>>(0);
    const auto complete = std::make_shared<std::atomic<bool>>(false);
    const auto exists = std::make_shared<std::atomic<bool>>(false);
    Job* job = startJob<Outcome>(
        this,
        [model = m_model, text = m_text->path(), path, asked = settings, kept, complete,
         exists](const JobContext& context) -> Result<Outcome> {
            inference::ImportanceSettings used = asked;
            GUFO_TRY(checkIsOtherFile(*model, path));
            const auto tokenizer = GUFO_TRY(text::makeTokenizer(*model, context));
            const auto tokens = GUFO_TRY(tokensOfFile(text, *tokenizer, context));
            // Rounding the cache would change what later blocks see.
            auto measured = GUFO_TRY(MeasuredModel::load(
                model, {.context = used.chunk, .keys = KvCacheType::F32, .values = KvCacheType::F32}, context));
            used.chunk = measured.session().context();
            used.bos = tokens.bos;
            const std::uint64_t origin = inference::importanceOrigin(*model, tokens.ids, used);
            const auto begun = begunIn(path, origin);
            if (std::error_code error; !begun && std::filesystem::exists(path, error)) {
                *exists = true;
                return gufo::fail(ErrorCode::Cancelled);
            }
            Outcome outcome{.resumed = begun ? begun->chunks : 0};
            *kept = outcome.resumed;
            outcome.contents = GUFO_TRY(inference::collectImportance(
                measured.session(), *model, tokens.ids, used, begun ? &*begun : nullptr,
                [&](const ImatrixContents& unfinished) {
                    auto saved = writeImatrix(unfinished, origin, path);
                    if (saved) {
                        *kept = unfinished.chunks;
                    }
                    return saved;
                },
                context));
            GUFO_TRY(measured.damage());
            GUFO_TRY(writeImatrix(outcome.contents, std::nullopt, path));
            *complete = true;
            outcome.leftOut = used.maximum == 0 ? tokens.ids.size() % used.chunk : 0;
            return outcome;
        },
        [this, path, exists](const Result<Outcome>& outcome) {
            if (outcome) {
                showOutcome(*outcome, path);
            } else if (*exists) {
                showNotice(tr("%1 exists already, and is no unfinished matrix of this model, text and chunk. Choose "
                              "another name, or remove the file first.")
                               .arg(displayPath(path)),
                           Token::ErrorText);
            } else {
                showError(outcome.error());
            }
        });
    connect(job, &Job::finished, this, [this, job, path, kept, complete] {
        if (!job->isCancelled() || *complete) {
            return;
        }
        showNotice(*kept == 0
                       ? tr("Cancelled. Nothing was written.")
                       : tr("Cancelled. %n chunks are saved in %1; measuring into the same file continues there.",
                            nullptr, numerus(*kept))
                             .arg(displayPath(path)));
    });
    follow(job, tr("Evaluating %1").arg(fileNameText(m_text->path())),
           tr("Stop measuring %1?").arg(fileNameText(m_model->path())),
           tr("Whole chunks that were evaluated are saved, and measuring into the same file continues there."));
}

void ImatrixDialog::showOutcome(const Outcome& outcome, const std::filesystem::path& path) {
    const ImatrixContents& contents = outcome.contents;
    std::uint64_t experts = 0;
    std::uint64_t unused = 0;
    for (const ImatrixEntry& entry : contents.entries) {
        if (entry.counts.size() > 1) {
            experts += entry.counts.size();
            unused += static_cast<std::uint64_t>(std::ranges::count(entry.counts, std::uint64_t{0}));
        }
    }
    setSummary(tr("%n matrices, from %1 chunks of %2 tokens", nullptr, numerus(contents.entries.size()))
                   .arg(formatCount(contents.chunks), formatCount(contents.chunkSize)));
    offer(path);
    QStringList remarks{notice()};
    if (outcome.resumed != 0) {
        remarks << tr("%n chunks had been evaluated before.", nullptr, numerus(outcome.resumed));
    }
    if (outcome.leftOut != 0) {
        remarks << tr("The last %n tokens of the text fill no chunk and were left out.", nullptr,
                      numerus(outcome.leftOut));
    }
    if (unused != 0) {
        remarks << tr("No token was routed to %n of %1 expert matrices; a longer text may reach them.", nullptr,
                      numerus(unused))
                       .arg(formatCount(experts));
    }
    showNotice(remarks.join(QLatin1Char('\n')), unused != 0 ? Token::WarningText : Token::Good);
}

} // namespace gufo::ui

#include "moc_imatrix_dialog.cpp"
