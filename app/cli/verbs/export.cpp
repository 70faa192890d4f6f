#include "base/output_file.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/outputs.h"
#include "cli/verb.h"
#include "document/metadata_json.h"

#include <array>

namespace gufo::cli {
namespace {

constexpr auto kExportOptions = std::to_array<OptionFact>({
    {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT.json"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "write to a file; default: standard output"), true, nullptr, true},
});

int runExport(const Invocation& invocation, Console& console) {
    const auto model = openModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    const std::vector<std::string> keys(invocation.positional().begin() + 1, invocation.positional().end());
    for (const std::string& key : keys) {
        if ((*model)->metadata.find(key) == nullptr) {
            return failNaming(fail(ErrorCode::NoSuchKey, {}, {key}).error(), **model, invocation.file(), console);
        }
    }
    const auto output = invocation.value("output");
    if (!output) {
        const auto printed = writeMetadataJson(**model, keys, [&](Bytes bytes) -> Result<> {
            console.out().write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
            return {};
        });
        return printed ? checkDamage(**model, console) : console.fail(printed.error(), invocation.file());
    }
    const std::filesystem::path path = outputPath(*output);
    const auto written = [&]() -> Result<> {
        auto file = GUFO_TRY(OutputFile::create(path));
        GUFO_TRY(writeMetadataJson(**model, keys, [&](Bytes bytes) { return file.write(bytes); }));
        return file.commit();
    }();
    return written ? checkDamage(**model, console) : console.fail(written.error(), path);
}

} // namespace

const Verb exportVerb{
    .name = "export",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE [KEY…] [-o OUT.json]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Writes the metadata as JSON, for set --import"),
    .details = QT_TRANSLATE_NOOP("gufo::cli::Cli",
                                 "Writes all keys with their types and full values, or those that are named. "
                                 "gufo-cli set OTHER --import OUT.json\nsets them in another file."),
    .options = kExportOptions,
    .minArguments = 1,
    .maxArguments = -1,
    .run = runExport,
    .takesAddress = true,
};

} // namespace gufo::cli
