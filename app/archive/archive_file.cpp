#include "app/archive/archive_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace n2nq::archive {
namespace {

constexpr size_t kBlock = 64 << 10;

struct FreeEntry {
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};

constexpr char kAdvice[] = "choose a folder that you can write to, with enough free space";

}  // namespace

void ArchiveWriter::Free::operator()(struct archive* archive) const {
  ::archive_write_free(archive);
}

void ArchiveReader::Free::operator()(struct archive* archive) const {
  ::archive_read_free(archive);
}

Result<ArchiveWriter> ArchiveWriter::create(const std::string& path) {
  auto file = NewFile::create(path, {.advice = kAdvice});
  if (!file) return std::unexpected(file.error());
  ArchiveWriter writer(::archive_write_new(), std::move(*file), path);
  struct archive* const archive = writer.archive_.get();
  if (archive == nullptr) return writer.file_.trouble(ENOMEM);
  if (::archive_write_set_format_pax_restricted(archive) != ARCHIVE_OK ||
      ::archive_write_add_filter_zstd(archive) != ARCHIVE_OK ||
      ::archive_write_open_fd(archive, writer.file_.fd()) != ARCHIVE_OK)
    return writer.trouble();
  return writer;
}

std::unexpected<Error> ArchiveWriter::trouble() const {
  const int error = ::archive_errno(archive_.get());
  // Its own words for what the system said no to are no more than "Write error".
  if (error > 0) return file_.trouble(error);
  const char* text = ::archive_error_string(archive_.get());
  return fail(path_ + " cannot be written: " + (text == nullptr ? "unknown error" : text) + "; " + kAdvice, EIO);
}

// Nothing that differs from one export to the next: no times, no owners.
Result<void> ArchiveWriter::begin(const std::string& name, uint64_t bytes) {
  const std::unique_ptr<archive_entry, FreeEntry> entry(::archive_entry_new());
  ::archive_entry_set_pathname(entry.get(), name.c_str());
  ::archive_entry_set_filetype(entry.get(), AE_IFREG);
  ::archive_entry_set_perm(entry.get(), 0644);
  ::archive_entry_set_mtime(entry.get(), 0, 0);
  ::archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes));
  if (::archive_write_header(archive_.get(), entry.get()) != ARCHIVE_OK) return trouble();
  return {};
}

Result<void> ArchiveWriter::write(std::span<const char> bytes) {
  while (!bytes.empty()) {
    const la_ssize_t put = ::archive_write_data(archive_.get(), bytes.data(), bytes.size());
    if (put <= 0) return trouble();
    bytes = bytes.subspan(static_cast<size_t>(put));
  }
  return {};
}

Result<void> ArchiveWriter::finish() {
  if (::archive_write_close(archive_.get()) != ARCHIVE_OK) return trouble();
  return file_.finish();
}

Result<ArchiveReader> ArchiveReader::open(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0)
    return fail(path + " cannot be read: " + std::system_category().message(errno));
  if (!S_ISREG(status.st_mode)) return fail(path + " is not a file");
  ArchiveReader reader(::archive_read_new(), path);
  if (!reader.archive_) return fail(path + " cannot be read: out of memory");
  if (::archive_read_support_filter_zstd(reader.archive_.get()) != ARCHIVE_OK ||
      ::archive_read_support_format_tar(reader.archive_.get()) != ARCHIVE_OK ||
      // What comes after the end would be passed over else.
      ::archive_read_set_option(reader.archive_.get(), "tar", "read_concatenated_archives", "1") != ARCHIVE_OK ||
      ::archive_read_open_filename(reader.archive_.get(), path.c_str(), kBlock) != ARCHIVE_OK)
    return fail(path + " is not a results archive, or is damaged; Export creates such files");
  return reader;
}

std::unexpected<Error> ArchiveReader::trouble() const {
  const char* text = ::archive_error_string(archive_.get());
  return fail(path_ + " is truncated or damaged" + (text == nullptr ? "" : std::string(" (") + text + ")") +
              "; nothing was imported. Copy or export it again");
}

Result<std::optional<std::string>> ArchiveReader::next() {
  archive_entry* entry = nullptr;
  const int got = ::archive_read_next_header(archive_.get(), &entry);
  if (got == ARCHIVE_EOF) return std::nullopt;
  if (got != ARCHIVE_OK) return trouble();
  const char* name = ::archive_entry_pathname(entry);
  const bool plain = ::archive_entry_filetype(entry) == AE_IFREG && ::archive_entry_hardlink(entry) == nullptr &&
                     ::archive_entry_symlink(entry) == nullptr;
  if (name == nullptr || !plain)
    return fail(path_ + " contains something other than plain files; nothing was imported");
  return std::string(name);
}

Result<std::span<const char>> ArchiveReader::read() {
  const void* block = nullptr;
  size_t size = 0;
  la_int64_t at = 0;
  const int got = ::archive_read_data_block(archive_.get(), &block, &size, &at);
  if (got == ARCHIVE_EOF) return std::span<const char>();
  if (got != ARCHIVE_OK) return trouble();
  return std::span(static_cast<const char*>(block), size);
}

}  // namespace n2nq::archive
