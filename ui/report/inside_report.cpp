#include "ui/report/inside_report.h"

#include "analysis/export_tensor.h"
#include "base/detail.h"
#include "base/output_file.h"
#include "text/tokenizer/vocabulary.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/model_text.h"
#include "ui/report/text_sink.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
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

Choice recordAt(const LogitLens& lens, std::size_t i) {
    return {static_cast<std::uint32_t>(lens.cells[i].token.value), lens.cells[i].probability};
}
Choice recordAt(const ChosenExperts& experts, std::size_t i) { return {experts.chosen[i], experts.weights[i]}; }
Sizes recordAt(const StreamSizes& sizes, std::size_t i) {
    return {sizes.stream[i], sizes.mixer[i], sizes.feedForward[i], sizes.largest[i], sizes.channel[i]};
}

template<typename Record>
struct Both {
    Record a;
    Record b;
};
static_assert(sizeof(Both<Choice>) == 16 && sizeof(Both<Sizes>) == 40);

// Writes elementAt(0 … count − 1) in pieces: what was recorded may take all the memory that there is for it.
template<typename ElementAt>
Result<> writeFile(const std::filesystem::path& path, const std::string& header, std::size_t count,
                   const ElementAt& elementAt) {
    constexpr std::size_t kPiece = 65'536; // elements
    auto file = GUFO_TRY(OutputFile::create(path));
    GUFO_TRY(file.write(std::as_bytes(std::span(header))));
    std::vector<decltype(elementAt(0))> piece;
    for (std::size_t i = 0; i < count;) {
        piece.clear();
        for (const std::size_t end = std::min(count, i + kPiece); i < end; ++i) {
            piece.push_back(elementAt(i));
        }
        GUFO_TRY(file.write(std::as_bytes(std::span(piece))));
    }
    return file.commit();
}

