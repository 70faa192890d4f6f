// Steps of many changes at once, their undoing and redoing take time in proportion to their number.
#include "document/document.h"
#include "document/named_list.h"
#include "document/revert.h"
#include "support/test_unit.h"
#include "support/yardstick.h"

#include <QTest>

#include <functional>
#include <random>

using namespace gufo;
using namespace gufo::test;

namespace {

enum class Naming { Different, Same };

struct Numbered {
    std::vector<std::string> names;
    explicit Numbered(std::size_t count, Naming kind) {
        for (std::size_t i = 0; i < count; ++i) {
            names.push_back(kind == Naming::Same ? "again" : "blk." + std::to_string(i) + ".weight");
        }
    }
};

// As many keys and tensors, all with the same names.
std::shared_ptr<const Model> modelWith(std::size_t count, Naming kind) {
    auto model = std::make_shared<Model>();
    model->container = "gguf";
    model->version = 3;
    model->files.push_back({.source = std::make_shared<MemorySource>(std::vector<std::byte>(64)), .path = "x.gguf"});
    const auto numbered = std::make_shared<const Numbered>(count, kind);
    for (const std::string& name : numbered->names) {
        model->metadata.add({.key = name, .value = std::uint32_t{1}});
        model->tensors.push_back({.name = name});
    }
    model->owned.push_back(numbered);
    model->indexTensors();
    return model;
}

using ChangeOf = std::function<Change(const std::string& name, std::size_t i, std::size_t count)>;

// Processor time for one step with a change for each key or tensor, its undoing and redoing.
double msFor(std::size_t count, Naming kind, const ChangeOf& changeOf) {
    Document document(modelWith(count, kind));
    const Numbered numbered(count, kind);
    std::vector<Change> changes;
    for (std::size_t i = 0; i < count; ++i) {
        changes.push_back(changeOf(numbered.names[i], i, count));
    }
    const double begun = threadMs();
    const auto step = document.apply(std::move(changes), "all");
    if (!step || !document.canUndo()) {
        return -1;
    }
    document.undo();
    const bool asBefore = document.current()->metadata.size() == count && document.current()->tensors.size() == count &&
                          document.differences().empty();
    document.redo();
    const double took = threadMs() - begun;
    return asBefore && document.isModified() ? took : -1;
}

struct Counted {
    int value = 0;
    std::string text;
    [[nodiscard]] std::string_view name() const { return text; }
};

} // namespace

class TestManyChanges : public QObject {
    Q_OBJECT

private slots:
    void takeTimeInProportion_data();
    void takeTimeInProportion();
    void severalAreReverted_data();
    void severalAreReverted();
    void listKeepsOrderAndNames();
};

Q_DECLARE_METATYPE(ChangeOf)
Q_DECLARE_METATYPE(Naming)

void TestManyChanges::takeTimeInProportion_data() {
    QTest::addColumn<Naming>("names");
    QTest::addColumn<ChangeOf>("change");
    const auto row = [](const char* name, Naming names, ChangeOf change) {
        QTest::newRow(name) << names << std::move(change);
    };
    using Name = const std::string&;
    const OwnedValue two(Value(std::uint32_t{2}));
    row("delete keys", Naming::Different, [](Name name, std::size_t, std::size_t) { return DeleteKey{name}; });
    row("delete keys of one name", Naming::Same, [](Name name, std::size_t, std::size_t) { return DeleteKey{name}; });
    row("delete keys of one name from the end", Naming::Same,
        [](Name name, std::size_t i, std::size_t count) { return DeleteKey{name, count - 1 - i}; });
    row("rename keys", Naming::Different,
        [](Name name, std::size_t, std::size_t) { return RenameKey{name, "new." + name}; });
    row("set keys", Naming::Different,
        [two](Name name, std::size_t, std::size_t) { return SetKey{.key = name, .value = two}; });
    row("set keys of one name", Naming::Same,
        [two](Name name, std::size_t i, std::size_t) { return SetKey{.key = name, .value = two, .occurrence = i}; });
    row("add keys at the start", Naming::Different, [two](Name name, std::size_t, std::size_t) {
        return SetKey{.key = "new." + name, .value = two, .position = 0};
    });
    row("move keys", Naming::Different, [](Name name, std::size_t, std::size_t) { return MoveKey{name, 0}; });
    row("delete tensors", Naming::Different, [](Name name, std::size_t, std::size_t) { return DeleteTensor{name}; });
    row("delete tensors of one name", Naming::Same,
        [](Name name, std::size_t, std::size_t) { return DeleteTensor{name}; });
    row("rename tensors", Naming::Different,
        [](Name name, std::size_t, std::size_t) { return RenameTensor{name, "new." + name}; });
    row("move tensors", Naming::Different, [](Name name, std::size_t, std::size_t) { return MoveTensor{name, 0}; });
}

