// Figures of tensors by which a diagram can be coloured, measured against another file: the error against another
// model, and how much of a matrix an importance matrix covers.
#pragma once

#include "formats/imatrix/imatrix.h"
#include "model/model.h"

#include <QString>

#include <optional>
#include <span>
#include <vector>

namespace gufo::ui {

struct DiagramFigures {
    enum class Kind : std::uint8_t { Error, Coverage };
    // What adds up over tensors. Error: the squared differences, of the squared weights of the reference. Coverage: the
    // matrices with importance, of those that expect it.
    struct Share {
        double part = 0;
        double whole = 0;
    };
    Kind kind = Kind::Error;
    QString partner;            // the name of the other file
    std::vector<Share> tensors; // by tensor; `whole` is 0 if there is no figure

    // Of some tensors together: the SQNR in dB, which is infinite if nothing differs, or the covered share. Nothing if
    // none has a figure.
    [[nodiscard]] std::optional<double> of(std::span<const TensorIndex> tensors) const;
    // "SQNR 31.2 dB against base.gguf"; empty if there is no figure.
    [[nodiscard]] QString text(std::span<const TensorIndex> tensors) const;
};

// Compares the weights of two models. The one with more bits per weight is the reference. Progress is in weights.
// Errors: as for compareModels().
[[nodiscard]] Result<std::shared_ptr<const DiagramFigures>> errorFigures(const std::shared_ptr<const Model>& model,
                                                                         const std::shared_ptr<const Model>& partner,
                                                                         const JobContext& job);

// Progress counts tensors. Errors: as for Imatrix::countMatrices(); Cancelled.
[[nodiscard]] Result<std::shared_ptr<const DiagramFigures>> coverageFigures(const Model& model, const Imatrix& imatrix,
                                                                            const JobContext& job);

} // namespace gufo::ui
