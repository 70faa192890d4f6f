#include "ui/report/architecture_picture.h"

#include "convert/source_structure.h"
#include "tensor/tensor_type.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/structure_text.h"
#include "ui/report/color_map_tables.h"
#include "ui/report/diagram_layout.h"
#include "ui/report/html_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>

namespace gufo::ui {
namespace {

using inference::StructureBlock;
using inference::StructurePart;

class ArchitectureWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::ArchitecturePicture)
};

constexpr qreal kSmall = 12; // sizes of texts in pixels
constexpr qreal kUsual = 13;
constexpr qreal kBelow = 10; // the layout, whose margin at the bottom holds the legend
constexpr qreal kLegendAbove = 14;
constexpr qsizetype kMaxSummary = 240; // letters
constexpr std::size_t kMostShares = 6;
constexpr std::size_t kLegendTypes = 40; // no real file has more

// The classes have a prefix, since the rules hold for all of a page that the picture is in. The picture has its own
// ground, so that it stays legible on a page with other colours than the system.
constexpr char kStyle[] =
    ".gd-page{fill:#fff}.gd-t{fill:#1a1e25;font-size:13px}.gd-h{font-weight:600}.gd-m{fill:#5b6470;font-size:12px}"
    ".gd-box{fill:#fff;stroke:#bec4cd}.gd-run{fill:#f8f9fa;stroke:#dcdfe4}.gd-row{fill:#f2f3f5;stroke:#bec4cd}"
    ".gd-open{fill:#e6ebfb;stroke:#bec4cd}.gd-warn{fill:#fdf3dc;stroke:#b7791f}"
    ".gd-l{fill:none;stroke:#5b6470;stroke-width:1.4;stroke-linecap:round}"
    "@media(prefers-color-scheme:dark){.gd-page{fill:#17191e}.gd-t{fill:#e3e6eb}.gd-m{fill:#9ba3b0}"
    ".gd-box{fill:#17191e;stroke:#474d59}.gd-run{fill:#1b1e23;stroke:#30343d}.gd-row{fill:#262a31;stroke:#474d59}"
    ".gd-open{fill:#26304f;stroke:#474d59}.gd-warn{fill:#3a3018;stroke:#d9a23b}.gd-l{stroke:#9ba3b0}}";

QString typeColour(std::uint32_t typeId) {
    const TensorTypeFact* type = findTensorType(typeId);
    if (type == nullptr) {
        return QStringLiteral("#b8a9c9");
    }
    if (type->kind == TensorTypeKind::Quantised) {
        constexpr double kFewBits = 2;
        constexpr double kManyBits = 8.5;
        const double share = std::clamp((type->bitsPerWeight() - kFewBits) / (kManyBits - kFewBits), 0.0, 1.0);
        const auto index = static_cast<std::size_t>(std::lround(share * static_cast<double>(kViridis.size() - 1)));
        return QStringLiteral("#%1").arg(kViridis.at(index), 6, 16, QLatin1Char('0'));
    }
    if (type->kind == TensorTypeKind::Integer) {
        return QStringLiteral("#b59a6a");
    }
    constexpr double kHalf = 16;
    return type->bitsPerWeight() > kHalf                            ? QStringLiteral("#737b88")
           : typeId == static_cast<std::uint32_t>(TensorType::BF16) ? QStringLiteral("#98a0ab")
                                                                    : QStringLiteral("#acb3bd");
}

// As many whole lines as there is room for.
QString shortened(const QString& text, qsizetype most) {
    if (text.size() <= most) {
        return text;
    }
    const qsizetype line = text.lastIndexOf(u'\n', most);
    qsizetype end = line > 0 ? line + 1 : most;
    end -= text[end - 1].isHighSurrogate() ? 1 : 0;
    return text.left(end) + u'…';
}

class Painter {
public:
    Painter(const Model& model, const inference::ModelStructure& structure, const ArchitectureColours& colours)
        : m_model(model)
        , m_structure(structure)
        , m_colours(colours)
        , m_small(estimatedMeasure(kSmall))
        , m_usual(estimatedMeasure(kUsual))
        , m_layout(layOutDiagram(structure, mainBlock(structure), m_small)) {}

