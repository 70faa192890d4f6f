// The messages between Gufo and the process of another engine. Each message is a row of Request (Gufo's) or Reply (the
// engine's); message_bytes.h turns them into bytes. Both processes run on the same machine, so numbers have its byte
// order. A message describes itself by visit(), which names its members in the order of their bytes.
//
// The engine speaks first: Hello or Refused. Then Gufo sends one request after the other; Load comes first and once.
// All replies to a request come before the next one: some of Loading, Progress, Row, StateBegins and StatePart, and at
// last Loaded, Done or Failed. Cancel and Ping may come at any time: a cancelled request ends with Failed, unless it
// was finished already, and each Ping is answered by a Pong. The engine's process ends when its connection is closed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace gufo::channel {

inline constexpr std::uint32_t kProtocol = 1; // of Hello; other versions are not understood
// In bytes. Longer messages violate the protocol.
inline constexpr std::size_t kLongestMessage = 64U << 20U;
inline constexpr std::size_t kStatePart = 4U << 20U;       // of a saved state in one StatePart
inline constexpr std::uint32_t kMaxVocabulary = 4U << 20U; // so that a Row fits into a message
inline constexpr std::size_t kMaxTexts = 65'536;           // in a list
inline constexpr std::uint32_t kMaxContext = 0x7FFF'FFFF;

// ---- requests -------------------------------------------------------------------------------------------------------

enum class RopeMethod : std::uint8_t { OfFile, None, Linear, Yarn };
constexpr RopeMethod lastOf(RopeMethod) { return RopeMethod::Yarn; }

struct Load {
    std::vector<std::string> files{}; // absolute paths of the shards, in order
    std::uint32_t context = 0;        // tokens
    std::uint32_t batch = 0;          // tokens evaluated together
    std::uint32_t threads = 0;
    std::uint32_t outputs = 0;   // rows of logits that an evaluation usually yields
    std::int32_t gpuLayers = -1; // layers on GPUs and on other machines; −1: all
    std::uint32_t keys = 0;      // types of the KV cache, as numbers of GGUF
    std::uint32_t values = 0;
    RopeMethod rope = RopeMethod::OfFile;
    double ropeBase = 0; // 0: as in the file
    double ropeScale = 0;
    std::uint32_t ropeContext = 0;       // before scaling; 0: as in the file
    std::vector<std::string> machines{}; // "host:port" of rpc-server
    static void visit(auto& self, auto&& field) {
        field(self.files), field(self.context), field(self.batch), field(self.threads), field(self.outputs);
        field(self.gpuLayers), field(self.keys), field(self.values), field(self.rope), field(self.ropeBase);
        field(self.ropeScale), field(self.ropeContext), field(self.machines);
    }
    bool operator==(const Load&) const = default;
};

// The positions whose logits are sent.
enum class Rows : std::uint8_t { None, Last, All };
constexpr Rows lastOf(Rows) { return Rows::All; }

// Evaluates `tokens` after the first `keep` tokens that the engine holds. Ends with Done, with Failed NotHeld if the
// engine cannot go back to `keep` tokens, or with another Failed.
struct Evaluate {
    std::uint32_t keep = 0;
    Rows rows = Rows::Last;
    std::vector<std::uint32_t> tokens{};
    static void visit(auto& self, auto&& field) { field(self.keep), field(self.rows), field(self.tokens); }
    bool operator==(const Evaluate&) const = default;
};

// Drops the tokens from `count` on, or all if that is not possible; Done says how many are left.
struct Truncate {
    std::uint32_t count = 0;
    static void visit(auto& self, auto&& field) { field(self.count); }
    bool operator==(const Truncate&) const = default;
};

// Drops `discard` tokens after the first `keep`; the later tokens move to the positions of the dropped ones. Ends with
// Done, or with Failed CannotShift, which changes nothing.
struct Shift {
    std::uint32_t keep = 0;
    std::uint32_t discard = 0;
    static void visit(auto& self, auto&& field) { field(self.keep), field(self.discard); }
    bool operator==(const Shift&) const = default;
};

// Drops the tokens from `keep` on; then the state follows in StateBegins and its parts. Ends with Done, or with Failed
// NotHeld.
struct SaveState {
    std::uint32_t keep = 0;
    static void visit(auto& self, auto&& field) { field(self.keep); }
    bool operator==(const SaveState&) const = default;
};

