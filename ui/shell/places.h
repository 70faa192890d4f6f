// Places of models (hub/model_place.h) as the window shows, keeps and receives them.
//
// Threads: all functions are thread-safe as long as no thread changes the environment, unless stated otherwise.
#pragma once

#include "hub/model_place.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

class QMimeData;

namespace gufo::ui {

using Places = std::vector<hub::ModelPlace>;

// The host that is contacted first, with its port if that is not the usual one. Empty for a place on this computer.
[[nodiscard]] QString hostOf(const hub::ModelPlace& place);

// For display, without what may be secret: the whole place with ~ for home, the name of the file, its folder, and the
// name without its model suffix (.gguf).
[[nodiscard]] QString pathText(const hub::ModelPlace& place);
[[nodiscard]] QString fileNameText(const hub::ModelPlace& place);
[[nodiscard]] QString folderText(const hub::ModelPlace& place);
[[nodiscard]] QString modelNameText(const hub::ModelPlace& place);
// For the clipboard: the path as it is, or the address.
[[nodiscard]] QString copiedText(const hub::ModelPlace& place);

// A printable and exact form for settings and sessions, without what may be secret. An empty text is no place.
[[nodiscard]] QString encodePlace(const hub::ModelPlace& place);
[[nodiscard]] std::optional<hub::ModelPlace> decodePlace(const QString& text);

// The address or name that the user typed or dropped as text (ModelPlace::parseTyped), without blanks.
[[nodiscard]] std::optional<hub::ModelPlace> typedPlace(const QString& text);
// The local files of a drop or the clipboard (text/uri-list, parsed as bytes), and the links to models on servers.
[[nodiscard]] Places placesOf(const QMimeData& data);

// The hosts that the user allowed to be contacted by plain http, as kept in the settings. UI thread only.
[[nodiscard]] QStringList allowedPlainHosts();
void setPlainHostAllowed(const QString& host, bool allowed);
void applyAllowedPlainHosts(); // at the start of the program

} // namespace gufo::ui
