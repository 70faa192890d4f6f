// The sampler settings with an explanation of each, presets, seed and length, and in folded groups the rarer samplers,
// the grammar and the stop strings.
#pragma once

#include "ui/pages/run/bias_field.h"
#include "ui/pages/run/grammar_field.h"
#include "ui/pages/run/sampler_rows.h"
#include "ui/run/chat_session.h"
#include "ui/run/sampler_presets.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace gufo::ui {

// A header that expands and collapses the content below it, with a short summary of it.
class FoldedGroup : public QWidget {
    Q_OBJECT

public:
    FoldedGroup(const QString& title, QWidget* parent);
    [[nodiscard]] QVBoxLayout* content() const { return m_content; }
    void setNote(const QString& note, Token token = Token::Muted);
    void setOpen(bool open) { m_head->setChecked(open); }
    [[nodiscard]] bool isOpen() const { return m_head->isChecked(); }
    [[nodiscard]] QToolButton* head() const { return m_head; }

private:
    QToolButton* m_head;
    QLabel* m_note;
    QWidget* m_body;
    QVBoxLayout* m_content;
};

class SamplerPanel : public QWidget {
    Q_OBJECT

public:
    explicit SamplerPanel(QWidget* parent = nullptr);

    // The page places the preset combo box in its header.
    [[nodiscard]] QComboBox* presetCombo() const { return m_presets; }
    // Fills the presets and selects the first, unless a state was restored.
    void setModel(std::shared_ptr<const Model> model);

    // Disables what the engine lacks, with the reason.
    void setEngine(const inference::EngineCapabilities& engine);

    [[nodiscard]] ChatSettings settings() const;
    [[nodiscard]] inference::SamplerSettings sampler() const { return m_sampler; }
    void setSampler(const inference::SamplerSettings& settings);
    void showSeed(std::uint64_t seed); // shows the drawn seed if none is fixed
    // Names an inference::Cut with the current settings: "top-p 0.80".
    [[nodiscard]] QString cutText(int cut) const;
    // Why the grammar cannot be used; empty if it can, or if there is none.
    [[nodiscard]] QString grammarProblem() const;
    [[nodiscard]] QString biasProblem() const { return m_bias->problem(); } // the same for the logit bias
    // Of the loaded engine; null while none is loaded.
    void setTokenizer(std::shared_ptr<const text::Tokenizer> tokenizer) { m_bias->setTokenizer(std::move(tokenizer)); }

    [[nodiscard]] QDoubleSpinBox* field(const char* name) const; // by the name used in saveSampler()
    [[nodiscard]] QSpinBox* lengthField() const { return m_maximum; }

    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

signals:
    void changed();

private:
    struct Shown {
        const SamplerRow* row;
        QDoubleSpinBox* box;
        QSlider* slider; // null if there is only a field
    };
    static double minimumOf(const SamplerRow& row);
    void addRow(const SamplerRow& row, QVBoxLayout* layout, bool withSlider);
    void set(const Shown& shown, double value);
    void showValues();
    void fillPresets();
    void takePreset(int index);
    void onChanged();
    void showNotes();

    inference::SamplerSettings m_sampler;
    std::vector<SamplerPreset> m_known;
    std::vector<Shown> m_shown;
    QComboBox* m_presets;
    QLineEdit* m_seed;
    QCheckBox* m_fixed;
    QSpinBox* m_maximum;
    FoldedGroup* m_rare;
    FoldedGroup* m_grammarGroup;
    GrammarField* m_grammar;
    FoldedGroup* m_biasGroup;
    BiasField* m_bias;
    FoldedGroup* m_stopsGroup;
    QPlainTextEdit* m_stops;
    QCheckBox* m_ignoreEnd;
    std::shared_ptr<const Model> m_model;
    inference::EngineCapabilities m_engine = inference::engines().front().capabilities;
    bool m_restored = false;
};

} // namespace gufo::ui
