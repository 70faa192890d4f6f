// Joins the models of several files into one: the shards of a set, or the parts of a model.
//
// The joined model shares the memory of its parts. The metadata of the first part that is present come first, and other
// parts add only keys that are new; a key with another value than before is a finding. A part that is missing or has
// another byte order is a finding, too; its tensors are left out.
#pragma once

#include "model/finding_list.h"
#include "model/model.h"

namespace gufo {

class JoinedModel {
public:
    // For parts at these paths, in this order.
    explicit JoinedModel(std::vector<std::filesystem::path> paths);

    // Each is called once for every part, in order. `part` has a single file.
    void add(std::size_t number, const Model& part);
    void addMissing(std::size_t number, const Error& why);

    [[nodiscard]] FindingList& findings() { return m_findings; }
    // To be completed by the caller, who sets the opened file. Null until a part was added.
    [[nodiscard]] Model& model() { return *m_model; }
    [[nodiscard]] bool empty() const { return m_model->container.empty(); }
    // How several tensors of the same name are treated: as an error, or as slices of one matrix in different parts.
    enum class SameNames : std::uint8_t { Duplicates, Slices };
    // Makes tensors findable by their names, and reports tensors with the same name. Slices are counted in one finding.
    // To be called once, when all parts have been added.
    void indexTensors(SameNames sameNames = SameNames::Duplicates);
    [[nodiscard]] std::shared_ptr<const Model> finish() &&;

private:
    std::shared_ptr<Model> m_model = std::make_shared<Model>();
    FindingList m_findings;
};

} // namespace gufo
