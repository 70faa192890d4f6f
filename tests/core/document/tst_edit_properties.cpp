// Applies random edits to random models and compares the document with a plain list of keys and tensors without steps.
//
// GUFO_EDIT_SEQUENCES sets the number of sequences (10,000), GUFO_EDIT_SEED the first seed; a failure prints its seed.
#include "document/document.h"
#include "document/open_model.h"
#include "formats/gguf/read/reader.h"
#include "formats/gguf/write/save.h"
#include "plain_model.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace gufo;
using namespace gufo::test;

namespace {

class Sequence {
public:
    Sequence(std::uint64_t seed, std::shared_ptr<const Model> base, std::shared_ptr<const Model> donor)
        : m_dice(seed)
        , m_document(base)
        , m_donor(std::move(donor))
        , m_base(plainOf(*base))
        , m_now(m_base) {}

    [[nodiscard]] const Document& document() const { return m_document; }
    [[nodiscard]] const PlainModel& now() const { return m_now; }

    // Returns the first violated property; empty if there is none.
    std::string run(std::size_t steps) {
        for (std::size_t i = 0; i < steps; ++i) {
            const std::string what = step();
            if (const std::string wrong = check(); !wrong.empty()) {
                return wrong + " after step " + std::to_string(i) + ": " + what;
            }
        }
        return {};
    }

    std::string check() const {
        const PlainModel got = plainOf(*m_document.current());
        if (got.keys != m_now.keys) {
            return "other keys";
        }
        if (got.tensors != m_now.tensors) {
            return "other tensors";
        }
        if (m_document.isModified() != (m_now != m_base)) {
            return m_document.isModified() ? "modified, but equal" : "not modified, but different";
        }
        if (m_document.canUndo() != !m_before.empty() || m_document.canRedo() != !m_after.empty()) {
            return "another number of steps";
        }
        return checkIndexes();
    }

    // The net changes lead from the base to the current model. Reverting leads back, all at once and row by row.
    std::string checkWays() {
        Document fresh(m_document.base());
        if (!fresh.apply(m_document.changes(), "net") || plainOf(*fresh.current()) != m_now) {
            return "the net changes lead elsewhere";
        }
        Document back(m_document.base());
        if (!back.apply(m_document.changes(), "net") || !back.apply(back.revertAll(), "back") || back.isModified()) {
            return "reverting everything does not lead back";
        }
        while (fresh.isModified()) {
            const auto rows = fresh.differences();
            bool any = false;
            for (const Difference& row : rows) {
                any = fresh.apply(fresh.revert(row), "row").has_value() && fresh.differences().size() < rows.size();
                if (any) {
                    break;
                }
            }
            if (!any) {
                return "a row cannot be reverted";
            }
        }
        return {};
    }

    std::string undoEverything() {
        while (m_document.canUndo()) {
            undo();
            if (const std::string wrong = check(); !wrong.empty()) {
                return wrong + " after undo";
            }
        }
        return {};
    }

    void rebase(std::shared_ptr<const Model> saved) {
        m_document.rebase(std::move(saved));
        m_base = m_now;
    }

private:
    std::string checkIndexes() const {
        const Model& model = *m_document.current();
        for (const KeyValue& entry : model.metadata) {
            if (model.metadata.find(entry.key) != &entry.value) {
                return "a key is not found";
            }
        }
        for (std::size_t i = 0; i < model.tensors.size(); ++i) {
            if (model.findTensor(model.tensors[i].name) != TensorIndex(i)) {
                return "a tensor is not found";
            }
        }
        return {};
    }

    std::string step() {
        switch (m_dice.roll(16)) {
        case 0:
        case 1:
            undo();
            return "undo";
        case 2:
            redo();
            return "redo";
        case 3:
            revertRow();
            return "revert";
        case 4:
            if (m_dice.oneIn(5)) {
                apply(m_document.revertAll(), m_base);
                return "revert all";
            }
            refused();
            return "refused";
        default:
            edit();
            return "edit";
        }
    }

