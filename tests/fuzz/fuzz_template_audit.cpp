// What the audit of templates does with hostile text itself: a template's pieces, two renderings that are compared, and
// an outline as a helper could send it. Rendering is left out, since it happens in another process.
#include "require.h"
#include "text/audit/known_templates.h"
#include "text/audit/text_difference.h"
#include "text/template/template_outline.h"

#include <QJsonDocument>
#include <QJsonObject>

using namespace gufo::text;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::string_view first = text.substr(0, size / 2);
    const std::string_view second = text.substr(size / 2);
    const TextDifference difference = differenceOf(first, second);
    require(difference.at <= second.size());
    require(differenceOf(text, text).isNone());
    WordSet known;
    addWords(known, first);
    require(foreignWords(first, known) == 0);
    (void)isDateText(second);
    const KnownTemplate same = compareWithBase(text, text);
    require(same.changed.empty() && same.missingPieces == 0);
    (void)compareWithBase(first, second);
    (void)findKnownTemplate(text);
    const auto json = QJsonDocument::fromJson(QByteArray(text.data(), static_cast<qsizetype>(text.size())));
    (void)readTemplateOutline(json.object());
    return 0;
}
