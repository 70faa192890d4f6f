// The steps between two lists of names: applied one by one to the first list, each finds what it names, and the result
// is the second list. A naive list that is searched linearly is the reference.
#include "document/lineage.h"
#include "document/list_edits.h"
#include "support/test_unit.h"
#include "support/yardstick.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace gufo;
using namespace gufo::edit;

namespace {

using Names = std::vector<std::string_view>;

// Applies the steps as an edited document does. Returns nothing if a step names a missing entry.
std::optional<Names> applied(Names list, const Names& goal, const std::vector<ListEdit>& edits) {
    const auto find = [&](const ListEdit& edit) {
        std::size_t left = edit.occurrence;
        return std::ranges::find_if(list, [&](std::string_view name) { return name == edit.name && left-- == 0; });
    };
    for (const ListEdit& edit : edits) {
        if (edit.kind == ListEdit::Kind::Add) {
            if (edit.occurrence != static_cast<std::size_t>(std::ranges::count(list, edit.name)) ||
                edit.position > list.size()) {
                return std::nullopt;
            }
            list.insert(list.begin() + static_cast<std::ptrdiff_t>(edit.position), goal[edit.index]);
            continue;
        }
        const auto at = find(edit);
        if (at == list.end()) {
            return std::nullopt;
        }
        if (edit.kind == ListEdit::Kind::Keep) {
            *at = goal[edit.index];
            continue;
        }
        list.erase(at);
        if (edit.kind == ListEdit::Kind::Move) {
            if (edit.position > list.size()) {
                return std::nullopt;
            }
            list.insert(list.begin() + static_cast<std::ptrdiff_t>(edit.position), goal[edit.index]);
        }
    }
    return list;
}

// Processor time for a list of this many names. All of them are moved or replaced.
double msFor(std::size_t count) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i) {
        texts.push_back("blk." + std::to_string(i) + ".weight");
    }
    const Names from(texts.begin(), texts.end());
    const Names goal(texts.rbegin(), texts.rend());
    std::vector<std::size_t> matched(count);
    for (std::size_t i = 0; i < count; ++i) {
        matched[i] = i % 3 == 0 ? kNone : count - 1 - i;
    }
    const double begun = threadMs();
    const std::vector<ListEdit> edits = listEdits(from, matched, goal);
    const double took = threadMs() - begun;
    return edits.size() > count ? took : 0;
}

} // namespace

class TestListEdits : public QObject {
    Q_OBJECT

private slots:
    void turnOneListIntoTheOther();
    void moveAsFewAsPossible();
    void takeTimeInProportion();
};

void TestListEdits::turnOneListIntoTheOther() {
    const Names all{"a", "b", "c", "d", "e", "f"}; // few, so that many are duplicates
    std::mt19937 random(7);
    for (int round = 0; round < 20'000; ++round) {
        Names from(random() % 8);
        Names goal(random() % 8);
        for (Names* list : {&from, &goal}) {
            std::ranges::generate(*list, [&] { return all[random() % all.size()]; });
        }
        std::vector<std::size_t> places(goal.size());
        std::iota(places.begin(), places.end(), std::size_t{0});
        std::ranges::shuffle(places, random);
        std::vector<std::size_t> matched(from.size(), kNone);
        for (std::size_t i = 0; i < from.size() && i < places.size(); ++i) {
            matched[i] = random() % 4 != 0 ? places[i] : kNone;
        }
        if (round % 2 == 0) { // mostly in order
            std::ranges::sort(matched);
        }
        const auto result = applied(from, goal, listEdits(from, matched, goal));
        QVERIFY(result.has_value());
        QCOMPARE(*result, goal);
    }
}

void TestListEdits::moveAsFewAsPossible() {
    const Names from{"a", "b", "c", "d"};
    const Names goal{"d", "a", "b", "c"};
    const std::vector<ListEdit> edits = listEdits(from, {1, 2, 3, 0}, goal);
    QCOMPARE(std::ranges::count(edits, ListEdit::Kind::Move, &ListEdit::kind), 1);
    QCOMPARE(edits.back().name, std::string_view("d"));
    QCOMPARE(edits.back().position, std::size_t{0});
}

// Sixteen times the names may take some more than sixteen times as long, but not its square.
void TestListEdits::takeTimeInProportion() {
    QVERIFY(isQuickOnce([] {
        const double few = msFor(16'000);
        const double many = msFor(256'000);
        return few > 0 && many < 16 * 5 * few;
    }));
}

GUFO_TEST_APPLESS(TestListEdits)
#include "tst_list_edits.moc"