// As many parts follow as `bytes` need. Ends with Done or Failed.
struct RestoreState {
    std::uint32_t tokens = 0; // that the state represents
    std::uint64_t bytes = 0;
    static void visit(auto& self, auto&& field) { field(self.tokens), field(self.bytes); }
    bool operator==(const RestoreState&) const = default;
};

struct StatePart { // also a reply
    std::vector<std::byte> bytes{};
    static void visit(auto& self, auto&& field) { field(self.bytes); }
    bool operator==(const StatePart&) const = default;
};

struct Cancel {
    static void visit(auto&, auto&&) {}
    bool operator==(const Cancel&) const = default;
};

struct Ping {
    static void visit(auto&, auto&&) {}
    bool operator==(const Ping&) const = default;
};

using Request = std::variant<Load, Evaluate, Truncate, Shift, SaveState, RestoreState, StatePart, Cancel, Ping>;

// ---- replies --------------------------------------------------------------------------------------------------------

struct Hello {
    std::uint32_t protocol = kProtocol;
    std::string version{}; // of the engine: "0.7.0"
    static void visit(auto& self, auto&& field) { field(self.protocol), field(self.version); }
    bool operator==(const Hello&) const = default;
};

// Why the engine's library is not used.
enum class Refusal : std::uint8_t {
    NoLibrary,      // details: the system's error message
    UnknownVersion, // its version, the known one
    NoSymbols,      // its version, the names of the functions that it lacks
    OtherLayout,    // its version, the name of a structure, its size in bytes, the size expected
};
constexpr Refusal lastOf(Refusal) { return Refusal::OtherLayout; }

struct Refused {
    Refusal why = Refusal::NoLibrary;
    std::vector<std::string> details{};
    static void visit(auto& self, auto&& field) { field(self.why), field(self.details); }
    bool operator==(const Refused&) const = default;
};

struct Loading {
    float share = 0; // from 0 to 1
    static void visit(auto& self, auto&& field) { field(self.share); }
    bool operator==(const Loading&) const = default;
};

struct Loaded {
    std::uint32_t context = 0; // tokens
    std::uint32_t vocabulary = 0;
    std::uint32_t threads = 0;
    std::vector<std::string> devices{}; // what computes: "Vulkan0 (AMD Radeon …)"
    static void visit(auto& self, auto&& field) {
        field(self.context), field(self.vocabulary), field(self.threads), field(self.devices);
    }
    bool operator==(const Loaded&) const = default;
};

struct Progress {
    std::uint32_t held = 0; // tokens that the engine holds
    static void visit(auto& self, auto&& field) { field(self.held); }
    bool operator==(const Progress&) const = default;
};

struct Row {
    std::uint32_t index = 0; // of the rows of this evaluation
    std::vector<float> logits{};
    static void visit(auto& self, auto&& field) { field(self.index), field(self.logits); }
    bool operator==(const Row&) const = default;
};

struct StateBegins {
    std::uint64_t bytes = 0;
    static void visit(auto& self, auto&& field) { field(self.bytes); }
    bool operator==(const StateBegins&) const = default;
};

struct Done {
    std::uint32_t held = 0;
    static void visit(auto& self, auto&& field) { field(self.held); }
    bool operator==(const Done&) const = default;
};

enum class Failure : std::uint8_t {
    NotLoaded, // the library cannot load the model
    NoRpc,     // other machines were requested, but the library has no back end for them
    Cancelled,
    NotHeld,
    NotEvaluated, // words: the code of the library
    CannotShift,
    NotRestored,
    NoMemory,
    BadRequest, // it breaks the protocol
};
constexpr Failure lastOf(Failure) { return Failure::BadRequest; }

struct Failed {
    Failure why = Failure::BadRequest;
    std::uint32_t held = 0;
    std::string words{}; // the last that the library wrote about it
    static void visit(auto& self, auto&& field) { field(self.why), field(self.held), field(self.words); }
    bool operator==(const Failed&) const = default;
};

struct Pong {
    static void visit(auto&, auto&&) {}
    bool operator==(const Pong&) const = default;
};

using Reply = std::variant<Hello, Refused, Loading, Loaded, Progress, Row, StateBegins, StatePart, Done, Failed, Pong>;

} // namespace gufo::channel
