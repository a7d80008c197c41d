#include "ui/hosts/import_dialog.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <algorithm>

#include "ui/hosts/host_fields.h"
#include "ui/theme/buttons.h"
#include "ui/theme/column_model.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/offer.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui {

using hosts::ImportChoice;
using theme::qt;

namespace {

constexpr int kLeastTableHeight = 240;

enum ImportColumn {
  kImportName,
  kImportAddress,
  kImportUser,
  kImportJump,
  kImportKeyFile,
  kImportState,
  kImportColumns
};

constexpr theme::TableColumn kImportSpecs[kImportColumns] = {
    {"Name", "The name it gets in the list; a check takes it in.", {12, 22, true}},
    {"Address", "Its network name or IP address, and its port if that is not 22.", {12, 22}},
    {"User", "The user name to log in with; empty: the same as here.", {6, 12}},
    {"Jump host", "The host through which it is reached; it comes with it.", {9, 16}},
    {"Key file", "The path of its private key. The key itself stays where it is.", {8, 22}},
    {"What happens", "Whether it is added, or why not.", {20, 80}},
};

}  // namespace

class ImportModel : public theme::ColumnModel {
 public:
  ImportModel(ImportChoice& choice, QObject* parent) : theme::ColumnModel(kImportSpecs, parent), choice_(choice) {}

  Qt::ItemFlags flags(const QModelIndex& index) const override {
    const bool free = found(index).can_be_chosen();
    const Qt::ItemFlags plain = free ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::ItemIsSelectable;
    return free && index.column() == kImportName ? plain | Qt::ItemIsUserCheckable : plain;
  }
  QVariant data(const QModelIndex& index, int role) const override {
    if (role == Qt::CheckStateRole && index.isValid() && index.column() == kImportName)
      return found(index).chosen ? Qt::Checked : Qt::Unchecked;
    return theme::ColumnModel::data(index, role);
  }
  bool setData(const QModelIndex& index, const QVariant& value, int role) override {
    if (role != Qt::CheckStateRole || index.column() != kImportName || !found(index).can_be_chosen()) return false;
    choice_.choose(static_cast<size_t>(index.row()), value.toInt() == Qt::Checked);
    show_choice();
    return true;
  }
  // One that is chosen may have brought others with it.
  void show_choice() { all_changed(); }

 protected:
  size_t rows_there() const override { return choice_.all().size(); }
  QString text(size_t row, int column) const override {
    const ImportChoice::Found& one = choice_.all().at(row);
    switch (column) {
      case kImportName:
        return qt(one.host.name);
      case kImportAddress:
        return reached_at(one.host);
      case kImportUser:
        return qt(one.host.user);
      case kImportJump:
        return qt(one.host.jump);
      case kImportKeyFile:
        return qt(one.host.key_file);
      default:
        return what_happens(row);
    }
  }

 private:
  const ImportChoice::Found& found(const QModelIndex& index) const {
    return choice_.all().at(static_cast<size_t>(index.row()));
  }
  QString what_happens(size_t row) const {
    const ImportChoice::Found& one = choice_.all().at(row);
    if (one.there_already) return ImportDialog::tr("already in the list: stays as it is");
    if (!one.refused.empty()) return ImportDialog::tr("not possible: %1").arg(qt(one.refused));
    if (!one.chosen) return ImportDialog::tr("left out");
    QStringList through;
    for (const std::string& name : choice_.needed_for(row)) through += qt(name);
    return through.isEmpty() ? ImportDialog::tr("is added")
                             : ImportDialog::tr("is added; jump host of %1").arg(through.join(", "));
  }

  ImportChoice& choice_;
};

ImportDialog::ImportDialog(const QString& path, ImportChoice choice, const std::vector<std::string>& notes,
                           QWidget* parent)
    : QDialog(parent),
      choice_(std::move(choice)),
      model_(new ImportModel(choice_, this)),
      table_(new theme::TableView(tr("Hosts to import"), this)),
      take_(new QPushButton(this)) {
  setWindowTitle(tr("Which hosts of %1 are to be added?").arg(path));
  table_->setMinimumHeight(kLeastTableHeight);
  theme::show_columns(*table_, *model_, kImportSpecs);
  table_->setAccessibleDescription(tr("One row per host of the file. Space checks or unchecks the selected ones."));
  table_->on_key({Qt::Key_Space}, [this] { toggle(); });
  connect(model_, &QAbstractItemModel::dataChanged, this, &ImportDialog::show_choice);
  build(notes);
  show_choice();
  table_->choose_row(0);
  table_->setFocus();
}

void ImportDialog::build(const std::vector<std::string>& notes) {
  auto* help = new theme::Label(tr("The file stays as it is, and nothing secret is copied: of a key only the path is "
                                   "taken. A host brings its jump hosts with it."),
                                theme::TextSize::body, theme::Tone::muted, this);
  auto* column = theme::column_in(this, theme::kSpace3);
  column->addWidget(help);
  column->addWidget(table_, 1);
  help->setWordWrap(true);
  if (!notes.empty()) {
    QStringList lines;
    for (const std::string& note : notes) lines += qt(note);
    auto* passed_over = new theme::Label(lines.join('\n'), theme::TextSize::body, theme::Tone::warning, this);
    passed_over->setAccessibleName(tr("Notes on the import"));
    passed_over->setWordWrap(true);
    column->addWidget(passed_over);
  }
  const auto add = [this](QHBoxLayout& row, const QString& text, const QString& help_text) {
    auto* button = theme::push_button(nullptr, text, help_text, this);
    row.addWidget(button);
    return button;
  };
  auto* buttons = theme::inner_row(theme::kSpace2);
  connect(add(*buttons, tr("Select all"), tr("Checks every host that can be added.")), &QPushButton::clicked, this,
          [this] { choose_all(true); });
  connect(add(*buttons, tr("Select none"), tr("Unchecks every host.")), &QPushButton::clicked, this,
          [this] { choose_all(false); });
  buttons->addStretch(1);
  connect(add(*buttons, tr("Cancel import"), tr("Adds nothing.")), &QPushButton::clicked, this, &QDialog::reject);
  buttons->addWidget(take_);
  take_->setAccessibleName(tr("Import checked hosts"));
  take_->setDefault(true);
  theme::make_primary(*take_);
  connect(take_, &QPushButton::clicked, this, &QDialog::accept);
  column->addLayout(buttons);
}

void ImportDialog::toggle() {
  const auto rows = table_->chosen_rows();
  const bool off = std::ranges::all_of(
      rows, [this](size_t row) { return choice_.all()[row].chosen || !choice_.all()[row].can_be_chosen(); });
  for (const size_t row : rows) choice_.choose(row, !off);
  model_->show_choice();
}

void ImportDialog::choose_all(bool on) {
  for (size_t i = 0; i < choice_.all().size(); i++) choice_.choose(i, on);
  model_->show_choice();
}

void ImportDialog::show_choice() {
  const auto count = choice_.chosen().size();
  take_->setText(count == 1 ? tr("Import 1 host") : tr("Import %1 hosts").arg(count));
  theme::offer(*take_, tr("Adds the checked hosts to the list. Can be undone."),
               count > 0 ? QString() : tr("Check a host first."));
}

}  // namespace n2nq::ui

#include "moc_import_dialog.cpp"
