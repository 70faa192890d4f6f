#include "ui/messages/left_out_text.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

namespace gufo::ui {
namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::LeftOut)
};

constexpr std::size_t kMaxNamed = 4;

// "blk.46" of "blk.46.attn_q.weight"; empty if the tensor is not one of a block.
std::string_view blockOf(std::string_view name) {
    constexpr std::string_view kBlock = "blk.";
    return name.starts_with(kBlock) ? name.substr(0, name.find('.', kBlock.size())) : std::string_view();
}

// A name, or a block that predicts further tokens (multi-token prediction), of which all tensors count as one.
struct Item {
    QString text;
    std::size_t tensors = 1;
};
bool predicts(std::string_view name, std::string_view block) {
    return !block.empty() && name.substr(block.size()).starts_with(".nextn.");
}
std::vector<Item> itemsOf(std::span<const std::string> tensors) {
    std::map<std::string_view, std::size_t> counts; // of blocks that predict further tokens
    for (const std::string& name : tensors) {
        if (const std::string_view block = blockOf(name); predicts(name, block)) {
            counts[block] = 0;
        }
    }
    const auto countOf = [&](const std::string& name) { return counts.find(blockOf(name)); };
    for (const std::string& name : tensors) {
        if (const auto count = countOf(name); count != counts.end()) {
            ++count->second;
        }
    }
    std::vector<Item> items;
    for (const std::string& name : tensors) {
        const auto count = countOf(name);
        if (count == counts.end()) {
            items.push_back({displayText(name)});
        } else if (count->second != 0) {
            items.push_back({Words::tr("%1 (%n tensors that predict further tokens)", nullptr, numerus(count->second))
                                 .arg(displayText(count->first)),
                             count->second});
            count->second = 0; // named once
        }
    }
    return items;
}

} // namespace

QString leftOutText(std::span<const std::string> all, bool drafts) {
    std::vector<std::string> tensors(all.begin(), all.end());
    const auto first = std::ranges::find_if(all, [](const std::string& name) { return predicts(name, blockOf(name)); });
    if (drafts && first != all.end()) {
        std::erase_if(tensors, [block = blockOf(*first)](const std::string& name) { return blockOf(name) == block; });
    }
    if (tensors.empty()) {
        return {};
    }
    QStringList texts;
    std::size_t rest = tensors.size();
    for (const Item& item : itemsOf(tensors)) {
        if (texts.size() == kMaxNamed) {
            break;
        }
        texts << item.text;
        rest -= item.tensors;
    }
    const QString list = texts.join(QStringLiteral(", "));
    return rest != 0 ? Words::tr("Ignored, because they do not affect the answers: %1 and %2 more tensors.")
                           .arg(list, formatCount(rest))
                     : Words::tr("Ignored, because they do not affect the answers: %1.").arg(list);
}

QString decoderLeftOutText() {
    return Words::tr("Gufo runs the encoder of this model, but not its decoder, which would generate texts.");
}

} // namespace gufo::ui
