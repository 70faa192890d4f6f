#include "ui/report/card_pictures.h"

#include "model/file_kind.h"
#include "model/tensor_role.h"
#include "ui/messages/figure_text.h"
#include "ui/report/architecture_picture.h"
#include "ui/report/html_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace gufo::ui {
namespace {

class PictureWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::ModelCard)
};

constexpr double kWidth = 720;
constexpr double kLine = 26;
constexpr double kTop = 40;
constexpr double kLabels = 250; // width of the names
constexpr double kFigures = 130;
constexpr std::uint64_t kMostBlocks = 256;
constexpr double kFewBits = 2;
constexpr double kManyBits = 8.5; // of Q8_0, the most that is quantised
// Colours of few and of many bits, which differ in lightness, too.
constexpr std::array<int, 3> kFew{0xF2, 0xA5, 0x41};
constexpr std::array<int, 3> kMany{0x1F, 0x5F, 0x8B};

QString colorOf(double bits) {
    const double share = std::clamp((bits - kFewBits) / (kManyBits - kFewBits), 0.0, 1.0);
    QString color = QStringLiteral("#");
    for (std::size_t i = 0; i < kFew.size(); ++i) {
        const auto channel = std::lround(kFew.at(i) + share * (kMany.at(i) - kFew.at(i)));
        color += QStringLiteral("%1").arg(channel, 2, 16, QLatin1Char('0'));
    }
    return color;
}

// A picture of that height, whose texts can be read on light and dark pages.
QString picture(const QString& title, double height, const QString& content) {
    return filled(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1 %2\" width=\"%1\" height=\"%2\" "
        "role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"13\">\n"
        "<style>text { fill: #333 } @media (prefers-color-scheme: dark) { text { fill: #ddd } }</style>\n"
        "<title>%3</title>\n<text x=\"0\" y=\"18\" font-size=\"15\" font-weight=\"600\">%3</text>\n%4</svg>\n",
        px(kWidth), px(height), escaped(title), content);
}

QString text(double x, double y, const QString& content, const char* anchor = "start") {
    return filled("<text x=\"%1\" y=\"%2\" text-anchor=\"%4\">%3</text>\n", px(x), px(y), escaped(content),
                  QString::fromLatin1(anchor));
}

QString bar(double x, double y, double width, double height, const QString& color, const QString& tip) {
    return filled("<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" rx=\"2\" fill=\"%5\"><title>%6</title></rect>\n",
                  px(x), px(y), px(width), px(height), color, escaped(tip));
}

QString elided(const std::string& name, qsizetype most) {
    const QString whole = displayText(name);
    return whole.size() <= most ? whole : whole.left(most / 2) + u'…' + whole.right(most - most / 2 - 1);
}

QString sizesOf(const std::vector<const CardFile*>& files) {
    std::uint64_t largest = 1;
    for (const CardFile* file : files) {
        largest = std::max(largest, file->bytes);
    }
    QString content;
    double y = kTop;
    for (const CardFile* file : files) {
        const double share = static_cast<double>(file->bytes) / static_cast<double>(largest);
        const QString bits =
            file->bitsPerWeight
                ? PictureWords::tr("%1 bits per weight").arg(QString::number(*file->bitsPerWeight, 'f', 2))
                : QString();
        constexpr qsizetype kMostLetters = 34;
        content += text(0, y + 15, elided(file->name, kMostLetters));
        content += bar(kLabels, y + 2, std::max(2.0, share * (kWidth - kLabels - kFigures)), kLine - 8,
                       colorOf(file->bitsPerWeight.value_or(kManyBits)), bits);
        content +=
            text(kWidth, y + 15,
                 file->bitsPerWeight ? QStringLiteral("%1 · %2").arg(formatBytes(file->bytes),
                                                                     QString::number(*file->bitsPerWeight, 'f', 2))
                                     : formatBytes(file->bytes),
                 "end");
        y += kLine;
    }
    return picture(PictureWords::tr("Sizes and bits per weight"), y + 8, content);
}

struct Share {
    double bits = 0;
    double weights = 0;
    [[nodiscard]] double perWeight() const { return bits / weights; }
};
enum Row : std::size_t { Attention, FeedForward, Other, RowCount };

