#include "ui/shell/state_folder.h"

#include "ui/shell/native_path.h"

#include <QDir>
#include <QStandardPaths>

namespace gufo::ui {

std::filesystem::path stateFolder() {
#if defined(Q_OS_LINUX) || defined(Q_OS_BSD4)
    const QByteArray state = qgetenv("XDG_STATE_HOME");
    const std::filesystem::path folder =
        state.startsWith('/') ? pathFromBytes(state) : fromQtPath(QDir::homePath()) / ".local" / "state";
    return folder / "gufo";
#else
    return fromQtPath(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation));
#endif
}

} // namespace gufo::ui