    void undo() {
        if (m_document.canUndo()) {
            m_document.undo();
            m_after.push_back(std::exchange(m_now, m_before.back()));
            m_before.pop_back();
        }
    }
    void redo() {
        if (m_document.canRedo()) {
            m_document.redo();
            m_before.push_back(std::exchange(m_now, m_after.back()));
            m_after.pop_back();
        }
    }
    void apply(std::vector<Change> changes, PlainModel next) {
        const bool could = m_document.canUndo();
        const auto before = m_document.current();
        if (!m_document.apply(std::move(changes), "step")) {
            m_now.keys.push_back({"refused", {}}); // detected by check()
            return;
        }
        if (m_document.current() != before) { // changes without effect do not make a step
            m_before.push_back(std::exchange(m_now, std::move(next)));
            m_after.clear();
        } else if (next != m_now || could != m_document.canUndo()) {
            m_now.keys.push_back({"nothing happened", {}});
        }
    }
    void revertRow() {
        const auto& rows = m_document.differences();
        if (rows.empty()) {
            return;
        }
        const Difference row = rows[m_dice.roll(rows.size())];
        auto changes = m_document.revert(row);
        // A conflict (such as another key with the old name) must be refused without changing anything.
        Document probe(m_document.base());
        if (!probe.apply(m_document.changes(), "net") || !probe.apply(changes, "row")) {
            if (m_document.apply(std::move(changes), "row")) {
                m_now.keys.push_back({"only refused elsewhere", {}});
            }
            return;
        }
        apply(std::move(changes), plainOf(*probe.current()));
    }
    // The last change of a step is invalid, so none is applied.
    void refused() {
        m_changes.clear();
        m_next = m_now;
        randomChange();
        m_changes.emplace_back(DeleteKey{"there is no such key"});
        if (m_document.apply(m_changes, "refused")) {
            m_now.keys.push_back({"not refused", {}});
        }
    }
    void edit() {
        m_changes.clear();
        m_next = m_now;
        for (std::size_t i = m_dice.oneIn(3) ? 1 + m_dice.roll(8) : 1; i > 0; --i) {
            randomChange();
        }
        apply(m_changes, m_next);
    }

    PlainKey* key(const std::string& name) {
        const auto found = std::ranges::find(m_next.keys, name, &PlainKey::name);
        return found != m_next.keys.end() ? &*found : nullptr;
    }
    PlainKey* someKey() { return m_next.keys.empty() ? nullptr : &m_next.keys[m_dice.roll(m_next.keys.size())]; }
    template<typename T>
    void move(std::vector<T>& list, std::size_t from, std::size_t to) {
        T item = std::move(list[from]);
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(from));
        list.insert(list.begin() + static_cast<std::ptrdiff_t>(to), std::move(item));
    }

