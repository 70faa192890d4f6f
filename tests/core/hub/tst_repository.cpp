// The lists of files of the three hubs, and what servers can send instead.
#include "base/detail.h"
#include "base/json_value.h"
#include "hub/repository_models.h"
#include "hub/repository_replies.h"
#include "support/hub_double.h"
#include "support/test_unit.h"

using namespace gufo;
using namespace gufo::hub;
using gufo::test::HttpDouble;
using gufo::test::HttpPeer;
using gufo::test::HttpRequest;
using gufo::test::HubDouble;

class TestRepository : public QObject {
    Q_OBJECT

    net::Client m_client;

private slots:
    void init() {
        HubDouble::unsetEndpoints();
        qunsetenv("HF_TOKEN");
    }

    void filesAreListedAtACommit() {
        HubDouble hub;
        hub.files = {{"a b.gguf", "abc"}, {"x/y-Q8_0.gguf", "defg"}, {"README.md", "hello"}};
        hub.setEndpoints();
        const auto listed = listRepository(m_client, *parseModelName("hf.co/owl/night-GGUF"));
        QVERIFY(listed);
        QCOMPARE(listed->commit, HubDouble::kCommit);
        QCOMPARE(listed->license, "apache-2.0");
        QCOMPARE(listed->baseModels, std::vector<std::string>{"owl/night"});
        QCOMPARE(listed->files.size(), 3U);
        QCOMPARE(listed->files[1].path, "a b.gguf");
        QCOMPARE(listed->files[1].bytes, 3U);
        QCOMPARE(listed->files[1].sha256, hub.digest("a b.gguf"));
        QCOMPARE(listed->files[1].url, hub.url("/owl/night-GGUF/resolve/") + HubDouble::kCommit + "/a%20b.gguf");
    }

    void allPagesAreRead() {
        HubDouble hub;
        for (int i = 0; i < 25; ++i) {
            hub.files["n" + std::to_string(i) + ".gguf"] = "x";
        }
        hub.filesOfPage = 10;
        hub.setEndpoints();
        const auto listed = listRepository(m_client, *parseModelName("hf.co/owl/night-GGUF"));
        QVERIFY(listed);
        QCOMPARE(listed->files.size(), 25U);
        QCOMPARE(hub.server().requests().size(), 4U);
    }

