// Lets a wait for input end on a stop request.
#pragma once

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <stop_token>
#include <unistd.h>
#include <utility>

namespace gufo::cli {

// A pipe that becomes readable on a stop request. The descriptor is -1 if the system has none left.
class StopPipe {
public:
    explicit StopPipe(std::stop_token stop) {
        if (pipe2(m_ends.data(), O_CLOEXEC) == 0) {
            m_callback.emplace(std::move(stop), Wake{m_ends[1]});
        }
    }
    ~StopPipe() {
        m_callback.reset();
        for (const int end : m_ends) {
            if (end >= 0) {
                close(end);
            }
        }
    }
    StopPipe(const StopPipe&) = delete;
    StopPipe& operator=(const StopPipe&) = delete;
    [[nodiscard]] int readable() const { return m_ends[0]; }

private:
    struct Wake {
        int end;
        void operator()() const {
            while (write(end, "s", 1) < 0 && errno == EINTR) {
            }
        }
    };
    std::array<int, 2> m_ends{-1, -1};
    std::optional<std::stop_callback<Wake>> m_callback;
};

} // namespace gufo::cli
