#include "ui/tools/apply_dialog.h"

#include "analysis/compare/pair_figures.h"
#include "base/detail.h"
#include "document/open_model.h"
#include "formats/container/container.h"
#include "model/file_kind.h"
#include "model/kept_description.h"
#include "model/set_fault.h"
#include "quantize/write_model.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/tools/file_field.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/number_box.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

QString realOrDash(std::optional<double> value) { return value ? formatReal(*value) : QStringLiteral("–"); }

// Returns a model of an earlier plan, or opens the file.
Result<std::shared_ptr<const Model>> openKept(const std::filesystem::path& path,
                                              const std::vector<std::shared_ptr<const Model>>& known,
                                              const JobContext& job) {
    for (const auto& model : known) {
        if (model != nullptr && model->path() == path) {
            return model;
        }
    }
    auto model = GUFO_TRY(openModel(path, job));
    [[maybe_unused]] const bool all = GUFO_TRY(keepDescription(*model));
    return model;
}

std::string typeName(std::uint32_t typeId) { return TensorInfo{.typeId = typeId}.typeName(); }

} // namespace

ApplyDialog::ApplyDialog(std::shared_ptr<const Model> model, QWidget* parent)
    : ToolDialog(tr("Merge LoRA Adapters"), tr("&Merge…"), parent)
    , m_model(std::move(model))
    , m_isBase(fileKind(*m_model) != FileKind::Adapter)
    , m_base(
          new FileField(tr("base model"), openModelFilter().split(QStringLiteral(";;")), FileField::Needs::File, this))
    , m_rows(new QVBoxLayout)
    , m_add(new QPushButton(tr("&Add…"), this))
    , m_type(new QComboBox(this)) {
    m_add->setAccessibleName(tr("Add an adapter"));
    m_add->setToolTip(tr("A LoRA adapter in GGUF"));
    m_add->setAutoDefault(false);
    m_type->addItem(tr("as it is"), QVariant());
    for (const TensorType type : {TensorType::F32, TensorType::F16, TensorType::BF16}) {
        m_type->addItem(QString::fromLatin1(tensorTypeFact(type).name.data()), static_cast<quint32>(type));
    }
    m_type->setToolTip(tr("Other types are made by quantising the result"));
    auto* adapters = new QWidget(this);
    auto* column = new QVBoxLayout(adapters);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_rows->setSpacing(6);
    column->addLayout(m_rows);
    column->addWidget(m_add, 0, Qt::AlignLeft);
    adapters->setFocusProxy(m_add);
    addChoice(tr("&Base model"), m_base);
    addChoice(tr("A&dapters"), adapters);
    addChoice(tr("&Type of changed tensors"), m_type);
    resizeOverWindow(*this, {720, 560});
    connect(m_base, &FileField::changed, this, &ApplyDialog::plan);
    connect(m_type, &QComboBox::currentIndexChanged, this, &ApplyDialog::plan);
    connect(m_add, &QPushButton::clicked, this, [this] {
        auto* dialog = new QFileDialog(this, tr("Add LoRA adapters"), {}, openModelFilter());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::ExistingFiles);
        rememberFolder(*dialog, FolderFor::Imports);
        connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& files) {
            for (const QString& file : files) {
                addRow(fromQtPath(file));
            }
            plan();
        });
        dialog->open();
    });
    if (m_isBase) {
        m_base->setPath(m_model->path());
    } else {
        addRow(m_model->path());
        plan();
    }
}

void ApplyDialog::addAdapter(const std::filesystem::path& path) {
    addRow(path);
    plan();
}

void ApplyDialog::addRow(const std::filesystem::path& path) {
    auto* widget = new QWidget(this);
    auto* name = new ElidedLabel(TextStyle::Body, Token::Text, Qt::ElideMiddle, widget);
    name->setText(fileNameText(path));
    name->setToolTip(plainToolTip(displayPath(path)));
    auto* strength = new RealBox(widget);
    strength->setRange(-100, 100);
    strength->setDecimals(3);
    strength->setSingleStep(0.1);
    strength->setValue(1);
    strength->setPrefix(tr("× "));
    strength->setAccessibleName(tr("Strength of %1").arg(fileNameText(path)));
    auto* remove = new QPushButton(tr("Remove"), widget);
    remove->setAccessibleName(tr("Remove %1").arg(fileNameText(path)));
    remove->setAutoDefault(false);
    auto* row = new QHBoxLayout(widget);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(name, 1);
    row->addWidget(strength);
    row->addWidget(remove);
    m_rows->addWidget(widget);
    m_adapters.push_back({path, widget, strength});
    connect(strength, &QDoubleSpinBox::valueChanged, this, &ApplyDialog::plan);
    connect(remove, &QPushButton::clicked, this, [this, widget] {
        std::erase_if(m_adapters, [widget](const AdapterRow& each) { return each.widget == widget; });
        widget->hide();
        widget->deleteLater();
        m_add->setFocus();
        plan();
    });
}

std::optional<TensorType> ApplyDialog::chosenType() const {
    const QVariant type = m_type->currentData();
    return type.isValid() ? std::optional(static_cast<TensorType>(type.toUInt())) : std::nullopt;
}

