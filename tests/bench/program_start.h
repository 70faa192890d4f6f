// Starts the programs as a user does, in order to measure how long they take and how much memory the window has of its
// own. Screens are those of Xvfb, which writes what it shows to a file.
#pragma once

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace gufo::bench {

// A process of its own, without output. It is ended and awaited at the end of its life.
class Program {
public:
    explicit Program(std::vector<std::string> words, std::vector<std::string> environment = {}) {
        std::vector<char*> arguments;
        for (std::string& word : words) {
            arguments.push_back(word.data());
        }
        arguments.push_back(nullptr);
        std::vector<char*> variables;
        for (std::string& variable : environment) {
            variables.push_back(variable.data());
        }
        for (char** inherited = environ; *inherited != nullptr; ++inherited) {
            variables.push_back(*inherited);
        }
        variables.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        if (posix_spawnp(&m_id, arguments[0], &actions, nullptr, arguments.data(), variables.data()) != 0) {
            m_id = 0;
        }
        posix_spawn_file_actions_destroy(&actions);
    }
    ~Program() {
        if (m_id != 0) {
            ::kill(m_id, SIGTERM);
            static_cast<void>(wait());
        }
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    [[nodiscard]] bool started() const { return m_id != 0; }
    // Returns whether it ended by itself without an error.
    [[nodiscard]] bool wait() {
        int status = 1;
        const bool ended = m_id != 0 && ::waitpid(m_id, &status, 0) == m_id;
        m_id = 0;
        return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    // In bytes: what belongs to this process alone and is not a page of a file.
    [[nodiscard]] std::uint64_t ownMemory() const { return reported("Pss_Anon:") + reported("Pss_Shmem:"); }
    // The same with the process's share of all mapped files: the model, the program and its libraries.
    [[nodiscard]] std::uint64_t allMemory() const { return reported("Pss:"); }

private:
    [[nodiscard]] std::uint64_t reported(const std::string& name) const {
        std::ifstream figures("/proc/" + std::to_string(m_id) + "/smaps_rollup");
        for (std::string word; figures >> word;) {
            if (std::uint64_t kibibytes = 0; word == name && figures >> kibibytes) {
                return kibibytes << 10U;
            }
        }
        return 0;
    }

    pid_t m_id = 0;
};

// A screen of 1366 × 768 pixels, black as long as nothing is shown.
class Screen {
public:
    explicit Screen(const std::filesystem::path& folder)
        : m_name(":" + std::to_string(200 + getpid() % 1000))
        , m_file(folder / "Xvfb_screen0")
        , m_server({"Xvfb", m_name, "-screen", "0", "1366x768x24", "-fbdir", folder.string()})
        , m_environment{"DISPLAY=" + m_name, "QT_QPA_PLATFORM=xcb"} {
        // Settings and state of their own, so that nothing of the user's is read or changed.
        for (const char* kind : {"CONFIG", "DATA", "STATE", "CACHE"}) {
            m_environment.push_back("XDG_" + std::string(kind) + "_HOME=" + folder.string());
        }
        m_environment.push_back("XDG_RUNTIME_DIR=" + folder.string());
        std::error_code missing;
        for (int i = 0; i < 200 && std::filesystem::file_size(m_file, missing) < kBytes; ++i) {
            pause(20);
        }
        pause(300); // Xvfb accepts connections a little later
    }

    [[nodiscard]] bool works() const {
        std::error_code missing;
        const auto size = std::filesystem::file_size(m_file, missing);
        return !missing && size >= kBytes;
    }
    [[nodiscard]] const std::vector<std::string>& environment() const { return m_environment; }
    [[nodiscard]] bool shows() const {
        std::ifstream file(m_file, std::ios::binary);
        file.seekg(-static_cast<std::streamoff>(kBytes), std::ios::end);
        std::vector<char> pixels(kBytes);
        file.read(pixels.data(), static_cast<std::streamsize>(pixels.size()));
        // Colours only: the fourth byte of a pixel is not shown.
        for (std::size_t i = 0; i < pixels.size(); i += 4) {
            if (pixels[i] != 0 || pixels[i + 1] != 0 || pixels[i + 2] != 0) {
                return true;
            }
        }
        return false;
    }
    static void pause(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

private:
    static constexpr std::size_t kBytes = std::size_t{1366} * 768 * 4;

    std::string m_name;
    std::filesystem::path m_file;
    Program m_server;
    std::vector<std::string> m_environment;
};

// The least and the median of times in milliseconds.
struct Times {
    std::vector<double> all;
    void add(std::chrono::steady_clock::time_point begun) {
        all.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count());
        std::ranges::sort(all);
    }
    [[nodiscard]] double least() const { return all.front(); }
    [[nodiscard]] double median() const { return all[all.size() / 2]; }
};

} // namespace gufo::bench
