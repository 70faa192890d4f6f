// A model card: the README.md of a repository of models, with the front matter that the Hugging Face Hub reads.
#pragma once

#include "model/model.h"
#include "ui/report/text_sink.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gufo::ui {

// A model in a file or in several shards, as a row of the card's table.
struct CardFile {
    std::shared_ptr<const Model> model;
    std::string name; // of the file, or of the first shard
    std::string type; // "Q4_K_M", or the type that most weights have
    std::uint64_t bytes = 0;
    std::optional<double> bitsPerWeight{};
    std::optional<std::uint64_t> memory{}; // bytes to run it with its usual context; nothing for a projector or adapter
    std::uint64_t context = 0;             // tokens for which `memory` holds
    std::optional<double> divergence{};    // nats, see CardDivergence
};

// What the divergences of the files are: the mean KL divergence of their predictions on a text from the predictions of
// one of them.
struct CardDivergence {
    std::string reference; // the name of that file
    std::string text;      // the name of the text's file
};

// Fills in a row from the headers of a model. Binds its tensors for the memory, so it does not belong on the UI thread.
[[nodiscard]] CardFile cardFile(const std::shared_ptr<const Model>& model);

// The index of the file from whose predictions the others' are measured: the largest one that runs.
[[nodiscard]] std::optional<std::size_t> divergenceReference(const std::vector<CardFile>& files);

// A picture beside the card (card_pictures.h).
struct CardPicture {
    std::string name; // of its file
    QString title;
    QString svg;
};

// Writes the card of the files. The first file that runs names the model, its licence and its base models. The texts of
// the files are escaped, so that they cannot add members to the front matter or mark-up to the page. Paths are not
// written. The pictures are shown below the table; the caller writes their files. The table has a column of divergences
// if `measured` says what they are.
void writeModelCard(TextSink& out, const std::vector<CardFile>& files, const std::vector<CardPicture>& pictures = {},
                    const std::optional<CardDivergence>& measured = {});

} // namespace gufo::ui
