#include "channel/message_bytes.h"

#include <concepts>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

namespace gufo::channel {
namespace {

template<typename T>
concept Number = std::is_arithmetic_v<T> && !std::same_as<T, bool>;
template<typename T>
concept Choice = std::is_enum_v<T> && !std::same_as<T, std::byte>;
template<typename T>
concept Plain = Number<T> || std::same_as<T, std::byte>; // its bytes are its value

class Writer {
public:
    explicit Writer(std::size_t kind) {
        m_bytes.resize(kHeadBytes);
        (*this)(static_cast<std::uint8_t>(kind));
    }

    template<Number T>
    void operator()(T value) {
        append(std::as_bytes(std::span(&value, 1)));
    }
    template<Choice T>
    void operator()(T value) {
        (*this)(std::to_underlying(value));
    }
    void operator()(const std::string& text) {
        count(text.size());
        append(std::as_bytes(std::span(text)));
    }
    template<Plain T>
    void operator()(const std::vector<T>& list) {
        count(list.size());
        append(std::as_bytes(std::span(list)));
    }
    void operator()(const std::vector<std::string>& list) {
        count(list.size());
        for (const std::string& text : list) {
            (*this)(text);
        }
    }

    [[nodiscard]] std::vector<std::byte> take() {
        const auto length = static_cast<std::uint32_t>(m_bytes.size() - kHeadBytes);
        std::memcpy(m_bytes.data(), &length, sizeof length);
        return std::move(m_bytes);
    }

private:
    void count(std::size_t number) { (*this)(static_cast<std::uint32_t>(number)); }
    void append(std::span<const std::byte> bytes) { m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end()); }

    std::vector<std::byte> m_bytes;
};

// After a violation of the protocol, all later members keep their values.
class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes)
        : m_left(bytes) {}

    template<Number T>
    void operator()(T& value) {
        if (has(sizeof value)) {
            std::memcpy(&value, m_left.data(), sizeof value);
            m_left = m_left.subspan(sizeof value);
        }
    }
    template<Choice T>
    void operator()(T& value) {
        std::underlying_type_t<T> number{};
        (*this)(number);
        if (number > std::to_underlying(lastOf(T()))) {
            m_breach = m_breach.value_or(Breach::BadValue);
        } else {
            value = static_cast<T>(number);
        }
    }
    void operator()(std::string& text) {
        if (const std::size_t size = count(1); size != 0) {
            text.assign(reinterpret_cast<const char*>(m_left.data()), size);
            m_left = m_left.subspan(size);
        }
    }
    template<Plain T>
    void operator()(std::vector<T>& list) {
        if (const std::size_t size = count(sizeof(T)); size != 0) {
            list.resize(size);
            std::memcpy(list.data(), m_left.data(), size * sizeof(T));
            m_left = m_left.subspan(size * sizeof(T));
        }
    }
    void operator()(std::vector<std::string>& list) {
        const std::size_t size = count(sizeof(std::uint32_t));
        if (size > kMaxTexts) {
            m_breach = Breach::BadValue;
        }
        for (std::size_t i = 0; i < size && !m_breach; ++i) {
            (*this)(list.emplace_back());
        }
    }

    [[nodiscard]] std::optional<Breach> breach() const {
        return m_breach ? m_breach : m_left.empty() ? std::nullopt : std::optional(Breach::BytesLeft);
    }

private:
    [[nodiscard]] bool has(std::size_t bytes) {
        if (!m_breach && bytes > m_left.size()) {
            m_breach = Breach::Cut;
        }
        return !m_breach;
    }
    // Reads the number of elements that follow. Returns 0 if the bytes left cannot hold as many; each element needs at
    // least `bytesOfEach`.
    [[nodiscard]] std::size_t count(std::size_t bytesOfEach) {
        std::uint32_t number = 0;
        (*this)(number);
        return has(std::size_t{number} * bytesOfEach) ? number : 0;
    }

    std::span<const std::byte> m_left;
    std::optional<Breach> m_breach;
};

template<typename Variant>
std::vector<std::byte> write(const Variant& message) {
    Writer writer(message.index());
    std::visit([&](const auto& each) { std::remove_cvref_t<decltype(each)>::visit(each, writer); }, message);
    return writer.take();
}

template<typename Variant, std::size_t kind = 0>
std::expected<Variant, Breach> read(std::size_t wanted, std::span<const std::byte> members) {
    if constexpr (kind == std::variant_size_v<Variant>) {
        return std::unexpected(Breach::UnknownKind);
    } else {
        if (kind != wanted) {
            return read<Variant, kind + 1>(wanted, members);
        }
        using Message = std::variant_alternative_t<kind, Variant>;
        Message message;
        Reader reader(members);
        Message::visit(message, reader);
        if (const auto breach = reader.breach()) {
            return std::unexpected(*breach);
        }
        return Variant(std::in_place_index<kind>, std::move(message));
    }
}

template<typename Variant>
std::expected<Variant, Breach> readBody(std::span<const std::byte> body) {
    if (body.empty()) {
        return std::unexpected(Breach::Cut);
    }
    return read<Variant>(std::to_integer<std::size_t>(body.front()), body.subspan(1));
}

} // namespace

std::vector<std::byte> bytesOf(const Request& message) { return write(message); }
std::vector<std::byte> bytesOf(const Reply& message) { return write(message); }

std::expected<Request, Breach> readRequest(std::span<const std::byte> body) { return readBody<Request>(body); }
std::expected<Reply, Breach> readReply(std::span<const std::byte> body) { return readBody<Reply>(body); }

std::expected<std::size_t, Breach> bodyLength(std::span<const std::byte> head, std::size_t longest) {
    std::uint32_t length = 0;
    std::memcpy(&length, head.data(), sizeof length);
    if (length > longest) {
        return std::unexpected(Breach::TooLong);
    }
    return length != 0 ? std::expected<std::size_t, Breach>(length) : std::unexpected(Breach::Cut);
}

} // namespace gufo::channel
