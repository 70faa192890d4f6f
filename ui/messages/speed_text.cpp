#include "ui/messages/speed_text.h"

#include "ui/messages/figure_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::int64_t kRateAfterMs = 400; // a rate is not meaningful earlier
constexpr double kMilliseconds = 1000;
constexpr int kSecondsShown = 90;

QString timeLeft(double seconds) {
    constexpr int kMinute = 60;
    constexpr double kLongest = 1e9; // as many seconds as an int can hold
    const auto whole = static_cast<int>(std::clamp(seconds, 1.0, kLongest));
    return whole < kSecondsShown ? QCoreApplication::translate("gufo::SpeedText", "%n s left", nullptr, whole)
                                 : QCoreApplication::translate("gufo::SpeedText", "%n min left", nullptr,
                                                               (whole + kMinute / 2) / kMinute);
}

} // namespace

QString speedText(double perSecond) {
    return QLocale(QLocale::English, QLocale::UnitedStates).toString(perSecond, 'f', perSecond < 100 ? 1 : 0);
}

QString transferText(std::uint64_t done, std::uint64_t total, std::int64_t elapsedMs) {
    if (elapsedMs < kRateAfterMs || done == 0 || total == 0) {
        return {};
    }
    const double rate = static_cast<double>(done) * kMilliseconds / static_cast<double>(elapsedMs);
    return QCoreApplication::translate("gufo::SpeedText", "%1/s, %2")
        .arg(formatBytes(static_cast<std::uint64_t>(rate)),
             timeLeft(static_cast<double>(total - std::min(done, total)) / rate));
}

} // namespace gufo::ui
