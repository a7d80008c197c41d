#include "app/launch/host_jobs.h"

#include <zlib.h>

#include <algorithm>
#include <random>
#include <utility>

#include "app/launch/host_scripts.h"
#include "app/launch/run_token.h"

namespace n2nq::launch {
namespace {

using namespace std::chrono_literals;

constexpr auto kSoon = 250ms;
constexpr auto kLater = 1s;
constexpr auto kPortPatience = 10s;

struct Piece {
  int64_t file_size = 0;
  int64_t wire_bytes = 0;
  QByteArray bytes{};
};

Result<QByteArray> inflated(const QByteArray& packed, int64_t most) {
  z_stream stream{};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) return fail("not enough memory to unpack");
  QByteArray bytes(most + 1, Qt::Uninitialized);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.constData()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  const int result = inflate(&stream, Z_FINISH);
  const qsizetype size = bytes.size() - stream.avail_out;
  inflateEnd(&stream);
  if (result != Z_STREAM_END || size > most) return fail("the data received cannot be unpacked");
  bytes.resize(size);
  return bytes;
}

// What kRead said.
Result<Piece> piece_of(const ScriptEnd& end, const std::string& remote, int64_t most) {
  if (end.lost) return fail("the link was lost: " + end.complaint);
  if (end.exit_code != 0) return fail(remote + " cannot be read: " + end.complaint);
  const qsizetype newline = end.output.indexOf('\n');
  const QList<QByteArray> head = end.output.left(std::max<qsizetype>(newline, 0)).split(' ');
  if (head.size() != 2) return fail(remote + " cannot be read: unexpected answer from the host");
  Piece piece{.file_size = head[0].toLongLong(), .wire_bytes = end.output.size()};
  const QByteArray rest = end.output.mid(newline + 1);
  if (head[1] != "gzip") {
    piece.bytes = rest.left(most);
    return piece;
  }
  auto bytes = inflated(rest, most);
  if (!bytes) return fail(remote + ": " + bytes.error().text);
  piece.bytes = std::move(*bytes);
  return piece;
}

std::vector<std::string> read_command(const std::string& remote, int64_t offset, int64_t most) {
  return shell(scripts::kRead, {remote, std::to_string(offset + 1), std::to_string(most)});
}

std::vector<uint16_t> ports_to_try(const PortRange& range, size_t most) {
  if (range.first == 0) return {0};
  std::vector<uint16_t> ports;
  for (int port = range.first; port <= std::max(range.first, range.last); port++)
    ports.push_back(static_cast<uint16_t>(port));
  // Two benches that look at the same time shall not meet at each port.
  std::shuffle(ports.begin(), ports.end(), std::mt19937(std::random_device{}()));
  ports.resize(std::min(ports.size(), most));
  return ports;
}

}  // namespace

CommandJob::CommandJob(const Run& run, const std::vector<std::string>& arguments, ScriptRun::Done done) {
  auto exec = run(arguments);
  if (exec)
    script_ = std::make_unique<ScriptRun>(std::move(exec), QByteArray(), std::move(done));
  else
    box_.put([done = std::move(done)] { done({.lost = true, .complaint = kNotOpen}); });
}

FolderJob::FolderJob(const Run& run, const std::string& folder, ScriptRun::Done done)
    : done_(std::move(done)), exec_(run(shell(scripts::kMakeFolder, {folder}))) {
  if (!exec_) {
    box_.put([this] { on_end({.lost = true, .text = kNotOpen}); });
    return;
  }
  exec_->be_gentle();
  QObject::connect(exec_.get(), &remote::Exec::readyRead, exec_.get(), [this] {
    if (!exec_->canReadLine() ||
        exec_->readLine().trimmed() != QByteArrayView(scripts::kMade.data(), qsizetype(scripts::kMade.size())))
      return;
    exec_->write(scripts::kKeep.data(), qsizetype(scripts::kKeep.size()));
    exec_->end_input();
  });
  QObject::connect(exec_.get(), &remote::Exec::error_line, exec_.get(),
                   [this](const QByteArray& line) { complaint_ = line.toStdString(); });
  QObject::connect(exec_.get(), &remote::Exec::ended, exec_.get(), [this](const remote::ExecEnd& end) { on_end(end); });
}

void FolderJob::on_end(const remote::ExecEnd& end) {
  const ScriptRun::Done done = std::move(done_);
  done({.exit_code = end.exit_code, .lost = end.lost, .complaint = end.text.empty() ? complaint_ : end.text});
}