// The records of one model, or of two with the fields of both.
template<typename Recorded>
Result<> writeRecords(const Recorded& a, const Recorded* b, std::span<const NpyField> fields,
                      std::span<const std::uint64_t> shape, const std::filesystem::path& path) {
    const std::size_t count = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies());
    if (b == nullptr) {
        return writeFile(path, npyHeader(fields, shape), count, [&](std::size_t i) { return recordAt(a, i); });
    }
    std::vector<std::string> names;
    for (const char* model : {"_a", "_b"}) {
        for (const NpyField& field : fields) {
            names.push_back(std::string(field.name) + model);
        }
    }
    std::vector<NpyField> both;
    for (std::size_t i = 0; i < names.size(); ++i) {
        both.push_back({names[i], fields[i % fields.size()].scalar});
    }
    return writeFile(path, npyHeader(both, shape), count,
                     [&](std::size_t i) { return Both<decltype(recordAt(a, i))>{recordAt(a, i), recordAt(*b, i)}; });
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
    // The names of the columns: of the indexes, and of the values, for one model or for two.
    [[nodiscard]] Result<> names(std::initializer_list<std::string_view> place,
                                 std::initializer_list<std::string_view> values, bool two) {
        std::ranges::for_each(place, [&](std::string_view text) { cell(text); });
        for (const char* model : two ? std::vector<const char*>{"_a", "_b"} : std::vector<const char*>{""}) {
            std::ranges::for_each(values, [&](std::string_view text) { cell(std::string(text) + model); });
        }
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

// With `b`, each line has the values of both models.
Result<> writeCsv(const LogitLens& lens, const LogitLens* b, CsvFile& csv) {
    GUFO_TRY(csv.names({"block", "token", "candidate"}, {"id", "probability"}, b != nullptr));
    for (std::size_t i = 0; i < lens.cells.size(); ++i) {
        const std::size_t place = i / lens.candidates;
        csv.number(place / lens.tokens);
        csv.number(lens.from + place % lens.tokens);
        csv.number(i % lens.candidates);
        for (const LogitLens* each : {&lens, b}) {
            if (each != nullptr) {
                csv.number(each->cells[i].token.value);
                csv.number(each->cells[i].probability);
            }
        }
        GUFO_TRY(csv.endLine());
    }
    return {};
}

Result<> writeCsv(const ChosenExperts& experts, const ChosenExperts* b, CsvFile& csv) {
    GUFO_TRY(csv.names({"block", "token", "use"}, {"id", "weight"}, b != nullptr));
    for (std::size_t i = 0; i < experts.chosen.size(); ++i) {
        const std::size_t place = i / experts.used;
        csv.number(experts.blocks[place / experts.tokens]);
        csv.number(place % experts.tokens);
        csv.number(i % experts.used);
        for (const ChosenExperts* each : {&experts, b}) {
            if (each != nullptr) {
                csv.number(each->chosen[i]);
                csv.number(each->weights[i]);
            }
        }
        GUFO_TRY(csv.endLine());
    }
    return {};
}

Result<> writeCsv(const StreamSizes& sizes, const StreamSizes* b, CsvFile& csv) {
    GUFO_TRY(csv.names({"block", "token"}, {"stream", "mixer", "feed_forward", "largest", "channel"}, b != nullptr));
    for (std::size_t i = 0; i < sizes.stream.size(); ++i) {
        csv.number(i / sizes.tokens);
        csv.number(i % sizes.tokens);
        for (const StreamSizes* each : {&sizes, b}) {
            if (each == nullptr) {
                continue;
            }
            for (const std::vector<float>* values : {&each->stream, &each->mixer, &each->feedForward, &each->largest}) {
                csv.number((*values)[i]);
            }
            csv.number(each->channel[i]);
        }
        GUFO_TRY(csv.endLine());
    }
    return {};
}

// `b` is null for one model.
Result<> writeNpy(const Inside& a, const Inside* b, InsideView view, const std::filesystem::path& path) {
    switch (view) {
    case InsideView::Attention: {
        const AttentionMap& map = *a.attention;
        const std::array<std::uint64_t, 3> shape{map.heads, map.tokens, map.tokens};
        return writeFile(path, npyHeader(kFloat, shape), map.weights.size(), [&](std::size_t i) {
            return b == nullptr ? map.weights[i] : b->attention->weights[i] - map.weights[i];
        });
    }
    case InsideView::Lens: {
        const LogitLens& lens = *a.lens;
        const std::array<NpyField, 2> fields{{{"id", kUnsigned}, {"probability", kFloat}}};
        const std::array<std::uint64_t, 3> shape{lens.blocks, lens.tokens, lens.candidates};
        return writeRecords(lens, b != nullptr ? &*b->lens : nullptr, fields, shape, path);
    }
    case InsideView::Experts: {
        const ChosenExperts& experts = *a.experts;
        const std::array<NpyField, 2> fields{{{"id", kUnsigned}, {"weight", kFloat}}};
        const std::array<std::uint64_t, 3> shape{experts.blocks.size(), experts.tokens, experts.used};
        return writeRecords(experts, b != nullptr ? &*b->experts : nullptr, fields, shape, path);
    }
    case InsideView::Norms:
        break;
    }
    const StreamSizes& sizes = *a.sizes;
    const std::array<NpyField, 5> fields{
        {{"stream", kFloat}, {"mixer", kFloat}, {"feed_forward", kFloat}, {"largest", kFloat}, {"channel", kUnsigned}}};
    const std::array<std::uint64_t, 2> shape{sizes.blocks, sizes.tokens};
    return writeRecords(sizes, b != nullptr ? &*b->sizes : nullptr, fields, shape, path);
}

Result<> writeCsv(const Inside& a, const Inside* b, InsideView view, const std::filesystem::path& path) {
    CsvFile csv(GUFO_TRY(OutputFile::create(path)));
    switch (view) {
    case InsideView::Attention:
        GUFO_TRY(writeCsv(b == nullptr ? *a.attention : *b->attention - *a.attention, csv));
        break;
    case InsideView::Lens:
        GUFO_TRY(writeCsv(*a.lens, b != nullptr ? &*b->lens : nullptr, csv));
        break;
    case InsideView::Experts:
        GUFO_TRY(writeCsv(*a.experts, b != nullptr ? &*b->experts : nullptr, csv));
        break;
    case InsideView::Norms:
        GUFO_TRY(writeCsv(*a.sizes, b != nullptr ? &*b->sizes : nullptr, csv));
        break;
    }
    return csv.finish();
}

// Nested arrays of the shape, whose elements are valueAt(index).
template<typename ValueAt>
void writeArray(JsonWriter& json, std::span<const std::size_t> shape, const ValueAt& valueAt) {
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
template<typename ValueAt>
void writeArray(JsonWriter& json, const char* name, std::span<const std::size_t> shape, const ValueAt& valueAt) {
    json.key(name);
    writeArray(json, shape, valueAt);
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

// Ids as [block][token][expert].
void writeChoices(const ChosenExperts& a, const ChosenExperts& b, JsonWriter& json) {
    using inference::ExpertChoices;
    for (const auto& [name, chosen] :
         {std::pair("only_a", &ExpertChoices::onlyA), std::pair("only_b", &ExpertChoices::onlyB),
          std::pair("both", &ExpertChoices::both)}) {
        json.key(name);
        json.beginArray(JsonWriter::Layout::Block);
        for (std::size_t block = 0; block < a.blocks.size(); ++block) {
            json.beginArray();
            for (std::size_t token = 0; token < a.tokens; ++token) {
                const ExpertChoices choices = inference::compareChoices(a, b, block, token);
                writeArray(json, std::array{(choices.*chosen).size()},
                           [&](std::size_t i) { return (choices.*chosen)[i].expert; });
            }
            json.endArray();
        }
        json.endArray();
    }
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

Result<> checkInsidePair(const Model& a, const Model& b, const JobContext& job) {
    const std::size_t blocks = GUFO_TRY(inference::insideShape(a)).heads.size();
    const std::size_t others = GUFO_TRY(inference::insideShape(b)).heads.size();
    if (blocks != others) {
        return fail(ErrorCode::InvalidArgument, {}, {Argument(Detail::BlockCountsDiffer, {blocks, others})});
    }
    const auto vocabulary = GUFO_TRY(text::Vocabulary::read(a.metadata, job));
    const auto other = GUFO_TRY(text::Vocabulary::read(b.metadata, job));
    if (const auto difference = text::findDifference(vocabulary, other)) {
        return fail(ErrorCode::InvalidArgument, {}, {vocabularyDifferenceDetail(*difference)});
    }
    return {};
}

bool hasView(const InsidePair& pair, InsideView view) {
    if (!hasView(pair.a, view) || !hasView(pair.b, view)) {
        return false;
    }
    switch (view) {
    case InsideView::Attention:
        return pair.a.attention->heads == pair.b.attention->heads;
    case InsideView::Experts:
        return inference::areComparable(*pair.a.experts, *pair.b.experts);
    case InsideView::Lens:
    case InsideView::Norms:
        return true;
    }
    return false;
}

Result<> writeInsideNpy(const Inside& inside, InsideView view, const std::filesystem::path& path) {
    return writeNpy(inside, nullptr, view, path);
}
Result<> writeInsideNpy(const InsidePair& pair, InsideView view, const std::filesystem::path& path) {
    return writeNpy(pair.a, &pair.b, view, path);
}
Result<> writeInsideCsv(const Inside& inside, InsideView view, const std::filesystem::path& path) {
    return writeCsv(inside, nullptr, view, path);
}
Result<> writeInsideCsv(const InsidePair& pair, InsideView view, const std::filesystem::path& path) {
    return writeCsv(pair.a, &pair.b, view, path);
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

void writeInsideJson(const InsidePair& pair, InsideView view, JsonWriter& json) {
    for (const auto& [name, inside] : {std::pair("a", &pair.a), std::pair("b", &pair.b)}) {
        json.key(name);
        json.beginObject(JsonWriter::Layout::Block);
        writeInsideJson(*inside, view, json);
        json.endObject();
    }
    if (view == InsideView::Lens) { // candidates have no difference
        return;
    }
    json.key("difference");
    json.beginObject(JsonWriter::Layout::Block);
    if (view == InsideView::Attention) {
        writeJson(*pair.b.attention - *pair.a.attention, json);
    } else if (view == InsideView::Experts) {
        writeChoices(*pair.a.experts, *pair.b.experts, json);
    } else {
        const StreamSizes& a = *pair.a.sizes;
        const StreamSizes& b = *pair.b.sizes;
        for (const auto& [name, values] :
             {std::pair("stream_ratio", &StreamSizes::stream), std::pair("mixer_ratio", &StreamSizes::mixer),
              std::pair("feed_forward_ratio", &StreamSizes::feedForward),
              std::pair("largest_ratio", &StreamSizes::largest)}) {
            writeArray(json, name, std::array{a.blocks, a.tokens},
                       [&](std::size_t i) { return std::abs((b.*values)[i] / (a.*values)[i]); });
        }
    }
    json.endObject();
}

} // namespace gufo::ui
