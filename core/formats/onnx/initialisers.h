// Makes the tensors of an ONNX model out of its initialisers: their types, and where their data are, which is in the
// file, in files beside it, or in a list of numbers that has to be decoded.
#pragma once

#include "base/byte_source.h"
#include "base/error.h"
#include "formats/sets/folder_files.h"
#include "model/finding_list.h"
#include "model/model.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace gufo::onnx {

// A TensorProto as it is written.
struct Initialiser {
    std::string_view name;
    std::uint64_t type = 0;
    std::vector<std::uint64_t> dims; // the slowest first
    std::optional<ByteRange> raw;
    std::map<std::uint32_t, ByteRange> lists; // by field; only those written as one packed list
    bool external = false;
    std::string_view location;
    std::uint64_t offset = 0;
    std::optional<std::uint64_t> length;
    std::uint64_t record = 0;
};

class Initialisers {
public:
    // `bytes` is the file, whose source the model holds; findings are added while tensors are.
    Initialisers(Model& model, FindingList& findings, Bytes bytes, const SourceOpener& openFile)
        : m_model(model)
        , m_findings(findings)
        , m_bytes(bytes)
        , m_openFile(openFile) {}

    // Adds the tensor to the model, or a finding that says why it cannot be one.
    // Errors: LimitExceeded (tensors), Truncated and Malformed (a list of numbers).
    Result<> add(const Initialiser& initialiser);

    // Call once at the end, after an error too: the decoded numbers become a further file of the model, in memory.
    void finish();

private:
    Result<> findData(const Initialiser& initialiser, std::uint32_t listField, TensorInfo& tensor);
    void findExternal(const Initialiser& initialiser, TensorInfo& tensor);
    Result<> findVarints(ByteRange list, TensorInfo& tensor);
    std::optional<FileIndex> externalFile(std::string_view location);
    void missing(const TensorInfo& tensor, std::string_view where);

    Model& m_model;
    FindingList& m_findings;
    Bytes m_bytes;
    const SourceOpener& m_openFile;
    std::vector<std::byte> m_decoded;          // numbers of lists of varints
    std::vector<std::size_t> m_decodedTensors; // that are in it
    std::map<std::string_view, std::optional<FileIndex>> m_external;
};

} // namespace gufo::onnx