FetchJob::FetchJob(Run run, std::string remote, const std::string& local, int64_t most,
                   std::function<void(const FetchProgress&)> progress, HostLink::Done done)
    : run_(std::move(run)),
      remote_(std::move(remote)),
      most_(most),
      local_(local),
      progress_(std::move(progress)),
      done_(std::move(done)) {
  box_.put([this] {
    auto file = NewFile::create(local_, {.mode = 0600});  // messages may be anybody's secrets
    if (!file) return finish(std::unexpected(file.error()));
    file_.emplace(std::move(*file));
    next();
  });
}

void FetchJob::next() {
  auto exec = run_(read_command(remote_, at_.bytes, kPiece));
  if (!exec) return finish(fail(kNotOpen));
  script_ = std::make_unique<ScriptRun>(std::move(exec), QByteArray(), [this](const ScriptEnd& end) { on_piece(end); });
}

void FetchJob::on_piece(const ScriptEnd& end) {
  const bool first = at_.wire_bytes == 0;
  auto piece = piece_of(end, remote_, kPiece);
  if (!piece) return finish(std::unexpected(piece.error()));
  if (piece->file_size < 0) return finish(fail(remote_ + " does not exist"));
  if (first) at_.of_bytes = std::min(piece->file_size, most_);
  const int64_t wanted = std::min<int64_t>(piece->bytes.size(), at_.of_bytes - at_.bytes);
  at_.wire_bytes += piece->wire_bytes;
  if (auto written = file_->write({piece->bytes.constData(), static_cast<size_t>(wanted)}); !written)
    return finish(written);
  at_.bytes += wanted;
  const bool whole = at_.bytes >= at_.of_bytes;
  if (!whole && wanted == 0)
    return finish(fail(remote_ + " was truncated while it was read (" + std::to_string(at_.bytes) + " of " +
                       std::to_string(at_.of_bytes) + " bytes); fetch it again"));
  if (whole) return keep();
  // From the event loop, so that whoever hears of it may end the job.
  box_.put([this] {
    next();
    if (const auto progress = progress_) progress(at_);
  });
}

// A disk may take its time, which the event loop has not.
void FetchJob::keep() {
  disk_.start([file = std::move(*file_)]() mutable { return file.finish(); },
              [this](const Result<void>& kept) {
                if (!kept) return finish(kept);
                const HostLink::Done done = std::move(done_);
                if (progress_) progress_(at_);
                done({});
              });
}

void FetchJob::finish(const Result<void>& result) {
  file_.reset();
  const HostLink::Done done = std::move(done_);
  done(result);
}

TailJob::TailJob(Run run, std::string remote, int64_t offset, std::function<void(const TailPiece&)> more,
                 std::function<void(const Error&)> failed)
    : run_(std::move(run)),
      remote_(std::move(remote)),
      offset_(offset),
      more_(std::move(more)),
      failed_(std::move(failed)) {
  timer_.setSingleShot(true);
  QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { next(); });
  timer_.start(0);
}

void TailJob::next() {
  auto exec = run_(read_command(remote_, offset_, kPiece));
  if (!exec) return end_with({.text = kNotOpen});
  script_ = std::make_unique<ScriptRun>(std::move(exec), QByteArray(), [this](const ScriptEnd& end) { on_piece(end); });
}

void TailJob::on_piece(const ScriptEnd& end) {
  auto piece = piece_of(end, remote_, kPiece);
  if (!piece) return end_with(piece.error());
  piece->file_size = std::max<int64_t>(piece->file_size, 0);
  const TailPiece told{.offset = offset_, .bytes = piece->bytes, .file_size = piece->file_size};
  offset_ += piece->bytes.size();
  timer_.start(offset_ < piece->file_size ? kSoon : kLater);
  const auto more = more_;  // which may end the job
  more(told);
}

void TailJob::end_with(const Error& error) {
  const auto failed = std::move(failed_);
  failed(error);
}

FindPortJob::FindPortJob(Run run, std::vector<std::string> broker, std::string address, const PortRange& range,
                         std::function<void(const Result<uint16_t>&)> done)
    : run_(std::move(run)),
      broker_(std::move(broker)),
      address_(std::move(address)),
      ports_(ports_to_try(range, kMostTries)),
      done_(std::move(done)) {
  timer_.setSingleShot(true);
  QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { next(); });
  timer_.start(0);
}

