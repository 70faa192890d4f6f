#include "ui/report/origin_report.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/report/html_text.h"
#include "ui/report/metric.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace gufo::ui {
namespace {

using convert::Misfit;
using convert::OperationKind;
using convert::OriginProof;
using convert::OriginVerdict;
using convert::ProvedRow;
using convert::TensorProof;

constexpr std::size_t kNamesShown = 5;
constexpr std::uint64_t kMostlyTenths = 9; // of the tensors are the model's

struct OriginWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::OriginReport)
};

QString typeName(std::uint32_t typeId) {
    const TensorTypeFact* type = findTensorType(typeId);
    return type != nullptr ? QString::fromStdString(std::string(type->name)) : QString::number(typeId);
}

// What an operation does, as a noun.
QString operationText(const convert::Operation& operation) {
    switch (operation.kind) {
    case OperationKind::PermuteRope:
        return OriginWords::tr("the permutation of the rows of each head");
    case OperationKind::UnpermuteRope:
        return OriginWords::tr("the reversed permutation of the rows of each head");
    case OperationKind::Add:
        return OriginWords::tr("adding %1").arg(operation.parameters.front());
    case OperationKind::Transpose:
        return OriginWords::tr("the transposition");
    case OperationKind::RegroupRows:
    case OperationKind::UngroupRows:
        return OriginWords::tr("the regrouping of rows");
    case OperationKind::NegateExponential:
        return OriginWords::tr("the negative exponential");
    case OperationKind::Reciprocal:
        return OriginWords::tr("the reciprocal");
    default: // has no words of its own, because it is not tried
        return QString::fromUtf8(convert::operationFact(operation.kind).name.data(),
                                 static_cast<qsizetype>(convert::operationFact(operation.kind).name.size()));
    }
}

class Reporter {
public:
    explicit Reporter(const OriginReport& report)
        : m_report(report)
        , m_proof(report.proof) {}

    QString verdict() const {
        const QString same = formatCount(m_proof.same());
        const QString all = formatCount(m_proof.compared());
        if (m_proof.mistakesExplain) {
            return OriginWords::tr(
                "This is that model, but %n tensors were written with a mistake, which is named below.", nullptr,
                numerus(m_proof.compared() - m_proof.same()));
        }
        switch (m_proof.verdict) {
        case OriginVerdict::Same:
            return OriginWords::tr("This is that model: all of %n tensors are %1.", nullptr, numerus(m_proof.same()))
                .arg(sameWords());
        case OriginVerdict::SameWeights:
            return OriginWords::tr("The weights are those of that model, but %n keys differ.", nullptr,
                                   numerus(m_proof.keysThatMatter()));
        case OriginVerdict::Partly:
            return m_proof.same() >= m_proof.compared() * kMostlyTenths / 10
                       ? OriginWords::tr("This is that model but for %n tensors: %1 of %2 are %3%4.", nullptr,
                                         numerus(m_proof.compared() - m_proof.same()))
                             .arg(same, all, sameWords(), worstWords())
                       : OriginWords::tr("Only a part is that model: %1 of %2 tensors are the same.").arg(same, all);
        default:
            return OriginWords::tr("This is not that model: %1 of %2 tensors are the same.").arg(same, all);
        }
    }

    QStringList details() const {
        QStringList lines;
        addKinds(lines);
        addDifferent(lines);
        addMisfits(lines);
        addList(lines, TensorProof::Missing, [](const QString& count, const QString& names) {
            return OriginWords::tr("Missing in the file: %1 (%2)").arg(count, names);
        });
        addList(lines, TensorProof::Extra, [](const QString& count, const QString& names) {
            return OriginWords::tr("Only in the file: %1 (%2)").arg(count, names);
        });
        addList(lines, TensorProof::Reshaped, [](const QString& count, const QString& names) {
            return OriginWords::tr("Of another shape: %1 (%2)").arg(count, names);
        });
        addFailed(lines);
        addUnused(lines);
        addKeys(lines);
        return lines;
    }

