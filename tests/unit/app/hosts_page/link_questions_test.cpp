#include "ui/hosts/link_questions.h"

#include <gmock/gmock.h>

#include <QApplication>
#include <QDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include "tests/unit/app/hosts_page/fake_host_link.h"

namespace n2nq::ui {
namespace {

using launch::HostLink;
using launch::LinkQuestion;
using testing::ElementsAre;
using testing::Optional;
using testing::SizeIs;

struct LinkQuestionsTest : testing::Test {
  LinkQuestionsTest() {
    window.show();
    for (const char* name : {"vm1", "vm2"}) {
      test::fake_host(name).question = {
          .kind = LinkQuestion::Kind::password, .host = name, .text = std::string("Password for lab@") + name};
    }
  }
  ~LinkQuestionsTest() override { test::forget_fake_hosts(); }

  QWidget window;
  run::HostLinks links{{{{.name = "vm1", .address = "a"}, {.name = "vm2", .address = "b"}}}, launch::LinkOptions{}};
  LinkQuestions questions{links, &window};

  static QDialog* dialog() {
    for (QWidget* widget : QApplication::allWidgets())
      if (auto* found = qobject_cast<QDialog*>(widget); found != nullptr && found->isVisible()) return found;
    return nullptr;
  }
  static bool asked() {
    return QTest::qWaitFor([] { return dialog() != nullptr; });
  }
  template <class Widget>
  static Widget& named(const QString& name) {
    for (auto* widget : dialog()->findChildren<Widget*>())
      if (widget->accessibleName() == name) return *widget;
    throw std::runtime_error("no " + name.toStdString());
  }
  bool is(const char* name, HostLink::State state) {
    return QTest::qWaitFor([&] { return links.to(name).state() == state; });
  }
};

TEST_F(LinkQuestionsTest, APasswordIsHandedOverAndWipedFromTheField) {
  links.to("vm1").open();
  ASSERT_TRUE(asked());
  EXPECT_EQ(dialog()->windowTitle(), "Password for vm1");
  auto& line = named<QLineEdit>("Answer");
  EXPECT_EQ(line.echoMode(), QLineEdit::Password);
  QTest::keyClicks(&line, "secret");
  QTest::keyClick(&line, Qt::Key_Return);
  EXPECT_EQ(line.text(), "");
  EXPECT_TRUE(is("vm1", HostLink::State::open));
  EXPECT_THAT(test::fake_host("vm1").answers, ElementsAre(Optional(std::string("secret"))));
}

TEST_F(LinkQuestionsTest, GivingUpIsNo) {
  links.to("vm1").open();
  ASSERT_TRUE(asked());
  QTest::keyClick(dialog(), Qt::Key_Escape);
  EXPECT_TRUE(is("vm1", HostLink::State::lost));
  EXPECT_THAT(test::fake_host("vm1").answers, ElementsAre(std::nullopt));
}

TEST_F(LinkQuestionsTest, AnUnknownKeyIsShownAndRefusedByReturn) {
  test::fake_host("vm1").question = {.kind = LinkQuestion::Kind::host_key,
                                     .host = "vm1",
                                     .text = "The key of vm1 is not known.",
                                     .fingerprint = "SHA256:abc",
                                     .key_type = "ssh-ed25519"};
  links.to("vm1").open();
  ASSERT_TRUE(asked());
  EXPECT_EQ(named<QLineEdit>("Fingerprint").text(), "SHA256:abc");
  EXPECT_EQ(named<QLineEdit>("Key type").text(), "ssh-ed25519");
  QTest::keyClick(dialog(), Qt::Key_Return);
  EXPECT_TRUE(is("vm1", HostLink::State::lost));
  links.to("vm1").open();
  ASSERT_TRUE(asked());
  QTest::mouseClick(&named<QPushButton>("Accept key"), Qt::LeftButton);
  EXPECT_TRUE(is("vm1", HostLink::State::open));
}

TEST_F(LinkQuestionsTest, QuestionsComeOneAfterAnother) {
  links.to("vm1").open();
  links.to("vm2").open();
  ASSERT_TRUE(asked());
  const QString first = dialog()->windowTitle();
  QTest::keyClicks(&named<QLineEdit>("Answer"), "one");
  QTest::keyClick(&named<QLineEdit>("Answer"), Qt::Key_Return);
  ASSERT_TRUE(QTest::qWaitFor([&] { return dialog() != nullptr && dialog()->windowTitle() != first; }));
  QTest::keyClicks(&named<QLineEdit>("Answer"), "two");
  QTest::keyClick(&named<QLineEdit>("Answer"), Qt::Key_Return);
  EXPECT_TRUE(is("vm1", HostLink::State::open));
  EXPECT_TRUE(is("vm2", HostLink::State::open));
}

// A run asks for the password of its server, which no host of the list leads to.
TEST_F(LinkQuestionsTest, APasswordOfAServerIsAskedForOnceAndAgainWhereItWasForgotten) {
  const LinkQuestion question{
      .kind = LinkQuestion::Kind::server, .host = "bench at 10.0.0.1:6379", .text = "Password for bench at 10.0.0.1"};
  std::vector<std::optional<std::string>> said;
  const auto hear = [&said](std::optional<std::string> text) { said.push_back(std::move(text)); };
  links.ask(question, hear);
  ASSERT_TRUE(asked());
  EXPECT_EQ(dialog()->windowTitle(), "Password for bench at 10.0.0.1");
  links.to("vm1").open();  // its question waits, and what becomes of its link does not answer this one
  links.to("vm1").close();
  ASSERT_TRUE(asked());
  EXPECT_EQ(named<QLineEdit>("Answer").echoMode(), QLineEdit::Password);
  QTest::keyClicks(&named<QLineEdit>("Answer"), "secret");
  QTest::keyClick(&named<QLineEdit>("Answer"), Qt::Key_Return);
  EXPECT_THAT(said, ElementsAre(Optional(std::string("secret"))));
  links.ask(question, hear);
  EXPECT_THAT(said, ElementsAre(Optional(std::string("secret")), Optional(std::string("secret"))));
  links.trust(question);
  links.doubt(question);
  links.ask(question, hear);
  EXPECT_THAT(said, SizeIs(3)) << "a run that does not begin once may have another reason";
  links.doubt(question);
  links.ask(question, hear);
  ASSERT_TRUE(asked());
  QTest::keyClick(dialog(), Qt::Key_Escape);
  EXPECT_THAT(said, SizeIs(4));
  EXPECT_EQ(said.back(), std::nullopt);
}

TEST_F(LinkQuestionsTest, APasswordThatNobodyWaitsForAnyMoreIsNotAskedFor) {
  const LinkQuestion question{.kind = LinkQuestion::Kind::server, .host = "a", .text = "Password for a"};
  links.ask(question, [](const auto&) { FAIL(); });
  ASSERT_TRUE(asked());
  links.withdraw(question);
  EXPECT_TRUE(QTest::qWaitFor([] { return dialog() == nullptr; }));
}

struct ThroughAGate : testing::Test {
  ThroughAGate() { window.show(); }
  ~ThroughAGate() override { test::forget_fake_hosts(); }
  void ask(const LinkQuestion& question) {
    for (const char* name : {"vm1", "vm2"}) test::fake_host(name).question = question;
  }
  bool is(const char* name, HostLink::State state) {
    return QTest::qWaitFor([&] { return links.to(name).state() == state; });
  }

