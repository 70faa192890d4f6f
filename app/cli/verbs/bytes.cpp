#include "base/sha256.h"
#include "bytes/byte_map.h"
#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/text_table.h"
#include "cli/verb.h"
#include "document/open_model.h"
#include "formats/sets/folder_files.h"
#include "model/value.h"
#include "ui/messages/field_text.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ranges>

namespace gufo::cli {
namespace {

constexpr std::uint64_t kUsualLength = 256;
constexpr std::uint64_t kMaxLength = 1U << 20U; // bytes that one call prints at most

// The file, its map, and the model if it could be read.
struct Mapped {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const ByteMap> map;
};

Result<Mapped> mapFile(const std::filesystem::path& path, const JobContext& job) {
    Mapped mapped;
    auto model = openModel(path, job);
    if (model) {
        mapped.model = *std::move(model);
        const FileIndex index = mapped.model->openedFile;
        const auto& source = mapped.model->files[index.value].source;
        mapped.map = GUFO_TRY(ByteMap::of(source, mapped.model, index, job));
        return mapped;
    }
    // A damaged file is shown up to its damage; what cannot be opened at all is an error.
    const auto source = mappedFileOpener()(path, Links::Follow);
    if (!source || model.error().code == ErrorCode::Cancelled) {
        return std::unexpected(std::move(model.error()));
    }
    mapped.map = GUFO_TRY(ByteMap::of(*source, nullptr, {}, job));
    return mapped;
}

std::expected<std::uint64_t, QString> numberOf(const std::string& text, const char* option) {
    std::uint64_t value = 0;
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    const char* begin = text.data() + (isHex ? 2 : 0);
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(begin, end, value, isHex ? 16 : 10);
    if (error != std::errc() || stop != end || begin == end) {
        return std::unexpected(Cli::tr("%1 takes a number of bytes, 4096 or 0x1000, not \"%2\"")
                                   .arg(QLatin1String(option), ui::displayText(text)));
    }
    return value;
}

// The bytes to show.
std::expected<ByteRange, QString> rangeOf(const Invocation& invocation, const Mapped& mapped) {
    const auto at = invocation.value("at");
    const auto key = invocation.value("key");
    const auto tensor = invocation.value("tensor");
    if (static_cast<int>(at.has_value()) + static_cast<int>(key.has_value()) + static_cast<int>(tensor.has_value()) >
        1) {
        return std::unexpected(Cli::tr("only one of --at, --key and --tensor can be given"));
    }
    ByteRange range{0, mapped.map->size()};
    if (at) {
        const auto offset = GUFO_TRY(numberOf(*at, "--at"));
        if (offset >= mapped.map->size()) {
            return std::unexpected(Cli::tr("--at: the file ends at byte %1").arg(ui::formatCount(mapped.map->size())));
        }
        range = {offset, mapped.map->size() - offset};
    }
    if (key || tensor) {
        const std::string& name = key ? *key : *tensor;
        const auto found = key ? mapped.map->keyRange(name) : mapped.map->tensorData(name);
        if (!found) {
            return std::unexpected(
                (key ? Cli::tr("the file has no key %1") : Cli::tr("the file has no data of a tensor %1"))
                    .arg(ui::displayText(name)));
        }
        range = *found;
    }
    std::uint64_t length = kUsualLength;
    if (const auto stated = invocation.value("length")) {
        const auto number = numberOf(*stated, "--length");
        if (!number || *number == 0 || *number > kMaxLength) {
            return std::unexpected(number ? Cli::tr("--length takes 1 to %1 bytes").arg(ui::formatCount(kMaxLength))
                                          : number.error());
        }
        length = *number;
    }
    range.length = std::min(range.length, length);
    return range;
}

QString spacedHex(Bytes bytes, std::size_t shown) {
    QString text;
    for (const std::byte byte : bytes.first(std::min(bytes.size(), shown))) {
        text += (text.isEmpty() ? QString() : QStringLiteral(" ")) +
                QString::number(std::to_integer<unsigned>(byte), 16).rightJustified(2, u'0');
    }
    return bytes.size() > shown ? text + QStringLiteral(" …") : text;
}

void printText(const std::vector<ByteField>& fields, const ByteSource& file, Console& console) {
    constexpr std::size_t kShownBytes = 8;
    TextTable table({{Cli::tr("Offset"), Align::Right},
                     {Cli::tr("Length"), Align::Right},
                     {Cli::tr("Bytes")},
                     {Cli::tr("Field")},
                     {Cli::tr("Type")},
                     {Cli::tr("Value"), Align::Left, true}});
    for (const ByteField& field : fields) {
        const auto bytes =
            file.view({field.range.offset, std::min<std::uint64_t>(field.range.length, kShownBytes + 1)});
        table.addRow({QString::number(field.range.offset), QString::number(field.range.length),
                      bytes ? spacedHex(*bytes, kShownBytes) : QString(), ui::fieldText(field),
                      ui::displayText(field.type), ui::fieldValueText(field)});
    }
    table.print(console);
}

const char* shareName(BitShare::What what) {
    switch (what) {
    case BitShare::What::Scale:
        return "scale";
    case BitShare::What::Minimum:
        return "minimum";
    case BitShare::What::Code:
        break;
    }
    return "code";
}

void writeField(ui::JsonWriter& json, const ByteField& field) {
    json.beginObject();
    json.member("offset", field.range.offset);
    json.member("length", field.range.length);
    json.member("name", fieldRoleName(field.role));
    json.member("of", field.of.empty() ? std::nullopt : std::optional<std::string_view>(field.of));
    json.member("element", field.element);
    json.member("type", field.type.empty() ? std::nullopt : std::optional<std::string_view>(field.type));
    json.key("value");
    std::visit(
        [&](const auto& value) {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
                json.null();
            } else if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
                json.value(std::string_view(value));
            } else if constexpr (std::is_same_v<std::decay_t<decltype(value)>, LongNumber>) {
                json.value(std::string_view(value.digits)); // numbers of JSON would lose digits
            } else {
                json.value(value);
            }
        },
        field.value);
    if (!field.bits.empty()) {
        json.key("bits");
        json.beginArray();
        for (const BitShare& share : field.bits) {
            json.beginObject();
            json.member("mask", unsigned{share.mask});
            json.member("of", std::string_view(shareName(share.what)));
            json.member("index", share.index);
            json.endObject();
        }
        json.endArray();
    }
    if (field.damage != nullptr) {
        json.member("damage", ui::damageText(*field.damage));
    }
    json.endObject();
}

