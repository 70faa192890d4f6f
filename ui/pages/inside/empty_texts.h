// The words of the page Inside while it has nothing to show: why there is nothing to see inside a model, or what a view
// will show.
#pragma once

#include "model/model.h"
#include "ui/report/inside_report.h"

#include <QString>

#include <optional>

namespace gufo::ui {

struct EmptyTexts {
    QString title;
    QString explanation; // what to do instead
};

// What the file itself is: on a server, no model that can be run, or one that generates no text. Takes no time.
[[nodiscard]] std::optional<EmptyTexts> whyNothingInside(const Model& model);
// The engine refuses the model.
[[nodiscard]] EmptyTexts whyEngineRefuses(const Error& error);
// The engine can run it, but texts cannot become tokens.
[[nodiscard]] std::optional<EmptyTexts> whyNoTexts(const Model& model);

// What a view shows when a text has been read.
[[nodiscard]] EmptyTexts invitationTo(InsideView view);

} // namespace gufo::ui
