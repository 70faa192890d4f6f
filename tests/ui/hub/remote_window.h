// A window, and a double of Hugging Face with models in it, for tests of what the window does with models on servers.
#pragma once

#include "support/hub_double.h"
#include "support/window_fixture.h"

#include <QTemporaryDir>

namespace gufo::test {

inline std::string remoteModelFile(const std::string& chatTemplate = "{{ messages }}", std::size_t tokens = 3) {
    GgufBuilder file;
    file.key("general.architecture", "llama").key("general.name", "Night");
    file.key("llama.block_count", std::uint32_t{1}).key("llama.context_length", std::uint32_t{128});
    file.key("llama.embedding_length", std::uint32_t{256}).key("llama.feed_forward_length", std::uint32_t{256});
    file.key("llama.attention.head_count", std::uint32_t{4});
    std::vector<std::string> words;
    for (std::size_t i = 0; i < tokens; ++i) {
        words.push_back("word" + std::to_string(i));
    }
    file.key("tokenizer.ggml.tokens", words).key("tokenizer.chat_template", chatTemplate);
    // Larger than a page of RemoteSource, so that each begins a part that is not fetched with the header.
    file.tensor("token_embd.weight", 0, {256, 512});
    file.tensor("blk.0.attn_q.weight", 0, {256, 256});
    file.tensor("blk.0.ffn_down.weight", 0, {256, 256});
    const auto bytes = file.build();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline hub::ModelPlace placeOf(const std::string& text) { return hub::ModelPlace::parse(text); }

// The model of the hub's double, as users name it.
inline const std::string kName = "hf.co/owl/night-GGUF:Q8_0";

// The repository is "owl/night-GGUF".
class RemoteWindow {
public:
    RemoteWindow() {
        qputenv("XDG_CACHE_HOME", m_cache.path().toLocal8Bit());
        for (const char* variable : {"HF_TOKEN", "HF_TOKEN_PATH"}) {
            qunsetenv(variable);
        }
        qputenv("HF_HOME", m_cache.path().toLocal8Bit()); // without a token
        hub.files = {{"night-Q8_0.gguf", remoteModelFile()}};
        hub.setEndpoints();
        fixture = std::make_unique<WindowFixture>();
    }

    [[nodiscard]] ui::MainWindow& window() const { return *fixture->window; }
    // As if the address or the name was given on the command line.
    ui::ModelTab* open(const std::string& text) const { return fixture->open(placeOf(text)); }
    void show(const std::string& text) const { window().openPlaces({placeOf(text)}); }
    [[nodiscard]] std::string host() const { return "127.0.0.1:" + std::to_string(port()); }
    [[nodiscard]] quint16 port() const { return const_cast<HubDouble&>(hub).server().port(); }
    [[nodiscard]] std::string fileUrl(const std::string& name = "night-Q8_0.gguf") const { return hub.url("/" + name); }
    [[nodiscard]] std::size_t requests() const { return const_cast<HubDouble&>(hub).server().requests().size(); }

    HubDouble hub;
    std::unique_ptr<WindowFixture> fixture; // its window closes before the server ends

private:
    QTemporaryDir m_cache;
};

} // namespace gufo::test
