#include "formats/detection/signatures.h"

#include "base/ascii.h"
#include "base/byte_order.h"
#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <string>

namespace gufo::signature {

using std::string_view_literals::operator""sv;

namespace {

constexpr std::uint64_t kLargestHeader = 100'000'000; // of safetensors, in bytes

std::string_view afterSpace(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF"sv)) {
        text.remove_prefix(3);
    }
    const auto first = text.find_first_not_of(" \t\r\n"sv);
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

// Whether the text is UTF-8, apart from a last character that the end of the sample may cut off.
bool isUtf8(const FileStart& start) {
    const bool isCut = start.bytes.size() < start.fileBytes;
    return isValidUtf8(start.bytes.substr(0, start.bytes.size() - (isCut ? incompleteTail(start.bytes) : 0)));
}

} // namespace

// GGML's magic number, followed by the length of a name that begins with "silero" (whisper.cpp).
bool isSilero(const FileStart& start) {
    constexpr std::size_t kNameOffset = 8;
    return start.hasAt(0, "lmgg"sv) && start.hasAt(kNameOffset, "silero"sv);
}

bool isZip(const FileStart& start) {
    return start.hasAt(0, "PK\x03\x04"sv) || start.hasAt(0, "PK\x05\x06"sv) || start.hasAt(0, "PK\x07\x08"sv);
}

// PyTorch archives begin with the entry "NAME/data.pkl", stored uncompressed (torch.save, serialization since 1.6).
bool isPyTorchZip(const FileStart& start) {
    constexpr std::size_t kLocalHeader = 30;
    constexpr std::size_t kNameLength = 26;
    if (!start.hasAt(0, "PK\x03\x04"sv) || start.bytes.size() < kLocalHeader) {
        return false;
    }
    const auto length = load<std::uint16_t>(reinterpret_cast<const std::byte*>(start.bytes.data()) + kNameLength);
    const std::string_view name = start.bytes.substr(kLocalHeader, length);
    return name.ends_with("/data.pkl"sv) || name.ends_with("/version"sv) || name.ends_with("/.format_version"sv);
}

// A tar archive with one of the four files of an old checkpoint near its beginning, where extended headers may come
// first.
bool isPyTorchTar(const FileStart& start) {
    constexpr std::size_t kBlock = 512;
    constexpr std::size_t kMagic = 257;
    for (std::size_t block = 0; start.hasAt(kMagic, "ustar"sv) && block < start.bytes.size(); block += kBlock) {
        const std::string_view header = start.bytes.substr(block);
        const std::string_view name = header.substr(0, header.find('\0'));
        if (start.hasAt(block + kMagic, "ustar"sv) &&
            (name == "sys_info"sv || name == "storages"sv || name == "tensors"sv || name == "pickle"sv)) {
            return true;
        }
    }
    return false;
}

// A safetensors file is a u64 length followed by as many bytes of JSON, which start with a brace (safetensors README).
// A length that is wrong does not hide what the JSON says.
bool isSafetensors(const FileStart& start) {
    if (start.bytes.size() < 10 || start.bytes[8] != '{') {
        return false;
    }
    const auto length = load<std::uint64_t>(reinterpret_cast<const std::byte*>(start.bytes.data()));
    const std::string_view json = start.bytes.substr(8);
    const auto next = json.find_first_not_of(" \t\r\n"sv, 1);
    const auto names = [&] { return json.contains("\"dtype\""sv) || json.contains("\"__metadata__\""sv); };
    return next != std::string_view::npos && (json[next] == '"' || json[next] == '}') &&
           ((length >= 2 && length <= kLargestHeader) || names());
}

// A pickle of protocol 2 or later that contains the magic number of torch.save before 1.6, as a 10-byte long integer.
bool isLegacyPyTorch(const FileStart& start) {
    return start.bytes.starts_with("\x80"sv) &&
           start.bytes.substr(0, 64).contains("\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19"sv);
}

// A pickle starts with the PROTO opcode and the protocol number. Those of protocols 0 and 1 have no such beginning;
// they are recognised if they begin with a dictionary or list that is memoized, or with a global whose use follows.
bool isPickle(const FileStart& start) {
    std::string_view text = start.bytes;
    if (text.size() > 2 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5) {
        return true;
    }
    if (text.starts_with("}q\0"sv) || text.starts_with("]q\0"sv) || text.starts_with("(dp"sv) ||
        text.starts_with("(lp"sv)) {
        return text.size() > 3;
    }
    text.remove_prefix(std::min(text.find_first_not_of('('), text.size()));
    if (text.empty() || (text[0] != 'c' && text[0] != 'i')) {
        return false;
    }
    text.remove_prefix(1);
    for (int part = 0; part < 2; ++part) { // module and name
        const std::size_t length = std::min(text.find('\n'), text.size());
        const bool isName = length != 0 && std::ranges::all_of(text.substr(0, length), [](char c) {
                                return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                                       c == '_' || c == '.';
                            });
        if (!isName || length + 1 >= text.size()) {
            return false;
        }
        text.remove_prefix(length + 1);
    }
    return "().pqto]}\x8C\x94"sv.contains(text[0]);
}

// A protocol buffer ModelProto: field 1 (ir_version, a small varint), then field 2 (producer_name, a short text) or
// field 7 or 8 (graph, opset). ONNX has no magic number.
bool isOnnx(const FileStart& start) {
    if (start.bytes.size() < 4 || start.bytes[0] != '\x08' || start.bytes[1] < 1 || start.bytes[1] > 20) {
        return false;
    }
    if (start.bytes[2] == '\x3A' || start.bytes[2] == '\x42') {
        return true;
    }
    const auto length = static_cast<unsigned char>(start.bytes[3]);
    if (start.bytes[2] != '\x12' || length == 0 || length > 100 || start.bytes.size() < 4U + length) {
        return false;
    }
    return std::ranges::all_of(start.bytes.substr(4, length), [](char c) { return c >= ' ' && c <= '~'; });
}

// UTF-8 without control characters other than white space.
bool isText(const FileStart& start) {
    return !start.bytes.empty() && isUtf8(start) && std::ranges::none_of(start.bytes, [](char c) {
        return (static_cast<unsigned char>(c) < ' ' && !"\t\n\r\f"sv.contains(c)) || c == '\x7F';
    });
}

bool isHtml(const FileStart& start) {
    const std::string text = asciiLowerText(afterSpace(start.bytes).substr(0, 16));
    return std::ranges::any_of(std::to_array({"<!doctype html"sv, "<html"sv, "<head"sv, "<body"sv}),
                               [&](std::string_view tag) { return text.starts_with(tag); });
}

bool isXml(const FileStart& start) { return isText(start) && afterSpace(start.bytes).starts_with("<?xml"sv); }

bool isJson(const FileStart& start) {
    const std::string_view text = afterSpace(start.bytes);
    if (!isText(start) || text.empty() || (text[0] != '{' && text[0] != '[')) {
        return false;
    }
    const std::string_view next = afterSpace(text.substr(1));
    return !next.empty() && (text[0] == '{' ? "\"}"sv : "\"{[]-0123456789"sv).contains(next[0]);
}

// The JSON file that lists the layers of a model in the store of Ollama.
bool isOllamaManifest(const FileStart& start) {
    return isJson(start) && start.bytes.contains("\"application/vnd.ollama.image."sv);
}

// The JSON file that says which shard has which tensor (Hugging Face transformers): "model.safetensors.index.json".
bool isShardIndex(const FileStart& start) { return start.path.native().ends_with(".index.json") && isJson(start); }

bool isSavedInPlace(std::span<const std::byte, kSavedStart> start) {
    const std::string_view bytes(reinterpret_cast<const char*>(start.data()), start.size());
    return bytes.starts_with("GGUF"sv) || (load<std::uint64_t>(start.data()) <= kLargestHeader && bytes.back() == '{');
}

} // namespace gufo::signature
