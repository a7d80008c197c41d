#include "broker/control/control_link.h"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "broker/base/clock.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/control/loop_test.h"

namespace n2nq::control {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ControlLinkTest : public LoopTest {
 protected:
  ControlLink::Callbacks notes() {
    return {.on_hello =
                [this](const Token& token, const BusAccess& access) {
                  hellos_.push_back(token.reveal() + (access.password.empty() ? "" : " " + access.password) +
                                    (access.authorities.empty() ? "" : " " + access.authorities));
                },
            .on_refused = [this](const std::string& text) { refusals_.push_back(text); },
            .on_command = [this](const std::string& type, const json& message) -> Result<void> {
              commands_.push_back(message.dump());
              if (type == "bad") return fail("bad: field \"x\": too bad");
              return {};
            },
            .on_lost =
                [this](const std::string& reason) {
                  lost_.push_back(reason);
                  lost_at_ns_ = now_ns();
                }};
  }
  void make(ControlLink::Timing timing = {}) {
    link_ = std::make_unique<ControlLink>(loop_, in_.out.get(), out_.in.get(), notes(), timing);
    link_->start();
  }
  void attach(ControlLink::Timing timing = {}) {
    make(timing);
    put(in_.in, kHello);
    run_until([&] { return !hellos_.empty(); });
  }
  std::vector<json> answers() {
    std::string text = take(out_.out);
    std::vector<json> lines;
    for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
      lines.push_back(json::parse(text.substr(0, end)));
      text.erase(0, end + 1);
    }
    EXPECT_EQ(text, "");
    return lines;
  }
  std::string answer_to(const std::string& line) {
    put(in_.in, line + "\n");
    std::vector<json> lines;
    run_until([&] {
      if (lines.empty()) lines = answers();
      return !lines.empty();
    });
    return lines.empty() ? "" : lines[0].dump();
  }

  Pipe in_;
  Pipe out_;
  std::unique_ptr<ControlLink> link_;
  std::vector<std::string> hellos_, refusals_, commands_, lost_;
  int64_t lost_at_ns_ = 0;
};

TEST_F(ControlLinkTest, TakesAPasswordForAnotherBus) {
  make();
  put(in_.in, R"({"type":"hello","token":"t","bus_password":"pass word"})"
              "\n");
  run_until([&] { return !hellos_.empty(); });
  EXPECT_THAT(hellos_, ElementsAre("t pass word"));
}

TEST_F(ControlLinkTest, RefusesAPasswordThatIsNone) {
  make();
  put(in_.in, R"({"type":"hello","token":"t","bus_password":"sec\nret"})"
              "\n");
  run_until([&] { return !refusals_.empty(); });
  EXPECT_THAT(hellos_, IsEmpty());
  EXPECT_THAT(refusals_.front(), testing::AllOf(HasSubstr("bus_password"), Not(HasSubstr("ret"))));
}

TEST_F(ControlLinkTest, ReadsAPasswordFromAFile) {
  const test::TempDir dir;
  const std::string file = (dir / "password").string();
  const auto read = [&](const std::string& content) {
    std::ofstream(file, std::ios::binary) << content;
    auto password = read_password_file(file);
    return password ? *password : "-";
  };
  EXPECT_EQ(read(" a b \n"), " a b ");
  EXPECT_EQ(read("a\r\n"), "a");
  EXPECT_EQ(read(std::string(255, 'x') + "\r\n"), std::string(255, 'x'));
  for (const std::string& none :
       {std::string(), std::string("\n"), std::string("a\nb\n"), std::string(256, 'x'), std::string("\xff")})
    EXPECT_EQ(read(none), "-");
  EXPECT_FALSE(read_password_file(dir.path().string()));
}

const std::string kSomeCertificate = "-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----\n";

TEST_F(ControlLinkTest, TakesCertificatesForAnotherBus) {
  make();
  put(in_.in, json({{"type", "hello"}, {"token", "t"}, {"bus_ca", kSomeCertificate}}).dump() + "\n");
  run_until([&] { return !hellos_.empty(); });
  EXPECT_THAT(hellos_, ElementsAre("t " + kSomeCertificate));
}

TEST_F(ControlLinkTest, RefusesCertificatesThatAreNone) {
  make();
  put(in_.in, R"({"type":"hello","token":"t","bus_ca":"x"})"
              "\n");
  run_until([&] { return !refusals_.empty(); });
  EXPECT_THAT(hellos_, IsEmpty());
  EXPECT_THAT(refusals_.front(), HasSubstr("\"bus_ca\": it has no certificate in it"));
}

