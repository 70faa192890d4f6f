// Prints statistics and histograms to the terminal.
#pragma once

#include "analysis/correlation.h"
#include "analysis/spectrum.h"
#include "analysis/statistics.h"
#include "cli/text_table.h"

namespace gufo::cli {

// A table with a row per population.
class StatisticsTable {
public:
    StatisticsTable();
    void add(const QString& name, const QString& type, const QString& shape, const Statistics& statistics);
    void print(Console& console) const { m_table.print(console); }

private:
    TextTable m_table;
};

// Prints a line per figure of one population.
void printStatistics(Console& console, const QString& name, const QString& type, const QString& shape,
                     const Statistics& statistics);

// Prints a line per bin: its edges, its count and a bar.
void printHistogram(Console& console, const Histogram& histogram);

// Prints the singular values with the share of the energy up to each, and the rows and columns with the most energy.
void printSpectrum(Console& console, const Spectrum& spectrum);

// Prints the correlation with the tensor `with` in one line.
void printCorrelation(Console& console, const QString& with, const Correlation& correlation);

} // namespace gufo::cli
