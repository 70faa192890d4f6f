#include "formats/sets/joined_model.h"

#include "base/detail.h"
#include "model/finding_code.h"
#include "model/owned_value.h"
#include "model/value_text.h"

namespace gufo {

JoinedModel::JoinedModel(std::vector<std::filesystem::path> paths) {
    for (std::filesystem::path& path : paths) {
        m_model->files.push_back({.source = nullptr, .path = std::move(path), .alignment = 0});
    }
}

void JoinedModel::add(std::size_t number, const Model& part) {
    const FileIndex file(number);
    const std::string fileName = m_model->files[number].path.filename().native();
    if (empty()) {
        m_model->container = part.container;
        m_model->version = part.version;
        m_model->byteOrder = part.byteOrder;
        m_model->layout = part.layout;
    }
    const auto orderName = [](ByteOrder order) {
        return order == ByteOrder::Little ? Detail::LittleEndian : Detail::BigEndian;
    };
    if (part.byteOrder != m_model->byteOrder) {
        m_findings.add(FindingCode::ShardMismatch, Place::fileName(fileName),
                       {fileName, Detail::ByteOrder, orderName(m_model->byteOrder), orderName(part.byteOrder)});
        return;
    }
    m_model->files[number] = part.files[0];
    m_model->owned.insert(m_model->owned.end(), part.owned.begin(), part.owned.end());
    m_model->companions.insert(m_model->companions.end(), part.companions.begin(), part.companions.end());
    for (KeyValue entry : part.metadata) {
        const auto known = m_model->metadata.indexOf(entry.key);
        if (!known) {
            entry.file = file;
            m_model->metadata.add(entry);
        } else if (const KeyValue& first = m_model->metadata[*known];
                   first.file != file && !OwnedValue::sameValue(first.value, entry.value)) {
            m_findings.add(FindingCode::ShardKeysDiffer, Place::key(std::string(entry.key)),
                           {entry.key, m_model->files[first.file.value].path.filename().native(),
                            shortText(first.value), fileName, shortText(entry.value)});
        }
    }
    for (TensorInfo tensor : part.tensors) {
        tensor.file = file;
        m_model->tensors.push_back(tensor);
    }
    for (Finding finding : part.findings) {
        finding.place.part = file.value;
        if (finding.code != FindingCode::DuplicateTensorName) { // indexTensors() reports duplicates
            m_findings.add(std::move(finding));
        }
    }
}

void JoinedModel::addMissing(std::size_t number, const Error& why) {
    const std::string fileName = m_model->files[number].path.filename().native();
    if (why.code == ErrorCode::FileNotFound) {
        m_findings.add(FindingCode::ShardMissing, Place::fileName(fileName),
                       {fileName, number + 1, m_model->files.size()});
    } else {
        m_findings.addUnreadable(FindingCode::ShardUnreadable, fileName, why);
    }
}

void JoinedModel::indexTensors(SameNames sameNames) {
    std::size_t slices = 0;
    for (const TensorIndex duplicate : m_model->indexTensors()) {
        const TensorInfo& tensor = m_model->tensor(duplicate);
        const TensorInfo& first = m_model->tensor(*m_model->findTensor(tensor.name));
        if (sameNames == SameNames::Slices && tensor.file != first.file) {
            ++slices;
        } else {
            const std::string name(tensor.name);
            m_findings.add(FindingCode::DuplicateTensorName, Place::tensor(name), {name});
        }
    }
    if (slices != 0) {
        m_findings.add(FindingCode::TensorsInSlices, {}, {slices, m_model->files.size()});
    }
}

std::shared_ptr<const Model> JoinedModel::finish() && {
    m_model->findings = std::move(m_findings).take();
    return std::move(m_model);
}

} // namespace gufo