    void randomChange() {
        const std::size_t kind = m_dice.roll(16);
        if (kind < 4) {
            setKey();
        } else if (kind < 7) {
            changeKey(kind);
        } else if (kind < 12) {
            changeArray();
        } else {
            changeTensor(kind);
        }
    }
    void setKey() {
        PlainKey* chosen = m_dice.oneIn(3) ? nullptr : someKey();
        const std::string name = chosen != nullptr ? chosen->name : m_dice.name();
        if (name == "general.alignment") {
            return;
        }
        const Plain value = m_dice.value();
        SetKey change{.key = name, .value = ownedOf(value, m_dice.layout())};
        if (PlainKey* there = key(name)) {
            there->value = value;
        } else {
            change.position = m_dice.oneIn(2) ? std::optional(m_dice.roll(m_next.keys.size() + 1)) : std::nullopt;
            const std::size_t at = change.position.value_or(m_next.keys.size());
            m_next.keys.insert(m_next.keys.begin() + static_cast<std::ptrdiff_t>(at), {name, value});
        }
        m_changes.emplace_back(std::move(change));
    }
    void changeKey(std::size_t kind) {
        PlainKey* chosen = someKey();
        if (chosen == nullptr || chosen->name == "general.alignment") {
            return;
        }
        const auto at = static_cast<std::size_t>(chosen - m_next.keys.data());
        if (kind == 4) {
            m_changes.emplace_back(DeleteKey{chosen->name});
            m_next.keys.erase(m_next.keys.begin() + static_cast<std::ptrdiff_t>(at));
        } else if (kind == 5) {
            const std::string name = m_dice.name();
            if (key(name) == nullptr) {
                m_changes.emplace_back(RenameKey{chosen->name, name});
                chosen->name = name;
            }
        } else {
            const std::size_t to = m_dice.roll(m_next.keys.size());
            m_changes.emplace_back(MoveKey{chosen->name, to});
            move(m_next.keys, at, to);
        }
    }
    void changeArray() {
        PlainKey* chosen = someKey();
        if (chosen == nullptr || chosen->value.type != ValueType::Array) {
            return;
        }
        ArrayPath path{chosen->name};
        Plain* array = &chosen->value;
        while (array->elementType == ValueType::Array && !array->elements.empty() && !m_dice.oneIn(3)) {
            const std::size_t index = m_dice.roll(array->elements.size());
            path.indices.push_back(index);
            array = &array->elements[index];
        }
        const auto depth = static_cast<unsigned>(path.indices.size() + 1);
        std::vector<Plain>& list = array->elements;
        const std::size_t at = m_dice.roll(list.size() + 1);
        const std::size_t kind = m_dice.roll(3);
        if (kind == 0 && at < list.size()) {
            list[at] = m_dice.value(array->elementType, depth);
            m_changes.emplace_back(SetElement{path, at, ownedOf(list[at], m_dice.layout())});
        } else if (kind == 1) {
            Plain added{.type = ValueType::Array, .elementType = array->elementType};
            for (std::size_t i = m_dice.roll(m_dice.oneIn(10) ? 1500 : 4); i > 0; --i) {
                added.elements.push_back(m_dice.value(array->elementType, 4));
            }
            m_changes.emplace_back(InsertElements{path, at, ownedOf(added, m_dice.layout())});
            list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), added.elements.begin(), added.elements.end());
        } else if (at < list.size()) {
            const std::size_t count = m_dice.roll(list.size() - at + 1);
            m_changes.emplace_back(RemoveElements{path, at, count});
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(at),
                       list.begin() + static_cast<std::ptrdiff_t>(at + count));
        }
    }
    void changeTensor(std::size_t kind) {
        std::vector<PlainTensor>& list = m_next.tensors;
        const std::string name = "t" + std::to_string(m_dice.roll(30));
        const bool taken = std::ranges::find(list, name, &PlainTensor::name) != list.end();
        if (kind == 12 && !m_donor->tensors.empty() && m_donor->byteOrder == m_document.base()->byteOrder) {
            const std::size_t from = m_dice.roll(m_donor->tensors.size());
            PlainTensor tensor = plainOf(*m_donor).tensors[from];
            ImportTensor change{.from = m_donor, .name = tensor.name, .newName = name, .replace = taken};
            tensor.name = name;
            if (taken) {
                *std::ranges::find(list, name, &PlainTensor::name) = tensor;
            } else {
                change.position = m_dice.roll(list.size() + 1);
                list.insert(list.begin() + static_cast<std::ptrdiff_t>(*change.position), tensor);
            }
            m_changes.emplace_back(change);
            return;
        }
        if (list.empty()) {
            return;
        }
        const std::size_t at = m_dice.roll(list.size());
        if (kind == 13 && !taken) {
            m_changes.emplace_back(RenameTensor{list[at].name, name});
            list[at].name = name;
        } else if (kind == 14) {
            m_changes.emplace_back(DeleteTensor{list[at].name});
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
        } else {
            const std::size_t to = m_dice.roll(list.size());
            m_changes.emplace_back(MoveTensor{list[at].name, to});
            move(list, at, to);
        }
    }

    Dice m_dice;
    Document m_document;
    std::shared_ptr<const Model> m_donor;
    PlainModel m_base;
    PlainModel m_now;
    std::vector<PlainModel> m_before; // before each step
    std::vector<PlainModel> m_after;
    std::vector<Change> m_changes;
    PlainModel m_next;
};

