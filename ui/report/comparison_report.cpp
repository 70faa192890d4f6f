#include "ui/report/comparison_report.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/report/origin_report.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

struct VerdictRow {
    CellVerdict verdict;
    const char* name;
    const char* text;
    int weight; // the verdict with the largest weight stands for the row
};
constexpr auto kVerdicts = std::to_array<VerdictRow>({
    {CellVerdict::Reference, "reference", QT_TRANSLATE_NOOP("gufo::ui::Report", "reference"), 0},
    {CellVerdict::Identical, "identical", QT_TRANSLATE_NOOP("gufo::ui::Report", "identical"), 1},
    {CellVerdict::Equal, "equal", QT_TRANSLATE_NOOP("gufo::ui::Report", "equal"), 2},
    {CellVerdict::Different, "different", QT_TRANSLATE_NOOP("gufo::ui::Report", "different"), 3},
    {CellVerdict::Renamed, "renamed", QT_TRANSLATE_NOOP("gufo::ui::Report", "renamed"), 4},
    {CellVerdict::Missing, "missing", QT_TRANSLATE_NOOP("gufo::ui::Report", "missing"), 6},
    {CellVerdict::Extra, "extra", QT_TRANSLATE_NOOP("gufo::ui::Report", "extra"), 5},
    {CellVerdict::Reshaped, "reshaped", QT_TRANSLATE_NOOP("gufo::ui::Report", "another shape"), 7},
    {CellVerdict::Failed, "failed", QT_TRANSLATE_NOOP("gufo::ui::Report", "not comparable"), 8},
    {CellVerdict::Absent, "absent", QT_TRANSLATE_NOOP("gufo::ui::Report", "absent"), 2},
});

const VerdictRow& verdictRow(CellVerdict verdict) { return kVerdicts.at(static_cast<std::size_t>(verdict)); }

// Characters that separate words in file names.
bool separates(QChar c) { return c == u'-' || c == u'_' || c == u'.' || c == u' '; }

qsizetype commonPrefix(const QStringList& names) {
    qsizetype length = names[0].size();
    for (const QString& name : names) {
        qsizetype same = 0;
        while (same < std::min(length, name.size()) && name[same] == names[0][same]) {
            ++same;
        }
        length = same;
    }
    // Cuts after whole words only, so that something of every name remains.
    while (length > 0 && !separates(names[0][length - 1])) {
        --length;
    }
    return length;
}

} // namespace

CellVerdict cellVerdict(const ComparisonReport& report, std::size_t row, std::size_t model) {
    const TensorMatch& match = report.matches.rows[row];
    const ComparedCell& cell = report.comparison.rows[row].cells[model];
    if (model == report.matches.reference) {
        return match.has(model) ? CellVerdict::Reference : CellVerdict::Absent;
    }
    switch (match.cells[model].status) {
    case MatchStatus::Missing:
        return match.has(report.matches.reference) ? CellVerdict::Missing : CellVerdict::Absent;
    case MatchStatus::Extra:
        return CellVerdict::Extra;
    case MatchStatus::Reshaped:
        return match.has(report.matches.reference) ? CellVerdict::Reshaped : CellVerdict::Extra;
    case MatchStatus::Present:
    case MatchStatus::Renamed:
        break;
    }
    if (cell.state == ComparedCell::State::Failed) {
        return CellVerdict::Failed;
    }
    if (match.cells[model].status == MatchStatus::Renamed) {
        return CellVerdict::Renamed;
    }
    return cell.comparison.identical                                     ? CellVerdict::Identical
           : isEqual(report.matches, report.comparison.rows[row], model) ? CellVerdict::Equal
                                                                         : CellVerdict::Different;
}

const char* verdictName(CellVerdict verdict) { return verdictRow(verdict).name; }

QString verdictText(CellVerdict verdict) {
    return QCoreApplication::translate("gufo::ui::Report", verdictRow(verdict).text);
}

CellVerdict rowVerdict(const ComparisonReport& report, std::size_t row) {
    CellVerdict worst = CellVerdict::Reference;
    for (std::size_t model = 0; model < report.matches.models.size(); ++model) {
        const CellVerdict verdict = cellVerdict(report, row, model);
        if (verdictRow(verdict).weight > verdictRow(worst).weight && verdict != CellVerdict::Absent) {
            worst = verdict;
        }
    }
    return worst;
}

