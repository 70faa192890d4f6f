#include "ui/mainwindow/tabs/tab_titles.h"

#include <QHash>
#include <QStringList>

#include <algorithm>

namespace gufo::ui {
namespace {

// The parts of a location from the last to the first.
QStringList partsOf(const QString& location) {
    QStringList parts = location.split(u'/', Qt::SkipEmptyParts);
    std::ranges::reverse(parts);
    return parts;
}

// What distinguishes each location from the others; empty where nothing does.
QStringList differences(const std::vector<QStringList>& locations) {
    const auto at = [](const QStringList& parts, qsizetype depth) {
        return depth < parts.size() ? parts[depth] : QString();
    };
    qsizetype deepest = 0;
    for (const QStringList& parts : locations) {
        deepest = std::max(deepest, parts.size());
    }
    // Only the depths at which not all are equal say anything. The first of them that suffice are used.
    std::vector<QStringList> told(locations.size());
    const auto isUnique = [&](std::size_t i) { return std::ranges::count(told, told[i]) == 1; };
    for (qsizetype depth = 0; depth < deepest; ++depth) {
        const bool allEqual = std::ranges::all_of(
            locations, [&](const QStringList& parts) { return at(parts, depth) == at(locations.front(), depth); });
        if (allEqual) {
            continue;
        }
        for (std::size_t i = 0; i < locations.size(); ++i) {
            if (const QString part = at(locations[i], depth); !part.isEmpty()) {
                told[i].prepend(part);
            }
        }
        bool distinct = true;
        for (std::size_t i = 0; i < locations.size(); ++i) {
            distinct = distinct && isUnique(i);
        }
        if (distinct) {
            break;
        }
    }
    QStringList texts;
    for (const QStringList& parts : told) {
        texts << parts.join(u'/');
    }
    return texts;
}

} // namespace

std::vector<QString> distinctTitles(const std::vector<TabName>& names) {
    std::vector<QString> titles;
    QHash<QString, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < names.size(); ++i) {
        titles.push_back(names[i].title);
        groups[names[i].title].push_back(i);
    }
    for (const std::vector<std::size_t>& group : groups) {
        if (group.size() < 2) {
            continue;
        }
        std::vector<QStringList> locations;
        for (const std::size_t i : group) {
            locations.push_back(partsOf(names[i].location));
        }
        const QStringList told = differences(locations);
        for (std::size_t k = 0; k < group.size(); ++k) {
            const QString& text = told[static_cast<qsizetype>(k)];
            if (!text.isEmpty()) {
                titles[group[k]] += QStringLiteral(" — ") + text;
            }
        }
    }
    return titles;
}

} // namespace gufo::ui
