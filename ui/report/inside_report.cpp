#include "ui/report/inside_report.h"

#include "analysis/export_tensor.h"
#include "base/output_file.h"
#include "ui/report/text_sink.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace gufo::ui {
namespace {

using inference::AttentionMap;
using inference::ChosenExperts;
using inference::Inside;
using inference::LogitLens;
using inference::RecurrentSizes;
using inference::StreamSizes;

struct ViewRow {
    InsideView view;
    std::string_view name;
};
constexpr auto kViews = std::to_array<ViewRow>({{InsideView::Attention, "attention"},
                                                {InsideView::Lens, "lens"},
                                                {InsideView::Experts, "experts"},
                                                {InsideView::Norms, "norms"}});

// Records are written as they are in memory, so that their fields must follow each other without gaps.
struct Choice {
    std::uint32_t id;
    float value;
};
struct Sizes {
    float stream;
    float mixer;
    float feedForward;
    float largest;
    std::uint32_t channel;
};
static_assert(sizeof(Choice) == 8 && sizeof(Sizes) == 20);

constexpr std::string_view kFloat = "<f4";
constexpr std::string_view kUnsigned = "<u4";

std::vector<Choice> choicesOf(const LogitLens& lens) {
    std::vector<Choice> choices;
    for (const LogitLens::Candidate& candidate : lens.cells) {
        choices.push_back({static_cast<std::uint32_t>(candidate.token.value), candidate.probability});
    }
    return choices;
}

std::vector<Choice> choicesOf(const ChosenExperts& experts) {
    std::vector<Choice> choices;
    for (std::size_t i = 0; i < experts.chosen.size(); ++i) {
        choices.push_back({experts.chosen[i], experts.weights[i]});
    }
    return choices;
}

std::vector<Sizes> recordsOf(const StreamSizes& sizes) {
    std::vector<Sizes> records;
    for (std::size_t i = 0; i < sizes.stream.size(); ++i) {
        records.push_back({sizes.stream[i], sizes.mixer[i], sizes.feedForward[i], sizes.largest[i], sizes.channel[i]});
    }
    return records;
}

template<typename Element>
Result<> writeFile(const std::filesystem::path& path, const std::string& header, const std::vector<Element>& array) {
    auto file = GUFO_TRY(OutputFile::create(path));
    GUFO_TRY(file.write(std::as_bytes(std::span(header))));
    GUFO_TRY(file.write(std::as_bytes(std::span(array))));
    return file.commit();
}

// Collects lines and writes them in pieces.
class CsvFile {
public:
    explicit CsvFile(OutputFile file)
        : m_file(std::move(file)) {}

    void cell(std::string_view text) {
        m_text += m_text.empty() || m_text.back() == '\n' ? "" : ",";
        m_text += text;
    }
    template<typename Number>
    void number(Number value) { // the fewest digits that read back as the same number
        std::array<char, 32> digits{};
        cell({digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr});
    }
    [[nodiscard]] Result<> endLine() {
        m_text += '\n';
        constexpr std::size_t kPiece = std::size_t{1} << 20;
        return m_text.size() < kPiece ? Result<>() : flush();
    }
    [[nodiscard]] Result<> line(std::initializer_list<std::string_view> cells) {
        std::ranges::for_each(cells, [&](std::string_view text) { cell(text); });
        return endLine();
    }
    [[nodiscard]] Result<> finish() {
        GUFO_TRY(flush());
        return m_file.commit();
    }

private:
    Result<> flush() {
        GUFO_TRY(m_file.write(std::as_bytes(std::span(m_text))));
        m_text.clear();
        return {};
    }

