#include "hub/remote_model.h"

#include "base/detail.h"
#include "base/parallel.h"
#include "base/wait_scope.h"
#include "formats/fetched_model.h"
#include "net/model_address.h"

#include <mutex>
#include <utility>

namespace gufo::hub {

Result<std::shared_ptr<const Model>> openRemoteModel(const std::shared_ptr<net::Client>& client,
                                                     const std::string& address, const JobContext& job,
                                                     const OpeningWatch& watch) {
    // The readers' views wait for the network; a caller without a job may have opened a scope of its own.
    const WaitScope scope(job.stop.stop_possible() ? job.stop : WaitScope::current());
    const SourceOpener open = [&](const std::filesystem::path& file,
                                  Links) -> Result<std::shared_ptr<const ByteSource>> {
        auto source =
            net::RemoteSource::open(client, net::requestFor(file.native()), job, net::PageCache::userFolder());
        if (source) {
            if (watch.source) {
                watch.source(*source);
            }
            return *std::move(source);
        }
        Error error = std::move(source).error();
        if (error.code == ErrorCode::HttpStatus && error.args[0].text() == "404" && file != address) {
            error.code = ErrorCode::FileNotFound; // by which the reader of shards knows that a shard is missing
        }
        return std::unexpected(std::move(error));
    };
    auto file = GUFO_TRY(open(address, Links::Follow));
    return readFetchedModel(std::move(file), job, open, watch.header);
}

Result<> readHeaders(const std::shared_ptr<net::Client>& client, std::span<const ModelFiles> models,
                     const HeaderReceiver& receiver, const JobContext& job) {
    job.start(models.size());
    std::mutex mutex; // guards calls of the receiver
    const JobContext opening{.stop = job.stop};
    const JobContext sideBySide{.stop = job.stop, .threads = kHeaderConnections};
    const bool isComplete =
        parallelFor(models.size(), 1, sideBySide, [&](std::uint64_t index, std::uint64_t, unsigned) {
            auto model = openRemoteModel(client, models[index].files.front().url, opening);
            job.advance(1);
            if (!job.stopRequested()) {
                const std::scoped_lock lock(mutex);
                receiver(index, std::move(model));
            }
        });
    return isComplete && !job.stopRequested() ? Result<>() : fail(ErrorCode::Cancelled);
}

} // namespace gufo::hub
