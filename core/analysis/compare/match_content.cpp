#include "analysis/compare/match_content.h"

#include "base/quick_hash.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace gufo {
namespace {

constexpr std::uint64_t kRun = 512; // weights read at one place, a multiple of every block size
constexpr std::uint64_t kRuns = 3;  // at the front, in the middle and at the end
// The cosine of two samples of the same weights is above 0.96 at 2 bits per weight, and about 0.9 at 1.6; of different
// weights it is within a few times 1/√1536 = 0.026 of 0. Means are subtracted, because the weights of norms are alike.
constexpr double kSame = 0.85;
constexpr double kOther = 0.6;
constexpr std::size_t kMaxPairs = std::size_t{1} << 18U; // of one shape; more are not compared weight by weight

struct Sample {
    std::vector<float> weights; // without their mean, and of length 1
    std::uint32_t typeId = 0;
    std::uint64_t hash = 0; // of the weights as decoded
};

// Nothing if the tensor cannot be decoded, is not complete, is very short or constant.
std::optional<Sample> sampleOf(const Model& model, const TensorPart& part) {
    constexpr std::uint64_t kMinimum = 32; // fewer weights say too little
    const std::uint64_t count = part.weights();
    if (count < kMinimum) {
        return std::nullopt;
    }
    const auto reader = PartReader::open(model, part);
    if (!reader || reader->present() < count) {
        return std::nullopt;
    }
    Sample sample;
    sample.typeId = reader->typeId();
    const std::uint64_t length = std::min(count, kRun);
    for (std::uint64_t run = 0; run < kRuns && (run == 0 || count >= kRuns * kRun); ++run) {
        const std::uint64_t first = (count - length) * run / (kRuns - 1) / kRun * kRun;
        const std::size_t before = sample.weights.size();
        sample.weights.resize(before + length);
        reader->read(first, std::span(sample.weights).subspan(before));
    }
    if (reader->source().damage() || !std::ranges::all_of(sample.weights, [](float w) { return std::isfinite(w); })) {
        return std::nullopt;
    }
    sample.hash = quickHash(std::as_bytes(std::span(sample.weights)));
    double mean = 0;
    for (const float weight : sample.weights) {
        mean += static_cast<double>(weight) / static_cast<double>(sample.weights.size());
    }
    double squares = 0;
    for (const float weight : sample.weights) {
        squares += (static_cast<double>(weight) - mean) * (static_cast<double>(weight) - mean);
    }
    if (!(squares > 0)) {
        return std::nullopt;
    }
    for (float& weight : sample.weights) {
        weight = static_cast<float>((static_cast<double>(weight) - mean) / std::sqrt(squares));
    }
    return sample;
}

double cosine(const Sample& a, const Sample& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.weights.size(); ++i) {
        sum += static_cast<double>(a.weights[i]) * static_cast<double>(b.weights[i]);
    }
    return sum;
}

// The dimensions without trailing ones; of a part of a tensor, its columns and rows.
std::vector<std::uint64_t> dimensionsOf(const Model& model, const TensorPart& part) {
    const Shape& shape = model.tensor(part.tensor).shape;
    std::vector<std::uint64_t> dims(shape.dims().begin(), shape.dims().end());
    if (part != wholeTensor(model, part.tensor)) {
        dims = {part.columns, part.rows};
    }
    while (!dims.empty() && dims.back() == 1) {
        dims.pop_back();
    }
    return dims;
}

struct Group { // of one shape
    std::vector<std::size_t> a;
    std::vector<std::size_t> b;
};

class ContentMatcher {
public:
    ContentMatcher(const Model& modelA, std::span<const TensorPart> a, const Model& modelB,
                   std::span<const TensorPart> b, const JobContext& job)
        : m_modelA(modelA)
        , m_a(a)
        , m_modelB(modelB)
        , m_b(b)
        , m_job(job) {}

