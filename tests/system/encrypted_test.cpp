// TLS on our own bus: whom each side takes for whom, and what somebody between them sees. That messages travel as they
// do without it is in bus_battery_test.cpp, where it is one more way.
#include <gmock/gmock.h>
#include <signal.h>

#include <fstream>

#include "tests/helpers/certificates.h"
#include "tests/helpers/delaying_proxy.h"
#include "tests/helpers/run.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// As the broker's first line has it.
std::string certificate_of(const Process& broker) {
  return parse_line(broker.out().substr(0, broker.out().find('\n')))->value("certificate", "");
}

std::string output_of(const std::string& command) {
  Process shell({"/bin/sh", "-c", command});
  shell.wait_exit(20s);
  return shell.out() + shell.err();
}

struct TlsRefusal {
  const char* name;
  Options (*broker)();
  Options (*worker)();
  const char* text;
};

class RefusedOverTls : public testing::TestWithParam<TlsRefusal> {};

const Certificates& certificates() {
  static const Certificates made;
  return made;
}

Options given(const std::string& certificate) {
  return {"--tls", "--tls-certificate", certificate, "--tls-key", certificates().key()};
}

Options trusting(const std::string& authority) {
  return {"--bus-set", "tls=true;tls_ca=" + authority};
}

Options knowing(const std::string& certificate) {
  return {"--bus-set", "tls=true", "--broker-certificate", certificate};
}

const TlsRefusal kTlsRefusals[] = {
    {"PlainWorker", [] { return Options{"--tls"}; }, [] { return Options(); },
     "this broker takes TLS connections only; give the worker --broker-certificate and --bus-set tls=true"},
    {"PlainBroker", [] { return Options(); }, [] { return knowing(std::string(64, 'a')); },
     "does not speak TLS; start it with --tls, or set bus.tls to false"},
    {"OtherCertificate", [] { return Options{"--tls"}; }, [] { return knowing(std::string(64, 'a')); },
     "has another certificate than the one that was made for the run"},
    {"SignedByNobody", [] { return Options{"--tls"}; }, [] { return trusting(certificates().authority()); },
     "has a certificate that is not trusted: self-signed certificate"},
    {"SignedByAStranger", [] { return given(certificates().by_address()); },
     [] { return trusting(certificates().stranger()); },
     "has a certificate that is not trusted: unable to get local issuer certificate"},
    {"OfAnotherName", [] { return given(certificates().server()); },
     [] { return trusting(certificates().authority()); }, "has a certificate that is not trusted: IP address mismatch"},
};

