// The meaning of every byte of a model file: the fields of its header, of its tensors and of what lies between them.
//
// The map of a file is a list of sections (a key, the record of a tensor, its data, padding), which is made once from
// the header. The fields of a section are found when they are asked for, so that nothing but the header and the bytes
// shown is read, whatever the size of the file is.
//
// Every byte belongs to exactly one field. A damaged file has fields up to the damage, which is a field itself. A
// record that contradicts the file keeps its fields, and so does a tensor that is cut off; damages() lists both,
// with reasons.
//
// Threads: const members are thread-safe. of() reads the header, so it must not be called on the UI thread.
#pragma once

#include "base/job_context.h"
#include "bytes/byte_field.h"
#include "model/model.h"

#include <memory>

namespace gufo {

struct CutTensor;
struct MapSection;
struct Sections;

class ByteMap {
public:
    // A place where the file is damaged. An empty range at the end of the file stands for bytes that are missing.
    struct Damage {
        ByteRange range;
        std::string of{};                           // the record or tensor; empty: the file
        std::shared_ptr<const DamageReason> reason; // never null
    };

    // `model` is what was read from the file, or null if nobody has read it; then it is read here, to find out why it
    // cannot be. Errors: Cancelled; the errors of the source.
    [[nodiscard]] static Result<std::shared_ptr<const ByteMap>> of(std::shared_ptr<const ByteSource> file,
                                                                   std::shared_ptr<const Model> model = nullptr,
                                                                   FileIndex index = {}, const JobContext& job = {});
    ~ByteMap();
    ByteMap(const ByteMap&) = delete;
    ByteMap& operator=(const ByteMap&) = delete;

    [[nodiscard]] std::uint64_t size() const { return m_file->size(); }
    [[nodiscard]] const std::shared_ptr<const ByteSource>& file() const { return m_file; }

    // The fields that overlap a range, at most `limit` of them. The first and the last one may reach beyond the range.
    // Errors: the errors of the source.
    [[nodiscard]] Result<std::vector<ByteField>> fields(ByteRange range, std::size_t limit) const;

    // By offset. Of more than 1,000 places, the first ones.
    [[nodiscard]] const std::vector<Damage>& damages() const { return m_damages; }

    // The record of a key or a tensor, and the data of a tensor; nothing if the file has none of that name.
    [[nodiscard]] std::optional<ByteRange> keyRange(std::string_view key) const;
    [[nodiscard]] std::optional<ByteRange> tensorRecord(std::string_view name) const;
    [[nodiscard]] std::optional<ByteRange> tensorData(std::string_view name) const;

private:
    ByteMap(std::shared_ptr<const ByteSource> file, std::shared_ptr<const Model> model);
    void take(Sections sections, std::optional<Error> refusal, FileIndex index);
    void markCut(const std::vector<CutTensor>& cut);
    [[nodiscard]] Result<> addGap(ByteRange gap, FieldSink& sink) const;

    std::shared_ptr<const ByteSource> m_file;
    std::shared_ptr<const Model> m_model; // null: none
    std::vector<MapSection> m_sections;   // by offset, without overlaps
    std::vector<Damage> m_damages;        // by offset
    ValueLayout m_layout;
    bool m_isDraft = false;
};

} // namespace gufo