void writeDamages(ui::JsonWriter& json, const ByteMap& map) {
    json.key("damages");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const ByteMap::Damage& damage : map.damages()) {
        json.beginObject();
        json.member("offset", damage.range.offset);
        json.member("length", damage.range.length);
        json.member("of", damage.of.empty() ? std::nullopt : std::optional<std::string_view>(damage.of));
        json.member("message", ui::damageText(*damage.reason));
        json.endObject();
    }
    json.endArray();
}

void printDamages(const ByteMap& map, Console& console) {
    constexpr std::size_t kShown = 20;
    for (const ByteMap::Damage& damage : map.damages() | std::views::take(kShown)) {
        const QString name = damage.of.empty() ? QString() : ui::displayText(damage.of) + QStringLiteral(": ");
        console.out().writeLine(Cli::tr("Damage at byte %1: %2")
                                    .arg(ui::formatCount(damage.range.offset), name + ui::damageText(*damage.reason)));
    }
    if (map.damages().size() > kShown) {
        console.out().writeLine(Cli::tr("and %n more", nullptr, static_cast<int>(map.damages().size() - kShown)));
    }
}

void printJson(ByteRange range, Bytes bytes, const std::vector<ByteField>& fields, const ByteMap& map,
               Console& console) {
    ui::JsonWriter json(console.out());
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("offset", range.offset);
    json.member("bytes", std::string_view(hexText(bytes)));
    json.key("fields");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const ByteField& field : fields) {
        writeField(json, field);
    }
    json.endArray();
    writeDamages(json, map);
    json.endObject();
    json.endDocument();
}

constexpr auto kBytesOptions = std::to_array<OptionFact>({
    {"at", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OFFSET"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "begin at this byte, 4096 or 0x1000; default: the first")},
    {"key", QT_TRANSLATE_NOOP("gufo::cli::Cli", "KEY"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "begin at the record of a key")},
    {"tensor", QT_TRANSLATE_NOOP("gufo::cli::Cli", "NAME"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "begin at the data of a tensor")},
    {"length", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "show so many bytes; default: 256, at most 1048576")},
});

int runBytes(const Invocation& invocation, Console& console) {
    const Cancellation cancellation;
    auto mapped = mapFile(invocation.file(), {.stop = cancellation.token()});
    if (!mapped) {
        return failedOrCancelled(mapped.error(), invocation.file(), cancellation, console);
    }
    const auto range = rangeOf(invocation, *mapped);
    if (!range) {
        return console.fail(ui::displayText(invocation.file().native()) + QStringLiteral(": ") + range.error());
    }
    const ByteMap& map = *mapped->map;
    const auto fields = map.fields(*range, range->length);
    const auto bytes = map.file()->view(*range);
    if (!fields || !bytes) {
        return console.fail(fields ? bytes.error() : fields.error(), invocation.file());
    }
    if (invocation.json()) {
        printJson(*range, *bytes, *fields, map, console);
    } else {
        printText(*fields, *map.file(), console);
        printDamages(map, console);
    }
    if (const auto damage = map.file()->damage()) {
        return console.fail(*damage, invocation.file());
    }
    return kDone;
}

} // namespace

const Verb bytesVerb{
    .name = "bytes",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE [--at OFFSET | --key KEY | --tensor NAME] [--length N]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Shows bytes of a file with the meaning of each"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli", "Every byte belongs to a field: a length, a key, a value, the record of a tensor, the scale "
                          "of a block, padding. "
                          "The packed bits of a quantised block name the weights and sub-blocks that they belong to.\n"
                          "A damaged file is shown up to its damage."),
    .options = kBytesOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runBytes,
};

} // namespace gufo::cli
