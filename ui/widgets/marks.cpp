#include "ui/widgets/marks.h"

#include "ui/theme/theme.h"

#include <QCoreApplication>

#include <array>

namespace gufo::ui {
namespace {

constexpr int kChipPadding = 4;

} // namespace

Mark markOf(Severity severity) {
    switch (severity) {
    case Severity::Note:
        return Mark::Note;
    case Severity::Warning:
        return Mark::Warning;
    case Severity::Error:
        break;
    }
    return Mark::Error;
}

QString markName(Mark mark) {
    switch (mark) {
    case Mark::Note:
        return QCoreApplication::translate("gufo::ui", "Note");
    case Mark::Warning:
        return QCoreApplication::translate("gufo::ui", "Warning");
    case Mark::Error:
        return QCoreApplication::translate("gufo::ui", "Error");
    case Mark::NotRun:
        break;
    }
    return QCoreApplication::translate("gufo::ui", "Not run");
}

void paintMark(QPainter& painter, const QRect& square, Mark mark) {
    struct LookRow {
        const char* icon;
        Token color;
    };
    static constexpr auto kLooks = std::to_array<LookRow>({{"info", Token::Muted},
                                                           {"warning", Token::WarningMark},
                                                           {"error", Token::ErrorText},
                                                           {"not-run", Token::Muted}});
    const LookRow& look = kLooks[static_cast<std::size_t>(mark)];
    themeIcon(QString::fromLatin1(look.icon), look.color).paint(&painter, square);
}

int paintChip(QPainter& painter, const QRect& area, const QString& text, ChipKind kind) {
    if (area.width() < 4 * kChipPadding) {
        return 0;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont font = themeFont(TextStyle::Mono);
    painter.setFont(font);
    const QFontMetrics metrics(font);
    const QString shown = metrics.elidedText(text, Qt::ElideRight, area.width() - 2 * kChipPadding);
    const int width = metrics.horizontalAdvance(shown) + 2 * kChipPadding;
    const int height = metrics.height() + 2;
    const QRect chip(area.left(), area.center().y() - height / 2 + 1, width, height);
    const Token fill = kind == ChipKind::Control       ? Token::Selection
                       : kind == ChipKind::UserDefined ? Token::UserDefinedChip
                                                       : Token::Window;
    painter.setPen(Qt::NoPen);
    painter.setBrush(themeColor(fill));
    painter.drawRoundedRect(chip, 3, 3);
    painter.setPen(themeColor(kind == ChipKind::UserDefined ? Token::UserDefinedChipText : Token::Text));
    painter.drawText(chip, Qt::AlignCenter, shown);
    painter.restore();
    return width;
}

} // namespace gufo::ui