    Result<std::vector<ContentPair>> run() {
        std::map<std::vector<std::uint64_t>, Group> groups;
        for (std::size_t i = 0; i < m_a.size(); ++i) {
            groups[dimensionsOf(m_modelA, m_a[i])].a.push_back(i);
        }
        for (std::size_t i = 0; i < m_b.size(); ++i) {
            groups[dimensionsOf(m_modelB, m_b[i])].b.push_back(i);
        }
        for (const auto& [shape, group] : groups) {
            if (!group.a.empty() && !group.b.empty() && !match(group)) {
                return fail(ErrorCode::Cancelled);
            }
        }
        return std::move(m_pairs);
    }

private:
    using Samples = std::vector<std::pair<std::size_t, Sample>>; // with their positions in the list

    // False if cancelled.
    bool read(const Model& model, std::span<const TensorPart> tensors, std::span<const std::size_t> which,
              Samples& samples) const {
        for (const std::size_t i : which) {
            if (m_job.stopRequested()) {
                return false;
            }
            if (auto sample = sampleOf(model, tensors[i])) {
                samples.emplace_back(i, *std::move(sample));
            }
        }
        return true;
    }

    bool match(const Group& group) {
        Samples a;
        Samples b;
        if (!read(m_modelA, m_a, group.a, a) || !read(m_modelB, m_b, group.b, b)) {
            return false;
        }
        matchEqual(a, b);
        return a.size() * b.size() > kMaxPairs || matchNearlyEqual(a, b);
    }

    // Pairs samples that occur once in each list, and removes all whose sample occurs in both.
    void matchEqual(Samples& a, Samples& b) {
        struct Found {
            std::vector<std::size_t> a;
            std::vector<std::size_t> b;
        };
        std::map<std::pair<std::uint32_t, std::uint64_t>, Found> found;
        const auto key = [](const Sample& sample) { return std::pair(sample.typeId, sample.hash); };
        for (const auto& [position, sample] : a) {
            found[key(sample)].a.push_back(position);
        }
        for (const auto& [position, sample] : b) {
            found[key(sample)].b.push_back(position);
        }
        for (const auto& [hash, both] : found) {
            if (both.a.size() == 1 && both.b.size() == 1) {
                m_pairs.push_back({both.a.front(), both.b.front()});
            }
        }
        const auto inBoth = [&](const auto& each) {
            const Found& both = found[key(each.second)];
            return !both.a.empty() && !both.b.empty();
        };
        std::erase_if(a, inBoth);
        std::erase_if(b, inBoth);
    }

    // Pairs samples that are nearly equal to each other and to no other.
    bool matchNearlyEqual(const Samples& a, const Samples& b) {
        struct Best {
            std::size_t at = 0;
            double first = -1;
            double second = -1;
            void take(std::size_t other, double value) {
                if (value > first) {
                    second = std::exchange(first, value);
                    at = other;
                } else {
                    second = std::max(second, value);
                }
            }
            [[nodiscard]] bool unique() const { return first >= kSame && second < kOther; }
        };
        std::vector<Best> ofA(a.size());
        std::vector<Best> ofB(b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (m_job.stopRequested()) {
                return false;
            }
            for (std::size_t j = 0; j < b.size(); ++j) {
                const double value = cosine(a[i].second, b[j].second);
                ofA[i].take(j, value);
                ofB[j].take(i, value);
            }
        }
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (!b.empty() && ofA[i].unique() && ofB[ofA[i].at].unique() && ofB[ofA[i].at].at == i) {
                m_pairs.push_back({a[i].first, b[ofA[i].at].first});
            }
        }
        return true;
    }

    const Model& m_modelA;
    std::span<const TensorPart> m_a;
    const Model& m_modelB;
    std::span<const TensorPart> m_b;
    const JobContext& m_job;
    std::vector<ContentPair> m_pairs;
};

} // namespace

Result<std::vector<ContentPair>> matchByContent(const Model& modelA, std::span<const TensorPart> a, const Model& modelB,
                                                std::span<const TensorPart> b, const JobContext& job) {
    return ContentMatcher(modelA, a, modelB, b, job).run();
}

} // namespace gufo