std::string fileBytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

class TestEditProperties : public QObject {
    Q_OBJECT

private slots:
    void behavesAsAPlainList();
    void savesWhatItShows();

private:
    static std::uint64_t number(const char* variable, std::uint64_t otherwise) {
        bool valid = false;
        const auto value = qEnvironmentVariable(variable).toULongLong(&valid);
        return valid ? value : otherwise;
    }
};

void TestEditProperties::behavesAsAPlainList() {
    const std::uint64_t first = number("GUFO_EDIT_SEED", 1);
    const std::uint64_t count = number("GUFO_EDIT_SEQUENCES", 10'000);
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        Dice dice(seed);
        const auto base = gguf::read(randomFile(dice, "t").source());
        const auto donor = gguf::read(randomFile(dice, "d").source());
        QVERIFY2(base && donor, qPrintable(QStringLiteral("seed %1").arg(seed)));
        Sequence sequence(seed, *base, *donor);
        std::string wrong = sequence.run(4 + dice.roll(20));
        wrong = wrong.empty() ? sequence.checkWays() : wrong;
        wrong = wrong.empty() ? sequence.undoEverything() : wrong;
        QVERIFY2(wrong.empty(), qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(wrong.c_str())));
        QVERIFY2(!sequence.document().isModified(), qPrintable(QStringLiteral("seed %1").arg(seed)));
    }
}

// Edits and saves a file twice, undoes everything across both saves, and saves again: the result equals the original
// bytes.
void TestEditProperties::savesWhatItShows() {
    const QTemporaryDir folder;
    const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "model.gguf";
    const std::uint64_t first = number("GUFO_EDIT_SEED", 1);
    const std::uint64_t count = number("GUFO_EDIT_SEQUENCES", 10'000) / 50;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const QString where = QStringLiteral("seed %1").arg(seed);
        Dice dice(seed);
        randomFile(dice, "t").write(path);
        const std::string before = fileBytes(path);
        const auto donor = gguf::read(randomFile(dice, "d").source());
        const auto opened = openModel(path);
        QVERIFY2(opened && donor, qPrintable(where));
        Sequence sequence(seed, *opened, *donor);
        const SaveOptions options{.reserve = Reserve::None};
        const auto save = [&]() -> std::string {
            const Document& document = sequence.document();
            const auto saved = gguf::save(*document.base(), *document.current(), document.target(), options);
            if (!saved) {
                return "not saved: " + std::string(errorName(saved.error().code)) +
                       (saved.error().args.empty() ? "" : " " + saved.error().args[0].text());
            }
            const auto again = openModel(path);
            if (!again) {
                return "not opened again";
            }
            sequence.rebase(*again);
            return sequence.check();
        };
        std::string wrong;
        for (int round = 0; round < 3 && wrong.empty(); ++round) {
            wrong = sequence.run(1 + dice.roll(8));
            wrong = wrong.empty() ? save() : wrong;
        }
        wrong = wrong.empty() ? sequence.undoEverything() : wrong;
        wrong = wrong.empty() ? save() : wrong;
        QVERIFY2(wrong.empty(), qPrintable(where + ": " + QString::fromStdString(wrong)));
        QVERIFY2(fileBytes(path) == before, qPrintable(where + ": other bytes than at the beginning"));
    }
}

GUFO_TEST(TestEditProperties)
#include "tst_edit_properties.moc"
