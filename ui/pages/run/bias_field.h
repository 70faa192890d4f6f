// The logit bias: tokens that are made more or less likely, one per line, such as `" the" = -2` or `198 = -inf`. A
// token is named by its text, in quotation marks where it begins or ends with a space, or by its id.
//
// Threads: UI thread only.
#pragma once

#include "inference/interface/engine_capabilities.h"
#include "text/tokenizer/tokenizer.h"
#include "ui/widgets/growing_edit.h"

#include <QLabel>

#include <expected>
#include <memory>

namespace gufo::ui {

using TokenBias = std::pair<TokenId, double>;

// The biases of a text. Lines without text are skipped; the error names the line.
[[nodiscard]] std::expected<std::vector<TokenBias>, QString> parseBiases(const QString& text,
                                                                         const text::Tokenizer& tokenizer);

class BiasField : public QWidget {
    Q_OBJECT

public:
    explicit BiasField(QWidget* parent = nullptr);

    // Of the loaded engine; null while none is loaded: then the biases are not known.
    void setTokenizer(std::shared_ptr<const text::Tokenizer> tokenizer);
    // Disables the field, with the reason, if the engine cannot use biases.
    void setEngine(const inference::EngineCapabilities& engine);

    [[nodiscard]] const std::vector<TokenBias>& biases() const { return m_biases; } // none if there is a problem
    [[nodiscard]] QString problem() const { return m_problem->text(); }
    [[nodiscard]] QString text() const;
    void setText(const QString& text);

signals:
    void changed();

private:
    void parse();

    GrowingEdit* m_edit;
    QLabel* m_problem;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    std::vector<TokenBias> m_biases;
};

} // namespace gufo::ui
