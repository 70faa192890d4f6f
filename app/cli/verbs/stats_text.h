// Statistics and histograms as people read them in a terminal.
#pragma once

#include "analysis/statistics.h"
#include "cli/text_table.h"

namespace gufo::cli {

// A row for each population.
class StatisticsTable {
public:
    StatisticsTable();
    void add(const QString& name, const QString& type, const QString& shape, const Statistics& statistics);
    void print(Console& console) const { m_table.print(console); }

private:
    TextTable m_table;
};

// A line for each figure of one population.
void printStatistics(Console& console, const QString& name, const QString& type, const QString& shape,
                     const Statistics& statistics);

// A line for each bin: its edges, count, and a bar.
void printHistogram(Console& console, const Histogram& histogram);

} // namespace gufo::cli
