#include "ui/pages/metadata/metadata_export.h"

#include "base/output_file.h"
#include "ui/pages/metadata/metadata_import.h"

#include <QFile>

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

} // namespace gufo::ui
