// The frame of an exported picture, with which it can be understood alone: a title, the subject and its files, the
// labels of the axes, and a legend. Also the user's settings for pictures: their size and their theme.
#pragma once

#include "ui/theme/theme.h"

#include <QRectF>
#include <QSize>
#include <QStringList>

#include <functional>
#include <vector>

class QPainter;

namespace gufo::ui {

struct PictureKey { // of a legend
    QString text;
    std::function<void(QPainter& painter, const QRectF& rect)> sample; // draws into a small rectangle
};
[[nodiscard]] PictureKey seriesKey(const QString& text, int series); // the line and the mark of a file

struct PictureFrame {
    QString title;
    QStringList lines;    // below the title: tensor, files, reference
    QString xLabel{};     // of the axes of a plot, with units. Empty: as in the window
    QString yLabel{};     // as xLabel
    QString scaleLabel{}; // of the colour scale
    std::vector<PictureKey> keys{};
};

enum class PictureTheme { Window, Light, Dark };

struct PictureOptions {
    static constexpr int kMinimum = 240; // logical pixels
    static constexpr int kMaximum = 8000;
    static constexpr int kMaxScale = 8;

    QSize size{};  // of the whole picture in logical pixels; empty: what it shows is as large as in the window
    int scale = 2; // pixels of a PNG for each logical pixel
    PictureTheme theme = PictureTheme::Window;

    bool operator==(const PictureOptions&) const = default;
};
// As the user chose them last, for all pictures (QSettings "pictures/…"). Values out of range are not used.
[[nodiscard]] PictureOptions pictureOptions();
void savePictureOptions(const PictureOptions& options);

// The layout of a frame around content, in logical pixels.
class FrameLayout {
public:
    // `size` is the size of the picture, or empty if the content should have the size `content`.
    FrameLayout(const PictureFrame& frame, QSize size, QSize content);

    [[nodiscard]] QSize size() const { return m_size; }
    [[nodiscard]] QRect content() const { return m_content; }
    // Paints the ground and everything but the content, in the colours of the theme.
    void paint(QPainter& painter) const;

private:
    struct Text {
        QRect rect;
        QString text;
        TextStyle style;
        Token ink;
    };
    struct Sample {
        QRectF rect;
        std::size_t key;
    };
    void add(const QString& text, TextStyle style, Token ink, int width, int& y);

    PictureFrame m_frame;
    QSize m_size;
    QRect m_content;
    std::vector<Text> m_texts;
    std::vector<Sample> m_samples;
};

} // namespace gufo::ui
