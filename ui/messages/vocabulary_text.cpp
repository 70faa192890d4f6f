#include "ui/messages/vocabulary_text.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"

#include <QCoreApplication>

namespace gufo::ui {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::Vocabulary)
};

} // namespace

QString vocabularyDifferenceText(const text::VocabularyDifference& difference) {
    const QString sizes = difference.size == difference.otherSize
                              ? QString()
                              : Words::tr("its vocabulary has %n tokens, that of the reference %1", nullptr,
                                          numerus(difference.otherSize))
                                    .arg(formatCount(difference.size));
    if (!difference.token) {
        return sizes;
    }
    const QString token = Words::tr("its token %1 is \"%2\", that of the reference \"%3\"")
                              .arg(QString::number(difference.token->value), displayText(difference.otherText),
                                   displayText(difference.text));
    return sizes.isEmpty() ? token : sizes + QStringLiteral("; ") + token;
}

} // namespace gufo::ui
