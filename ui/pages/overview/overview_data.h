// The content of a model's overview, computed from its header in a job. Immutable; texts from the file are escaped.
#pragma once

#include "base/job_context.h"
#include "model/model.h"
#include "ui/shell/page.h"

#include <QList>
#include <QString>
#include <QUrl>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace gufo::ui {

struct OverviewFact {
    QString label;
    QString value; // "—" if the file does not state it
    QString unit;
    QString detail;  // the second line
    QUrl link;       // target of the second line; may be empty. Only http and https
    QString exact{}; // the value in full for other programs, in bytes if it is a size; empty if it is not a figure
};

struct OverviewRow {
    QString label;
    QString value;
    QString exact; // as in OverviewFact
};

// A cell of the map: the tensors of one role in one block (a weight, its bias, and all experts with separate tensors).
struct MapCell {
    std::vector<TensorIndex> tensors; // largest first; empty if the block has none
    std::optional<double> bits;       // bits per weight of the largest; empty if its size is not known
    bool quantised = false;           // false for float and integer types
};

struct MapRow {
    QString role;
    bool startsGroup = false; // preceded by a gap: attention | feed-forward | recurrent …
    std::uint64_t bytes = 0;
    std::vector<MapCell> cells; // one for each of MapPanel::blocks
};

// The blocks of one part of a model: its only one, or encoder, decoder, projector.
struct MapPanel {
    static constexpr std::size_t kMaxBlocks = 2048;
    static constexpr std::size_t kMaxRows = 96;
    QString name; // empty, "enc", "v" …
    std::vector<std::uint32_t> blocks;
    std::vector<MapRow> rows;
};

struct LooseTensor { // outside of blocks
    QString name;
    QString detail; // "304 MiB, also the output (tied)"
    MapCell cell;
};

struct Overview {
    static constexpr std::size_t kMaxPanels = 8;
    static constexpr std::size_t kMaxLoose = 32;

    std::shared_ptr<const Model> model;
    std::vector<OverviewFact> facts; // always eight
    Model::Totals totals;
    std::vector<Model::TypeShare> typeShares;
    std::map<std::string, std::uint64_t> presentBytes; // by type: what the files contain of the shares
    std::uint64_t headerBytes = 0;
    std::vector<MapPanel> panels;
    std::vector<LooseTensor> loose;
    std::uint64_t notShown = 0; // number of tensors beyond the limits above
    QList<OverviewRow> shape;
    QString kind; // of a file that is not a whole model: "Vocabulary", "LoRA adapter" …; otherwise empty
};

// Errors: Cancelled.
[[nodiscard]] Result<std::shared_ptr<const Overview>> summarise(std::shared_ptr<const Model> model,
                                                                const JobContext& job);

// general.name, or the file's name.
[[nodiscard]] QString modelTitle(const Model& model);

// Describes a tensor in three lines: name; type and bits; shape and size.
[[nodiscard]] QStringList describeTensor(const Model& model, TensorIndex tensor);

// The whole overview as tables: facts, bytes by type, shape, and the map with the type in each cell (omitted if it has
// more than kMaxCopiedCells).
inline constexpr std::size_t kMaxCopiedCells = 20'000;
enum class Figures { Rounded, Full }; // for people, or for other programs
[[nodiscard]] QString overviewText(const Overview& overview, CopyFormat format, Figures figures);

// The fact strip and the shape table. `model` is in GGUF's keys (convert/description.h).
[[nodiscard]] std::vector<OverviewFact> overviewFacts(const Model& model, const Model::Totals& totals);
[[nodiscard]] QList<OverviewRow> shapeRows(const Model& model);
[[nodiscard]] QString kindText(const Model& model); // see Overview::kind

// Whether the output has no matrix of its own but uses the embedding's. Encoders have no output.
[[nodiscard]] bool hasTiedOutput(const Model& model);

} // namespace gufo::ui