    OutputFile m_file;
    std::string m_text;
};

Result<> writeCsv(const AttentionMap& map, CsvFile& csv) {
    csv.cell("head");
    csv.cell("query");
    for (std::size_t key = 0; key < map.tokens; ++key) {
        csv.number(key);
    }
    GUFO_TRY(csv.endLine());
    for (std::size_t head = 0; head < map.heads; ++head) {
        for (std::size_t query = 0; query < map.tokens; ++query) {
            csv.number(map.firstHead + head);
            csv.number(query);
            for (const float weight : map.row(head, query)) {
                csv.number(weight);
            }
            GUFO_TRY(csv.endLine());
        }
    }
    return {};
}

Result<> writeCsv(const LogitLens& lens, CsvFile& csv) {
    GUFO_TRY(csv.line({"block", "token", "candidate", "id", "probability"}));
    for (std::size_t i = 0; i < lens.cells.size(); ++i) {
        const std::size_t place = i / lens.candidates;
        csv.number(place / lens.tokens);
        csv.number(lens.from + place % lens.tokens);
        csv.number(i % lens.candidates);
        csv.number(lens.cells[i].token.value);
        csv.number(lens.cells[i].probability);
        GUFO_TRY(csv.endLine());
    }
    return {};
}

Result<> writeCsv(const ChosenExperts& experts, CsvFile& csv) {
    GUFO_TRY(csv.line({"block", "token", "use", "id", "weight"}));
    for (std::size_t i = 0; i < experts.chosen.size(); ++i) {
        const std::size_t place = i / experts.used;
        csv.number(experts.blocks[place / experts.tokens]);
        csv.number(place % experts.tokens);
        csv.number(i % experts.used);
        csv.number(experts.chosen[i]);
        csv.number(experts.weights[i]);
        GUFO_TRY(csv.endLine());
    }
    return {};
}

Result<> writeCsv(const StreamSizes& sizes, CsvFile& csv) {
    GUFO_TRY(csv.line({"block", "token", "stream", "mixer", "feed_forward", "largest", "channel"}));
    for (std::size_t i = 0; i < sizes.stream.size(); ++i) {
        csv.number(i / sizes.tokens);
        csv.number(i % sizes.tokens);
        for (const std::vector<float>* values : {&sizes.stream, &sizes.mixer, &sizes.feedForward, &sizes.largest}) {
            csv.number((*values)[i]);
        }
        csv.number(sizes.channel[i]);
        GUFO_TRY(csv.endLine());
    }
    return {};
}

// Nested arrays of the shape, whose elements are valueAt(index).
template<typename ValueAt>
void writeArray(JsonWriter& json, const char* name, std::span<const std::size_t> shape, const ValueAt& valueAt) {
    json.key(name);
    std::size_t next = 0;
    const auto level = [&](const auto& self, std::size_t depth) -> void {
        json.beginArray(depth == 0 && shape.size() > 1 ? JsonWriter::Layout::Block : JsonWriter::Layout::Inline);
        for (std::size_t i = 0; i < shape[depth]; ++i) {
            if (depth + 1 < shape.size()) {
                self(self, depth + 1);
            } else {
                json.value(valueAt(next++));
            }
        }
        json.endArray();
    };
    level(level, 0);
}

void writeJson(const AttentionMap& map, JsonWriter& json) {
    json.member("block", map.block);
    json.member("first_head", map.firstHead);
    const std::array rows{map.heads, map.tokens};
    writeArray(json, "entropy", rows, [&](std::size_t i) { return map.summaries[i].entropy; });
    writeArray(json, "first_token", rows, [&](std::size_t i) { return map.summaries[i].first; });
    writeArray(json, "sink", rows, [&](std::size_t i) { return map.summaries[i].sink; });
    writeArray(json, "weights", std::array{map.heads, map.tokens, map.tokens},
               [&](std::size_t i) { return map.weights[i]; });
}

void writeJson(const LogitLens& lens, JsonWriter& json) {
    const std::array cells{lens.blocks, lens.tokens, lens.candidates};
    const std::array places{lens.blocks, lens.tokens};
    writeArray(json, "ids", cells, [&](std::size_t i) { return lens.cells[i].token.value; });
    writeArray(json, "probabilities", cells, [&](std::size_t i) { return lens.cells[i].probability; });
    writeArray(json, "final_ids", std::array{lens.tokens},
               [&](std::size_t i) { return lens.at(lens.blocks - 1, i).front().token.value; });
    writeArray(json, "final_probabilities", places, [&](std::size_t i) { return lens.finals[i].probability; });
    writeArray(json, "final_ranks", places, [&](std::size_t i) { return lens.finals[i].rank; });
    writeArray(json, "becomes_first", std::array{lens.tokens}, [&](std::size_t i) { return lens.becomes[i]; });
}

void writeJson(const ChosenExperts& experts, JsonWriter& json) {
    const std::array uses{experts.blocks.size(), experts.tokens, experts.used};
    json.member("count", experts.count);
    writeArray(json, "blocks", std::array{experts.blocks.size()}, [&](std::size_t i) { return experts.blocks[i]; });
    writeArray(json, "ids", uses, [&](std::size_t i) { return experts.chosen[i]; });
    writeArray(json, "weights", uses, [&](std::size_t i) { return experts.weights[i]; });
    std::vector<std::uint64_t> load;
    for (std::size_t i = 0; i < experts.blocks.size(); ++i) {
        const std::vector<std::uint64_t> ofBlock = experts.load(i);
        load.insert(load.end(), ofBlock.begin(), ofBlock.end());
    }
    writeArray(json, "load", std::array{experts.blocks.size(), experts.count}, [&](std::size_t i) { return load[i]; });
}

void writeJson(const Inside& inside, const StreamSizes& sizes, JsonWriter& json) {
    const std::array places{sizes.blocks, sizes.tokens};
    for (const auto& [name, values] :
         {std::pair("stream", &sizes.stream), std::pair("mixer", &sizes.mixer),
          std::pair("feed_forward", &sizes.feedForward), std::pair("largest", &sizes.largest)}) {
        writeArray(json, name, places, [&](std::size_t i) { return (*values)[i]; });
    }
    writeArray(json, "channel", places, [&](std::size_t i) { return sizes.channel[i]; });
    json.key("nan");
    if (const auto& nan = sizes.notANumber) {
        json.beginObject();
        json.member("token", nan->token);
        json.member("block", nan->block);
        json.member("part", streamPartName(nan->part));
        json.endObject();
    } else {
        json.null();
    }
    json.key("states");
    json.beginArray(JsonWriter::Layout::Block);
    for (const RecurrentSizes& state : inside.states) {
        json.beginObject();
        json.member("block", state.block);
        writeArray(json, "norms", std::array{state.lengths.size() / state.heads, state.heads},
                   [&](std::size_t i) { return state.lengths[i]; });
        writeArray(json, "decays", std::array{state.decays.size() / state.heads, state.heads},
                   [&](std::size_t i) { return state.decays[i]; });
        json.endObject();
    }
    json.endArray();
}

} // namespace