QStringList leftOutNotes(const PairSums& sums, bool truncated) {
    QStringList notes;
    if (sums.excluded > 0) {
        notes << QCoreApplication::translate("gufo::ui::Report", "%n pairs with NaN or infinity are left out", nullptr,
                                             numerus(sums.excluded));
    }
    if (truncated) {
        notes << QCoreApplication::translate(
            "gufo::ui::Report",
            "One of the files ends within its tensor: only the part that both contain was compared");
    }
    return notes;
}

QString leftOutText(const PairSums& sums, bool truncated) {
    return sums.excluded > 0
               ? QCoreApplication::translate("gufo::ui::Report", "%n not finite", nullptr, numerus(sums.excluded))
           : truncated ? QCoreApplication::translate("gufo::ui::Report", "cut off")
                       : QString();
}

QString likenessText(Likeness likeness, const PairSums& sums) {
    switch (likeness) {
    case Likeness::Identical:
        return verdictText(CellVerdict::Identical);
    case Likeness::Equal:
        return QCoreApplication::translate("gufo::ui::Report", "equal");
    case Likeness::EqualWhereCompared:
        return leftOutText(sums, true);
    case Likeness::Different:
        break;
    }
    return {};
}

QStringList incompleteNotes(const ComparisonTotals& totals) {
    QStringList notes;
    const auto add = [&](std::uint64_t count, const char* text) {
        if (count > 0) {
            notes << QCoreApplication::translate("gufo::ui::Report", text, nullptr, numerus(count));
        }
    };
    add(totals.reshaped, QT_TRANSLATE_N_NOOP("gufo::ui::Report", "%n tensors have another shape"));
    add(totals.missing, QT_TRANSLATE_N_NOOP("gufo::ui::Report", "%n tensors are missing"));
    add(totals.failed, QT_TRANSLATE_N_NOOP("gufo::ui::Report", "%n tensors cannot be compared"));
    return notes + leftOutNotes(totals.sums, totals.truncated != 0);
}

QString totalsText(const ComparisonTotals& totals) {
    const auto counted = [](const char* text, std::uint64_t count) {
        return QCoreApplication::translate("gufo::ui::Report", text, nullptr, numerus(count));
    };
    if (totals.reshaped > 0) {
        return counted(QT_TRANSLATE_N_NOOP("gufo::ui::Report", "%n of another shape"), totals.reshaped);
    }
    if (totals.missing > 0) {
        return counted(QT_TRANSLATE_N_NOOP("gufo::ui::Report", "%n missing"), totals.missing);
    }
    if (totals.failed > 0) {
        return counted(QT_TRANSLATE_N_NOOP("gufo::ui::Report", "%n not comparable"), totals.failed);
    }
    const QString left = leftOutText(totals.sums, totals.truncated != 0);
    return !left.isEmpty() ? left : likenessText(totals.likeness(), totals.sums);
}

QStringList importanceNotes(const TensorMatches& matches, const Imatrix* imatrix) {
    if (imatrix != nullptr) {
        return {QCoreApplication::translate("gufo::ui::Report", "Weighted SQNR: errors are weighted by %1.")
                    .arg(displayText(imatrix->path().filename().native()))};
    }
    QStringList notes;
    const QStringList names = modelNames(matches.models);
    for (std::size_t model = 0; model < matches.models.size(); ++model) {
        if (const auto matrix = matches.models[model]->metadata.string("quantize.imatrix.file")) {
            notes << QCoreApplication::translate(
                         "gufo::ui::Report", "%1 was quantised with an importance matrix (%2). These figures weight "
                                             "all errors equally, so they do not show what it gained.")
                         .arg(names[static_cast<qsizetype>(model)],
                              displayText(std::filesystem::path(*matrix).filename().native()));
        }
    }
    return notes;
}

