// The recently opened models, with what the start page shows about them without opening them.
#pragma once

#include "hub/model_place.h"
#include "model/model.h"

#include <QDateTime>
#include <QObject>
#include <QString>

#include <vector>

namespace gufo::ui {

struct RecentFile {
    hub::ModelPlace place;
    QString architecture;
    std::uint64_t parameters = 0;
    QString type; // of the file as a whole: "Q4_K_M"
    std::uint64_t bytes = 0;
    int shards = 1;
    QDateTime opened;
};

// Summarises a model for a row of the table. A model on a server keeps the name under which the user opened it.
[[nodiscard]] RecentFile describeModel(const Model& model, const hub::ModelPlace& openedAs = {});

// Stored in QSettings. UI thread only.
class RecentFiles : public QObject {
    Q_OBJECT

public:
    static constexpr int kMaximum = 50;

    explicit RecentFiles(QObject* parent = nullptr);

    [[nodiscard]] const std::vector<RecentFile>& files() const { return m_files; } // most recent first
    void add(RecentFile file);                                                     // moves a known one to the front
    void remove(const hub::ModelPlace& place);
    void clear();

signals:
    void changed();

private:
    void save() const;

    std::vector<RecentFile> m_files;
};

} // namespace gufo::ui
