#include "ui/pages/metadata/metadata_files.h"

#include "base/detail.h"
#include "base/output_file.h"
#include "base/try.h"
#include "document/metadata_json.h"
#include "document/open_model.h"
#include "formats/gguf/read/reader.h"
#include "ui/document/model_document.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/models/key_transfer.h"
#include "ui/pages/metadata/import_dialog.h"
#include "ui/pages/metadata/metadata_edits.h"
#include "ui/widgets/job_bar.h"

#include <QFile>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::uint64_t kMaxImport = std::uint64_t{1} << 30U;

// `write` writes the bytes to a sink.
template<typename Write>
Result<void> writeFile(const QString& path, const Write& write) {
    auto file = GUFO_TRY(OutputFile::create(QFile::encodeName(path).toStdString()));
    auto written = write([&](Bytes bytes) { return file.write(bytes); });
    return written ? file.commit() : written;
}

ArrayFormat formatOf(const QString& path) {
    return path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive) ? ArrayFormat::Csv : ArrayFormat::Json;
}

Result<std::vector<ImportedKey>> withValues(const Model& model, const std::vector<KvIndex>& keys,
                                            const JobContext& job) {
    std::vector<ImportedKey> all;
    for (const KvIndex kv : keys) {
        GUFO_TRY(job.check());
        const KeyValue& entry = model.metadata[kv];
        if (entry.key == gguf::kReservedKey) {
            continue; // space in a file's own header
        }
        all.push_back({std::string(entry.key), OwnedValue(entry.value)});
    }
    return all;
}

} // namespace

Result<void> exportMetadataJson(const Model& model, const QString& path, const JobContext& job) {
    return writeFile(path, [&](const ByteSink& sink) { return writeMetadataJson(model, {}, sink, job); });
}

Result<void> exportArray(const ArrayView& array, std::string_view name, const QString& path, const JobContext& job) {
    return writeFile(path, [&](const ByteSink& sink) { return writeArray(array, name, formatOf(path), sink, job); });
}

Result<OwnedValue> importArray(const QString& path, ValueType elementType, std::string_view name,
                               const JobContext& job) {
    const auto text = GUFO_TRY(readTextFile(QFile::encodeName(path).toStdString(), kMaxImport));
    auto array = readArray(text, elementType, name, formatOf(path), job);
    return array ? std::move(array)
                 : Result<OwnedValue>(
                       std::unexpected(std::move(array.error()).in(QFile::encodeName(path).toStdString())));
}

Result<std::string> readTextFile(const std::filesystem::path& path, std::uint64_t maxBytes) {
    QFile file(QFile::decodeName(path.c_str()));
    if (!file.open(QIODevice::ReadOnly)) {
        return std::unexpected(Error{ErrorCode::ReadFailed, path, {}, {file.errorString().toStdString()}, 0});
    }
    const QByteArray bytes = file.read(static_cast<qint64>(maxBytes) + 1);
    if (static_cast<std::uint64_t>(bytes.size()) > maxBytes) {
        return std::unexpected(Error{ErrorCode::LimitExceeded,
                                     path,
                                     {},
                                     {Detail::Bytes, std::to_string(file.size()), std::to_string(maxBytes)},
                                     0});
    }
    return bytes.toStdString();
}

Result<std::vector<ImportedKey>> readKeys(const std::filesystem::path& path, const JobContext& job) {
    if (path.extension() == ".json") {
        const auto text = GUFO_TRY(readTextFile(path, kMaxImport));
        auto changes = readMetadataJson(text, job);
        if (!changes) {
            return std::unexpected(std::move(changes.error()).in(path));
        }
        std::vector<ImportedKey> keys;
        for (Change& change : *changes) {
            auto& set = std::get<SetKey>(change);
            keys.push_back({std::move(set.key), std::move(set.value)});
        }
        return keys;
    }
    const auto model = GUFO_TRY(openModel(path, job));
    std::vector<KvIndex> keys; // the first of each name
    for (std::size_t i = 0; i < model->metadata.size(); ++i) {
        if (model->metadata.indexOf(model->metadata[KvIndex(i)].key) == KvIndex(i)) {
            keys.emplace_back(i);
        }
    }
    return withValues(*model, keys, job);
}

void MetadataEdits::take(const QMimeData* data) {
    auto taken = keysOf(data);
    if (!taken) {
        emit said(errorReason(taken.error()));
        return;
    }
    const std::filesystem::path& path = taken->model->path();
    const QString from = path.empty() ? tr("another window") : displayText(path.filename().native());
    import(from, Ask::BeforeOverwriting,
           [keys = std::move(*taken)](const JobContext& job) { return withValues(*keys.model, keys.keys, job); });
}

void MetadataEdits::import(const QString& from, Ask ask,
                           std::function<Result<std::vector<ImportedKey>>(const JobContext&)> read) {
    if (!editable()) {
        emit said(m_document != nullptr ? m_document->whyNot(Capability::EditMetadata)
                                        : tr("This model cannot be edited."));
        return;
    }
    const std::shared_ptr<const Model> model = m_document->current();
    Job* job = startJob<std::vector<ImportRow>>(
        this,
        [model, read = std::move(read)](const JobContext& context) -> Result<std::vector<ImportRow>> {
            auto keys = GUFO_TRY(read(context));
            return compareImport(*model, std::move(keys), context);
        },
        [this, from, ask](Result<std::vector<ImportRow>> rows) {
            if (rows) {
                offer(from, ask, std::move(*rows));
            } else {
                emit said(errorLine(rows.error()));
            }
        });
    m_bar->watch(job, tr("Reading keys"));
}

void MetadataEdits::offer(const QString& from, Ask ask, std::vector<ImportRow> rows) {
    if (!editable()) {
        return;
    }
    const auto is = [](ImportRow::Status status) {
        return [status](const ImportRow& row) { return row.status == status; };
    };
    if (std::ranges::all_of(rows, is(ImportRow::Status::Same))) {
        emit said(tr("All keys from %1 already exist with the same values.").arg(from));
        return;
    }
    std::vector<Change> changes;
    if (ask == Ask::Always || std::ranges::any_of(rows, is(ImportRow::Status::Changed))) {
        ImportDialog dialog(m_document->current(), std::move(rows), from, m_page);
        if (dialog.exec() != QDialog::Accepted || !editable()) {
            return;
        }
        changes = dialog.keys()->changes();
    } else {
        for (const ImportRow& row : rows) {
            if (row.status == ImportRow::Status::New) {
                changes.emplace_back(SetKey{.key = row.imported.key, .value = row.imported.value});
            }
        }
    }
    const std::size_t count = changes.size();
    const std::string first = count != 0 ? std::get<SetKey>(changes[0]).key : std::string();
    emit keyWanted(QByteArray::fromStdString(first));
    if (m_document->apply(std::move(changes), tr("Import keys from %1").arg(from))) {
        emit said(tr("Imported %n keys from %1", nullptr, numerus(count)).arg(from));
    }
}

} // namespace gufo::ui
