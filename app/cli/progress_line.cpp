#include "cli/progress_line.h"

#include "cli/terminal_text.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/save_text.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace gufo::cli {
namespace {

using namespace std::chrono_literals;
constexpr auto kFirstAfter = 300ms; // short work shows nothing
constexpr auto kInterval = 100ms;
constexpr std::string_view kClearLine = "\r\x1b[K";

int errorColumns() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

} // namespace

ProgressLine::ProgressLine(const Console& console, QString what, std::uint64_t total)
    : m_what(std::move(what))
    , m_total(total) {
    if (!console.errorsAreTerminal()) {
        return;
    }
    m_painter = std::jthread([this](const std::stop_token& stop) {
        std::unique_lock lock(m_mutex);
        auto wait = kFirstAfter;
        while (!m_ended.wait_for(lock, stop, wait, [&] { return stop.stop_requested(); })) {
            if (stop.stop_requested()) {
                break;
            }
            paint();
            wait = kInterval;
        }
        if (m_painted) {
            Output(STDERR_FILENO).write(kClearLine);
        }
    });
}

ProgressLine::~ProgressLine() = default;

void ProgressLine::nextStep(const QString& what, std::uint64_t bytes) {
    const std::scoped_lock lock(m_mutex);
    m_what = what;
    m_before += m_step;
    m_step = bytes;
    m_progress.start(0);
}

void ProgressLine::paint() {
    // Each step counts in its own units: one pass over the bytes, or two.
    const std::uint64_t units = m_progress.total();
    const double share =
        units != 0 ? std::min(1.0, static_cast<double>(m_progress.done()) / static_cast<double>(units)) : 0;
    const std::uint64_t total = m_total != 0 ? m_total : units;
    const std::uint64_t step = m_total != 0 ? m_step : units;
    const std::uint64_t done = m_before + static_cast<std::uint64_t>(share * static_cast<double>(step));
    QString text = m_what;
    if (total != 0) {
        const auto percent = static_cast<int>(100.0 * static_cast<double>(done) / static_cast<double>(total));
        text = QStringLiteral("%1 %  %2 / %3  %4")
                   .arg(percent, 3)
                   .arg(m_unit != Unit::Tokens ? ui::formatBytes(done) : ui::formatCount(done),
                        m_unit != Unit::Tokens ? ui::formatBytes(total)
                                               : Cli::tr("%n tokens", nullptr, ui::numerus(total)),
                        m_what);
        m_time.add(done, total);
        if (const auto rate = m_unit == Unit::BytesWithRate ? m_time.rate() : std::nullopt) {
            text += QStringLiteral("  ") + Cli::tr("%1/s").arg(ui::formatBytes(static_cast<std::uint64_t>(*rate)));
        }
        if (const auto left = m_time.left()) {
            text = QStringLiteral("%1  %2").arg(text, ui::timeLeftText(*left));
        }
    }
    Output errors(STDERR_FILENO);
    errors.write(kClearLine);
    errors.write(cutToWidth(text, errorColumns() - 1));
    m_painted = true;
}

} // namespace gufo::cli