    QString rowText(std::size_t row) const {
        const ProvedRow& proved = m_proof.rows[row];
        const QString type = fileType(row);
        switch (proved.tensor.proof) {
        case TensorProof::Identical:
            return proved.tensor.sums.ee == 0 ? OriginWords::tr("identical")
                                              : OriginWords::tr("identical as %1").arg(type);
        case TensorProof::LastBits:
            return OriginWords::tr("identical but for the last bit");
        case TensorProof::Encoded:
            return OriginWords::tr("identical as %1").arg(type);
        case TensorProof::Quantised:
            return OriginWords::tr("error of %1").arg(type);
        case TensorProof::Different:
            return proved.misfit ? misfitText(m_report.origin, *proved.misfit) : OriginWords::tr("different");
        case TensorProof::Missing:
            return OriginWords::tr("missing in the file");
        case TensorProof::Extra:
            return OriginWords::tr("only in the file");
        case TensorProof::Reshaped:
            return OriginWords::tr("other shape");
        case TensorProof::Failed:
            return OriginWords::tr("not readable");
        default:
            return {};
        }
    }

private:
    // In which way the tensors that are the same are so, if it is one way: "identical after rounding to F16".
    [[nodiscard]] QString sameWords() const {
        QString roundedTo;
        for (std::size_t row = 0; row < m_proof.rows.size(); ++row) {
            const convert::ProvedTensor& tensor = m_proof.rows[row].tensor;
            const TensorProof proof = m_proof.tensors[m_proof.tensorOf[row]];
            if (!convert::isSame(proof)) {
                continue;
            }
            const bool rounded = tensor.sums.ee != 0;
            if (proof != TensorProof::Identical || (rounded && !roundedTo.isEmpty() && roundedTo != fileType(row))) {
                return OriginWords::tr("the same");
            }
            roundedTo = rounded ? fileType(row) : roundedTo;
        }
        return roundedTo.isEmpty() ? OriginWords::tr("identical")
                                   : OriginWords::tr("identical after rounding to %1").arg(roundedTo);
    }

    // "; output.weight differs by 2.3 %", the largest relative error.
    [[nodiscard]] QString worstWords() const {
        if (!m_proof.worst) {
            return {};
        }
        const PairSums& sums = m_proof.rows[*m_proof.worst].tensor.sums;
        if (sums.excluded != 0) { // the others may be equal
            return OriginWords::tr("; %1 has weights that are NaN or infinite (%2)")
                .arg(label(*m_proof.worst), formatCount(sums.excluded));
        }
        const auto nmse = figuresOf(sums).nmse;
        return nmse ? OriginWords::tr("; %1 differs by %2 %")
                          .arg(label(*m_proof.worst), formatReal(std::sqrt(*nmse) * 100, 3))
                    : OriginWords::tr("; %1 differs").arg(label(*m_proof.worst));
    }

    [[nodiscard]] QString label(std::size_t row) const { return displayText(m_report.matches.rows[row].label()); }

    [[nodiscard]] QString fileType(std::size_t row) const {
        const auto& cell = m_report.matches.rows[row].cells[m_proof.fileModel];
        return QString::fromStdString(m_report.matches.models[m_proof.fileModel]->tensor(cell.part.tensor).typeName());
    }

    // The first names of a list.
    template<typename Name>
    static QString namesOf(std::size_t count, const Name& name) {
        QStringList names;
        for (std::size_t i = 0; i < std::min(count, kNamesShown); ++i) {
            names << name(i);
        }
        return names.join(QStringLiteral(", ")) + (count > kNamesShown ? QStringLiteral(", …") : QString());
    }
    // The tensors whose worst row has the proof: its first row of that proof stands for it.
    [[nodiscard]] std::vector<std::size_t> tensorsOf(TensorProof proof) const {
        std::vector<std::size_t> rows;
        std::set<std::size_t> seen;
        for (std::size_t row = 0; row < m_proof.rows.size(); ++row) {
            const std::size_t tensor = m_proof.tensorOf[row];
            if (m_proof.tensors[tensor] == proof && m_proof.rows[row].tensor.proof == proof &&
                seen.insert(tensor).second) {
                rows.push_back(row);
            }
        }
        return rows;
    }
    [[nodiscard]] QString names(const std::vector<std::size_t>& rows) const {
        return namesOf(rows.size(), [&](std::size_t i) { return displayText(m_report.matches.rows[rows[i]].name); });
    }