    void otherHubsAreListed_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("url");
        QTest::newRow("ModelScope") << QByteArray("modelscope.cn/models/owl/night-GGUF") << QByteArray("n-Q8_0.gguf")
                                    << QByteArray("/models/owl/night-GGUF/resolve/") + HubDouble::kCommit +
                                           "/n-Q8_0.gguf";
        QTest::newRow("Ollama") << QByteArray("ollama.com/library/night:8b") << QByteArray("night-8b.gguf")
                                << QByteArray("/v2/library/night/blobs/sha256:");
    }
    void otherHubsAreListed() {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, url);
        HubDouble hub;
        hub.files = {{"n-Q8_0.gguf", "abc"}, {"mmproj-n.gguf", "de"}};
        hub.setEndpoints();
        const auto resolved = resolveModel(m_client, *ModelPlace::parseTyped(name.toStdString()));
        QVERIFY(resolved);
        QCOMPARE(resolved->repository.files.size(), 2U);
        QCOMPARE(resolved->model.files.size(), 1U);
        const RepositoryFile& file = resolved->model.files[0];
        QCOMPARE(file.path, path.toStdString());
        QCOMPARE(file.bytes, 3U);
        QCOMPARE(file.sha256, hub.digest("n-Q8_0.gguf"));
        QVERIFY(file.url.starts_with(hub.url(url.toStdString())));
    }

    void anAddressIsItsOwnFile() {
        const auto resolved = resolveModel(m_client, Url{"https://example.org/a/b%20c.gguf?Signature=x"});
        QVERIFY(resolved);
        QCOMPARE(resolved->model.files.size(), 1U);
        QCOMPARE(resolved->model.files[0].path, "b c.gguf");
        QCOMPARE(resolved->model.files[0].url, "https://example.org/a/b%20c.gguf?Signature=x");
        for (const char* text : {"https://example.org/", "https://example.org/..", "https://example.org/%2e%2e%2fx",
                                 "ftp://example.org/x", "m.gguf"}) {
            const auto refused = resolveModel(m_client, ModelPlace::parse(text));
            QVERIFY2(!refused && refused.error().code == ErrorCode::AddressRefused, text);
            const bool isFtp = std::string_view(text).starts_with("ftp");
            QCOMPARE(refused.error().args.at(0).detail() == Detail::SchemeRefused, isFtp);
        }
    }

    void unusableRepliesAreErrors_data() {
        QTest::addColumn<QByteArray>("information");
        QTest::addColumn<QByteArray>("tree");
        QTest::addColumn<QByteArray>("expected"); // an error, or paths
        const auto row = [](const char* name, const char* information, const QByteArray& tree, const char* expected) {
            QTest::newRow(name) << QByteArray(information) << tree << QByteArray(expected);
        };
        const char* right = R"({"sha": "abc"})";
        row("not JSON", "<html>", "[]", "reply_unusable reply_not_json");
        row("no commit", "{}", "[]", "reply_unusable reply_not_json");
        row("commit of another kind", R"({"sha": 5})", "[]", "reply_unusable reply_not_json");
        row("no list", right, R"({"files": []})", "reply_unusable reply_not_json");
        row("cut list", right, R"([{"type": "file")", "reply_unusable reply_not_json");
        row("deep list", right, QByteArray(100'000, '['), "reply_unusable reply_not_json");
        row("path upwards", right, R"([{"type": "file", "path": "../../x.gguf", "size": 3}])", "");
        row("absolute path", right, R"([{"type": "file", "path": "/x.gguf", "size": 3}])", "");
        row("path of another kind", right, R"([{"type": "file", "path": {"a": 1}, "size": 3}])", "");
        row("entry of another kind", right, R"([5, null, {"type": "file", "path": "x", "size": -1}])", "x:0:");
        row("digest that is none", right,
            R"([{"type": "file", "path": "x", "size": 1, "lfs": {"oid": "zz", "size": 7}}])", "x:7:");
        row("size beyond 64 bits", right, R"([{"type": "file", "path": "x", "size": 1e40}])", "x:0:");
    }
    void unusableRepliesAreErrors() {
        QFETCH(QByteArray, information);
        QFETCH(QByteArray, tree);
        QFETCH(QByteArray, expected);
        const HttpDouble server([&](const HttpRequest& request, HttpPeer& peer) {
            const std::string body =
                (request.path.find("/tree/") != std::string::npos ? tree : information).toStdString();
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        });
        qputenv("HF_ENDPOINT", QByteArray::fromStdString(server.url("")));
        const auto listed = listRepository(m_client, *parseModelName("hf.co/owl/night"));
        QByteArray got;
        if (listed) {
            for (const RepositoryFile& file : listed->files) {
                got += QByteArray::fromStdString(file.path + ':' + std::to_string(file.bytes) + ':' + file.sha256);
            }
        } else {
            got = QByteArray::fromStdString(std::string(errorName(listed.error().code)) + ' ' +
                                            listed.error().args.at(0).text());
        }
        QCOMPARE(got, expected);
    }

    void onlyTextsAreBaseModels() {
        const auto reply =
            readJson(R"({"sha": "a", "cardData": {"base_model": ["owl/day", 5, {"a": "b"}, "owl/dusk"]}})");
        Repository repository;
        QVERIFY(readHuggingFaceFacts(*reply, repository));
        QCOMPARE(repository.baseModels, (std::vector<std::string>{"owl/day", "owl/dusk"}));
    }

    void pagesThatLeadInACircleEnd() {
        const HttpDouble server([&](const HttpRequest& request, HttpPeer& peer) {
            const bool isTree = request.path.find("/tree/") != std::string::npos;
            const std::string body = isTree ? "[]" : R"({"sha": "abc"})";
            peer.send("HTTP/1.1 200 OK\r\nLink: <" + request.path +
                      "&x>; rel=\"next\"\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        });
        qputenv("HF_ENDPOINT", QByteArray::fromStdString(server.url("")));
        QVERIFY(listRepository(m_client, *parseModelName("hf.co/owl/night")));
        QCOMPARE(server.requests().size(), 2U);
    }

    void pagesOfFoldersEnd() {
        int page = 0;
        const HttpDouble server([&](const HttpRequest& request, HttpPeer& peer) {
            const bool isTree = request.path.find("/tree/") != std::string::npos;
            std::string body = R"({"sha": "abc"})";
            if (isTree) {
                body = '[';
                for (std::size_t i = 0; i < kMaxFiles / 4; ++i) {
                    body += R"({"type": "directory", "path": "a"},)";
                }
                body.back() = ']';
            }
            peer.send("HTTP/1.1 200 OK\r\nLink: </api/models/owl/night/tree/abc?page=" + std::to_string(++page) +
                      ">; rel=\"next\"\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        });
        qputenv("HF_ENDPOINT", QByteArray::fromStdString(server.url("")));
        const auto listed = listRepository(m_client, *parseModelName("hf.co/owl/night"));
        QVERIFY(!listed);
        QCOMPARE(errorName(listed.error().code), "limit_exceeded");
        QVERIFY(!listed.error().file.empty());
        QCOMPARE(server.requests().size(), 6U);
    }

    void theTokenStaysWithItsHub() {
        HubDouble other;
        HubDouble hub;
        hub.files = {{"n.gguf", "abc"}};
        hub.setEndpoints();
        qputenv("HF_TOKEN", "hf_secret");
        QVERIFY(listRepository(m_client, *parseModelName("hf.co/owl/night-GGUF")));
        for (const HttpRequest& request : hub.server().requests()) {
            QCOMPARE(request.header("authorization"), "Bearer hf_secret");
        }
        qputenv("GUFO_OLLAMA_ENDPOINT", QByteArray::fromStdString(other.url()));
        QVERIFY(listRepository(m_client, *parseModelName("ollama.com/library/night")));
        QCOMPARE(other.server().requests().size(), 1U);
        QCOMPARE(other.server().requests()[0].header("authorization"), "");
    }

    void aMissingRepositoryIsToldInTheServersWords() {
        const HttpDouble server([&](const HttpRequest&, HttpPeer& peer) {
            peer.send("HTTP/1.1 404 No\r\nContent-Length: 33\r\n\r\n{\"error\": \"Repository not found\"}");
        });
        qputenv("HF_ENDPOINT", QByteArray::fromStdString(server.url("")));
        const auto listed = listRepository(m_client, *parseModelName("hf.co/owl/night"));
        QVERIFY(!listed);
        QCOMPARE(listed.error().code, ErrorCode::HttpStatus);
        QCOMPARE(listed.error().args[1].text(), "Repository not found");
    }
};

GUFO_TEST(TestRepository)
#include "tst_repository.moc"
