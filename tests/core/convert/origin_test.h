// Converting folders with mistakes, and comparing the results with the folders.
#pragma once

#include "analysis/compare/compare_models.h"
#include "convert/convert_folder.h"
#include "convert/origin/compare_origin.h"
#include "document/open_model.h"
#include "model/array_index.h"
#include "support/convert_fixtures.h"

#include <QTemporaryDir>

#include <fstream>

namespace gufo::test {

using namespace gufo::convert;
namespace fs = std::filesystem;

// A folder, the file that is compared with it, and the result.
struct Proved {
    std::shared_ptr<const Origin> origin;
    TensorMatches matches;
    MetadataComparison metadata;
    OriginProof proof;

    [[nodiscard]] const ProvedRow* row(std::string_view name) const {
        for (std::size_t i = 0; i < matches.rows.size(); ++i) {
            if (matches.rows[i].name == name) {
                return &proof.rows[i];
            }
        }
        return nullptr;
    }
    [[nodiscard]] std::vector<std::string> keys() const {
        std::vector<std::string> names;
        for (const KeyDifference& key : proof.keys) {
            names.emplace_back(metadata.rows[key.row].key);
        }
        return names;
    }
    [[nodiscard]] std::vector<std::string> notSame() const {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < matches.rows.size(); ++i) {
            if (!proof.rows[i].tensor.same()) {
                names.emplace_back(matches.rows[i].label());
            }
        }
        return names;
    }
};

inline std::string describe(const Error& error) {
    std::string text(errorName(error.code));
    for (const Argument& argument : error.args) {
        text += " | " + argument.text();
    }
    return text + " at " + error.place.name;
}

inline std::string joinedNames(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text += name + ", ";
    }
    return text;
}

#define REQUIRE(result) QVERIFY2((result).has_value(), (result) ? "" : describe((result).error()).c_str())

inline Result<Proved> proveFolder(const fs::path& folder, const fs::path& file, bool fileFirst = false,
                                  const JobContext& job = {}) {
    auto source = openModel(folder);
    auto model = openModel(file);
    if (!source || !model) {
        return std::unexpected(source ? model.error() : source.error());
    }
    auto origin = readOrigin(*source);
    if (!origin) {
        return std::unexpected(origin.error());
    }
    std::vector<std::shared_ptr<const Model>> models{(*origin)->model, *model};
    if (fileFirst) {
        std::swap(models[0], models[1]);
    }
    auto matches = matchTensors(models, 0);
    auto metadata = compareMetadata(models, 0);
    if (!matches || !metadata) {
        return std::unexpected(matches ? metadata.error() : matches.error());
    }
    auto proof = proveOrigin(**origin, *matches, *metadata, {}, job);
    if (!proof) {
        return std::unexpected(proof.error());
    }
    return Proved{*std::move(origin), *std::move(matches), *std::move(metadata), *std::move(proof)};
}

inline void overwriteBytes(const fs::path& file, std::uint64_t offset, std::span<const std::byte> bytes) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(offset));
    stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

using PlanChange = void (*)(ConversionPlan& plan);

// A test that converts copies of fixtures into a folder of its own.
class OriginTest : public QObject {
protected:
    // Converts a folder with a change of the plan to a new file.
    Result<> write(const fs::path& source, const fs::path& out, const char* type,
                   const PlanChange& change = nullptr) const;
    // A copy of a fixture's source that may be changed.
    fs::path copyOf(const char* fixture);
    static fs::path sourceOf(const char* fixture) { return convertFixture(fixture, false).source(); }
    fs::path path(const char* name) const { return (m_folder.path() + '/' + name).toStdString(); }

    QTemporaryDir m_folder;
};

inline Result<> OriginTest::write(const fs::path& folder, const fs::path& out, const char* type,
                                  const PlanChange& change) const {
    const auto source = SourceFolder::open(folder);
    if (!source) {
        return std::unexpected(source.error());
    }
    const ConvertRequest request{.recipe = {.recipe = findRecipe(type)}};
    auto plan = planConversion(*source, request);
    if (!plan) {
        return std::unexpected(plan.error());
    }
    if (change != nullptr) {
        change(*plan);
    }
    return writeConverted(*source, *plan, request, out);
}

inline fs::path OriginTest::copyOf(const char* fixture) {
    const fs::path copy = path("copy");
    fs::remove_all(copy);
    fs::copy(sourceOf(fixture), copy, fs::copy_options::recursive);
    fs::permissions(copy, fs::perms::owner_all, fs::perm_options::add);
    for (const auto& entry : fs::directory_iterator(copy)) {
        fs::permissions(entry.path(), fs::perms::owner_write, fs::perm_options::add);
    }
    return copy;
}

} // namespace gufo::test
