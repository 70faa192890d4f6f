#include "analysis/nearest_rows.h"

#include "analysis/slice.h"
#include "base/detail.h"
#include "base/parallel.h"

#include <algorithm>
#include <cmath>

namespace gufo {
namespace {

constexpr std::uint64_t kMostRows = 1U << 24U;        // that are compared
constexpr std::uint64_t kMostWeightsRead = 1U << 24U; // of chosen rows
constexpr std::uint64_t kRowBlockWeights = 1U << 20U; // that are held at a time, if rows are not longer
constexpr std::uint64_t kRowsOfChunk = 16;

double innerProduct(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    }
    return sum;
}

// The nearest of the rows that it has seen, at most `count` of them.
class Nearest {
public:
    explicit Nearest(std::size_t count)
        : m_count(count) {}

    void add(Neighbour row) {
        if (m_heap.size() == m_count) {
            if (m_count == 0 || !isNearer(row, m_heap.front())) {
                return;
            }
            std::ranges::pop_heap(m_heap, isNearer); // moves the farthest one to the end
            m_heap.pop_back();
        }
        m_heap.push_back(row);
        std::ranges::push_heap(m_heap, isNearer);
    }

    [[nodiscard]] std::vector<Neighbour> take() {
        std::ranges::sort_heap(m_heap, isNearer);
        return std::move(m_heap);
    }

private:
    static bool isNearer(const Neighbour& a, const Neighbour& b) {
        return a.cosine != b.cosine ? a.cosine > b.cosine : a.index < b.index;
    }

    std::size_t m_count;
    std::vector<Neighbour> m_heap; // the farthest one is first
};

} // namespace

Result<std::vector<float>> readRows(const Model& model, TensorIndex tensor, std::span<const std::uint64_t> rows,
                                    const JobContext& job) {
    const TensorInfo& info = model.tensor(tensor);
    const std::uint64_t columns = info.shape[0];
    if (columns != 0 && rows.size() > kMostWeightsRead / columns) {
        return fail(ErrorCode::InvalidArgument, Place::tensor(std::string(info.name)), {Detail::PictureSizeInvalid});
    }
    std::vector<float> values;
    values.reserve(rows.size() * columns);
    job.start(rows.size());
    for (const std::uint64_t row : rows) {
        const Slice slice = GUFO_TRY(
            readSlice(model, tensor, {.firstRow = row, .rows = 1, .firstColumn = 0, .columns = columns}, job.silent()));
        values.insert(values.end(), slice.values.begin(), slice.values.end());
        job.advance(1);
    }
    return values;
}

Result<std::vector<Neighbour>> nearestRows(const Model& model, TensorIndex tensor, std::uint64_t row, std::size_t count,
                                           const JobContext& job) {
    const TensorInfo& info = model.tensor(tensor);
    const std::uint64_t columns = info.shape[0];
    const std::uint64_t rows = info.shape[1];
    if (rows > kMostRows || columns == 0) {
        return fail(ErrorCode::InvalidArgument, Place::tensor(std::string(info.name)), {Detail::PictureSizeInvalid});
    }
    const std::vector<float> wanted = GUFO_TRY(readRows(model, tensor, std::span(&row, 1), job.silent()));
    const double length = std::sqrt(innerProduct(wanted, wanted));
    const std::uint64_t block = std::max<std::uint64_t>(kRowBlockWeights / columns, 1);
    std::vector<float> cosines(std::min(block, rows)); // of the rows that are held
    Nearest nearest(count);
    job.start(rows);
    for (std::uint64_t first = 0; first < rows; first += block) {
        const Slice slice = GUFO_TRY(
            readSlice(model, tensor,
                      {.firstRow = first, .rows = std::min(block, rows - first), .firstColumn = 0, .columns = columns},
                      job.silent()));
        const bool whole =
            parallelFor(slice.rows, kRowsOfChunk, job, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
                for (std::uint64_t i = begin; i < end; ++i) {
                    const auto other = std::span(slice.values).subspan(i * columns, columns);
                    const double cosine =
                        innerProduct(wanted, other) / (length * std::sqrt(innerProduct(other, other)));
                    cosines[i] = static_cast<float>(std::isnan(cosine) ? cosine : std::clamp(cosine, -1.0, 1.0));
                }
            });
        if (!whole) {
            return fail(ErrorCode::Cancelled);
        }
        for (std::uint64_t i = 0; i < slice.rows; ++i) {
            if (first + i != row && !std::isnan(cosines[i])) {
                nearest.add({.index = first + i, .cosine = cosines[i]});
            }
        }
        job.advance(slice.rows);
    }
    return nearest.take();
}

} // namespace gufo
