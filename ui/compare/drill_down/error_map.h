// The difference between a file's tensor and the reference's tensor by row and column, with the borders of the
// file's blocks. Jobs decode the visible part.
#pragma once

#include "ui/compare/comparison.h"
#include "ui/jobs/latest_job.h"
#include "ui/plots/heat_map.h"

#include <QPointer>
#include <QWidget>

namespace gufo::ui {

class ElidedLabel;
class JobBar;

class ErrorMap : public QWidget {
    Q_OBJECT

public:
    explicit ErrorMap(QWidget* parent = nullptr);
    // Null clears the map. The models are kept alive while they are shown.
    void setPair(std::shared_ptr<const TensorMatches> matches, std::size_t row, std::size_t file,
                 std::optional<double> rmse);
    void clear() { setPair(nullptr, 0, 0, {}); }
    void setColorMap(ColorMap map) { m_map->setColorMap(map); }
    [[nodiscard]] HeatMap& map() { return *m_map; }
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }

signals:
    void picked(std::uint64_t weight); // index in the part
    void failed(const gufo::Error& error);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fetch();
    void describe(const CellRange& range);

    std::shared_ptr<const TensorMatches> m_matches;
    std::size_t m_row = 0;
    std::size_t m_file = 0;
    LatestJob m_job{this};
    ElidedLabel* m_description;
    JobBar* m_progress;
    HeatMap* m_map;
};

} // namespace gufo::ui