QString exchangedText(const TensorMatches& matches, std::span<const ExchangedTensor> exchanged, std::size_t model) {
    constexpr qsizetype kShown = 4;
    QStringList pairs;
    for (const ExchangedTensor& one : exchanged) {
        if (one.model == model) {
            pairs << QCoreApplication::translate("gufo::ui::Report", "%1 holds the weights of %2")
                         .arg(displayText(matches.rows[one.row].label()), displayText(matches.rows[one.holds].label()));
        }
    }
    const QString more = pairs.size() > kShown ? QStringLiteral(", …") : QString();
    return pairs.isEmpty() ? QString()
                           : QCoreApplication::translate("gufo::ui::Report", "Exchanged tensors (%1): %2")
                                 .arg(formatCount(static_cast<std::uint64_t>(pairs.size())),
                                      pairs.mid(0, kShown).join(QStringLiteral(", ")) + more);
}

namespace {

// Whether a model differs from the reference; of one that is compared with its origin, whether it differs from that.
bool differs(const ComparisonReport& report, std::size_t model) {
    for (const FileOrigin& origin : report.origins) {
        if (model == origin.file || model == origin.origin) {
            return model == origin.file && origin.proved->proof.verdict != convert::OriginVerdict::Same;
        }
    }
    if (!report.metadata.same(model) || !report.metadata.tokenizers[model].same()) {
        return true;
    }
    for (std::size_t row = 0; row < report.matches.rows.size(); ++row) {
        const CellVerdict verdict = cellVerdict(report, row, model);
        if (report.comparison.rows[row].wanted && verdict != CellVerdict::Identical && verdict != CellVerdict::Equal &&
            verdict != CellVerdict::Reference && verdict != CellVerdict::Absent) {
            return true;
        }
    }
    return false;
}

} // namespace

bool differs(const ComparisonReport& report) {
    if (report.origin != nullptr) {
        return report.origin->proof.verdict != convert::OriginVerdict::Same;
    }
    for (std::size_t model = 0; model < report.matches.models.size(); ++model) {
        if (differs(report, model)) {
            return true;
        }
    }
    return false;
}

namespace {

// Adds folders to names that are not distinct, as far as they distinguish the files, and never the whole path: reports
// are given to others. Numbers are the last resort.
QStringList distinctNames(std::span<const std::shared_ptr<const Model>> models, QStringList names) {
    const auto distinct = [&] { return QSet<QString>(names.begin(), names.end()).size() == names.size(); };
    std::vector<std::filesystem::path> folders;
    for (const auto& model : models) {
        folders.push_back(model->path().parent_path());
    }
    const auto hasName = [](const std::filesystem::path& folder) { return folder.has_filename(); };
    while (!distinct() && std::ranges::any_of(folders, hasName)) {
        for (std::size_t i = 0; i < models.size(); ++i) {
            if (hasName(folders[i])) {
                QString& name = names[static_cast<qsizetype>(i)];
                name = displayText(folders[i].filename().native()) + u'/' + name;
                folders[i] = folders[i].parent_path();
            }
        }
    }
    const bool isSameFile = !distinct();
    for (qsizetype i = 0; i < names.size() && isSameFile; ++i) {
        names[i] += QStringLiteral(" (%1)").arg(i + 1);
    }
    return names;
}

} // namespace

std::string ComparisonReport::fileName(std::size_t model) const {
    if (withPaths) {
        return matches.models[model]->path().native();
    }
    QStringList names;
    for (const auto& each : matches.models) {
        names << displayText(each->path().filename().native());
    }
    return distinctNames(matches.models, std::move(names))[static_cast<qsizetype>(model)].toStdString();
}

QStringList modelNames(std::span<const std::shared_ptr<const Model>> models) {
    QStringList names;
    for (const auto& model : models) {
        names << displayText(model->path().stem().native());
    }
    if (QSet<QString>(names.begin(), names.end()).size() != names.size()) {
        return distinctNames(models, std::move(names));
    }
    const qsizetype common = names.size() > 1 ? commonPrefix(names) : 0;
    const bool tooMuch = std::ranges::any_of(names, [&](const QString& name) { return name.size() <= common; });
    for (QString& name : names) {
        name = tooMuch ? name : name.mid(common);
    }
    return names;
}

} // namespace gufo::ui