void ApplyDialog::plan() {
    m_planning.cancel();
    setReady(false);
    showNotice({});
    table()->hide();
    if (m_base->path().empty() || m_adapters.empty()) {
        setSummary(m_base->path().empty() ? tr("Choose the model that the adapter was made for.")
                                          : tr("Add the adapters to be merged into it."));
        return;
    }
    std::vector<std::pair<std::filesystem::path, double>> wanted;
    for (const AdapterRow& row : m_adapters) {
        wanted.emplace_back(row.path, row.strength->value());
    }
    std::vector<std::shared_ptr<const Model>> known{m_model};
    if (m_planned != nullptr) {
        known.push_back(m_planned->base);
        known.insert(known.end(), m_planned->files.begin(), m_planned->files.end());
    }
    m_planning.start<std::shared_ptr<const Planned>>(
        [basePath = m_base->path(), wanted = std::move(wanted), known = std::move(known),
         type = chosenType()](const JobContext& job) -> Result<std::shared_ptr<const Planned>> {
            auto planned = std::make_shared<Planned>();
            planned->base = GUFO_TRY(openKept(basePath, known, job));
            GUFO_TRY(checkSet(*planned->base)); // before its missing tensors are noticed
            planned->request.type = type;
            for (const auto& [path, strength] : wanted) {
                auto file = GUFO_TRY(openKept(path, known, job));
                planned->files.push_back(file);
                auto adapter = GUFO_TRY(matchAdapter(*planned->base, std::move(file)));
                planned->request.adapters.push_back({std::move(adapter), strength});
            }
            planned->plan = GUFO_TRY(planMerge(*planned->base, planned->request));
            return std::shared_ptr<const Planned>(std::move(planned));
        },
        [this](Result<std::shared_ptr<const Planned>> planned) {
            if (!planned) {
                setSummary({});
                showError(planned.error());
                return;
            }
            m_planned = std::move(*planned);
            showTensors(*m_planned, m_planned->plan, false);
            setReady(true);
        });
}

void ApplyDialog::showTensors(const Planned& planned, const MergePlan& plan, bool written) {
    QStringList titles{tr("Tensor"), tr("Type")};
    for (const AdapterUse& use : planned.request.adapters) {
        const QString name = modelNameText(use.adapter.model->path());
        titles << (written ? tr("Change by %1").arg(name) : tr("Rank in %1").arg(name));
    }
    if (written) {
        titles << tr("NMSE of encoding");
    }
    setColumns(titles);
    PairSums total;
    for (const MergedTensor& merged : plan.tensors) {
        total.merge(merged.encoding);
        QStringList row{displayText(planned.base->tensor(merged.change.tensor).name),
                        displayText(typeName(merged.typeId))};
        for (std::size_t i = 0; i < planned.request.adapters.size(); ++i) {
            const auto change = std::ranges::find(merged.change.changes, i, &AdapterChange::adapter);
            const bool has = change != merged.change.changes.end();
            row << (!has      ? QString()
                    : written ? realOrDash(merged.change.relative(*change))
                              : formatCount(change->rank));
        }
        if (written) {
            row << realOrDash(figuresOf(merged.encoding).nmse);
        }
        ToolDialog::addRow(row);
    }
    setSummary(written
                   ? tr("%n tensors changed; encoding adds an error of NMSE %1.", nullptr, numerus(plan.tensors.size()))
                         .arg(realOrDash(figuresOf(total).nmse))
                   : tr("%n tensors change; the file gets %1.", nullptr, numerus(plan.tensors.size()))
                         .arg(formatBytes(plan.fileBytes)));
}

void ApplyDialog::start() {
    auto* dialog = new QFileDialog(this, tr("Write the merged model"), {}, tr("GGUF models (*.gguf)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("gguf"));
    rememberFolder(*dialog, FolderFor::Exports);
    dialog->selectFile(modelNameText(m_base->path()) + QStringLiteral("-merged.gguf"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { write(fromQtPath(file)); });
    dialog->open();
}

void ApplyDialog::write(const std::filesystem::path& path) {
    if (isWorking() || m_planned == nullptr || isPlanning()) {
        return;
    }
    Job* job = startJob<MergePlan>(
        this,
        [planned = m_planned, path](const JobContext& context) -> Result<MergePlan> {
            GUFO_TRY(checkIsOtherFile(*planned->base, path));
            for (const auto& file : planned->files) {
                GUFO_TRY(checkIsOtherFile(*file, path));
            }
            return mergeAdapters(*planned->base, planned->request, path, context);
        },
        [this, path, planned = m_planned](const Result<MergePlan>& plan) {
            if (!plan) {
                showError(plan.error());
                return;
            }
            showTensors(*planned, *plan, true);
            offer(path);
        });
    follow(job, tr("Writing %1").arg(fileNameText(path)), tr("Stop merging into %1?").arg(fileNameText(path)),
           tr("What was written so far is discarded."));
}

} // namespace gufo::ui

#include "moc_apply_dialog.cpp"
