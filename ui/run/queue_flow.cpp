#include "ui/run/queue_flow.h"

#include "app/text/quantity.h"
#include "ui/run/growing_label.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

QString counted(uint64_t value) {
  return QString::fromStdString(text::count(static_cast<int64_t>(value)));
}

}  // namespace

QueueFlow::QueueFlow(QWidget* parent) : QWidget(parent), grid_(theme::grid_in(this, theme::kSpace1, 0)) {
  sent_ = add_figure(tr("sent"),
                     tr("Messages that the senders have sent, at the moment of the receivers' latest figures."), 0);
  add_arrow(1);
  in_flight_ =
      add_figure(tr("in flight"),
                 tr("Deliveries that are due for what was sent, and have not been received yet, at the moment of the "
                    "receivers' latest figures. \"-\": after a request only the queue knows."),
                 2);
  add_arrow(3);
  delivered_ = add_figure(tr("delivered"), tr("Messages that the receivers have received, all of them together."), 4);
  hide();
}

GrowingLabel* QueueFlow::add_figure(const QString& caption, const QString& help, int column) {
  auto* figure = new GrowingLabel(tr("Queue: %1").arg(caption), this, theme::TextSize::title);
  figure->setToolTip(help);
  figure->setAlignment(Qt::AlignCenter);
  figure->show_figure("-");
  auto* below = new theme::Label(caption, theme::TextSize::caption, theme::Tone::muted, this);
  below->setToolTip(help);
  grid_->addWidget(figure, 0, column, Qt::AlignHCenter);
  grid_->addWidget(below, 1, column, Qt::AlignHCenter);
  return figure;
}

void QueueFlow::add_arrow(int column) {
  grid_->addWidget(new theme::Label(QStringLiteral("→"), theme::TextSize::title, theme::Tone::muted, this), 0, column,
                   Qt::AlignCenter);
  grid_->setColumnStretch(column, 1);
}

void QueueFlow::start_anew(const run::RunSession* session) {
  due_.reset();
  if (session != nullptr) due_.emplace(session->plan());
  for (GrowingLabel* figure : {sent_, in_flight_, delivered_}) figure->show_figure("-");
  setVisible(session != nullptr);
}

void QueueFlow::request_changed() {
  if (due_) due_->forget();
}

void QueueFlow::look_at(const run::RunSession& session) {
  if (!session.live().begun() || !due_) return;
  const live::ServiceFigures receivers = session.all_of(Role::receiver);
  sent_->show_figure(counted(static_cast<uint64_t>(session.all_of(Role::sender).count)));
  delivered_->show_figure(counted(static_cast<uint64_t>(receivers.count)));
  const bool over = session.state() == run::State::over;
  const auto in_flight = over ? std::optional<uint64_t>(0) : due_->deliveries(session.live().sent_then(), receivers);
  in_flight_->show_figure(in_flight ? counted(*in_flight) : "-");
}

}  // namespace n2nq::ui

#include "moc_queue_flow.cpp"