TEST_P(RefusedOverTls, InWordsThatSayWhatToDo) {
  const TlsRefusal& wrong = GetParam();
  Stage stage;
  stage.start_broker(wrong.broker());
  Options options = wrong.worker();
  options.insert(options.end(), {"--messages", "1"});
  Process& sending = stage.start(senders(1, options));
  const auto exit = sending.wait_exit(20s);
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->code, 4);
  EXPECT_THAT(sending.err(), HasSubstr(wrong.text));
  stage.broker().signal(SIGTERM);
  EXPECT_THAT(stage.finish().broker.summary["senders"], 0);
  EXPECT_THAT(processes_left(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Encrypted, RefusedOverTls, testing::ValuesIn(kTlsRefusals),
                         [](const auto& one) { return one.param.name; });

TEST(Encrypted, OptionsThatContradictEachOtherAreRefused) {
  const std::pair<Options, const char*> kWrong[] = {
      {{"--tls", "--tls-key", "/k"}, "--tls-certificate and --tls-key belong together"},
      {{"--tls-certificate", "/c", "--tls-key", "/k"}, "give --tls too"},
      {{"--tls", "--tls-certificate", "/nowhere.pem", "--tls-key", "/k"}, "cannot use the certificate /nowhere.pem"},
  };
  for (const auto& [options, text] : kWrong) {
    Options all{program("n2nq-broker"), "--insecure-no-token", "--listen", "127.0.0.1:0"};
    all.insert(all.end(), options.begin(), options.end());
    Process broker(all);
    const auto exit = broker.wait_exit(10s);
    ASSERT_TRUE(exit) << text;
    EXPECT_NE(exit->code, 0);
    EXPECT_THAT(broker.err(), HasSubstr(text));
  }
}

// By a client that is not ours.
TEST(Encrypted, OnlyByTls13AndWithTheCertificateOfTheFirstLine) {
  Stage stage;
  const std::string certificate = certificate_of(stage.start_broker({"--tls"}));
  const std::string connect = "openssl s_client -connect " + stage.address() + " ";
  const std::string seen = output_of(connect + "</dev/null 2>&1");
  EXPECT_THAT(seen, HasSubstr("TLSv1.3")) << seen;
  const std::string shown = output_of(connect + "</dev/null 2>/dev/null | openssl x509 -noout -fingerprint -sha256");
  std::string digits;
  for (const char c : shown.substr(shown.find('=') + 1))
    if (std::isxdigit(static_cast<unsigned char>(c)) != 0) digits += static_cast<char>(std::tolower(c));
  EXPECT_EQ(digits, certificate) << shown;
  EXPECT_THAT(output_of(connect + "-tls1_2 </dev/null 2>&1"), HasSubstr("alert protocol version"));
  stage.broker().signal(SIGTERM);
  stage.finish();
}

// What passes a third party is counted too: it is all there is, and nothing of it can be read.
TEST(Encrypted, WhoIsBetweenThemReadsNothing) {
  const std::string secret = "a-token-that-nobody-may-see";
  for (const bool tls : {false, true}) {
    SCOPED_TRACE(tls ? "TLS" : "plain");
    Stage stage;
    const std::string token = (stage.dir() / "token").string(), text = (stage.dir() / "text").string();
    std::ofstream(token) << secret << "\n";
    std::ofstream(text) << "words that stand in every message";
    Options broker{"--token-file", token}, worker{"--token-file", token};
    if (tls) broker.push_back("--tls");
    const std::string certificate = certificate_of(stage.start_broker(broker));
    if (tls) worker.insert(worker.end(), {"--bus-set", "tls=true", "--broker-certificate", certificate});
    DelayingProxy between(stage.port(), std::chrono::milliseconds(0));
    between.listen_in();
    const auto port = static_cast<uint16_t>(std::stoi(between.address().substr(between.address().rfind(':') + 1)));
    Fleet receiving = receivers(2, worker), sending = senders(1, worker);
    sending.options.insert(sending.options.end(), {"--messages", "50", "--size", "500B", "--payload", "file " + text});
    receiving.port = sending.port = port;
    stage.start(receiving);
    stage.start(sending);
    const RunEnded run = stage.finish();
    EXPECT_TRUE(run.all_ended_with(0)) << run.story();
    EXPECT_EQ(run.sum("receiver", "received"), 100);
    const std::string heard = between.heard();
    EXPECT_GT(heard.size(), 150u * 500);
    for (const std::string& part : {secret, std::string("words that stand in every message")})
      EXPECT_EQ(heard.contains(part), !tls) << part;
  }
}

TEST(Encrypted, ByACertificateThatWasGiven) {
  Stage stage;
  EXPECT_EQ(certificate_of(stage.start_broker(given(certificates().by_address()))), "") << "nobody has to know it";
  const Options trust = trusting(certificates().authority());
  Options sending = trust;
  sending.insert(sending.end(), {"--messages", "20"});
  stage.start(receivers(1, trust));
  stage.start(senders(1, sending));
  const RunEnded run = stage.finish();
  EXPECT_TRUE(run.all_ended_with(0)) << run.story();
  EXPECT_EQ(run.sum("receiver", "received"), 20);
}

// Who connects and says nothing, or stops half way through the handshake, holds up nobody, and is sent away.
TEST(Encrypted, AHandshakeThatIsNotFinishedHoldsUpNobody) {
  Stage stage;
  const std::string certificate = certificate_of(stage.start_broker({"--tls"}));
  std::vector<Process> silent;
  for (int i = 0; i < 3; i++)
    silent.emplace_back(std::vector<std::string>{"/bin/bash", "-c",
                                                 "exec 3<>/dev/tcp/127.0.0.1/" + std::to_string(stage.port()) +
                                                     "; printf '\\x16\\x03\\x01\\x02' >&3; cat <&3 >/dev/null"});
  Fleet receiving = receivers(1, knowing(certificate)), sending = senders(1, knowing(certificate));
  sending.options.insert(sending.options.end(), {"--messages", "20"});
  stage.start(receiving);
  for (Process& one : silent) EXPECT_TRUE(one.wait_exit(20s)) << "its connection has ended, and the broker has not";
  EXPECT_TRUE(stage.broker().running());
  stage.start(sending);
  const RunEnded run = stage.finish();
  EXPECT_TRUE(run.all_ended_with(0)) << run.story();
  EXPECT_EQ(run.sum("receiver", "received"), 20);
}

}  // namespace
}  // namespace n2nq::test