    [[nodiscard]] QString svg(const QString& summary, const QString& words) {
        for (const DiagramItem& item : m_layout.items) { // frames are below the lines, and everything else above
            if (item.kind == DiagramItem::Kind::Run) {
                add(item);
            }
        }
        for (const DiagramLine& line : m_layout.lines) {
            add(line);
        }
        for (const DiagramItem& item : m_layout.items) {
            if (item.kind != DiagramItem::Kind::Run) {
                add(item);
            }
        }
        const double height = addLegend(m_layout.size.height() - kLegendAbove) + kLegendAbove + kBelow;
        return filled("<svg viewBox=\"0 0 %1 %2\" width=\"%1\" height=\"%2\" "
                      "role=\"img\" font-family=\"system-ui, sans-serif\" aria-label=\"%3\">\n<style>%4</style>\n"
                      "<desc>%5</desc>\n<rect class=\"gd-page\" width=\"%1\" height=\"%2\" rx=\"6\"/>\n%6</svg>\n",
                      px(m_layout.size.width()), px(height), escaped(summary), QString::fromLatin1(kStyle),
                      escaped(words), m_svg);
    }

private:
    void add(const DiagramItem& item);
    void add(const DiagramLine& line);
    void addPart(const DiagramItem& item);
    void addRow(const DiagramItem& item);
    double addLegend(double y); // returns where its last line begins
    void addColours(const QRectF& rect, std::span<const TensorIndex> tensors);
    void addBox(const QRectF& rect, const char* style, double radius) {
        m_svg +=
            filled("<rect class=\"%1\" x=\"%2\" y=\"%3\" width=\"%4\" height=\"%5\" rx=\"%6\"/>\n",
                   QLatin1String(style), px(rect.x()), px(rect.y()), px(rect.width()), px(rect.height()), px(radius));
    }
    void addText(double x, double y, const char* style, const QString& text, const char* anchor = "start") {
        if (!text.isEmpty()) {
            m_svg += filled("<text class=\"%1\" x=\"%2\" y=\"%3\" text-anchor=\"%4\">%5</text>\n", QLatin1String(style),
                            px(x), px(y), QLatin1String(anchor), escaped(text));
        }
    }
    void addPath(const QString& path) { m_svg += filled("<path class=\"gd-l\" d=\"%1\"/>\n", path); }
    [[nodiscard]] QString sizeOf(std::span<const TensorIndex> tensors) const {
        std::uint64_t bytes = 0; // tensors do not exceed their file
        for (const TensorIndex tensor : tensors) {
            bytes += m_model.tensor(tensor).bytes.value_or(0);
        }
        return bytes != 0 ? formatBytes(bytes) : QString();
    }

    const Model& m_model;
    const inference::ModelStructure& m_structure;
    const ArchitectureColours& m_colours;
    TextMeasure m_small;
    TextMeasure m_usual;
    DiagramLayout m_layout;
    QString m_svg;
};

void Painter::add(const DiagramItem& item) {
    const QRectF& rect = item.rect;
    switch (item.kind) {
    case DiagramItem::Kind::Title:
        return addText(rect.left(), rect.center().y() + 4, "gd-t gd-h", elidedTo(item.title, rect.width(), m_usual));
    case DiagramItem::Kind::Run:
        addBox(rect, "gd-run", 6);
        return addText(rect.left() + 10, rect.top() + 17, "gd-t gd-h",
                       elidedTo(item.title, rect.width() - 20, m_usual));
    case DiagramItem::Kind::Row:
        return addRow(item);
    case DiagramItem::Kind::Part:
        return addPart(item);
    case DiagramItem::Kind::Sum: {
        const QPointF at = rect.center();
        addBox(rect, "gd-box", rect.width() / 2);
        return addPath(filled("M%1 %2h8M%3 %4v8", px(at.x() - 4), px(at.y()), px(at.x()), px(at.y() - 4)));
    }
    case DiagramItem::Kind::Note:
        return addText(rect.left(), rect.center().y() + 4, "gd-m", elidedTo(item.title, rect.width(), m_small));
    }
}

void Painter::add(const DiagramLine& line) {
    const QPointF end = line.line.p2();
    QString path = filled("M%1 %2L%3 %4", px(line.line.x1()), px(line.line.y1()), px(end.x()), px(end.y()));
    if (line.arrow) {
        const double angle = std::atan2(line.line.dy(), line.line.dx());
        for (const double side : {2.6, -2.6}) {
            path += filled("M%1 %2l%3 %4", px(end.x()), px(end.y()), px(6 * std::cos(angle + side)),
                           px(6 * std::sin(angle + side)));
        }
    }
    addPath(path);
}

void Painter::addPart(const DiagramItem& item) {
    addBox(item.rect, item.warns ? "gd-warn" : "gd-box", 4);
    const QRectF inner = item.rect.adjusted(10, 6, -10, 0);
    constexpr qreal kRoomForSize = 160;
    const QString size = inner.width() > kRoomForSize ? sizeOf(item.part->tensors) : QString();
    const qreal room = inner.width() - (size.isEmpty() ? 0 : m_small.width(size) + 8);
    double y = inner.top() + kSmall;
    addText(inner.left(), y, "gd-t", elidedTo(item.title, room, m_usual));
    addText(inner.right(), y, "gd-m", size, "end");
    for (const QString& line : item.lines) {
        y += m_small.lineHeight;
        addText(inner.left(), y, "gd-m", line);
    }
    addColours({item.rect.left() + 1, item.rect.bottom() - 6, item.rect.width() - 2, 5}, item.part->tensors);
}

