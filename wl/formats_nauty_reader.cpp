// nauty's formats as streams: of lines, and of the strings in a NumPy array.
#include <utility>

#include "base/npy.hpp"
#include "wl/formats_nauty.hpp"
#include "wl/text_fields.hpp"

namespace leman::wl {

namespace {

class NautyReader : public FormatReader {
 public:
  NautyReader(LineSource& source, const ReadOptions& options) : source_(source), options_(options) {}

  bool next(Draft& draft) override {
    std::swap(draft.data, base_);
    const bool base_ok = std::exchange(base_ok_, false);
    draft.clear(options_.directed);
    std::string_view line;
    std::size_t at = 0;
    do {  // a >>header<< may stand alone on its line
      if (!source_.next(line)) return false;
      at = 0;
    } while (is_blank_or_comment(line) || (nauty_format(line, at), at == line.size()));
    draft.line = source_.line_number();
    demand_format(line, at);
    decode(line, at, base_ok, draft.data);
    base_ok_ = !draft.data.directed;
    return true;
  }

  void reject() override { base_ok_ = false; }

 private:
  void demand_format(std::string_view line, std::size_t at) const {
    const Format kind = nauty_format(line, at);
    if (options_.format != Format::Auto && kind != options_.format)
      throw LineError{at + 1,
                      "this is " + std::string(info(kind).name) + ", not " + std::string(info(options_.format).name)};
  }

  void decode(std::string_view line, std::size_t at, bool base_ok, GraphData& data) const {
    const OrderCheck check = [&](std::uint64_t order, std::uint64_t column) {
      check_order(order, line.size(), column, options_);
    };
    if (line[at] != ';') return decode_nauty(line, check, data);
    if (!base_ok) throw LineError{at + 1, "incremental sparse6 (;) must follow a good line with an undirected graph"};
    try {
      decode_incremental(line, at + 1, base_, data);
    } catch (const LineError& e) {
      throw LineError{e.column, "sparse6: " + e.reason};
    }
  }

  LineSource& source_;
  const ReadOptions& options_;
  GraphData base_;        // the previous graph, which an incremental line changes
  bool base_ok_ = false;  // it was read without error and is undirected
};

// An array of strings, |S (bytes) or <U (four bytes per character), of any shape; one graph per element,
// in the order of the array.
class NpyReader : public FormatReader {
 public:
  NpyReader(LineSource& source, const ReadOptions& options) : source_(source), options_(options) {}

  bool next(Draft& draft) override {
    draft.clear(false);
    if (!read_) read();
    if (at_ == array_.bytes.size()) return false;
    draft.place = "[" + std::to_string(element_++) + "]";
    draft.line = element_;
    const std::string text = element();
    at_ += width_;
    try {
      if (text.empty() || text[0] == ';') throw LineError{1, "not a graph in graph6, sparse6 or digraph6"};
      const OrderCheck check = [&](std::uint64_t order, std::uint64_t column) {
        check_order(order, text.size(), column, options_);
      };
      decode_nauty(text, check, draft.data);
    } catch (const LineError& e) {
      throw InputError(source_.name() + draft.place, "byte " + std::to_string(e.column) + ": " + e.reason);
    }
    return true;
  }

 private:
  void read() {
    read_ = true;
    array_ = from_npy(std::string(source_.rest()), source_.name());
    const std::string& type = array_.type;
    const bool bytes = type.starts_with("|S"), wide = type.starts_with("<U");
    if (!bytes && !wide) {
      array_.bytes.clear();
      throw InputError(source_.name(), "an array of type " + type + "; one of graph6 strings is wanted (|S.. or <U..)");
    }
    std::uint64_t elements = 1;
    for (const std::int64_t side : array_.shape) elements *= static_cast<std::uint64_t>(side);
    width_ = elements == 0 ? 0 : array_.bytes.size() / elements;
    wide_ = wide;
  }

  // Without the NULs that fill it up, and without a line end.
  std::string element() const {
    std::string text;
    for (std::size_t i = 0; i < width_; i += wide_ ? 4 : 1) {
      const char* at = array_.bytes.data() + at_ + i;
      const bool ascii = !wide_ || (at[1] == 0 && at[2] == 0 && at[3] == 0);
      text += ascii ? *at : '\x80';  // no byte of the formats
    }
    text.erase(text.find_last_not_of(std::string_view("\0\r\n", 3)) + 1);
    return text;
  }

  LineSource& source_;
  const ReadOptions& options_;
  Array array_;
  bool read_ = false, wide_ = false;
  std::size_t width_ = 0, at_ = 0;
  std::uint64_t element_ = 0;
};

}  // namespace

std::unique_ptr<FormatReader> read_nauty(LineSource& source, const ReadOptions& options) {
  return make_reader<NautyReader>(source, options);
}

bool is_npy(const Opening& opening) { return opening.text.starts_with("\x93NUMPY"); }

std::unique_ptr<FormatReader> read_npy(LineSource& source, const ReadOptions& options) {
  return make_reader<NpyReader>(source, options);
}

}  // namespace leman::wl
