#include "analysis/export_tensor.h"
#include "base/output_file.h"
#include "ui/pages/embed/embed_result.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

namespace gufo::ui {
namespace {

constexpr std::size_t kFlushBytes = std::size_t{1} << 20U;

// Fields as RFC 4180 wants them: quoted if they contain a separator, a quotation mark or a line break.
void addField(std::string& out, std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        out += text;
        return;
    }
    out += '"';
    for (const char c : text) {
        out.append(c == '"' ? 2 : 1, c);
    }
    out += '"';
}

// As many digits as distinguish the value; empty for NaN and infinity.
void addNumber(std::string& out, float value) {
    if (!std::isnan(value)) {
        std::array<char, 32> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
        out.append(digits.data(), end.ptr);
    }
}

class CsvFile {
public:
    explicit CsvFile(OutputFile file)
        : m_file(std::move(file)) {}

    std::string& row() { return m_text; }
    [[nodiscard]] Result<> endRow() {
        m_text += "\r\n";
        return m_text.size() > kFlushBytes ? flush() : Result<>();
    }
    [[nodiscard]] Result<> finish() {
        const Result<> written = flush();
        return written ? m_file.commit() : written;
    }

private:
    [[nodiscard]] Result<> flush() {
        const Result<> written = m_file.write(std::as_bytes(std::span(m_text)));
        m_text.clear();
        return written;
    }

    OutputFile m_file;
    std::string m_text;
};

Result<> writeNpy(const EmbedResult& result, OutputFile file) {
    const std::string header =
        npyHeader("<f4", std::array{std::uint64_t{result.size()}, std::uint64_t{result.vectors.width}});
    Result<> written = file.write(std::as_bytes(std::span(header)));
    if (written) {
        written = file.write(std::as_bytes(std::span(result.vectors.values)));
    }
    return written ? file.commit() : written;
}

// A row for each text: its line, the text, and `width` numbers from `values`, in the order `lines`.
Result<> writeRows(const EmbedResult& result, std::span<const std::size_t> lines, std::span<const std::string> names,
                   std::span<const float> values, OutputFile file) {
    CsvFile csv(std::move(file));
    csv.row() = "line,text";
    for (const std::string& name : names) {
        csv.row() += ',';
        addField(csv.row(), name);
    }
    GUFO_TRY(csv.endRow());
    for (const std::size_t line : lines) {
        csv.row() += std::to_string(result.lines->numbers[line]) + ',';
        addField(csv.row(), result.lines->texts[line]);
        for (const float value : values.subspan(line * names.size(), names.size())) {
            csv.row() += ',';
            addNumber(csv.row(), value);
        }
        GUFO_TRY(csv.endRow());
    }
    return csv.finish();
}

} // namespace

Result<> writeEmbedding(const EmbedResult& result, EmbedExport what, const std::filesystem::path& path) {
    auto file = GUFO_TRY(OutputFile::create(path));
    if (what == EmbedExport::Npy) {
        return writeNpy(result, std::move(file));
    }
    std::vector<std::size_t> lines(result.size());
    std::iota(lines.begin(), lines.end(), std::size_t{0});
    std::vector<std::string> names;
    const std::size_t width = what == EmbedExport::CosinesCsv ? result.size() : result.vectors.width;
    for (std::size_t i = 0; i < width; ++i) {
        names.push_back(what == EmbedExport::CosinesCsv ? "line " + std::to_string(result.lines->numbers[i])
                        : what == EmbedExport::Csv      ? "v" + std::to_string(i)
                                                        : result.scoreNames()[static_cast<qsizetype>(i)].toStdString());
    }
    if (what == EmbedExport::RankingCsv) {
        std::ranges::sort(lines, {}, [&](std::size_t line) {
            const float score = result.vectors.values[line * width];
            return std::tuple(std::isnan(score), std::isnan(score) ? 0.0F : -score, line);
        });
    }
    const std::vector<float>& values = what == EmbedExport::CosinesCsv ? result.cosines : result.vectors.values;
    return writeRows(result, lines, names, values, std::move(file));
}

} // namespace gufo::ui
