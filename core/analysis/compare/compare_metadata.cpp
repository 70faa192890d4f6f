#include "analysis/compare/compare_metadata.h"

#include "analysis/compare/compare_tokenizers.h"
#include "analysis/compare/compare_values.h"
#include "base/detail.h"

#include <algorithm>

namespace gufo {
namespace {

constexpr std::string_view kTemplateKey = "tokenizer.chat_template";

bool isChatTemplate(std::string_view key) {
    return key == kTemplateKey || (key.starts_with(kTemplateKey) && key.substr(kTemplateKey.size()).starts_with('.'));
}

// Whether find() returns this entry, that is, whether it is the first one with its key.
bool isFirst(const Metadata& metadata, std::size_t i) {
    return metadata.indexOf(metadata[KvIndex(i)].key) == KvIndex(i);
}

class Comparer {
public:
    Comparer(std::span<const std::shared_ptr<const Model>> models, std::size_t reference,
             const MetadataOptions& options, const JobContext& job)
        : m_models(models)
        , m_reference(reference)
        , m_options(options)
        , m_job(job) {}

    Result<MetadataComparison> run() {
        MetadataComparison result{.models = {m_models.begin(), m_models.end()}, .reference = m_reference};
        for (std::size_t k = 0; k < m_models.size(); ++k) {
            // The reference first, then the others in order.
            const std::size_t model = k == 0 ? m_reference : k <= m_reference ? k - 1 : k;
            const Metadata& metadata = m_models[model]->metadata;
            for (std::size_t i = 0; i < metadata.size(); ++i) {
                if (!isFirst(metadata, i) || hasBefore(k, metadata[KvIndex(i)].key)) {
                    continue;
                }
                auto row = GUFO_TRY(compareKey(metadata[KvIndex(i)].key));
                result.rows.push_back(std::move(row));
            }
        }
        for (std::size_t model = 0; model < m_models.size(); ++model) {
            TokenizerDifference difference;
            if (model != m_reference) {
                difference = GUFO_TRY(compareTokenizers(m_models[m_reference]->metadata, m_models[model]->metadata,
                                                        m_options.maxTokens, m_job));
            }
            result.tokenizers.push_back(std::move(difference));
        }
        return result;
    }

private:
    // Whether one of the first k models in run()'s order has the key.
    [[nodiscard]] bool hasBefore(std::size_t k, std::string_view key) const {
        for (std::size_t i = 0; i < k; ++i) {
            const std::size_t model = i == 0 ? m_reference : i <= m_reference ? i - 1 : i;
            if (m_models[model]->metadata.indexOf(key)) {
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] Result<MetadataRow> compareKey(std::string_view key) const {
        MetadataRow row{.key = key, .chatTemplate = isChatTemplate(key)};
        const Value* reference = m_models[m_reference]->metadata.find(key);
        for (std::size_t model = 0; model < m_models.size(); ++model) {
            MetadataRow::Cell cell{.index = m_models[model]->metadata.indexOf(key)};
            const Value* other = m_models[model]->metadata.find(key);
            if (model == m_reference) {
                cell.status = other != nullptr ? KeyStatus::Same : KeyStatus::Removed;
            } else if (other != nullptr && reference == nullptr) {
                cell.status = KeyStatus::Added;
            } else if (other != nullptr) {
                GUFO_TRY(compareValues(*reference, *other, cell));
            }
            row.cells.push_back(std::move(cell));
        }
        return row;
    }

    [[nodiscard]] Result<> compareValues(const Value& reference, const Value& other, MetadataRow::Cell& cell) const {
        const ArrayView* a = asArray(reference);
        const ArrayView* b = asArray(other);
        if (a == nullptr || b == nullptr) {
            cell.status = sameValue(reference, other) ? KeyStatus::Same : KeyStatus::Changed;
            cell.typeOnly = cell.status == KeyStatus::Changed && sameNumber(reference, other);
            return {};
        }
        auto difference = GUFO_TRY(compareArrays(*a, *b, m_options.maxElements, m_job));
        if (difference.differing == 0 && a->elementType == b->elementType) {
            cell.status = KeyStatus::Same;
            return {};
        }
        cell.status = KeyStatus::Changed;
        cell.typeOnly = difference.differing == 0;
        cell.elements = std::move(difference);
        return {};
    }

    std::span<const std::shared_ptr<const Model>> m_models;
    std::size_t m_reference;
    const MetadataOptions& m_options;
    const JobContext& m_job;
};

} // namespace

bool MetadataRow::same() const {
    return std::ranges::all_of(cells, [](const Cell& cell) { return cell.status == KeyStatus::Same; });
}

bool MetadataComparison::same(std::size_t model) const {
    return std::ranges::all_of(rows, [&](const MetadataRow& row) {
        const bool absent = !row.cells[reference].index && !row.cells[model].index; // only other models have the key
        return absent || row.cells[model].status == KeyStatus::Same;
    });
}

Result<MetadataComparison> compareMetadata(std::span<const std::shared_ptr<const Model>> models, std::size_t reference,
                                           const MetadataOptions& options, const JobContext& job) {
    if (reference >= models.size()) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::NoSuchReference});
    }
    return Comparer(models, reference, options, job).run();
}

} // namespace gufo
