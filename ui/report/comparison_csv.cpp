#include "ui/messages/figure_text.h"
#include "ui/report/comparison_report.h"

#include <array>
#include <charconv>

namespace gufo::ui {
namespace {

std::string quoted(std::string_view text) {
    if (text.find_first_of("\",\r\n") == std::string_view::npos) {
        return std::string(text);
    }
    std::string result = "\"";
    for (const char c : text) {
        result += c;
        result.append(c == '"' ? 1 : 0, '"');
    }
    return result + '"';
}

class Line {
public:
    void add(std::string_view text) {
        m_text += m_first ? "" : ",";
        m_text += quoted(text);
        m_first = false;
    }
    void add(const QString& text) { add(std::string_view(text.toStdString())); }
    void add(const char* text) { add(std::string_view(text)); }
    template<typename T>
        requires std::is_arithmetic_v<T>
    void add(T number) {
        std::array<char, 64> buffer{};
        const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
        add(std::string_view(buffer.data(), end));
    }
    template<typename T>
    void add(const std::optional<T>& maybe) {
        maybe ? add(*maybe) : add("");
    }
    [[nodiscard]] std::string end() const { return m_text + "\r\n"; }

private:
    std::string m_text;
    bool m_first = true;
};

void addCell(const ComparisonReport& report, std::size_t row, std::size_t model, Line& line) {
    const TensorMatch& match = report.matches.rows[row];
    const std::size_t reference = report.matches.reference;
    const ComparedCell& cell = report.comparison.rows[row].cells[model];
    for (const std::size_t shown : {reference, model}) {
        const TensorInfo* tensor =
            match.has(shown) ? &report.matches.models[shown]->tensor(match.cells[shown].part.tensor) : nullptr;
        line.add(tensor != nullptr ? tensor->typeName().c_str() : "");
        line.add(tensor != nullptr ? tensor->bitsPerWeight() : std::nullopt);
    }
    const bool compared = cell.state == ComparedCell::State::Compared;
    const PairFigures figures = compared ? cell.comparison.figures() : PairFigures();
    const auto count = [&](std::uint64_t n) { return compared ? std::optional(n) : std::nullopt; };
    line.add(count(cell.comparison.sums.pairs));
    line.add(count(cell.comparison.sums.excluded));
    for (const auto& figure : {figures.rmse, figures.mae, figures.bias, figures.maxError}) {
        line.add(figure);
    }
    const std::uint64_t index = cell.comparison.sums.maximumIndex;
    line.add(index != PairSums::kNone ? count(index) : std::nullopt);
    for (const auto& figure :
         {figures.nmse, figures.sqnrDb, figures.cosine, figures.equalShare, figures.weightedSqnrDb}) {
        line.add(figure);
    }
}

} // namespace

void writeComparisonCsv(const ComparisonReport& report, TextSink& out) {
    out.write("tensor,expert,part,block,role,columns,rows,model,status,reference_type,reference_bpw,type,bpw,pairs,"
              "excluded,rmse,mae,bias,max_error,max_error_index,nmse,sqnr_db,cosine,equal_share,weighted_sqnr_db\r\n");
    const TensorMatches& matches = report.matches;
    QStringList names;
    for (std::size_t model = 0; model < matches.models.size(); ++model) {
        names << displayText(report.fileName(model));
    }
    for (std::size_t row = 0; row < matches.rows.size(); ++row) {
        const TensorMatch& match = matches.rows[row];
        if (!report.comparison.rows[row].wanted) {
            continue;
        }
        for (std::size_t model = 0; model < matches.models.size(); ++model) {
            if (model == matches.reference) {
                continue;
            }
            const TensorPart& part = match.cells[match.has(matches.reference) ? matches.reference : model].part;
            Line line;
            line.add(displayText(match.name));
            line.add(match.expert);
            line.add(match.part ? displayText(match.role) : QString());
            line.add(match.block);
            line.add(displayText(match.role));
            line.add(part.columns);
            line.add(part.rows);
            line.add(names[static_cast<qsizetype>(model)]);
            line.add(verdictName(cellVerdict(report, row, model)));
            addCell(report, row, model, line);
            out.write(line.end());
        }
    }
}

} // namespace gufo::ui
