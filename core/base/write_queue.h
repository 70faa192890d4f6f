// Writes the bytes that are passed to it on a separate thread, so that the caller can meanwhile produce the next ones.
// Bytes are written in the order in which they were passed.
//
// Threads: push() and finish() are called by one thread.
#pragma once

#include "base/byte_source.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace gufo {

class WriteQueue {
public:
    // Called by the queue's thread only.
    using Write = std::function<Result<>(Bytes)>;
    explicit WriteQueue(Write write);
    // Drops the bytes that have not been written yet, but completes the block that is being written.
    ~WriteQueue();
    WriteQueue(const WriteQueue&) = delete;
    WriteQueue& operator=(const WriteQueue&) = delete;

    // The limit on the bytes that are queued: while it is reached, push() waits.
    static constexpr std::size_t kMaxBytes = 16U << 20U;
    static constexpr std::size_t kBlockBytes = 1U << 20U;

    // Copies the bytes. Errors: the first one of `write`, after which nothing more is written.
    [[nodiscard]] Result<> push(Bytes bytes);
    // The same without a copy: the bytes must stay as they are until finish() has returned or the queue is destroyed.
    [[nodiscard]] Result<> pushKept(Bytes bytes);
    // Waits until everything has been written. Errors: as above.
    [[nodiscard]] Result<> finish();

private:
    struct Block {
        std::vector<std::byte> copied;
        Bytes kept; // instead, if there are any
    };
    void run(const std::stop_token& stop);
    [[nodiscard]] Result<> send(Block block);
    [[nodiscard]] Result<> sendFilled();

    Write m_write;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<Block> m_waiting;
    std::vector<std::vector<std::byte>> m_free; // blocks that were written, for reuse
    std::vector<std::byte> m_filling;           // the caller's
    bool m_writing = false;
    Result<> m_result;
    std::jthread m_thread; // last, because it uses the others
};

} // namespace gufo
