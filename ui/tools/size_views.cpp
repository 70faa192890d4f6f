// Quantise for a Size: the recipes' buttons, the views of a plan, and the rules that it obeys.
#include "ui/messages/figure_text.h"
#include "ui/tools/plan_check_view.h"
#include "ui/tools/size_dialog.h"
#include "ui/tools/type_map.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/segmented_control.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {

QWidget* SizeDialog::buildRecipeRow() {
    auto* row = new QWidget(this);
    auto* open = new QPushButton(tr("&Open Recipe…"), row);
    auto* like = new QPushButton(tr("&Like Another File…"), row);
    like->setToolTip(tr("Give the tensors the types that they have in another GGUF file"));
    m_save->setEnabled(false);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    for (QPushButton* button : {open, like, m_save}) {
        button->setAutoDefault(false);
        line->addWidget(button);
    }
    line->addStretch(1);
    connect(open, &QPushButton::clicked, this,
            [this] { chooseFile(tr("Open a recipe"), recipeFilters(), &SizeDialog::openRecipe, false); });
    connect(like, &QPushButton::clicked, this, [this] {
        chooseFile(tr("Take the types of another file"), {tr("GGUF models (*.gguf)")}, &SizeDialog::takeFrom, false);
    });
    connect(m_save, &QPushButton::clicked, this, [this] {
        chooseFile(tr("Save the recipe"), recipeFilters(), &SizeDialog::saveRecipe, true,
                   proposedName(QStringLiteral(".recipe")));
    });
    return row;
}

QStringList SizeDialog::recipeFilters() { return {tr("Recipes (*.txt *.recipe)"), tr("All files (*)")}; }

QWidget* SizeDialog::buildViewRow() {
    auto* row = new QWidget(this);
    m_view->addSegment(tr("Types"), {}, tr("The type of each tensor, by block and role"));
    m_view->addSegment(tr("Recipe"), {}, tr("The plan as a recipe, which can be edited"));
    m_view->addSegment(tr("Size and KL"), {}, tr("The plan beside the named mixes, and a check on a text"));
    m_view->addSegment(tr("Differences"), {}, tr("What another recipe or file does otherwise"));
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(12);
    line->addWidget(m_view);
    line->addStretch(1);
    connect(m_view, &SegmentedControl::chosen, this, &SizeDialog::showView);
    return row;
}

// The rules that plans obey, above the map of their types.
QWidget* SizeDialog::buildTypes() {
    constexpr double kRatherFast = 0.5;
    auto* view = new QWidget(this);
    for (const RuntimeProfile& profile : runtimeProfiles()) {
        m_runtime->addItem(QString::fromUtf8(profile.name), static_cast<int>(profile.runtime));
    }
    m_runtime->setAccessibleName(tr("Program that is to run the file"));
    m_runtime->setToolTip(tr("The program that is to run the file: plans choose from the types that it has"));
    m_speed->addItem(tr("Least loss"), 0.0);
    m_speed->addItem(tr("Rather fast"), kRatherFast);
    m_speed->addItem(tr("Fast"), 1.0);
    m_speed->setAccessibleName(tr("Preference"));
    m_speed->setToolTip(tr("Whether fast types are preferred, as this machine computes with them"));
    m_joined->setChecked(true);
    m_joined->setToolTip(
        tr("Queries, keys and values of a block share a type, and so do gate and up: runtimes may join "
           "them, for which they need one type"));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_runtime);
    row->addWidget(m_speed);
    row->addWidget(m_joined);
    row->addStretch(1);
    auto* column = new QVBoxLayout(view);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(row);
    column->addWidget(m_map, 1);
    connect(m_runtime, &QComboBox::currentIndexChanged, this, &SizeDialog::measureCosts);
    connect(m_speed, &QComboBox::currentIndexChanged, this, &SizeDialog::preferSpeed);
    return view;
}

// The speeds of types are measured when they are first asked for.
void SizeDialog::preferSpeed() {
    if (m_speed->currentData().toDouble() <= 0 || !m_seconds.empty()) {
        planChosen();
        return;
    }
    Job* job = m_timing.start<TypeSeconds>(
        [](const JobContext& context) {
            std::vector<std::uint32_t> types;
            for (const RuntimeProfile& profile : runtimeProfiles()) {
                for (const std::uint32_t type : plannedTypes(profile.runtime)) {
                    if (std::ranges::find(types, type) == types.end()) {
                        types.push_back(type);
                    }
                }
            }
            return measureTypes(types, context);
        },
        [this](Result<TypeSeconds> seconds) {
            if (seconds) {
                m_seconds = std::move(*seconds);
                planChosen();
            } else {
                showError(seconds.error());
            }
        });
    jobBar()->watch(job, tr("Measuring the speed of types"));
}

QString SizeDialog::vetoText() const {
    QStringList lines;
    for (const VetoedSize& vetoed : vetoesInTheWay(*m_model, *m_costs, rules())) {
        const QString size = formatBytes(vetoed.bytes);
        switch (vetoed.veto) {
        case PlanVeto::OutputAndEmbedding:
            lines << tr("Output and embedding keep enough bits to work; otherwise %1 would be possible.").arg(size);
            break;
        case PlanVeto::SharedTypes:
            lines << tr("Without shared types, %1 would be possible.").arg(size);
            break;
        case PlanVeto::NoImportance:
            lines << tr("With an importance matrix, %1 would be possible.").arg(size);
            break;
        }
    }
    return lines.join(u' ');
}

// One below the other; only the chosen one is shown, so the others need no room.
QWidget* SizeDialog::buildViews() {
    auto* views = new QWidget(this);
    m_typesView = buildTypes();
    m_recipeView = buildRecipeView();
    m_differencesView = buildDifferences();
    auto* column = new QVBoxLayout(views);
    column->setContentsMargins(0, 0, 0, 0);
    for (QWidget* view : std::initializer_list<QWidget*>{m_typesView, m_recipeView, m_check, m_differencesView}) {
        column->addWidget(view);
    }
    return views;
}

void SizeDialog::showView() {
    const auto view = static_cast<View>(m_view->current());
    m_typesView->setVisible(view == View::Types);
    m_recipeView->setVisible(view == View::Recipe);
    m_check->setVisible(view == View::Sizes);
    m_differencesView->setVisible(view == View::Differences);
}

} // namespace gufo::ui
