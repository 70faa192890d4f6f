// Reads bytes as a message from the process of another engine and as one to it. What can be read is written again, and
// must give the same message. A size that is only announced must not cause an allocation.
#include "channel/message_bytes.h"
#include "require.h"

#include <algorithm>

using namespace gufo;
using namespace gufo::channel;

namespace {

template<typename Message>
void comesBack(const Message& message, std::span<const std::byte> body) {
    const auto written = bytesOf(message);
    require(written.size() == body.size() + kHeadBytes);
    require(std::ranges::equal(std::span(written).subspan(kHeadBytes), body));
    require(bodyLength(written).value() == body.size());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto body = std::as_bytes(std::span(data, size));
    if (const auto request = readRequest(body)) {
        comesBack(*request, body);
    }
    if (const auto reply = readReply(body)) {
        comesBack(*reply, body);
    }
    if (size >= kHeadBytes) {
        require(!bodyLength(body) || *bodyLength(body) <= kLongestMessage);
    }
    return 0;
}