TEST_F(ControlLinkTest, ReadsCertificatesAloneFromAFile) {
  const test::TempDir dir;
  const std::string file = (dir / "ca.pem").string();
  const auto read = [&](const std::string& content) {
    std::ofstream(file, std::ios::binary) << content;
    auto certificates = read_certificates_file(file);
    return certificates ? *certificates : certificates.error().text;
  };
  EXPECT_EQ(read("\xff of A\n" + kSomeCertificate + "of B\n" + kSomeCertificate), kSomeCertificate + kSomeCertificate);
  EXPECT_THAT(read(kSomeCertificate + "-----BEGIN PRIVATE KEY-----\nTUlJ\n"), HasSubstr("a private key in it"));
  EXPECT_THAT(read(kSomeCertificate.substr(0, 40)), HasSubstr("damaged"));
  EXPECT_THAT(read(std::string(3, '\0')), HasSubstr("has no certificate in it"));
  std::string many;
  while (many.size() < 33 * 1024) many += kSomeCertificate;
  EXPECT_THAT(read(many), HasSubstr("more than 32 KiB"));
  EXPECT_THAT(read_certificates_file("/nowhere").error().text, HasSubstr("no such file"));
}

TEST_F(ControlLinkTest, TakesTheTokenFirstAndThenCommands) {
  make();
  put(in_.in, kHello + R"({"type":"start"})"
                       "\n"
                       R"({"type":"request","count":3})"
                       "\n");
  run_until([&] { return commands_.size() == 2; });
  EXPECT_THAT(hellos_, ElementsAre("s3cret"));
  EXPECT_THAT(commands_, ElementsAre(R"({"type":"start"})", R"({"count":3,"type":"request"})"));
  EXPECT_EQ(link_->state(), ControlLink::State::attached);
  EXPECT_THAT(answers(), IsEmpty());
}

TEST_F(ControlLinkTest, RefusesAnythingBeforeHelloAndNeverQuotesIt) {
  for (const char* line : {R"({"type":"start","token":"s3cret"})", "s3cret", R"(["s3cret"])", R"({"token":"s3cret"})",
                           R"({"type":"hello"})", R"({"type":"hello","token":7})", R"({"type":"hello","token":""})",
                           R"({"type":"hello","token":"s3cret with blanks"})"}) {
    refusals_.clear();
    make();
    put(in_.in, std::string(line) + "\n" + kHello);
    run_until([&] { return !refusals_.empty(); });
    const auto said = answers();
    ASSERT_EQ(said.size(), 1u) << line;
    EXPECT_EQ(said[0]["type"], "error");
    EXPECT_THAT(said[0]["text"].get<std::string>(), AllOf(HasSubstr("hello"), Not(HasSubstr("s3cret")))) << line;
    EXPECT_EQ(link_->state(), ControlLink::State::refused);
    link_.reset();
    take(in_.out);
  }
  EXPECT_THAT(hellos_, IsEmpty());
  EXPECT_THAT(commands_, IsEmpty());
}