// Sixteen times the changes may take some more than sixteen times as long, but not its square.
void TestManyChanges::takeTimeInProportion() {
    QFETCH(Naming, names);
    QFETCH(ChangeOf, change);
    QVERIFY(msFor(10, names, change) >= 0);
    QVERIFY(isQuickOnce([&] { return msFor(24'000, names, change) < 16 * 5 * msFor(1'500, names, change); }));
}

void TestManyChanges::severalAreReverted_data() {
    QTest::addColumn<ChangeOf>("change");
    using Name = const std::string&;
    const auto moveKey = [](Name name, std::size_t, std::size_t) { return MoveKey{name, 0}; };
    const auto moveTensor = [](Name name, std::size_t, std::size_t) { return MoveTensor{name, 0}; };
    const auto deleteSome = [](Name name, std::size_t i, std::size_t) -> Change {
        return i % 8 != 0 ? Change(DeleteTensor{name}) : Change(MoveTensor{name, 0});
    };
    QTest::newRow("moved keys") << ChangeOf(moveKey);
    QTest::newRow("moved tensors") << ChangeOf(moveTensor);
    QTest::newRow("deleted and moved tensors") << ChangeOf(deleteSome);
}

// Reverting all rows of the review at once gives the base again.
void TestManyChanges::severalAreReverted() {
    QFETCH(ChangeOf, change);
    const auto msToRevert = [&](std::size_t count) {
        const Numbered numbered(count, Naming::Different);
        Document document(modelWith(count, Naming::Different));
        std::vector<Change> all;
        for (std::size_t i = 0; i < count; ++i) {
            all.push_back(change(numbered.names[i], i, count));
        }
        if (!document.apply(std::move(all), "all")) {
            return -1.0;
        }
        const std::vector<Difference> differences = document.differences();
        const double begun = threadMs();
        auto back = edit::revertSeveral(document.base(), document.changes(), differences);
        const double took = threadMs() - begun;
        const bool reverted = differences.size() > count / 2 && document.apply(std::move(back), "back");
        return reverted && document.differences().empty() ? took : -1.0;
    };
    QVERIFY(msToRevert(9) >= 0);
    QVERIFY(isQuickOnce([&] { return msToRevert(24'000) < 16 * 5 * msToRevert(1'500); }));
    QVERIFY(msToRevert(24'000) >= 0);
}

// The list behind the document against a plain vector.
void TestManyChanges::listKeepsOrderAndNames() {
    std::mt19937 random(5);
    const auto below = [&](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
    for (int round = 0; round < 50; ++round) {
        NamedList<Counted> list;
        std::vector<std::pair<int, std::string>> plain;
        for (int step = 0; step < 300; ++step) {
            const std::string name(1, static_cast<char>('a' + below(6)));
            const std::size_t at = below(plain.size());
            switch (below(plain.size() < 8 ? 2 : 5)) {
            case 0:
            case 1: {
                const std::size_t position = below(plain.size() + 1);
                list.insert(position, {.value = step, .text = name});
                plain.insert(plain.begin() + static_cast<std::ptrdiff_t>(position), {step, name});
                break;
            }
            case 2:
                QCOMPARE(list.remove(*std::next(list.begin(), static_cast<std::ptrdiff_t>(at))).value, plain[at].first);
                plain.erase(plain.begin() + static_cast<std::ptrdiff_t>(at));
                break;
            case 3: {
                const std::size_t to = below(plain.size());
                const auto moved = plain[at];
                list.move(*std::next(list.begin(), static_cast<std::ptrdiff_t>(at)), to);
                plain.erase(plain.begin() + static_cast<std::ptrdiff_t>(at));
                plain.insert(plain.begin() + static_cast<std::ptrdiff_t>(to), moved);
                break;
            }
            default:
                list.rename(*std::next(list.begin(), static_cast<std::ptrdiff_t>(at)),
                            [&](Counted& item) { item.text = name; });
                plain[at].second = name;
            }
        }
        if (round % 2 == 0) {
            list = list.copy([](const Counted& item) { return item; });
        }
        QCOMPARE(list.size(), plain.size());
        std::map<std::string, std::size_t> seen;
        std::size_t position = 0;
        for (Counted& item : list) {
            QCOMPARE(item.value, plain[position].first);
            QCOMPARE(item.text, plain[position].second);
            QCOMPARE(list.positionOf(item), position++);
            const std::size_t occurrence = seen[item.text]++;
            QCOMPARE(list.occurrenceOf(item), occurrence);
            QCOMPARE(list.find(item.text, occurrence), &item);
        }
        QCOMPARE(position, plain.size());
        for (const auto& [name, count] : seen) {
            QVERIFY(list.find(name, count) == nullptr);
        }
        QVERIFY(list.find("z") == nullptr);
    }
}

GUFO_TEST_APPLESS(TestManyChanges)
#include "tst_many_changes.moc"
