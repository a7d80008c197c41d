#include "ui/window/first_steps.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <array>

#include "app/run/server_look.h"
#include "ui/theme/buttons.h"
#include "ui/theme/label.h"
#include "ui/theme/questions.h"
#include "ui/theme/shapes.h"
#include "ui/theme/tokens.h"
#include "ui/window/bench_state.h"

namespace n2nq::ui {
namespace {

using figures::Hue;
using theme::kGrid;

constexpr const char* kOfferedKey = "window/quick-run-offered";
constexpr const char* kQuickPlan = ":/plans/quick.json";
constexpr int kWidest = 640;

constexpr int kHeight = 13 * kGrid;
constexpr int kWidth = 52 * kGrid;
constexpr int kProcess = 2 * kGrid;  // a sender or receiver
constexpr double kBusWidth = 16 * kGrid;
constexpr double kBusHeight = 7 * kGrid;
constexpr double kApart = 3.5 * kGrid;  // of a role's processes
constexpr std::array kProcesses{-1, 0, 1};

// What the bench is about, only to be seen: the words below it say the same.
class Picture : public QWidget {
 public:
  explicit Picture(QWidget* parent) : QWidget(parent) {
    setFixedHeight(kHeight);
    setMinimumWidth(kWidth);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double middle = width() / 2.0, line = (height() - 3.0 * kGrid) / 2.0;
    const QRectF bus(middle - kBusWidth / 2, line - kBusHeight / 2, kBusWidth, kBusHeight);
    const double left = middle - kWidth / 2.0 + 6 * kGrid, right = middle + kWidth / 2.0 - 6 * kGrid;
    for (const int i : kProcesses) {
      const double y = line + i * kApart;
      painter.setPen(QPen(theme::series_color(Hue::neutral, 1), 1.5));
      painter.drawLine(QPointF(left + kProcess, y), QPointF(bus.left(), line + i * kApart / 2));
      painter.drawLine(QPointF(bus.right(), line + i * kApart / 2), QPointF(right - kProcess, y));
      for (const auto& [x, hue] : {std::pair(left, Hue::sender), std::pair(right, Hue::receiver)}) {
        const QRectF process(x - kProcess / 2.0, y - kProcess / 2.0, kProcess, kProcess);
        theme::draw_round(painter, process, kProcess / 2.0, theme::series_color(hue), Qt::transparent);
      }
    }
    theme::draw_round(painter, bus, theme::kRadius, theme::surface(theme::Surface::card),
                      theme::series_color(Hue::queue), 2);
    painter.setPen(theme::color(theme::Tone::plain));
    painter.setFont(theme::text_font(theme::TextSize::title));
    painter.drawText(bus, Qt::AlignCenter, QObject::tr("queue"));
    painter.setFont(theme::text_font(theme::TextSize::caption));
    painter.setPen(theme::muted_text());
    const auto name = [&](double x, const QString& text) {
      painter.drawText(QRectF(x - 10 * kGrid, height() - 2 * kGrid, 20 * kGrid, 2 * kGrid), Qt::AlignCenter, text);
    };
    name(left, QObject::tr("senders"));
    name(middle, QObject::tr("ours, or another bus"));
    name(right, QObject::tr("receivers"));
  }
};

}  // namespace

bool FirstSteps::is_wanted(BenchState& state) {
  return state.first_start() && !state.settings().value(kOfferedKey, false).toBool();
}

FirstSteps::FirstSteps(BenchState& state, QWidget& page) : theme::Card(&page), state_(state) {
  setAccessibleName(tr("First steps"));
  body()->setSpacing(theme::kSpace3);
  body()->addWidget(new Picture(this));
  auto* what = new theme::Label(tr("The bench shows how a message bus behaves: it starts senders and receivers as real "
                                   "processes, and charts what they measure."),
                                theme::TextSize::title, theme::Tone::plain, this);
  what->setWordWrap(true);
  body()->addWidget(what);
  auto* steps = new QGridLayout;
  steps->setHorizontalSpacing(theme::kSpace3);
  steps->setVerticalSpacing(theme::kSpace2);
  steps->setColumnStretch(1, 1);
  add_step(*steps, "start", tr("Try our queue"),
           tr("Two runs of a few seconds: each message goes to all receivers, then to one of them."),
           &FirstSteps::try_queue);
  if (state.desk() != nullptr)
    add_step(*steps, "compare", tr("Compare two buses you have"),
             tr("Prepares a campaign: the same load over two buses of this computer, by turns, in some minutes."),
             &FirstSteps::compare);
  add_step(*steps, "queue", tr("Measure your server"),
           tr("Leads to the bus in the plan: choose yours, enter the address of its server, and start."),
           &FirstSteps::measure_server);
  body()->addLayout(steps);
  auto* later =
      theme::push_button(nullptr, tr("Not now"), tr("Closes this; the plan \"quick\" is in the plan menu."), this);
  body()->addWidget(later, 0, Qt::AlignRight);
  connect(later, &QPushButton::clicked, this, &FirstSteps::dismiss);
  connect(&state.sequence(), &run::RunSequence::session_changed, this, &QWidget::hide);
  if (state.desk() != nullptr) connect(state.desk(), &campaign::CampaignDesk::begun, this, &QWidget::hide);
  theme::ask(page, this, kWidest);
}

FirstSteps::~FirstSteps() = default;

void FirstSteps::add_step(QGridLayout& steps, const char* icon, const QString& text, const QString& what,
                          void (FirstSteps::*take)()) {
  auto* button = theme::push_button(icon, text, what, this);
  auto* label = new theme::Label(what, theme::TextSize::body, theme::Tone::muted, this);
  label->setWordWrap(true);
  const int row = steps.rowCount();
  if (focusProxy() == nullptr) {
    theme::make_primary(*button);
    setFocusProxy(button);
  }
  steps.addWidget(button, row, 0);
  steps.addWidget(label, row, 1);
  connect(button, &QPushButton::clicked, this, take);
}

void FirstSteps::try_queue() {
  hide();
  Q_EMIT quick_run_wanted(kQuickPlan);
}

// What is not known to be there is left out.
void FirstSteps::compare() {
  if (looking_) return;
  looking_ = std::make_unique<run::ServerLook>(state_.session_options().programs);
  connect(looking_.get(), &run::ServerLook::over, this, [this] {
    if (isHidden()) return looking_.release()->deleteLater();  // something else was begun
    std::vector<std::string> servers;
    if (const auto& found = *looking_->found())
      for (const run::InstalledServer& server : *found)
        if (server.installed()) servers.push_back(server.kind);
    looking_.release()->deleteLater();
    hide();
    Q_EMIT compare_wanted(servers);
  });
  looking_->start();
}

void FirstSteps::measure_server() {
  hide();
  Q_EMIT server_wanted();
}

void FirstSteps::dismiss() {
  state_.settings().setValue(kOfferedKey, true);
  hide();
}

void FirstSteps::keyPressEvent(QKeyEvent* event) {
  event->key() == Qt::Key_Escape ? dismiss() : theme::Card::keyPressEvent(event);
}

}  // namespace n2nq::ui

#include "moc_first_steps.cpp"
