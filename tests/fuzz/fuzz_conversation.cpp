// Reads arbitrary text as the messages of a conversation, writes them and reads them again, which must give the same,
// and links tool results to tool calls.
#include "require.h"
#include "text/conversation/conversation.h"

using namespace gufo;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    (void)text::linkToolCalls(std::string(text));
    const auto messages = text::readMessages(text);
    if (!messages) {
        return 0;
    }
    const std::string written = text::messagesJson(*messages);
    const auto again = text::readMessages(written);
    require(again && *again == *messages);
    const std::string linked = text::linkToolCalls(written);
    const auto read = text::readMessages(linked);
    require(read && read->size() == messages->size());
    require(text::linkToolCalls(linked) == linked); // there is nothing left to link
    return 0;
}