std::string_view insideViewName(InsideView view) { return std::ranges::find(kViews, view, &ViewRow::view)->name; }

std::optional<InsideView> insideViewFromName(std::string_view name) {
    const auto* const row = std::ranges::find(kViews, name, &ViewRow::name);
    return row != kViews.end() ? std::optional(row->view) : std::nullopt;
}

const char* streamPartName(StreamSizes::Part part) {
    using Part = StreamSizes::Part;
    return part == Part::Mixer ? "mixer" : part == Part::FeedForward ? "feed_forward" : "stream";
}

bool hasView(const Inside& inside, InsideView view) {
    switch (view) {
    case InsideView::Attention:
        return inside.attention.has_value();
    case InsideView::Lens:
        return inside.lens.has_value();
    case InsideView::Experts:
        return inside.experts.has_value();
    case InsideView::Norms:
        return inside.sizes.has_value();
    }
    return false;
}

Result<> writeInsideNpy(const Inside& inside, InsideView view, const std::filesystem::path& path) {
    switch (view) {
    case InsideView::Attention: {
        const AttentionMap& map = *inside.attention;
        const std::array<std::uint64_t, 3> shape{map.heads, map.tokens, map.tokens};
        return writeFile(path, npyHeader(kFloat, shape), map.weights);
    }
    case InsideView::Lens: {
        const LogitLens& lens = *inside.lens;
        const std::array<NpyField, 2> fields{{{"id", kUnsigned}, {"probability", kFloat}}};
        const std::array<std::uint64_t, 3> shape{lens.blocks, lens.tokens, lens.candidates};
        return writeFile(path, npyHeader(fields, shape), choicesOf(lens));
    }
    case InsideView::Experts: {
        const ChosenExperts& experts = *inside.experts;
        const std::array<NpyField, 2> fields{{{"id", kUnsigned}, {"weight", kFloat}}};
        const std::array<std::uint64_t, 3> shape{experts.blocks.size(), experts.tokens, experts.used};
        return writeFile(path, npyHeader(fields, shape), choicesOf(experts));
    }
    case InsideView::Norms:
        break;
    }
    const StreamSizes& sizes = *inside.sizes;
    const std::array<NpyField, 5> fields{
        {{"stream", kFloat}, {"mixer", kFloat}, {"feed_forward", kFloat}, {"largest", kFloat}, {"channel", kUnsigned}}};
    const std::array<std::uint64_t, 2> shape{sizes.blocks, sizes.tokens};
    return writeFile(path, npyHeader(fields, shape), recordsOf(sizes));
}

Result<> writeInsideCsv(const Inside& inside, InsideView view, const std::filesystem::path& path) {
    CsvFile csv(GUFO_TRY(OutputFile::create(path)));
    switch (view) {
    case InsideView::Attention:
        GUFO_TRY(writeCsv(*inside.attention, csv));
        break;
    case InsideView::Lens:
        GUFO_TRY(writeCsv(*inside.lens, csv));
        break;
    case InsideView::Experts:
        GUFO_TRY(writeCsv(*inside.experts, csv));
        break;
    case InsideView::Norms:
        GUFO_TRY(writeCsv(*inside.sizes, csv));
        break;
    }
    return csv.finish();
}

void writeInsideJson(const Inside& inside, InsideView view, JsonWriter& json) {
    switch (view) {
    case InsideView::Attention:
        return writeJson(*inside.attention, json);
    case InsideView::Lens:
        return writeJson(*inside.lens, json);
    case InsideView::Experts:
        return writeJson(*inside.experts, json);
    case InsideView::Norms:
        return writeJson(inside, *inside.sizes, json);
    }
}

} // namespace gufo::ui