void Painter::addRow(const DiagramItem& item) {
    const StructureBlock& block = m_structure.stacks[item.block->stack].blocks[item.block->block];
    std::vector<TensorIndex> tensors;
    for (const StructurePart& part : block.parts) {
        tensors.insert(tensors.end(), part.tensors.begin(), part.tensors.end());
    }
    addBox(item.rect, item.warns ? "gd-warn" : item.unfolded ? "gd-open" : "gd-row", 4);
    const QString size = sizeOf(tensors);
    const double y = item.rect.top() + kSmall + 4;
    const QRectF inner = item.rect.adjusted(10, 0, -10, 0);
    addText(inner.left(), y, "gd-t", elidedTo(item.title, inner.width() - m_small.width(size) - 12, m_usual));
    addText(inner.right(), y, "gd-m", size, "end");
    addColours({item.rect.left() + 1, item.rect.bottom() - 4, item.rect.width() - 2, 3}, tensors);
}

void Painter::addColours(const QRectF& rect, std::span<const TensorIndex> tensors) {
    double x = rect.left();
    for (const ArchitectureColours::Share& colour : m_colours.of(tensors)) {
        const double width = rect.width() * colour.share;
        m_svg += filled("<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" fill=\"%5\"/>\n", px(x), px(rect.y()),
                        px(width), px(rect.height()), colour.colour);
        x += width;
    }
}

double Painter::addLegend(double y) {
    constexpr double kLeft = 16;
    double x = kLeft;
    if (m_colours.legend.empty()) {
        return y;
    }
    addText(x, y + 11, "gd-m", m_colours.title);
    x += m_small.width(m_colours.title) + 10;
    for (const ArchitectureColours::Key& key : m_colours.legend) {
        const double width = 16 + m_small.width(key.text) + 14;
        if (x + width > m_layout.size.width()) {
            x = kLeft;
            y += m_small.lineHeight + 4;
        }
        m_svg += filled("<rect x=\"%1\" y=\"%2\" width=\"11\" height=\"11\" rx=\"2\" fill=\"%3\"/>\n", px(x), px(y + 1),
                        key.colour);
        addText(x + 16, y + 11, "gd-m", key.text);
        x += width;
    }
    return y;
}

} // namespace

ArchitectureColours typeColours(const Model& model) {
    ArchitectureColours colours;
    colours.title = ArchitectureWords::tr("Types:");
    for (const Model::TypeShare& share : model.typeShares()) {
        if (colours.legend.size() == kLegendTypes) {
            break;
        }
        colours.legend.push_back({typeColour(share.typeId), QString::fromStdString(share.name)});
    }
    colours.of = [&model](std::span<const TensorIndex> tensors) {
        std::map<std::uint32_t, double> bytes; // by type
        double all = 0;
        for (const TensorIndex index : tensors) {
            const TensorInfo& tensor = model.tensor(index);
            const auto size = static_cast<double>(std::max<std::uint64_t>(tensor.bytes.value_or(0), 1));
            bytes[tensor.typeId] += size;
            all += size;
        }
        std::vector<ArchitectureColours::Share> shares;
        for (const auto& [type, size] : bytes) {
            shares.push_back({typeColour(type), size / all});
        }
        std::ranges::sort(shares, std::greater(), &ArchitectureColours::Share::share);
        shares.resize(std::min(shares.size(), kMostShares));
        return shares;
    };
    return colours;
}

QString ArchitecturePicture::svgFile() const {
    QString file = svg;
    return file.replace(0, 4, QStringLiteral("<svg xmlns=\"http://www.w3.org/2000/svg\""));
}

std::optional<ArchitecturePicture> architecturePicture(const std::shared_ptr<const Model>& model,
                                                       const ArchitectureColours& colours) {
    if (model->tensors.empty()) {
        return std::nullopt;
    }
    const auto described = convert::describeStructure(model);
    if (!described || described->structure.stacks.empty()) {
        return std::nullopt;
    }
    const inference::ModelStructure& structure = described->structure;
    ArchitecturePicture picture;
    picture.summary = shortened(stackText(structure.stacks.back()), kMaxSummary);
    picture.words = shortened(structureText(structure), ArchitecturePicture::kMaxText);
    picture.svg = Painter(*model, structure, colours).svg(picture.summary, picture.words);
    return picture;
}

} // namespace gufo::ui
