#include "formats/detect.h"

#include "base/ascii.h"
#include "base/byte_order.h"
#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <string>

namespace gufo {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::uint64_t kHeadBytes = 4096;

// The start of a file, and its size.
struct Head {
    std::string_view text;
    std::uint64_t fileBytes;
};

struct Rule {
    FileFormat format;
    bool (*matches)(const Head&);
};

bool hasAt(const Head& head, std::size_t offset, std::string_view bytes) {
    return head.text.size() >= offset && head.text.substr(offset).starts_with(bytes);
}

// One row that looks for fixed bytes.
template<const auto& bytes, std::size_t offset = 0>
bool startsWith(const Head& head) {
    return hasAt(head, offset, bytes);
}

bool isZip(const Head& head) {
    return hasAt(head, 0, "PK\x03\x04"sv) || hasAt(head, 0, "PK\x05\x06"sv) || hasAt(head, 0, "PK\x07\x08"sv);
}

// PyTorch's archives begin with their "NAME/data.pkl", stored (torch.save, serialization since 1.6).
bool isPyTorchZip(const Head& head) {
    constexpr std::size_t kLocalHeader = 30;
    constexpr std::size_t kNameLength = 26;
    if (!hasAt(head, 0, "PK\x03\x04"sv) || head.text.size() < kLocalHeader) {
        return false;
    }
    const auto length = load<std::uint16_t>(reinterpret_cast<const std::byte*>(head.text.data()) + kNameLength);
    const std::string_view name = head.text.substr(kLocalHeader, length);
    return name.ends_with("/data.pkl"sv) || name.ends_with("/version"sv) || name.ends_with("/.format_version"sv);
}

// {u64 length of the JSON that follows}; the JSON starts with a brace (safetensors README).
bool isSafetensors(const Head& head) {
    constexpr std::uint64_t kLargestHeader = 100'000'000;
    if (head.text.size() < 10 || head.text[8] != '{') {
        return false;
    }
    const auto length = load<std::uint64_t>(reinterpret_cast<const std::byte*>(head.text.data()));
    const std::string_view json = head.text.substr(8);
    const auto next = json.find_first_not_of(" \t\r\n"sv, 1);
    return length >= 2 && length <= kLargestHeader && length + 8 <= head.fileBytes && next != std::string_view::npos &&
           (json[next] == '"' || json[next] == '}');
}

// A pickle of protocol 2 or later that holds the magic number of torch.save before 1.6, as a long of 10 bytes.
bool isLegacyPyTorch(const Head& head) {
    return head.text.starts_with("\x80"sv) &&
           head.text.substr(0, 64).contains("\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19"sv);
}

// PROTO opcode, then in protocol 4 and later a FRAME.
bool isPickle(const Head& head) {
    return head.text.size() > 2 && head.text[0] == '\x80' && head.text[1] >= 2 && head.text[1] <= 5;
}

// A protocol buffer ModelProto: field 1 (ir_version, a small varint), then field 2 (producer_name, a short text) or
// field 7 or 8 (graph, opset). ONNX has no magic number.
bool isOnnx(const Head& head) {
    if (head.text.size() < 4 || head.text[0] != '\x08' || head.text[1] < 1 || head.text[1] > 20) {
        return false;
    }
    if (head.text[2] == '\x3A' || head.text[2] == '\x42') {
        return true;
    }
    const auto length = static_cast<unsigned char>(head.text[3]);
    if (head.text[2] != '\x12' || length == 0 || length > 100 || head.text.size() < 4U + length) {
        return false;
    }
    return std::ranges::all_of(head.text.substr(4, length), [](char c) { return c >= ' ' && c <= '~'; });
}

std::string_view afterSpace(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF"sv)) {
        text.remove_prefix(3);
    }
    const auto first = text.find_first_not_of(" \t\r\n"sv);
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

// Well-formed but for a last character that the head may cut.
bool isUtf8(const Head& head) {
    const bool isCut = head.text.size() < head.fileBytes;
    return isValidUtf8(head.text.substr(0, head.text.size() - (isCut ? incompleteTail(head.text) : 0)));
}

// UTF-8 without control characters but white space.
bool isText(const Head& head) {
    return !head.text.empty() && isUtf8(head) && std::ranges::none_of(head.text, [](char c) {
        return (static_cast<unsigned char>(c) < ' ' && !"\t\n\r\f"sv.contains(c)) || c == '\x7F';
    });
}

bool isHtml(const Head& head) {
    std::string start(afterSpace(head.text).substr(0, 16));
    std::ranges::transform(start, start.begin(), asciiLower);
    return std::ranges::any_of(std::to_array({"<!doctype html"sv, "<html"sv, "<head"sv, "<body"sv}),
                               [&](std::string_view tag) { return start.starts_with(tag); });
}

bool isXml(const Head& head) { return isText(head) && afterSpace(head.text).starts_with("<?xml"sv); }

bool isJson(const Head& head) {
    const std::string_view start = afterSpace(head.text);
    if (!isText(head) || start.empty() || (start[0] != '{' && start[0] != '[')) {
        return false;
    }
    const std::string_view next = afterSpace(start.substr(1));
    return !next.empty() && (start[0] == '{' ? "\"}"sv : "\"{[]-0123456789"sv).contains(next[0]);
}

constexpr auto kGguf = "GGUF"sv;
constexpr auto kGgml = "lmgg"sv; // u32 0x67676d6c and so on, little-endian
constexpr auto kGgmf = "fmgg"sv;
constexpr auto kGgjt = "tjgg"sv;
constexpr auto kGgla = "algg"sv;
constexpr auto kHdf5 = "\x89HDF\r\n\x1A\n"sv;
constexpr auto kTar = "ustar"sv;
constexpr auto kNumpy = "\x93NUMPY"sv;
constexpr auto kGzip = "\x1F\x8B"sv;
constexpr auto kZstd = "\x28\xB5\x2F\xFD"sv;
constexpr auto kXz = "\xFD\x37zXZ\x00"sv;
constexpr auto kBzip2 = "BZh"sv;
constexpr auto kLz4 = "\x04\x22\x4D\x18"sv;
constexpr auto k7z = "7z\xBC\xAF\x27\x1C"sv;
constexpr auto kTflite = "TFL3"sv;
constexpr auto kLfs = "version https://git-lfs.github.com/spec/"sv;

// The first that matches counts: what is certain stands before what is likely.
constexpr auto kRules = std::to_array<Rule>({
    {{"gguf", "GGUF", true}, startsWith<kGguf>},
    {{"git_lfs", "a Git LFS pointer, which stands for the model until `git lfs pull` fetches it", false},
     startsWith<kLfs>},
    {{"ggml", "a GGML file, from before GGUF", false}, startsWith<kGgml>},
    {{"ggmf", "a GGMF file, from before GGUF", false}, startsWith<kGgmf>},
    {{"ggjt", "a GGJT file, from before GGUF", false}, startsWith<kGgjt>},
    {{"ggla", "a GGLA adapter, from before GGUF", false}, startsWith<kGgla>},
    {{"pytorch_zip", "a PyTorch checkpoint (ZIP)", false}, isPyTorchZip},
    {{"zip", "a ZIP archive, perhaps a PyTorch checkpoint or NumPy arrays", false}, isZip},
    {{"hdf5", "an HDF5 file, perhaps a Keras model", false}, startsWith<kHdf5>},
    {{"numpy", "a NumPy array", false}, startsWith<kNumpy>},
    {{"tflite", "a TensorFlow Lite model", false}, startsWith<kTflite, 4>},
    {{"tar", "a tar archive, perhaps an old PyTorch checkpoint", false}, startsWith<kTar, 257>},
    {{"gzip", "compressed with gzip", false}, startsWith<kGzip>},
    {{"zstd", "compressed with Zstandard", false}, startsWith<kZstd>},
    {{"xz", "compressed with xz", false}, startsWith<kXz>},
    {{"bzip2", "compressed with bzip2", false}, startsWith<kBzip2>},
    {{"lz4", "compressed with LZ4", false}, startsWith<kLz4>},
    {{"7z", "a 7-Zip archive", false}, startsWith<k7z>},
    {{"safetensors", "safetensors", false}, isSafetensors},
    {{"pytorch_legacy", "a PyTorch checkpoint (from before version 1.6)", false}, isLegacyPyTorch},
    {{"pickle", "a Python pickle", false}, isPickle},
    {{"onnx", "an ONNX model", false}, isOnnx},
    {{"html", "a web page: the download fetched the page about the file", false}, isHtml},
    {{"xml", "an XML text: the download fetched an answer about the file", false}, isXml},
    {{"json", "JSON text, perhaps a server's error message or a model's configuration", false}, isJson},
    {{"text", "plain text", false}, isText},
});

} // namespace

std::optional<FileFormat> detectFormat(const ByteSource& source) {
    const auto start = source.view({0, std::min(source.size(), kHeadBytes)});
    if (!start) {
        return std::nullopt;
    }
    const Head head{{reinterpret_cast<const char*>(start->data()), start->size()}, source.size()};
    const auto* rule = std::ranges::find_if(kRules, [&](const Rule& row) { return row.matches(head); });
    return rule != kRules.end() ? std::optional(rule->format) : std::nullopt;
}

} // namespace gufo
