// One array as JSON or CSV (document/metadata_json.h).
#include "base/detail.h"
#include "document/metadata_json.h"
#include "document/value_json.h"
#include "model/array_index.h"
#include "model/encode_value.h"
#include "model/value_text.h"

#include <algorithm>

namespace gufo {
namespace {

constexpr std::uint64_t kStopEvery = 4096;

std::string quoted(std::string_view cell) {
    if (cell.find_first_of("\",\r\n") == std::string_view::npos && !cell.empty()) {
        return std::string(cell);
    }
    std::string text = "\"";
    for (const char c : cell) {
        text.append(c == '"' ? 2 : 1, c);
    }
    return text + '"';
}

Result<> writeCsv(const ArrayView& array, std::string_view name, JsonText& out, const JobContext& job) {
    out.raw(quoted(name) + "\n");
    Bytes rest = array.bytes;
    for (std::uint64_t i = 0; i < array.length; ++i) {
        if (i % kStopEvery == 0 && job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const auto element = valueAt(array.elementType, rest, array.layout);
        if (!element) {
            return fail(ErrorCode::Truncated, {}, {Detail::Array, 1, 0});
        }
        const auto text = asString(element->value);
        out.raw((text ? quoted(*text) : writeValue(element->value)) + "\n");
        rest = rest.subspan(static_cast<std::size_t>(element->bytes));
    }
    return {};
}

// Reads rows of cells (RFC 4180; a bare line feed also ends a row). The last cell of each row is used.
class CsvReader {
public:
    explicit CsvReader(std::string_view text)
        : m_text(text) {}

    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] std::uint64_t line() const { return m_line; }
    [[nodiscard]] bool wasQuoted() const { return m_quoted; }
    // Returns the last cell of the next row; nothing for an unterminated quote or text after one.
    std::optional<std::string> row() {
        m_line = m_nextLine;
        std::string cell;
        while (true) {
            cell.clear();
            m_quoted = false;
            if (!(peek() == '"' ? quotedCell(cell) : plainCell(cell))) {
                return std::nullopt;
            }
            if (peek() == ',' && !atEnd()) {
                ++m_at;
                continue;
            }
            m_at += m_text.substr(std::min(m_at, m_text.size())).starts_with("\r\n") ? 2 : 1;
            ++m_nextLine;
            return cell;
        }
    }

private:
    [[nodiscard]] char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\n'; }
    bool plainCell(std::string& cell) {
        const std::size_t start = std::min(m_at, m_text.size());
        const std::size_t end = std::min(m_text.find_first_of(",\n", start), m_text.size());
        cell = m_text.substr(start, end - start);
        m_at = end;
        if (cell.ends_with('\r')) {
            cell.pop_back();
            --m_at; // of the line break
        }
        return true;
    }
    bool quotedCell(std::string& cell) {
        m_quoted = true;
        for (++m_at; m_at < m_text.size(); ++m_at) {
            if (m_text[m_at] != '"') {
                m_nextLine += m_text[m_at] == '\n' ? 1 : 0;
                cell += m_text[m_at];
            } else if (m_at + 1 < m_text.size() && m_text[m_at + 1] == '"') {
                cell += '"';
                ++m_at;
            } else {
                ++m_at;
                return atEnd() || peek() == ',' || peek() == '\n' || peek() == '\r';
            }
        }
        return false;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::uint64_t m_line = 1;
    std::uint64_t m_nextLine = 1;
    bool m_quoted = false;
};

Result<OwnedValue> readCsv(std::string_view text, ValueType elementType, std::string_view name, const JobContext& job) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    text.remove_prefix(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
    CsvReader csv(text);
    std::vector<std::byte> bytes;
    std::uint64_t count = 0;
    const auto bad = [&](Argument what) {
        return fail(ErrorCode::BadSyntax, {}, {Argument(Detail::Expected, {std::move(what)}), csv.line(), 1});
    };
    for (std::uint64_t row = 0; !csv.atEnd(); ++row) {
        if (row % kStopEvery == 0 && job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const auto cell = csv.row();
        if (!cell) {
            return bad(Detail::CellEnd);
        }
        const auto value = parseValue(elementType, *cell);
        const bool heading = row == 0 && (elementType == ValueType::String ? *cell == name : !value.has_value());
        // An empty line is not an element; an empty text would be quoted.
        if (heading || (cell->empty() && !csv.wasQuoted())) {
            continue;
        }
        if (!value) {
            return bad({Detail::ValueOfType, {valueTypeFact(elementType).name}});
        }
        static_cast<void>(appendValue(bytes, *value, {})); // cannot fail, because it is not an array
        ++count;
    }
    return OwnedValue::array(elementType, count, std::move(bytes));
}

} // namespace

Result<> writeArray(const ArrayView& array, std::string_view name, ArrayFormat format, const ByteSink& sink,
                    const JobContext& job) {
    if (format == ArrayFormat::Csv && array.elementType == ValueType::Array) {
        return fail(ErrorCode::NotSupported, {}, {Detail::NestedArrayAsCsv});
    }
    JsonText out(sink);
    if (auto written = format == ArrayFormat::Csv ? writeCsv(array, name, out, job) : writeBareValue(out, array, job);
        !written) {
        return written;
    }
    out.raw(format == ArrayFormat::Csv ? "" : "\n");
    return out.finish();
}

Result<OwnedValue> readArray(std::string_view text, ValueType elementType, std::string_view name, ArrayFormat format,
                             const JobContext& job) {
    if (format == ArrayFormat::Json) {
        JsonReader json(text);
        auto value = readBareValue(json, ValueType::Array, elementType, job);
        GUFO_TRY(value ? json.expect(JsonReader::Token::End, Detail::EndOfText) : Result<>());
        return value;
    }
    if (elementType == ValueType::Array) {
        return fail(ErrorCode::NotSupported, {}, {Detail::NestedArrayAsCsv});
    }
    return readCsv(text, elementType, name, job);
}

} // namespace gufo
