// The table of model families that used the formats before GGUF. A family determines which hyper-parameters a file has,
// in which order, and how its vocabulary is stored. Files with the magic number "ggml" do not name their family.
//
// Sources: the loaders of llama.cpp and of the examples of ggml (2023), and the file format of rwkv.cpp
// (docs/FILE_FORMAT.md).
#pragma once

#include "tensor/tensor_type.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace gufo::ggml {

// How tensor data were laid out at the time: as in version 1, 2 or 3 of GGJT.
enum class DataLayout : std::uint8_t { V1, V2, V3 };

struct HyperParameter {
    enum class Kind : std::uint8_t {
        Count,  // at least 1
        Number, // at least 0
        Float,
    };
    std::string_view name; // the name of the loader's structure
    Kind kind = Kind::Count;
};

enum class VocabularyForm : std::uint8_t {
    None,
    SentencePiece, // pieces with spaces; bytes as themselves
    ByteLevel,     // the bytes that each token represents
};

struct Family {
    std::string_view name; // "gpt-2"
    std::span<const HyperParameter> hyperParameters;
    VocabularyForm vocabulary = VocabularyForm::ByteLevel;
    bool scores = false;            // each token is followed by its score
    bool repeatsCount = false;      // n_vocab is stored again before the tokens
    bool melFilters = false;        // the filters of a spectrogram are stored before the vocabulary
    bool rotatesWholeHeads = false; // n_rot is n_embd / n_head, by which the family is recognised
    std::uint32_t padding = 0;      // tensor data begin at multiples of this position; 0: anywhere
    bool rwkvTypeNumbers = false;   // rwkv.cpp's numbers of tensor types
};

// The magic numbers. Each is a row of the table of containers.
struct Format {
    std::string_view container; // Model::container
    std::string_view magic;     // bytes
    bool versioned = true;      // a u32 version follows
};

// A version of a format, and the families that its files may belong to.
struct Version {
    std::string_view container;
    std::uint32_t version = 0;
    DataLayout layout = DataLayout::V1;
    bool layoutInFileType = false; // ftype is 1000 × the number of the layout + the type
    std::span<const Family> families{};
};

[[nodiscard]] std::span<const Format> formats();
// Null for an unknown version.
[[nodiscard]] const Version* findVersion(std::string_view container, std::uint32_t version);

// The numbers of tensor types in files from before GGUF, which stand for other encodings than the same numbers do now.
struct StoredType {
    const TensorTypeFact* info = nullptr;
    std::string_view name; // the file's own: "Q4_0" for every layout of Q4_0
};

// Returns no info for a number that files of this layout cannot have. `rwkvNumbers` is Family::rwkvTypeNumbers.
[[nodiscard]] StoredType storedType(std::uint32_t number, DataLayout layout, bool rwkvNumbers);

// Whether a value of ftype names a type of that time.
[[nodiscard]] bool isKnownFileType(std::uint32_t fileType);

} // namespace gufo::ggml
