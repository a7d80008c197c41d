#include "ui/theme/invitation.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

#include "ui/theme/buttons.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"

namespace n2nq::ui::theme {
namespace {

constexpr int kSign = 40;
constexpr int kLineOfText = 440;

// An icon that is only to be seen: the title says it.
class Sign : public QWidget {
 public:
  Sign(const char* icon, QWidget* parent) : QWidget(parent), icon_(icon) { setFixedSize(kSign, kSign); }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    icon(icon_, muted_text()).paint(&painter, rect());
  }

 private:
  const char* icon_;
};

}  // namespace

Invitation::Invitation(const char* icon, const QString& title, const QString& text, QWidget* parent)
    : QWidget(parent),
      title_(new Label(title, TextSize::title, Tone::plain, this)),
      text_(new Label(text, TextSize::body, Tone::muted, this)),
      choices_(new QHBoxLayout) {
  title_->setAlignment(Qt::AlignCenter);
  text_->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  text_->setWordWrap(true);
  text_->setMinimumWidth(kLineOfText / 2);
  text_->setMaximumWidth(kLineOfText);
  choices_->setSpacing(kSpace2);
  auto* column = column_in(this, kSpace3, {kSpace5, kSpace5, kSpace5, kSpace5});
  column->addStretch(2);
  column->addWidget(new Sign(icon, this), 0, Qt::AlignHCenter);
  column->addWidget(title_);
  auto* line = new QHBoxLayout;
  line->addStretch(1);
  line->addWidget(text_, 4);
  line->addStretch(1);
  column->addLayout(line);
  auto* row = new QHBoxLayout;
  row->addStretch(1);
  row->addLayout(choices_);
  row->addStretch(1);
  column->addLayout(row);
  column->addStretch(3);
}

QPushButton* Invitation::add_choice(const QString& text, const char* icon_name, const QString& help,
                                    const QString& name) {
  auto* button = push_button(icon_name, text, help, this, name);
  if (choices_->count() == 0) make_primary(*button);
  choices_->addWidget(button);
  return button;
}

void Invitation::say(const QString& title, const QString& text) {
  title_->setText(title);
  text_->setText(text);
}

}  // namespace n2nq::ui::theme

#include "moc_invitation.cpp"