    // In which way the tensors are the same, by the type that they have in the file.
    void addKinds(QStringList& lines) const {
        struct Group {
            std::uint64_t tensors = 0;
            bool rounded = false;
            PairSums sums;
        };
        std::map<std::pair<TensorProof, QString>, Group> groups;
        std::set<std::size_t> seen;
        for (std::size_t row = 0; row < m_proof.rows.size(); ++row) {
            const convert::ProvedTensor& tensor = m_proof.rows[row].tensor;
            const TensorProof proof = m_proof.tensors[m_proof.tensorOf[row]];
            if (convert::isSame(proof)) {
                Group& group = groups[{proof, fileType(row)}];
                group.tensors += seen.insert(m_proof.tensorOf[row]).second ? 1U : 0U;
                group.rounded = group.rounded || tensor.sums.ee != 0;
                group.sums.merge(tensor.sums);
            }
        }
        QStringList parts;
        for (const auto& [key, group] : groups) {
            const auto& [proof, type] = key;
            const QString count = formatCount(group.tensors);
            const QString decibels =
                metricTextWithUnit(*findReportMetric("sqnr"), figuresOf(group.sums).sqnrDb.value_or(0));
            parts
                << (proof == TensorProof::Identical && !group.rounded
                        ? OriginWords::tr("%1 identical (%2)").arg(count, type)
                    : proof == TensorProof::Identical
                        ? OriginWords::tr("%1 identical after rounding to %2").arg(count, type)
                    : proof == TensorProof::LastBits
                        ? OriginWords::tr("%1 identical but for the last bit of computed weights (%2)").arg(count, type)
                    : proof == TensorProof::Encoded
                        ? OriginWords::tr("%1 identical after quantisation to %2 (SQNR %3)").arg(count, type, decibels)
                        : OriginWords::tr("%1 quantised to %2 in another way, with the error of that type (SQNR %3)")
                              .arg(count, type, decibels));
        }
        if (!parts.isEmpty()) {
            lines << OriginWords::tr("The same: %1").arg(parts.join(QStringLiteral(", ")));
        }
    }

    void addDifferent(QStringList& lines) const {
        const std::vector<std::size_t> rows = tensorsOf(TensorProof::Different);
        if (rows.empty()) {
            return;
        }
        PairSums all;
        for (const ProvedRow& row : m_proof.rows) {
            if (row.tensor.proof == TensorProof::Different) {
                all.merge(row.tensor.sums);
            }
        }
        lines << OriginWords::tr("Different: %1 (%2); together %3")
                     .arg(formatCount(rows.size()), names(rows), figures(all));
        if (m_proof.worst && rows.size() > 1) {
            lines << OriginWords::tr("The largest relative error is in %1: %2")
                         .arg(label(*m_proof.worst), figures(m_proof.rows[*m_proof.worst].tensor.sums));
        }
        for (const std::size_t row : rows) {
            const convert::ProvedTensor& tensor = m_proof.rows[row].tensor;
            if (tensor.outliers != 0 && tensor.equalBlocks != 0) {
                lines << OriginWords::tr("%1: %2 of %3 blocks are as Gufo encodes them")
                             .arg(label(row), formatCount(tensor.equalBlocks), formatCount(tensor.blocks));
            }
        }
    }

    static QString figures(const PairSums& sums) {
        QStringList parts;
        const PairFigures values = figuresOf(sums);
        for (const char* id : {"sqnr", "max_error", "cosine"}) {
            const MetricFact* metric = findReportMetric(id);
            if (const auto value = metric != nullptr ? metric->of(values) : std::nullopt) {
                parts << QStringLiteral("%1 %2").arg(metricFullTitle(*metric), metricText(*metric, *value));
            }
        }
        if (const QString left = leftOutText(sums, false); !left.isEmpty()) {
            parts << left;
        }
        return parts.join(QStringLiteral(", "));
    }

    // Tensors with the same mistake in one line.
    void addMisfits(QStringList& lines) const {
        std::map<QString, std::vector<std::size_t>> byText;
        for (std::size_t row = 0; row < m_proof.rows.size(); ++row) {
            if (const auto& misfit = m_proof.rows[row].misfit; misfit && misfit->kind != Misfit::Kind::OtherExpert) {
                byText[misfitText(m_report.origin, *misfit)].push_back(row);
            }
        }
        addExperts(lines);
        for (const auto& [text, rows] : byText) {
            lines << QStringLiteral("%1: %2").arg(names(rows), text);
        }
    }