// Also the deadline of the try before.
void FindPortJob::next() {
  client_.reset();
  exec_.reset();
  if (tried_ >= ports_.size())
    return finish(
        fail("no port is free at " + address_ + (ports_.front() == 0 ? "" : " in the range") + ": " + complaint_));
  const std::string port = std::to_string(ports_[tried_++]);
  const bool v6 = address_.find(':') != std::string::npos;
  std::vector<std::string> arguments = broker_;
  for (const std::string& word : {std::string("--controlled"), std::string("--telemetry"), std::string("off"),
                                  std::string("--listen"), (v6 ? "[" + address_ + "]" : address_) + ":" + port})
    arguments.push_back(word);
  exec_ = run_(arguments);
  if (!exec_) return finish(fail(kNotOpen));
  complaint_ = "its broker did not answer within 10 s";
  QObject::connect(exec_.get(), &remote::Exec::error_line, exec_.get(), [this](const QByteArray& line) {
    if (!line.startsWith(scripts::kPidMark.data())) complaint_ = line.toStdString();
  });
  QObject::connect(exec_.get(), &remote::Exec::ended, exec_.get(), [this](const remote::ExecEnd& end) {
    if (!end.text.empty()) complaint_ = end.text;
    on_end();
  });
  client_ = std::make_unique<launch::ControlClient>(*exec_, control::HelloCommand{random_token()});
  QObject::connect(client_.get(), &launch::ControlClient::received, exec_.get(),
                   [this](const control::Message& message) {
                     const auto* ready = std::get_if<control::Ready>(&message);
                     if (ready == nullptr) return;
                     found_ = ready->port.value_or(0);
                     client_->send(control::StopCommand{});
                   });
  timer_.start(kPortPatience);
}

// Not before the broker is gone, and the port free again.
void FindPortJob::on_end() {
  if (found_ != 0) return finish(found_);
  timer_.start(0);
}

void FindPortJob::finish(const Result<uint16_t>& port) {
  timer_.stop();
  const auto done = std::move(done_);
  done(port);
}

// mode, links, uid, gid, size, month, day, time, name
Result<std::vector<FolderEntry>> entries_of(const QByteArray& listing) {
  constexpr int kFieldsBeforeName = 8;
  constexpr int kSize = 4;
  std::vector<FolderEntry> entries;
  for (const QByteArray& line : listing.split('\n')) {
    if (!line.startsWith('-') && !line.startsWith('d')) continue;
    std::vector<QByteArray> fields;
    qsizetype at = 0;
    while (fields.size() < kFieldsBeforeName && at < line.size()) {
      const qsizetype end = std::max(line.indexOf(' ', at), at);
      if (end > at) fields.push_back(line.mid(at, end - at));
      at = end + 1;
    }
    if (fields.size() < kFieldsBeforeName || at >= line.size())
      return fail("the host lists its files in an unknown format: " + line.toStdString());
    const bool folder = line.startsWith('d');
    entries.push_back(
        {.name = line.mid(at).toStdString(), .size = folder ? 0 : fields[kSize].toLongLong(), .folder = folder});
  }
  return entries;
}

// chronyc -c tracking: id, name, stratum, time, system offset, last offset, rms, ..., root delay, root dispersion,
// interval, leap status; seconds.
ClockState clock_of(const QByteArray& output) {
  constexpr double kNs = 1e9;
  const QList<QByteArray> lines = output.trimmed().split('\n');
  ClockState state{.text = "unknown: neither chrony nor timedatectl is available"};
  if (lines.size() < 2) return state;
  if (lines[0] == "timedatectl") {
    state.source = "systemd";
    state.synchronised = lines[1] == "yes";
    state.text = *state.synchronised ? "systemd: synchronised" : "systemd: not synchronised";
    return state;
  }
  const QList<QByteArray> fields = lines[1].split(',');
  if (lines[0] != "chrony" || fields.size() < 14) return state;
  const double offset = fields[4].toDouble(), delay = fields[10].toDouble(), dispersion = fields[11].toDouble();
  state.source = "chrony";
  state.synchronised = fields.back() != "Not synchronised";
  state.offset_ns = static_cast<int64_t>(offset * kNs);
  state.bound_ns = static_cast<int64_t>((std::abs(offset) + delay / 2 + dispersion) * kNs);
  state.text = std::string("chrony: ") + (*state.synchronised ? "synchronised" : "not synchronised") + ", " +
               std::to_string(*state.offset_ns / 1000) + " us off, within " + std::to_string(*state.bound_ns / 1000) +
               " us";
  return state;
}

}  // namespace n2nq::launch
