#include "text/tokenizer/tokenizer.h"

#include "base/detail.h"
#include "base/try.h"
#include "model/finding_code.h"
#include "model/token.h"
#include "text/tokenizer/byte_trie.h"
#include "text/tokenizer/characters.h"
#include "text/tokenizer/encoder.h"

#include <algorithm>
#include <array>
#include <limits>

namespace gufo::text {
namespace {

// Defaults of a kind of tokenizer, which apply where the file is silent.
struct KindRow {
    TokenizerKind kind;
    bool addBos = false; // BPE's default comes from the pre-tokenizer
    bool addEos = false;
    bool spacePrefix = false;
    bool writesSpaces = false; // writes spaces as U+2581
    std::string_view pre{};    // the only pre-tokenizer of this kind, whatever the file says; empty: the file's choice
};
constexpr auto kDefaults = std::to_array<KindRow>({
    {.kind = TokenizerKind::SentencePiece, .addBos = true, .spacePrefix = true, .writesSpaces = true},
    {.kind = TokenizerKind::Bpe},
    {.kind = TokenizerKind::Gemma4, .pre = "gemma4"},
    {.kind = TokenizerKind::WhitespaceBpe},
    {.kind = TokenizerKind::DnaBpe},
    {.kind = TokenizerKind::WordPiece, .addBos = true, .addEos = true, .writesSpaces = true},
    {.kind = TokenizerKind::Unigram, .addEos = true, .spacePrefix = true, .writesSpaces = true},
    {.kind = TokenizerKind::Rwkv},
    {.kind = TokenizerKind::Plamo2},
});
const KindRow& defaultsOf(TokenizerKind kind) { return kDefaults[static_cast<std::size_t>(kind)]; }

constexpr bool inOrder() {
    for (std::size_t i = 0; i < kDefaults.size(); ++i) {
        if (static_cast<std::size_t>(kDefaults[i].kind) != i) {
            return false;
        }
    }
    return true;
}
static_assert(inOrder(), "kDefaults has one row for each TokenizerKind, in order");

void appendWithSpaces(std::string& out, std::string_view text) {
    while (!text.empty()) {
        const std::size_t space = text.find(kSpaceText);
        out += text.substr(0, space);
        if (space == std::string_view::npos) {
            break;
        }
        out += ' ';
        text.remove_prefix(space + kSpaceText.size());
    }
}

void appendBpe(std::string& out, std::string_view token, Writing writing) {
    switch (writing) {
    case Writing::ByteAlphabet:
        appendUnwritten(out, token);
        break;
    case Writing::Utf8:
        out += token;
        break;
    case Writing::Utf8SpaceMarks:
        appendWithSpaces(out, token);
        break;
    }
}

} // namespace

Tokenizer::Tokenizer(Vocabulary vocabulary)
    : m_vocabulary(std::move(vocabulary)) {}

Tokenizer::~Tokenizer() = default;

Result<std::shared_ptr<const Tokenizer>> makeTokenizer(const Model& model, const JobContext& job) {
    auto vocabulary = Vocabulary::read(model.metadata, job);
    if (!vocabulary) {
        return std::unexpected(std::move(vocabulary.error()).in(model.path()));
    }
    const std::shared_ptr<Tokenizer> tokenizer(new Tokenizer(std::move(*vocabulary)));
    if (auto prepared = tokenizer->prepare(model.metadata, job); !prepared) {
        return std::unexpected(std::move(prepared.error()).in(model.path()));
    }
    return tokenizer;
}

Result<> Tokenizer::prepare(const Metadata& metadata, const JobContext& job) {
    const KindRow& defaults = defaultsOf(m_vocabulary.kind());
    m_findings = m_vocabulary.findings();
    m_addBos = defaults.addBos;
    m_addEos = defaults.addEos;
    m_spacePrefix = metadata.boolean("tokenizer.ggml.add_space_prefix").value_or(defaults.spacePrefix);
    switch (m_vocabulary.kind()) {
    case TokenizerKind::Bpe:
    case TokenizerKind::Gemma4:
    case TokenizerKind::WhitespaceBpe:
    case TokenizerKind::DnaBpe:
        GUFO_TRY(prepareBpe(metadata, job));
        break;
    case TokenizerKind::SentencePiece:
        m_encoder = makeSentencePieceEncoder(m_vocabulary, m_spacePrefix);
        break;
    case TokenizerKind::WordPiece:
        m_addEos = metadata.boolean("tokenizer.ggml.add_sep_token").value_or(m_addEos);
        m_spacePrefix = false;
        m_encoder = makeWordPieceEncoder(m_vocabulary, metadata);
        break;
    case TokenizerKind::Unigram: {
        m_encoder = GUFO_TRY(makeUnigramEncoder(m_vocabulary, metadata, m_spacePrefix));
        break;
    }
    case TokenizerKind::Rwkv:
        m_spacePrefix = false;
        m_encoder = makeRwkvEncoder(m_vocabulary);
        break;
    case TokenizerKind::Plamo2:
        m_spacePrefix = false;
        m_encoder = makePlamo2Encoder(m_vocabulary);
        break;
    }
    const bool alwaysBos = m_rule != nullptr && m_rule->addBos == AddBos::Always;
    m_addBos = alwaysBos || metadata.boolean("tokenizer.ggml.add_bos_token").value_or(m_addBos);
    m_addEos = metadata.boolean("tokenizer.ggml.add_eos_token").value_or(m_addEos);
    GUFO_TRY(job.check());
    indexMarkers();
    return {};
}

Result<> Tokenizer::prepareBpe(const Metadata& metadata, const JobContext& job) {
    constexpr std::string_view kPreKey = "tokenizer.ggml.pre";
    const std::string_view fixed = defaultsOf(m_vocabulary.kind()).pre;
    const auto name = fixed.empty() ? metadata.string(kPreKey) : fixed;
    m_rule = name ? findPreTokenizer(*name) : nullptr;
    if (m_rule == nullptr) {
        const Place place = Place::key(std::string(kPreKey));
        m_findings.push_back(name ? Finding{FindingCode::UnknownPreTokenizer, place, {std::string(*name)}}
                                  : Finding{FindingCode::MissingPreTokenizer, place, {}});
        m_rule = &defaultPreTokenizer();
    }
    m_addBos = m_rule->addBos != AddBos::No;
    m_spacePrefix = false;
    const bool words = m_vocabulary.kind() == TokenizerKind::WhitespaceBpe;
    const bool lowerCase = metadata.boolean("tokenizer.ggml.normalizer.lowercase").value_or(false);
    auto encoder = GUFO_TRY(makeBpeEncoder(
        m_vocabulary, metadata, {.rule = m_rule, .dropSpaces = words, .lowerCase = words && lowerCase}, job));
    m_encoder = m_vocabulary.kind() == TokenizerKind::DnaBpe ? makeDnaEncoder(m_vocabulary, std::move(encoder))
                                                             : std::move(encoder);
    return {};
}

std::string_view Tokenizer::preTokenizer() const { return m_rule != nullptr ? m_rule->name : std::string_view(); }

void Tokenizer::indexMarkers() {
    const bool spaces =
        m_vocabulary.kind() == TokenizerKind::SentencePiece || m_vocabulary.kind() == TokenizerKind::Unigram;
    std::vector<std::string> texts; // texts with ordinary spaces
    std::vector<TokenId> ids;
    for (std::size_t i = 0; i < m_vocabulary.size(); ++i) {
        const TokenId id(i);
        const TokenType type = m_vocabulary.type(id);
        if (type != TokenType::Control && type != TokenType::Unknown && type != TokenType::UserDefined) {
            continue;
        }
        std::string& text = texts.emplace_back();
        if (spaces) {
            appendWithSpaces(text, m_vocabulary.text(id));
        } else {
            text = m_vocabulary.text(id);
        }
        ids.push_back(id);
    }
    std::vector<ByteTrie::Entry> all;
    std::vector<ByteTrie::Entry> userDefined;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        all.emplace_back(texts[i], ids[i].value);
        if (m_vocabulary.type(ids[i]) == TokenType::UserDefined) {
            userDefined.push_back(all.back());
        }
    }
    m_markers = std::make_unique<const ByteTrie>(std::move(all));
    m_userDefined = std::make_unique<const ByteTrie>(std::move(userDefined));
}

