#include "net/http.h"

#include "base/detail.h"
#include "base/server_words.h"
#include "base/try.h"
#include "net/address_rules.h"
#include "net/exchange.h"
#include "net/network_thread.h"

#include <QDateTime>
#include <QHostInfo>
#include <QNetworkProxyFactory>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <optional>

namespace gufo::net {
namespace {

// The proxy of the desktop or of the environment (https_proxy, no_proxy). It is never used for this computer.
class SystemProxies final : public QNetworkProxyFactory {
public:
    QList<QNetworkProxy> queryProxy(const QNetworkProxyQuery& query) override {
        const QHostAddress literal = literalAddress(query.peerHostName());
        if (!literal.isNull() && reachOf(literal) == Reach::Computer) {
            return {QNetworkProxy(QNetworkProxy::NoProxy)};
        }
        return systemProxyForQuery(query);
    }
};

bool isProxied(const QUrl& url) {
    const QList<QNetworkProxy> proxies = SystemProxies().queryProxy(QNetworkProxyQuery(url));
    return !proxies.isEmpty() && proxies.front().type() != QNetworkProxy::NoProxy;
}

// The result of a look-up, passed from the network thread to the thread that waits.
struct LookedUp {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::optional<QHostInfo> info;
};

// Errors: ConnectionFailed, Cancelled.
Result<Reach> reachOfHost(NetworkThread& thread, const QUrl& url, const JobContext& job) {
    if (const QHostAddress literal = literalAddress(url.host()); !literal.isNull()) {
        return reachOf(literal);
    }
    if (isProxied(url)) {
        return Reach::Public; // the proxy looks the name up, and decides which hosts may be reached through it
    }
    constexpr auto kLookUpTime = std::chrono::seconds(30);
    auto found = std::make_shared<LookedUp>();
    thread.post([&manager = thread.manager(), found, name = url.host()] {
        QHostInfo::lookupHost(name, &manager, [found](const QHostInfo& info) {
            const std::scoped_lock lock(found->mutex);
            found->info = info;
            found->changed.notify_all();
        });
    });
    std::unique_lock lock(found->mutex);
    found->changed.wait_for(lock, job.stop, kLookUpTime, [&] { return found->info.has_value(); });
    GUFO_TRY(job.check());
    if (!found->info || found->info->addresses().isEmpty()) {
        return fail(ErrorCode::ConnectionFailed, {}, {url.host().toStdString(), Detail::HostNotFound});
    }
    const QList<QHostAddress> addresses = found->info->addresses();
    return reachOf(std::span(addresses.begin(), addresses.end()));
}

// The address that a reply redirects to. Errors: AddressRefused, ConnectionFailed, Cancelled.
Result<QUrl> redirectTarget(NetworkThread& thread, const QUrl& from, const Reply& reply, const Request& request,
                            const JobContext& job) {
    const std::string_view location = reply.header("location");
    const QUrl relative(QString::fromUtf8(location.data(), static_cast<qsizetype>(location.size())));
    const auto to = checkedAddress(from.resolved(relative).toEncoded().toStdString(), request.plainHosts);
    if (!to) {
        const bool isPlain = to.error().args.front().detail() == Detail::PlainHttpRefused;
        return isPlain ? fail(ErrorCode::AddressRefused, {},
                              {{Detail::RedirectUnencrypted, to.error().args.front().args()}})
                       : std::unexpected(to.error());
    }
    const auto toReach = reachOfHost(thread, *to, job);
    // The reach of `from` only matters if the target is not public.
    const auto fromReach = GUFO_TRY(toReach && *toReach != Reach::Public ? reachOfHost(thread, from, job) : toReach);
    GUFO_TRY(checkRedirect(from, fromReach, *to, *toReach));
    return to;
}

// How long the server wants to be left alone: a number of seconds, or a time. Nothing if it does not say so.
std::optional<std::chrono::seconds> pauseOf(const Reply& reply) {
    const std::string_view text = reply.header("retry-after");
    if ((reply.status != 429 && reply.status != 503) || text.empty()) {
        return std::nullopt;
    }
    const QString value = QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size())).trimmed();
    bool isNumber = false;
    const double seconds = value.toDouble(&isNumber); // some servers send fractions
    if (isNumber && std::isfinite(seconds)) {         // "nan" and "inf" are numbers for QString
        return std::chrono::seconds(static_cast<std::int64_t>(std::ceil(std::clamp(seconds, 1.0, 1e6))));
    }
    const QDateTime until = QDateTime::fromString(value, Qt::RFC2822Date); // also reads "GMT"
    if (!until.isValid()) {
        return std::nullopt;
    }
    return std::chrono::seconds(std::max<qint64>(1, QDateTime::currentDateTimeUtc().secsTo(until)));
}

// Returns false if the job is cancelled before the time has passed.
bool waitFor(std::chrono::seconds time, const JobContext& job) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, job.stop, time, [] { return false; });
    return !job.stopRequested();
}

