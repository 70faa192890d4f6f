#include "base/byte_order.h"
#include "base/byte_source.h"
#include "base/checked.h"
#include "base/copied_file.h"
#include "base/cpu_features.h"
#include "base/file_operations.h"
#include "base/mapped_file.h"
#include "base/parallel.h"
#include "base/remaining_time.h"
#include "support/test_unit.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fcntl.h>
#include <fstream>
#include <numeric>
#include <sys/stat.h>
#include <unistd.h>

using namespace gufo;

namespace {

std::filesystem::path writeFile(const QTemporaryDir& dir, const std::string& name, const std::string& bytes) {
    const auto path = std::filesystem::path(dir.path().toStdString()) / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

} // namespace

class TestBase : public QObject {
    Q_OBJECT

private slots:
    void checkedArithmeticDoesNotWrap();
    void loadsBothByteOrders();
    void memorySourceRefusesRangesOutside();
    void subSourceCountsFromItsStart();
    void bytesSayWhichFileTheyAre();
    void mapsAFileWhateverItsName();
    void copiesSmallFilesAndMapsLargeOnes();
    void refusesWhatIsNoRegularFile();
    void survivesTruncationByAnotherProcess();
    void keepsPagesOfOverwrittenFiles();
    void sayWhenFilesWereOverwritten();
    void protectsAnyNumberOfMappings();
    void parallelForCoversEverythingOnce();
    void parallelForStopsWhenAsked();
    void scalarIsAlwaysAvailable();
    void tellsTheRemainingTime();
};

void TestBase::checkedArithmeticDoesNotWrap() {
    constexpr std::uint64_t kMax = ~std::uint64_t{0};
    QCOMPARE(checkedAdd(kMax - 1, 1).value(), kMax);
    QVERIFY(!checkedAdd(kMax, 1));
    QVERIFY(!checkedMultiply(std::uint64_t{1} << 32U, std::uint64_t{1} << 32U));
    QCOMPARE(checkedAlign(33, 32).value(), 64U);
    QCOMPARE(checkedAlign(64, 32).value(), 64U);
    QCOMPARE(checkedAlign(25, 24).value(), 48U);
    QVERIFY(!checkedAlign(kMax - 3, 32));
}

void TestBase::loadsBothByteOrders() {
    const std::array<std::byte, 5> bytes{std::byte{0xFF}, std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
    QCOMPARE(load<std::uint32_t>(bytes.data() + 1, ByteOrder::Little), 0x04030201U);
    QCOMPARE(load<std::uint32_t>(bytes.data() + 1, ByteOrder::Big), 0x01020304U);
    std::array<std::byte, 4> out{};
    store(out.data(), 1.5F, ByteOrder::Big);
    QCOMPARE(load<float>(out.data(), ByteOrder::Big), 1.5F);
    QCOMPARE(out[0], std::byte{0x3F});
}

void TestBase::memorySourceRefusesRangesOutside() {
    const MemorySource source(std::vector<std::byte>(10));
    QVERIFY(source.view({10, 0}));
    QVERIFY(source.view({0, 10}));
    QCOMPARE(source.view({5, 6}).error().code, ErrorCode::RangeOutsideFile);
    QCOMPARE(source.view({~std::uint64_t{0}, 2}).error().code, ErrorCode::RangeOutsideFile);
}

void TestBase::subSourceCountsFromItsStart() {
    std::vector<std::byte> bytes(10);
    bytes[4] = std::byte{42};
    const SubSource part(std::make_shared<MemorySource>(bytes), {4, 3});
    QCOMPARE(part.size(), 3U);
    QCOMPARE((*part.view({0, 1}))[0], std::byte{42});
    QVERIFY(!part.view({1, 3}));
}

// A save uses the identity to check the file before it writes and to keep a mapping valid.
void TestBase::bytesSayWhichFileTheyAre() {
    const QTemporaryDir dir;
    const auto path = writeFile(dir, "model", "hello");
    const std::shared_ptr<const ByteSource> file = MappedFile::open(path).value();
    QCOMPARE(file->identity().value(), realFileOperations().status(path).value().identity());
    QCOMPARE(file->identity().value().size, 5U);
    writeFile(dir, "model", "another");
    QVERIFY(file->identity().value() != realFileOperations().status(path).value().identity());

    const auto memory = std::make_shared<MemorySource>(std::vector<std::byte>(5), path);
    QVERIFY(!memory->identity());
    QVERIFY(!memory->hold());
    QVERIFY(!memory->isHeld());

    const SubSource part(file, {1, 3});
    QVERIFY(!part.identity()); // because it is not the whole file
    QVERIFY(!file->isHeld());
    auto hold = part.hold();
    QVERIFY(hold != nullptr);
    QVERIFY(file->isHeld());
    QVERIFY(part.isHeld());
    hold.reset();
    QVERIFY(!file->isHeld());
}

void TestBase::mapsAFileWhateverItsName() {
    const QTemporaryDir dir;
    const auto path = writeFile(dir, "m\xC3\xB6\xFF\n.gguf", "hello");
    const auto file = MappedFile::open(path);
    QVERIFY(file);
    QCOMPARE((*file)->size(), 5U);
    QCOMPARE((*(*file)->view({1, 1}))[0], std::byte{'e'});
    QVERIFY(!(*file)->damage());
}

void TestBase::copiesSmallFilesAndMapsLargeOnes() {
    const QTemporaryDir dir;
    const std::string text(kMaxCopiedBytes, 'a');
    const auto small = writeFile(dir, "small", text);
    const auto large = writeFile(dir, "large", text + "b");
    const auto copy = openCopiedOrMapped(small).value();
    const auto mapping = openCopiedOrMapped(large).value();
    QCOMPARE(copy->size(), kMaxCopiedBytes);
    QCOMPARE(mapping->size(), kMaxCopiedBytes + 1);
    QCOMPARE(copy->path(), small);
    QCOMPARE(copy->identity().value(), realFileOperations().status(small).value().identity());
    QVERIFY(!copy->view({1, kMaxCopiedBytes}));
    QVERIFY(!copy->hold()); // nothing can take the copy away
    QVERIFY(mapping->hold());
    const Bytes whole = *mapping->view({0, kMaxCopiedBytes + 1}); // in one piece, although its first bytes are copied
    QCOMPARE(std::string(reinterpret_cast<const char*>(whole.data()), whole.size()), text + "b");
    std::filesystem::resize_file(small, 1);
    std::filesystem::resize_file(large, 1);
    QCOMPARE((*copy->view({kMaxCopiedBytes - 1, 1}))[0], std::byte{'a'});
    QVERIFY(std::ranges::count(*mapping->view({0, kCopiedHeadBytes}), std::byte{'a'}) == kCopiedHeadBytes); // a copy
    QCOMPARE(mapping->damage().value().code, ErrorCode::FileChangedWhileReading);
    QCOMPARE((*mapping->view({kMaxCopiedBytes, 1}))[0], std::byte{0});
    QVERIFY(!copy->damage());
    QVERIFY(mapping->damage());
}

void TestBase::refusesWhatIsNoRegularFile() {
    const QTemporaryDir dir;
    const std::filesystem::path root = dir.path().toStdString();
    QCOMPARE(openCopiedOrMapped(root / "absent").error().code, ErrorCode::FileNotFound);
    QCOMPARE(openCopiedOrMapped(root).error().code, ErrorCode::IsDirectory);
    QCOMPARE(openCopiedOrMapped(writeFile(dir, "nothing", "")).error().code, ErrorCode::EmptyFile);
    std::filesystem::create_symlink(writeFile(dir, "something", "a"), root / "link");
    QVERIFY(openCopiedOrMapped(root / "link"));
    QCOMPARE(openCopiedOrMapped(root / "link", Links::Refuse).error().code, ErrorCode::InvalidArgument);
    QVERIFY(openCopiedOrMapped(root / "something", Links::Refuse));
    QCOMPARE(MappedFile::open(root / "absent").error().code, ErrorCode::FileNotFound);
    QCOMPARE(MappedFile::open(root).error().code, ErrorCode::IsDirectory);
    QCOMPARE(MappedFile::open(writeFile(dir, "empty", "")).error().code, ErrorCode::EmptyFile);
    QCOMPARE(mkfifo((root / "fifo").c_str(), 0600), 0);
    QCOMPARE(MappedFile::open(root / "fifo").error().code, ErrorCode::NotRegularFile);
    QCOMPARE(MappedFile::open("/dev/null").error().code, ErrorCode::NotRegularFile);
    if (geteuid() != 0) {
        const auto secret = writeFile(dir, "secret", "x");
        QCOMPARE(chmod(secret.c_str(), 0), 0);
        QCOMPARE(MappedFile::open(secret).error().code, ErrorCode::PermissionDenied);
    }
}

void TestBase::survivesTruncationByAnotherProcess() {
    const QTemporaryDir dir;
    const auto path = writeFile(dir, "model", std::string(1U << 20U, 'x'));
    const auto file = MappedFile::open(path);
    QVERIFY(file);
    const Bytes all = *(*file)->view({0, 1U << 20U});
    QCOMPARE(truncate(path.c_str(), 4096), 0);
    QCOMPARE(all[0], std::byte{'x'});
    QCOMPARE((*file)->damage().value().code, ErrorCode::FileChangedWhileReading);
    QCOMPARE(all[500'000], std::byte{0});
    QCOMPARE((*file)->damage().value().code, ErrorCode::FileChangedWhileReading);
}

void TestBase::keepsPagesOfOverwrittenFiles() {
    constexpr std::size_t kPage = 4096;
    constexpr std::size_t kSize = 100 * kPage + 7;
    const QTemporaryDir dir;
    const auto path = writeFile(dir, "model", std::string(kSize, 'x'));
    const auto file = MappedFile::open(path);
    QVERIFY(file);
    const Bytes all = *(*file)->view({0, kSize});
    const std::vector<std::byte> elsewhere(10);
    const std::vector<Bytes> views{all.subspan(10, 20), all.subspan(50 * kPage - 1, 2), all.last(3), elsewhere,
                                   Bytes()};
    QVERIFY(!(*file)->keep(views, 3 * kPage)); // they touch four pages
    QCOMPARE((*file)->keep(views, 4 * kPage), std::optional<std::uint64_t>(4 * kPage));
    std::ofstream(path, std::ios::binary) << std::string(kSize / 2, 'y'); // shortens it first, as cp does
    QCOMPARE(all[10], std::byte{'x'});
    QCOMPARE(all[50 * kPage], std::byte{'x'});
    QCOMPARE(all.back(), std::byte{'x'});
    QCOMPARE(all[20 * kPage], std::byte{'y'});    // not kept
    (*file)->advise({0, kSize}, Access::Release); // drops no copies
    QCOMPARE(all[10], std::byte{'x'});
    QCOMPARE((*file)->damage().value().code, ErrorCode::FileChangedWhileReading);
}

void TestBase::sayWhenFilesWereOverwritten() {
    const QTemporaryDir dir;
    const auto path = writeFile(dir, "model", "12345678");
    const auto later = [](const std::filesystem::path& written) {
        std::filesystem::last_write_time(written, std::filesystem::last_write_time(written) + std::chrono::seconds(2));
    };
    const auto replaced = MappedFile::open(path);
    QVERIFY(replaced && !(*replaced)->damage());
    std::filesystem::rename(writeFile(dir, "next", "abcdefgh"), path);
    QVERIFY(!(*replaced)->damage()); // its bytes still exist
    const auto overwritten = MappedFile::open(path);
    QVERIFY(overwritten && !(*overwritten)->damage());
    writeFile(dir, "model", "ABCDEFGH");
    later(path);
    QCOMPARE((*overwritten)->damage().value().code, ErrorCode::FileChangedOnDisk);
    QVERIFY(!(*replaced)->damage());
    const auto removed = MappedFile::open(path);
    QVERIFY(removed);
    std::filesystem::remove(path);
    QVERIFY(!(*removed)->damage());
}

// Needs more than one table of the handler, and works again after half of the mappings are gone.
void TestBase::protectsAnyNumberOfMappings() {
    constexpr std::size_t kMappings = 2500;
    constexpr std::size_t kPages = 3;
    constexpr std::size_t kPage = 4096;
    const QTemporaryDir dir;
    const auto path = writeFile(dir, "model", std::string(kPages * kPage, 'x'));
    std::vector<std::shared_ptr<const MappedFile>> files;
    const auto open = [&] {
        auto file = MappedFile::open(path);
        QVERIFY(file);
        files.push_back(*std::move(file));
    };
    while (files.size() < kMappings && !QTest::currentTestFailed()) {
        open();
    }
    std::size_t number = 0;
    std::erase_if(files, [&](const auto&) { return number++ % 2 == 0; });
    while (files.size() < kMappings && !QTest::currentTestFailed()) {
        open();
    }
    QCOMPARE(truncate(path.c_str(), kPage), 0);
    for (std::size_t i = 0; i < files.size(); ++i) {
        const Bytes all = *files[i]->view({0, kPages * kPage});
        QCOMPARE(all[0], std::byte{'x'});
        QCOMPARE(files[i]->damage().value().code, ErrorCode::FileChangedWhileReading);
        QCOMPARE(all[(1 + i % 2) * kPage], std::byte{0});
        QVERIFY(files[i]->damage());
    }
}

void TestBase::parallelForCoversEverythingOnce() {
    std::vector<std::atomic<int>> seen(10'007);
    QVERIFY(parallelFor(seen.size(), 64, {.threads = 5}, [&](std::uint64_t begin, std::uint64_t end, unsigned worker) {
        QVERIFY(worker < 5);
        for (std::uint64_t i = begin; i < end; ++i) {
            ++seen[i];
        }
    }));
    QVERIFY(std::ranges::all_of(seen, [](const std::atomic<int>& n) { return n == 1; }));
    QVERIFY(parallelFor(0, 64, {}, [](auto, auto, auto) { QFAIL("nothing to do"); }));
}

void TestBase::parallelForStopsWhenAsked() {
    std::stop_source stop;
    std::atomic<int> chunks = 0;
    QVERIFY(!parallelFor(1'000'000, 1, {.stop = stop.get_token(), .threads = 2}, [&](auto, auto, auto) {
        if (++chunks == 10) {
            stop.request_stop();
        }
    }));
    QVERIFY(chunks < 100);
}

void TestBase::scalarIsAlwaysAvailable() {
    QCOMPARE(availableIsas().front(), Isa::Scalar);
    for (const Isa isa : availableIsas()) {
        QCOMPARE(isaFromName(isaName(isa)), isa);
    }
    QVERIFY(!isaFromName("mmx"));
    QVERIFY(std::ranges::find(availableIsas(), activeIsa()) != availableIsas().end());
}

void TestBase::tellsTheRemainingTime() {
    using namespace std::chrono_literals;
    RemainingTime time;
    const RemainingTime::Clock::time_point start{};
    QVERIFY(!time.left());
    time.add(0, 1000, start);
    time.add(50, 1000, start + 500ms);
    QVERIFY(!time.left()); // not observed for long enough
    time.add(100, 1000, start + 1s);
    QCOMPARE(time.left(), std::optional(9s));
    // The rate is measured over the last ten seconds.
    for (int second = 2; second <= 21; ++second) {
        time.add(100 + static_cast<std::uint64_t>(second - 1) * 10, 1000, start + std::chrono::seconds(second));
    }
    QCOMPARE(time.left(), std::optional(70s)); // 300 of 1000, 10 in a second
    time.add(300, 1000, start + 40s);
    time.add(300, 1000, start + 55s);
    QVERIFY(!time.left());         // it does not advance
    time.add(0, 200, start + 60s); // other work
    QVERIFY(!time.left());
    time.add(200, 200, start + 62s);
    QCOMPARE(time.left(), std::optional(0s));
}

GUFO_TEST(TestBase)
#include "tst_base.moc"