bool Tokenizer::endsGeneration(TokenId id) const { return std::ranges::binary_search(specials().endOfGeneration, id); }

Result<Encoding> Tokenizer::encode(std::string_view text, const EncodeOptions& options, const JobContext& job) const {
    constexpr std::uint64_t kMaxBytes = std::numeric_limits<std::uint32_t>::max();
    if (text.size() >= kMaxBytes) {
        return fail(ErrorCode::LimitExceeded, {}, {Detail::Bytes, text.size(), kMaxBytes - 1});
    }
    EncodeSink sink(text, options.ranges, options.continues, job);
    const bool wordPiece = m_vocabulary.kind() == TokenizerKind::WordPiece;
    const auto bos = specials().bos;
    const auto eos = wordPiece && specials().separator ? specials().separator : specials().eos;
    const bool addBos = options.addBos.value_or(m_addBos) && bos;
    const bool addEos = options.addEos.value_or(m_addEos) && eos;
    if (addBos) {
        sink.add(*bos, 0, 0);
    }

    const ByteTrie& markers = options.parseSpecial ? *m_markers : *m_userDefined;
    const auto encodePlain = [&](std::size_t begin, std::size_t end) {
        return begin == end || m_encoder->encode(text.substr(begin, end - begin), sink);
    };
    auto isLiteral = [&, next = options.literalAt.begin()](std::size_t begin, std::size_t end) mutable {
        while (next != options.literalAt.end() && *next <= begin) {
            ++next;
        }
        return next != options.literalAt.end() && *next < end;
    };
    std::size_t plain = 0; // beginning of the text since the last marker
    for (std::size_t at = 0; !markers.empty() && at < text.size();) {
        const auto match = markers.canStart(text[at]) ? markers.longest(text.substr(at)) : std::nullopt;
        if (!match || isLiteral(at, at + match->bytes)) {
            ++at;
            continue;
        }
        if (!encodePlain(plain, at) || sink.stopAt(text.data() + at)) {
            return fail(ErrorCode::Cancelled);
        }
        const TokenId id(match->number);
        const std::size_t next = at + match->bytes;
        if (addBos && at == 0 && id == *bos) {
            sink.truncate(0);
        }
        sink.add(id, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(next));
        plain = at = next;
    }
    if (!encodePlain(plain, text.size())) {
        return fail(ErrorCode::Cancelled);
    }

    Encoding& result = sink.result();
    const bool endsAlready =
        plain == text.size() && !text.empty() && !result.ids.empty() && addEos && result.ids.back() == *eos;
    if (addEos && !endsAlready) {
        const auto end = static_cast<std::uint32_t>(text.size());
        sink.add(*eos, end, end);
    }
    return std::move(result);
}

