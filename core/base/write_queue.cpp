#include "base/write_queue.h"

#include <algorithm>
#include <utility>

namespace gufo {

WriteQueue::WriteQueue(Write write)
    : m_write(std::move(write))
    , m_thread([this](const std::stop_token& stop) { run(stop); }) {}

WriteQueue::~WriteQueue() = default; // the thread is asked to stop and waited for

void WriteQueue::run(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    while (m_changed.wait(lock, stop, [this] { return !m_waiting.empty(); }) && !stop.stop_requested()) {
        Block block = std::move(m_waiting.front());
        m_waiting.pop_front();
        m_writing = true;
        lock.unlock();
        auto written = m_write(block.kept.empty() ? Bytes(block.copied) : block.kept);
        block.copied.clear();
        lock.lock();
        m_writing = false;
        if (block.kept.empty()) {
            m_free.push_back(std::move(block.copied));
        }
        if (!written) {
            m_result = std::move(written);
            m_waiting.clear();
        }
        m_changed.notify_all();
        if (!m_result) {
            return;
        }
    }
}

// Passes a block on to the thread, and waits until there is room for the next.
Result<> WriteQueue::send(Block block) {
    std::unique_lock lock(m_mutex);
    if (m_result) {
        m_waiting.push_back(std::move(block));
        m_changed.notify_all();
        m_changed.wait(lock, [this] { return !m_result || m_waiting.size() < kMaxBytes / kBlockBytes; });
    }
    return m_result;
}

Result<> WriteQueue::sendFilled() {
    auto sent = send({.copied = std::exchange(m_filling, {}), .kept = {}});
    const std::lock_guard lock(m_mutex);
    if (!m_free.empty()) {
        m_filling = std::move(m_free.back());
        m_free.pop_back();
    }
    return sent;
}

Result<> WriteQueue::push(Bytes bytes) {
    while (!bytes.empty()) {
        m_filling.reserve(kBlockBytes);
        const std::size_t count = std::min(bytes.size(), kBlockBytes - m_filling.size());
        m_filling.insert(m_filling.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
        bytes = bytes.subspan(count);
        if (m_filling.size() < kBlockBytes) {
            continue;
        }
        GUFO_TRY(sendFilled());
    }
    return {};
}

Result<> WriteQueue::pushKept(Bytes bytes) {
    auto sent = m_filling.empty() ? Result<>() : sendFilled();
    while (sent && !bytes.empty()) {
        const std::size_t count = std::min(bytes.size(), kBlockBytes);
        sent = send({.copied = {}, .kept = bytes.first(count)});
        bytes = bytes.subspan(count);
    }
    return sent;
}

Result<> WriteQueue::finish() {
    if (!m_filling.empty()) {
        GUFO_TRY(sendFilled());
    }
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return !m_result || (m_waiting.empty() && !m_writing); });
    return m_result;
}

} // namespace gufo
