#include "ui/compare/trade_off/divergence_measure.h"

#include "base/detail.h"
#include "base/mapped_file.h"
#include "base/output_file.h"
#include "inference/measuring/perplexity.h"
#include "ui/messages/error_text.h"
#include "ui/messages/model_text.h"
#include "ui/shell/native_path.h"
#include "ui/shell/settings.h"
#include "ui/tools/measured_text.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <mutex>

namespace gufo::ui {
namespace {

constexpr qsizetype kKeptFigures = 2000; // the oldest are dropped

class DivergenceWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::DivergenceMeasure)
};

// Identifies both models, the text and the window. Empty if a model cannot be recognised later.
Result<QString> keyOf(const DivergenceRequest& request, std::uint32_t window, const JobContext& job) {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const auto& model : {request.reference, request.other}) {
        for (const ModelFile& file : model->files) {
            const auto identity = file.source != nullptr ? file.source->identity() : std::nullopt;
            if (!identity) {
                return QString();
            }
            for (const std::uint64_t part :
                 {identity->device, identity->inode, identity->size, static_cast<std::uint64_t>(identity->modified)}) {
                hash.addData(QByteArray::number(static_cast<qulonglong>(part)) + ' ');
            }
        }
        hash.addData(QByteArrayLiteral("|"));
    }
    hash.addData(QByteArray::number(window) + '|');
    const auto text = GUFO_TRY(MappedFile::open(request.text));
    constexpr std::uint64_t kPiece = 1U << 20U;
    for (std::uint64_t begin = 0; begin < text->size(); begin += kPiece) {
        GUFO_TRY(job.check());
        const auto piece = GUFO_TRY(text->view({begin, std::min(kPiece, text->size() - begin)}));
        hash.addData(
            QByteArray::fromRawData(reinterpret_cast<const char*>(piece.data()), static_cast<qsizetype>(piece.size())));
    }
    return QString::fromLatin1(hash.result().toHex());
}

// The kept figures: an array of [key, nats], the newest last. A damaged file counts as absent.
QJsonArray readKept(const std::filesystem::path& path) {
    QFile file(qtPath(path));
    return !path.empty() && file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).array()
                                                           : QJsonArray();
}

std::optional<double> findKept(const std::filesystem::path& path, const QString& key) {
    for (const QJsonValue& each : readKept(path)) {
        if (!key.isEmpty() && each[0].toString() == key && each[1].isDouble()) {
            return each[1].toDouble();
        }
    }
    return std::nullopt;
}

void keep(const std::filesystem::path& path, const QString& key, double nats) {
    static std::mutex mutex;
    if (path.empty() || key.isEmpty()) {
        return;
    }
    const std::lock_guard lock(mutex);
    QJsonArray figures = readKept(path);
    while (figures.size() >= kKeptFigures) {
        figures.removeFirst();
    }
    figures.append(QJsonArray{key, nats});
    std::error_code ignored; // a figure that cannot be kept is measured again
    std::filesystem::create_directories(path.parent_path(), ignored);
    static_cast<void>(writeWholeFile(path, QJsonDocument(figures).toJson(QJsonDocument::Compact).toStdString()));
}

// Passes on what concerns the whole measurement, and words what concerns only the other model.
Result<MeasuredDivergence> withoutFigure(const Error& error) {
    if (error.code == ErrorCode::Cancelled) {
        return std::unexpected(error);
    }
    return MeasuredDivergence{.nats = {}, .whyNot = errorLine(error)};
}

} // namespace

std::filesystem::path keptDivergences() {
    const std::filesystem::path folder = stateFolder();
    return folder.empty() ? folder : folder / "divergences.json";
}

Result<QString> vocabularyProblem(const text::Tokenizer& tokenizer, const Model& other, const JobContext& job) {
    const auto vocabulary = text::Vocabulary::read(other.metadata, job);
    if (!vocabulary && vocabulary.error().code == ErrorCode::Cancelled) {
        return std::unexpected(vocabulary.error());
    }
    if (!vocabulary) {
        return errorLine(vocabulary.error());
    }
    const auto difference = text::findDifference(tokenizer.vocabulary(), *vocabulary);
    return difference ? DivergenceWords::tr("%1. The KL divergence needs models of the same vocabulary.")
                            .arg(vocabularyDifferenceText(*difference))
                      : QString();
}

Result<MeasuredDivergence> measureDivergence(const DivergenceRequest& request, const std::filesystem::path& kept,
                                             const JobContext& job) {
    inference::PerplexitySettings settings;
    const JobContext silent = job.silent();
    const QString key = GUFO_TRY(keyOf(request, settings.window, silent));
    const auto known = findKept(kept, key);
    if (known || request.onlyKept) {
        return MeasuredDivergence{.nats = known};
    }
    if (const Measurable can = canMeasure(*request.other); !can) {
        return MeasuredDivergence{.nats = {}, .whyNot = can.error()};
    }
    const auto tokenizer = GUFO_TRY(text::makeTokenizer(*request.reference, silent));
    if (const QString whyNot = GUFO_TRY(vocabularyProblem(*tokenizer, *request.other, silent)); !whyNot.isEmpty()) {
        return MeasuredDivergence{.nats = {}, .whyNot = whyNot};
    }
    const auto tokens = GUFO_TRY(tokensOfFile(request.text, *tokenizer, silent));
    settings.bos = tokens.bos;
    const inference::SessionOptions options{.context = settings.window, .logitRows = settings.window};
    auto reference = GUFO_TRY(MeasuredModel::load(request.reference, options, silent));
    settings.window = std::min(settings.window, reference.session().context());
    if (tokens.ids.size() < settings.window) {
        return std::unexpected(
            Error{ErrorCode::InvalidArgument,
                  request.text,
                  {},
                  {Argument(Detail::WindowTooLong, {std::uint64_t{tokens.ids.size()}, settings.window})},
                  0});
    }
    auto other = MeasuredModel::load(request.other, options, silent);
    if (!other) {
        return withoutFigure(other.error());
    }
    settings.window = std::min(settings.window, other->session().context());
    const auto result = inference::perplexity(reference.session(), &other->session(), tokens.ids, settings, job);
    GUFO_TRY(reference.damage());
    if (const auto damage = other->damage(); !damage) {
        return withoutFigure(damage.error());
    }
    if (!result) {
        return withoutFigure(result.error());
    }
    keep(kept, key, result->divergence->nats.mean);
    return MeasuredDivergence{.nats = result->divergence->nats.mean};
}

} // namespace gufo::ui