  QWidget window;
  run::HostLinks links{{{{.name = "gate", .address = "g"},
                         {.name = "vm1", .address = "a", .jump = "gate"},
                         {.name = "vm2", .address = "b", .jump = "gate"}}},
                       launch::LinkOptions{}};
  LinkQuestions questions{links, &window};
};

TEST_F(ThroughAGate, ItsKeyIsAskedForOnce) {
  ask({.kind = LinkQuestion::Kind::host_key, .host = "gate", .text = "Is it?", .fingerprint = "SHA256:abc"});
  links.to("vm1").open();
  ASSERT_TRUE(LinkQuestionsTest::asked());
  QTest::mouseClick(&LinkQuestionsTest::named<QPushButton>("Accept key"), Qt::LeftButton);
  links.to("vm2").open();
  EXPECT_TRUE(is("vm1", HostLink::State::open));
  EXPECT_TRUE(is("vm2", HostLink::State::open));
  EXPECT_EQ(LinkQuestionsTest::dialog(), nullptr);
}

TEST_F(ThroughAGate, AnotherKeyOfItIsAskedForAgain) {
  ask({.kind = LinkQuestion::Kind::host_key, .host = "gate", .text = "Is it?", .fingerprint = "SHA256:abc"});
  links.to("vm1").open();
  ASSERT_TRUE(LinkQuestionsTest::asked());
  QTest::mouseClick(&LinkQuestionsTest::named<QPushButton>("Accept key"), Qt::LeftButton);
  EXPECT_TRUE(is("vm1", HostLink::State::open));
  ask({.kind = LinkQuestion::Kind::host_key, .host = "gate", .text = "Is it?", .fingerprint = "SHA256:xyz"});
  links.to("vm2").open();
  ASSERT_TRUE(LinkQuestionsTest::asked());
  EXPECT_EQ(LinkQuestionsTest::named<QLineEdit>("Fingerprint").text(), "SHA256:xyz");
}

TEST_F(ThroughAGate, ItsPasswordIsGivenToAllThatAskForItAtOnce) {
  ask({.kind = LinkQuestion::Kind::password, .host = "gate", .text = "Password for lab@gate"});
  links.to("vm1").open();
  links.to("vm2").open();
  ASSERT_TRUE(LinkQuestionsTest::asked());
  ASSERT_TRUE(QTest::qWaitFor([&] {
    return links.to("vm1").state() == HostLink::State::opening && links.to("vm2").state() == HostLink::State::opening;
  }));
  QCoreApplication::processEvents();
  auto& line = LinkQuestionsTest::named<QLineEdit>("Answer");
  QTest::keyClicks(&line, "secret");
  QTest::keyClick(&line, Qt::Key_Return);
  EXPECT_TRUE(is("vm1", HostLink::State::open));
  EXPECT_TRUE(is("vm2", HostLink::State::open));
}

TEST_F(ThroughAGate, WhatItWantsToKnowIsAskedForEach) {
  ask({.kind = LinkQuestion::Kind::prompt, .host = "gate", .text = "Code:"});
  links.to("vm1").open();
  links.to("vm2").open();
  for (int i = 0; i < 2; i++) {
    ASSERT_TRUE(LinkQuestionsTest::asked());
    auto& line = LinkQuestionsTest::named<QLineEdit>("Answer");
    QTest::keyClicks(&line, "123");
    QTest::keyClick(&line, Qt::Key_Return);
  }
  EXPECT_TRUE(is("vm1", HostLink::State::open));
  EXPECT_TRUE(is("vm2", HostLink::State::open));
}

TEST_F(LinkQuestionsTest, AQuestionGoesWithTheLinkThatAsked) {
  links.to("vm1").open();
  ASSERT_TRUE(asked());
  links.to("vm1").close();
  EXPECT_TRUE(QTest::qWaitFor([] { return dialog() == nullptr; }));
  EXPECT_TRUE(test::fake_host("vm1").answers.empty());
}

}  // namespace
}  // namespace n2nq::ui