    // The experts of a tensor that have the weights of others, in one line.
    void addExperts(QStringList& lines) const {
        std::map<std::size_t, std::vector<std::size_t>> byTensor;
        for (std::size_t row = 0; row < m_proof.rows.size(); ++row) {
            if (const auto& misfit = m_proof.rows[row].misfit; misfit && misfit->kind == Misfit::Kind::OtherExpert) {
                byTensor[m_proof.tensorOf[row]].push_back(row);
            }
        }
        for (const auto& [tensor, rows] : byTensor) {
            const QString experts = namesOf(rows.size(), [&](std::size_t i) {
                return OriginWords::tr("%1 holds the weights of %2")
                    .arg(m_report.matches.rows[rows[i]].expert.value_or(0))
                    .arg(m_proof.rows[rows[i]].misfit->expert);
            });
            lines << OriginWords::tr("%1: experts are exchanged: %2")
                         .arg(displayText(m_report.matches.rows[rows.front()].name), experts);
        }
    }

    template<typename Sentence>
    void addList(QStringList& lines, TensorProof proof, const Sentence& sentence) const {
        if (const std::vector<std::size_t> rows = tensorsOf(proof); !rows.empty()) {
            lines << sentence(formatCount(rows.size()), names(rows));
        }
    }

    void addFailed(QStringList& lines) const {
        const std::vector<std::size_t> rows = tensorsOf(TensorProof::Failed);
        if (!rows.empty()) {
            lines << OriginWords::tr("Not readable: %1 (%2); %3")
                         .arg(formatCount(rows.size()), names(rows),
                              errorLine(*m_proof.rows[rows.front()].tensor.error));
        }
    }

    void addUnused(QStringList& lines) const {
        const auto& unused = m_report.origin.plan->unused;
        if (!unused.empty()) {
            lines << OriginWords::tr("The conversion leaves out %n tensors of the origin (%1).", nullptr,
                                     numerus(unused.size()))
                         .arg(namesOf(unused.size(), [&](std::size_t i) { return displayText(unused[i].name); }));
        }
    }

    void addKeys(QStringList& lines) const {
        const auto add = [&](const auto& wanted, const QString& text) {
            std::vector<std::size_t> rows;
            for (const convert::KeyDifference& key : m_proof.keys) {
                if (wanted(key)) {
                    rows.push_back(key.row);
                }
            }
            if (!rows.empty()) {
                lines << text.arg(formatCount(rows.size()), namesOf(rows.size(), [&](std::size_t i) {
                                      return displayText(m_report.metadata.rows[rows[i]].key);
                                  }));
            }
        };
        using Key = convert::KeyDifference;
        add([](const Key& key) { return !key.descriptive && !key.missing; },
            OriginWords::tr("Keys with another value than the conversion writes: %1 (%2)"));
        add([](const Key& key) { return !key.descriptive && key.missing; },
            OriginWords::tr("Keys that the conversion writes and the file lacks: %1 (%2)"));
        add([](const Key& key) { return key.descriptive; },
            OriginWords::tr("Keys that only describe the model and differ: %1 (%2)"));
    }

    const OriginReport& m_report;
    const OriginProof& m_proof;
};

} // namespace

QString originVerdictText(const OriginReport& report) { return Reporter(report).verdict(); }

QStringList originDetails(const OriginReport& report) { return Reporter(report).details(); }

QString proofText(const OriginReport& report, std::size_t row) { return Reporter(report).rowText(row); }

QString misfitText(const convert::Origin& origin, const Misfit& misfit) {
    switch (misfit.kind) {
    case Misfit::Kind::Without:
        return OriginWords::tr("equal without %1").arg(operationText(misfit.operation));
    case Misfit::Kind::Reversed:
        return OriginWords::tr("equal if %1 is inverted").arg(operationText(misfit.operation));
    case Misfit::Kind::Repeated:
        return OriginWords::tr("equal with %1 applied twice").arg(operationText(misfit.operation));
    case Misfit::Kind::With:
        return OriginWords::tr("equal with %1, which this architecture does not need")
            .arg(operationText(misfit.operation));
    case Misfit::Kind::OtherExpert:
        return OriginWords::tr("holds the weights of expert %1").arg(misfit.expert);
    case Misfit::Kind::OtherTensor:
        return OriginWords::tr("holds the weights of %1").arg(displayText(origin.plan->rows[misfit.other].target));
    default:
        return OriginWords::tr("equal if the weights are first rounded to %1").arg(typeName(misfit.typeId));
    }
}

QString originHtml(const OriginReport& report) {
    QString items;
    for (const QString& line : originDetails(report)) {
        items += QStringLiteral("<li>%1</li>").arg(escaped(line));
    }
    return QStringLiteral("<p><strong>%1</strong></p><ul>%2</ul>").arg(escaped(originVerdictText(report)), items);
}

} // namespace gufo::ui
