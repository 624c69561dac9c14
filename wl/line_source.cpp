#include "wl/line_source.hpp"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/memory.hpp"

namespace leman::wl {

namespace {

constexpr std::size_t kBombSize = std::size_t{64} << 20;
constexpr std::size_t kBombRatio = 200;  // text compresses to a tenth, very regular text to a fiftieth

}  // namespace

struct LineSource::File {
  gzFile handle;
  ~File() { gzclose(handle); }
};

LineSource::LineSource(std::string name) : name_(std::move(name)) {}
LineSource::LineSource(LineSource&&) noexcept = default;
LineSource& LineSource::operator=(LineSource&&) noexcept = default;
LineSource::~LineSource() = default;

LineSource LineSource::open(const std::string& path) {
  LineSource source(path == "-" ? "<stdin>" : path);
  errno = 0;
  gzFile handle = path == "-" ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path.c_str(), "rb");
  if (handle == nullptr)
    throw ReadError(source.name_, 0, 0, std::string("cannot open: ") + std::strerror(errno ? errno : ENOMEM));
  gzbuffer(handle, 1 << 17);
  source.file_.reset(new File{handle});
  return source;
}

LineSource LineSource::from_text(std::string name, std::string_view text) {
  LineSource source(std::move(name));
  source.buffer_.assign(text.begin(), text.end());
  source.end_ = source.buffer_.size();
  return source;
}

// A line, or a document, that a few compressed bytes blow up.
bool LineSource::is_bomb() const {
  const std::size_t held = end_ - last_begin_;
  return held > kBombSize && gzdirect(file_->handle) == 0 &&
         held / kBombRatio > static_cast<std::size_t>(gzoffset(file_->handle));
}

bool LineSource::fill() {
  if (!file_ || broken_) return false;
  constexpr std::size_t chunk = 1 << 17;
  if (last_begin_ > 0 && buffer_.size() - end_ < chunk) {
    std::move(buffer_.begin() + static_cast<std::ptrdiff_t>(last_begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    begin_ -= last_begin_;
    end_ -= last_begin_;
    last_begin_ = 0;
  }
  if (buffer_.size() - end_ < chunk) buffer_.resize(std::max(2 * buffer_.size(), end_ + chunk));
  errno = 0;
  int got = gzread(file_->handle, buffer_.data() + end_, chunk);
  int code = Z_OK;
  const char* text = gzerror(file_->handle, &code);
  if (code == Z_BUF_ERROR)
    broken_ = "the gzip stream is cut short";
  else if (code == Z_ERRNO)
    broken_ = std::string("read error: ") + std::strerror(errno);
  else if (code != Z_OK && code != Z_STREAM_END)
    broken_ = std::string("damaged gzip stream: ") + text;
  if (got > 0) end_ += static_cast<std::size_t>(got);
  if (got > 0 && !broken_ && is_bomb())
    broken_ = "unpacks to more than " + std::to_string(kBombRatio) +
              " times its size before it can be read; gunzip it first if that is meant";
  return got > 0;
}

std::optional<std::size_t> LineSource::find_line_end(std::size_t from) {
  std::size_t offset = from - begin_;  // fill() may move the buffer
  while (true) {
    const char* start = buffer_.data() + begin_ + offset;
    std::size_t length = end_ - begin_ - offset;
    if (length > 0)
      if (const void* hit = std::memchr(start, '\n', length))
        return static_cast<std::size_t>(static_cast<const char*>(hit) - buffer_.data());
    offset = end_ - begin_;
    if (!fill()) return std::nullopt;
  }
}

bool LineSource::next(std::string_view& line) {
  last_begin_ = begin_;
  auto newline = find_line_end(begin_);
  if (!newline && broken_) throw ReadError(name_, line_number_ + 1, 0, *broken_);
  if (!newline && begin_ == end_) return false;
  std::size_t stop = newline.value_or(end_);
  line = std::string_view(buffer_.data() + begin_, stop - begin_);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  begin_ = newline ? stop + 1 : stop;
  ++line_number_;
  return true;
}

void LineSource::unread() {
  if (begin_ == last_begin_) return;
  begin_ = last_begin_;
  --line_number_;
}

std::string_view LineSource::opening() {
  last_begin_ = begin_;
  while (end_ - begin_ < kOpening && fill()) {
  }
  return {buffer_.data() + begin_, std::min(end_ - begin_, kOpening)};
}

std::string_view LineSource::rest() {
  constexpr std::size_t kFew = 1 << 26;
  constexpr std::uint64_t kPerByte = 3;  // the buffer while it grows; later the graphs
  last_begin_ = begin_;
  for (std::size_t checked = kFew; fill();)
    if (end_ - begin_ > checked) {
      checked = 2 * (end_ - begin_);
      demand_memory(kPerByte * checked, 0, name_);
    }
  if (broken_) throw ReadError(name_, 0, 0, *broken_);
  begin_ = end_;
  return {buffer_.data() + last_begin_, end_ - last_begin_};
}

}  // namespace leman::wl
