#include "ui/theme/theme.h"

#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

#include <memory>

namespace gufo::ui {
namespace {

// Caches parsed drawings by name and colour; there are a few dozen at most.
const std::shared_ptr<QSvgRenderer>& drawing(const QString& name, const QColor& color) {
    static QHash<QPair<QString, QRgb>, std::shared_ptr<QSvgRenderer>> cache;
    auto& entry = cache[{name, color.rgb()}];
    if (!entry) {
        QFile file(QStringLiteral(":/gufo/icons/%1.svg").arg(name));
        QByteArray svg;
        if (file.open(QIODevice::ReadOnly)) {
            svg = file.readAll();
        }
        svg.replace("currentColor", color.name().toLatin1());
        entry = std::make_shared<QSvgRenderer>(svg);
    }
    return entry;
}

class ThemeIconEngine final : public QIconEngine {
public:
    ThemeIconEngine(QString name, Token token)
        : m_name(std::move(name))
        , m_token(token) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        Q_UNUSED(state);
        const int side = std::min(rect.width(), rect.height());
        const QRectF square(rect.x() + (rect.width() - side) / 2.0, rect.y() + (rect.height() - side) / 2.0, side,
                            side);
        drawing(m_name, themeColor(mode == QIcon::Disabled ? Token::Faint : m_token))->render(painter, square);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return scaledPixmap(size, mode, state, 1.0);
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override {
        Q_UNUSED(scale); // `size` is in device pixels; QIcon sets the device pixel ratio
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }

    [[nodiscard]] QIconEngine* clone() const override { return new ThemeIconEngine(m_name, m_token); }
    [[nodiscard]] QString key() const override { return QStringLiteral("gufo"); }
    bool isNull() override { return false; }

private:
    QString m_name;
    Token m_token;
};

} // namespace

QIcon themeIcon(const QString& name, Token token) {
    if (!QFile::exists(QStringLiteral(":/gufo/icons/%1.svg").arg(name))) {
        return {};
    }
    return QIcon(new ThemeIconEngine(name, token));
}

} // namespace gufo::ui