std::vector<FoundSpecial> Tokenizer::findSpecials(std::string_view text) const {
    std::vector<FoundSpecial> found;
    for (std::size_t at = 0; !m_markers->empty() && at < text.size();) {
        const auto match = m_markers->canStart(text[at]) ? m_markers->longest(text.substr(at)) : std::nullopt;
        if (!match) {
            ++at;
            continue;
        }
        const TokenId id(match->number);
        const std::size_t end = at + match->bytes;
        if (m_vocabulary.type(id) != TokenType::UserDefined) {
            found.push_back({id, {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)}});
        }
        at = end;
    }
    return found;
}

Tokenizer::DecodeState Tokenizer::startOf(const DecodeOptions& options) const {
    const bool wordPiece = m_vocabulary.kind() == TokenizerKind::WordPiece;
    return {.dropSpace = options.atStart && (m_spacePrefix || wordPiece)};
}

void Tokenizer::append(std::string& out, TokenId id, bool control, DecodeState& state) const {
    switch (m_vocabulary.type(id)) {
    case TokenType::Control:
    case TokenType::Unknown:
        if (control) {
            out += m_vocabulary.text(id);
        }
        state.dropSpace = state.dropSpace || m_spacePrefix;
        break;
    case TokenType::UserDefined:
        if (defaultsOf(m_vocabulary.kind()).writesSpaces) {
            appendWithSpaces(out, m_vocabulary.text(id));
        } else {
            out += m_vocabulary.text(id);
        }
        state.dropSpace = m_spacePrefix;
        break;
    default:
        appendText(out, id, state);
        state.dropSpace = false;
        break;
    }
}

void Tokenizer::appendText(std::string& out, TokenId id, DecodeState& state) const {
    std::string_view token = m_vocabulary.text(id);
    if (const auto byte = m_vocabulary.byteOf(id)) {
        out += static_cast<char>(*byte);
        return;
    }
    switch (m_vocabulary.kind()) {
    case TokenizerKind::DnaBpe:
        if (token.size() > kDnaMark.size() && token.ends_with(kDnaMark)) {
            token.remove_suffix(kDnaMark.size());
        }
        [[fallthrough]];
    case TokenizerKind::Bpe:
    case TokenizerKind::Gemma4:
    case TokenizerKind::WhitespaceBpe:
        appendBpe(out, token, m_rule->writing);
        break;
    case TokenizerKind::Plamo2:
        out += token;
        break;
    case TokenizerKind::Rwkv:
        appendUnescaped(out, token);
        break;
    case TokenizerKind::SentencePiece:
    case TokenizerKind::Unigram:
    case TokenizerKind::WordPiece:
        if (state.dropSpace && token.starts_with(kSpaceText)) {
            token.remove_prefix(kSpaceText.size());
        }
        appendWithSpaces(out, token);
        break;
    }
}

Result<std::string> Tokenizer::decode(std::span<const TokenId> ids, const DecodeOptions& options) const {
    std::string text;
    DecodeState state = startOf(options);
    for (const TokenId id : ids) {
        if (id.value >= m_vocabulary.size()) {
            return fail(ErrorCode::NoSuchToken, Place::token(id.value), {m_vocabulary.size()});
        }
        append(text, id, options.control, state);
    }
    return text;
}

std::string Tokenizer::bytesOf(TokenId id) const {
    std::string bytes;
    if (id.value < m_vocabulary.size()) {
        DecodeState state{.dropSpace = false};
        append(bytes, id, true, state);
    }
    return bytes;
}

StreamDecoder::StreamDecoder(std::shared_ptr<const Tokenizer> tokenizer, const DecodeOptions& options)
    : m_tokenizer(std::move(tokenizer))
    , m_control(options.control)
    , m_state(m_tokenizer->startOf(options)) {}

std::string StreamDecoder::push(TokenId id) {
    if (id.value >= m_tokenizer->vocabulary().size()) {
        return {};
    }
    m_tokenizer->append(m_pending, id, m_control, m_state);
    const std::size_t held = incompleteTail(m_pending);
    std::string whole = m_pending.substr(0, m_pending.size() - held);
    m_pending.erase(0, whole.size());
    return whole;
}

std::string StreamDecoder::finish() { return std::exchange(m_pending, {}); }

} // namespace gufo::text
