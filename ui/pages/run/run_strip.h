// The line below a conversation: how fast answers and prompts go, what is read of memory, how full the context is.
#pragma once

#include "ui/run/running_answer.h"

#include <QWidget>

#include <deque>

namespace gufo::ui {

class RunStrip : public QWidget {
    Q_OBJECT

public:
    explicit RunStrip(QWidget* parent = nullptr);

    void setFigures(const AnswerFigures& figures);
    void setContext(std::uint32_t context); // 0: nothing is loaded
    void setPeak(double bytesPerSecond);    // that memory gives; 0: not measured
    void beginAnswer();                     // the sparkline begins anew
    [[nodiscard]] QString text() const;     // all of it, for screen readers

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Part {
        QString label;
        QString value;
        QString more;
        int rank = 0; // what goes first where there is no room: the highest
    };
    [[nodiscard]] std::vector<Part> parts() const;
    void sample();

    AnswerFigures m_figures;
    std::uint32_t m_context = 0;
    double m_peak = 0;
    std::deque<double> m_speeds; // of the last moments
    double m_sampledAt = 0;
    std::size_t m_sampledTokens = 0;
};

} // namespace gufo::ui
