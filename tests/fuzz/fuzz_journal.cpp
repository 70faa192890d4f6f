// Parses the journal of a save from arbitrary bytes, whose checksum is corrected so that the code behind that check is
// reached. What parses must be consistent and encode to the same bytes.
#include "base/byte_order.h"
#include "base/quick_hash.h"
#include "formats/save/journal.h"
#include "require.h"

#include <algorithm>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gufo;
    const auto* start = reinterpret_cast<const std::byte*>(data);
    static_cast<void>(saving::parseJournal({start, size}));

    constexpr std::size_t kHead = 24;
    if (size < kHead) {
        return 0;
    }
    std::vector<std::byte> bytes(start, start + size);
    constexpr std::string_view kMark = "GUFOJRNL";
    std::ranges::copy(std::as_bytes(std::span(kMark)), bytes.begin());
    store(bytes.data() + 8, 3U + (std::to_integer<std::uint32_t>(bytes[8]) & 1U)); // without or with marks
    store(bytes.data() + 16, static_cast<std::uint64_t>(size - kHead));
    const std::uint64_t hash = quickHash(bytes);
    bytes.resize(size + sizeof hash);
    store(bytes.data() + size, hash);
    const auto journal = saving::parseJournal(bytes);
    if (!journal) {
        require(journal.error().code == ErrorCode::JournalDamaged);
        return 0;
    }
    require(saving::encodeJournal(*journal) == bytes);
    if (const auto* undo = std::get_if<saving::UndoJournal>(&*journal)) {
        for (const saving::UndoEntry& entry : undo->files) {
            require(!entry.name.empty() && entry.name.find('/') == std::string::npos);
            for (const saving::SavedRange& range : entry.ranges) {
                require(fits({range.offset, range.bytes.size()}, entry.oldSize));
            }
        }
    }
    return 0;
}
