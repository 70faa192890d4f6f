// The rows of the list of findings: FindingsModel's in its order, but many of the same kind stand under one row,
// which gives their number and total and can be unfolded.
#pragma once

#include "ui/pages/overview/findings_model.h"

#include <QAbstractListModel>

#include <optional>
#include <set>
#include <vector>

namespace gufo::ui {

class FindingGroups : public QAbstractListModel {
    Q_OBJECT

public:
    // In addition to the roles of FindingsModel. For a group, PlaceTextRole says what a click does.
    enum Role { DepthRole = Qt::UserRole + 100 }; // int: 1 for the findings below a group
    static constexpr std::size_t kMinimum = 4;    // findings of a kind from which on they are a group

    // `findings` must outlive this.
    explicit FindingGroups(const FindingsModel* findings, QObject* parent = nullptr);

    [[nodiscard]] bool isGroup(const QModelIndex& index) const;
    // The row of FindingsModel; empty for a group.
    [[nodiscard]] std::optional<int> findingAt(const QModelIndex& index) const;
    // Where a row of FindingsModel is shown. Invalid while its group is folded.
    [[nodiscard]] QModelIndex indexOf(int finding) const;
    // The rows of FindingsModel that a row stands for: one, or all of the group.
    [[nodiscard]] std::vector<int> findingsAt(const QModelIndex& index) const;
    void setUnfolded(const QModelIndex& group, bool unfolded);
    [[nodiscard]] bool isUnfolded(const QModelIndex& group) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        std::optional<int> finding; // empty: a group
        std::size_t group = 0;      // in m_groups, for a group and the findings below it
        bool below = false;
    };
    struct Group {
        QString code;
        std::vector<int> findings;
    };
    void rebuild();
    [[nodiscard]] std::vector<int> order() const;
    [[nodiscard]] std::uint64_t countOf(const Group& group) const;
    [[nodiscard]] const Row* rowAt(const QModelIndex& index) const;
    [[nodiscard]] QVariant groupData(const Group& group, int role) const;
    [[nodiscard]] QString total(const Group& group) const;

    const FindingsModel* m_findings;
    std::vector<Group> m_groups;
    std::vector<Row> m_rows;
    std::set<QString> m_unfolded; // codes
};

} // namespace gufo::ui
