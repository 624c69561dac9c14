#include "wl/formats_unread.hpp"

#include <algorithm>

#include "wl/text_fields.hpp"

namespace leman::wl {

namespace {

enum class Where { Start, StartIgnoringCase, Inside };

struct Mark {
  std::string_view text;
  Where where;
  std::string_view within;  // Inside: how the file must start
  std::string_view name;
};

constexpr Mark kMarks[]{
    {"<gexf", Where::Inside, "<", "GEXF"},
    {"<gxl", Where::Inside, "<", "GXL"},
    {"xgmml", Where::Inside, "<", "XGMML"},
    {"*vertices", Where::StartIgnoringCase, "", "Pajek"},
    {"*network", Where::StartIgnoringCase, "", "Pajek"},
    {"LEDA.GRAPH", Where::Start, "", "LEDA"},
    {"dl n", Where::StartIgnoringCase, "", "UCINET DL"},
    {"(tlp ", Where::Start, "", "Tulip"},
    {"# GMT ", Where::Inside, "#", "an adjacency list of networkx (networkx.write_edgelist helps)"},
    {"\"outE\"", Where::Inside, "{", "GraphSON"},
    {"\x80\x02", Where::Start, "", "a Python pickle"},
    {"\x80\x03", Where::Start, "", "a Python pickle"},
    {"\x80\x04", Where::Start, "", "a Python pickle"},
    {"\x80\x05", Where::Start, "", "a Python pickle"},
    {"PK\x03\x04", Where::Start, "", "a zip archive (PyTorch .pt, .npz)"},
    {"\x89HDF", Where::Start, "", "HDF5"},
    {"MATLAB 5.0 MAT-file", Where::Start, "", "a MATLAB file"},
    {"BZh", Where::Start, "", "bzip2 compression"},
    {"\xFD"
     "7zXZ",
     Where::Start, "", "xz compression"},
    {"\x28\xB5\x2F\xFD", Where::Start, "", "zstd compression"},
    {"\xFF\xFE", Where::Start, "", "text in UTF-16"},
    {"\xFE\xFF", Where::Start, "", "text in UTF-16"},
    {"PAR1", Where::Start, "", "Parquet"},
};

bool has(std::string_view text, const Mark& mark) {
  switch (mark.where) {
    case Where::Start: return text.starts_with(mark.text);
    case Where::StartIgnoringCase: return lower_case(text.substr(0, mark.text.size())) == mark.text;
    case Where::Inside: return text.starts_with(mark.within) && text.find(mark.text) != text.npos;
  }
  return false;
}

}  // namespace

std::optional<std::string> unread_format(const Opening& opening) {
  std::string_view text = opening.text;
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  for (const Mark& mark : kMarks)
    if (has(text, mark)) return std::string(mark.name);
  return std::nullopt;
}

}  // namespace leman::wl