TEST_F(ControlLinkTest, RefusesALineThatIsTooLongInPlaceOfHello) {
  make();
  put(in_.in, std::string(40'000, 'x'));
  run_until([&] { return take(in_.out).empty(); });
  put(in_.in, std::string(40'000, 'x'));
  run_until([&] { return !refusals_.empty(); });
  EXPECT_THAT(refusals_[0], HasSubstr("longer than 65536 bytes"));
}

TEST_F(ControlLinkTest, RefusesSilenceAfterItsDeadline) {
  const int64_t start = now_ns();
  make({.hello_deadline_ns = 30 * kMs});
  run_until([&] { return !refusals_.empty(); });
  EXPECT_THAT(refusals_, ElementsAre("no hello within 30ms"));
  EXPECT_GE(now_ns() - start, 30 * kMs);
}

TEST_F(ControlLinkTest, RefusesAnInputThatEndsBeforeHello) {
  make();
  in_.in.reset();
  run_until([&] { return !refusals_.empty(); });
  EXPECT_THAT(refusals_, ElementsAre("no hello: end of input"));
  EXPECT_THAT(lost_, IsEmpty());
}

TEST_F(ControlLinkTest, AnswersPingsWithTheirIdAndItsClock) {
  attach();
  const int64_t before = now_ns();
  const json number = json::parse(answer_to(R"({"type":"ping","id":41})"));
  EXPECT_EQ(number["type"], "pong");
  EXPECT_EQ(number["id"], 41);
  EXPECT_GE(number["monotonic_ns"].get<int64_t>(), before);
  EXPECT_LE(number["monotonic_ns"].get<int64_t>(), now_ns());
  EXPECT_EQ(json::parse(answer_to(R"({"type":"ping","id":"a"})"))["id"], "a");
  EXPECT_THAT(answer_to(R"({"type":"ping","id":[1]})"), HasSubstr("ping: field \\\"id\\\""));
}

TEST_F(ControlLinkTest, APingWithoutAnIdIsASignOfLifeThatIsNotAnswered) {
  attach();
  put(in_.in, R"({"type":"ping"})"
              "\n");
  EXPECT_EQ(json::parse(answer_to(R"({"type":"ping","id":2})"))["id"], 2);
}

TEST_F(ControlLinkTest, AnswersNonsenseWithAnErrorAndGoesOn) {
  attach();
  EXPECT_THAT(answer_to("garbage"), HasSubstr("not JSON"));
  EXPECT_THAT(answer_to("[1,2]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(answer_to(R"({"type":7})"), HasSubstr("field \\\"type\\\""));
  EXPECT_THAT(answer_to(std::string(1000, '[')), HasSubstr("not JSON"));
  EXPECT_THAT(answer_to("\xff\xfe{}"), HasSubstr("not JSON"));
  EXPECT_THAT(answer_to(kHello.substr(0, kHello.size() - 1)), HasSubstr("already received"));
  EXPECT_THAT(answer_to(R"({"type":"bad"})"), HasSubstr("bad: field \\\"x\\\": too bad"));
  EXPECT_EQ(link_->state(), ControlLink::State::attached);
  EXPECT_THAT(lost_, IsEmpty());
}

TEST_F(ControlLinkTest, NoticesTheEndOfInputOnce) {
  attach();
  put(in_.in, R"({"type":"stop"})");
  in_.in.reset();
  run_until([&] { return !lost_.empty(); });
  EXPECT_THAT(commands_, ElementsAre(R"({"type":"stop"})"));
  EXPECT_THAT(lost_, ElementsAre("end of input"));
  EXPECT_EQ(link_->state(), ControlLink::State::lost);
  EXPECT_TRUE(link_->finish(R"({"type":"summary"})"));
}

TEST_F(ControlLinkTest, NoticesThatPingsStayAway) {
  const int64_t start = now_ns();
  attach({.ping_deadline_ns = 30 * kMs});
  run_until([&] { return !lost_.empty(); });
  EXPECT_THAT(lost_, ElementsAre("no ping for 30ms"));
  EXPECT_GE(lost_at_ns_ - start, 30 * kMs);
  put(in_.in, R"({"type":"start"})"
              "\n");
  run_until([] { return true; });
  EXPECT_THAT(commands_, IsEmpty());
  EXPECT_EQ(lost_.size(), 1u);
}

TEST_F(ControlLinkTest, GoesOnAfterTheEndOfItsInputForAsLongAsItIsTold) {
  const int64_t start = now_ns();
  attach(ControlLink::Timing::patient(60 * kMs));
  in_.in.reset();
  run_until([&] { return !lost_.empty(); });
  EXPECT_THAT(lost_, ElementsAre("its input ended 60ms ago"));
  EXPECT_GE(lost_at_ns_ - start, 60 * kMs);
  EXPECT_EQ(ControlLink::Timing::patient(0).ping_deadline_ns, ControlLink::Timing{}.ping_deadline_ns);
  EXPECT_EQ(ControlLink::Timing::patient(0).end_grace_ns, 0);
}

TEST_F(ControlLinkTest, CountsAPingThatCameWhileTheProcessSlept) {
  constexpr int64_t kDeadline = 30 * kMs;
  attach({.ping_deadline_ns = kDeadline});
  const int64_t attached_ns = now_ns();
  int64_t woken_ns = 0;
  loop_.post([&] {
    put(in_.in, R"({"type":"ping","id":1})"
                "\n");
    while (now_ns() < attached_ns + 2 * kDeadline) continue;  // as if stopped by a signal, past the deadline
    woken_ns = now_ns();
  });
  run_until([&] { return !lost_.empty(); });
  EXPECT_GE(lost_at_ns_, woken_ns + kDeadline);
}

TEST_F(ControlLinkTest, WithoutControlNeverLooksAtItsInput) {
  ControlLink link(loop_, out_.in.get());
  link.start();
  EXPECT_EQ(link.state(), ControlLink::State::attached);
  EXPECT_TRUE(link.send(R"({"type":"ready"})"));
  EXPECT_EQ(take(out_.out), R"({"type":"ready"})"
                            "\n");
}

TEST_F(ControlLinkTest, GivesAControllerThatDoesNotReadNoMorePongsButImportantLines) {
  attach();
  while (link_->idle()) link_->send(std::string(1000, 'x'));
  const std::string pings = R"({"type":"ping","id":"0123456789012345678901234567890123456789"})"
                            "\n";
  for (int i = 0; i < 40; i++) {
    for (int k = 0; k < 50; k++) put(in_.in, pings);
    put(in_.in, R"({"type":"start"})"
                "\n");
    run_until([&] { return commands_.size() == static_cast<size_t>(i + 1); });
  }
  EXPECT_EQ(link_->dropped_lines(), 0u);
  EXPECT_TRUE(link_->send("important"));
}

}  // namespace
}  // namespace n2nq::control
