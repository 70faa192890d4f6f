#include "support/idle.h"

#include <QMutex>
#include <QObject>
#include <QStringList>
#include <QTest>
#include <QThread>
#include <QTimer>

#include <cstring>
#include <unordered_set>

// Qt's hooks for tools that list objects; the indices are part of its binary interface. [3] is called with each new
// object, [4] with each that is destroyed. Timers that are members have no parent, so they cannot be found otherwise.
extern Q_CORE_EXPORT quintptr qtHookData[];

namespace gufo::test {
namespace {

constexpr int kRounds = 3; // pending paint events are handled between two of them
constexpr int kMinuteMs = 60'000;
constexpr int kSoonMs = 2'000; // notices disappear after a longer time

class Objects {
public:
    static Objects& all() {
        static auto* const objects = new Objects; // leaked, because Qt destroys objects after main() has returned
        return *objects;
    }

    void add(QObject* object) {
        const QMutexLocker lock(&m_mutex);
        m_objects.insert(object);
    }
    void remove(QObject* object) {
        const QMutexLocker lock(&m_mutex);
        m_objects.erase(object);
    }

    // The object that keeps the program busy and its parents, outermost last, such as "QTimer < gufo::ui::ChatPage";
    // empty if there is none.
    [[nodiscard]] QString busyObject() {
        const QMutexLocker lock(&m_mutex);
        for (const QObject* object : m_objects) {
            if (object->thread() == QThread::currentThread() && isBusy(*object)) {
                QStringList names;
                for (; object != nullptr; object = object->parent()) {
                    const QLatin1String name(object->metaObject()->className());
                    names << (object->objectName().isEmpty() ? QString(name) : name + u' ' + object->objectName());
                }
                return names.join(QLatin1String(" < "));
            }
        }
        return {};
    }

private:
    // Reserved at once, because the soak test counts this table as part of the heap.
    Objects() { m_objects.reserve(1 << 16); }
    static bool isBusy(const QObject& object) {
        if (const auto* timer = qobject_cast<const QTimer*>(&object)) {
            // Where the system watches no more files for it, Qt looks at them itself from time to time.
            const QObject* owner = timer->parent();
            const bool polls = owner != nullptr &&
                               std::strcmp(owner->metaObject()->className(), "QPollingFileSystemWatcherEngine") == 0;
            return timer->isActive() && timer->interval() <= kSoonMs && !polls &&
                   timer->objectName() != QLatin1String("watchdog");
        }
        return std::strcmp(object.metaObject()->className(), "gufo::ui::Job") == 0;
    }

    QMutex m_mutex;
    std::unordered_set<QObject*> m_objects;
};

const bool kHooked = [] {
    Objects::all();
    qtHookData[3] = reinterpret_cast<quintptr>(+[](QObject* object) { Objects::all().add(object); });
    qtHookData[4] = reinterpret_cast<quintptr>(+[](QObject* object) { Objects::all().remove(object); });
    return true;
}();

} // namespace

bool waitUntilIdle(const std::function<bool()>& done) {
    Q_UNUSED(kHooked);
    int rounds = 0;
    QString busy;
    const bool idle = QTest::qWaitFor(
        [&] {
            busy = Objects::all().busyObject();
            rounds = busy.isEmpty() && (!done || done()) ? rounds + 1 : 0;
            return rounds == kRounds;
        },
        kMinuteMs);
    if (!idle) {
        qWarning("not idle after a minute: %s", busy.isEmpty() ? "what the caller waits for" : qPrintable(busy));
    }
    return idle;
}

void spinEventLoop() {
    int rounds = 0;
    (void)QTest::qWaitFor([&] { return ++rounds > kRounds; });
}

} // namespace gufo::test