Row rowOf(const TensorName& name) {
    const TensorGroup group = name.fact != nullptr ? name.fact->group : TensorGroup::Other;
    return group == TensorGroup::Attention ? Attention : group == TensorGroup::FeedForward ? FeedForward : Other;
}

// Rows for the parts of the blocks, a column for each block; empty if the model has no blocks, or too many.
QString blocksOf(const Model& model) {
    std::array<std::map<std::uint32_t, Share>, RowCount> rows;
    std::uint64_t blocks = 0;
    for (const TensorInfo& tensor : model.tensors) {
        const TensorName name = parseTensorName(tensor.name);
        if (!name.block || *name.block >= kMostBlocks || !tensor.bytes || tensor.shape.count() < 2 ||
            !name.prefix.empty()) {
            continue;
        }
        Share& share = rows.at(rowOf(name))[*name.block];
        share.bits += 8 * static_cast<double>(*tensor.bytes);
        share.weights += static_cast<double>(tensor.weights());
        blocks = std::max<std::uint64_t>(blocks, *name.block + 1ULL);
    }
    if (blocks == 0) {
        return {};
    }
    const std::array<QString, RowCount> titles{PictureWords::tr("Attention"), PictureWords::tr("Feed-forward"),
                                               PictureWords::tr("Other")};
    constexpr double kTitles = 110;
    const double width = (kWidth - kTitles) / static_cast<double>(blocks);
    QString content;
    double y = kTop;
    for (std::size_t row = 0; row < RowCount; ++row) {
        if (rows.at(row).empty()) {
            continue;
        }
        content += text(0, y + 15, titles.at(row));
        for (const auto& [block, share] : rows.at(row)) {
            if (share.weights > 0) {
                content +=
                    bar(kTitles + block * width, y, std::max(1.0, width - 1), kLine - 4, colorOf(share.perWeight()),
                        PictureWords::tr("Block %1, %2: %3 bits per weight")
                            .arg(QString::number(block), titles.at(row), QString::number(share.perWeight(), 'f', 2)));
            }
        }
        y += kLine;
    }
    content += text(kTitles, y + 14, QStringLiteral("0"));
    content += text(kWidth, y + 14, QString::number(blocks - 1), "end");
    y += kLine;
    constexpr auto kLegend = std::to_array<double>({2, 3, 4, 5, 6, 8.5, 16});
    double x = kTitles;
    for (const double bits : kLegend) {
        constexpr double kStep = 62;
        content += bar(x, y, 14, 14, colorOf(bits), QString());
        content += text(x + 20, y + 12, QString::number(bits));
        x += kStep;
    }
    content += text(x, y + 12, PictureWords::tr("bits per weight"));
    return picture(PictureWords::tr("Bits per weight by block"), y + 24, content);
}

} // namespace

std::vector<CardPicture> cardPictures(const std::vector<CardFile>& files, const std::string& stem) {
    std::vector<const CardFile*> models;
    for (const CardFile& file : files) {
        if (fileKind(*file.model) == FileKind::Model) {
            models.push_back(&file);
        }
    }
    std::ranges::sort(models, {}, [](const CardFile* file) { return std::pair(file->bytes, file->name); });
    std::vector<CardPicture> pictures;
    if (models.size() > 1) {
        pictures.push_back({stem + "-sizes.svg", PictureWords::tr("Sizes and bits per weight"), sizesOf(models)});
    }
    if (const QString blocks = models.empty() ? QString() : blocksOf(*models.front()->model); !blocks.isEmpty()) {
        pictures.push_back({stem + "-blocks.svg", PictureWords::tr("Bits per weight by block"), blocks});
    }
    if (!models.empty()) {
        const std::shared_ptr<const Model>& smallest = models.front()->model;
        if (const auto picture = architecturePicture(smallest, typeColours(*smallest))) {
            pictures.push_back({stem + "-diagram.svg", PictureWords::tr("Architecture: %1").arg(picture->summary),
                                picture->svgFile()});
        }
    }
    return pictures;
}

} // namespace gufo::ui
