// Small files for the tests of the GGUF reader.
#pragma once

#include "base/detail.h"
#include "formats/gguf/read/reader.h"
#include "formats/gguf/read/reader_limits.h"
#include "model/array_index.h"
#include "support/gguf_builder.h"

#include <QTest>

#include <functional>

namespace gufo::test {

using Build = std::function<GgufBuilder()>;

inline constexpr std::uint32_t kI8 = 24;
inline constexpr std::uint64_t kTwo32 = std::uint64_t{1} << 32U;
inline constexpr std::uint64_t kTwo63 = std::uint64_t{1} << 63U;
inline constexpr std::uint64_t kMax = ~std::uint64_t{0};

inline std::vector<std::byte> filledBytes(std::size_t count, std::uint8_t value) {
    return std::vector(count, std::byte{value});
}

inline GgufBuilder smallGguf() {
    GgufBuilder file;
    file.key("general.architecture", "llama");
    return file;
}

inline std::vector<std::string> namesOfFindings(const std::vector<Finding>& findings) {
    std::vector<std::string> names;
    for (const Finding& finding : findings) {
        names.emplace_back(finding.name());
    }
    return names;
}

inline QString joined(const std::vector<std::string>& names) {
    QStringList list;
    for (const std::string& name : names) {
        list << QString::fromStdString(name);
    }
    return list.join(' ');
}

// Records which ranges were announced.
class NotingSource final : public ByteSource {
public:
    explicit NotingSource(std::shared_ptr<const ByteSource> source)
        : m_source(std::move(source)) {}
    [[nodiscard]] std::uint64_t size() const override { return m_source->size(); }
    [[nodiscard]] Result<Bytes> view(ByteRange range) const override { return m_source->view(range); }
    [[nodiscard]] const std::filesystem::path& path() const override { return m_source->path(); }
    void advise(ByteRange range, Access access) const override {
        if (access == Access::WillNeed) {
            m_needed.push_back(range);
        }
    }
    [[nodiscard]] const std::vector<ByteRange>& needed() const { return m_needed; }

private:
    std::shared_ptr<const ByteSource> m_source;
    mutable std::vector<ByteRange> m_needed;
};

} // namespace gufo::test
