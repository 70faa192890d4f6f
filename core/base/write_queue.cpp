#include "base/write_queue.h"

#include <algorithm>

namespace gufo {

WriteQueue::WriteQueue(Write write)
    : m_write(std::move(write))
    , m_thread([this](const std::stop_token& stop) { run(stop); }) {}

WriteQueue::~WriteQueue() = default; // the thread is asked to stop and waited for

void WriteQueue::run(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    while (m_changed.wait(lock, stop, [this] { return !m_waiting.empty(); }) && !stop.stop_requested()) {
        std::vector<std::byte> block = std::move(m_waiting.front());
        m_waiting.pop_front();
        m_writing = true;
        lock.unlock();
        auto written = m_write(block);
        block.clear();
        lock.lock();
        m_writing = false;
        m_free.push_back(std::move(block));
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

// Passes the block that was filled on to the thread, and waits until there is room for the next.
Result<> WriteQueue::send(std::unique_lock<std::mutex>& lock) {
    if (m_result) {
        m_waiting.push_back(std::move(m_filling));
        m_changed.notify_all();
        m_changed.wait(lock, [this] { return !m_result || m_waiting.size() < kMaxBytes / kBlockBytes; });
    }
    m_filling.clear();
    if (!m_free.empty()) {
        m_filling = std::move(m_free.back());
        m_free.pop_back();
    }
    return m_result;
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
        std::unique_lock lock(m_mutex);
        if (auto sent = send(lock); !sent) {
            return sent;
        }
    }
    return {};
}

Result<> WriteQueue::finish() {
    std::unique_lock lock(m_mutex);
    if (!m_filling.empty()) {
        if (auto sent = send(lock); !sent) {
            return sent;
        }
    }
    m_changed.wait(lock, [this] { return !m_result || (m_waiting.empty() && !m_writing); });
    return m_result;
}

} // namespace gufo
