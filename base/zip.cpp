#include "base/zip.hpp"

#include <zip.h>

#include <ctime>
#include <memory>

#include "base/error.hpp"

namespace leman {

namespace {

// An archive that lives in memory; the source outlives it, to be read from.
class Archive {
 public:
  Archive(const std::string* bytes, const std::string& file, int flags) : file_(file) {
    zip_error_t error;
    zip_error_init(&error);
    source_ = zip_source_buffer_create(bytes ? bytes->data() : nullptr, bytes ? bytes->size() : 0, 0, &error);
    if (!source_) refuse(&error);
    zip_source_keep(source_);
    zip_ = zip_open_from_source(source_, flags, &error);
    if (!zip_) refuse(&error);
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
  ~Archive() {
    if (zip_) zip_discard(zip_);
    if (source_) zip_source_free(source_);
  }
  zip_t* get() const { return zip_; }
  [[noreturn]] void fail() const { throw InputError(file_, zip_strerror(zip_)); }

  // Ends writing and gives what was written.
  std::string close() {
    if (zip_close(zip_) != 0) fail();
    zip_ = nullptr;
    zip_stat_t about;
    zip_source_stat(source_, &about);
    std::string bytes(about.size, '\0');
    zip_source_open(source_);
    zip_source_read(source_, bytes.data(), bytes.size());
    zip_source_close(source_);
    return bytes;
  }

 private:
  [[noreturn]] void refuse(zip_error_t* error) {
    const std::string why = zip_error_strerror(error);
    if (source_) zip_source_free(source_), zip_source_free(source_);
    source_ = nullptr;
    throw InputError(file_, why);
  }
  std::string file_;
  zip_source_t* source_ = nullptr;
  zip_t* zip_ = nullptr;
};

}  // namespace

std::string to_zip(const std::vector<ZipEntry>& entries) {
  constexpr std::time_t kFirstDay = 315532800;  // 1980-01-01 in UTC, where zip's calendar begins
  Archive archive(nullptr, "zip", ZIP_CREATE | ZIP_TRUNCATE);
  for (const ZipEntry& entry : entries) {
    zip_source_t* source = zip_source_buffer(archive.get(), entry.bytes.data(), entry.bytes.size(), 0);
    if (!source) archive.fail();
    const zip_int64_t index = zip_file_add(archive.get(), entry.name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      zip_source_free(source);
      archive.fail();
    }
    const auto at = static_cast<zip_uint64_t>(index);
    zip_set_file_compression(archive.get(), at, ZIP_CM_STORE, 0);
    zip_file_set_mtime(archive.get(), at, kFirstDay, 0);
  }
  return archive.close();
}

std::vector<ZipEntry> from_zip(const std::string& bytes, const std::string& file, std::uint64_t limit) {
  const Archive archive(&bytes, file, ZIP_RDONLY | ZIP_CHECKCONS);
  std::vector<ZipEntry> entries;
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  for (zip_int64_t k = 0; k < count; ++k) {
    const auto index = static_cast<zip_uint64_t>(k);
    zip_stat_t about;
    if (zip_stat_index(archive.get(), index, 0, &about) != 0) archive.fail();
    if (about.size > limit) throw InputError(file, "holds more than its tensors or arrays can need");
    limit -= about.size;
    ZipEntry entry{about.name, std::string(about.size, '\0')};
    const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> open(zip_fopen_index(archive.get(), index, 0), zip_fclose);
    if (!open) archive.fail();
    // The last read of nothing compares the checksum.
    char more = 0;
    if (zip_fread(open.get(), entry.bytes.data(), about.size) != static_cast<zip_int64_t>(about.size) ||
        zip_fread(open.get(), &more, 1) != 0)
      throw InputError(file, "its entry \"" + entry.name + "\" is damaged");
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace leman
