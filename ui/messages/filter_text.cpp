#include "ui/messages/filter_text.h"

#include <QCoreApplication>

namespace gufo::ui {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::FilterText)
};

} // namespace

QString filterProblemText(const text::FilterProblem& problem) {
    switch (problem.kind) {
    case text::FilterProblem::Kind::NoExpression:
        return Words::tr("%1 is not a regular expression: %2").arg(problem.term, problem.detail);
    case text::FilterProblem::Kind::NotClosed:
        return Words::tr("%1 is a regular expression without a / at its end").arg(problem.term);
    case text::FilterProblem::Kind::NoSize:
        return Words::tr("%1 is not a size: write size:>10M, size:<=512K or size:1M..2G").arg(problem.term);
    case text::FilterProblem::Kind::NoShape:
        return Words::tr("%1 is not a shape: write shape:4096x* or shape:128x64x8").arg(problem.term);
    case text::FilterProblem::Kind::NoField:
        return Words::tr("%1: there is no field \"%2\"; the fields are size, shape and type")
            .arg(problem.term, problem.detail);
    case text::FilterProblem::Kind::NothingToMatch:
        return Words::tr("%1 lacks what it should match").arg(problem.term);
    }
    return {};
}

QString filterHint() {
    return Words::tr("All terms must hold:\n"
                     "attn_q, blk.17, ffn_* – a part of the name\n"
                     "Q6_K, type:IQ* – the type\n"
                     "size:>10M, size:1M..2G – the bytes\n"
                     "shape:4096x* – the dimensions\n"
                     "/^blk\\.\\d+/ – a regular expression\n"
                     "-ffn, !type:F32 – exclude");
}

QString filterExample() { return Words::tr("Filter: name, ffn_*, -attn, Q6_K, size:>10M, shape:4096x*"); }

} // namespace gufo::ui
