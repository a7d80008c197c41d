#include "ui/window/host_mapping.h"

#include <QComboBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <algorithm>

#include "ui/theme/buttons.h"
#include "ui/theme/layouts.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui {
namespace {

using theme::qt;

constexpr size_t kMostShown = 4;  // the others come after these

// Else "&" marks a key.
QString plain(const QString& text) {
  return QString(text).replace(u'&', QStringLiteral("&&"));
}

}  // namespace

HostMapping::HostMapping(const std::vector<std::string>& unknown, const hosts::HostList& list, QWidget* parent)
    : theme::Card(parent), unknown_(unknown) {
  auto* text = new QLabel(
      tr("The plan names hosts that are not in the list. Choose a replacement for each, or add them to the list."),
      this);
  text->setWordWrap(true);
  text->setAccessibleName(tr("Notice"));
  auto* rows = new QGridLayout;
  rows->setHorizontalSpacing(theme::kSpace2);
  rows->setVerticalSpacing(theme::kSpace2);
  rows->setColumnStretch(3, 1);
  for (size_t i = 0; i < std::min(unknown.size(), kMostShown); i++) {
    const int row = static_cast<int>(i);
    const std::string& name = unknown[i];
    auto* label = new QLabel(this);
    label->setTextFormat(Qt::PlainText);
    label->setText(plain(qt(name)));
    auto* box = new QComboBox(this);
    box->addItem(qt(hosts::kThisComputer), QString());
    for (const hosts::Host& host : list.hosts) box->addItem(qt(host.name), qt(host.name));
    box->setAccessibleName(tr("Host for %1").arg(qt(name)));
    box->setToolTip(tr("The host that replaces this one in the plan."));
    label->setBuddy(box);
    boxes_[name] = box;
    const QString said = tr("Add %1").arg(qt(name));
    auto* add = theme::push_button(nullptr, plain(said), tr("Adds a host with this name to the list and opens it."),
                                   this, said);
    connect(add, &QPushButton::clicked, this, [this, name] { Q_EMIT add_wanted(name); });
    rows->addWidget(label, row, 0);
    rows->addWidget(box, row, 1);
    rows->addWidget(add, row, 2);
  }
  auto* use =
      theme::push_button(nullptr, tr("Use these"), tr("Writes the selected hosts into the plan. Can be undone."), this);
  auto* close = theme::push_button(nullptr, tr("Not now"),
                                   tr("Closes this; the plan cannot be started until its hosts are known."), this);
  connect(use, &QPushButton::clicked, this, [this] {
    std::map<std::string, std::string> places;
    for (const auto& [name, box] : boxes_) places[name] = box->currentData().toString().toStdString();
    Q_EMIT chosen(places);
  });
  connect(close, &QPushButton::clicked, this, [this] {
    close_bar();
    Q_EMIT put_off();
  });
  theme::make_primary(*use);
  auto* buttons = theme::inner_row(theme::kSpace2);
  buttons->addStretch(1);
  buttons->addWidget(use);
  buttons->addWidget(close);
  body()->setSpacing(theme::kSpace3);
  body()->addWidget(text);
  body()->addLayout(rows);
  body()->addLayout(buttons);
  setFocusProxy(close);
}

void HostMapping::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return Card::keyPressEvent(event);
  close_bar();
  Q_EMIT put_off();
}

void HostMapping::close_bar() {
  hide();
  deleteLater();
}

}  // namespace n2nq::ui

#include "moc_host_mapping.cpp"