bool isFollowed(const Reply& reply, Method method) {
    const bool redirects =
        reply.status == 301 || reply.status == 302 || reply.status == 303 || reply.status == 307 || reply.status == 308;
    return redirects && method != Method::Post && !reply.header("location").empty();
}

constexpr std::string_view kSpace = " \t\r\n";

// The compiler must not remove writes through a volatile pointer, although the memory is not read again.
void overwrite(std::string& characters) {
    volatile char* at = characters.data();
    for (std::size_t i = 0; i < characters.size(); ++i) {
        at[i] = '\0';
    }
    characters.clear();
}

} // namespace

Secret::Secret(std::string&& characters) {
    const std::size_t begin = characters.find_first_not_of(kSpace);
    if (begin != std::string::npos) {
        m_characters = characters.substr(begin, characters.find_last_not_of(kSpace) + 1 - begin);
    }
    overwrite(characters);
}

Secret& Secret::operator=(const Secret& other) {
    if (this != &other) {
        wipe();
        m_characters = other.m_characters;
    }
    return *this;
}

Secret::~Secret() { wipe(); }

void Secret::wipe() { overwrite(m_characters); }

// The manager is created here and moved to its thread, because post() needs it before the thread has started.
NetworkThread::NetworkThread()
    : m_manager(new QNetworkAccessManager) {
    m_manager->setProxyFactory(new SystemProxies);
    m_manager->setAutoDeleteReplies(false);
    m_manager->moveToThread(&m_thread);
    QObject::connect(&m_thread, &QThread::finished, m_manager, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("network"));
    m_thread.start();
}

NetworkThread::~NetworkThread() {
    m_thread.quit();
    m_thread.wait();
}

std::string_view Reply::header(std::string_view name) const {
    const auto found = std::ranges::find(headers, name, &Header::name);
    return found != headers.end() ? std::string_view(found->value) : std::string_view();
}

Client::Client()
    : m_thread(std::make_unique<NetworkThread>()) {}

Client::~Client() = default;

Result<Reply> Client::send(const Request& request, const Receiver& receiver, const JobContext& job) {
    QUrl url = GUFO_TRY(checkedAddress(request.url, request.plainHosts));
    const QUrl origin = url;
    bool withToken = true;
    std::chrono::seconds patience = request.patience;
    const auto isAskedToWait = [&](const Reply& reply) {
        const auto pause = pauseOf(reply);
        return pause && *pause <= patience;
    };
    Receiver patient = receiver; // a reply after which the request is sent again is not for the caller
    patient.head = [&](const Reply& head) {
        return receiver.head && !isAskedToWait(head) ? receiver.head(head) : Result<>();
    };
    for (int redirects = 0;; ++redirects) {
        auto reply = std::make_shared<Exchange>(*m_thread, url)->run(request, withToken, patient, job);
        if (reply && isAskedToWait(*reply)) {
            const auto pause = *pauseOf(*reply);
            patience -= pause;
            --redirects;
            if (!waitFor(pause, job)) {
                return fail(ErrorCode::Cancelled);
            }
            continue;
        }
        if (!reply || !isFollowed(*reply, request.method)) {
            return reply;
        }
        if (redirects == kMaxRedirects) {
            return std::unexpected(Error{ErrorCode::AddressRefused,
                                         shownAddress(request.url),
                                         {},
                                         {{Detail::RedirectLimit, {kMaxRedirects}}},
                                         0});
        }
        auto target = redirectTarget(*m_thread, url, *reply, request, job);
        if (!target) {
            Error error = target.error();
            error.file = error.file.empty() ? std::filesystem::path(shownAddress(request.url)) : error.file;
            return std::unexpected(std::move(error));
        }
        url = *std::move(target);
        withToken = withToken && isSameOrigin(origin, url); // another host may redirect back; then it stays omitted
    }
}

std::shared_ptr<Client> Client::shared() {
    static std::mutex mutex;
    static std::weak_ptr<Client> current;
    const std::scoped_lock lock(mutex);
    auto client = current.lock();
    if (client == nullptr) {
        client = std::make_shared<Client>();
        current = client;
    }
    return client;
}

Result<> requireSuccess(const Reply& reply) {
    if (reply.isSuccess()) {
        return {};
    }
    const std::string_view said = reply.header("x-error-message");
    std::string words = said.empty() ? errorWords(reply.errorBody) : oneLine(said);
    return std::unexpected(
        Error{ErrorCode::HttpStatus, shownAddress(reply.url), {}, {reply.status, std::move(words)}, 0});
}

std::string shownAddress(std::string_view url) {
    const std::string_view path = url.substr(0, url.find_first_of("?#"));
    const std::size_t host = path.find("//");
    const std::size_t hostEnd = host != path.npos ? path.find('/', host + 2) : path.npos;
    const std::size_t at = host != path.npos ? path.substr(0, hostEnd).rfind('@') : path.npos;
    if (at == path.npos || at < host) {
        return std::string(path);
    }
    return std::string(path.substr(0, host + 2)) + std::string(path.substr(at + 1));
}

} // namespace gufo::net
