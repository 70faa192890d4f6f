#include "quantize/calibration_store.h"

#include "base/mapped_file.h"
#include "base/output_file.h"
#include "base/quick_hash.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>

namespace gufo {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeading = "gufo-factors 1"; // the number changes with what calibrate() measures
constexpr std::string_view kCommon = "*";
constexpr std::string_view kEnding = ".factors";
constexpr std::size_t kMostFiles = 256;
constexpr std::uint64_t kLongestFile = std::uint64_t{16} << 20U;
constexpr std::size_t kBeginning = 4'096; // bytes of a tensor that identify it

void addLine(std::string& text, double factor, std::string_view name) {
    std::array<char, 32> number{};
    const auto end = std::to_chars(number.data(), number.data() + number.size(), factor).ptr;
    text.append(number.data(), end).append(" ").append(name).append("\n");
}

// The next line of a text, which is shortened by it.
std::string_view takeLine(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

std::optional<SensitivityFactors> parseFactors(std::string_view text, const Model& model) {
    if (takeLine(text) != kHeading) {
        return {};
    }
    SensitivityFactors factors{.byRole = {}, .common = 0, .measured = true};
    while (!text.empty()) {
        const std::string_view line = takeLine(text);
        double factor = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), factor);
        if (error != std::errc() || !std::isfinite(factor) || factor < 0 || end == line.data() + line.size()) {
            return {};
        }
        const std::string_view name(end + 1, line.data() + line.size());
        if (name == kCommon) {
            factors.common = factor;
        } else if (model.findTensor(name)) {
            factors.byTensor.emplace(name, factor);
        } else {
            return {};
        }
    }
    addRoles(factors);
    return factors.common > 0 ? std::optional(std::move(factors)) : std::nullopt;
}

void deleteOldest(const fs::path& folder) {
    std::error_code ignored;
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.path().extension() == kEnding) {
            files.emplace_back(entry.last_write_time(ignored), entry.path());
        }
    }
    std::ranges::sort(files);
    for (std::size_t i = 0; i + kMostFiles < files.size(); ++i) {
        fs::remove(files[i].second, ignored);
    }
}

} // namespace

fs::path calibrationFolder() {
    // NOLINTBEGIN(concurrency-mt-unsafe): no thread changes the environment
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
        return fs::path(cache) / "gufo" / "calibrations";
    }
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
        return fs::path(home) / ".cache" / "gufo" / "calibrations";
    }
    // NOLINTEND(concurrency-mt-unsafe)
    return {};
}

std::string calibrationName(const Model& model, const CostTable& costs, std::span<const inference::BlameText> windows) {
    PieceHash hash;
    for (const TensorInfo& tensor : model.tensors) {
        hash.add(std::as_bytes(std::span(tensor.name)));
        hash.add(std::as_bytes(tensor.shape.dims()));
        if (const auto bytes = model.bytesOf(tensor)) {
            hash.add(bytes->first(std::min(bytes->size(), kBeginning)));
        }
    }
    for (const TensorCosts& tensor : costs.tensors) {
        for (const TypeCost& type : tensor.types) {
            hash.add(std::as_bytes(std::span(&type.typeId, 1)));
            hash.add(std::as_bytes(std::span(&type.error, 1)));
        }
    }
    for (const inference::BlameText& window : windows) {
        hash.add(std::as_bytes(std::span(window.tokens)));
        hash.add(std::as_bytes(std::span(&window.firstScored, 1)));
    }
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), hash.value(), 16).ptr;
    return std::string(digits.data(), end).append(kEnding);
}

std::optional<SensitivityFactors> storedFactors(const fs::path& folder, const std::string& name, const Model& model) {
    if (folder.empty()) {
        return {};
    }
    const auto file = MappedFile::open(folder / name);
    const auto bytes = file && (*file)->size() <= kLongestFile ? (*file)->view({0, (*file)->size()})
                                                               : Result<Bytes>(fail(ErrorCode::FileNotFound));
    return bytes ? parseFactors({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, model) : std::nullopt;
}

void storeFactors(const fs::path& folder, const std::string& name, const SensitivityFactors& factors) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (folder.empty() || error) {
        return;
    }
    std::string text = std::string(kHeading) + '\n';
    addLine(text, factors.common, kCommon);
    for (const auto& [tensor, factor] : factors.byTensor) {
        addLine(text, factor, tensor);
    }
    if (writeWholeFile(folder / name, text)) {
        deleteOldest(folder);
    }
}

Result<SensitivityFactors> calibrateOnce(const std::shared_ptr<const Model>& model,
                                         const std::shared_ptr<const Imatrix>& imatrix, const CostTable& costs,
                                         std::span<const inference::BlameText> windows,
                                         const inference::SessionOptions& options, const fs::path& folder,
                                         const JobContext& job) {
    const std::string name = calibrationName(*model, costs, windows);
    if (auto stored = storedFactors(folder, name, *model)) {
        return std::move(*stored);
    }
    SensitivityFactors factors = GUFO_TRY(calibrate(model, imatrix, costs, windows, options, job));
    storeFactors(folder, name, factors);
    return factors;
}

} // namespace gufo
